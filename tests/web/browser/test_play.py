"""Tables and drills in Chromium: the engine's numbers, the keyboard, hidden cards, replays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import equilibrist as eq
from equilibrist import load_result
from equilibrist.play import Coach, SolutionAgent, SolutionCoach, SpotGame, Table
from equilibrist.play.solutions.players import SolutionRanges
from tests.play.solutions.test_charts import pushes
from tests.web.browser.checks import (
    LANGUAGES,
    check_page,
    connected,
    faults_of_page,
    faults_of_texts,
    is_connected,
    speak,
)
from tests.web.browser.conftest import GUEST, NARROW, OWNER, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def answered(page: Page, choices: int) -> None:
    """Wait until so many choices were graded."""
    page.wait_for_function(
        "n => [...document.querySelectorAll('[data-grade-count]')]"
        ".reduce((sum, one) => sum + Number(one.textContent), 0) === n",
        arg=choices,
    )


def infoset_of(page: Page) -> str:
    found = page.locator(".pl-felt").get_attribute("data-infoset")
    assert found is not None
    return found


def is_over(page: Page) -> bool:
    """Whether the hand is over; waits until there is something to do."""
    page.locator(".pl-action:enabled, .pl-next:enabled").first.wait_for(timeout=60_000)
    return page.locator(".pl-next").count() > 0


def test_from_an_empty_library_to_a_table(
    open_page: Callable[..., Page], make_site: Callable[..., Site]
) -> None:
    page = open_page(base_url=make_site().url)
    connected(page, "/play")
    check_page(page)
    page.get_by_role("button", name="Solve and play rock-paper-scissors").dblclick()
    page.wait_for_url("**/runs/*")
    page.locator("#content").get_by_role("link", name="Play").click(timeout=60_000)
    page.wait_for_url("**/play/*")
    assert not is_over(page)


def test_ten_hands_of_kuhn(page: Page, kuhn_file: Path) -> None:
    """With the keyboard alone; what each choice cost is what the coach says in Python."""
    coach = Coach(eq.Result.load(kuhn_file).strategy.on(eq.compile_game("kuhn")))
    connected(page, "/play/kuhn")
    hands, choices, total = 0, 0, 0
    while hands < 10:
        while not is_over(page):
            infoset = infoset_of(page)
            page.keyboard.press("2")
            choices += 1
            answered(page, choices)
            advice = coach.advise(infoset, 1)
            assert advice.values is not None
            shown = page.locator(".pl-coach .pl-table").first.locator("tbody td:nth-child(2)")
            assert shown.all_inner_texts() == [f"{value:.6f}" for value in advice.values]
        won = page.locator('[data-part="result"]').inner_text()
        found = re.fullmatch(r"You (win|lose) (\d) units?", won)
        assert found, won
        total += int(found[2]) * (1 if found[1] == "win" else -1)
        hands += 1
        assert page.locator('[data-part="hands"]').inner_text() == str(hands)
        assert int(page.locator('[data-part="total"]').inner_text()) == total
        if hands < 10:
            page.keyboard.press("Enter")
            page.locator(".pl-next").wait_for(state="detached")
    assert page.locator(".pl-list li").count() == 10
    check_page(page)


def test_a_hand_of_holdem(page: Page, spot_file: Path, site: Site) -> None:
    """A bet that the solution does not have, EVs to the last digit, the replay, and a reload."""
    coach = SolutionCoach(load_result(spot_file))
    connected(page, "/play/turn?seat=oop")
    page.locator(".pl-action").first.wait_for()
    infoset = infoset_of(page)
    table = site.get(f"/api/play/tables/{page.url.partition('table=')[2]}")
    assert table["turn"]["scene"]["infoset"] == infoset
    assert page.get_by_role("img", name="face down").count() == 2
    page.get_by_label("Bet in chips").fill("30")
    page.get_by_text("Bet of 30, 30.0% of the pot: mapped to Bet 50 (100.0%).").wait_for()
    page.get_by_role("button", name="Bet 30").click()
    answered(page, 1)
    page.get_by_text("The coach judges Bet 50, not the bet of 30.").wait_for()
    advice = coach.advise(infoset, 1)
    assert advice.values is not None
    rows = page.locator(".pl-coach .pl-table").first.locator("tbody tr")
    assert rows.locator("td:nth-child(2)").all_inner_texts() == [f"{v:,.2f}" for v in advice.values]
    shares = rows.locator("td:nth-child(3)").all_inner_texts()
    assert shares == [f"{100 * share:.1f}%" for share in advice.mixture]
    choices = 1
    while not is_over(page):
        page.keyboard.press("1")
        choices += 1
        answered(page, choices)
    assert page.get_by_role("img", name="face down").count() == 0
    check_page(page)
    page.get_by_role("button", name="Replay hand 1").click()
    page.get_by_role("heading", name="Hand 1, move by move").wait_for()
    assert "hand=1" in page.url
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.locator(".pl-result").wait_for()
    page.go_back()
    page.get_by_role("button", name="Next hand").wait_for()
    address = page.url
    connected(page, address)
    assert page.locator('[data-part="hands"]').inner_text() == "1"
    page.get_by_role("link", name="Study this decision").wait_for()


def test_small_payoffs_have_six_significant_digits(page: Page, site: Site, tmp_path: Path) -> None:
    file = tmp_path / "small.safetensors"
    site.put(eq.solve("matrix(payoffs=[[1.23456e-4],[0]])", iterations=5).save(file), "small")
    connected(page, "/play/small?seat=0")
    page.keyboard.press("1")
    page.locator('[data-part="result"]').wait_for()
    assert page.locator('[data-part="result"]').inner_text() == "You win 0.000123456 units"
    assert page.locator('[data-part="total"]').inner_text() == "+0.000123456"
    assert page.locator('[data-part="mean"]').inner_text().startswith("+0.000123456")


def test_the_mixture_of_the_ai_during_a_hand(page: Page, spot_file: Path) -> None:
    """Its range's frequencies give no card away; its cards and exact mixture are a second step."""
    solution = load_result(spot_file)
    ranges, agent = SolutionRanges(solution), SolutionAgent(solution)
    connected(page, "/play/turn?seat=ip&seed=3")
    page.locator(".pl-action:enabled").first.wait_for()
    infoset = infoset_of(page)
    page.get_by_text("The AI's mixture").click()
    rows = page.locator("[data-part=mixture] td:nth-child(2)")
    rows.first.wait_for()
    (expected,) = ranges.mixtures(infoset)
    assert expected.probabilities is not None
    pairs = zip(expected.words, expected.probabilities, strict=True)
    text = ", ".join(f"{word} {100 * share:.1f}%" for word, share in pairs)
    assert rows.all_inner_texts() == [text]
    assert page.get_by_role("img", name="face down").count() == 2
    check_page(page)
    page.get_by_role("button", name="Show the AI's cards").click()
    page.get_by_role("img", name="face down").first.wait_for(state="detached")
    page.get_by_text("with the hand that it holds").wait_for()
    held = page.locator("[data-part=mixture] td:first-child").inner_text().partition(", ")[2]
    table = Table.start(SpotGame(solution.spot))
    table = table.play(f"OOP {held[:4]}").play(f"IP {infoset[:4]}")
    pairs = zip(table.actions, agent.mixture(table), strict=True)
    text = ", ".join(f"{word} {100 * share:.1f}%" for word, share in pairs)
    assert rows.all_inner_texts() == [text]
    page.get_by_role("button", name="Hide the AI's cards").click()
    page.get_by_role("img", name="face down").first.wait_for()
    page.get_by_text("with its whole range").wait_for()


