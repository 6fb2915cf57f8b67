"""Hands solved by what they know: the sets by enumeration, safety, limits, and purification."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError
from equilibrist.search import (
    METHODS,
    OnlineSearch,
    Subgames,
    TrunkValues,
    get_search_method,
    resolve,
)
from equilibrist.search.gadgets import GadgetGame
from equilibrist.search.knowledge import Scope, knowledge_set
from equilibrist.search.leaf_values import BoundValues, LeafState
from equilibrist.search.programmes import solve_by_programme, task_of
from equilibrist.search.resolving import Resolver
from equilibrist.search.seat_task import SeatTask
from tests.search.neighbours import Neighbours
from tests.search.trunks import LEDUC, ROOTS, ROUNDING, noisy, subgames, trunk

LIMITED = ["knowledge-limited", "resolve(order=1)", "constrained(order=1)", "reach(order=1)"]


@cache
def numbers(*, islands: bool = False) -> Subgames:
    """All that follows on the deal."""
    return Subgames.of(eq.compile_game(Neighbours(islands=islands)), "dealt:")


@cache
def mixed(*, islands: bool = False) -> eq.Strategy:
    """An equilibrium with some noise."""
    return noisy(eq.solve(numbers(islands=islands).search.tree, "lp").strategy, 0.2)


def losses(strategy: eq.Strategy) -> list[float]:
    """What best responses earn against each seat."""
    return list(eq.evaluate(strategy).best_response_values)[::-1]


def test_knowledge_is_what_steps_through_infosets_reach() -> None:
    found = numbers()
    pairs = [(n, m) for n in range(4) for m in (n, n + 1)]
    assert len(found.start) == len(pairs)
    for player in range(2):
        for hand in range(len(found.hands[player])):
            inside = set(np.flatnonzero(found.hands[player].of_start == hand).tolist())
            for order in range(1, 12):
                known = knowledge_set(found, player, hand, order)
                assert set(np.flatnonzero(known).tolist()) == inside
                inside |= {
                    other
                    for other, pair in enumerate(pairs)
                    for k in inside
                    if pair[0] == pairs[k][0] or pair[1] == pairs[k][1]
                }
            assert inside == set(range(len(pairs)))


def test_knowledge_never_leaves_its_island() -> None:
    found = numbers(islands=True)
    sizes = {
        int(knowledge_set(found, player, hand, 99).sum())
        for player in range(2)
        for hand in range(len(found.hands[player]))
    }
    assert sizes == {3, 4}  # 00 01 11, and 22 23 33 34


def test_a_scope_of_the_first_order_is_one_hand_and_what_it_may_meet() -> None:
    found = numbers()
    frozen, free = (Scope.of(found, 0, 1, 1, frozen=is_frozen) for is_frozen in (True, False))
    assert frozen.free.tolist() == [False, True, False, False]
    assert free.free.tolist() == [True, True, True, False]
    for scope in (frozen, free):
        assert scope.met.sum() == 2  # 1 and 2
        assert scope.starts.sum() == 4
    wider = Scope.of(found, 0, 1, 2)
    assert wider.free.tolist() == [True, True, True, False]
    assert len(frozen.rows(found).own) < len(wider.rows(found).own) < len(found.seats[0].own)


@pytest.mark.parametrize("frozen", ["true", "false"])
@pytest.mark.parametrize("name", ["max-margin", "resolve", "constrained", "unsafe"])
def test_knowledge_of_all_orders_is_the_common_subgame(name: str, frozen: str) -> None:
    """A programme of the same optimum; each hand's own play is a part of a solution of it."""
    strategy, found = mixed(), numbers()
    whole = resolve(strategy, roots=found, method=name, completion=False)
    parts = resolve(
        strategy, roots=found, method=f"{name}(order=99,frozen={frozen})", completion=False
    )
    for step, part in zip(whole.steps, parts.steps, strict=True):
        assert part.objective == pytest.approx(step.objective, abs=1e-9)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("method", "roots", "kind"),
    [
        *((method, "five", "cfr+ 100") for method in LIMITED),
        ("knowledge-limited", "one bid", "noise 0.01"),
    ],
)
def test_one_hand_is_safe_where_all_at_once_are_not(method: str, roots: str, kind: str) -> None:
    strategy, found = trunk(ROOTS[roots][0], kind), subgames(roots)
    before = losses(strategy)
    resolver = Resolver.of(method)
    assert not resolver.is_proven
    for seat in range(2):
        own = found.search.own[seat]
        play = resolver.solve(found, strategy, seat, hand=1).play
        probabilities = strategy.probabilities.copy()
        probabilities[own.flat] = play.behaviour
        after = losses(eq.Strategy(strategy.tree, probabilities))
        assert after[seat] <= before[seat] + ROUNDING
    turn = resolve(strategy, roots=found, method=method, in_turn=True, completion=False)
    assert turn.bound == (0.0, 0.0)
    assert max(np.subtract(turn.after, turn.before)) <= ROUNDING


