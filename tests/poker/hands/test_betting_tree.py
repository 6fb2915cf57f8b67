"""Betting trees of whole hands: published counts, arrays against the rules, and limits of size."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import MemoryBudgetError
from equilibrist.poker.hands.betting import called, deal, folded, raised, start
from equilibrist.poker.hands.betting_tree import BettingTree, betting_tree, count_nodes
from equilibrist.poker.hands.menu import HandMenu, offered
from equilibrist.poker.hands.rules import HoldemRules, position_names
from equilibrist.poker.hands.state import DEAL, DECISION, FOLDED, SHOWDOWN, HandState


def heads_up(big_blinds: int) -> HoldemRules:
    return HoldemRules((100 * big_blinds,) * 2, (50, 100))


def limit_holdem(seats: int = 2) -> HoldemRules:
    return HoldemRules(
        (5000,) * seats,
        (50, 100, *[0] * (seats - 2)),
        limit="limit",
        bets=(100, 100, 200, 200),
        raise_cap=3,
    )


def test_limit_holdem_has_the_published_decisions_and_actions() -> None:
    size = count_nodes(limit_holdem(), None)
    assert size.decisions == (8, 70, 630, 5670)
    assert size.actions == (21, 182, 1638, 14742)
    assert size.deals == (7, 63, 567, 0)


@pytest.mark.parametrize(
    ("big_blinds", "decisions"),
    [(20, (12, 36, 76, 132)), (100, (20, 100, 340, 900)), (200, (20, 100, 340, 900))],
)
def test_pot_and_all_in_has_the_published_decisions(
    big_blinds: int, decisions: tuple[int, ...]
) -> None:
    rules = heads_up(big_blinds)
    menu = HandMenu.read(rules, "100%,a", "100%,a", 4)
    assert count_nodes(rules, menu).decisions == decisions


@pytest.mark.parametrize(
    ("big_blinds", "decisions"),
    [
        (20, (24, 144, 536, 1456)),
        (100, (36, 284, 1516, 6108)),
        (200, (36, 356, 2356, 11140)),
    ],
)
def test_half_pot_then_pot_has_the_published_decisions(
    big_blinds: int, decisions: tuple[int, ...]
) -> None:
    rules = heads_up(big_blinds)
    menu = HandMenu.read(rules, "50%,100%,a", "100%,a", (4, 2, 2, 2))
    assert count_nodes(rules, menu).decisions == decisions


def _played(rules: HoldemRules, menu: HandMenu | None, state: HandState) -> list[HandState]:
    """All states of a hand in preorder, by the rules alone."""
    found = [state]
    if state.kind == DEAL:
        return found + _played(rules, menu, deal(rules, state))
    for action in offered(rules, menu, state):
        after = (
            folded(rules, state)
            if action.code == "F"
            else called(rules, state)
            if action.code in "XC"
            else raised(rules, state, int(action.amount))
        )
        found += _played(rules, menu, after)
    return found


@pytest.mark.parametrize("seats", [2, 3])
def test_the_arrays_say_what_the_rules_say(seats: int) -> None:
    stacks = (900, 400, 1500)[:seats]
    rules = HoldemRules(stacks, (50, 100, 0)[:seats], antes=(10,) * seats, board=(0, 3, 1))
    menu = HandMenu.read(rules, "2.5x|60%,a|a", "3x, a", 1)
    tree, states = betting_tree(rules, menu), _played(rules, menu, start(rules))
    assert tree.num_nodes == len(states) == count_nodes(rules, menu).nodes
    assert sum(array.nbytes for array in tree[:-1]) == count_nodes(rules, menu).num_bytes
    assert tree.kind.tolist() == [state.kind for state in states]
    assert tree.player.tolist() == [state.player for state in states]
    assert tree.street.tolist() == [state.street for state in states]
    assert tree.stake.tolist() == [list(state.stakes) for state in states]
    assert tree.live.tolist() == [state.live for state in states]
    assert [tree.line(node) for node in range(tree.num_nodes)] == list(map(str, states))
    assert {FOLDED, SHOWDOWN, DEAL, DECISION} == set(tree.kind.tolist())
    _check_links(tree)


def _check_links(tree: BettingTree) -> None:
    for node in range(tree.num_nodes):
        children = tree.children(node)
        assert len(children) == tree.num_children[node]
        assert all(tree.parent[child] == node for child in children)
        assert children == sorted(children)
        assert (not children) == (tree.kind[node] in {FOLDED, SHOWDOWN})
    assert sorted(np.concatenate([[0], *map(tree.children, range(tree.num_nodes))])) == list(
        range(tree.num_nodes)
    )
    assert not any(array.flags.writeable for array in tree[:-1])


def test_labels_are_those_of_lines() -> None:
    rules = heads_up(10)
    tree = betting_tree(rules, HandMenu.read(rules, "2.5x|50%|a|a", "a"))
    assert [tree.label(child) for child in tree.children(0)] == ["F", "C", "R250"]
    raised_to = tree.children(0)[2]
    assert [tree.label(child) for child in tree.children(raised_to)] == ["F", "C", "A1000"]


def test_a_tree_that_is_too_large_is_refused_before_it_is_built() -> None:
    rules = heads_up(100)
    menu = HandMenu.read(rules, "50%,100%,a", "100%,a", (4, 2, 2, 2))
    with pytest.raises(MemoryBudgetError) as caught:
        betting_tree(rules, menu, most_nodes=20_000)
    assert caught.value.histories == count_nodes(rules, menu).nodes == 21_505
    assert caught.value.option == "most_nodes"
    assert "lower raise cap" in str(caught.value.remedy)
    assert "seats" not in str(caught.value.remedy)
    with pytest.raises(MemoryBudgetError) as caught:
        count_nodes(heads_up(200), None)
    assert caught.value.option == "sizes"


@pytest.mark.parametrize(
    ("caps", "words"), [(None, "a raise cap"), (3, "a lower raise cap"), (0, None)]
)
def test_advice_names_a_cap_only_where_it_helps(caps: int | None, words: str | None) -> None:
    rules = HoldemRules((3000, 3000, 3000), (0, 50, 100))
    with pytest.raises(MemoryBudgetError) as caught:
        betting_tree(rules, HandMenu.read(rules, "50%", "100%", caps), most_nodes=20)
    advice = str(caught.value.remedy)
    assert "fewer seats" in advice
    assert words in advice if words else "cap" not in advice


def test_betting_may_end_before_the_board_is_complete() -> None:
    rules = HoldemRules((1000, 1000), (50, 100), last_street=0)
    tree = betting_tree(rules, HandMenu.read(rules, "a", "a"))
    assert DEAL not in tree.kind
    assert int((tree.kind == SHOWDOWN).sum()) == 3  # limped, and all-in by either seat


def test_moves_are_what_the_menu_offers() -> None:
    rules = heads_up(20)
    menu = HandMenu.read(rules, "50%, a", "100%, a")
    tree = betting_tree(rules, menu)
    assert tree.moves(0) == offered(rules, menu, start(rules))
    for node in np.flatnonzero(tree.kind == DECISION)[:50].tolist():
        labels = tuple(tree.label(child) for child in tree.children(node))
        assert tuple(move.code for move in tree.moves(node)) == labels


@pytest.mark.parametrize("seats", range(2, 11))
def test_positions_end_with_the_button(seats: int) -> None:
    names = position_names(seats)
    assert len(set(names)) == len(names) == seats
    assert names[:2] == ("SB", "BB")
    assert seats == 2 or names[-1] == "BTN"
    assert seats < 6 or names[2] == "UTG"
    assert seats < 6 or names[-3:] == ("HJ", "CO", "BTN")
