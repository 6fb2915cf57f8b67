"""Sessions as the sites write them: each hand is read rightly, or left out and named."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from pathlib import Path

import pokerkit
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.play.histories.course import course_of
from equilibrist.play.histories.played import PlayedHand
from equilibrist.play.histories.pokerstars import read_site_text
from equilibrist.play.review.review import table_hands
from equilibrist.protocols.converting import SUFFIXES, convert_hands
from equilibrist.protocols.hand_files import read_hands
from tests.refusals import refuses

SESSIONS = Path(__file__).parent / "samples" / "sessions"
NET = {
    "cash": ["-0.5 -1 0 98.5 0 -100", "-112.8 -1 131.7 -15.9 -5"],
    "zoom": ["-0.25 -10.15 0 0 9.29 0", "-0.05 0.05 0 0 0 0"],
    "tournament": [
        "-750 -900 -150 10190 -150 -9140 1200 -150 -150",
        "-80 -20 100 0 0 0 0 0 0 0",
        "0 0",
    ],
    "posts": [
        "-0.5 -1 -12 -4 0 16.05",
        "-0.5 -1 0 5.05 -4 0",
        "-0.5 1.3 -0.8",
        "10 -10",
        "2.8 -3",
        "-0.5 0.5",
        "-0.7 -1.2 1.9",
        "-2 -1 -2 5",
        "-0.5 -0.5",
        "0 -3 3.2 -0.5",
    ],
    "short": ["-0.25 0.25", "-0.75 0.7"],
}
"""What each player of each hand wins, p1 first, added up by hand."""
LEFT_OUT = {
    "posts": [
        ("300000000011", 272),
        ("300000000012", 290),
    ]
}
"""Other pots than PHH has."""
FORMS = ["phhs", "ohh", "jsonl", "pokerstars", "ggpoker"]
SHORT = ["phhs", "jsonl"]
"""Forms that have short decks."""


def net(hand: PlayedHand) -> str:
    return " ".join(f"{amount.normalize():f}" for amount in course_of(hand).net)


@pytest.mark.parametrize("name", NET)
def test_sessions_are_read(name: str) -> None:
    read = read_hands(SESSIONS / f"{name}.txt")
    assert [net(hand) for hand in read.hands] == NET[name]
    assert [(out.name, out.line) for out in read.left_out] == LEFT_OUT.get(name, [])


@pytest.mark.parametrize(
    ("name", "form"),
    [("posts", "ggpoker")]
    + [
        pytest.param(name, form, marks=pytest.mark.slow)
        for name in NET
        for form in (SHORT if name == "short" else FORMS)
    ],
)
def test_sessions_go_round(name: str, form: str, tmp_path: Path) -> None:
    goes_round(SESSIONS / f"{name}.txt", form, tmp_path)


def goes_round(source: Path, form: str, folder: Path) -> None:
    """Assert that hands in another form have the same course."""
    read = read_hands(source)
    target = folder / f"{form}{SUFFIXES[form]}"
    assert convert_hands(source, target, to=form).hands == len(read.hands)
    back = read_hands(target)
    assert back.left_out == ()
    for hand, again in zip(read.hands, back.hands, strict=True):
        assert course_of(again) == course_of(hand), (form, hand.name)
        assert (again.hero, again.players) == (hand.hero, hand.players)


def test_short_decks_have_no_low_cards() -> None:
    text = (SESSIONS / "short.txt").read_text("utf-8")
    whole = read_site_text(text)
    board = re.search(r"FLOP \*\*\* \[(\w\w)", text)
    assert board is not None
    read = read_site_text(text.replace(board[1], "3" + board[1][1]))
    assert len(read.left_out) > len(whole.left_out)
    assert any("not in a short deck" in out.reason for out in read.left_out)


def test_short_decks_of_sites_are_reviewed_by_position() -> None:
    hands, left_out = table_hands(read_hands(SESSIONS / "short.txt"))
    assert not left_out
    assert [hand.positions for hand in hands] == [("BTN", "UTG")] * 2
    rules = hands[0].rules
    assert (hands[0].hand.deck, rules.blinds, rules.antes) == ("short", (50, 0), (25, 25))


def pokerkit_samples() -> dict[str, str]:
    """The hands of the papers on PokerKit, which its package has, by their variant."""
    file = Path(pokerkit.__file__).parent / "tests" / "test_papers.py"
    texts = [
        textwrap.dedent(node.value)
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "starting_stacks" in node.value
    ]
    return {tomllib.loads(text)["variant"]: text for text in texts}


POKERKIT = {
    "NT": ("phhs", "ohh", "jsonl", "pokerstars", "ggpoker"),
    "PO": ("phhs", "ohh", "jsonl", "pokerstars", "ggpoker"),
    "NS": ("phhs", "jsonl"),
}
"""Forms of the variants of hold'em among the samples; the others are draw games."""


@pytest.mark.parametrize("variant", ["NT", "PO", "NS", "FB", "F2L3D"])
def test_samples_of_pokerkit_go_round(variant: str, tmp_path: Path) -> None:
    """Dwan and Ivey 2009, Antonius and Blom 2009, Phua and Xuan 2019, badugi, deuce to seven."""
    source = tmp_path / "sample.phh"
    source.write_text(pokerkit_samples()[variant])
    for form in POKERKIT.get(variant, ()):
        goes_round(source, form, tmp_path)
    if variant not in POKERKIT:
        convert_hands(source, tmp_path / "b.phhs")
        (hand,), (again,) = read_hands(source).hands, read_hands(tmp_path / "b.phhs").hands
        assert again.history.actions == hand.history.actions
    for form in set(FORMS) - {*POKERKIT.get(variant, ("phhs",))}:
        with refuses(UnsupportedError, option="hands"):
            convert_hands(source, tmp_path / "none", to=form)
        assert not (tmp_path / "none").exists()
