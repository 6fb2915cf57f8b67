"""The lesson in Chromium, the first page of plain modules: numbers, keys, errors, words, policy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import equilibrist as eq
from equilibrist.reference import ReferenceCFR, regrets_by_hand
from equilibrist.reference.by_hand import number_text
from equilibrist.reference.game_walk import walk
from equilibrist.solvers.variants.registry import VARIANTS
from tests.web.browser.checks import LANGUAGES, connected, faults_of_page, speak
from tests.web.browser.conftest import GUEST, NARROW, OWNER, WIDE, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PLACES = """(what) => [...document.querySelectorAll(what)].map((one) => {
  const size = parseFloat(getComputedStyle(one.querySelector("text") ?? one).fontSize);
  return { ...one.getBoundingClientRect().toJSON(), size };
})"""
"""Where texts are, and how large their letters."""
SCREENS = (
    "/learn?step=1",
    "/learn?step=4",
    "/learn?step=73",
    "/learn?game=leduc&step=2",
    "/learn?game=leduc&step=6000",
    "/learn?sampler=outcome&seed=3&step=3",
    "/learn?sampler=external&step=7",
    "/learn?game=leduc&sampler=chance&step=40",
    "/learn?sampler=chance&step=999",
    "/learn?game=nothing",
    "/learn?algorithm=lp",
)


def test_the_lesson_has_the_numbers_of_the_reference(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/learn?game=kuhn&algorithm=cfr&iteration=2")
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    solver = ReferenceCFR(eq.load_game("kuhn"), VARIANTS["cfr"])
    solver.run(1)
    sheet = regrets_by_hand(eq.load_game("kuhn"), "1", solver.strategy)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Instantaneous regrets").wait_for()
    texts = ["", *(number_text(x) for x in sheet.regrets.values())]
    expect(page.locator(".eqg-sum td")).to_have_text(texts)
    page.wait_for_url("**step=3**")
    expect(page.locator(".eqg-node.eqg-lit")).to_have_count(2)
    played = f"{solver.strategy['2pb'][0]:.3f}".rstrip("0").rstrip(".")
    page.locator(".eqg-label").filter(has_text="pass").filter(has_text=played).nth(1).wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="Values", exact=True).wait_for()
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("heading", name="Infoset Jpb of player 0").wait_for()
    connected(page, "/learn?game=kuhn&iteration=2&step=73")
    page.get_by_text("NashConv").wait_for()
    solver.run(1)
    for text in (number_text(x) for x in solver.average_strategy()["2pb"]):
        page.get_by_text(text).first.wait_for()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text("Iteration 3, step 1 of 73").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Iteration 2, step 73 of 73").wait_for()


def test_a_lesson_on_a_game_that_is_too_large_to_be_drawn(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/learn?game=leduc&iteration=1")
    page.get_by_label("Go to infoset").fill("nothing")
    page.get_by_label("Go to infoset").press("Enter")
    page.get_by_text("nothing is no infoset of this game").wait_for()
    page.wait_for_function("() => document.querySelector('#eqg-infosets').children.length > 900")
    tree = walk(eq.load_game("leduc"))
    key = next(key for key, one in tree.infosets.items() if one.player == 1)
    page.get_by_label("Go to infoset").fill(key)
    page.get_by_label("Go to infoset").press("Enter")
    page.get_by_role("heading", name=f"Infoset {key} of player 1").wait_for()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("heading", name="Values", exact=True).wait_for()
    sheet = regrets_by_hand(eq.load_game("leduc"), key)
    ways = page.get_by_label("What follows", exact=True)
    expect(ways.locator("option")).to_have_text([" ".join(one.history) for one in sheet.histories])
    page.locator(".eqg-node.eqg-lit").first.wait_for()
    ways.select_option(index=2)
    drawn = page.locator(".eqg-node.eqg-lit title")
    page.wait_for_function(
        "() => document.querySelector('.eqg-node title').textContent.startsWith("
        f"{', '.join(sheet.histories[2].history)!r})"
    )
    expect(drawn).to_have_count(1)


def test_what_cannot_be_shown_is_said_beside_its_field(page: Page) -> None:
    from playwright.sync_api import expect

    game, algorithm = page.get_by_label("Game", exact=True), page.get_by_label("Algorithm")
    connected(page, "/learn?game=liars_dice")
    page.get_by_text("This game cannot be shown.").wait_for()
    page.get_by_text("too many to look at one by one").wait_for()
    page.get_by_text("walks it as it is").wait_for()
    expect(game).to_have_attribute("aria-invalid", "true")
    game.fill("kuhn")
    algorithm.fill("lp")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("This algorithm cannot be shown.").wait_for()
    expect(algorithm).to_have_attribute("aria-invalid", "true")
    assert game.get_attribute("aria-invalid") is None
    algorithm.fill("cfr+")
    algorithm.press("Enter")
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.wait_for_url("**/learn?game=kuhn&algorithm=cfr%2B&iteration=1&alternating=true&step=1")


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+"])
def test_numbers_come_about_as_is_shown(page: Page, algorithm: str) -> None:
    """Every term beside a number has its value, to the digits that are shown."""
    connected(page, f"/learn?game=kuhn&algorithm={algorithm.replace('+', '%2B')}&iteration=3")
    seen = 0
    for step in range(1, 25):
        page.get_by_text(f"step {step} of 73").wait_for()
        for cell in page.locator("td:has(.eqg-work)").all():
            term = cell.locator(".eqg-work").inner_text().removesuffix("=")
            value = eval(term.replace("×", "*").replace("−", "-"))
            title = cell.get_attribute("title")
            assert title is not None
            assert value == pytest.approx(float(title), rel=1e-4, abs=1e-6), (step, term)
            seen += 1
        page.keyboard.press("ArrowRight")
    assert seen > 40


@pytest.mark.parametrize("width", [1366, 1920])
def test_the_tree_can_be_read_from_afar(open_page: Callable[..., Page], width: int) -> None:
    """All of Kuhn poker is in sight, in letters of 14 pixels; texts of neighbours do not touch."""
    page = open_page({"width": width, "height": 900})
    connected(page, "/learn?game=kuhn")
    page.locator(".eqg-node.eqg-lit").first.wait_for()
    box = page.locator(".eqg-drawing").bounding_box()
    assert box is not None
    labels = page.evaluate(PLACES, ".eqg-label")
    others = page.evaluate(PLACES, ".eqg-payoff, .eqg-name")
    assert len(labels) == 57
    for one in labels + others:
        assert one["size"] >= 14
        assert box["x"] <= one["left"] < one["right"] <= box["x"] + box["width"]
        assert box["y"] <= one["top"] < one["bottom"] <= box["y"] + box["height"]
    for a, b in itertools.pairwise(labels):
        aside = a["right"] <= b["left"] + 1 or b["right"] <= a["left"] + 1
        assert aside or a["bottom"] <= b["top"] + 6 or b["bottom"] <= a["top"] + 6, (a, b)


def test_the_address_is_that_of_what_is_shown(page: Page) -> None:
    """What is typed is not asked yet; an address that names no iteration is none of the first."""
    from playwright.sync_api import expect

    connected(page, "/learn?game=kuhn&iteration=2")
    page.get_by_label("Game", exact=True).fill(" leduc")
    page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_url("**/learn?game=kuhn&algorithm=cfr&iteration=2&alternating=true&step=2")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/learn?game=leduc&algorithm=cfr&iteration=2&alternating=true&step=1")
    for iteration in ("0", "1e9", "second"):
        connected(page, f"/learn?game=kuhn&iteration={iteration}")
        expect(page.locator("#lesson-error")).to_contain_text("iteration")


def test_an_error_goes_once_something_else_is_asked(page: Page) -> None:
    from playwright.sync_api import expect

    connected(page, "/learn?game=kuhn")
    page.get_by_label("Game", exact=True).fill("nothing")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#lesson-error")).to_contain_text("nothing")
    page.route("**/lesson?*", lambda _: None)  # an answer that takes its time
    page.get_by_label("Game", exact=True).fill("leduc")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#lesson-error")).to_have_count(0)


def test_back_and_forward_lead_through_the_steps(page: Page) -> None:
    connected(page, "/learn?game=kuhn")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="Next infoset").click()
    page.get_by_text("step 7 of 73").wait_for()
    for step in (2, 1):
        page.go_back()
        page.get_by_text(f"step {step} of 73").wait_for()
    page.go_forward()
    page.get_by_text("step 2 of 73").wait_for()


def test_the_tree_is_dragged_scaled_and_has_keys_of_its_own(page: Page) -> None:
    connected(page, "/learn?game=kuhn")
    page.locator(".eqg-node.eqg-lit").first.wait_for()
    group = page.locator(".eqg-drawing svg > g")
    seen = {group.get_attribute("transform")}
    drawing = page.locator(".eqg-drawing")
    drawing.press("ArrowRight")
    drawing.press("+")
    page.get_by_role("button", name="Smaller").click()
    seen.add(group.get_attribute("transform"))
    box = drawing.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 240, steps=4)
    page.mouse.up()
    seen.add(group.get_attribute("transform"))
    assert len(seen) == 3
    page.get_by_text("step 1 of 73").wait_for()
    page.get_by_role("button", name="Fit").click()


def test_the_policy_of_the_page_is_strict(open_page: Callable[..., Page]) -> None:
    """And takes effect: what it forbids is not done."""
    page = open_page(expects="Trusted")
    answer = page.goto("/learn")
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    refused = page.evaluate(
        """() => {
          const body = document.createElement("p");
          const forbidden = [() => (body.innerHTML = "<b>x</b>"), () => setTimeout("1")];
          return forbidden.map((act) => {
            try { act(); return false; } catch { return true; }
          });
        }"""
    )
    assert refused == [True, True]


def test_theme_and_palette_are_kept_for_all_pages(page: Page) -> None:
    connected(page, "/learn")
    page.get_by_text("Display").press("Enter")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Colours of actions").select_option("colourblind")
    page.get_by_label("Theme").press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "Display"
    for path in ("/learn", "/games"):
        connected(page, path)
        html = page.locator("html")
        assert html.get_attribute("data-theme") == "dark"
        assert html.get_attribute("data-palette") == "colourblind"


def test_the_page_is_dark_before_it_is_drawn(open_page: Callable[..., Page]) -> None:
    page = open_page(WIDE, "dark")
    page.add_init_script(
        "new PerformanceObserver(() => { window.painted ??= document.documentElement.dataset.theme;"
        " }).observe({type: 'paint', buffered: true});"
    )
    connected(page, "/learn")
    page.wait_for_function("() => window.painted")
    assert page.evaluate("window.painted") == "dark"


def test_the_first_key_leads_past_the_bar(page: Page) -> None:
    connected(page, "/learn")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'content'")


def test_a_guest_is_told_so_and_signs_out(open_page: Callable[..., Page], guarded: Site) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/learn")
    page.get_by_label("Token").fill(GUEST)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    page.get_by_text("Guest", exact=True).wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/enter")
    page.goto("/learn")
    page.wait_for_url("**/enter?to=/learn")


def test_who_has_signed_out_elsewhere_is_led_to_sign_in(
    open_page: Callable[..., Page], guarded: Site
) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/enter?to=/learn%3Fstep=5")
    page.get_by_label("Token").fill(OWNER)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("step 5 of 73").wait_for()
    other = page.context.new_page()
    other.goto("/learn")
    other.get_by_role("button", name="Sign out").click()
    other.wait_for_url("**/enter")
    page.get_by_label("Algorithm").fill("cfr+")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("You have signed out").wait_for()
    page.get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/enter?to=%2Flearn%3Fstep%3D5")
    page.get_by_label("Token").fill(OWNER)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("step 5 of 73").wait_for()


def test_a_server_that_is_away_is_said(open_page: Callable[..., Page]) -> None:
    page = open_page(expects="ERR_FAILED")
    connected(page, "/learn")
    page.route("**/api/games/**", lambda route: route.abort())
    page.get_by_label("Algorithm").fill("cfr+")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("The server does not answer").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    page = open_page(NARROW)
    speak(page, language)
    faults = []
    for path in SCREENS:
        connected(page, path)
        page.locator(".eqg-formula, .eqg-step h2, [role=alert]").first.wait_for()
        faults += faults_of_page(page, path)
    assert not faults, "\n".join(faults)


def test_a_sampled_iteration_is_walked_through(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/learn?game=kuhn")
    page.get_by_label("Sampler").fill("outcome")
    page.get_by_label("Seed").fill("3")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**sampler=outcome**seed=3**")
    lesson = site.get("/api/games/kuhn/sampled-lesson?sampler=outcome&seed=3")
    steps = page.get_by_role("list", name="Histories visited").get_by_role("listitem")
    expect(steps).to_have_text(
        [
            " ".join(lesson["shown_names"].get(move, move) for move in s["history"])
            or "(the start)"
            for s in lesson["steps"][:6]
        ]
        + ["R, S, σ"]
    )
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    page.get_by_text("u(z) × π_−i(h) / q(z) = (-2) × 1/6 / (1/48) = -16").wait_for()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="pass"))
    expect(row.locator(".eqg-result")).to_have_text(["1/2", "1/2", "yes", "-4", "-2"])
    page.get_by_role("listitem").get_by_role("button", name="R, S, σ").click()
    page.get_by_role("heading", name="After the traversal of player 0").wait_for()
    page.wait_for_url("**step=7")
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_text("Iteration 1, step 8 of 14").wait_for()
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_text("NashConv").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Iteration 2, step 1 of").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Iteration 1, step 14 of 14").wait_for()
    connected(page, page.url)  # a deep link
    page.get_by_text("Iteration 1, step 14 of 14").wait_for()
    page.get_by_label("Sampler").fill("nothing")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("There is no sampler of this name.").wait_for()
    expect(page.get_by_label("Sampler")).to_have_attribute("aria-invalid", "true")
