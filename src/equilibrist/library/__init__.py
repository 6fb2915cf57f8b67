"""Files of every kind, opened by name, and who plays: what command line and browser stand on."""
