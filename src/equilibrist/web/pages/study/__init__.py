"""Studying the solution of a spot."""
