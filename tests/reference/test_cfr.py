"""The textbook recursion: first steps by hand, and what the theory says of any run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import walk
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.response import best_response_value, expected_values, nash_conv
from equilibrist.solvers.variants.registry import VARIANTS

GAMES = (
    "kuhn",
    "kuhn(players=3)",
    "shapley",
    "random_tree(seed=7)",
    "random_tree(seed=8,players=3)",
)


def solver_of(spec: str, name: str = "cfr", alternating: bool = True) -> ReferenceCFR:
    return ReferenceCFR(load_game(spec), VARIANTS[name], alternating, horizon=50)


def test_first_iteration_by_hand() -> None:
    """Matrix [[3, 0], [1, 2]]: uniform play is worth 1.5, the rows 1.5 each; then column 1."""
    game = load_game("matrix(payoffs=[[3,-1],[1,2]])")
    together = ReferenceCFR(game, VARIANTS["cfr"], alternating=False)
    together.run(1)
    # Rows are worth 1 and 1.5, columns -2 and -0.5, against uniform play (1.25 and -1.25).
    assert together.regret["row"] == [-0.25, 0.25]
    assert together.regret["column"] == [-0.75, 0.75]
    assert together.strategy == {"row": [0.0, 1.0], "column": [0.0, 1.0]}
    in_turn = ReferenceCFR(game, VARIANTS["cfr"])
    in_turn.run(1)
    # The column player already answers to the second row: -1 and -2, in the mean -1.5.
    assert in_turn.regret["column"] == [0.5, -0.5]
    assert in_turn.strategy["column"] == [1.0, 0.0]
    for solver in (together, in_turn):
        assert solver.average_strategy() == {"row": [0.5, 0.5], "column": [0.5, 0.5]}
        assert solver.iteration == 1


def test_coefficients_do_what_they_say() -> None:
    """One infoset, one opponent, numbers that tell every coefficient apart."""

    class Rule:
        def coefficients(self, t, horizon):
            assert horizon == 9
            return SimpleNamespace(
                positive=0.5,
                negative=0.25,
                floor=-0.3,
                lookahead=2.0,
                prediction=3.0,
                decay=0.125,
                weight=5.0,
            )

    game = load_game("matrix(payoffs=[[3,-1],[1,2]])")
    solver = ReferenceCFR(game, Rule(), alternating=False, horizon=9)
    solver.regret["row"][:] = [4.0, -0.4]
    solver.strategy["row"][:] = [1.0, 0.0]
    solver.strategy_sum["row"][:] = [8.0, 16.0]
    solver.run(1)
    # The rows are worth 1 and 1.5, the first was played: r = 0 and 0.5.
    assert solver.regret["row"] == pytest.approx([2.0, 0.4])
    assert solver.strategy_sum["row"] == [6.0, 2.0]
    assert solver.strategy["row"] == pytest.approx([4.0 / 6.3, 2.3 / 6.3])
    # The columns get -3 and 1, in the mean -1: r = -2 and 2.
    assert solver.regret["column"] == [-0.3, 2.0]
    assert solver.strategy["column"] == [0.0, 1.0]


@pytest.mark.drawn(20)
@pytest.mark.by_default(7)
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("alternating", [False, True])
def test_any_run_yields_strategies(spec: str, name: str, alternating: bool) -> None:
    solver = solver_of(spec, name, alternating)
    solver.run(25)
    for table in (solver.strategy, solver.average_strategy()):
        for key, row in table.items():
            assert len(row) == len(solver.game.infosets[key].actions)
            assert sum(row) == pytest.approx(1.0)
            assert min(row) >= 0.0
    for key, infoset in solver.game.infosets.items():
        if len(infoset.actions) == 1:
            assert solver.strategy[key] == [1.0]
            assert solver.regret[key] == [0.0]
    if VARIANTS[name].floor == 0.0:
        assert min(min(row) for row in solver.regret.values()) >= 0.0


def test_unreached_infosets_are_uniform_on_average() -> None:
    solver = solver_of("random_tree(seed=7)")
    assert all(row == [1 / len(row)] * len(row) for row in solver.average_strategy().values())


@pytest.mark.parametrize("spec", GAMES)
def test_runs_can_be_cut_anywhere(spec: str) -> None:
    whole, parts = solver_of(spec, "hs-dcfr"), solver_of(spec, "hs-dcfr")
    whole.run(20)
    for count in (1, 0, 7, 12):
        parts.run(count)
    assert parts.average_strategy() == whole.average_strategy()
    assert parts.regret == whole.regret


def test_the_average_is_a_copy() -> None:
    solver = solver_of("kuhn")
    solver.run(2)
    before = solver.average_strategy()
    solver.run(2)
    assert before != solver.average_strategy()
    before["1"][0] = 7.0
    assert solver.average_strategy()["1"][0] <= 1.0


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_bound_nash_convs_nash_conv_in_zero_sum_games(seed: int) -> None:
    """Zinkevich et al. 2007, theorems 2 and 3: NashConv <= sum of average positive regrets.

    With simultaneous updates; alternating ones add terms that vanish (Burch et al. 2019).
    """
    iterations = 30
    solver = ReferenceCFR(
        load_game(f"random_tree(seed={seed},depth=5)"), VARIANTS["cfr"], alternating=False
    )
    solver.run(iterations)
    bound = sum(max(0.0, max(row)) for row in solver.regret.values()) / iterations
    assert nash_conv(solver.game, solver.average_strategy()) <= bound + 1e-12


@pytest.mark.parametrize("spec", ["kuhn", "random_tree(seed=7)"])
def test_nash_conv_of_the_average_is_the_average_regret(spec: str) -> None:
    """Two players, zero sum, simultaneous: overall regret measured along the run, exactly."""
    solver = solver_of(spec, "cfr", alternating=False)
    iterations, played = 40, [0.0, 0.0]
    for _ in range(iterations):
        values = expected_values(solver.game, solver.strategy)
        played = [a + b for a, b in zip(played, values, strict=True)]
        solver.run(1)
    average = solver.average_strategy()
    gains = [
        best_response_value(solver.game, average, i) - played[i] / iterations for i in range(2)
    ]
    assert nash_conv(solver.game, average) == pytest.approx(sum(gains), abs=1e-12)
    for i, gain in enumerate(gains):
        own = [solver.regret[k] for k, s in solver.game.infosets.items() if s.player == i]
        assert gain <= sum(max(0.0, max(row)) for row in own) / iterations + 1e-12


class DiscountAfterwards(ReferenceCFR):
    """DCFR as its paper's text has it: add r, and discount by t at the end of iteration t."""

    def _update(self, player, regrets, reach, numbers) -> None:
        t = self.iteration
        for key, instant in regrets.items():
            total, sums, sigma = self.regret[key], self.strategy_sum[key], self.strategy[key]
            for a, r in enumerate(instant):
                total[a] += r
                sums[a] += t**2 * reach[key] * sigma[a]
            for a, x in enumerate(total):
                total[a] = x * (t**1.5 / (t**1.5 + 1) if x > 0.0 else 0.5)
            self.strategy[key] = regret_matching(total)


