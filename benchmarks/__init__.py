"""How fast the product is beside other programs on the same puzzles: `python -m benchmarks`.

It prints figures, ratios and targets, and fails for none of them; `docs/performance.md` says how they
are made and what came out.
"""
