"""The page on which a solved spot is studied, as tests open and read it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Page


def at(page: Page, line: str) -> None:
    """Wait until a node is shown."""
    page.wait_for_function(
        "line => document.querySelector('.eqs')?.dataset.line === line", arg=line
    )


def open_at(page: Page, line: str = "", name: str = "turn", **query: str) -> None:
    page.goto(f"/study/{name}")  # then the address alone changes, as a link would be opened
    page.goto(f"/study/{name}?{urlencode({'line': line, **query})}")
    at(page, line)


def chips(value: float) -> str:
    """As the page prints amounts."""
    size = abs(value)
    return f"{value:z.{3 if size < 10 else 2 if size < 100 else 1}f}"