def test_a_drill_of_a_spot(page: Page, spot_file: Path) -> None:
    coach = SolutionCoach(load_result(spot_file))
    connected(page, "/drill/turn?line=X-B50&seed=3")
    losses = []
    for number in range(1, 6):
        page.locator(".pl-action:enabled").first.wait_for()
        infoset = infoset_of(page)
        assert infoset.endswith(":X-B50")
        page.keyboard.press("2")
        answered(page, number)
        loss = coach.advise(infoset, 1).ev_loss
        assert loss is not None
        losses.append(loss)
        mean = page.locator('[data-part="loss"]').inner_text()
        assert mean.startswith(f"{sum(losses) / number:,.2f} chips")
        page.keyboard.press("Enter")
    page.locator(".pl-action:enabled").first.wait_for()
    assert max(losses) > 1.0
    links = page.locator(".pl-list a")
    links.first.wait_for()
    assert "/study/turn?line=X-B50" in (links.first.get_attribute("href") or "")
    connected(page, page.url)
    assert page.locator('[data-part="hands"]').inner_text() == "5"


def test_a_drill_of_a_game(page: Page) -> None:
    connected(page, "/drill/kuhn")
    page.get_by_label("Infosets", exact=True).fill("3b")
    page.get_by_role("button", name="Start the drill").click()
    page.wait_for_url("**/drill/kuhn?match=3b**")
    is_connected(page)
    page.get_by_role("button", name="fold").click()
    page.get_by_text("blunder").first.wait_for()
    answered(page, 1)
    page.get_by_text("fold has an EV loss of 3.000000 units").wait_for()


