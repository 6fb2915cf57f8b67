"""Hands as they are written: keys, files, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import BetSizeSyntaxError, ConfigError, FileFormatError, UnknownNameError
from equilibrist.poker.exact.hand import HandSpec
from equilibrist.poker.holdem.betting_tree import DEAL


def test_a_hand_is_the_same_in_a_file_and_in_python(tmp_path: Path) -> None:
    hand = HandSpec(stacks="15,20", bets="2.5x,a|50%,a", raises="a", ante="0.12", boards=40)
    file = tmp_path / "hand.toml"
    file.write_text(hand.to_toml(), "utf-8")
    assert HandSpec.from_toml(file) == hand
    assert HandSpec.from_toml(file, boards=None) == hand.replace(boards=None)
    assert HandSpec.from_keys(hand.to_dict()) == hand


def test_stacks_are_big_blinds_or_chips_with_blinds() -> None:
    of_blinds = HandSpec(stack=12, bets="a").game.rules
    of_chips = HandSpec(stack=1200, blinds="50/100", bets="a").game.rules
    assert of_blinds.stacks == (1200, 1200)
    assert of_blinds.blinds == (50, 100)
    assert of_chips.stacks == (1200, 1200)
    assert of_chips.blinds == (50, 100)


def test_flop_holdem_has_the_published_tree() -> None:
    hand = HandSpec(
        stack=10_000, blinds=(50, 100), limit="limit", limit_bets=(100, 100), board=(0, 3)
    )
    tree = hand.game.tree
    deals = tree.kind == DEAL
    assert sorted(tree.stake[deals][:, 0].tolist()) == [100, 200, 200, 300, 300, 400, 400]
    assert hand.game.size.decisions == (8, 70)
    assert hand.game.size.actions == (21, 182)


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({}, "stack"),
        ({"stack": 10, "stacks": "10,10", "bets": "a"}, "stack"),
        ({"stack": 10}, "bets"),
        ({"stack": 0.5, "bets": "a"}, "stacks"),
        ({"stack": "ten", "bets": "a"}, "stack"),
        ({"stack": 10, "bets": "a", "limit": "spread"}, "limit"),
        ({"stack": 10, "limit": "limit", "bets": "a"}, "bets"),
        ({"stack": 10, "limit": "limit", "limit_bets": "1/1"}, "limit_bets"),
        ({"stack": 10, "bets": "a", "limit_bets": "1/1/2/2"}, "limit_bets"),
        ({"stack": 10, "bets": "a", "last_street": "showdown"}, "last_street"),
        ({"stack": 10, "bets": "a", "board": "0/3", "last_street": "turn"}, "last_street"),
        ({"stack": 10, "bets": "a", "board": "3"}, "board"),
        ({"stack": 10, "bets": "a", "board": "0/three"}, "board"),
        ({"stack": 10, "bets": "a", "lowest": "1"}, "lowest"),
        ({"stack": 10, "bets": "a", "blinds": "1"}, "blinds"),
        ({"stack": 10, "bets": "a", "boards": 0}, "sample"),
        ({"stack": 10, "bets": "a", "raise_cap": "1|2|3"}, "raise_cap"),
        ({"stack": 10, "bets": "a", "seed": -1}, "seed"),
    ],
)
def test_what_is_wrong_is_named(keys: dict[str, Any], option: str) -> None:
    with pytest.raises(ConfigError) as caught:
        HandSpec(**keys)
    assert caught.value.option == option


def test_a_size_that_cannot_be_read_has_its_position() -> None:
    with pytest.raises(BetSizeSyntaxError) as caught:
        HandSpec(stack=10, bets="50%, half")
    assert caught.value.option == "bets"


def test_unknown_keys_and_foreign_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError) as unknown:
        HandSpec.from_keys({"stak": 10})
    assert unknown.value.option == "stak"
    file = tmp_path / "hand.toml"
    file.write_text("stack 10", "utf-8")
    with pytest.raises(FileFormatError) as foreign:
        HandSpec.from_toml(file)
    assert foreign.value.option == "file"
