"""Heuristics that nobody has to write: abstract tasks, tables of their distances, and what is added up or compared."""
