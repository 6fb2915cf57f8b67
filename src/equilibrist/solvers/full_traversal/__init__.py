"""Solvers that visit the whole tree in every iteration."""
