"""What is shown about all states of a task: invariants, estimates, symmetry, what may be left out."""
