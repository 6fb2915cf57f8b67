"""Compiled games: the walk of the rules, its checks, and the arrays that solvers read."""
