"""Value functions at a depth limit: what each answers, and what theory says of play above them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.search import OnlineSearch, Resolved, Subgames, resolve
from equilibrist.search.depth_limit import limited_rows
from equilibrist.search.leaf_values import (
    BoundValues,
    EquilibriumValues,
    HandPair,
    HistoryValues,
    LeafState,
    StrategyValues,
    TableValues,
    ZeroValues,
    ask,
)
from equilibrist.solvers.variants.families import dcfr
from equilibrist.typing import FloatArray
from tests.search.neighbours import Neighbours
from tests.search.trunks import DICE, LEDUC, noisy, search_game, subgames, trunk

FIRST_BET = ["??p", "??b"]
"""In Kuhn poker, the two lines after seat 0 moved."""


@cache
def beginning(game: str) -> Subgames:
    """The whole game as one subgame."""
    return Subgames.below(search_game(game), [0])


def state_of(strategy: eq.Strategy, game: str, name: str) -> LeafState:
    """A public state with the ranges of a strategy."""
    search = search_game(game)
    subgame = Subgames.of(search, name)
    plans = [search.own[p].reach(strategy.probabilities) for p in range(2)]
    return LeafState(subgame, HandPair(*(plans[p][subgame.hands[p].sequence] for p in range(2))))


def first_move(**options: Any) -> Resolved:
    """Kuhn poker solved for seat 0 down to its first move."""
    options = {"algorithm": "cfr+", "iterations": 12, "leaves": FIRST_BET, **options}
    return resolve(
        trunk("kuhn", "uniform"),
        roots=beginning("kuhn"),
        method="unsafe",
        completion=False,
        **options,
    )


@pytest.mark.parametrize("game", ["kuhn", LEDUC])
def test_values_of_a_strategy_are_what_it_earns(game: str) -> None:
    """Summed over all leaves with their ranges, and for each hand by its own row of the rules."""
    strategy = trunk(game, "random 1")
    names = FIRST_BET if game == "kuhn" else list(subgames("five").names)
    search = search_game(game)
    for name in names:
        state = state_of(strategy, game, name)
        first, second = StrategyValues(strategy)(state)
        ends = state.subgame.leaves
        plans = [search.own[p].reach(strategy.probabilities) for p in range(2)]
        reach = [plans[p][ends.sequence[:, p]] for p in range(2)]
        earned = (
            ends.value * search.game.scale
            + search.game.offset * search.public.pasts.chance[ends.place]
        )
        total = float((earned * reach[0] * reach[1]).sum())
        assert state.ranges[0] @ first == pytest.approx(total, abs=1e-12)
        assert state.ranges[1] @ second == pytest.approx(-total, abs=1e-12)
        hand = state.subgame.hands[0].of_start[ends.start]
        own = reach[0] / state.ranges[0][hand]
        by_hand = np.bincount(hand, earned * own * reach[1], len(first))
        np.testing.assert_allclose(first, by_hand, atol=1e-12)


@pytest.mark.parametrize(("game", "name"), [("kuhn", "??p"), ("kuhn", "??b"), (LEDUC, "??:cc")])
def test_values_of_an_equilibrium_are_zero_sum_for_any_ranges(game: str, name: str) -> None:
    """They are saddle points: each player's best responses to the other add up to the same."""
    subgame = Subgames.of(search_game(game), name)
    generator = np.random.default_rng(3)
    ranges = HandPair(*(generator.uniform(size=len(hands)) for hands in subgame.hands))
    state = LeafState(subgame, ranges)
    first, second = EquilibriumValues()(state)
    total = ranges[0] @ first + ranges[1] @ second
    assert total == pytest.approx(0.0, abs=1e-9)
    uniform = StrategyValues(eq.Strategy.uniform(subgame.search.tree))(state)
    assert ranges[0] @ first != pytest.approx(ranges[0] @ uniform[0])


@pytest.mark.parametrize(("game", "roots"), [("kuhn", FIRST_BET), (LEDUC, ["??:cc", "??:rrc"])])
def test_an_equilibrium_has_its_own_value_at_every_leaf(game: str, roots: list[str]) -> None:
    """The value of a subgame for the ranges of an equilibrium is what the equilibrium earns."""
    strategy = trunk(game, "lp")
    for name in roots:
        state = state_of(strategy, game, name)
        exact, played = EquilibriumValues()(state), StrategyValues(strategy)(state)
        for player in range(2):
            value = state.ranges[player] @ exact[player]
            assert value == pytest.approx(state.ranges[player] @ played[player], abs=1e-9)


