"""Commands about games and their rules."""
