"""The memory of the process bounds a walk, whatever the rules hold."""

from __future__ import annotations

import gc
import math
import mmap
import subprocess
import sys
from typing import Any

import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.tree.walk import budget, estimate
from equilibrist.tree.walk.estimate import MemoryWatch, estimate_histories, resident_bytes
from tests.altered_games import Hooked
from tests.refusals import refuses

TAKING = """
from equilibrist.tree.walk.estimate import MemoryWatch

watch = MemoryWatch(20 << 20)
assert not watch.is_over
held = bytearray(64 << 20)
held[:: 1 << 12] = b"x" * len(held[:: 1 << 12])
assert watch.is_over
assert watch.grown > 60 << 20
"""


def test_memory_that_is_taken_is_seen() -> None:
    """In a process of its own: the system may take back what this one has long not used."""
    subprocess.run([sys.executable, "-c", TAKING], check=True)


def test_nothing_is_over_where_the_system_does_not_tell(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setattr(estimate, "_STATM", tmp_path / "none")
    assert resident_bytes() is None
    assert MemoryWatch(0).grown == 0
    assert not MemoryWatch(0).is_over


def test_rules_that_hold_too_much_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[Any] = []
    leduc = load_game("leduc")
    monkeypatch.setattr(budget, "_LONG", math.inf)  # estimates would ask the rules, too

    def player(state):
        if len(held) < 512:  # not all 9,457, if nothing stops it
            # New pages: objects of Python might lie where earlier tests have freed memory.
            pages = mmap.mmap(-1, 1 << 20)
            pages[:: mmap.PAGESIZE] = b"x" * (len(pages) // mmap.PAGESIZE)
            held.append(pages)
        return leduc.player(state)

    gc.collect()
    with refuses(MemoryBudgetError, option="memory", given=32 << 20) as caught:
        compile_game(Hooked(leduc, player=player), memory=32 << 20)
    # 64 MiB are allowed with the slack, and each history takes one. The walk looks after 64 and
    # after 128 histories.
    assert 64 <= caught.value.histories == len(held) <= 128


def test_an_estimate_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = MemoryWatch(1 << 40)
    leduc = load_game("leduc")
    known = estimate_histories(leduc, watch=watch)
    assert known == estimate_histories(leduc)
    watch.most = -1
    assert estimate_histories(leduc, watch=watch) == float("inf")
