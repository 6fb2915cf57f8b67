"""How long the server may take to make a page about a game."""

from __future__ import annotations

from typing import Final

RESPONSE_SECONDS: Final = 60.0
"""Seconds; the first request on a busy machine compiles kernels and walks the game."""