def test_unknown_names_say_so(page: Page) -> None:
    wrong = ("/play/kuhn?seat=7", "/play/kuhn?seed=x", "/drill/turn?seed=-1", "/drill/kuhn?line=X")
    for path in ("/play/none", "/drill/none", "/drill/turn?line=B51", *wrong):
        connected(page, path)
        page.get_by_role("alert").wait_for()
        page.get_by_role("link", name="Other solutions to play").wait_for()
        assert page.locator(".pl-felt").count() == 0
    for path in ("/play/kuhn?hand=x", "/play/kuhn?hand=3"):  # the table is there
        connected(page, path)
        page.get_by_role("alert").wait_for()
        page.locator(".pl-action:enabled").first.wait_for()


def test_the_coach_can_be_silenced(page: Page) -> None:
    connected(page, "/play/kuhn?seat=0")
    page.get_by_role("button", name="Coach on").click()
    page.keyboard.press("1")
    page.get_by_text("The coach is off").wait_for()
    answered(page, 1)
    assert page.locator(".pl-grade[data-grade]").count() == 5  # those of the score alone
    connected(page, "/play/kuhn?seat=0")
    page.get_by_role("button", name="Coach off").wait_for()


def test_guests_play(
    make_site: Callable[..., Site],
    open_page: Callable[..., Page],
    kuhn_file: Path,
    spot_file: Path,
    tmp_path: Path,
) -> None:
    """They play and drill, and no street is re-solved for them."""
    site = make_site("--token", OWNER, "--guest-token", GUEST)
    page = open_page(base_url=site.url)
    page.goto(f"/enter#{GUEST}")
    page.wait_for_url(f"{site.url}/")
    connected(page, "/play")
    page.get_by_text("Only the owner of this server can solve games").wait_for()
    assert page.get_by_role("button", name="Solve").count() == 0
    site.put(kuhn_file, "kuhn")
    site.put(load_result(spot_file).save(tmp_path / "less.safetensors", "first-street"), "less")
    connected(page, "/play/kuhn?seat=0")
    is_over(page)
    page.keyboard.press("2")
    answered(page, 1)
    connected(page, "/drill/kuhn")
    is_over(page)
    page.keyboard.press("1")
    answered(page, 1)
    connected(page, "/play/less")
    page.get_by_text("guests may not have them re-solved").wait_for()


def test_two_windows_at_a_table(page: Page) -> None:
    """The second one that chooses is told, and shows what the first has done."""
    connected(page, "/play/kuhn?seat=0&seed=1")
    is_over(page)
    other = page.context.new_page()
    connected(other, page.url)
    is_over(other)
    other.keyboard.press("2")
    answered(other, 1)
    page.keyboard.press("1")
    page.get_by_text("hand 1 is over").wait_for()
    answered(page, 1)
    assert (
        page.locator("[data-part=said]").inner_text()
        == other.locator("[data-part=said]").inner_text()
    )


