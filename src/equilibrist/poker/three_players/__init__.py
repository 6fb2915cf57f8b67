"""Rivers with three players, solved exactly: the spot, its betting with side pots, the solver."""
