"""Gambit's extensive-form files: reading, writing, and the game they hold."""
