"""How long a page may take."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 60.0
"""Seconds in which a page must be made, on a busy machine and at the first request, too."""
