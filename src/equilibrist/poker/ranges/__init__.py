"""Ranges of hands: weights, text dialects, grids."""
