"""Spots with three players, solved exactly: the spot, its betting, values of hands, the solver."""
