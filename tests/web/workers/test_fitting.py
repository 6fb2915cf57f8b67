"""What makes a large spot fit: looked for by a process that ends when nobody asks any more."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from equilibrist.poker import smaller_spots
from equilibrist.web.answers.spots import ReducedSpot
from equilibrist.web.errors import LimitError
from equilibrist.web.setup.estimates import estimated, fitting
from equilibrist.web.workers import process
from tests.web.conftest import SPOT

LIMIT = 12_000_000
LARGE = SPOT.replace(oop="88+,A2s+", ip="22+,KTs+", bets="33%, 75%", raises="2.5x", stack=900)


def _found(most: int = 100) -> list[ReducedSpot]:
    document = estimated(LARGE, {"threads": "1"}, LIMIT)
    assert not document["fits"]

    async def search() -> list[ReducedSpot]:
        found: list[ReducedSpot] = []
        async with aclosing(fitting(LARGE, document)) as each:
            async for one in each:
                found.append(one)
                if len(found) >= most:
                    break
        return found

    return asyncio.run(search())


@pytest.mark.slow
def test_a_process_finds_what_the_command_line_finds() -> None:
    expected = list(smaller_spots(LARGE, LIMIT, threads=1, iterations=None))
    assert expected
    found = _found()
    assert [one["num_bytes"] for one in found] == [one.num_bytes for one in expected]
    assert [tuple(one["changes"]) for one in found] == [one.changes for one in expected]
    assert [one["keys"] for one in found] == [one.keys for one in expected]
    for one in found:
        smaller = LARGE.replace(**one["keys"])
        fits = estimated(smaller, {"storage": one["storage"], "threads": "1"}, LIMIT)
        assert fits["fits"]


def test_a_search_that_nobody_wants_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    start = process.Worker.start

    async def noted(*args: Any) -> process.Worker:
        started.append(await start(*args))
        return started[-1]

    monkeypatch.setattr(process.Worker, "start", noted)
    assert len(_found(most=1)) == 1
    assert started[0]._process.returncode is not None
    assert process._searches == 0


def test_so_many_searches_go_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_searches", process._MOST_SEARCHES)
    with pytest.raises(LimitError) as refused:
        _found()
    assert refused.value.option == "searches"
