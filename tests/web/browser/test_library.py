"""The library in Chromium: an empty one, uploads with errors, changes, comparing, guests, live."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import equilibrist as eq
from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_page, speak
from tests.web.browser.conftest import GUEST, NARROW, OWNER, SPOT, Site

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("library")]
EFG = """EFG 2 R "Coin" { "One" "Two" }
p "" 1 1 "" { "H" "T" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
"""
MANY = 250


@pytest.fixture(scope="module")
def library(
    make_site: Callable[..., Site], kuhn_file: Path, spot_file: Path, tmp_path_factory
) -> Site:
    """A server with a library of its own: two solutions of Kuhn poker, and `SPOT` twice."""
    site = make_site()
    other = eq.solve("kuhn", iterations=20, algorithm="cfr+")
    file = other.save(tmp_path_factory.mktemp("other") / "other.safetensors")
    for name, path in (("kuhn", kuhn_file), ("kuhn-plus", file), ("turn", spot_file)):
        site.put(path, name)
    site.put(spot_file, "turn-2")
    return site


@pytest.fixture
def page(open_page: Callable[..., Page], library: Site) -> Page:
    """A page of it."""
    return open_page(base_url=library.url)


def _row(page: Page, name: str) -> Locator:
    button = page.get_by_role("button", name=f"More about {name}", exact=True)
    return page.locator("tr").filter(has=button)


def _more(page: Page, name: str) -> Locator:
    """Open the dialog of a solution."""
    page.get_by_role("button", name=f"More about {name}", exact=True).click()
    return page.get_by_role("dialog", name=f"The solution {name}", exact=True)


def test_an_empty_library_leads_to_the_first_things(
    make_site: Callable[..., Site], open_page: Callable[..., Page]
) -> None:
    from playwright.sync_api import expect

    site = make_site()
    page = open_page(NARROW, base_url=site.url)
    connected(page, "/")
    for name in ("Play better hold'em", "Teach and learn", "Study games"):
        expect(page.get_by_role("region", name=name)).to_have_count(1)
    check_page(page)
    page.get_by_role("link", name="Walk through Kuhn poker").click()
    page.get_by_role("tab", name="Walk", selected=True).wait_for()
    page.go_back()
    page.get_by_role("link", name="Ten lessons").click()
    page.get_by_role("heading", name="Regret", exact=True).wait_for()
    page.go_back()
    page.get_by_role("link", name="Set up a spot").click()
    page.get_by_role("heading", name="Set up a spot").wait_for()


def test_solutions_have_titles_values_and_measures_with_units(page: Page, library: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/")
    turn, kuhn = _row(page, "turn"), _row(page, "kuhn")
    expect(turn.get_by_role("link").first).to_have_text("Ts3h2h5c, pot 100, stack 100, bets 50%")
    entry = library.get("/api/solutions/turn")
    assert f"{entry['measure_percent']:.3g}% of the pot" in turn.inner_text()
    assert "chips, OOP / IP" in turn.inner_text()
    low, high = library.get("/api/solutions/kuhn")["values"]
    assert f"{low:.3g} / {high:.3g}" in kuhn.inner_text()
    assert kuhn.inner_text().count("payoff units") == 2
    check_page(page)


def test_solutions_are_searched_sorted_and_put_into_folders(page: Page, library: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/")
    dialog = _more(page, "turn-2")
    check_page(page)
    for label, text in (("Folder", "3-bet pots/BTN"), ("Note", "probe more"), ("Name", "probed")):
        dialog.get_by_label(label, exact=True).fill(text)
    dialog.get_by_label("Player out of position").fill("BB")
    dialog.get_by_label("Player in position").fill("BTN")
    dialog.get_by_label("Pot", exact=True).select_option("3-bet")
    dialog.get_by_role("button", name="Save").click()
    title = "BTN against BB, 3-bet pot, Ts3h2h5c, pot 100, stack 100, bets 50%"
    page.get_by_role("link", name=title).wait_for()
    expect(_row(page, "probed")).to_contain_text("3-bet pots/BTN/probed")
    page.get_by_role("button", name="3-bet pots/BTN 1").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(4)
    search = page.get_by_role("searchbox")
    search.fill("probe MORE")
    expect(page.locator("tbody tr")).to_have_count(1)
    search.fill("nothing like it")
    page.get_by_role("button", name="Show all solutions").click()
    page.get_by_label("Order").select_option("name")
    expect(page.locator("tbody tr").first).to_contain_text("kuhn")
    page.reload()
    expect(page.get_by_label("Order")).to_have_value("name")
    expect(page.locator("tbody tr").first).to_contain_text("kuhn")
    dialog = _more(page, "probed")
    dialog.get_by_label("Name", exact=True).fill("kuhn")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This name cannot be given")
    dialog.get_by_label("Name", exact=True).fill("turn-2")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    _row(page, "turn-2").wait_for()


def test_what_is_done_with_solutions_is_in_sight_on_a_phone(
    open_page: Callable[..., Page], library: Site
) -> None:
    page = open_page(NARROW, base_url=library.url)
    connected(page, "/")
    row = _row(page, "turn")
    for part in (row.get_by_role("link", name="Play"), row.get_by_role("button")):
        box = part.first.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= NARROW["width"]
    dialog = _more(page, "turn")
    for name in ("Save", "Delete"):
        assert dialog.get_by_role("button", name=name, exact=True).is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_any_two_are_compared(open_page: Callable[..., Page], library: Site, scheme: str) -> None:
    page = open_page(scheme=scheme, base_url=library.url)
    connected(page, "/")
    button = page.get_by_role("button", name="Compare (")
    assert button.is_disabled()
    for name in ("turn", "kuhn", "kuhn-plus"):  # the last two count
        page.get_by_label(f"Compare {name}", exact=True).check()
    button.click()
    page.get_by_role("heading", name="Infosets").wait_for()
    document = library.get("/api/solutions/kuhn/compare?other=kuhn-plus")
    rows = page.get_by_role("region", name="Infosets").locator("tbody tr")
    assert rows.count() == len(document["games"]["infosets"])
    key = document["games"]["infosets"][0]["infoset"]
    assert f"{'-JQK'[int(key[0])]}{key[1:]} {key}" in rows.first.inner_text()
    check_page(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as CSV").click()
    lines = saving.value.path().read_text("utf-8").splitlines()
    assert lines[0] == "where,action,first,second,difference,reach"
    assert len(lines) == 1 + 2 * rows.count()
    page.get_by_role("combobox", name="First solution").fill("turn")
    page.get_by_role("combobox", name="Second solution").fill("turn")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_role("heading", name="Decisions").wait_for()
    page.get_by_role("combobox", name="Second solution").fill("kuhn")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_text("They are of different kinds").wait_for()
    page.get_by_role("combobox", name="Second solution").fill("nosuch")
    page.get_by_role("button", name="Compare", exact=True).click()
    assert page.get_by_role("alert").inner_text()


def test_files_are_uploaded_renamed_and_deleted(page: Page, library: Site, kuhn_file: Path) -> None:
    from playwright.sync_api import expect

    connected(page, "/")
    files = page.get_by_label("Files to upload")
    whole = kuhn_file.read_bytes()

    def give(name: str, content: bytes) -> None:
        files.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )

    give("uploaded.safetensors", whole)
    page.get_by_text("is stored as uploaded").wait_for(timeout=60_000)
    _row(page, "uploaded").wait_for()
    give("uploaded.safetensors", whole)  # a second one is another solution
    page.get_by_text("is stored as uploaded-2").wait_for(timeout=60_000)
    give("coin.efg", EFG.encode())
    page.get_by_text("is stored as library:coin").wait_for(timeout=60_000)
    page.get_by_role("link", name="library:coin").wait_for()
    dialog = _more(page, "uploaded")
    dialog.get_by_label("Name", exact=True).fill("renamed")
    dialog.get_by_role("button", name="Save").click()
    _row(page, "renamed").wait_for()
    assert library.get("/api/solutions/renamed")["kind"] == "solution"
    for name in ("renamed", "uploaded-2"):
        dialog = _more(page, name)
        dialog.get_by_role("button", name="Delete").click()
        question = page.get_by_role("dialog", name=f"Delete the solution {name}?")
        question.get_by_role("button", name="Delete").click()
        expect(_row(page, name)).to_have_count(0)
    page.get_by_role("button", name="Delete library:coin").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("link", name="library:coin")).to_have_count(0)


def test_broken_files_are_refused_in_place(page: Page, library: Site, kuhn_file: Path) -> None:
    connected(page, "/")
    files = page.get_by_label("Files to upload")
    cut = kuhn_file.read_bytes()[:-40]
    for name, content in (("cut.safetensors", cut), ("bad.efg", b"no game"), ("x.pkl", b"1")):
        files.set_input_files(
            {"name": name, "mimeType": "application/octet-stream", "buffer": content}
        )
        line = page.get_by_role("listitem").filter(has_text=name)
        assert line.get_by_role("alert").inner_text(timeout=60_000)
    names = {one["name"] for one in library.get("/api/solutions")["solutions"]}
    assert not names & {"cut", "bad", "x"}


def test_the_library_follows_what_happens(page: Page, library: Site, kuhn_file: Path) -> None:
    """Solutions that come and go elsewhere, and runs."""
    from playwright.sync_api import expect

    connected(page, "/")
    library.put(kuhn_file, "elsewhere")
    _row(page, "elsewhere").wait_for()
    (library.data / "library" / "elsewhere.safetensors").unlink()
    expect(_row(page, "elsewhere")).to_have_count(0)
    spot = {"toml": SPOT.to_toml()}
    job = library.post("/api/jobs", spot=spot, options={"iterations": 10**8})
    running = page.get_by_role("region", name="Running now")
    running.get_by_role("button", name="Stop").click(timeout=60_000)
    expect(running).to_contain_text("Nothing is running", timeout=60_000)
    _row(page, job["solution"]).wait_for(timeout=60_000)


def test_a_large_library_opens_at_once(
    make_site: Callable[..., Site], open_page: Callable[..., Page], kuhn_file: Path
) -> None:
    from playwright.sync_api import expect

    site = make_site()
    for k in range(MANY):
        site.put(kuhn_file, f"solution-{k:03}")
    site.get("/api/solutions")  # their headers are read
    page = open_page(base_url=site.url)
    connected(page, "/")
    rows = page.locator(".lb-table tbody tr")
    expect(rows).to_have_count(100)
    page.get_by_role("button", name="Show more, 150 left").click()
    expect(rows).to_have_count(200)
    page.get_by_label("Order").select_option("name")
    expect(rows).to_have_count(100)
    began = time.perf_counter()
    connected(page, "/")
    assert time.perf_counter() - began < 5.0  # on any machine; elsewhere far less than one


def test_guests_see_no_buttons_that_they_may_not_use(
    open_page: Callable[..., Page], guarded: Site
) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/")
    page.get_by_label("Token").fill(GUEST)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Kuhn poker", exact=True).wait_for()
    assert page.get_by_role("button", name="Upload files").count() == 0
    dialog = _more(page, "kuhn")
    dialog.get_by_role("link", name="Download").wait_for()
    for name in ("Save", "Delete"):
        assert dialog.get_by_role("button", name=name).count() == 0
    page.keyboard.press("Escape")
    page.goto("/spot")
    page.get_by_text("Guests may set up a spot").wait_for()
    assert page.get_by_role("button", name="Solve", exact=True).count() == 0
    page.get_by_text("Guest", exact=True).wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()


def test_signing_out_ends_the_other_tabs_too(open_page: Callable[..., Page], guarded: Site) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/")
    page.get_by_label("Token").fill(OWNER)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    other, complaints = page.context.new_page(), list[str]()

    def note(message: Any) -> None:
        if message.type == "error":
            complaints.append(message.text)

    other.on("console", note)
    connected(other, "/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()
    other.get_by_text("You have signed out").wait_for(timeout=60_000)
    other.get_by_role("button", name="Sign out").click()  # of a session that is over
    other.get_by_label("Token").wait_for()
    assert not complaints  # of the stream, and of what was asked since
    assert guarded.process.poll() is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_a_catalogue_and_fits(
    open_page: Callable[..., Page], library: Site, language: str
) -> None:
    page = open_page(NARROW, base_url=library.url)
    speak(page, language)
    for path in ("/", "/compare?first=kuhn&second=kuhn-plus", "/compare?first=turn&second=turn-2"):
        connected(page, path)
        assert not faults_of_page(page, path)
