"""Protocols by which programs play each other: the poker competition's, and calls over HTTP."""
