"""Measures of blueprints for more than two seats, on dealt cards in place of all pairs of hands."""