def test_a_table_goes_on_when_its_solution_is_gone(page: Page, site: Site, kuhn_file: Path) -> None:
    site.put(kuhn_file, "short-lived")
    connected(page, "/play/short-lived?seat=0")
    assert not is_over(page)
    (site.data / "library" / "short-lived.safetensors").unlink()
    page.keyboard.press("1")
    answered(page, 1)
    page.get_by_text("short-lived has been replaced or deleted since").wait_for()


def test_a_table_that_was_closed_leads_to_another(page: Page, site: Site) -> None:
    import httpx2

    connected(page, "/play/kuhn?seat=1&seed=2")
    is_over(page)
    name = page.url.partition("table=")[2]
    httpx2.delete(f"{site.url}/api/play/tables/{name}").raise_for_status()
    page.keyboard.press("1")
    page.get_by_text("This table was closed").first.wait_for()
    page.get_by_role("link", name="Open another one").click()
    page.wait_for_url(lambda url: "table=" in url and name not in url)
    assert "seat=1" in page.url
    is_over(page)


def test_keys_do_what_the_focus_means(page: Page) -> None:
    """Digits choose also on a slider, but not in a field; Enter follows a link."""
    chosen: list[str] = []
    page.on("request", lambda request: chosen.append(request.url))
    connected(page, "/play/turn?seat=oop&seed=1")
    is_over(page)
    page.get_by_label("Bet in chips").press("1")
    size = page.get_by_label("Size of the bet")
    before = size.input_value()
    size.press("ArrowLeft")
    assert size.input_value() != before
    size.press("2")
    answered(page, 1)
    assert len([url for url in chosen if url.endswith("/choose")]) == 1
    choices = 1
    while not is_over(page):
        page.keyboard.press("1")
        choices += 1
        answered(page, choices)
    page.locator("#content").get_by_role("link", name="Study", exact=True).press("Enter")
    page.wait_for_url("**/study/turn**")


def test_the_opponents_sit_around_the_table(page: Page, site: Site, tmp_path: Path) -> None:
    from equilibrist.poker.preflop.push_fold.game import PushFold

    jam = pushes(PushFold((9.0, 9.0, 9.0)), BTN="KK", SB="AA KK", BB="QQ")
    site.put(jam.save(tmp_path / "jam.safetensors"), "jam")
    connected(page, "/play/jam?seat=0&seed=3")
    page.get_by_text("The AI's mixture").click()
    others = page.get_by_role("list", name="Opponents, from your left").get_by_role("listitem")
    assert others.locator(".pl-who b").all_inner_texts() == ["AI 1 (BB)", "AI 2 (BTN)"]
    page.get_by_text("No bet is possible here.").wait_for()
    page.locator("[data-part=mixture]").wait_for()
    check_page(page)


def test_the_list_fits_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(NARROW)
    connected(page, "/play")
    page.locator("td").first.wait_for()
    assert page.locator(".eq-scroll").evaluate("list => list.scrollWidth <= list.clientWidth")


WORDS = {
    "/play": "td",
    "/play/kuhn?seat=1&seed=1": ".pl-action:enabled",
    "/play/turn?seat=oop&seed=1": ".pl-action:enabled",
    "/drill/kuhn?seed=1": ".pl-action:enabled",
    "/drill/turn?line=X&seed=1": ".pl-action:enabled",
    "/play/none": "role=alert",
}
"""Addresses, and what is there once they are drawn."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    page = open_page(NARROW)
    speak(page, language)
    faults = []
    for path, drawn in WORDS.items():
        connected(page, path)
        page.locator(drawn).first.wait_for()
        faults += faults_of_page(page, path)
        if drawn != ".pl-action:enabled":
            continue
        choices = 0
        while not is_over(page):
            page.keyboard.press("1")
            choices += 1
            answered(page, choices)
        for summary in page.locator("#content summary").all():
            summary.click()
        faults += faults_of_page(page, f"{path}, over")
        if path.startswith("/play"):
            page.locator(".pl-list button").first.click()
            page.keyboard.press("ArrowRight")
            faults += faults_of_texts(page, f"{path}, replayed")
    assert not faults, "\n".join(faults)
