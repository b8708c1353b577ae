"""A puzzle as lifted PDDL: its rules as they are written, for all values of their parameters at once."""
