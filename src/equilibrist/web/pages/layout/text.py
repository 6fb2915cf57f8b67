"""Headings, texts and regions of pages; no text is ever read as HTML."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from equilibrist._version import __version__


class Text(TextElement):
    """A text in an element of HTML.

    Args:
        tag: The element, such as `p`, `span` or `td`.
        text: The text.
    """

    def __init__(self, tag: str, text: str) -> None:
        super().__init__(tag=tag, text=text)


def heading(text: str, level: int = 1) -> Text:
    """A heading of a level, from 1 on."""
    return Text(f"h{level}", text)


def paragraph(text: str) -> Text:
    """A paragraph."""
    return Text("p", text)


def scrolled(label: str) -> ui.element:
    """A region that scrolls sideways where it is too wide, with the keyboard, too.

    Args:
        label: What readers of the screen call it.
    """
    region = ui.element("div").classes("eq-scroll").props('role="region" tabindex="0"')
    region.props["aria-label"] = label
    return region


def style_sheet(*names: str) -> None:
    """Link style sheets of `web/assets` in the head of this page, before anything is drawn."""
    for name in names:
        ui.add_head_html(f'<link rel="stylesheet" href="/assets/{__version__}/{name}">')


def rough_time(seconds: float) -> str:
    """An estimate of time, with no more digits than it is good for.

    Args:
        seconds: The estimate.
    """
    if seconds < 1.0:
        return "less than 1 s"
    if seconds < 60.0:
        rounded = round(seconds) if seconds < 10.0 else 5 * round(seconds / 5.0)
        if rounded < 60:
            return f"about {rounded} s"
    if seconds < 3600.0 - 30.0:
        return f"about {max(1, round(seconds / 60.0))} min"
    hours = seconds / 3600.0
    return f"about {hours:.1f} h" if hours < 10.0 else f"about {hours:,.0f} h"
