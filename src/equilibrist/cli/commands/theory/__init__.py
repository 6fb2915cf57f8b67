"""Commands for what lies beyond equilibria of two-player games with constant sum."""
