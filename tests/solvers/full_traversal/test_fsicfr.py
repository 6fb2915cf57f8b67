"""FSICFR against every history walked on its own, against published values, and as a solver."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MemoryBudgetError,
    MismatchError,
    UnsupportedError,
)
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games import load_game
from equilibrist.reference.fixed_strategy import FixedStrategies, Meeting
from equilibrist.solvers import MCCFR
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from tests.altered_games import Altered
from tests.refusals import check_error, refuses, unchecked
from tests.slow_cases import slow
from tests.solvers.sampling.stream_draws import key_of, mix

GAMES = [
    "kuhn",
    "dudo(sides=3)",
    "dudo(sides=3,memory=1)",
    "dudo(sides=3,memory=2)",
    "dudo(dice=[2,1],sides=2,memory=1)",
    "liar_die(sides=4)",
    "liar_die(sides=5,memory=1)",
    "liar_die(sides=5,memory=2)",
    "biased_rock_paper_scissors",
    "random_tree(seed=1,depth=6)",
    "random_tree(seed=5,depth=7,imperfect_recall=true)",
]
_MASK, _GAMMA = (1 << 64) - 1, 0x9E3779B97F4A7C15


class EndsApart(Altered):
    """Payoffs plus a small number that depends on the last state and move, so nothing is a tie.

    States meet as before; only ends are told apart.
    """

    def __init__(self, spec: str) -> None:
        super().__init__(load_game(spec), "ends apart")

    def next(self, state: Any, action_index: int, /) -> Any:
        following = self.game.next(state, action_index)
        over = self.game.player(following) == TERMINAL
        return ("over", state, action_index, following) if over else following

    def player(self, state: Any, /) -> int:
        return TERMINAL if state[:1] == ("over",) else self.game.player(state)

    def payoffs(self, state: Any, /) -> tuple[float, ...]:
        digest = hashlib.sha256(repr(state[:3]).encode()).digest()
        paid = self.game.payoffs(state[3])[0] + int.from_bytes(digest[:3], "big") / 2**30
        return (paid, -paid)

    def full_recall(self) -> Any:
        return self


def numbers_of(solver: FSICFR) -> dict[Any, int]:
    """The number of each state in the solver's graph."""
    game, arrays = solver.graph.game, solver.graph.arrays
    numbers = {game.initial_state(): 0}
    waiting = list(numbers)
    for state in waiting:
        if game.player(state) == TERMINAL:
            continue
        first = int(arrays.node[numbers[state], 0])
        for action in range(len(game.actions(state))):
            following = game.next(state, action)
            if following not in numbers:
                numbers[following] = int(arrays.child[first + action])
                waiting.append(following)
    return numbers


def stream(key: int, number: int) -> int:
    return mix(key ^ mix((number * _GAMMA) & _MASK))


@pytest.mark.by_default(7)
@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("spec", GAMES)
def test_two_passes_add_up_to_all_histories(spec: str, seed: int) -> None:
    """Iterate by iterate on the same draws: regrets, averages, visits, and what was counted."""
    game = EndsApart(spec)
    solver = FSICFR(game, seed=seed)
    numbers = numbers_of(solver)
    oracle = FixedStrategies(game)
    histories = 0
    for t in range(1, 21):

        def outcome(state: Any, t: int = t) -> int:
            u = (mix(stream(stream(key_of(seed), t), numbers[state])) >> 11) * 2.0**-53
            return bisect_right(list(accumulate(game.chance(state)))[:-1], u)

        histories += oracle.iterate(outcome)
        solver.run(1)
        state = solver.state
        for key, first in zip(solver.graph.infoset_keys, solver.graph.action_offset, strict=False):
            at = slice(first, first + len(oracle.regret.get(key, [])))
            assert state.regret[at] == pytest.approx(oracle.regret.get(key, []), abs=1e-12)
            wanted = oracle.strategy_sum.get(key, [])
            assert state.strategy_sum[at] == pytest.approx(wanted, abs=1e-11)
            assert state.kept["seen"][first] == oracle.seen.get(key, 0.0)
        assert solver.histories == histories
    assert len(oracle.regret) >= 2


class PlainSums(FixedStrategies):
    """Regrets as the tutorial's program for Liar Die adds them up: without visits."""

    def _learn(self, state: Any, meeting: Meeting, strategy: list[float]) -> None:
        meeting.visits = 1
        super()._learn(state, meeting, strategy)


