"""What is read and written: puzzles, levels, plans, graphs, what was worked out before."""
