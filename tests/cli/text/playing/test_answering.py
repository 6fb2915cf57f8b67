"""What people may type for an action of `equilibrist play`."""

from __future__ import annotations

import pytest

import equilibrist as eq
from equilibrist.cli.text.playing.answering import read_action
from equilibrist.play import action_words


@pytest.mark.parametrize(
    ("typed", "actions", "index"),
    [
        ("bet", ["pass", "bet"], 1),
        ("b", ["pass", "bet"], 1),
        ("BE", ["pass", "bet"], 1),
        ("2", ["pass", "bet"], 1),
        ("02", ["pass", "bet"], 1),
        ("3", ["pass", "bet"], None),
        ("0", ["pass", "bet"], None),
        ("²", ["pass", "bet"], None),
        ("٢", ["pass", "bet"], None),
        ("9" * 5000, ["pass", "bet"], None),
        ("", ["pass", "bet"], None),
        ("r", ["raise", "rest"], None),
        ("ra", ["raise", "rest"], 0),
        ("1", ["0", "1"], 1),
        ("2", ["0", "1"], 1),
        ("1-2", ["1-1", "1-2", "liar"], 1),
        ("l", ["1-1", "1-2", "liar"], 2),
        ("q", ["queen", "q"], 1),
        ("bet", ["bet more", "bet"], 1),
        ("a", ["A", "a"], 1),
        ("A", ["A", "a"], 0),
        ("ß", ["SS", "x"], 0),
        ("bet 3", ["fold", "Bet 3.5", "Bet 30"], None),  # numbers are typed whole
        ("bet 3", ["fold", "Bet 3 and 4"], 1),
        ("bet", ["fold", "Bet 3.5"], 1),
    ],
)
def test_what_people_may_type(typed: str, actions: list[str], index: int | None) -> None:
    found, why = read_action(typed, [[label] for label in actions])
    assert found == index
    assert bool(why) is (index is None)


@pytest.mark.parametrize(
    ("typed", "index"),
    [
        ("fold", 0),
        ("f", 0),
        ("pass", 0),
        ("p", 0),
        ("call", 1),
        ("C", 1),
        ("bet", 1),
        ("b", 1),
        ("2", 1),
        ("check", None),
        ("raise", None),
    ],
)
def test_words_for_actions_may_be_typed(typed: str, index: int | None) -> None:
    words = action_words(eq.load_game("kuhn"), "1pb", ("pass", "bet"))
    assert read_action(typed, words)[0] == index


def test_words_that_begin_alike_are_not_guessed() -> None:
    found, why = read_action("c", [["check", "x"], ["call", "y"]])
    assert found is None
    assert "check or call" in why
    assert read_action("cal", [["check"], ["call"]])[0] == 1
    assert read_action("x", [["check", "x"], ["x-ray"]])[0] == 0
