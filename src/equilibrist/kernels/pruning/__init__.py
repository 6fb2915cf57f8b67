"""Kernels of full traversals that skip parts of a game."""
