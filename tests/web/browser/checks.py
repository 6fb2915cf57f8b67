"""What must hold on every page: accessibility, a steady layout, no overflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page


def check_page(page: Page) -> None:
    """No serious violation of axe's rules, no layout shift, nothing wider than the window."""
    found = violations(page)
    assert not found, "\n".join(found)
    shift = page.evaluate("window.layoutShift")
    assert shift < 0.05, f"the layout shifts by {shift}"
    wider = overflow(page)
    assert wider <= 0, f"the page is {wider} pixels wider than its window"


def violations(page: Page) -> list[str]:
    """The serious and critical violations that axe finds, with where they are."""
    from axe_playwright_python.sync_playwright import Axe

    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    root = "document.documentElement"
    width: int = page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
    return width


def connected(page: Page, path: str) -> None:
    """Open a page and wait until it answers."""
    page.goto(path)
    is_connected(page)


def is_connected(page: Page) -> None:
    """Wait until a page has drawn what it was opened for, or its websocket is connected."""
    page.wait_for_function(
        "() => 'ready' in document.documentElement.dataset || window.socket?.connected"
    )
