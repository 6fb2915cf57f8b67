"""Numba kernels: arrays in, arrays out. Nothing else imports Numba."""
