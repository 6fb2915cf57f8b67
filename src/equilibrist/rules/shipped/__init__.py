"""Rules that come with Equilibrist, one plain module per game."""
