"""Building blocks of kernels: random numbers, regret matching, vectors, barriers."""
