"""Moves that a trunk never makes: found, carried over from a smaller game, answered on the way."""

from __future__ import annotations

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, MismatchError
from equilibrist.search import OnlineSearch, SearchGame, resolve
from equilibrist.search.off_menu import carried_over, off_menu_roots
from tests.search.pot_bets import PotBets
from tests.search.trunks import LEDUC, search_game


def without_raises(first: bool) -> eq.Strategy:
    """Play of Leduc in which seat 0 never raises first: in both rounds, or in the second alone."""
    tree = search_game(LEDUC).tree
    probabilities = eq.solve(tree, "cfr+", iterations=30).strategy.probabilities.copy()
    for number, key in enumerate(tree.infoset_keys):
        actions = tree.actions_of(number)
        before, _, second = key.partition("/")
        opens = ":" not in second if second else (first and ":" not in before)
        if tree.infoset_player[number] == 0 and opens:
            at = tree.action_labels[number].index("raise")
            row = probabilities[actions]
            row[at] = 0.0
            row[:] = row / row.sum() if row.sum() else [1.0, 0.0]
    return eq.Strategy(tree, probabilities)


def test_a_bet_of_a_wider_game_is_found_and_answered() -> None:
    narrow = eq.solve(eq.compile_game(PotBets()), "cfr+", iterations=20).strategy
    tree = eq.compile_game(PotBets((0, 0.75)))
    strategy = carried_over(tree, narrow.to_dict())
    assert eq.evaluate(strategy).values[0] == pytest.approx(eq.evaluate(narrow).values[0])
    search = OnlineSearch.of(strategy, method="resolve", nested=True)
    names = [search.search.public.names[root] for root in search.roots]
    assert "??:x" in names
    assert len(search.stages(1)) + len(search.stages(0)) == len(search.roots)
    alone = resolve(
        strategy, roots="??:x", method="resolve", seats=[1], nested=True, completion=False
    )
    node = search.roots[names.index("??:x")]
    step = search._solve(node, 1).seat
    plan = step.task.trunk.against(step.play.plan)
    after = [hand.after for hand in alone.step("??:x", 1).hands]
    np.testing.assert_allclose(step.task.trunk.payoffs(plan), after, atol=1e-9)
    infoset = tree.index("J:x")
    row = alone.strategy.probabilities[tree.actions_of(infoset)]
    np.testing.assert_array_equal(search.play(infoset), row)


def test_alternatives_know_no_move_off_the_menu() -> None:
    """What the trunk plays after such moves further down does not matter."""
    tree = search_game(LEDUC).tree
    strategy = without_raises(first=True)
    changed = strategy.probabilities.copy()
    for number, key in enumerate(tree.infoset_keys):
        if tree.infoset_player[number] == 1 and "/" in key and key.endswith(":r"):
            row = np.zeros(len(tree.action_labels[number]))
            row[0] = 1.0  # folds to everything
            changed[tree.actions_of(number)] = row
    steps = []
    for probabilities in (strategy.probabilities, changed):
        search = OnlineSearch.of(eq.Strategy(tree, probabilities), method="resolve", nested=True)
        names = [search.search.public.names[root] for root in search.roots]
        assert any("/" in name for name in names)
        step = next(s for s in search.offline(completion=False).steps if s.root == "??:r")
        steps.append([hand.alternative for hand in step.hands])
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-12)


def test_what_is_off_the_menu() -> None:
    search = search_game(LEDUC)
    assert "??:r" in {search.public.names[k] for k in off_menu_roots(search, without_raises(True))}
    second = off_menu_roots(search, without_raises(False))
    public, passed = search.public, ["cc", "crc", "crrc", "rc", "rrc"]
    assert {public.names[k] for k in second} == {
        f"??:{first}/{board}:r" for first in passed for board in "JQK"
    }
    assert (public.below(second)[public.parent[list(second)]] < 0).all()
    with pytest.raises(ConfigError) as none:
        off_menu_roots(search, eq.Strategy.uniform(search.tree))
    assert none.value.option == "nested"


def test_roots_that_nobody_answers_are_refused() -> None:
    """A board follows on no move of a player."""
    with pytest.raises(ConfigError) as refused:
        OnlineSearch.of(
            eq.Strategy.uniform(search_game(LEDUC).tree),
            roots="after chance",
            method="resolve",
            nested=True,
        )
    assert refused.value.option == "nested"


def test_bad_arguments() -> None:
    tree = search_game(LEDUC).tree
    uniform = eq.Strategy.uniform(tree)
    for options, option in (
        ({"roots": "??:r", "nested": True, "again": True}, "again"),
        ({"roots": "??:r", "nested": True, "alternatives": lambda v: v.weight}, "alternatives"),
        ({}, "roots"),
        ({"nested": 1}, "nested"),
    ):
        with pytest.raises(ConfigError) as refused:
            OnlineSearch.of(uniform, **options)
        assert refused.value.option == option
    with pytest.raises(MismatchError) as other:
        carried_over(tree, {"nowhere": {"call": 1.0}})
    assert other.value.option == "trunk"
    first = {key: row for key, row in uniform.to_dict().items() if "/" not in key}
    with pytest.raises(MismatchError) as later:  # which the play before them leads to
        carried_over(tree, first)
    assert later.value.option == "trunk"
    assert "/" in str(later.value.given)
    key = tree.infoset_keys[0]
    with pytest.raises(MismatchError) as move:
        carried_over(tree, {key: {"jump": 1.0}})
    assert move.value.given == "jump"


def test_the_mover_of_public_nodes() -> None:
    public = SearchGame.of(eq.compile_game("kuhn")).public
    movers = dict(zip(public.names, public.mover.tolist(), strict=True))
    first = dict.fromkeys(("??p", "??b", "??pbp", "??pbb"), 0)
    second = dict.fromkeys(("??pp", "??pb", "??bp", "??bb"), 1)
    assert movers == {"": -1, "?": -1, "??": -1} | first | second
