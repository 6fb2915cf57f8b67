"""Action abstractions: what a text keeps, and the game that is left."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.abstraction import ActionAbstraction, make_action_abstraction
from equilibrist.errors import ConfigError, GameSpecError, MismatchError, UnknownNameError
from equilibrist.game_loading import compile_game
from equilibrist.tree import GameTree
from equilibrist.tree.compile import build_tree
from tests.abstraction.actions.two_bets import TwoBets
from tests.refusals import refuses, unchecked


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return compile_game("kuhn_bets")


def left(tree: GameTree, text: str) -> list[set[str]]:
    """The labels that each player may still play anywhere."""
    small = make_action_abstraction(tree, text).restricted
    found: list[set[str]] = [set() for _ in range(tree.num_players)]
    for player, labels in zip(small.infoset_player.tolist(), small.action_labels, strict=True):
        found[player].update(labels)
    return found


@pytest.mark.parametrize("cards", [3, 6])
@pytest.mark.parametrize("sizes", ["1", "3", "1,3", "2,3", "1,2,3"])
def test_kuhn_poker_with_some_bets_left_out(cards: int, sizes: str) -> None:
    """It is the game with these bets alone, array by array."""
    full = compile_game(f"kuhn_bets(cards={cards})")
    actions = make_action_abstraction(full, f"bets={sizes}")
    wanted = compile_game(f"kuhn_bets(cards={cards},sizes=[{sizes}])")
    found = actions.restricted
    assert found.fingerprint == wanted.fingerprint
    for name in ("public_event", "event_state"):
        one, other = getattr(found.walk, name), getattr(wanted.walk, name)
        assert np.array_equal(one, other)
    assert actions.is_identity == (sizes == "1,2,3")
    assert [full.infoset_keys[i] for i in actions.infoset] == list(found.infoset_keys)
    labels = [label for row in found.action_labels for label in row]
    every = [label for row in full.action_labels for label in row]
    assert [every[k] for k in actions.action] == labels


def test_public_events_after_actions() -> None:
    """Leduc without raises: events of the board are numbered again."""
    leduc = compile_game("leduc(suit_isomorphism=true)")
    small = make_action_abstraction(leduc, "without=raise").restricted
    assert small.num_nodes < leduc.num_nodes
    event, state = small.walk.public_event, small.walk.event_state
    assert event is not None
    assert state is not None
    assert event.max() + 1 == len(state) == len(np.unique(event))
    assert state.max() + 1 == len(np.unique(state))
    assert len(event) == small.walk.chance_count.sum() == len(small.walk.chance_probability)


@pytest.mark.parametrize(
    ("text", "seat_0", "seat_1"),
    [
        ("all", "check,fold,call,bet 1,bet 2,bet 3", "check,fold,call,bet 1,bet 2,bet 3"),
        ("bets=50%,150%", "check,fold,call,bet 1,bet 3", "check,fold,call,bet 1,bet 3"),
        ("bet=2", "check,fold,call,bet 2", "check,fold,call,bet 2"),
        ("without=check,bet 2", "bet 1,bet 3", "fold,call"),
        ("labels=bet 1,fold,call", "bet 1", "fold,call"),
        ("0:bets=1,3;1:all", "check,fold,call,bet 1,bet 3", "check,fold,call,bet 1,bet 2,bet 3"),
        ("1: without = bet 1", "check,fold,call,bet 1,bet 2,bet 3", "check,fold,call,bet 2,bet 3"),
        ("bets=1,3,without=fold", "check,call,bet 1,bet 3", "check,call,bet 1,bet 3"),
    ],
)
def test_texts(tree: GameTree, text: str, seat_0: str, seat_1: str) -> None:
    assert left(tree, text) == [set(seat_0.split(",")), set(seat_1.split(","))]


def test_labels_with_commas_and_equals_signs(tmp_path: Path) -> None:
    file = tmp_path / "labels.efg"
    file.write_text(
        'EFG 2 R "labels" { "A" "B" }\n'
        'p "" 1 1 "" { "go, then stop" "x=1" "plain" } 0\n'
        't "" 1 "" { 1 -1 }\nt "" 2 "" { 2 -2 }\nt "" 3 "" { 3 -3 }\n'
    )
    tree = compile_game(str(file))
    assert left(tree, 'without="go, then stop"')[0] == {"x=1", "plain"}
    assert left(tree, 'labels="x=1","go, then stop"')[0] == {"x=1", "go, then stop"}
    assert left(tree, '0:labels=plain, "x=1";1:all')[0] == {"x=1", "plain"}
    assert left(tree, 'labels=plain,without="x=1"')[0] == {"plain"}
    for wrong in ('labels="plain', 'labels="plain"x', "labels=", 'labels=""', '"plain"'):
        with refuses(ConfigError, option="actions"):
            make_action_abstraction(tree, wrong)


def test_sizes_of_one_seat_suffice() -> None:
    """Only the smuggler offers and loads anything."""
    sheriff = compile_game("sheriff")
    assert left(sheriff, "offer=0,3,load=1")[0] == {"load 1", "offer 0", "offer 3"}
    assert left(sheriff, "bets=0,3")[0] == {"load 0", "load 3", "offer 0", "offer 3"}


def test_shares_by_a_method_of_the_game() -> None:
    """The pot grows with the first bet: then a quarter of it is another bet the second time."""
    told = build_tree(TwoBets(3, (1, 2, 3), "fractions"))
    actions = make_action_abstraction(told, "bets=50%,100%,150%,25%,75%")
    small = actions.restricted
    assert dict(zip(small.infoset_keys, small.action_labels, strict=True))["0/bet 1,call"] == (
        "bet 1",
        "bet 2",
        "bet 3",
    )
    assert actions.removed(told.index("0/bet 3,call")) == ("bet 1", "bet 3")


FILE = """
def keep(key, player, facts):
    if player == 1:
        return None
    return [label for label in facts["actions"] if label != "bet 2" or facts["your card"] == "3"]

