"""The study of a solved spot in Chromium: its figures are those of the engine."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from equilibrist import load_result, poker
from equilibrist.poker.postflop.solution.node import Node
from tests.web.browser.checks import check_everywhere, check_page, connected
from tests.web.browser.conftest import GUEST, OWNER, Site
from tests.web.browser.study_page import at, chips, open_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def solution(spot_file: Path) -> poker.PostflopResult:
    return load_result(spot_file)


def check_figures(page: Page, node: Node) -> None:
    """What both players have, and every hand of who acts, to the last printed digit."""
    from playwright.sync_api import expect

    page.mouse.move(5, 5)  # away from the grid, which filters the table
    expect(page.locator(".eqs-ev")).to_have_text([chips(ev) for ev in node.totals.ev])
    player = node.player or 0
    held = node.combos(player).tolist()
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(len(held))
    rows = page.locator(".eqp-body .eqp-tr").all()
    for row, combo in zip(rows, held, strict=True):
        cells = row.get_by_role("cell").all_text_contents()
        figures = [
            f"{node.values.weight[player, combo]:.3f}",
            f"{100 * node.values.equity[player, combo]:.1f}%",
            chips(node.values.ev[player, combo]),
        ]
        first = 2 if node.player is not None else 1
        assert cells[first : first + 3] == figures
        if node.player is not None:
            shares = [f"{100 * share:.1f}%" for share in node.values.strategy[:, combo]]
            assert cells[first + 4 :] == shares[::-1]  # the most aggressive action first


def test_an_open_page_shows_nodes_of_its_own_file_alone(
    page: Page, site: Site, spot_file: Path, solution: poker.PostflopResult, tmp_path: Path
) -> None:
    """Also once the solution has another name, and another one has its name."""
    from playwright.sync_api import expect

    site.put(spot_file, "mine")
    open_at(page, name="mine")
    library = site.data / "library"
    (library / "mine.safetensors").rename(library / "renamed.safetensors")
    poker.solve(solution.spot.replace(oop="AA"), iterations=3).save(tmp_path / "other.safetensors")
    site.put(tmp_path / "other.safetensors", "mine")
    page.get_by_role("button", name="Check").first.click()
    at(page, "X")
    check_figures(page, solution.at("X"))
    (library / "renamed.safetensors").unlink()
    page.get_by_role("button", name="Bet 50").first.click()
    expect(page.locator(".eqs-problem")).to_contain_text("replaced or deleted since")
    expect(page.get_by_role("link", name="Back to the library")).to_be_visible()
    expect(page.get_by_role("button", name="Back to the root")).to_have_count(0)
    page.get_by_role("button", name="Open what has its name now").click()
    at(page, "X")
    check_figures(page, load_result(library / "mine.safetensors").at("X"))
    (library / "mine.safetensors").unlink()


def test_figures_of_a_small_pot_have_six_digits(page: Page, site: Site, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    spot = poker.Spot(
        board="Ts3h2h5c8d", oop="AA,QQ,98s", ip="KK,JJ,A5s", pot=0.01, stack=0.05, bets="50%"
    )
    solution = poker.solve(spot, iterations=50)
    site.put(solution.save(tmp_path / "cents.safetensors"), "cents")
    open_at(page, name="cents")
    node = solution.at("")
    expect(page.locator(".eqs-ev")).to_have_text([f"{ev:.6g}" for ev in node.totals.ev])
    combo = node.combos(0).tolist()[0]
    row = page.locator(".eqp-body .eqp-tr").first
    expect(row).to_contain_text(f"{node.values.ev[0, combo]:.6g}")


def test_a_walk_to_the_river(page: Page, solution: poker.PostflopResult) -> None:
    """Click Bet, Call, deal a river card, and read what the engine says; back again; a link."""

    page.goto("/study/turn")
    at(page, "")
    check_figures(page, solution.at(""))
    # Percentages of tiles are no shares of their combos.
    about = page.locator(".eqs-tile").first.get_attribute("title")
    assert "how often it is held" in (about or "")
    page.locator(".eqs-tile", has_text="Bet 50").click()
    at(page, "B50")
    check_figures(page, solution.at("B50"))
    page.locator(".eqs-here .eqs-action", has_text="Call").click()
    at(page, "B50-C")
    page.get_by_role("button", name="8h", exact=False).first.click()
    at(page, "B50-C|8h")
    page.wait_for_url("**/study/turn?line=B50-C%7C8h")
    check_figures(page, solution.at("B50-C|8h"))
    page.get_by_label("Suit of the card").select_option("d")
    at(page, "B50-C|8d")
    page.go_back()
    at(page, "B50-C|8h")
    page.reload()
    at(page, "B50-C|8h")
    check_figures(page, solution.at("B50-C|8h"))
    page.locator(".eqs-spot-title", has_text="IP").first.click()
    at(page, "B50")
    page.go_back()
    at(page, "B50-C|8h")


def test_the_keyboard_walks(page: Page) -> None:
    from playwright.sync_api import expect

    page.goto("/study/turn")
    at(page, "")
    page.keyboard.press("ArrowLeft")  # tiles stand from the largest bet to the check
    page.keyboard.press("Enter")
    at(page, "B50")
    page.keyboard.press("Backspace")
    at(page, "")
    page.keyboard.press("Enter")
    at(page, "X")
    grid = page.get_by_role("grid")
    page.locator('.eqp-cell[tabindex="0"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(grid.locator('[data-place="14"]')).to_have_class(re.compile(r"\beqp-pinned\b"))
    expect(page.locator(".eqp-total").get_by_role("cell").first).to_have_text("KK")
    page.keyboard.press("Escape")
    expect(page.locator(".eqp-pinned")).to_have_count(0)


def test_the_keyboard_deals(page: Page) -> None:
    open_at(page, "X-X")
    page.keyboard.press("ArrowRight")  # to the first card, and on to the next
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    at(page, "X-X|Kh")
    page.keyboard.press("Backspace")
    at(page, "X-X")


def test_a_link_can_name_a_hand(page: Page) -> None:
    from playwright.sync_api import expect

    open_at(page, "X", hand="KhKd")
    expect(page.locator(".eqp-pinned")).to_have_attribute("data-place", "14")
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(6)
    page.locator('[data-place="29"]').click()
    page.wait_for_url("**/study/turn?line=X&hand=QJs")
    page.reload()
    at(page, "X")
    expect(page.locator(".eqp-pinned")).to_have_attribute("data-place", "29")
    page.keyboard.press("Escape")
    page.wait_for_url("**/study/turn?line=X")
    open_at(page, "X", hand="2x")
    expect(page.locator(".eqp-pinned")).to_have_count(0)


def test_graphs_are_in_the_order_of_the_engine(page: Page, site: Site) -> None:
    open_at(page, "X")
    page.get_by_role("tab", name="Graphs").click()
    named = {"equity": "Equity", "ev": "EV", "eqr": "Equity realisation"}
    for by, name in named.items():
        page.get_by_role("button", name=name, exact=True).click()
        found = site.get(f"/api/solutions/turn/graph?line=X&by={by}")
        box = page.locator(".eqs-plot svg").bounding_box()
        assert box is not None
        for share in (0.02, 0.5, 0.97):
            left = (52 + share * (760 - 52 - 4)) / 760
            page.mouse.move(box["x"] + left * box["width"], box["y"] + 50)
            said = page.locator(".eqs-said").text_content() or ""
            for seat in ("oop", "ip"):
                at = next(k for k, up_to in enumerate(found[seat]["up_to"]) if share <= up_to)
                value = found[seat][by][at]
                text = {"equity": f"{100 * value:.1f}%", "ev": chips(value)}.get(
                    by, f"{100 * value:.0f}%"
                )
                assert f"{seat.upper()} {found[seat]['hands'][at]}: {text}" in said, (by, share)


def test_both_players_have_the_totals_of_the_node(
    page: Page, solution: poker.PostflopResult
) -> None:
    open_at(page, "X")
    page.get_by_role("tab", name="Both players").click()
    totals, node = solution.at("X").totals, solution.at("X")
    shown = page.locator(".eqs-measure span:last-child").all_text_contents()
    combos = [node.values.weight[player, node.combos(player)].sum() for player in (0, 1)]
    assert shown == [
        *(f"{one:.1f}" for one in combos),
        *(f"{100 * one:.1f}%" for one in totals.equity),
        *(chips(one) for one in totals.ev),
        *(f"{100 * one:.0f}%" for one in totals.eqr),
    ]
    assert page.get_by_role("grid").count() == 2


def test_the_strip_with_the_keyboard_alone(page: Page) -> None:
    from playwright.sync_api import expect

    open_at(page, "X-B50-C|8h")
    strip = page.get_by_role("navigation", name="Way through the tree")
    strip.locator(".eqs-here .eqs-spot-title").focus()
    page.keyboard.press("ArrowLeft")
    expect(strip.get_by_role("button", name="River")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(strip.locator(".eqs-spot").nth(3).locator(".eqs-action").last).to_be_focused()
    page.keyboard.press("Enter")  # OOP folds in place of the call
    at(page, "X-B50-F")
    page.keyboard.press("Backspace")
    at(page, "X-B50")
    page.keyboard.press("Backspace")
    at(page, "X")


def test_the_table_sorts(page: Page) -> None:
    from playwright.sync_api import expect

    open_at(page, "X")
    head = page.get_by_role("columnheader", name="EV", exact=True)

    def column() -> list[float]:
        rows = page.locator(".eqp-body .eqp-tr").all()
        return [float(row.get_by_role("cell").nth(4).text_content() or "") for row in rows]

    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert column() == sorted(column(), reverse=True)
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert column() == sorted(column())


def test_what_is_saved(page: Page, site: Site) -> None:
    open_at(page, "X")
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Hands as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    columns = site.get("/api/solutions/turn/study?line=X")["hands"][1]
    assert [float(row["ev"]) for row in rows] == columns["ev"]
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Node as JSON").click()
    saved = json.loads(Path(waiting.value.path()).read_text())
    assert saved == site.get("/api/solutions/turn/node?line=X")
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        page.get_by_text("Save", exact=True).click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Picture ({kind})").click()
        assert waiting.value.suggested_filename == f"turn-X.{kind.lower()}"
        picture = Path(waiting.value.path()).read_bytes()
        assert picture.startswith(begins)
        if kind == "SVG":
            drawn = picture.decode()
            for text in ("T♠ 3♥ 2♥ 5♣", "Pot 100, stacks 100 / 100", "Hands of IP · Check", ">KK<"):
                assert text in drawn
            shares = site.get("/api/solutions/turn/study?line=X")["frequency"]
            assert f"Check: {100 * shares[0]:.1f}%" in drawn
    open_at(page, "X-X")
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Runouts as CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
    runouts = site.get("/api/solutions/turn/runouts?line=X-X")["runouts"]
    assert [row["card"] for row in rows] == [row["card"] for row in runouts]
    assert [float(row["ev_oop"]) for row in rows] == [row["ev_oop"] for row in runouts]


def test_runouts(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    open_at(page, "X-X")
    rows = {row["card"]: row for row in site.get("/api/solutions/turn/runouts?line=X-X")["runouts"]}
    table = page.locator(".eqp-report tbody tr")
    assert len(rows) == 48
    expect(table).to_have_count(48)
    shown = page.get_by_role("button", name="8h, EV of OOP")
    expect(shown.locator("small")).to_have_text(chips(rows["8h"]["ev_oop"]))
    expect(page.locator(".eqs-cards button:disabled")).to_have_count(4)
    page.locator(".eqs-runouts select").nth(1).select_option("ip")
    again = page.get_by_role("button", name="8h, EV of IP")
    expect(again.locator("small")).to_have_text(chips(rows["8h"]["ev_ip"]))
    column = page.locator(".eqs-column[title]:not([title=''])")
    titles = [one.get_attribute("title") for one in column.all()]
    assert len(titles) == 48
    assert f"8h: {chips(rows['8h']['ev_ip'])}" in titles
    head = page.get_by_role("columnheader", name="EV IP")
    head.get_by_role("button").click()
    best = sorted((row["ev_ip"] for row in rows.values()), reverse=True)
    expect(page.locator(".eqp-report tbody tr td:nth-child(5)")).to_have_text(
        [chips(value) for value in best]
    )
    page.get_by_label("Colour by").select_option("strategy")
    said = page.locator(".eqs-column[title^='8h: ']").get_attribute("title") or ""
    assert f"Bet 50 {100 * rows['8h']['Bet 50 freq']:.1f}%" in said


def test_individual_suits_filters_and_the_lock_dialog_are_sound(page: Page) -> None:
    connected(page, "/study/turn?line=X")
    at(page, "X")
    page.get_by_label("Suits", exact=True).select_option("individual")
    page.get_by_label("Figures in cells").select_option("evs")
    page.locator(".eqs-filters summary").click()
    check_everywhere(page)
    page.get_by_role("button", name="Lock…").click()
    page.get_by_label("some hands").check()
    check_everywhere(page)


def test_a_lock_is_solved_beside_the_old_solution(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    open_at(page, "X")
    page.get_by_role("button", name="Lock…").click()
    page.get_by_label("some hands").check()
    page.get_by_label("Hands to lock").fill("KK")
    page.get_by_label("Check, percent").fill("80")
    page.get_by_label("Check, percent").press("Tab")
    expect(page.get_by_label("Bet 50, percent")).to_have_value("20")
    page.get_by_role("button", name="Add the lock").click()
    page.get_by_text("X: KK = Check 80%, Bet 50 20%").wait_for()
    check_page(page)
    for button, count in (("Remove lock 1", 0), ("Undo", 1), ("Undo", 0), ("Redo", 1)):
        page.get_by_role("dialog").get_by_role("button", name=button).click()
        expect(page.locator(".eqs-locks li")).to_have_count(count)
    page.get_by_role("button", name="Solve again").click()
    page.get_by_role("link", name="Old and new side by side").click(timeout=60_000)
    at(page, "X")
    page.get_by_role("heading", name="Old: turn", exact=True).wait_for()
    name = page.url.split("/study/")[1].split("?")[0]
    found = site.get(f"/api/solutions/{name}/grid?line=X")["classes"]["KK"]
    assert found["strategy"] == pytest.approx([0.8, 0.2])
    page.get_by_role("img", name="locked: some hands").wait_for()
    row = page.get_by_role("row", name="EV OOP")
    here, there = (
        site.get(f"/api/solutions/{one}/study?line=X")["ev"][0] for one in (name, "turn")
    )
    expect(row.get_by_role("cell")).to_have_text([chips(here), chips(there), chips(here - there)])


def test_a_lock_that_cannot_be_is_refused_in_place(page: Page) -> None:
    open_at(page, "X")
    page.get_by_role("button", name="Lock…").click()
    page.get_by_label("some hands").check()
    page.get_by_label("Hands to lock").fill("KX")
    page.get_by_role("button", name="Add the lock").click()
    assert "KX" in (page.get_by_role("dialog").get_by_role("alert").text_content() or "")


def test_a_line_that_cannot_be_played_says_so(page: Page) -> None:
    page.goto("/study/turn?line=X-B51")
    said = page.locator(".eqs-problem").text_content() or ""
    assert "B51" in said
    assert "^" not in said  # which points at a column of another line
    page.get_by_role("button", name="Back to the root").click()
    at(page, "")


def test_guests_look_and_lock_nothing(open_page: Callable[..., Page], guarded: Site) -> None:
    """They see what the file keeps; the owner may re-solve the rest."""
    for who in (GUEST, OWNER):
        page = open_page(base_url=guarded.url)
        page.goto("/enter")
        page.get_by_label("Token").fill(who)
        page.get_by_role("button", name="Sign in").click()
        page.goto("/study/less?line=X")
        at(page, "X")
        assert page.get_by_role("button", name="Lock…").count() == (who == OWNER)
        page.goto("/study/less?line=X-X")
        at(page, "X-X")
        page.get_by_role("button", name="8h").first.click()
        page.get_by_text("The file does not keep this street.").wait_for()
        if who == GUEST:
            assert page.get_by_role("button", name="Re-solve it").count() == 0
    page.get_by_role("button", name="Re-solve it").click()
    page.wait_for_function(
        "() => document.querySelector('.eqs')?.dataset.line === 'X-X|8h'", timeout=60_000
    )
    assert "re-solved to" in (page.locator(".eqs-facts").text_content() or "")


def test_names_that_are_not_there(page: Page) -> None:
    for name in ("none", "kuhn"):
        page.goto(f"/study/{name}")
        page.get_by_role("alert").wait_for()
        page.get_by_role("link", name="Back to the library").wait_for()
