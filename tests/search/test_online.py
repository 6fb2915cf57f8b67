"""Search while hands are played: the same play as with all subgames solved beforehand."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.play import Session, StrategyAgent
from equilibrist.progress import Progress
from equilibrist.search import METHODS, OnlineSearch, resolve

ROOTS = {"leduc(suit_isomorphism=true)": "before chance", "liars_dice(sides=3)": "after move 1"}


@pytest.fixture(scope="module", params=ROOTS)
def trunk(request: pytest.FixtureRequest) -> eq.Strategy:
    return eq.solve(request.param, "cfr+", iterations=10, progress=False).strategy


def roots_of(trunk: eq.Strategy) -> str:
    return ROOTS[trunk.tree.name]


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True], ids=["once", "again"])
@pytest.mark.parametrize(
    "method", ["unsafe", "max-margin", "reach", "reach-certain", "constrained"]
)
def test_online_play_has_the_bits_of_offline_play(
    trunk: eq.Strategy, method: str, again: bool
) -> None:
    tree = trunk.tree
    roots = roots_of(trunk)
    offline = OnlineSearch.of(trunk, roots=roots, method=method, again=again).offline()
    online = OnlineSearch.of(trunk, roots=roots, method=method, again=again)
    for infoset in np.random.default_rng(1).permutation(tree.num_infosets)[:60].tolist():
        row = offline.strategy.probabilities[tree.actions_of(infoset)]
        np.testing.assert_array_equal(online.play(infoset), row)


@pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].is_safe])
@pytest.mark.by_default(2)
def test_solving_again_never_costs_a_seat_anything(trunk: eq.Strategy, method: str) -> None:
    search = OnlineSearch.of(trunk, roots=roots_of(trunk), method=method, again=True)
    resolved = search.offline(completion=False)
    assert resolved.bound == (0.0, 0.0)
    assert search.solves > 2 * len(search.roots)
    for before, after in zip(resolved.before, resolved.after, strict=True):
        assert after <= before + 5e-9


def test_solving_again_without_a_guarantee_may_cost_much() -> None:
    trunk = eq.solve("leduc(suit_isomorphism=true)", "cfr+", iterations=10, progress=False).strategy
    search = OnlineSearch.of(trunk, roots="before chance", method="unsafe", again=True)
    resolved = search.offline(completion=False)
    assert resolved.bound == (None, None)
    assert max(np.subtract(resolved.after, resolved.before)) > 0.05


def test_solved_one_by_one_the_programmes_have_the_same_optima(trunk: eq.Strategy) -> None:
    together = resolve(trunk, roots=roots_of(trunk), completion=False)
    alone = OnlineSearch.of(trunk, roots=roots_of(trunk)).offline(completion=False)
    for step in together.steps:
        other = alone.step(step.root, step.seat)
        assert other.objective == pytest.approx(step.objective, abs=1e-7)
    assert alone.roots == together.roots


def test_hands_are_played_as_solved_beforehand(trunk: eq.Strategy) -> None:
    search = OnlineSearch.of(trunk, roots=roots_of(trunk), method="resolve")
    seats = search, StrategyAgent(trunk, "trunk")
    online = Session(trunk.tree.game, seats, seed=5, values=trunk)
    for _ in range(40):
        online.deal()
    assert search.solves > 0
    solved = OnlineSearch.of(trunk, roots=roots_of(trunk), method="resolve").offline()
    agents = StrategyAgent(solved.strategy, "search"), StrategyAgent(trunk, "trunk")
    offline = Session(trunk.tree.game, agents, seed=5, values=trunk)
    for _ in range(40):
        offline.deal()
    assert online.score == offline.score
    assert online.last == offline.last


def test_the_trunk_is_played_above_the_roots(trunk: eq.Strategy) -> None:
    search = OnlineSearch.of(trunk, roots=roots_of(trunk))
    public = search.search.public
    above = np.flatnonzero(public.below(search.roots)[public.node_of_infoset] < 0)
    for infoset in above.tolist():
        row = trunk.probabilities[trunk.tree.actions_of(infoset)]
        np.testing.assert_array_equal(search.play(infoset), row)
    assert search.solves == 0


def test_roots_below_others_are_solved_from_the_solution_above(trunk: eq.Strategy) -> None:
    roots = [roots_of(trunk), "after move 3"]
    search = OnlineSearch.of(trunk, roots=roots, method="reach")
    resolved = search.offline()
    assert len(search.roots) > len(OnlineSearch.of(trunk, roots=roots_of(trunk)).roots)
    assert resolved.is_proven
    for seat in range(2):
        best = resolved.completion[seat]
        assert best is not None
        assert best - 5e-9 <= resolved.after[seat] <= resolved.before[seat] + 5e-9


def test_a_guess_is_not_said_to_be_safe(trunk: eq.Strategy) -> None:
    search = OnlineSearch.of(
        trunk, roots=roots_of(trunk), alternatives=lambda values: values.payoffs(values.expected)
    )
    resolved = search.offline(completion=False)
    assert resolved.to_dict()["safe"] is False
    assert resolved.bound == (None, None)


def test_bad_arguments(trunk: eq.Strategy) -> None:
    with pytest.raises(ConfigError) as caught:
        OnlineSearch.of(trunk, roots="no such node")
    assert caught.value.option == "roots"
    with pytest.raises(UnknownNameError) as unknown:
        OnlineSearch.of(trunk, roots=roots_of(trunk), method="max-magin")
    assert unknown.value.option == "method"
    with pytest.raises(ConfigError) as caught:
        OnlineSearch.of(trunk, roots=roots_of(trunk), iterations=10)
    assert caught.value.option == "iterations"
    with pytest.raises(ConfigError) as caught:
        OnlineSearch.of(trunk, roots=roots_of(trunk)).offline(seats=[2])
    assert caught.value.option == "seat"


def test_every_subgame_is_told(trunk: eq.Strategy) -> None:
    search = OnlineSearch.of(trunk, roots=roots_of(trunk), method="resolve")
    seen: list[Progress] = []
    whole = search.offline(callbacks=seen.append, completion=False)
    count = 2 * len(search.roots)
    assert [progress.iteration for progress in seen] == [*range(count + 1)]
    assert {progress.total for progress in seen} == {count}
    stopped = search.offline(callbacks=lambda progress: progress.iteration < 4, completion=False)
    assert stopped.interrupted
    assert stopped.steps == whole.steps[:4]
    together: list[Progress] = []
    resolve(trunk, roots=roots_of(trunk), callbacks=together.append, completion=False)
    assert [progress.iteration for progress in together] == [0, count // 2, count]
