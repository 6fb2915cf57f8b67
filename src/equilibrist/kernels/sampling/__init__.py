"""Kernels of the samplers."""
