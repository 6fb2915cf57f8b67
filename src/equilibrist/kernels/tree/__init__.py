"""Kernels that build and measure the history tree."""
