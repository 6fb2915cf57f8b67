"""Processes of their own that solve, and that read what was uploaded."""
