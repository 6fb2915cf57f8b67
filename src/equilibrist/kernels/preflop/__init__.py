"""Kernels of play before the flop."""
