"""Any game in Chromium: catalogue, solutions, races, tables."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import equilibrist as eq
from equilibrist.evaluation.infosets import infoset_values
from equilibrist.reference import ReferenceCFR
from equilibrist.solvers.variants.registry import VARIANTS
from tests.web.browser.checks import (
    LANGUAGES,
    check_page,
    connected,
    faults_of_page,
    resize,
    speak,
)
from tests.web.browser.conftest import GUEST, NARROW, Site
from tests.web.workers.test_uploads import EFG

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


SCREENS = {
    "/games": "tbody a",
    "/games?search=nothing": "text=/No matching games|没有匹配的博弈/",
    "/games/kuhn": ".eqg-node",
    "/games/kuhn(players=99)": "[role=alert]",
    "/games/goofspiel?view=walk": ".eqg-steps",
    "/games/biased_rps": ".eqg-simplex",
    "/games/nothing": "[role=alert]",
    "/explore/kuhn": ".eqg-infoset",
    "/explore/kuhn?view=walk&move=1&move=3": ".eqg-steps",
    "/explore/kuhn?view=tree": ".eqg-node",
    "/explore/nothing": "[role=alert]",
}
"""Addresses, and what is there once they are drawn."""


def _number(x: float) -> str:
    """As the pages print numbers."""
    return f"{float(f'{x:.6g}'):.15g}"


def test_a_game_is_chosen_solved_and_explored(page: Page, site: Site) -> None:
    connected(page, "/games")
    page.get_by_label("Search").fill("one card each")
    page.get_by_role("link", name="Kuhn poker", exact=True).click()
    page.get_by_label("players").fill("99")
    page.get_by_text("must be an integer from 2 to 10").wait_for()
    page.get_by_label("players").fill("3")
    page.wait_for_url("**/games/kuhn(players*3)")
    sizes = site.get("/api/games/kuhn(players=3)")["sizes"]
    page.get_by_text(f"{sizes['num_nodes']:,}", exact=True).wait_for()
    page.get_by_label("Algorithm").fill("nonsense")
    page.get_by_role("button", name="Solve").click()
    page.get_by_text("unknown algorithm").wait_for()
    page.wait_for_function("() => document.activeElement.id === 'o-algorithm'")
    page.get_by_label("players").fill("2")
    page.wait_for_url("**/games/kuhn")
    page.get_by_label("Algorithm").fill("cfr+")
    page.get_by_role("textbox", name="Iterations").fill("30")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_url("**/runs/*")
    job = site.get(f"/api/jobs/{page.url.rpartition('/')[2]}")
    for _ in site_events(site, job["id"]):
        pass
    connected(page, f"/explore/{job['solution']}")
    solver = ReferenceCFR(eq.load_game("kuhn"), VARIANTS["cfr+"])
    solver.run(30)
    group = page.locator("tbody", has=page.get_by_role("rowheader", name="Qpb 2pb", exact=True))
    group.wait_for()
    cells = group.locator("tr").first.locator("td").all_inner_texts()
    average = solver.average_strategy()["2pb"][0]
    # player, action, average, current, regret
    assert cells[:4] == ["0", "pass", f"{average:.4f}", f"{solver.strategy['2pb'][0]:.4f}"]
    assert cells[4] == _number(solver.regret["2pb"][0])


def site_events(site: Site, job: str) -> Any:
    """The events of a job, until it has ended."""
    import httpx2

    with httpx2.stream("GET", f"{site.url}/api/jobs/{job}/events", timeout=60) as answer:
        yield from answer.iter_lines()


def test_infosets_are_searched_sorted_and_linked(page: Page, kuhn_file: Path) -> None:
    from playwright.sync_api import expect

    result = eq.Result.load(kuhn_file)
    strategy = result.strategy.on(eq.compile_game("kuhn"))
    values = infoset_values(strategy)
    keys = strategy.tree.infoset_keys
    connected(page, "/explore/kuhn")
    page.get_by_text("1 to 12 of 12").wait_for()
    page.get_by_label("Search").fill("*pb")
    page.get_by_text("1 to 3 of 3").wait_for()
    page.get_by_role("button", name="Reach", exact=True).click()
    page.wait_for_url("**order=reach**")
    page.wait_for_function("() => document.querySelector('th[aria-sort]')")
    wanted = sorted(
        (k for k in keys if k.endswith("pb")), key=lambda k: -values.reach[keys.index(k)]
    )
    shown = [f"{'-JQK'[int(key[0])]}pb {key}" for key in wanted]
    expect(page.locator("tbody th")).to_have_text(shown)
    row = page.locator("tbody", has=page.get_by_role("rowheader", name=shown[0], exact=True))
    place = keys.index(wanted[0])
    texts = row.locator("tr").first.locator("td").all_inner_texts()
    assert texts[-3:-1] == [
        _number(values.reach[place]),
        _number(values.counterfactual_reach[place]),
    ]
    connected(page, page.url)  # a deep link
    page.get_by_text("1 to 3 of 3").wait_for()
    expect(page.locator("tbody th")).to_have_text(shown)


def test_histories_are_walked_with_the_keyboard_and_back(page: Page, kuhn_file: Path) -> None:
    strategy = eq.Result.load(kuhn_file).strategy
    connected(page, "/explore/kuhn?view=walk")
    page.get_by_role("heading", name="Chance moves").wait_for()
    for outcome, card in (("1", "J"), ("3", "K")):
        button = page.get_by_role("region", name="Actions").get_by_role("button", name=card)
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_url(f"**move={outcome}")
        button.wait_for(state="detached")  # it was dealt
    page.get_by_role("heading", name="Player 0 moves").wait_for()
    share = f"{strategy['1']['bet']:.4f}"
    page.get_by_role("cell", name=share, exact=True).wait_for()
    page.get_by_role("button", name="bet").click()
    page.get_by_role("heading", name="Player 1 moves").wait_for()
    page.get_by_text(_number(strategy["1"]["bet"] / 6), exact=True).wait_for()
    page.go_back()
    page.get_by_role("heading", name="Player 0 moves").wait_for()
    page.locator("dd").get_by_role("button", name="J", exact=True).click()  # to its infoset
    page.get_by_text("1 to 1 of 1").wait_for()


def test_a_game_that_is_too_large_to_be_drawn_begins_with_its_histories(page: Page) -> None:
    connected(page, "/games/leduc")
    page.get_by_role("tab", name="Walk", selected=True).wait_for()
    page.get_by_role("heading", name="Chance moves").wait_for()
    assert page.get_by_role("alert").count() == 0
    page.get_by_role("tab", name="Tree").click()
    page.get_by_role("alert").wait_for()


def test_the_tree_shows_best_responses_and_leads_to_the_walk(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/explore/kuhn?view=tree")
    tree = site.get("/api/solutions/kuhn/tree")
    expect(page.locator(".eqg-node")).to_have_count(len(tree["nodes"]))
    assert page.locator(".eqg-best").count() == 0
    page.get_by_label("Best response of").select_option("1")
    best = tree["best_responses"]["1"]["actions"]
    marked = sum(
        best.get(tree["nodes"][node["parent"]]["infoset"]) == node["action"]
        for node in tree["nodes"][1:]
        if tree["nodes"][node["parent"]]["player"] == 1
    )
    assert marked == 12
    expect(page.locator(".eqg-best")).to_have_count(marked)
    drawing = page.locator(".eqg-drawing")
    moved = page.locator(".eqg-drawing svg > g")
    before = moved.get_attribute("transform") or ""
    drawing.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    expect(moved).not_to_have_attribute("transform", before)
    page.get_by_role("button", name="Fit").click()
    page.locator(".eqg-node").nth(2).click()
    page.get_by_role("heading", name="moves").wait_for()
    page.wait_for_url("**view=walk**")


def test_three_algorithms_race(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/race?game=kuhn&algorithm=cfr&algorithm=dcfr&algorithm=lcfr@external")
    page.get_by_label("Target").fill("0.001")
    page.get_by_label("Iterations").fill("400")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("status").filter(has_text="done").wait_for(timeout=40_000)
    job = site.get(f"/api/jobs/{page.url.partition('job=')[2].partition('&')[0]}")
    expected = eq.compare("kuhn", ["cfr", "dcfr", "lcfr@external"], iterations=400, target=1e-3)
    expect(page.locator(".eqp-curve[data-curve]")).to_have_count(3)
    expect(page.locator(".eqp-target")).to_have_count(1)
    for run in expected.runs:
        row = page.locator("tr", has=page.get_by_role("rowheader", name=run.name, exact=True))
        expect(row.locator("td").first).to_have_text("done")
        cells = row.locator("td").all_inner_texts()
        assert cells[1] == f"{run.result.iterations:,}"
        assert float(cells[3]) == pytest.approx(run.result.measure, rel=1e-3)
    assert job["state"] == "done"
    for link, lines in (("Table as CSV", 4), ("Measurements as CSV", None)):
        with page.expect_download() as saving:
            page.get_by_role("link", name=link).click()
        count = len(saving.value.path().read_text().splitlines())
        assert count == (lines or 1 + sum(map(len, job["curves"].values())))
    connected(page, page.url)  # a deep link, once it has ended
    page.get_by_role("rowheader", name="lcfr@external").wait_for()
    check_page(page)


def test_what_trains_networks_races_with_a_table_or_a_network(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/race?game=kuhn&algorithm=cfr&algorithm=sd-cfr(walks=40)&iterations=9&seeds=2")
    algorithm = page.get_by_label("Algorithm 2", exact=True)
    learner = page.get_by_label("Learner 2")
    expect(learner).to_have_value("network")
    expect(page.get_by_label("Learner 1")).to_have_count(0)
    expect(page.get_by_label("Sampler 2")).to_be_disabled()
    learner.select_option("table")
    expect(algorithm).to_have_value("sd-cfr(walks=40,learner=table)")
    learner.select_option("network")
    expect(algorithm).to_have_value("sd-cfr(walks=40)")
    missing = site.get("/api/networks")["missing"]
    expect(page.get_by_text("A table needs nothing")).to_have_count(0 if missing is None else 1)
    learner.select_option("table")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("status").filter(has_text="done").wait_for(timeout=40_000)
    expect(page.locator(".eqp-curve[data-curve]")).to_have_count(2)
    expect(page.locator(".eqp-band")).to_have_count(1)
    check_page(page)


def test_a_killed_race_says_so_and_runs_again(page: Page, site: Site) -> None:
    connected(page, "/race?game=leduc&algorithm=cfr&algorithm=dcfr")
    page.get_by_label("Time").fill("120")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("status").filter(has_text="running,").wait_for()
    ends = "() => document.querySelectorAll('.eqp-end').length === 2"
    page.wait_for_function(ends, timeout=60_000)
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(site.process.pid)],
        capture_output=True,
        text=True,
        check=True,
    )
    os.kill(int(found.stdout.split()[-1]), signal.SIGKILL)
    alert = page.get_by_role("alert").filter(has_text="has died")
    alert.wait_for()
    assert page.locator(".eqp-end").count() == 2  # what was measured is still there
    page.get_by_role("button", name="Start again").click()
    page.get_by_role("status").filter(has_text="running,").wait_for()
    alert.wait_for(state="detached")
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("The race was stopped").wait_for()
    check_page(page)


def test_seeds_have_a_band_and_levels_change_at_any_time(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    connected(page, "/race?game=kuhn&algorithm=cfr%2B&algorithm=@external&iterations=3000&seeds=3")
    page.get_by_role("button", name="Start the race").click()
    page.get_by_role("status").filter(has_text="done").wait_for(timeout=40_000)
    expect(page.locator(".eqp-band")).to_have_count(1)
    job = site.get(f"/api/jobs/{page.url.partition('job=')[2].partition('&')[0]}")
    least, median, greatest = job["bands"]["@external"][-1][2:]
    row = page.locator("tr", has=page.get_by_role("rowheader", name="@external", exact=True))
    cells = row.locator("td").all_inner_texts()
    assert cells[:3] == ["done", "3", "3,000"]
    shown, spread = cells[4].split("\n")
    assert float(shown) == pytest.approx(median, rel=1e-5)
    assert [float(x) for x in spread.split(" to ")] == pytest.approx([least, greatest], rel=5e-3)
    page.get_by_label("Levels").fill("0.2, 0.05")
    page.get_by_label("Levels").press("Enter")
    page.get_by_role("columnheader", name="0.05 at").wait_for()
    page.get_by_role("columnheader", name="0.001 at").wait_for(state="detached")
    expect(page.locator(".eqp-level")).to_have_count(2)
    assert "levels=0.2" in page.url
    check_page(page)


def test_the_list_can_be_read_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(NARROW)
    connected(page, "/games")
    widths = [
        cell.bounding_box()["width"] for cell in page.locator("tbody tr").first.locator("td").all()
    ]
    assert widths[0] < 160
    assert 150 < widths[1] < 366 - widths[0] + 20
    page.get_by_role("link", name="Kuhn poker", exact=True).click()
    page.get_by_text("Terminal histories").wait_for()
    rows = page.locator(".eqg-sizes > div")
    assert rows.count() == 7
    for row in rows.all():
        name, value = row.locator("dt").bounding_box(), row.locator("dd").bounding_box()
        assert name["x"] + name["width"] + value["width"] > 300 or name["y"] == value["y"]


def test_a_broken_file_is_refused_in_place_and_a_game_taken(page: Page, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    broken, whole = tmp_path / "broken.efg", tmp_path / "my pennies.efg"
    broken.write_bytes(EFG[:60])
    whole.write_bytes(EFG)
    connected(page, "/games")
    chooser = page.locator("input[type=file]")
    chooser.set_input_files(broken)
    page.get_by_role("alert").filter(has_text="broken.efg").wait_for()
    chooser.set_input_files(whole)
    page.get_by_text("is here as library:my-pennies").wait_for()
    page.get_by_role("link", name="library:my-pennies").click()
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator(".eqg-node")).to_have_count(7)
    # Title and names of the file, as texts and not as HTML.
    page.get_by_role("heading", name="Matching <b>pennies</b>").wait_for()
    page.get_by_text("Row: -1 to 1; Column: -1 to 1").wait_for()
    page.get_by_role("tab", name="Tree").press("ArrowRight")
    page.get_by_role("heading", name="Row moves").wait_for()
    connected(page, "/games?search=dimes")
    other = tmp_path / "my pennies.efg"
    other.write_bytes(EFG.replace(b"<b>pennies</b>", b"dimes").replace(b"{ 1 -1 }", b"{ 2 -2 }"))
    page.locator("input[type=file]").set_input_files(other)
    page.get_by_text("is here as library:my-pennies-2").wait_for()
    page.get_by_role("link", name="library:my-pennies-2").wait_for()
    page.get_by_text("Matching dimes").wait_for()


def test_a_table_marks_best_responses(page: Page, site: Site) -> None:
    from playwright.sync_api import expect

    path = "/games/biased_rps?view=table&algorithm=cfr%2B&iterations=60"
    connected(page, path)
    found = site.get("/api/games/biased_rps/trajectory?algorithm=cfr%2B&iterations=60")
    average = found["moments"][-1]["average"]
    page.get_by_text("Iteration 60").wait_for()
    for player in (0, 1):
        for share in average[player]:
            page.get_by_text(f"{share:.4f}").first.wait_for()
    best = [len(answer["best"]) for answer in found["answers"]]
    expect(page.locator("td.eqg-best-cell")).to_have_count(2 * best[0] + best[1])
    expect(page.locator(".eqg-simplex")).to_have_count(2)


def test_a_solved_table_is_shown_with_its_strategies(
    page: Page, site: Site, tmp_path: Path
) -> None:
    solved = eq.solve("biased_rps", iterations=30)
    site.put(solved.save(tmp_path / "rps.safetensors"), "solved-rps")
    connected(page, "/explore/solved-rps")
    page.get_by_role("tab", name="Table").click()
    cells = page.locator(".eqg-payoff-table b")
    average = site.get("/api/solutions/solved-rps/matrix")["average"]
    cells.first.wait_for()
    shares = [f"{share:.4f}" for share in (*average[1], *average[0])]
    assert cells.all_inner_texts() == shares
    assert page.locator("td.eqg-best-cell").count() >= 3
    check_page(page)
    resize(page, NARROW)
    about = page.get_by_text("Payoffs of player 0 (rows)").bounding_box()
    assert about is not None
    assert about["x"] + about["width"] <= NARROW["width"]
    check_page(page)
    page.reload()
    cells.first.wait_for()


def test_tables_and_pictures_are_saved(page: Page) -> None:
    connected(page, "/explore/kuhn?match=*pb&player=0")
    page.get_by_text("1 to 3 of 3").wait_for()
    with page.expect_download() as table:
        page.get_by_role("link", name="Save as CSV").click()
    assert table.value.suggested_filename == "kuhn-infosets.csv"
    rows = table.value.path().read_text().splitlines()
    assert len(rows) == 1 + 2 * 3
    with page.expect_download() as points:
        page.get_by_role("button", name="Picture (PNG)").press("Enter")
    assert points.value.suggested_filename == "kuhn-infosets.png"
    assert points.value.path().read_bytes().startswith(b"\x89PNG")
    with page.expect_download() as drawing:
        page.get_by_role("button", name="Picture (SVG)").press("Enter")
    texts = [one.text for one in ElementTree.parse(drawing.value.path()).getroot().iter()]
    assert {"Jpb", "Qpb", "Kpb", "pass", "bet"} <= set(texts)
    page.get_by_role("tab", name="Tree").click()
    page.locator(".eqg-node").first.wait_for()
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save as picture").click()
    assert picture.value.suggested_filename == "kuhn.svg"
    drawn = ElementTree.parse(picture.value.path()).getroot()
    parts = [part.tag.rpartition("}")[2] for part in drawn.iter()]
    assert (parts.count("circle"), parts.count("line")) == (54, 57)
    assert not [part for part in drawn.iter() if {"class", "style"} & set(part.attrib)]
    connected(page, "/games/biased_rps?view=table")
    for name, file in (("Payoffs as CSV", "matrix"), ("Path as CSV", "trajectory")):
        with page.expect_download() as table:
            page.get_by_role("link", name=name).click()
        assert table.value.suggested_filename == f"biased_rock_paper_scissors-{file}.csv"


def test_a_solution_is_found_under_its_new_name(page: Page, site: Site, tmp_path: Path) -> None:
    site.put(eq.solve("kuhn", iterations=3).save(tmp_path / "other.safetensors"), "before")
    stamp = site.get("/api/solutions/before/facts")["stamp"]
    library = site.data / "library"
    (library / "before.safetensors").rename(library / "afterwards.safetensors")
    connected(page, f"/explore/before?stamp={stamp}&view=walk")
    page.wait_for_url("**/explore/afterwards?*view=walk")
    page.get_by_role("heading", name="afterwards").wait_for()
    page.get_by_role("heading", name="Chance moves").wait_for()
    (library / "afterwards.safetensors").unlink()
    connected(page, f"/explore/before?stamp={stamp}")
    page.get_by_text("There is no such solution").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_in_the_catalogue_and_longer_ones_fit(
    open_page: Callable[..., Page], language: str
) -> None:
    page = open_page(NARROW)
    speak(page, language)
    faults = []
    for path, drawn in SCREENS.items():
        connected(page, path)
        page.locator(drawn).first.wait_for()
        faults += faults_of_page(page, path)
    assert not faults, "\n".join(faults)


def test_what_is_not_there_is_said(page: Page) -> None:
    for path in ("/explore/nothing", "/games/rules.py:Mine", "/games/nothing"):
        connected(page, path)
        page.get_by_role("alert").first.wait_for()


def test_guests_look_and_do_not_solve(open_page: Callable[..., Page], guarded: Site) -> None:
    page = open_page(base_url=guarded.url)
    page.goto("/enter")
    page.get_by_label("Token").fill(GUEST)
    page.get_by_role("button", name="Sign in").click()
    for path, text in (
        ("/games", "kuhn_bets"),
        ("/games/kuhn", "Terminal"),
        ("/explore/kuhn", "3pb"),
    ):
        connected(page, path)
        page.get_by_text(text).first.wait_for()
        assert page.get_by_role("button", name="Solve").count() == 0
        assert page.get_by_role("button", name="Upload").count() == 0
        assert page.get_by_role("button", name="Start again").count() == 0
    connected(page, "/race")
    page.get_by_text("Guests may watch races").wait_for()
    refused = page.request.post("/api/jobs", data={"game": "kuhn", "algorithms": ["cfr"]})
    assert refused.status == 403
