"""What the pages about games share: their style sheet, and how long they may take."""

from __future__ import annotations

from typing import Final

from nicegui import ui

from equilibrist._version import __version__

PATIENCE: Final = 60.0
"""Seconds in which a page must be made, on a busy machine and at the first request, too."""


def add_style() -> None:
    """Put the link to it into the head of the page."""
    ui.add_head_html(f'<link rel="stylesheet" href="/assets/{__version__}/games.css">')