@pytest.mark.parametrize("game", ["kuhn", LEDUC])
def test_with_an_equilibriums_own_values_its_play_above_is_optimal(game: str) -> None:
    """What is believed is the value of the game; but what is found may be exploited."""
    strategy = trunk(game, "lp")
    leaves = FIRST_BET if game == "kuhn" else "before chance"
    found = resolve(
        strategy,
        roots=beginning(game),
        method="unsafe",
        leaves=leaves,
        values=StrategyValues(strategy),
        completion=False,
    )
    value = search_game(game).value
    for seat in range(2):
        own = value if seat == 0 else -value
        believed = limited_value(found.strategy, game, leaves, strategy, seat)
        assert believed == pytest.approx(-own, abs=1e-8)
        assert limited_value(strategy, game, leaves, strategy, seat) == pytest.approx(
            -own, abs=1e-8
        )
    assert found.bound == (None, None)
    if game == LEDUC:
        assert sum(found.after) > 0.1  # no theorem says that it may not be


def limited_value(
    strategy: eq.Strategy, game: str, leaves: Any, below: eq.Strategy, seat: int
) -> float:
    """What the other seat's best response above the leaves earns, with fixed play below them."""
    whole, cut = beginning(game), Subgames.of(search_game(game), leaves)
    plan = whole.search.own[seat].reach(strategy.probabilities)
    worth = StrategyValues(below).payoffs(cut)
    return float(limited_hands(whole, cut, seat, worth, plan).sum())


def limited_hands(
    whole: Subgames, cut: Subgames, seat: int, worth: FloatArray, plan: FloatArray
) -> FloatArray:
    """The same by hand: the least that fulfils the rows of the seat with its plan."""
    rows = limited_rows(whole, cut, seat, eq.Strategy.uniform(whole.search.tree), [worth])
    width, count = len(rows.own), rows.num_hands
    cost = np.concatenate([np.zeros(rows.num_choices), np.ones(count)])
    limit = -(rows.fixed @ plan) - rows.response[:, :width] @ plan[rows.own]
    answer = linprog(cost, rows.response[:, width:], limit, bounds=(None, None))
    assert answer.status == 0
    return np.asarray(answer.x[-count:]) * whole.search.game.scale


@pytest.mark.parametrize(
    ("method", "seat"),
    [
        ("unsafe", 0),
        ("resolve", 1),
        ("max-margin", 0),
        ("max-margin(scale=raw)", 1),
        ("constrained", 1),
    ],
)
def test_gadget_games_tend_to_the_programmes_with_values_of_histories(
    method: str, seat: int
) -> None:
    """Both know the same values; what a best response above the leaves then earns, hand by hand."""
    tree = eq.compile_game(Neighbours())
    whole = Subgames.of(tree, "dealt:")
    cut = Subgames.of(whole.search, "dealt:p" if seat == 0 else "dealt:pb")
    strategy = noisy(eq.Strategy.uniform(tree), 0.3)
    values = StrategyValues(strategy)
    worth = values.payoffs(cut)
    reached = []
    for options in ({}, {"algorithm": "cfr+", "iterations": 200}):
        found = resolve(
            strategy,
            roots=whole,
            method=method,
            seats=[seat],
            leaves=list(cut.names),
            values=values,
            completion=False,
            **options,  # type: ignore[arg-type]
        )
        step = found.steps[0]
        plan = whole.search.own[seat].reach(found.strategy.probabilities)
        after = limited_hands(whole, cut, seat, worth, plan)
        reach = np.array([hand.reach for hand in step.hands])
        alternative = np.array([hand.alternative for hand in step.hands])
        weight = np.array([hand.weight for hand in step.hands])
        if method == "unsafe":
            reached.append(reach @ after)
        elif method == "resolve":
            reached.append(np.maximum(after, alternative).sum())
        elif method == "constrained":
            reached.append(reach @ after + 10.0 * np.maximum(after - alternative, 0.0).sum())
        else:
            unit = weight if method == "max-margin" else 1.0
            reached.append(-((alternative - after) / unit).min())
    assert reached[1] == pytest.approx(reached[0], abs=4e-3)


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("unsafe", "trunk"),
        ("resolve", "zero"),
        ("max-margin", "trunk"),
        ("max-margin(scale=raw)", "equilibrium"),
        ("constrained", "equilibrium"),
    ],
)
def test_what_both_players_are_paid_in_any_case_changes_nothing(method: str, values: str) -> None:
    plays = []
    for bonus in (0.0, 2.0):
        tree = eq.compile_game(Neighbours(bonus=bonus))
        found = resolve(
            noisy(eq.Strategy.uniform(tree), 0.3),
            roots="dealt:",
            method=method,
            leaves="dealt:b",  # what lies beside it has payoffs of its own,
            values=values,
            algorithm="cfr+",
            iterations=4,
            seats=[0],
            completion=False,
        )
        plays.append(found.strategy.probabilities)
        assert (found.strategy.probabilities != found.trunk.probabilities).any()
    np.testing.assert_allclose(plays[0], plays[1], atol=1e-8)


