"""The style sheet of the pages about games."""

from __future__ import annotations

from nicegui import ui

from equilibrist._version import __version__


def add_style() -> None:
    """Put the link to it into the head of the page."""
    ui.add_head_html(f'<link rel="stylesheet" href="/assets/{__version__}/games.css">')
