"""Names read back from packed keys: those of the walked game, for every infoset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import GameError
from equilibrist.rules.game import RulesGame
from equilibrist.rules.infoset_names import HexNames, UnpackedNames, names_by_rules, names_in_file
from equilibrist.rules.module import load_rules
from tests.refusals import refuses
from tests.rules.own_rules import OWN, write_rules

UNPACK = """

def text(g, s):
    return f"sum {s[1]} after {s[0]}"


def label(g, s, a):
    return f"add {a + 1}"


def unpack(g, key, s):
    s[0] = key[0]
    s[1] = key[1]
    s[2] = -1
"""
"""What the rules of `own_rules` may have besides."""


def walked(game: RulesGame) -> dict[tuple[int, int], tuple[str, tuple[str, ...], int]]:
    """By packed key the name, the actions and the player of every infoset."""
    found = {}
    waiting = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        player = game.player(state)
        if player == -2:
            continue
        actions = game.actions(state)
        if player >= 0:
            found[game.packed(state)] = (game.infoset(state), actions, player)
        waiting += [game.next(state, a) for a in range(len(actions))]
    return found


@pytest.mark.by_default(5)
@pytest.mark.parametrize(
    "text",
    [
        "liars_dice(sides=3)",
        "liars_dice(dice=2,sides=2)",
        "liars_dice(players=3,sides=2)",
        "leduc",
        "leduc(raise_cap=1,suits=3)",
        "leduc(players=3,suits=1,raise_cap=1)",
        "goofspiel",
        "goofspiel(cards=3,order=0)",
        "goofspiel(cards=3,imp_info=0)",
        "goofspiel(cards=3,players=3)",
        "goofspiel(cards=3,players=3,imp_info=0,order=0)",
        "goofspiel(cards=4,order=1,returns=2)",
    ],
)
def test_names_of_the_included_rules(text: str) -> None:
    rules = load_rules(f"rules:{text}")
    names = names_in_file(rules.name, rules.identity)
    infosets = walked(RulesGame(rules))
    for key, (name, labels, _) in infosets.items():
        assert names.read(*key, len(labels)) == (name, labels)
        assert names.pack(name) == key
    halves = (np.array(half, dtype=np.uint64) for half in zip(*infosets, strict=True))
    players = names.players(*halves)
    assert players is not None
    assert players.tolist() == [player for _, _, player in infosets.values()]


def test_dice_with_many_sides_are_written_apart() -> None:
    rules = load_rules("rules:liars_dice(sides=12)")
    names = names_by_rules(rules)
    game = RulesGame(rules)
    state = game.next(game.next(game.initial_state(), 11), 9)
    assert game.infoset(state) == "12"
    assert names.pack("12") == game.packed(state)
    after = game.next(state, 12)
    assert game.infoset(after) == "10/2-1"
    assert names.read(*game.packed(after)) == ("10/2-1", game.actions(after))


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("liars_dice(dice=2)", ["", "1", "21", "17", "10", "111", "11/", "11/1-2/1-1", "11/5-1",
                                "11/1-1/1-1", "ab", "11/liar", "1.1", "²1"]),
        ("leduc", ["", "2s", "Ks:", "Ks:f", "Ks:cc", "Ks:rc", "Ks/Qs", "Ks:cc/Qs:cc", "Ks:crrr",
                   "Ks:cc/Qs/Qs", "Ks:cc/", "K", "Ks:cc/Qs:x"]),
        ("goofspiel", ["", "2", "x", "0/5+", "0/4", "0/0+", "0/4+/", "0/4*", "0/04+", "0/4+/4-",
                      "0/5+", "0/1+/2+/3+/4+", "0/1+/2+/3+"]),
        ("goofspiel(order=0,imp_info=0)", ["0", "0/4", "0/4:1", "0/4:1,2", "0/4:1/3:", "0/x:",
                                           "0/4:1,2/4:", "0/4:1,2/3:1,3/2:", "0/4:1,2/5:"]),
    ],
)  # fmt: skip
def test_what_is_no_name_has_no_key(text: str, odd: list[str]) -> None:
    names = names_by_rules(load_rules(f"rules:{text}"))
    assert {name: names.pack(name) for name in odd} == dict.fromkeys(odd)


def test_keys_that_cannot_be_are_noticed() -> None:
    names = names_by_rules(load_rules("rules:leduc"))
    for key in ((63, 0), (0, 63), (int("3333", 4) << 6, 0), (2 << 6, 1)):
        with pytest.raises(IndexError):
            names.read(*key)


def test_hexadecimals_stand_for_other_keys() -> None:
    names = names_in_file("rules:own.py", "0" * 64)
    assert isinstance(names, HexNames)
    assert names.read(31, 2**64 - 1, 3) == ("1f." + "f" * 16, ("0", "1", "2"))
    assert names.pack("1f." + "f" * 16) == (31, 2**64 - 1)
    odd = ["", "1", "1.", ".1", "1F.0", "01.0", "-1.0", "1." + "f" * 17, "x.y", "1.2.3"]
    assert {name: names.pack(name) for name in odd} == dict.fromkeys(odd)


@pytest.mark.parametrize(
    "game", ["rules:leduc(ranks=999)", "rules:leduc(nothing=1)", "rules:leduc("]
)
def test_rules_that_have_changed_give_no_names(game: str) -> None:
    assert isinstance(names_in_file(game, ""), HexNames)
    assert isinstance(
        names_in_file("rules:leduc", load_rules("rules:goofspiel").identity), HexNames
    )


def test_rules_of_the_users_may_unpack(tmp_path: Path) -> None:
    rules = load_rules(str(write_rules(tmp_path, OWN + UNPACK)))
    names = names_by_rules(rules)
    assert isinstance(names, UnpackedNames)
    infosets = walked(RulesGame(rules))
    assert len(infosets) == 3
    for key, (name, labels, player) in infosets.items():
        assert names.read(*key, len(labels)) == (name, labels)
        assert names.players(*(np.array([half], np.uint64) for half in key)).tolist() == [player]
    assert "sum 2 after 1" in {name for name, _, _ in infosets.values()}
    assert isinstance(names_in_file(rules.name, rules.identity), HexNames), "no file is run"


@pytest.mark.parametrize(
    ("body", "given", "fields"),
    [
        ("s[0] = 1", (1, 2), {"option": "unpack", "given": "1.2"}),
        ("s[0], s[1] = key", (1, 2, 3), {"option": "unpack", "given": "1.2"}),
        ("raise ValueError", (1, 2), {"kind": "exception", "given": "1.2"}),
    ],
)
def test_an_unpack_that_does_not_fit(
    body: str, given: tuple[int, ...], fields: dict[str, Any], tmp_path: Path
) -> None:
    text = f"{OWN}\n\ndef unpack(g, key, s):\n    {body}\n"
    names = names_by_rules(load_rules(str(write_rules(tmp_path, text))))
    with refuses(GameError, **fields):
        names.read(*given)
