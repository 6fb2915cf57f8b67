"""Lossless reduction: symmetries of a game, found or given, and proven."""
