"""Breadth-first search over files: spaces that outgrow the memory, by one process, several, or a cluster."""
