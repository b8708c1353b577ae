"""Pictures of states: one scene from the puzzle's `view`, drawn as text, SVG, pixels or a page."""
