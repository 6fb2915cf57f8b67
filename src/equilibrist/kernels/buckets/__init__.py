"""Kernels of card buckets: equities of all hands, histograms, clusters."""
