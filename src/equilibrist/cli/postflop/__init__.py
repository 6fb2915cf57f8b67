"""`equilibrist postflop` and its subcommands."""
