"""Action abstraction: a game with fewer actions, and how its strategies answer the others."""
