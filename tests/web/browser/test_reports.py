"""Reports over boards in Chromium: sorted, filtered, and averaged as the batch does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser.checks import check_page, connected
from tests.web.browser.conftest import BOARDS, NARROW, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def cells(page: Page, row: str, column: int) -> list[str]:
    return [
        one.get_by_role("cell").nth(column).text_content() or "" for one in page.locator(row).all()
    ]


def column_of(page: Page, name: str) -> int:
    heads = page.get_by_role("columnheader").all_text_contents()
    return next(k for k, head in enumerate(heads) if head.split(" ▾")[0].split(" ▴")[0] == name)


def test_a_report(page: Page, batch: tuple[Path, list[dict[str, Any]]]) -> None:
    from playwright.sync_api import expect

    page.goto("/reports")
    page.get_by_role("link", name="boards").click()
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(len(BOARDS))
    ev = column_of(page, "EV OOP")
    for line in ("", "X"):
        page.get_by_label("Node").select_option(line)
        (whole,) = [row for row in batch[1] if (row["board"], row["line"]) == ("all", line)]
        shown = float(cells(page, ".eqp-total", ev)[0])
        assert shown == pytest.approx(whole["ev_oop"], abs=0.0051)
    head = page.get_by_role("columnheader", name="EV OOP")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    values = [float(text) for text in cells(page, ".eqp-body .eqp-tr", ev)]
    assert values == sorted(values, reverse=True)
    page.get_by_label("Ranks").select_option("paired")
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(1)
    assert cells(page, ".eqp-body .eqp-tr", 0) == ["T♠T♥2♥4♣"]
    assert cells(page, ".eqp-total", ev) == cells(page, ".eqp-body .eqp-tr", ev)
    page.get_by_label("Ranks").select_option("")
    page.get_by_role("searchbox").fill("9")
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(2)
    page.wait_for_url("**/reports/boards?line=X&find=9")
    page.reload()
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(2)
    expect(page.get_by_label("Node")).to_have_value("X")
    page.goto("/reports/boards?ranks=nosuch&line=B51")
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(len(BOARDS))


def test_a_report_is_made_without_a_command(page: Page, spot_file: Path, site: Site) -> None:
    from playwright.sync_api import expect

    site.put(spot_file, "turn")
    connected(page, "/reports?of=solution:turn")
    spot = page.get_by_role("combobox", name="Spot")
    expect(spot).to_have_value("solution:turn")
    form = page.get_by_role("form", name="Report over flops")
    form.get_by_label("Flops").fill("")
    form.get_by_label("Boards of my own").fill(", ".join(BOARDS[:2]))
    form.get_by_label("Target").fill("")
    form.get_by_label("Iterations").fill("5")
    form.get_by_label("Keep solutions").select_option("first-street")
    expect(form.get_by_role("status")).to_contain_text("can be paused")
    check_page(page)
    form.get_by_role("button", name="Start").click()
    page.wait_for_url("**/runs/*")
    page.get_by_role("heading", name="Report over 2 boards").wait_for()
    page.get_by_role("link", name="Open the report").wait_for(timeout=60_000)
    check_page(page)
    page.get_by_role("link", name="Change and start again").click()
    expect(form.get_by_label("Iterations")).to_have_value("5")
    page.go_back()
    page.get_by_role("link", name="Open the report").click()
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(2)
    check_page(page)
    page.get_by_role("button", name=f"Study {BOARDS[0]}").click()
    page.wait_for_url(f"**/study/*{BOARDS[0]}")
    connected(page, "/reports")
    page.get_by_role("link", name="The run of").click()
    page.wait_for_url("**/runs/*")
    page.go_back()
    page.get_by_role("button", name="Delete report-2").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("link", name="The run of")).to_have_count(0)


def test_a_file_is_read_in_the_browser(
    open_page: Callable[..., Page], batch: tuple[Path, list[dict[str, Any]]], tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    page = open_page(NARROW, "dark")
    connected(page, "/reports")
    check_page(page)
    page.get_by_label("report.csv of a batch").set_input_files(batch[0] / "report.csv")
    expect(page.locator(".eqp-body .eqp-tr")).to_have_count(len(BOARDS))
    check_page(page)
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("<b>board</b>,x\n1,2\n")
    page.get_by_label("report.csv of a batch").set_input_files(wrong)
    page.get_by_role("alert").get_by_text("This file is not the report.csv").wait_for()
