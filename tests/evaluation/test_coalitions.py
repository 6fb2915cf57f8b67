"""The best joint plan of a coalition, against all of its joint plans."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.coalitions import Coalition, best_plan
from equilibrist.evaluation.plans import enumerate_plans
from equilibrist.evaluation.sequences import Sequences
from equilibrist.game_loading import compile_game
from equilibrist.typing import BoolArray, FloatArray
from tests.refusals import refuses

SMALL = "depth=4,branching=2,stop=0.05"


def _allowed(sequences: Sequences, members: tuple[int, ...]) -> BoolArray:
    """bool[joint plans, Z]: the terminal histories that each joint plan allows."""
    plays = [enumerate_plans(sequences, m).reaching(sequences.leaf_sequence[:, m]) for m in members]
    return np.array([np.all(rows, axis=0) for rows in product(*plays)])


def _worth(sequences: Sequences, seed: int) -> FloatArray:
    return np.random.default_rng(seed).normal(size=len(sequences.payoff))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("members", [(0,), (0, 1), (2, 0), (0, 1, 2)])
def test_best_joint_plans_of_random_games(seed: int, members: tuple[int, ...]) -> None:
    sequences = Sequences.of(compile_game(f"random_tree(seed={seed},players=3,{SMALL})"))
    worth = _worth(sequences, seed)
    allowed = _allowed(sequences, members)
    coalition = Coalition(sequences, members)
    found = coalition.best(worth)
    assert found.value == pytest.approx((allowed @ worth).max(), abs=1e-9)
    assert found.value <= found.bound <= found.value + 1e-6
    reached = coalition.reached(found.plays)
    assert reached @ worth == pytest.approx(found.value, abs=1e-12)
    assert (allowed == reached).all(axis=1).any()  # a joint plan, and a pure one


def test_a_coalition_of_four() -> None:
    sequences = Sequences.of(compile_game(f"random_tree(seed=3,players=4,{SMALL})"))
    worth = _worth(sequences, 1)
    best = (_allowed(sequences, (0, 1, 2, 3)) @ worth).max()
    assert Coalition(sequences, (0, 1, 2, 3)).best(worth).value == pytest.approx(best, abs=1e-9)


def test_what_is_removed_is_not_played() -> None:
    sequences = Sequences.of(compile_game("random_tree(seed=1,players=3,depth=4,branching=2)"))
    worth = _worth(sequences, 2)
    free = Coalition(sequences, (0, 1)).best(worth)
    offset, above = sequences.tree.action_offset, sequences.above
    first = next(
        i for i in range(len(above)) if above[i] < 0 and offset[i + 1] - offset[i] == 2
        and free.plays[offset[i] : offset[i + 1]].any()
    )  # fmt: skip
    gone = int(offset[first] + np.argmax(free.plays[offset[first] : offset[first + 1]]))
    other = Coalition(sequences, (0, 1), removed=frozenset({gone})).best(worth)
    assert not other.plays[gone]
    allowed = _allowed(sequences, (0, 1))
    member = int(sequences.tree.infoset_player[first])
    plans = enumerate_plans(sequences, member).reaching(np.array([gone]))[:, 0]
    keep = [~plans if m == member else np.ones(len(enumerate_plans(sequences, m)), dtype=bool)
            for m in (0, 1)]  # fmt: skip
    kept = np.array([a and b for a, b in product(*keep)])
    assert other.value == pytest.approx((allowed[kept] @ worth).max(), abs=1e-9)


def test_local_search_ends_where_no_member_improves() -> None:
    sequences = Sequences.of(compile_game("kuhn(players=3)"))
    coalition = Coalition(sequences, (0, 2))
    rng = np.random.default_rng(4)
    worth = sequences.leaf_chance * rng.normal(size=len(sequences.payoff))
    size = int(sequences.tree.action_offset[-1])
    start = np.zeros(size, dtype=bool)
    start[sequences.own(0)] = best_plan(sequences, 0, rng.random(size + 1))[1]
    found = coalition.improved(worth, start)
    again = coalition.improved(worth, found.plays)
    assert again.value == found.value
    assert coalition.reached(found.plays) @ worth == pytest.approx(found.value)
    assert found.value <= coalition.best(worth).value + 1e-12
    assert found.bound == np.inf  # nothing is proven


def test_some_terminal_histories_only() -> None:
    sequences = Sequences.of(compile_game("random_tree(seed=2,players=3,depth=4,branching=2)"))
    leaves = np.arange(0, len(sequences.payoff), 2)
    worth = _worth(sequences, 5)[leaves]
    best = (_allowed(sequences, (1, 2))[:, leaves] @ worth).max()
    found = Coalition(sequences, (1, 2), leaves=leaves).best(worth)
    assert found.value == pytest.approx(best, abs=1e-9)


def test_a_large_coalition_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.evaluation.coalitions.LARGEST", 100)
    sequences = Sequences.of(compile_game("kuhn(players=3)"))
    with refuses(UnsupportedError, option="combinations", given=132, expected=100):
        Coalition(sequences, (0, 1))
