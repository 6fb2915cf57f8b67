"""Spots: their fields and checks, files, locks (frequencies that are kept), and subgames."""
