"""Kernels of full traversals over the sequence form."""
