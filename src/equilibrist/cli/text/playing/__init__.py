"""Playing in the terminal: hands and drills on the screen, and the answers that people type."""
