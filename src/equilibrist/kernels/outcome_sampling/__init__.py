"""Kernels of outcome sampling, one per way of averaging."""
