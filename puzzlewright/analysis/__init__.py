"""What else is asked of a puzzle: its states, counts and claims, why there is no plan, many levels at once."""
