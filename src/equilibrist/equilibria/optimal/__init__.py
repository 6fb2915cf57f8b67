"""Optimal correlated equilibria: linear programmes over plans or pairs, and their devices."""
