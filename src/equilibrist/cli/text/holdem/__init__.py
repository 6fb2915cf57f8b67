"""Hold'em before the flop and blueprints on the screen."""
