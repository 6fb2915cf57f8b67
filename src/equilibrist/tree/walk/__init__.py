"""Walking the rules of a game, within a budget."""
