"""Kernels of solves between public states, with the ranges of both players."""
