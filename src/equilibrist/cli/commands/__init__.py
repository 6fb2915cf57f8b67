"""One module per command, in folders by help group."""
