"""Match states: every message of random hands is read as it was written; garbage is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equilibrist.errors import CardSyntaxError, EquilibristError, LineSyntaxError
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.protocols.acpc.dealer import MatchSettings, deal_cards
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.log import LoggedHand
from equilibrist.protocols.acpc.match_state import Deal, MatchState, rotated, seen_by
from equilibrist.protocols.acpc.rules import rules_of
from tests.protocols.acpc.random_hands import bettings, messages, random_definition
from tests.protocols.acpc.tables import HEADS_UP, THREE
from tests.refusals import refuses


def hands(texts: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(parse_cards(text)) if text else () for text in texts.split("|"))


def test_a_message_as_published() -> None:
    state = MatchState.parse(rules_of(HEADS_UP), "MATCHSTATE:0:30:cr300c/:9s8h|/8c8d5c")
    assert (state.position, state.hand) == (0, 30)
    assert state.is_to_act
    assert state.cards.holes == hands("9s8h|")
    assert state.cards.board == tuple(parse_cards("8c8d5c"))


def test_others_are_shown_at_a_showdown_alone() -> None:
    rules = rules_of(THREE)
    cards = Deal(hands("2c2d|2h2s|3c3d"), tuple(parse_cards("3h3s4c4d4h")))
    over = MatchState.parse(
        rules, "MATCHSTATE:0:1:ccc/ccr200r500r800r2000c//:2c2d|2h2s|3c3d/3h3s4c/4d/4h"
    ).betting
    shown = seen_by(over, cards, 0)
    assert shown.text(rules, 5) == "2c2d|2h2s|3c3d/3h3s4c/4d/4h"
    folded = MatchState.parse(rules, "MATCHSTATE:0:1:fcc/r500c//:2c2d|2h2s|/3h3s4c/4d/4h").betting
    assert seen_by(folded, cards, 0).holes == hands("2c2d|2h2s|")
    assert seen_by(folded, cards, 2).holes == hands("2c2d|2h2s|3c3d")
    assert seen_by(folded, cards, 0, shows_folded=True).holes == hands("2c2d|2h2s|3c3d")


def test_seats_rotate_unless_they_are_fixed() -> None:
    assert [rotated(3, hand) for hand in range(4)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    assert rotated(3, 2, fixed=True) == [0, 1, 2]


@pytest.mark.parametrize("number", [60, pytest.param(400, marks=pytest.mark.slow)])
def test_every_message_of_random_hands_is_read_as_it_was_written(number: int) -> None:
    generator = np.random.default_rng(3)
    for hand in range(number):
        definition = random_definition(generator)
        rules = rules_of(definition)
        assert GameDefinition.read(definition.text()) == definition
        for state in messages(definition, hand, seed=hand):
            assert MatchState.parse(rules, str(state)) == state
        *_, end = bettings(definition, hand, hand)
        cards = deal_cards(MatchSettings(definition, hand + 1, hand), hand)
        names = [f"player {k}" for k in range(definition.seats)]
        logged = LoggedHand.of(hand, end, cards, names)
        assert sum(logged.values) == 0
        read = LoggedHand.parse(rules, str(logged))
        assert read._replace(values=()) == logged._replace(values=())
        assert [float(v) for v in read.values] == pytest.approx([float(v) for v in logged.values])


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("MATCHSTATE:0:30:cr300c/:9s8h|", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300:9s8h|/", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300c/:9s8h|/8c8d", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300c/:9s8h|9s8c/8c8d5c", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300c/:|9s8h/8c8d5c", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300c/:9s8h/8c8d5c", CardSyntaxError),
        ("MATCHSTATE:0:30:cr300c/:9s8x|/8c8d5c", CardSyntaxError),
        ("MATCHSTATE:0:30::9s8h|/8c8d5c/2c/2d/2h", CardSyntaxError),
        ("MATCHSTATE:2:30::9s8h|", LineSyntaxError),
        ("MATCHSTATE:-1:30::9s8h|", LineSyntaxError),
        ("MATCHSTATE:0:99999999999::9s8h|", LineSyntaxError),
        ("MATCHSTATE:0:30::9s8h|:c", LineSyntaxError),
        ("matchstate:0:30::9s8h|", LineSyntaxError),
        ("", LineSyntaxError),
    ],
)
def test_other_lines_are_refused(line: str, kind: type[EquilibristError]) -> None:
    with refuses(kind):
        MatchState.parse(rules_of(HEADS_UP), line)


@given(st.text(alphabet="MATCHSTE:0123cfr/|9s8hd \r\n#;²٣é", max_size=60), st.integers(0, 40))
def test_no_text_is_more_than_refused(text: str, cut: int) -> None:
    rules = rules_of(HEADS_UP)
    whole = "MATCHSTATE:0:30:cr300c/:9s8h|/8c8d5c"
    for line in (text, whole[:cut] + text, text + whole[cut:], whole[:cut] + text + whole[cut:]):
        try:
            state = MatchState.parse(rules, line)
        except EquilibristError:
            continue
        assert MatchState.parse(rules, str(state)) == state