def test_play_above_exact_values_tends_to_an_equilibrium() -> None:
    """CFR-D: completed at best, the average play above the leaves loses ever less."""
    best = [
        resolve(
            first_move(values="equilibrium", iterations=count, seats=[0]).strategy,
            roots=FIRST_BET,
            method="resolve",
        ).completion
        for count in (2, 12)
    ]
    (early, _), (late, _) = best
    assert early is not None
    assert late is not None
    assert late < 0.02 < early


@pytest.mark.slow
def test_play_above_exact_values_converges() -> None:
    losses = []
    for count in (50, 400):
        found = first_move(values="equilibrium", iterations=count, algorithm="cfr", seats=[0])
        completed = resolve(found.strategy, roots=FIRST_BET, method="resolve").completion[0]
        assert completed is not None
        losses.append(completed)
    assert losses[1] < losses[0] / 2
    assert losses[1] < 0.005


def test_any_object_of_the_protocol_will_do() -> None:
    asked: list[str] = []

    def nothing(state: LeafState) -> tuple[FloatArray, FloatArray]:
        asked.append(state.name)
        assert state.chance.shape == tuple(map(len, state.hands))
        return np.zeros(len(state.hands[0])), np.zeros(len(state.hands[1]))

    own, ours = first_move(values=nothing), first_move(values="zero")
    assert set(asked) == set(FIRST_BET)
    np.testing.assert_array_equal(own.strategy.probabilities, ours.strategy.probabilities)
    known = StrategyValues(trunk("kuhn", "random 1"))  # unlike zeros, they are not all alike
    own, other = first_move(values=lambda state: known(state)), first_move(values=known)
    np.testing.assert_array_equal(own.strategy.probabilities, other.strategy.probabilities)
    assert not np.allclose(own.strategy.probabilities, ours.strategy.probabilities)
    np.testing.assert_array_equal(
        first_move(values=ZeroValues()).strategy.probabilities, ours.strategy.probabilities
    )


def test_a_value_function_may_fill_the_same_arrays_again() -> None:
    values = StrategyValues(trunk("kuhn", "random 1"))
    buffers = np.zeros(3), np.zeros(3)

    def reusing(state: LeafState) -> tuple[FloatArray, FloatArray]:
        for buffer, worth in zip(buffers, values(state), strict=True):
            buffer[:] = worth
        return buffers

    own, ours = (
        first_move(values=function, leaves=["??b", "??pb"]).strategy
        for function in (reusing, lambda state: values(state))
    )
    np.testing.assert_array_equal(own.probabilities, ours.probabilities)


def test_a_value_function_may_change_the_ranges_that_it_gets() -> None:
    state = state_of(trunk("kuhn", "random 1"), "kuhn", "??p")
    kept = [ranges.copy() for ranges in state.ranges]

    def spoiling(asked: LeafState) -> HandPair:
        for ranges in asked.ranges:
            ranges[:] = 0.0
        return asked.masses

    ask(spoiling, state)
    np.testing.assert_array_equal(state.ranges, kept)


