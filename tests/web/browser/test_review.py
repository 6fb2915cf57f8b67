"""Reviews of hands in Chromium: given, judged, filtered, replayed, and looked up in solutions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.play.review.hands import history, on_river, text_of
from tests.play.review.test_review import PUSHES, river
from tests.web.browser.checks import (
    LANGUAGES,
    check_everywhere,
    check_page,
    connected,
    faults_of_page,
    speak,
)
from tests.web.browser.conftest import NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("review")]
HANDS = text_of(
    [
        on_river("p1 cc", "p2 cbr 100", "p1 f"),
        history("d dh p1 AcAd", "d dh p2 7h2d", "p2 cbr 1000", "p1 f"),
        on_river("p1 cbr 60", "p2 f"),
    ]
)
BROKEN = """
[4]
variant =
[5]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ['d dh p1 ????', 'd dh p2 AhKhQh', 'p2 f']
"""


@pytest.fixture(scope="module")
def reviews(
    make_site: Callable[..., Site], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Site, str]:
    """A server with two solutions that judge hands, and the name of a review of them."""
    site, folder = make_site(), tmp_path_factory.mktemp("judges")
    site.put(river().save(folder / "river.safetensors"), "river")
    site.put(PUSHES.save(folder / "push.safetensors"), "push")
    review = {
        "hands": HANDS + BROKEN,
        "against": ["river", "push"],
        "everybody": True,
        "solve": False,
    }
    return site, site.post("/api/jobs", review=review)["id"]


@pytest.fixture
def page(open_page: Callable[..., Page], reviews: tuple[Site, str]) -> Page:
    return open_page(base_url=reviews[0].url)


def _with_little_room(route: Route) -> None:
    """As a server answers that takes little: what it takes would fill the field for long."""
    response = route.fetch()
    facts = response.json()
    facts["limits"]["reviewed_bytes"] = 100_000
    route.fulfill(response=response, json=facts)


def test_hands_are_reviewed_and_the_worst_decision_is_looked_at(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/play")
    page.get_by_role("link", name="Review played hands").click()
    page.get_by_label("Hands", exact=True).wait_for()
    check_page(page)
    start = page.get_by_role("button", name="Review the hands")
    expect(start).to_be_disabled()
    page.get_by_label("Hands", exact=True).fill("no hands")
    start.click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.route("**/api/me", _with_little_room)
    for content in (HANDS * 200, HANDS):
        page.get_by_label("Open a file").last.set_input_files(
            {"name": "hands.phhs", "mimeType": "text/plain", "buffer": content.encode()}
        )
        if content != HANDS:  # it is refused before it is read
            page.get_by_text("more hands than the server takes at once").wait_for()
            expect(page.get_by_label("Hands", exact=True)).to_have_value("no hands")
    expect(page.get_by_label("Hands", exact=True)).to_have_value(HANDS)
    page.get_by_label("Judge everybody").check()
    page.get_by_label("Solve flops").uncheck()
    start.click()
    rows = page.get_by_role("region", name="Decisions").locator("tbody > tr")
    expect(rows.first).to_contain_text("blunder", timeout=60_000)
    expect(rows.first).to_contain_text("Hand 3")
    rows.first.get_by_role("button").click()
    table = page.get_by_role("region", name="The hand on the table")
    expect(table.get_by_role("status")).to_contain_text("p2 Fold")
    expect(table).to_contain_text("to call 60")
    page.keyboard.press("ArrowLeft")
    expect(table.get_by_role("status")).to_contain_text("p1 Bet 60")
    check_page(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as CSV").click()
    text = saving.value.path().read_text("utf-8").splitlines()
    assert text[0].split(",")[:3] == ["hand", "player", "position"]
    assert text[1].startswith("3,p2,")
    address = page.url
    page.get_by_role("link", name="Study this decision").click()
    page.wait_for_url("**/study/river?**")
    assert "line=B100" in page.url  # the nearest bet that the solution has
    page.goto(address)  # it has the decision that is open
    expect(table.get_by_role("status")).to_contain_text("p2 Fold")
    page.get_by_role("combobox", name="Street").select_option("preflop")
    expect(page.get_by_text("2 decisions", exact=True)).to_be_visible()
    page.get_by_role("combobox", name="Grade").select_option("unjudged")
    expect(rows.first).to_contain_text("Preflop")
    rows.first.get_by_role("button").click()
    why = page.locator(".rv-decision").get_by_text("Stacks or blinds are too far")
    expect(why).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_a_catalogue_and_fits(
    open_page: Callable[..., Page], reviews: tuple[Site, str], language: str
) -> None:
    site, job = reviews
    page = open_page(NARROW, base_url=site.url)
    speak(page, language)
    for path in ("/review", f"/review?job={job}&open=0"):
        connected(page, path)
        if "open" in path:
            page.locator(".pl-felt").wait_for()
            page.locator(".rv-left-out > summary").press("Enter")
            assert page.locator(".rv-left-out li:visible").count() == 2
        assert not faults_of_page(page, path)
        if language == LANGUAGES[0]:
            check_everywhere(page)


def test_a_review_of_the_command_line_is_opened(page: Page, reviews: tuple[Site, str]) -> None:
    """It leads to the solutions of the library that have the names of those that judged."""
    site, job = reviews
    document = site.get(f"/api/jobs/{job}/review")
    connected(page, "/review")

    def give(name: str, content: str) -> None:
        page.get_by_label("Open a review").last.set_input_files(
            {"name": name, "mimeType": "application/json", "buffer": content.encode()}
        )

    decisions = [{**document["decisions"][0], "notes": None}]
    for broken in ("no review", "[]", "{}", json.dumps({**document, "decisions": decisions})):
        give("broken.json", broken)
        page.get_by_text("This file is no review").wait_for()
    give("mine.json", json.dumps(document))
    page.get_by_role("heading", name="mine.json").wait_for()
    rows = page.get_by_role("region", name="Decisions").locator("tbody > tr")
    assert "blunder" in rows.first.inner_text()
    rows.first.get_by_role("button").click()
    page.get_by_role("link", name="Study this decision").wait_for()
    check_page(page)
    page.get_by_role("button", name="Close").click()
    page.get_by_label("Hands", exact=True).wait_for()


def test_a_deleted_review_says_so(page: Page, reviews: tuple[Site, str]) -> None:
    connected(page, "/review?job=none")
    page.get_by_text("There is no run of this name").wait_for()
