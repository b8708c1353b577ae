"""Reports in text: what a person reads in a terminal."""
