"""The built site's search finds what new users asked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown import ROOT
from tests.docs.site_search import SiteSearch

QUESTIONS = {
    "epsilon 0.06 textbook value": "averaging",
    "weighting t - c_I": "averaging",
    "chance sampling blocks": "variance",
    "merge infosets": "abstraction",
    "cut improbable paths": "abstraction",
    "imperfect recall fsicfr": "fsicfr",
    "value network deepstack": "limits",
    "three-player kuhn poker": "games/kuhn",
    "write my own game": "own-game",
    "own sampler": "own-sampler",
    "sampler tau beta": "sampling",
    "export game openspiel": "connect",
    "resume checkpoint": "first-solve",
    "pio range import": "poker/ranges",
    "pio tree configuration": "poker/set-ups",
    "texassolver script": "poker/set-ups",
    "icm tournament deal": "poker/tournaments",
    "compare frequencies of another program": "poker/export",
    "assistant tools mcp": "mcp",
    "hand history review": "poker/review",
    "omaha short deck": "limits",
    "spot does not fit memory": "poker/spots",
    "lock frequency": "poker/locking",
    "icm payouts push fold": "poker/preflop",
    "bot python agent": "play",
    "translate off-tree bets": "action-abstraction",
    "local best response blueprint": "poker/blueprint-evaluation",
    "report many flops": "poker/batch",
    "teaching drill": "play",
    "lesson exercises answers": "teaching",
    "teachers students": "teaching",
    "ten exercises": "teaching",
    "compare algorithms seeds": "choosing",
    "虚拟遗憾": "theory.zh-CN",
    "虚拟遗憾最小化": "textbook.zh-CN",
    "三人库恩扑克": "textbook.zh-CN",
    "价值网络": "textbook.zh-CN",
    "AI_state": "textbook.zh-CN",
    "可利用度": "theory.zh-CN",
    "平均策略": "theory.zh-CN",
    "epsilon 0.06": "averaging",
    "remember less memory": "abstraction",
}
"""Short queries, and the page that answers each: five kinds of users asked these in their words."""

SHOWN = 5


@pytest.mark.slow
def test_the_search_finds_what_new_users_ask(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        check=True,
    )
    search = SiteSearch(tmp_path / "search" / "search_index.json")
    missed = {
        query: pages
        for query, page in QUESTIONS.items()
        if f"{page}/" not in (pages := search.pages(query)[:SHOWN])
    }
    assert not missed


def test_the_model_of_the_search(tmp_path: Path) -> None:
    """Titles, beginnings of pages and whole queries come first; words are prefixes."""
    sections = [
        {"location": "a/", "title": "Cards", "text": "<p>a deck of cards</p>"},
        {"location": "a/#deal", "title": "A deal", "text": "cards &amp; players"},
        {"location": "b/", "title": "Players", "text": "cards"},
        {"location": "c/", "title": "Nothing", "text": "else"},
        {"location": "d/", "title": "Card", "text": "", "boost": 0.1},
    ]
    index = tmp_path / "search_index.json"
    index.write_text(json.dumps({"config": {"separator": r"[\s\-]+"}, "docs": sections}))
    search = SiteSearch(index)
    assert search.pages("card") == ["a/", "d/", "b/"]
    assert search.pages("deal") == ["a/"]
    assert search.pages("players cards")[0] == "b/"
    assert search.pages("deal-players") == ["a/", "b/"]
    assert search.pages("dice") == []


def test_chinese_is_found_inside_of_sentences(tmp_path: Path) -> None:
    sections = [
        {"location": "a/", "title": "手算一个遗憾", "text": "<p>只看一种发牌</p>"},
        {"location": "b/", "title": "扑克", "text": "反事实遗憾"},
    ]
    index = tmp_path / "search_index.json"
    separator = next(
        line.split("'")[1]
        for line in (ROOT / "mkdocs.yml").read_text("utf-8").splitlines()
        if "separator: '" in line
    )
    index.write_text(json.dumps({"config": {"separator": separator}, "docs": sections}))
    search = SiteSearch(index)
    assert search.pages("遗憾") == ["a/", "b/"]
    assert search.pages("扑克") == ["b/"]
    assert search.pages("发牌") == ["a/"]
