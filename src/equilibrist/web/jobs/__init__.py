"""Solves that are queued, run, paused and resumed."""
