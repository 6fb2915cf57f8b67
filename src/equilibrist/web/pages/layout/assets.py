"""Style sheets that only some pages need."""

from __future__ import annotations

from nicegui import ui

from equilibrist._version import __version__


def style_sheet(name: str) -> None:
    """Link a style sheet of `web/assets` in the head of this page, before anything is drawn."""
    ui.add_head_html(f'<link rel="stylesheet" href="/assets/{__version__}/{name}">')
