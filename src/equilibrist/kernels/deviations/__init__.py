"""Kernels of deviations: their regrets, and what players would gain by them."""
