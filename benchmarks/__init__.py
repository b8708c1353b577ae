"""How fast the product is beside other programs on the same puzzles: `python -m benchmarks`.

It prints figures and ratios and judges nothing; `docs/performance.md` says how they are made and what came out.
"""
