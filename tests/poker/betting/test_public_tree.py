"""The public tree against a walk of the betting rules that shares no code with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.betting.actions import FOLD
from equilibrist.poker.betting.public_tree import (
    PublicTree,
    find_node,
    node_actions,
    node_line,
    public_tree,
)
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import BettingState, Phase, street_menus
from equilibrist.poker.betting.street_tree import (
    ACTION,
    CHANCE,
    SHOWDOWN,
    street_bettings,
    uses,
)
from equilibrist.poker.betting.street_tree import (
    FOLD as FOLDED,
)
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.spot.spots import FLOP, TURN
from tests.refusals import refuses

KIND = {
    Phase.DECISION: ACTION,
    Phase.DEAL: CHANCE,
    Phase.SHOWDOWN: SHOWDOWN,
    Phase.FOLD: FOLDED,
}
HEADLINE = BettingRules(180, 910, (street_menus("52%|55%|70%", "45%"),) * 2)


def walk(rules: BettingRules, state: BettingState) -> Iterator[BettingState]:
    """Every state of a betting."""
    yield state
    for action in rules.actions(state):
        yield from walk(rules, rules.next(state, action))
    if state.phase is Phase.DEAL:
        yield from walk(rules, rules.deal(state))


def put_in(state: BettingState) -> list[float]:
    """What each player has paid, added up from the actions of a line."""
    paid: list[float] = [0, 0]
    for street in state.line:
        bets: list[float] = [0, 0]
        for number, action in enumerate(street):
            if action.amount:
                bets[number % 2] = action.amount
            elif action.code == "C":
                bets[number % 2] = max(bets)
        paid = [paid[0] + bets[0], paid[1] + bets[1]]
    return paid


def assert_is_the_betting(tree: PublicTree, rules: BettingRules) -> None:
    states = list(walk(rules, rules.root()))
    assert len(states) == len(tree.kind)
    for state in states:
        node = find_node(tree, state.line)
        # a chance node and the street after it differ in the line, by an empty street
        assert node_line(tree, node) == state.line
        assert tree.kind[node] == KIND[state.phase]
        assert tree.street[node] == state.street
        assert tree.streets[state.street] <= node < tree.streets[state.street + 1]
        assert node_actions(tree, node) == rules.actions(state)
        nobody = state.phase in {Phase.DEAL, Phase.SHOWDOWN}
        assert tree.player[node] == (-1 if nobody else state.player)
        paid = put_in(state)
        assert tree.paid[node].tolist() == paid
        pot = rules.pot + 2 * min(paid)
        assert tree.pot[node] == pot
        win, tie, loss = tree.payoffs[node]
        if state.phase in {Phase.FOLD, Phase.SHOWDOWN}:
            won = pot - rules.rake(cast(int, pot))
            assert (win, tie, loss) == (won - min(paid), won / 2 - min(paid), -min(paid))
            assert win + loss == pytest.approx(2 * tie)
            assert tree.first_child[node] == -1
            assert tree.num_children[node] == 0
        else:
            assert (win, tie, loss) == (0, 0, 0)
            first = tree.first_child[node]
            assert first > node
            children = np.arange(first, first + tree.num_children[node])
            assert (tree.parent[children] == node).all()
    assert tree.parent[0] == -1


SPOTS = {
    "turn": Spot(**TURN, donks="||50%").rules(),
    "flop": Spot(**FLOP, rake="5%", rake_cap=30).rules(),
    "headline": HEADLINE,
    "river": replace(HEADLINE, first_street=2),
    "no bets": BettingRules(60, 100, (street_menus(),) * 2),
    "edited": replace(
        HEADLINE, added=("X-X|B33", "B50-C|X-B77"), removed=("X-B94-R260", "B94-C|X-X|B258")
    ),
}


@pytest.mark.parametrize("name", SPOTS)
def test_the_tree_is_the_betting(name: str) -> None:
    assert_is_the_betting(public_tree(SPOTS[name]), SPOTS[name])


MENUS = st.builds(
    street_menus,
    st.sampled_from(["", "50%", "30%, 120%", "a", "none|50%|e", "10c, a"]),
    st.sampled_from(["", "2.5x", "50%, a", "20c2r"]),
)


@given(
    menus=st.tuples(MENUS, MENUS),
    pot=st.integers(1, 400),
    stack=st.integers(1, 600),
    street=st.sampled_from([0, 1, 2]),
    rake=st.sampled_from([0.0, 0.05]),
    edited=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_any_tree_is_the_betting(
    menus: tuple[Any, Any], pot: int, stack: int, street: Any, rake: float, edited: bool
) -> None:
    rules = BettingRules(
        pot, stack, menus, street, raise_cap=1, rake_rate=rake,
        added=(f"X-B{stack // 2}",) if edited and stack > 1 else (),
    )  # fmt: skip
    assert_is_the_betting(public_tree(rules), rules)


def test_the_headline_spot_has_its_actions() -> None:
    tree = public_tree(HEADLINE)
    root = [str(action) for action in node_actions(tree, 0)]
    assert root == ["Check", "Bet 94"]
    bet = find_node(tree, HEADLINE.follow("B94")[0].line)
    assert [str(action) for action in node_actions(tree, bet)] == ["Fold", "Call", "Raise 260"]
    fold = int(tree.first_child[bet])
    assert tree.payoffs[fold].tolist() == [180, 90, 0]
    assert tree.player[fold] == 1
    assert node_actions(tree, fold) == ()


def test_streets_are_walked_once_for_all_lines_that_agree() -> None:
    bettings = street_bettings(HEADLINE)
    lines = uses(bettings)
    roots = [state for state in walk(HEADLINE, HEADLINE.root()) if not state.line[-1]]
    assert sum(lines) == len(roots)
    assert (len(bettings), len(roots)) == (15, 33)
    # of two lines to one pot, an edit of one sets it apart
    edited = street_bettings(replace(HEADLINE, added=("B94-C|B33",)))
    assert len(edited) > len(bettings)


def test_nodes_that_are_no_place_of_a_line() -> None:
    tree = public_tree(HEADLINE)
    for line in [((FOLD,),), ((), ()), (*HEADLINE.follow("X-X")[0].line, (FOLD,))]:
        with pytest.raises(KeyError):
            find_node(tree, line)


def test_arrays_are_read_only() -> None:
    arrays: list[Any] = [*public_tree(HEADLINE)]
    for array in arrays[:-1]:
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("raises", "cap", "advised"),
    [
        ("2x,3x,a", None, 1),
        ("2x,3x,a", 3, 1),
        ("2x,a", 2, 1),
        ("2x", 1, 0),
        ("2x", 0, None),
        ("", None, None),
    ],
)
def test_no_raise_cap_is_advised_that_is_set_or_cannot_help(
    raises: str, cap: int | None, advised: int | None
) -> None:
    spot = Spot(
        board="Td9d6h",
        oop="random",
        ip="random",
        pot=10,
        stack=1000,
        bets="10%,20%,33%,50%,75%,100%,a",
        raises=raises,
        raise_cap=cap,
    )
    with refuses(MemoryBudgetError, option="states", given=100) as caught:
        street_bettings(spot.rules(), 100)
    remedy = str(caught.value.remedy)
    assert ("raise cap" in remedy) == (advised is not None)
    assert advised is None or f"a raise cap of {advised}" in remedy


def test_bettings_that_are_too_large_are_refused() -> None:
    with refuses(MemoryBudgetError, option="most_nodes", given=482):
        public_tree(HEADLINE, most_nodes=482)
    assert len(public_tree(HEADLINE, most_nodes=483).kind) == 483
    states = sum(len(each.nodes.kind) for each in street_bettings(HEADLINE))
    assert len(street_bettings(HEADLINE, most_states=states)) > 3
    with refuses(MemoryBudgetError, option="states", given=248):
        street_bettings(HEADLINE, most_states=states - 1)


def test_raises_by_one_chip_without_end_are_refused() -> None:
    endless = BettingRules(10, 10**6, (street_menus("1c", "1c"),) * 2)
    with refuses(MemoryBudgetError, option="actions", given=100):
        street_bettings(endless)
