"""What plays, by a word: each bot has a search of its own."""

from __future__ import annotations

from typing import Any

from equilibrist.protocols.opening import OpenedStrategy, SearchPool
from tests.play.bots.hands import small_blueprint
from tests.search.holdem.test_street_search import HAND

LINE = "C-X|Td9d6h|X"


class Remembering:
    """A search that keeps the lines that it was asked about, and knows no answer."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def search(self, state: Any, *_: Any) -> None:
        self.lines.append(state.line)


def test_each_bot_has_a_search_of_its_own() -> None:
    made: list[Remembering] = []

    def make() -> Remembering:
        made.append(Remembering())
        return made[-1]

    strategy = OpenedStrategy("b", small_blueprint(HAND), SearchPool(make))
    first, second = strategy.bot(1), strategy.bot(1)
    for bot in (first, second):
        bot.begin(1)
        bot.act("AhKh", LINE)
    first.act("AhKh", f"{LINE}-X|2c|X")
    assert [search.lines for search in made] == [[LINE, f"{LINE}-X|2c|X"], [LINE]]


def test_the_searches_of_the_bots_that_asked_last_are_kept() -> None:
    pool = SearchPool(Remembering, 2)
    first, second = pool.search_of(0), pool.search_of(1)
    assert pool.search_of(0) is first
    pool.search_of(2)
    assert pool.search_of(0) is first
    assert pool.search_of(1) is not second
