"""Kernels over the history tree, which need no perfect recall."""
