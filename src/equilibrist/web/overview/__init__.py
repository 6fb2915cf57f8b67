"""The server, what there is to begin with, and one stream of what changes."""
