"""Spots: their fields, files, locks and subgames."""
