"""Action abstraction: a game with fewer actions, and the translation of the others to them."""
