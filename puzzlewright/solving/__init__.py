"""One puzzle, one backend: load, prove what has to be known, search or encode, let the referee judge."""
