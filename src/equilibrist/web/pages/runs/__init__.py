"""Solves that run, wait or have ended: all of them, and one with its curve."""