class Tied(EndsApart):
    """Dudo in which the lowest claim is not for those who rolled a 1."""

    def _barred(self, state: Any) -> int:
        player, hands, claims = state
        return int(player >= 0 and hands[player] == 0 and not claims)

    def actions(self, state: Any, /) -> tuple[str, ...]:
        return tuple(self.game.actions(state))[self._barred(state) :]

    def next(self, state: Any, action_index: int, /) -> Any:
        return super().next(state, action_index + self._barred(state))


@pytest.mark.parametrize(
    ("game", "same"),
    [
        (EndsApart("kuhn"), True),
        (EndsApart("dudo(sides=3,memory=1)"), True),
        (EndsApart("dudo(dice=[2,1],sides=2,memory=2)"), True),
        (EndsApart("liar_die(sides=5,memory=1)"), True),
        (Tied("dudo(sides=3,memory=1)"), False),
    ],
)
def test_visits_weigh_nothing_where_claims_do_not_depend_on_dice(game: Any, same: bool) -> None:
    oracles = [FixedStrategies(game), PlainSums(game)]
    for t in range(1, 13):

        def outcome(state: Any, t: int = t) -> int:
            u = mix(mix(t) ^ int.from_bytes(hashlib.sha256(repr(state).encode()).digest()[:8]))
            return bisect_right(list(accumulate(game.chance(state)))[:-1], u / 2.0**64)

        for oracle in oracles:
            oracle.iterate(outcome)
    one, other = ({k: o.strategy(k, len(r)) for k, r in o.regret.items()} for o in oracles)
    assert (one == {k: pytest.approx(row, abs=1e-9) for k, row in other.items()}) == same


def test_an_iteration_visits_each_state_once_however_many_histories_meet() -> None:
    """With one claim remembered: who acts, after which claim, and each of the moves there."""
    for sides in (2, 3, 4, 6):
        claims = 2 * sides
        solver = FSICFR(f"dudo(sides={sides},memory=1)").run(3)
        moves = 3 + claims + sum((claims - c) * (2 if c else 1) for c in range(claims))
        assert solver.nodes_touched == 3 * moves == 3 * solver.nodes_per_iteration
        assert solver.histories == 3 * (1 + 2**claims + 2**claims)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "dudo(sides=3)", "liar_die(sides=4)"])
def test_where_nothing_meets_it_is_chance_sampling_for_both_at_once(spec: str) -> None:
    solver = FSICFR(spec).run(50)
    assert solver.nodes_touched == solver.histories
    assert MCCFR(spec, sampler="chance").run(1).nodes_touched == 2 * solver.nodes_per_iteration