@pytest.mark.parametrize(
    ("order", "frozen", "is_proven"),
    [(1, True, True), (1, False, False), (2, True, False), (99, True, False), (99, False, False)],
)
def test_in_turn_only_a_hand_with_all_others_fixed_is_proven(
    order: int, frozen: bool, is_proven: bool
) -> None:
    """From order 2 on a hand counts on solutions of others that nobody plays."""
    spec = f"resolve(order={order},frozen={str(frozen).lower()})"
    assert Resolver.of(spec, in_turn=True).is_proven is is_proven


def test_hands_in_turn_with_knowledge_of_the_second_order_may_cost_a_seat() -> None:
    found = resolve(
        trunk(LEDUC, "cfr+ 100"),
        roots=subgames("five"),
        method="resolve(order=2)",
        in_turn=True,
        completion=False,
    )
    assert found.bound == (None, None)
    assert min(np.subtract(found.after, found.before)) > 0.05


def test_all_hands_at_once_may_cost_a_seat() -> None:
    found = resolve(
        trunk(LEDUC, "cfr+ 100"),
        roots=subgames("five"),
        method="knowledge-limited",
        completion=False,
    )
    assert found.bound == (None, None)
    assert sum(found.after) > 1.5 * sum(found.before)


@pytest.mark.drawn(20)
@pytest.mark.by_default(4)
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("spec", ["max-margin", "resolve", "resolve(deals=mixed)", "unsafe"])
@pytest.mark.parametrize("frozen", [True, False])
def test_the_value_of_a_gadget_game_in_a_scope_is_the_optimum(
    spec: str, order: int, frozen: bool
) -> None:
    strategy, found = mixed(), numbers()
    method = get_search_method(spec)
    for seat in range(2):
        scope = Scope.of(found, seat, 1, order, frozen=frozen)
        values = TrunkValues.of(found, strategy, seat)
        task = task_of(values, method, scope=scope)
        game = GadgetGame(task, 0)
        assert eq.check_game(game).ok
        tree = eq.compile_game(game)
        evaluation = eq.solve(tree, "lp").evaluation
        assert evaluation is not None
        here = task.counted
        # o's values in the scope alone: by its rows, as hands outside may be left out.
        plan = solve_by_programme(task).plan
        after = values_in(task, plan)[here]
        alternatives, weight = values.payoffs(task.alternatives)[here], values.weight[here]
        if method.goal == "range":
            wanted = float(values.reach[here] @ after)
        elif method.goal == "excess":
            wanted = float(task.deals[here] @ np.maximum(after, alternatives))
        else:
            wanted = -float(((alternatives - after) / weight).min()) * float(values.total[0])
        assert game.scale * evaluation.values[1 - seat] == pytest.approx(wanted, abs=1e-8)


def values_in(task: SeatTask, plan: Any) -> Any:
    """What o's best responses earn with each hand in the root histories of a scope."""
    rows, values = task.rows, task.trunk
    own = values.subgames.search.own[1 - values.player]
    earned = rows.payoff @ plan
    at_end = np.zeros(own.plans.size)
    at_end[rows.sequences] = earned[: len(rows.sequences)]
    best = own.best(at_end).infoset
    first = rows.hand_of >= 0
    below = np.bincount(rows.hand_of[first], best[rows.infosets[first]], len(values.weight))
    return values.payoffs(earned[len(rows.sequences) :] + below)


def test_mixed_deals_give_every_hand_half_an_equal_share() -> None:
    found, strategy = subgames("five"), trunk(LEDUC, "noise 0.2")
    values = TrunkValues.of(found, strategy, 0)
    task = task_of(values, get_search_method("resolve(deals=mixed)"))
    for root in range(len(found)):
        here = found.hands[1].at(root)
        share = task.deals[here] * values.weight[here] / values.total[root]
        reach = values.reach[here]
        np.testing.assert_allclose(share, (reach / reach.sum() + 1 / len(here)) / 2)
    never = task_of(values, get_search_method("resolve"))
    assert (never.deals == 1.0).all()


def test_hands_in_turn_by_gadget_games_stay_within_their_bound() -> None:
    strategy = trunk(LEDUC, "cfr+ 100")
    found = resolve(
        strategy,
        roots=["??:cc", "??:rc"],
        method="resolve(order=1,deals=mixed)",
        algorithm="cfr+",
        iterations=30,
        in_turn=True,
        completion=False,
    )
    for seat in range(2):
        bound = found.bound[seat]
        assert bound is not None
        assert found.after[seat] - found.before[seat] <= bound


def test_after_ctrl_c_hands_alone_say_nothing_of_roots_that_were_not_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*given: Any, **options: Any) -> Any:
        return replace(eq.solve(*given, **options), stopped_by="interrupted")

    monkeypatch.setattr("equilibrist.search.gadget_runs.solve", interrupted)
    found = resolve(
        trunk(LEDUC, "cfr+ 100"),
        roots=subgames("five"),
        method="knowledge-limited",
        algorithm="cfr+",
        iterations=2,
        completion=False,
    )
    assert found.interrupted
    solved = [step for step in found.steps if step.gap is not None]
    assert len(solved) == 1
    assert [step for step in found.steps if step.margin is not None] == solved


