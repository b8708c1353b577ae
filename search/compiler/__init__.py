"""From a task to machine code: rows, layout, text for LLVM, canonical forms, the task backwards."""
