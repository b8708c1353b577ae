"""Search kernels: numba functions of fixed signatures, compiled once per machine and kept on disk.

A kernel is independent of the puzzle: it calls the puzzle's machine code by its address. It neither raises nor
allocates; its driver makes the arrays, grows them when the kernel asks for room, and looks at clock, memory and Ctrl-C
between two calls. Importing this package loads NumPy, so only a search that has outgrown Python does it.
"""
