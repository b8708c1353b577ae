"""Path two: a task written as formulas for other solvers."""
