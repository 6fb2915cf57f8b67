"""Kernels of hold'em: hand strengths, equities, postflop traversals."""
