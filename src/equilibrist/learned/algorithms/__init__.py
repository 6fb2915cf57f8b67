"""The algorithms that train networks on games, a module for each family, and their table."""