class Wrong(HistoryValues):
    """Values of histories that are none."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def payoffs(self, subgames: Subgames) -> FloatArray:
        return np.asarray(self.answer(len(subgames.start)))


@pytest.mark.parametrize("solver", [{"algorithm": "lp", "iterations": None}, {}])
@pytest.mark.parametrize(
    ("answer", "given"),
    [
        (lambda count: np.zeros(count - 1), None),
        (lambda count: np.full(count, np.inf), None),
        (lambda count: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_values_of_histories_are_checked(answer: Any, given: Any, solver: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as refused:
        first_move(values=Wrong(answer), **solver)
    assert refused.value.option == "values"
    assert refused.value.place in FIRST_BET
    if given is not None:
        assert refused.value.given == given


@pytest.mark.parametrize("player", [2, -1, True, 0.5])
def test_bounds_are_those_of_a_player(player: Any) -> None:
    with pytest.raises(ConfigError) as refused:
        BoundValues(player)
    assert refused.value.option == "player"


@pytest.mark.parametrize(
    "options",
    [
        {"values": "trunk", "growth": 1, "method": "unsafe"},
        {"values": "zero", "algorithm": "cfr+", "iterations": 5, "method": "resolve"},
        {"values": "trunk", "growth": 1, "method": "obscuro"},
    ],
)
def test_online_play_down_to_leaves_has_the_bits_of_offline_play(options: dict[str, Any]) -> None:
    tree = eq.compile_game(Neighbours())
    strategy = noisy(eq.Strategy.uniform(tree), 0.3)
    searches = [
        OnlineSearch.of(strategy, roots="dealt:", leaves=["dealt:b", "dealt:p"], **options)
        for _ in range(2)
    ]
    offline = searches[0].offline(completion=False)
    for infoset in range(tree.num_infosets):
        row = offline.strategy.probabilities[tree.actions_of(infoset)]
        np.testing.assert_array_equal(searches[1].play(infoset), row)
    assert offline.bound == (None, None)
    assert (offline.strategy.probabilities != strategy.probabilities).any()


def test_variants_with_parameters_are_followed_as_such() -> None:
    plays = [
        first_move(values="trunk", algorithm=algorithm).strategy.probabilities
        for algorithm in ("dcfr(gamma=5)", dcfr(gamma=5), "dcfr")
    ]
    np.testing.assert_array_equal(plays[0], plays[1])
    assert not np.array_equal(plays[0], plays[2])


def test_a_table_answers_what_was_written_down() -> None:
    strategy = trunk("kuhn", "lp")
    states = {name: state_of(strategy, "kuhn", name) for name in FIRST_BET}
    table = TableValues.of(EquilibriumValues(), states)
    for state in states.values():
        for written, exact, mass in zip(
            table(state), EquilibriumValues()(state), state.masses, strict=True
        ):
            np.testing.assert_allclose(written[mass > 0], exact[mass > 0], atol=1e-12)
    best = {"1": "??p", "2": "??b", "3": "??p"}
    none = dict.fromkeys(best, 0.0)
    told = {name: ({hand: float(best[hand] == name) for hand in best}, none) for name in FIRST_BET}
    found = first_move(values=TableValues(told), seats=[0], iterations=40)
    for hand, name in best.items():
        at = found.strategy.tree.actions_of(found.strategy.tree.index(hand))
        row = found.strategy.probabilities[at]
        assert row[FIRST_BET.index(name)] > 0.95
    with pytest.raises(ConfigError) as refused:
        first_move(values=TableValues({"??p": table.table["??p"]}))
    assert refused.value.option == "values"


def test_bounds_are_the_most_that_anybody_can_earn() -> None:
    """After a bet in Kuhn poker: 2 if the other one calls with less, else what a fold brings."""
    bet = Subgames.of(search_game("kuhn"), "??b")
    first, second = (np.array(hands.labels)[hands.of_start] for hands in bet.hands)
    np.testing.assert_array_equal(BoundValues(0).payoffs(bet), np.where(first > second, 2.0, 1.0))
    np.testing.assert_array_equal(BoundValues(1).payoffs(bet), np.where(first < second, -2.0, 1.0))
    subgame = Subgames.of(search_game(DICE), "after move 2")
    most = BoundValues(0).payoffs(subgame)
    least = BoundValues(1).payoffs(subgame)
    assert set(most.tolist()) <= {1.0, -1.0}
    for kind in ("uniform", "random 1", "lp"):
        worth = StrategyValues(trunk(DICE, kind)).payoffs(subgame)
        assert (worth <= most + 1e-12).all()
        assert (worth >= least - 1e-12).all()


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"values": 3}, "values"),
        ({"values": lambda state: (np.zeros(2), np.zeros(3))}, "values"),
        ({"values": lambda state: (np.full(3, np.nan), np.zeros(3))}, "values"),
        ({"values": lambda state: 1 / 0}, "values"),
        ({"values": "zero", "responses": 2}, "responses"),
        ({"values": "zero", "continuations": ["bet"]}, "continuations"),
        ({"values": "zero", "sampling": "external"}, "sampling"),
        ({"values": "equilibrium", "algorithm": "lp", "iterations": None}, "values"),
        ({"values": "zero", "algorithm": "hedge"}, "algorithm"),
        ({"values": "zero", "growth": -1}, "growth"),
        ({"algorithm": "cfr+"}, "leaves"),
        ({"values": "zero", "leaves": None}, "values"),
        ({"growth": 2, "leaves": None}, "growth"),
    ],
)
def test_wrong_options(options: dict[str, Any], option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        first_move(**options)
    assert refused.value.option == option


@pytest.mark.parametrize(
    ("option", "given"),
    [("continuations", ["bet"]), ("responses", 2), ("values", "zero"), ("growth", 1)],
)
def test_what_is_for_leaves_is_refused_without_them(option: str, given: Any) -> None:
    strategy = trunk("kuhn", "uniform")
    for solve in (resolve, OnlineSearch.of):
        with pytest.raises(ConfigError) as refused:
            solve(strategy, roots=FIRST_BET, **{option: given})
        assert refused.value.option == option


def test_unknown_values_and_values_of_another_game() -> None:
    with pytest.raises(UnknownNameError):
        first_move(values="nothing")
    with pytest.raises(MismatchError):
        first_move(values=StrategyValues(trunk(DICE, "uniform")))
