"""What commands take: options, sources of games and strategies, signals."""
