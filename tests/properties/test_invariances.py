"""What must hold on every game of perfect recall, tried on random ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from equilibrist.evaluation import best_response, evaluate
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.games.library.random_tree import RandomTree
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.matrix.lp import solve_lp
from equilibrist.solvers.variants.registry import VARIANTS
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from tests.altered_games import Jittered, Repaid, Reseated, WithImpossibleChances
from tests.slow_cases import examples
from tests.strategy.random_strategies import random_strategy

HORIZON = 50


def random_games(
    zero_sum: bool | None = None, max_players: int = 4
) -> st.SearchStrategy[Game[Any]]:
    """Jittered random trees of a few hundred histories at most."""

    def build(seed, players, shape, branching, signals, chance, forced, zero):
        # One player's zero sum pays nothing at all: every action would be a tie.
        zero = zero and players > 1 if zero_sum is None else zero_sum
        game = RandomTree(
            seed=seed,
            players=2 if zero_sum else players,
            depth=shape,
            branching=branching,
            signals=signals,
            chance_share=chance,
            forced=forced,
            stop=0.15,
            zero_sum=zero,
        )
        return Jittered(game, zero_sum=zero)

    return st.builds(
        build,
        st.integers(0, 2**32),
        st.integers(1, max_players),
        st.integers(0, 6),
        st.integers(2, 4),
        st.integers(1, 3),
        st.sampled_from([0.0, 0.2, 0.6]),
        st.sampled_from([0.0, 0.2, 0.7]),
        st.booleans(),
    )


variants = st.sampled_from(list(VARIANTS.values()))
seeds = st.integers(0, 2**16)
few = settings(max_examples=examples(60))


def solved(game: Game[Any] | GameTree, variant, iterations: int, **options) -> CFR:
    return CFR(game, variant, horizon=HORIZON, **options).run(iterations)


@settings(max_examples=examples(150))
@given(random_games(), seeds)
def test_nash_conv_is_what_the_best_responses_gain_when_played(game: Game[Any], seed: int) -> None:
    tree = compile_game(game)
    strategy = random_strategy(tree, seed)
    evaluation = evaluate(strategy)
    scale = max(1.0, float(np.abs([tree.min_payoff, tree.max_payoff]).max()))
    assert evaluation.nash_conv >= -1e-13 * scale
    gained = 0.0
    for player in range(tree.num_players):
        low, high = tree.min_payoff[player], tree.max_payoff[player]
        value, best = evaluation.values[player], evaluation.best_response_values[player]
        assert low - 1e-12 <= value <= best + 1e-13 * scale <= high + 1e-12
        answer = evaluate(best_response(strategy, player).strategy)
        assert answer.values[player] == pytest.approx(best, abs=1e-12)
        gained += answer.values[player] - value
    assert evaluation.nash_conv == pytest.approx(gained, abs=1e-12 * scale)
    if tree.constant_sum is not None:
        assert sum(evaluation.values) == pytest.approx(tree.constant_sum, abs=1e-12)


@few
@given(random_games(), variants, st.booleans(), st.integers(0, 40))
def test_strategies_of_solvers_are_distributions(game, variant, alternating, iterations) -> None:
    solver = solved(game, variant, iterations, alternating=alternating)
    for strategy in (solver.average_strategy(), solver.current_strategy()):
        assert (strategy.probabilities >= 0).all()
        offsets = strategy.tree.action_offset
        if len(offsets) > 1:
            sums = np.add.reduceat(strategy.probabilities, offsets[:-1])
            assert sums == pytest.approx(np.ones(len(sums)), abs=1e-12)


@few
@given(random_games(), variants, st.sampled_from([2.0**-20, 2.0, 3.0, 1e3]))
def test_units_scale_values_and_keep_strategies(game, variant, scale: float) -> None:
    plain = solved(game, variant, 15)
    scaled = solved(Repaid(game, scale), variant, 15)
    one, other = plain.average_strategy(), scaled.average_strategy()
    assert other.probabilities == pytest.approx(one.probabilities, abs=1e-7)
    if scale == 2.0**-20:  # exact in binary
        assert other.probabilities.tobytes() == one.probabilities.tobytes()
    before, after = evaluate(one), evaluate(Strategy(scaled.tree, one.probabilities))
    assert after.values == pytest.approx([scale * v for v in before.values], rel=1e-9, abs=1e-300)
    assert after.nash_conv == pytest.approx(scale * before.nash_conv, rel=1e-6, abs=1e-12 * scale)


@few
@given(
    random_games(), variants, st.lists(st.sampled_from([-2.0, 0.5, 8.0]), min_size=4, max_size=4)
)
def test_a_constant_payoff_changes_nothing_but_values(game, variant, shift) -> None:
    shift = shift[: game.num_players]
    plain = solved(game, variant, 10)
    moved = solved(Repaid(game, 1.0, shift), variant, 10)
    one, other = plain.average_strategy(), moved.average_strategy()
    assert other.probabilities == pytest.approx(one.probabilities, abs=1e-6)
    before, after = evaluate(one), evaluate(Strategy(moved.tree, one.probabilities))
    assert after.gains == pytest.approx(before.gains, abs=1e-12)
    wanted = [v + s for v, s in zip(before.values, shift, strict=True)]
    assert after.values == pytest.approx(wanted, abs=1e-12)


@few
@given(random_games(), variants, st.randoms(use_true_random=False))
def test_other_seats_and_orders_of_actions_permute_results(game, variant, shuffle) -> None:
    """Simultaneous updates, since alternating ones depend on who comes first."""
    seats = list(range(game.num_players))
    shuffle.shuffle(seats)
    plain = solved(game, variant, 10, alternating=False)
    seated = solved(Reseated(game, seats), variant, 10, alternating=False)
    one, other = plain.average_strategy().to_dict(), seated.average_strategy().to_dict()
    assert set(one) == set(other)
    for key, row in one.items():
        assert list(other[key]) == list(row)[::-1]
        assert other[key] == pytest.approx(row, abs=1e-7)
    before, after = evaluate(plain.average_strategy()), evaluate(seated.average_strategy())
    for player, seat in enumerate(seats):
        assert after.values[seat] == pytest.approx(before.values[player], abs=1e-7)
        assert after.gains[seat] == pytest.approx(before.gains[player], abs=1e-7)


@few
@given(random_games(), variants)
def test_impossible_outcomes_change_nothing(game, variant) -> None:
    one = solved(game, variant, 10).average_strategy().to_dict()
    other = solved(WithImpossibleChances(game), variant, 10).average_strategy().to_dict()
    assert set(one) == set(other)
    for key, row in one.items():
        assert other[key] == pytest.approx(row, abs=1e-7)


@few
@given(random_games(), variants, st.lists(st.integers(0, 9), max_size=5), st.booleans())
def test_chunks_and_restarts_do_not_change_a_bit(game, variant, chunks, alternating) -> None:
    tree = compile_game(game)
    whole = solved(tree, variant, sum(chunks), alternating=alternating).state
    solver = CFR(tree, variant, horizon=HORIZON, alternating=alternating)
    for count in chunks:
        again = CFR(tree, variant, horizon=HORIZON, alternating=alternating)
        solver = again.restore(solver.state).run(count)
    for name in ("regret", "behaviour", "strategy_sum"):
        assert getattr(whole, name).tobytes() == getattr(solver.state, name).tobytes()
    assert whole.iteration == solver.state.iteration == sum(chunks)


@few
@given(random_games(max_players=2), st.integers(1, 60))
def test_the_bound_on_regret(game, iterations: int) -> None:
    """Zinkevich et al. 2007: the gain from one fixed deviation is at most the positive regrets.

    The gain against the average play of T rounds, T * max_b u(b) - sum_t u(s_t), is at most the
    sum over own infosets of the greatest positive regret, which is at most
    Delta * sum over infosets of sqrt(A * T), Delta the range of the player's payoffs.
    """
    assume(game.num_players == 2)  # then the average opponent is what their play amounts to
    tree = compile_game(game)
    solver = CFR(tree, "cfr", alternating=False)
    total = np.zeros(tree.num_players)
    for _ in range(iterations):
        total += evaluate(solver.current_strategy()).values
        solver.run(1)
    regrets = solver.regrets()
    best = evaluate(solver.average_strategy()).best_response_values
    for player in (0, 1):
        own = [i for i, p in enumerate(tree.infoset_player) if p == player]
        positive = sum(max(0.0, *regrets[tree.infoset_keys[i]].values()) for i in own)
        assert iterations * best[player] - total[player] <= positive + 1e-9
        spread = tree.max_payoff[player] - tree.min_payoff[player]
        bound = spread * sum(np.sqrt(len(tree.action_labels[i]) * iterations) for i in own)
        assert positive <= bound + 1e-9


@few
@given(random_games(zero_sum=True), st.integers(1, 60))
def test_small_regrets_make_an_equilibrium(game, iterations: int) -> None:
    """Average regrets of R0 and R1 make the averages an (R0 + R1)-equilibrium: NashConv <= sum."""
    tree = compile_game(game)
    solver = CFR(tree, "cfr", alternating=False).run(iterations)
    positive = sum(max(0.0, *row.values()) for row in solver.regrets().values())
    assert evaluate(solver.average_strategy()).nash_conv <= positive / iterations + 1e-9


@few
@given(random_games(zero_sum=True))
def test_the_linear_programme_and_cfr_find_one_value(game) -> None:
    tree = compile_game(game)
    exact = solve_lp(tree)
    proof = evaluate(exact.strategy)
    assert proof.nash_conv == pytest.approx(0.0, abs=1e-9)
    assert proof.values[0] == pytest.approx(exact.value, abs=1e-9)
    found = evaluate(CFR(tree, "cfr+").run(500).average_strategy())
    low = exact.value - found.nash_conv - 1e-9
    high = exact.value + found.nash_conv + 1e-9
    assert low <= found.values[0] <= high
    assert found.nash_conv < 0.1


@few
@given(random_games(), seeds, seeds, st.floats(0, 1))
def test_values_of_mixtures_of_one_player_are_means(game, one: int, two: int, weight) -> None:
    tree = compile_game(game)
    first = random_strategy(tree, one)
    second = first.replace(0, random_strategy(tree, two))
    mixed = evaluate(first.mix(second, weight)).values
    pairs = zip(evaluate(first).values, evaluate(second).values, strict=True)
    assert mixed == pytest.approx([(1 - weight) * a + weight * b for a, b in pairs], abs=1e-11)


@few
@given(random_games())
def test_sizes_and_fingerprints_are_the_same_each_time(game) -> None:
    one, other = compile_game(game), compile_game(game)
    assert one.fingerprint == other.fingerprint
    assert one.num_sequences == one.action_offset[-1] + one.num_players
    choices = one.sequence_form.sequence_of_public[~one.sequence_form.public_forced]
    assert len(np.unique(choices)) <= one.num_sequences - one.num_players