@pytest.mark.parametrize("spec", ["kuhn", "goofspiel(cards=3,imp_info=true)"])
def test_both_orders_of_discounting_play_the_same(spec: str) -> None:
    before, after = solver_of(spec, "dcfr"), DiscountAfterwards(load_game(spec), VARIANTS["dcfr"])
    before.run(30)
    after.run(30)
    for key, row in before.average_strategy().items():
        assert after.average_strategy()[key] == pytest.approx(row, abs=1e-9)
        assert after.strategy[key] == pytest.approx(before.strategy[key], abs=1e-9)


@pytest.mark.by_default(3)
@pytest.mark.parametrize("name", VARIANTS)
def test_kuhn_tends_to_its_value(name: str) -> None:
    solver = ReferenceCFR(walk(load_game("kuhn")), VARIANTS[name], horizon=300)
    solver.run(300)
    values = expected_values(solver.game, solver.average_strategy())
    assert values[0] == pytest.approx(-1 / 18, abs=2e-3)
    assert nash_conv(solver.game, solver.average_strategy()) < 0.01


@pytest.mark.slow
def test_leduc_twenty_iterations() -> None:
    """A game of ten thousand histories: the best strategy after 20 iterations is known."""
    solver = solver_of("leduc", "dcfr")
    solver.run(20)
    measured = nash_conv(solver.game, solver.average_strategy()) / 2.0
    assert measured == pytest.approx(1.667968179894431e-01, rel=1e-12)
