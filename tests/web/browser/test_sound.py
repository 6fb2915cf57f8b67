"""Every screen in both themes, 1440 and 390 pixels wide: axe, layout shift, overflow, console."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser.checks import check_everywhere, connected
from tests.web.browser.conftest import SPOT, WIDE, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("sound")]

SCREENS = {
    "/": "text=turn",
    "/spot": "text=Decisions",
    "/runs": "role=heading[name='Runs']",
    "/runs/{solve}": "text=done: iteration limit reached",
    "/study/turn?line=X": "[data-line=X] .eqp-body .eqp-tr",
    "/study/turn?line=X-X": ".eqp-report tbody tr",
    "/reports": "role=link[name=boards]",
    "/reports/boards": ".eqp-body .eqp-tr",
    "/games": "text=Leduc hold'em",
    "/games/kuhn": "text=Terminal histories",
    "/games/rps": "text=Player 1",
    "/explore/kuhn": "text=3pb",
    "/explore/kuhn?view=walk&move=1&move=3": "role=heading[name='Player 0 moves']",
    "/explore/kuhn?view=tree": ".eqg-node",
    "/race": "text=Start the race",
    "/race?job={race}": ".eqp-curve",
    "/learn?step=3": "role=heading[name='Instantaneous regrets']",
    "/play": "role=link[name='Play turn']",
    "/play/kuhn?seat=0": ".pl-action:enabled",
    "/play/turn?seat=ip": ".pl-action:enabled",
    "/drill/turn": ".pl-action:enabled",
    "/study/nothing": "role=alert",
}
"""Addresses, and what is there once they are drawn."""


@pytest.fixture(scope="module")
def jobs(site: Site) -> dict[str, str]:
    """A solve and a race that are done, by name."""
    return {
        "solve": done(site, spot={"toml": SPOT.to_toml()}, options={"iterations": 8}),
        "race": done(site, game="kuhn", algorithms=["cfr", "dcfr"], options={"iterations": 50}),
    }


def done(site: Site, **order: Any) -> str:
    """The name of a job that was run to its end."""
    import httpx2

    name: str = site.post("/api/jobs", **order)["id"]
    with httpx2.stream("GET", f"{site.url}/api/jobs/{name}/events", timeout=120) as events:
        for _ in events.iter_lines():
            pass
    assert site.get(f"/api/jobs/{name}")["state"] == "done"
    return name


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_sound(
    open_page: Callable[..., Page], jobs: dict[str, str], scheme: str
) -> None:
    """Half of them opened in each theme, and then shown in the other one, too."""
    page = open_page(WIDE, scheme)
    faults = []
    for path in [*SCREENS][scheme == "dark" :: 2]:
        connected(page, path.format(**jobs))
        page.locator(SCREENS[path]).first.wait_for()
        assert page.locator("html").get_attribute("data-theme") == scheme
        try:
            check_everywhere(page)
        except AssertionError as error:
            faults.append(f"{path}: {error}")
    assert not faults, "\n".join(faults)


def test_what_opens_on_a_screen_is_sound(page: Page) -> None:
    """The other views of a node, and a table with all that it can show."""
    from playwright.sync_api import expect

    connected(page, "/study/turn?line=X")
    page.locator("[data-line=X] .eqp-body .eqp-tr").first.wait_for()
    for view in ("Breakdown", "Graphs", "Both players"):
        page.get_by_role("tab", name=view).click()
        expect(page.get_by_role("tab", name=view)).to_have_attribute("aria-selected", "true")
        check_everywhere(page)
    connected(page, "/play/turn?seat=oop&seed=1")
    page.get_by_label("Bet in chips").fill("30")
    page.get_by_role("button", name="Bet 30").click()
    page.get_by_text("The coach judges Bet 50").wait_for()
    page.get_by_text("The AI's mixture").click()
    page.get_by_text("which its actions were drawn").or_(
        page.get_by_text("with its whole range")
    ).wait_for()
    check_everywhere(page)
    connected(page, "/drill/turn?seed=1")
    page.keyboard.press("2")
    page.locator("[data-part=said]").wait_for()
    check_everywhere(page)
