"""Checking the rules of a game: consistency, recall, endless play."""
