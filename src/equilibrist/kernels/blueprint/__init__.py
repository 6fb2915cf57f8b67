"""Kernels of blueprints: whole hands of hold'em over card buckets, board by board."""
