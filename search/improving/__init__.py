"""Plans that get better: a first one soon, then cheaper ones, and a proven bound that rises towards them."""
