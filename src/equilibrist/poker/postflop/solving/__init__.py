"""Solving a spot: the solver, its run, and its checkpoints."""
