"""The library: solutions, uploaded games, what runs now, and where to begin."""