def none(key, player, facts):
    return []

def text(key, player, facts):
    return "check"

def other(key, player, facts):
    return ["raise"]

def broken(key, player, facts):
    return facts["weather"]

number = 3
"""


def test_functions_of_users(tree: GameTree, tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(FILE)
    actions = make_action_abstraction(tree, f"{path}:keep")
    assert actions.removed(tree.index("1")) == actions.removed(tree.index("2")) == ("bet 2",)
    assert actions.removed(tree.index("3")) == actions.removed(tree.index("1:k")) == ()
    assert left(tree, f"1:{path}:keep") == left(tree, "all")
    for name, given in (
        ("none", tree.infoset_keys[0]),
        ("text", "check"),
        ("other", ["raise"]),
        ("broken", "KeyError"),
        ("number", 3),
    ):
        with refuses(ConfigError, option="actions", given=given):
            make_action_abstraction(tree, f"{path}:{name}")

    def no_folding(key: str, player: int, facts: Mapping[str, Any]) -> list[str]:
        return [label for label in facts["actions"] if label != "fold"]

    assert not left(tree, "without=fold")[0] ^ {
        label
        for row in make_action_abstraction(tree, no_folding).restricted.action_labels
        for label in row
    }


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("", ""),
        ("bets", "bets"),
        ("bets=", "bets="),
        ("=1", "=1"),
        ("bets=1,,3", "bets=1,,3"),
        ("bets=4", "4"),
        ("fold=1", "1"),
        ("bets=x", "x"),
        ("bets=1,50%", "1,50%"),
        ("bets=40%", "40%"),
        ("bets=1;all", "bets=1"),
        ("2:bets=1", "2:bets=1"),
        ("0:bets=1;0:all", "0:all"),
        ("without=fold,call", "1:b1"),
        (3, 3),
        (None, None),
    ],
)
def test_texts_that_are_refused(tree: GameTree, text: Any, given: object) -> None:
    with pytest.raises(ConfigError) as caught:
        make_action_abstraction(tree, text)
    assert caught.value.option == "actions"
    if text != "without=fold,call":
        assert caught.value.given == given


def test_unknown_labels(tree: GameTree) -> None:
    with refuses(UnknownNameError, option="actions", given="bett"):
        make_action_abstraction(tree, "bett=2")
    with refuses(UnknownNameError, option="actions", given="bett 2"):
        make_action_abstraction(tree, "without=bett 2")


def test_shares_of_a_pot_that_is_not_told() -> None:
    game = build_tree(TwoBets(told="nothing"))
    with refuses(GameSpecError, option="actions", place="infoset '0/'"):
        make_action_abstraction(game, "bets=50%")


def test_arrays(tree: GameTree) -> None:
    count = int(tree.action_offset[-1])
    with refuses(ConfigError, option="kept"):
        ActionAbstraction(tree, unchecked(np.ones(count)))
    with refuses(ConfigError, option="kept"):
        ActionAbstraction(tree, np.ones(count - 1, dtype=bool))
    with refuses(ConfigError, option="actions", given=tree.infoset_keys[0]):
        ActionAbstraction(tree, np.zeros(count, dtype=bool))
    every = ActionAbstraction(tree, np.ones(count, dtype=bool))
    assert every.is_identity
    assert every.restricted is tree
    assert make_action_abstraction(tree, every) is every
    with refuses(MismatchError, option="actions"):
        make_action_abstraction(compile_game("kuhn"), every)
