"""PDDL as puzzles: a domain and a problem are read, and become a `Puzzle` by value."""
