"""The language and what it means: reader, types, checker, referee, grounding and the task."""
