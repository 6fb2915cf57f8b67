"""Commands about games: lists of them, and checks of their rules."""
