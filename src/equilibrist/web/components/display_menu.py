"""The choice of theme and palette."""

from __future__ import annotations

from nicegui import ui


class DisplayMenu(ui.element, component="display_menu.js"):
    """Lets the reader choose light or dark, and the colours of actions; the browser keeps both."""
