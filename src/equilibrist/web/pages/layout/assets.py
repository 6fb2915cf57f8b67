"""Style sheets that only some pages need."""

from __future__ import annotations

from nicegui import ui

from equilibrist._version import __version__


def style_sheet(*names: str) -> None:
    """Link style sheets of `web/assets` in the head of this page, before anything is drawn."""
    for name in names:
        ui.add_head_html(f'<link rel="stylesheet" href="/assets/{__version__}/{name}">')
