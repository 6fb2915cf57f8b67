"""A site of files in Chromium, from a bare file server that has it below a path."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin

import httpx2
import pytest

from equilibrist import poker
from equilibrist.web.site.writing import SiteFacts, write_site
from tests.web.browser.checks import LANGUAGES, check_page, connected, faults_of_texts, speak
from tests.web.browser.conftest import NARROW, WIDE, Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("site")]

BELOW = "some/where"
GAMES = ["kuhn", "rock_paper_scissors", "kuhn(cards=4)"]
PAGES = [
    "", "games", "games/kuhn", "games/kuhn/?view=walk&move=1", "games/kuhn(cards%3D4)",
    "games/rock_paper_scissors", "study/checked", "study/checked?line=X-X",
    "study/checked?line=X-X|8h", "explore/kuhn", "explore/kuhn?view=walk", "explore/kuhn?view=tree",
    "learn", "learn?step=73", "lessons", "lessons?lesson=bluff", "charts/jam", "charts/jam?line=A",
    "drill/kuhn", "drill/checked?line=X",
]  # fmt: skip


_ASK = """async ([source, name, values]) => (await import(source)).get(name, values)"""
_ASK_ALL = """async (source) => {
  const { get } = await import(source);
  const root = document.documentElement.dataset.root;
  const { documents } = await (await fetch(`${root}site.json`)).json();
  const [wrong, open] = [[], new Map()];
  let found = 0;
  for (const [name, { packs }] of Object.entries(documents)) {
    for (const pack of new Set(Object.values(packs))) {
      const { body } = await fetch(`${root}packs/${pack}.pack`);
      const table = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).json();
      for (const [key, document] of Object.entries(table)) {
        const values = {};
        for (const [value, one] of JSON.parse(key)) (values[value] ??= []).push(one);
        const isSame = (answer) => JSON.stringify(answer) === JSON.stringify(document);
        const isRefused = ({ kind }) => kind === document.kind;
        const wanted = name.endsWith("/infosets") ? { count: 1e6 } : values;
        const isRight = await get(name, wanted).then(isSame, isRefused);
        if (!isRight) wrong.push([name, key]);
        found += 1;
      }
    }
  }
  return [found, wrong];
}"""


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files, and logs nothing."""

    def log_message(self, format: str, *values: object) -> None:  # noqa: A002 - its name there
        """Leave it out."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, kuhn_file: Path) -> tuple[Path, SiteFacts]:
    """A site in a folder below another one, and what it has."""
    root = tmp_path_factory.mktemp("files")
    spot = poker.Spot(board="Ts3h2h5c", oop="AA,QQ", ip="KK,QsJs", pot=100, stack=100, bets="")
    checked = poker.solve(spot, iterations=2).save(root / "checked.spot")
    jam = poker.push_fold(10).save(root / "jam.safetensors")
    return root, write_site(root / BELOW, [kuhn_file, checked, jam], GAMES)


@pytest.fixture(scope="module")
def files(written: tuple[Path, SiteFacts]) -> Iterator[str]:
    """The address of the site."""
    handler = partial(_Quiet, directory=str(written[0]))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{BELOW}/"
        server.shutdown()


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_sound(open_page: Callable[..., Page], files: str, path: str) -> None:
    page = open_page(WIDE, base_url=files)
    connected(page, path)
    page.wait_for_load_state("networkidle")
    assert page.get_by_role("alert").count() == 0
    check_page(page)
    for link in page.locator("a").all():
        address = urljoin(page.url, link.get_attribute("href")).partition("?")[0].partition("#")[0]
        assert address.endswith("/"), address  # where the index is, without a detour
        assert httpx2.get(address).status_code == 200, address


def test_on_a_phone(open_page: Callable[..., Page], files: str) -> None:
    page = open_page(NARROW, "dark", base_url=files)
    for path in ("", "games/kuhn/", "learn/"):
        connected(page, path)
        page.wait_for_load_state("networkidle")
        check_page(page)


def test_a_visit(open_page: Callable[..., Page], files: str) -> None:
    """By links alone, from the first page on."""
    page = open_page(base_url=files)
    connected(page, "")
    page.get_by_role("link", name="kuhn", exact=True).click()
    page.get_by_role("searchbox").fill("pb")
    page.get_by_text("1 to 3 of 3").wait_for()
    page.get_by_role("tab", name="Walk").click()
    page.get_by_role("button", name="J", exact=True).click()
    page.wait_for_url("**/explore/kuhn/?view=walk&move=1**")
    page.get_by_role("link", name="The game").click()
    page.wait_for_url("**/games/kuhn/")
    page.get_by_role("link", name="Learn: one iteration").click()
    page.get_by_role("heading", name="Infoset J of player 0").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=2**")
    page.go_back()
    page.wait_for_url("**/learn/?game=kuhn")
    connected(page, "games/rock_paper_scissors/")
    page.get_by_label("Algorithm").select_option("pcfr+")
    page.get_by_label("Begin with").select_option("uniform")
    page.get_by_text("Iteration 200").wait_for()
    assert page.get_by_role("alert").count() == 0


def test_a_spot_is_studied(open_page: Callable[..., Page], files: str) -> None:
    """From the list to a river, by one request for each board."""
    page = open_page(base_url=files)
    connected(page, "")
    page.get_by_role("link", name="checked").click()
    page.locator(".eqs-tile").first.click()
    page.wait_for_url("**line=X")
    page.locator(".eqs-tile").first.click()
    page.locator(".eqs-cards button").first.wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name=re.compile("^8h")).click()
    page.wait_for_url("**line=X-X%7C8h")
    page.locator(".eqs-tile").first.click()
    page.wait_for_url("**line=X-X%7C8h%7CX")
    assert len([url for url in asked if url.endswith(".pack")]) <= 1
    page.keyboard.press("Backspace")
    page.wait_for_url("**line=X-X%7C8h")
    page.get_by_role("tab", name="Breakdown").click()
    assert page.get_by_role("alert").count() == 0
    for name in ("Play", "Edit"):
        assert page.get_by_role("link", name=name, exact=True).count() == 0


def test_a_drill_is_graded_without_a_server(open_page: Callable[..., Page], files: str) -> None:
    page = open_page(base_url=files)
    connected(page, "study/checked/?line=X")
    page.get_by_role("link", name="Drill", exact=True).press("Enter")
    page.wait_for_url("**/drill/checked/?line=X")
    for answers in (1, 2):
        page.get_by_role("button", name=re.compile("^Check")).press("Enter")
        page.locator("[data-part=said]").first.wait_for()
        assert page.locator("[data-part=hands]").inner_text() == str(answers)
        page.get_by_role("button", name="Next question").press("Enter")
        page.get_by_text("Choose: the answer").wait_for()
    counts = page.locator("[data-grade-count]").all_inner_texts()
    assert sum(map(int, counts)) == 2
    page.get_by_role("link", name="Study", exact=True).press("Enter")
    page.wait_for_url("**/study/checked/**")
    assert page.get_by_role("alert").count() == 0


def test_what_a_site_does_not_have(open_page: Callable[..., Page], files: str) -> None:
    from playwright.sync_api import expect

    page = open_page(base_url=files)
    connected(page, "learn/?game=kuhn&iteration=21")
    expect(page.get_by_role("alert")).to_contain_text("This site does not have that")
    page.get_by_label("Iteration").fill("20")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("Iteration 20, step 1").wait_for()
    page.get_by_label("Sampler").fill("outcome")
    page.get_by_label("Seed").fill("2")
    page.get_by_role("spinbutton", name="Iteration").fill("5")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("Iteration 5, step 1").wait_for()
    assert "sampler=outcome" in page.url
    connected(page, "games/kuhn/?view=walk&move=nothing")
    expect(page.get_by_role("alert")).to_contain_text("This site does not have that")
    assert page.get_by_role("textbox").count() == 0  # no parameters, which need computing


def test_every_document_is_found_by_the_module(
    open_page: Callable[..., Page], files: str, written: tuple[Path, SiteFacts]
) -> None:
    """By the questions that pages ask: the packs are searched here as they are there."""
    page = open_page(base_url=files)
    connected(page, "games/")
    module = page.locator('script[src$="theme.js"]').get_attribute("src")
    assert module is not None
    found, wrong = page.evaluate(_ASK_ALL, urljoin(page.url, module.replace("theme", "source")))
    assert wrong == []
    assert found == written[1].num_documents


INFOSETS: list[dict[str, Any]] = [
    {}, {"match": "*p*"}, {"match": "1"}, {"match": "K*"}, {"key": "Jpb"}, {"player": "1"},
    {"order": "infoset", "descending": True},
    {"order": "value"}, {"order": "mixing", "descending": True}, {"order": "reach"},
    {"start": 5, "count": 3}, {"key": "2pb"}, {"match": "nothing"},
]  # fmt: skip


def test_infosets_are_those_that_a_server_gives(
    open_page: Callable[..., Page], files: str, site: Site
) -> None:
    page = open_page(base_url=files)
    connected(page, "games/")
    module = page.locator('script[src$="theme.js"]').get_attribute("src")
    assert module is not None
    source = urljoin(page.url, module.replace("theme", "source"))
    for values in INFOSETS:
        asked = {"count": 25, "values": True, "state": True, **values}
        text = urlencode(
            {name: str(value).lower() if value is True else value for name, value in asked.items()}
        )
        expected = site.get(f"/api/solutions/kuhn/infosets?{text}")
        found = page.evaluate(_ASK, [source, "solutions/kuhn/infosets", asked])
        assert found == expected, values


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts(open_page: Callable[..., Page], files: str, language: str) -> None:
    page = open_page(base_url=files)
    speak(page, language)
    connected(page, "")
    assert not faults_of_texts(page, "")
