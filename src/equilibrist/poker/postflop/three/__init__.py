"""Spots with three players on a river board, with card removal among all three hands."""