@pytest.mark.parametrize(
    ("method", "again"),
    [("obscuro", False), ("knowledge-limited", False), ("obscuro", True)],
)
def test_online_play_has_the_bits_of_offline_play(method: str, again: bool) -> None:
    strategy = mixed()
    tree = strategy.tree
    offline = OnlineSearch.of(strategy, roots="dealt:", method=method, again=again).offline()
    online = OnlineSearch.of(strategy, roots="dealt:", method=method, again=again)
    for infoset in range(0, tree.num_infosets, 3):
        row = offline.strategy.probabilities[tree.actions_of(infoset)]
        np.testing.assert_array_equal(online.play(infoset), row)
    if not again:
        fresh = OnlineSearch.of(strategy, roots="dealt:", method=method)
        fresh.play(0)
        assert fresh.solves == 1  # one hand of several


@pytest.mark.parametrize("count", [1, 2])
def test_purified_play_has_the_most_likely_actions(count: int) -> None:
    strategy = trunk(LEDUC, "noise 0.2")
    plain = resolve(strategy, roots=subgames("five"), completion=False)
    pure = resolve(
        strategy, roots=subgames("five"), method=f"max-margin(purify={count})", completion=False
    )
    tree = strategy.tree
    for infoset in np.flatnonzero(subgames("five").inside).tolist():
        at = tree.actions_of(infoset)
        row, wanted = pure.strategy.probabilities[at], plain.strategy.probabilities[at].copy()
        wanted[np.argsort(-wanted, kind="stable")[count:]] = 0.0
        np.testing.assert_allclose(row, wanted / wanted.sum())
    assert pure.bound == (None, None)


@pytest.mark.parametrize(
    ("spec", "option"),
    [
        ("max-margin(order=0)", "order"),
        ("max-margin(purify=-1)", "purify"),
        ("obscuro(frozen=2)", "frozen"),
    ],
)
def test_wrong_parameters(spec: str, option: str) -> None:
    with pytest.raises(ConfigError) as refused:
        get_search_method(spec)
    assert refused.value.option == option


@pytest.mark.parametrize("frozen", ["true", "false"])
@pytest.mark.parametrize("algorithm", ["lp", "cfr+"])
def test_hands_alone_down_to_leaves(algorithm: str, frozen: str) -> None:
    """With knowledge of all orders it is what all hands are solved with at once."""
    strategy, found = mixed(), numbers()
    options: dict[str, Any] = {"algorithm": algorithm}
    if algorithm != "lp":
        options["iterations"] = 20
    plays = [
        resolve(
            strategy,
            roots=found,
            method=f"max-margin{order}",
            leaves=["dealt:b", "dealt:pb"],
            values="trunk",
            completion=False,
            **options,
        )
        for order in ("", f"(order=9,frozen={frozen})")
    ]
    whole, parts = (play.strategy.probabilities for play in plays)
    np.testing.assert_allclose(whole, parts, atol=1e-9)
    assert (whole != strategy.probabilities).any()


@pytest.mark.parametrize("frozen", ["true", "false"])
def test_a_limit_of_one_hand_grows_to_all_that_is_solved_with_it(frozen: str) -> None:
    strategy, found = mixed(), numbers()
    method = f"max-margin(order=1,frozen={frozen})"
    limit: dict[str, Any] = {"leaves": ["dealt:b", "dealt:p"], "values": BoundValues(0)}
    whole, grown, limited = (
        resolve(strategy, roots=found, method=method, seats=[0], completion=False, **options)
        for options in ({}, limit | {"growth": 9}, limit)
    )
    assert grown.steps[0].objective == pytest.approx(whole.steps[0].objective, abs=1e-8)
    assert limited.steps[0].objective != pytest.approx(whole.steps[0].objective, abs=1e-3)


def test_a_frozen_hand_comes_to_leaves_as_the_trunk_does() -> None:
    """A value function is asked about ranges in which only the free hand may differ."""
    strategy, found = mixed(), numbers()
    own = found.search.own[0].reach(strategy.probabilities)
    asked: list[np.ndarray[Any, Any]] = []

    def nothing(state: LeafState) -> tuple[Any, Any]:
        plan = own[state.subgame.hands[0].sequence]
        asked.append(np.abs(state.ranges[0] - plan) > 1e-12)
        asked.append(state.ranges[0] == 0.0)
        return np.zeros(len(state.ranges[0])), np.zeros(len(state.ranges[1]))

    resolve(
        strategy,
        roots=found,
        method="resolve(order=1)",
        seats=[0],
        leaves=["dealt:b", "dealt:p"],
        values=nothing,
        algorithm="cfr+",
        iterations=3,
        completion=False,
    )
    for differs, is_absent in zip(asked[::2], asked[1::2], strict=True):
        assert (differs & ~is_absent).sum() <= 1
        assert is_absent.any()  # whom hands of the opponent that are met never meet


def test_names_of_methods() -> None:
    assert METHODS["obscuro"].spec == "obscuro"
    assert get_search_method("obscuro(frozen=true,order=2)").spec == "obscuro(order=2,frozen=true)"
