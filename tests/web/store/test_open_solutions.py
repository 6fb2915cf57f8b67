"""Solutions that are open: closed when nobody uses them, with all that was kept of them."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from equilibrist.poker import ThreeSpot, solve_three
from equilibrist.web import server
from equilibrist.web.solutions.nodes import NodeTexts
from equilibrist.web.store.library import Library
from tests.refusals import unchecked


@pytest.fixture
def library(spot_file: Path, tmp_path: Path) -> Library:
    for name in ("one", "two"):
        shutil.copy(spot_file, tmp_path / f"{name}.safetensors")
    return Library(tmp_path, 4)


def visited_by(visitors: list[int], asked: list[bool] | None = None) -> Any:
    """A guard that counts visitors, one number a look; who of them ask for something."""
    looks = iter(asked or ())
    return unchecked(
        SimpleNamespace(
            is_visited=lambda _within: visitors.pop(0) > 0,
            is_asked=lambda _within: next(looks, False),
        )
    )


def test_what_nobody_uses_is_closed(library: Library) -> None:
    texts = NodeTexts()
    solution: Any
    with library.opened("one") as solution:
        texts.packed(solution, "X")
        seen = weakref.ref(solution)
        assert library.close_unused(0.0) == 0  # it is being used
    del solution
    played = library.shared("two")
    assert library.close_unused(60.0) == 0
    assert library.close_unused(0.0) == 2
    gc.collect()
    assert seen() is None
    assert not texts._kept
    assert played.result is not None  # those who play it have it still
    again: Any
    with library.opened("one") as again:
        assert again.at("X").line == "X"


def test_two_are_open_within_the_limit_and_in_one_order(library: Library) -> None:
    taken: list[str] = []
    opened = library.opened

    def noted(name: str) -> Any:
        taken.append(name)
        return opened(name)

    library.opened = noted  # type: ignore[method-assign]
    for pair in (("one", "two"), ("two", "one"), ("two", "two")):
        with library.opened_pair(*pair) as (first, second):
            assert (first is second) == (pair == ("two", "two"))
        assert len(library._opened) <= 2
    assert taken == ["one", "two", "one", "two", "two"]


def test_memory_is_given_back_once_all_have_left(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors, done = [2, 1, 0, 0, 0], []
    monkeypatch.setattr(server, "_LOOK", 0.0)
    monkeypatch.setattr(server, "_ALONE", 0.0)
    guard = visited_by(visitors)
    monkeypatch.setattr(server, "give_back", lambda: done.append(len(visitors)))
    with library.opened("one"):
        pass
    with pytest.raises(IndexError):  # no visitors are left to count
        asyncio.run(server._tidy(library, guard))
    assert done == [2]  # once, at the first look without any
    assert not library._opened


@pytest.mark.slow
@pytest.mark.parametrize("change", ["delete", "rename", "replace"])
def test_what_a_deleted_solution_holds_is_given_back_while_others_are_there(
    library: Library, spot_file: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    gc.collect()
    with library.opened("one") as solution:
        solution.to_dict()
        seen = weakref.ref(solution)
    del solution
    if change == "delete":
        library.delete("one")
    elif change == "rename":
        library.rename("one", "three")
    else:
        other = library.folder / "other"
        shutil.copy(spot_file, other)
        os.utime(other, (1, 1))
        library.add("one", other)
        library.shared("one")
    visitors = [1, 1, 1]
    monkeypatch.setattr(server, "_LOOK", 0.0)
    guard = visited_by(visitors)
    done = []

    def give_back() -> None:
        done.append(len(visitors))
        gc.collect()

    monkeypatch.setattr(server, "give_back", give_back)
    with pytest.raises(IndexError):  # no visitors are left to count
        asyncio.run(server._tidy(library, guard))
    assert done == [2]
    assert seen() is None


def test_rivers_of_three_are_listed(library: Library) -> None:
    spot = ThreeSpot(board="Qs9h5d3cJs", oop="AA", middle="KK", ip="TT", pot=10, stack=5, bets="a")
    solve_three(spot, iterations=1).save(library.folder / "three.safetensors")
    listed = {entry.name for entry in library.entries() if "last" not in entry.name}
    assert listed == {"one", "two", "three"}


def test_the_heap_is_trimmed_while_visitors_ask_and_when_they_pause(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After every third look with requests, and after the last one; not while nobody asks."""
    monkeypatch.setattr(server, "_LOOK", 0.0)
    monkeypatch.setattr(server, "_USED", 3)
    asked = [True] * 7 + [False] * 4 + [True, False, False]
    visitors, done = [1] * len(asked), list[int]()
    monkeypatch.setattr(server, "trim", lambda: done.append(len(asked) - len(visitors)))
    with pytest.raises(IndexError):  # no visitors are left to count
        asyncio.run(server._tidy(library, visited_by(visitors, asked)))
    assert done == [4, 7, 8, 13]
