"""Files of every kind, opened by name: what the command line and the browser both stand on."""
