"""The compiled forms of a game: history tree and sequence form."""
