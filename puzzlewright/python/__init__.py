"""The library as notebooks and other programs use it; `puzzlewright` itself has all its names."""