@pytest.mark.parametrize(
    ("spec", "value", "iterations", "exploitability"),
    [
        ("kuhn", -1 / 18, 40_000, 0.008),
        ("dudo(sides=3)", 1 / 9, 40_000, 0.004),
        ("dudo(sides=4)", 1 / 16, 40_000, 0.02),
        slow("dudo", -7 / 258, 12_000, 0.06),
    ],
)
def test_the_average_closes_in_on_the_published_value(
    spec: str, value: float, iterations: int, exploitability: float
) -> None:
    """What each player is sure of brackets the value, from ever nearer."""
    solver = FSICFR(spec, seed=1).run(iterations // 40)
    before = eq.evaluate(solver.average_strategy())
    found = eq.evaluate(solver.run(iterations - solver.iteration).average_strategy())
    assert -found.best_response_values[1] < value < found.best_response_values[0]
    assert found.exploitability < min(exploitability, 0.6 * before.exploitability)


@pytest.mark.parametrize("sides", [3, 4, 5])
def test_liar_die_loses_nothing_by_forgetting(sides: int) -> None:
    """The value that a linear programme finds with everything remembered."""
    exact = eq.solve(f"liar_die(sides={sides})", "lp").values[0]
    solver = FSICFR(f"liar_die(sides={sides},memory=1)", seed=2).run(100_000)
    found = eq.evaluate(solver.average_strategy())
    assert solver.tree.name == f"liar_die(sides={sides})"
    assert found.values[0] == pytest.approx(exact, abs=4e-3)
    assert found.exploitability < 6e-3


def test_strategies_are_given_on_the_game_with_perfect_recall() -> None:
    solver = FSICFR("dudo(sides=3,memory=1)").run(100)
    average, short = solver.average_strategy(), solver.average_by_infoset()
    assert average.tree.name == "dudo(sides=3)"
    assert set(short) == set(solver.graph.infoset_keys)
    assert average["2/1x2/1x3/2x2"] == pytest.approx(dict(zip(
        solver.tree.action_labels[solver.tree.index("2/1x2/1x3/2x2")], short["1:2/2x2"],
        strict=True)))  # fmt: skip
    assert not np.array_equal(average.probabilities, solver.current_strategy().probabilities)


@pytest.mark.parametrize("spec", ["kuhn", "liar_die(sides=4,memory=1)"])
def test_bits_do_not_depend_on_calls_and_depend_on_the_seed(spec: str, tmp_path: Path) -> None:
    straight = FSICFR(spec, seed=4).run(60)
    broken = FSICFR(spec, seed=4)
    for part in (1, 9, 20):
        broken.run(part).checkpoint(tmp_path / "run")
        broken = FSICFR(spec, seed=4).resume(tmp_path / "run")
    broken.run(30)
    for name in ("regret", "strategy_sum", "iteration", "nodes_touched"):
        one, other = getattr(broken.state, name), getattr(straight.state, name)
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
    assert broken.histories == straight.histories
    assert FSICFR(spec, seed=5).run(60).state.regret.tolist() != straight.state.regret.tolist()
    with refuses(CheckpointError, option="seed", given=4, expected=5):
        FSICFR(spec, seed=5).resume(tmp_path / "run")
    with refuses(CheckpointError, option="game", expected="dudo(sides=2)"):
        FSICFR("dudo(sides=2)", seed=4).resume(tmp_path / "run")
    with pytest.raises(CheckpointError) as caught:
        MCCFR("kuhn", sampler="chance", seed=4).resume(tmp_path / "run")
    found = {error.option: error for error in (caught.value, *caught.value.others)}
    check_error(
        found["algorithm"], CheckpointError, option="algorithm", given="fsicfr", expected="cfr"
    )
    assert ("game" in found) == (spec != "kuhn")  # the rules are the same
    with refuses(MismatchError, option="seed", given=4):
        FSICFR(spec, seed=5).restore(straight.state)


def test_what_has_no_such_form_is_refused_with_the_reason() -> None:
    with refuses(UnsupportedError, option="num_players", given=3, expected=2):
        FSICFR("kuhn(players=3)")
    with refuses(UnsupportedError, option="payoffs", given="battle_of_the_sexes"):
        FSICFR("battle_of_the_sexes")
    with refuses(MemoryBudgetError, option="max_states", given=20, histories=20):
        FSICFR("kuhn", max_states=20)
    with refuses(ConfigError, option="seed", given=-1):
        FSICFR("kuhn", seed=-1)
    with refuses(ConfigError, option="iterations", given=1.5):
        FSICFR("kuhn").run(unchecked(1.5))


@pytest.mark.slow
def test_without_a_tree_there_is_an_average_all_the_same() -> None:
    """11,000,000,000 histories of the game of full recall, and a graph of some thousand states."""
    solver = FSICFR("dudo(dice=2,memory=1)").run(5)
    average = solver.average_by_infoset()
    assert len(average) == 21 * 48
    assert all(row.sum() == pytest.approx(1.0) for row in average.values())
    assert solver.histories == 5 * (1 + 2 * 2.0**24)
    assert solver.nodes_touched == 5 * solver.nodes_per_iteration < 5_000


def test_payoffs_may_add_up_to_any_constant() -> None:
    class Shared(Altered):
        def payoffs(self, state: Any, /) -> tuple[float, ...]:
            won = self.game.payoffs(state)[0]
            return (won, 10.0 - won)

    shared, plain = FSICFR(Shared(load_game("kuhn"), "10 shared")).run(50), FSICFR("kuhn").run(50)
    assert shared.state.regret.tolist() == plain.state.regret.tolist()


def test_chance_is_drawn_once_per_state_and_with_its_probabilities() -> None:
    """Half of all deals give player 0 the higher card; each of the six comes equally often."""
    solver = FSICFR("kuhn").run(60_000)
    seen = solver.state.kept["seen"][solver.graph.action_offset[:-1]]
    visits = dict(zip(solver.graph.infoset_keys, seen, strict=True))
    for key, count in visits.items():
        assert count == pytest.approx(20_000, abs=600), key
    assert solver.graph.game.player(solver.graph.game.initial_state()) == CHANCE
