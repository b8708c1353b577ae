"""Whole state spaces: walked, measured, and their best plans counted."""
