"""Strategies recorded from the plain recursion: a refactoring must not move them.

The other tests compare the engine with the recursion of the day; these hold both to the numbers
of the day they were recorded.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.game_walk import walk
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from tests.golden.record import (
    FOLDER,
    HORIZON,
    ORDERS,
    STOPS,
    cases,
    iterates,
    path_of,
    table,
    tables,
)


@cache
def golden() -> dict[tuple[str, str, str], np.ndarray]:
    return {
        (game, path.stem, order): strategies
        for path in FOLDER.iterdir()
        for game, order, strategies in tables(path.read_text("utf-8"))
    }


def test_every_variant_is_recorded() -> None:
    assert set(golden()) == set(cases())


@pytest.mark.parametrize("variant", sorted({case[1] for case in cases()}))
def test_the_files_are_as_they_were_written(variant: str) -> None:
    """Infosets and actions are named, and no digit is lost on the way to the text and back."""
    written = [table(game, order, golden()[game, name, order])
               for game, name, order in cases() if name == variant]  # fmt: skip
    assert path_of(variant).read_text("utf-8") == "\n".join(written)


@pytest.mark.parametrize(("game", "variant", "order"), cases())
def test_the_recursion_gives_the_recorded_strategies(game: str, variant: str, order: str) -> None:
    now, then = iterates(game, variant, order), golden()[game, variant, order]
    assert now.shape == then.shape
    assert abs(now - then).max() < 1e-12


@pytest.mark.parametrize(("game", "variant", "order"), cases())
def test_the_engine_gives_the_recorded_strategies(game: str, variant: str, order: str) -> None:
    rules = load_game(game)
    keys = list(walk(rules).infosets)
    solver = CFR(compile_game(rules), variant, alternating=ORDERS[order], horizon=HORIZON)
    for stop, (average, current) in zip(STOPS, golden()[game, variant, order], strict=True):
        solver.run(stop - solver.iteration)
        for strategy, wanted in (
            (solver.average_strategy(), average),
            (solver.current_strategy(), current),
        ):
            assert abs(in_order(strategy, keys) - wanted).max() < 1e-9


def in_order(strategy: Strategy, keys: list[str]) -> np.ndarray:
    return np.array([x for key in keys for x in strategy[key].values()])


def test_the_runs_differ() -> None:
    """Two variants or orders with the same record would guard nothing."""
    for game in {case[0] for case in cases()}:
        rows = [a[-1].tobytes() for case, a in golden().items() if case[0] == game]
        assert len(set(rows)) == len(rows)
