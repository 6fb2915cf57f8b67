"""Monte Carlo CFR on rules without an explicit tree."""
