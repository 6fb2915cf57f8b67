"""Setting up a spot: the form, where it begins, what the spot needs, and what makes it fit."""
