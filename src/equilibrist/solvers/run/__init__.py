"""The driver loop: stopping, measuring, interrupting, saving and resuming."""
