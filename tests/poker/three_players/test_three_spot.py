"""Spots with three ranges: their files, their betting, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.errors import (
    BetSizeSyntaxError,
    CardSyntaxError,
    ConfigError,
    FileFormatError,
    MemoryBudgetError,
    RangeSyntaxError,
    UnknownNameError,
)
from equilibrist.poker import Spot, ThreeSpot
from equilibrist.poker.hands.betting_tree import DECISION
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.three_players.game import seat_games, street_games
from equilibrist.poker.three_players.spot import checked_three
from tests.refusals import refuses, unchecked

KEYS: dict[str, Any] = {
    "board": "Qs9h5d3cJs",
    "oop": "22+,AK",
    "middle": "22+,AQs",
    "ip": "22+,KQ",
    "pot": 60,
    "stack": 240,
    "bets": "33%, 75%, a",
    "raises": "75%, a",
}


def spot(**changes: Any) -> ThreeSpot:
    given = KEYS | changes
    if "stacks" in changes:
        del given["stack"]
    return ThreeSpot(**{key: value for key, value in given.items() if value is not None})


@pytest.mark.parametrize(
    ("changes", "kind", "fields"),
    [
        ({"board": "Qs9h5dQs3c"}, CardSyntaxError, dict(option="card", given="Qs")),
        ({"board": None}, ConfigError, dict(option="board")),
        ({"middle": None}, ConfigError, dict(option="middle")),
        ({"middle": ""}, ConfigError, dict(option="middle")),
        ({"ip": "QsJs"}, ConfigError, dict(option="ip", given="Qs9h5d3cJs")),
        ({"oop": "AK,,"}, RangeSyntaxError, dict(place="oop, column 4", option="oop")),
        ({"oop": "AA", "middle": "AA", "ip": "AA"}, ConfigError, dict(option="ranges", given=0.0)),
        ({"oop": "AsAh", "middle": "AsKs", "ip": "22"}, ConfigError, dict(option="ranges")),
        (
            {"oop": "AsAh,KK:0.000001", "middle": "AsKs", "ip": "22"},
            ConfigError,
            dict(option="ranges"),
        ),
        ({"stack": None}, ConfigError, dict(option="stack")),
        ({"stack": 0}, ConfigError, dict(option="stack", given=0)),
        ({"stacks": [10, 20]}, ConfigError, dict(option="stacks", given=[10, 20])),
        ({"stacks": [10, 20, -1]}, ConfigError, dict(option="stacks", given=-1)),
        ({"stacks": [0, 20, 0]}, ConfigError, dict(option="stacks", given=(0, 20, 0))),
        ({"pot": 1, "stacks": [9, 0, 9]}, ConfigError, dict(option="pot", given=1)),
        ({"pot": 0}, ConfigError, dict(option="pot", given=0)),
        ({"bets": "0%"}, ConfigError, dict(option="bets", given="0%")),
        ({"bets": "2x"}, BetSizeSyntaxError, dict(option="bets")),
        ({"rake": "500%"}, ConfigError, dict(option="rake", given="500%")),
        ({"rake_cap": -1}, ConfigError, dict(option="rake_cap")),
        ({"raise_cap": -1}, ConfigError, dict(option="raise_cap", given=-1)),
        ({"unit": 1, "pot": 60.5}, ConfigError, dict(option="pot", given=60.5)),
        ({"donks": "50%"}, ConfigError, dict(option="donks")),
        ({"pot": 1e9, "stack": 1e9}, ConfigError, dict(option="stack", given=10**9)),
        ({"added_lines": ["X-B20"]}, ConfigError, dict(option="added_lines")),
        ({"dunks": "50%"}, UnknownNameError, dict(option="dunks", name="dunks")),
    ],
)
def test_what_cannot_be_played_is_refused(
    changes: dict[str, Any], kind: Any, fields: dict[str, Any]
) -> None:
    with refuses(kind, **fields):
        spot(**changes)


def test_stack_and_stacks_are_one_too_many() -> None:
    with refuses(ConfigError, option="stack"):
        ThreeSpot(**KEYS, stacks=[1, 2, 3])


def test_what_is_no_spot_of_three_is_refused() -> None:
    with refuses(ConfigError, option="spot"):
        checked_three(unchecked("Qs9h5d3cJs"))


def test_betting_that_is_too_large_is_refused() -> None:
    with refuses(MemoryBudgetError):
        _ = spot(stack=100_000, bets="all", raises="all").betting


def test_a_spot_of_two_refuses_a_third_range_and_says_where_to_go() -> None:
    with refuses(ConfigError, option="middle"):
        Spot(**unchecked(KEYS))


def test_a_file_gives_back_the_spot(tmp_path: Path) -> None:
    for given in (spot(rake="5%", rake_cap=3), spot(stacks=[240, 0, 90.5], raise_cap=1)):
        file = tmp_path / "three.toml"
        file.write_text(given.to_toml())
        assert ThreeSpot.from_toml(file) == given
        assert hash(ThreeSpot.from_toml(file)) == hash(given)


def test_changes_override_a_file_and_ranges_may_be_files(tmp_path: Path) -> None:
    file, ranges = tmp_path / "three.toml", tmp_path / "middle.txt"
    file.write_text(
        spot(stacks=[240, 90, 400])
        .replace(middle="AA")
        .to_toml()
        .replace('middle = "AA"', 'middle = "middle.txt"')
    )
    ranges.write_text("77+,AQs\n")
    read = ThreeSpot.from_toml(file, stack=100, pot=30)
    assert read.middle == Range("77+,AQs")
    assert (read.stack_of, read.pot) == ((100, 100, 100), 30)


@pytest.mark.parametrize(
    ("text", "kind"), [("middle = ", FileFormatError), ('middle = "AA"', ConfigError)]
)
def test_faults_of_files_have_their_place(tmp_path: Path, text: str, kind: Any) -> None:
    file = tmp_path / "three.toml"
    file.write_text(text)
    with pytest.raises(kind) as raised:
        ThreeSpot.from_toml(file)
    place = raised.value.path if kind is FileFormatError else raised.value.place
    assert Path(place).name == "three.toml"


def test_a_turn_has_two_streets_with_sizes_of_their_own() -> None:
    given = spot(board="Qs9h5d3c", bets="10%|50%|33%, a", raises="|a|75%")
    assert given.num_streets == 2
    betting = given.betting
    assert {move.code for move in betting.moves(0)} == {"X", "B30"}
    lines = [betting.line(node) for node in range(betting.num_nodes)]
    river = len(lines) - 1 - lines[::-1].index("X-X-X|")  # behind the deal
    assert {move.code for move in betting.moves(river)} == {"X", "B20", "A240"}
    turn, on_river = (
        {int(node) for game in games for node in game.node} for games in street_games(given)
    )
    assert {int(street) for street in betting.street[sorted(turn)]} == {0}
    assert {int(street) for street in betting.street[sorted(on_river)]} == {1}
    assert len(turn | on_river) == int((betting.kind == DECISION).sum())


def test_bets_that_are_called_are_charged_once() -> None:
    """On the river amounts begin anew: a seat that bet 30 of 240 on the turn bets 210 at most."""
    given = spot(board="Qs9h5d3c", bets="50%|50%|a", raises="")
    charged = [0.0, 0.0, 0.0]
    line = "B30-C-C|A210-C-C"
    for street, games in enumerate(street_games(given)):
        for seat, game in enumerate(games):
            for place, node in enumerate(game.node):
                for n, child in enumerate(given.betting.children(int(node))):
                    reached = given.betting.line(child)
                    if line.startswith(reached.rstrip("|")) and reached.count("|") <= street:
                        row = game.first[place] + n
                        terms = slice(game.start[row], game.start[row + 1])
                        if (game.coefficient[terms] < 0).any():
                            charged[seat] -= float(game.coefficient[terms].min())
    assert charged == [240, 240, 240]


def test_the_river_of_sizes_by_street_is_used() -> None:
    assert spot(bets="10%|20%|33%, 75%, a", raises="||75%, a").menu == spot().menu


def test_deals_are_counted_from_every_seat_alike() -> None:
    given = spot()
    totals = [
        float(range_.weights @ deals)
        for range_, deals in zip(given.ranges, given.deals, strict=True)
    ]
    assert totals == pytest.approx([totals[0]] * 3)


@pytest.mark.parametrize(
    ("changes", "nodes", "forms"),
    [
        ({}, 493, (251, 251, 251)),
        ({"raises": "a"}, 169, (87, 87, 87)),
        ({"stacks": [240, 90, 400]}, 319, (229, 155, 237)),
    ],
)
def test_betting_has_the_size_that_was_counted_before(
    changes: dict[str, Any], nodes: int, forms: tuple[int, ...]
) -> None:
    given = spot(**changes)
    assert given.betting.num_nodes == nodes
    assert tuple(len(game.kind) for game in seat_games(given)) == forms


def test_a_player_who_is_all_in_never_acts_and_may_win_the_pot() -> None:
    given = spot(stacks=[240, 0, 90])
    acting = given.betting.player[given.betting.kind == DECISION]
    assert set(acting.tolist()) == {0, 2}
    assert given.betting.stake[0].sum() == 60
    assert all(given.betting.live & 2)


@pytest.mark.parametrize("zero", [0, 0.0, "0", "0.0", "-0"])
def test_a_player_may_be_all_in(zero: object) -> None:
    assert spot(stacks=["5", zero, 5]).stack_of == (5, 0, 5)
