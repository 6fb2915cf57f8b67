"""Stacks and payouts as people write them."""

from __future__ import annotations

import pytest

from equilibrist.errors import ConfigError, NotationError
from equilibrist.poker.tournaments.notation import read_amounts
from equilibrist.poker.tournaments.prizes import written_amounts
from tests.refusals import refuses


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("5000/3000/2000", [5000, 3000, 2000]),
        (" 5000 / 3000 /2000/", [5000, 3000, 2000]),
        ("5000,3000,2000", [5000, 3000, 2000]),
        ("5000, 3000; 2000", [5000, 3000, 2000]),
        ("5000 3000 2000", [5000, 3000, 2000]),
        ("5,000/1,250,000", [5000, 1250000]),
        ("12,500 8,000 4,000", [12500, 8000, 4000]),
        ("[5000, 3000]", [5000, 3000]),
        (" (5000/3000) ", [5000, 3000]),
        ("12.5k/1.2M/.5k", [12500, 1200000, 500]),
        ("$50/$30.50", [50, 30.5]),
        ("50€/30 €", [50, 30]),
        ("200x3/5", [200, 200, 200, 5]),
        ("1_000*2", [1000, 1000]),
        ("12bb/7.5bb", [12, 7.5]),
        ("1e3/2E2", [1000, 200]),
        ("7", [7]),
    ],
)
def test_amounts(text: str, numbers: list[float]) -> None:
    found = read_amounts(text, "stack")
    assert found.numbers == numbers
    assert found.names is None
    assert not found.in_percent


def test_names_and_percents() -> None:
    assert read_amounts("Ann:5k/Bob = 3k/2k", "stack") == (
        [5000, 3000, 2000],
        ["Ann", "Bob", "Player 3"],
        False,
    )
    assert read_amounts("A:1x2", "stack").names == ["A 1", "A 2"]
    assert read_amounts("50%/30 %", "payout") == ([50, 30], None, True)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("/", 0),
        ("5/x", 2),
        ("5//3", 2),
        ("5/-3", 2),
        ("5/3:", 4),
        ("Ann:five/3", 4),
        ("5/inf", 2),
        ("5/1e999", 2),
        ("5/nan", 2),
        ("5/3x0", 2),
        ("5/3x999999999999", 2),
        ("50%/30", 4),
        ("5/3/_", 4),
        ("5/3 000", 2),
        ("5 / 3,00", 4),
        ("3:2", 0),
        (" 50%:30%=20%", 1),
    ],
)
def test_what_is_no_list_is_refused_at_its_place(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_amounts(text, "stack")
    assert caught.value.position == position
    assert caught.value.option == "stacks"
    assert caught.value.remedy


def test_what_is_wrong_with_the_other_stacks_is_said_of_stacks() -> None:
    with pytest.raises(NotationError) as caught:
        written_amounts("others", "-5")
    assert "other stack" in str(caught.value)


def test_percents_are_no_chips() -> None:
    for name in ("stacks", "others"):
        with refuses(ConfigError, option=name, given="50%/50%"):
            written_amounts(name, "50%/50%")
    assert written_amounts("payouts", "50%/50%") == (50, 50)
