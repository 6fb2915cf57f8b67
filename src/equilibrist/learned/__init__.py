"""Networks in the place of tables: features, fitting, files, and what is trained with them.

Only `equilibrist.learned.fit` imports PyTorch, and only when a network is fitted. Networks are
evaluated by a Numba kernel, so that a stored one plays without PyTorch.
"""
