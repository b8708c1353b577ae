"""A level in the words of other programs: a table of formats, and a module for each."""
