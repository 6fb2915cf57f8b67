"""Kernels that play by the rules of a game, without an explicit tree."""
