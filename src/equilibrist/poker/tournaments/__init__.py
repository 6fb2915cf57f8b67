"""Tournaments: what stacks are worth by the places in which their players finish."""
