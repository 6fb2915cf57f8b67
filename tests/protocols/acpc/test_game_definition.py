"""Game definitions: files read and written, and what is wrong with them said with the line."""

from __future__ import annotations

from typing import Any

import pytest

from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.poker import Hand
from equilibrist.protocols.acpc.game_definition import NO_CAP, GameDefinition
from tests.protocols.acpc.tables import GAMES, HEADS_UP, LIMIT
from tests.refusals import refuses

TEXT = HEADS_UP.text()
LEDUC = """# a comment
gamedef
LIMIT
numPlayers=2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2

numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
end gamedef
what follows is not read
"""


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_read(name: str) -> None:
    assert GameDefinition.read(GAMES[name].text()) == GAMES[name]


def test_leduc_in_any_case_of_letters() -> None:
    leduc = GameDefinition.read(LEDUC)
    assert leduc.deck == (0, 1, 4, 5, 8, 9)
    assert leduc.raise_sizes == (2, 4)
    assert leduc.max_raises == (2, 2)
    assert leduc.num_board_cards == (0, 1)


def test_defaults_are_those_of_the_dealer() -> None:
    text = "".join(
        f"{line}\n"
        for line in LIMIT.text().splitlines()
        if not line.startswith(("stack", "firstPlayer", "maxRaises"))
    )
    read = GameDefinition.read(text)
    assert read.stacks == (10**9, 10**9)
    assert read.first_players == (0,) * 4
    assert read.max_raises == (NO_CAP,) * 4


@pytest.mark.parametrize(
    ("old", "new", "option", "line"),
    [
        ("GAMEDEF\nnolimit", "nolimit", "GAMEDEF", 1),
        ("END GAMEDEF", "", "END GAMEDEF", None),
        ("nolimit", "", "betting", None),
        ("numPlayers = 2", "numPlayers = 11", "numPlayers", 3),
        ("numPlayers = 2", "players = 2", "players", 3),
        ("numRounds = 4", "numRounds = 5", "numRounds", 4),
        ("numRounds = 4", "numRounds", "numRounds", 4),
        ("stack = 20000 20000", "stack = 20000", "stacks", 5),
        ("stack = 20000 20000", "stack = 20000 many", "stack", 5),
        ("stack = 20000 20000", "stack = 20000 40", "blind", 6),
        ("blind = 100 50", "blind = 0 0", "blind", 6),
        ("blind = 100 50\n", "", "blind", None),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 3 1 1 1", "firstPlayer", 7),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 0 1 1 1", "firstPlayer", 7),
        ("numSuits = 4", "numSuits = 5", "numSuits", 8),
        ("numRanks = 13", "numRanks = 2", "numRanks", 9),
        ("numHoleCards = 2", "numHoleCards = 3", "numHoleCards", 10),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 1 3 1 1", "numBoardCards", 11),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1", "num_board_cards", 11),
        ("nolimit", "limit", "raiseSize", None),
    ],
)
def test_errors_name_the_line(old: str, new: str, option: str, line: int | None) -> None:
    assert old in TEXT
    place = "bad.game" if line is None else f"bad.game, line {line}"
    with refuses(FileFormatError, option=option, place=place):
        GameDefinition.read(TEXT.replace(old, new), "bad.game")


def test_files(tmp_path) -> None:
    file = tmp_path / "holdem.game"
    file.write_text(TEXT)
    assert GameDefinition.from_file(file) == HEADS_UP
    with refuses(FileFormatError, path=tmp_path / "none.game"):
        GameDefinition.from_file(tmp_path / "none.game")


def test_of_hands() -> None:
    assert GameDefinition.of_hand(Hand(stack=200)) == HEADS_UP
    limit = GameDefinition.of_hand(Hand(stack=100, blinds="5/10", limit="limit"))
    assert limit.raise_sizes == LIMIT.raise_sizes
    assert limit.max_raises == LIMIT.max_raises
    six = GameDefinition.of_hand(Hand(stacks="20/30/40/50/60/70", seats=6, deck="6"))
    assert six.blinds == (50, 100, 0, 0, 0, 0)
    assert six.first_players == (2, 0, 0, 0)
    assert six.stacks == (2000, 3000, 4000, 5000, 6000, 7000)
    assert six.num_ranks == 9


@pytest.mark.parametrize(
    ("option", "keys"),
    [
        ("ante", {"ante": 1}),
        ("limit", {"limit": "pot-limit"}),
        ("last_street", {"last_street": "turn"}),
    ],
)
def test_hands_that_no_game_definition_has(option: str, keys: dict[str, Any]) -> None:
    with refuses(ConfigError, option=option):
        GameDefinition.of_hand(Hand(stack=20, **keys))
