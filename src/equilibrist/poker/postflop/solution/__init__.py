"""Solved spots: nodes, values, strategies, and when a run stops."""
