"""Hands with short decks: showdowns before the flop, tables, histories, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.play import HandGame, Table
from equilibrist.poker import Hand, equity, solve_preflop
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, parse_combo
from equilibrist.poker.cards.decks import SHORT_DECKS, Deck
from equilibrist.poker.preflop.allin_counts import class_wins
from equilibrist.poker.preflop.exact.all_in import mean_signs
from equilibrist.poker.preflop.push_fold.game import push_fold_keys
from equilibrist.protocols.acpc.game_definition import GameDefinition
from tests.refusals import refuses

PUSH = Hand(stack=5, bets="a", last_street="preflop", deck="short")


def test_all_in_showdowns_are_those_of_equity() -> None:
    """Over all boards of 36 cards, by another kernel."""
    texts = ["AsKs", "QsQh"]
    hands = np.array([parse_combo(text) for text in texts], np.int16)
    names = ["AKs", "QQ"]
    signs = mean_signs(hands, 5, 4, 2, SHORT_DECKS["short"].ranking)
    for row, own in enumerate(texts):
        for column, other in enumerate(names):
            found = equity(own, other, deck="short")
            lead = (found.oop_win - found.ip_win) * found.matchups
            assert signs[row, column] == pytest.approx(lead, rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_rankings_differ_before_the_flop() -> None:
    wins = [
        class_wins(2, lowest_rank=4, ranking=deck.ranking)
        for deck in (*SHORT_DECKS.values(), Deck("6", 4))
    ]
    ace_king, queens = (int(CLASS_OF_COMBO[parse_combo(text)]) for text in ("AsKs", "QsQh"))
    assert len({int(table[ace_king, queens]) for table in wins}) == 3


@pytest.mark.slow
def test_a_hand_is_solved_exactly() -> None:
    found = solve_preflop(PUSH, iterations=100)
    assert found.exploitability < 0.02
    assert found.hand.rules.ranking == SHORT_DECKS["short"].ranking


@pytest.mark.parametrize(("deck", "winner"), [("6", 1), ("short", 0)])
def test_a_flush_beats_a_full_house_at_a_table(deck: str, winner: int) -> None:
    table = Table.start(HandGame(PUSH.replace(deck=deck)))
    for move in ("SB AhKh", "BB 9s9d", "A5", "C"):
        table = table.play(move)
    for card in ("flop 9h", "flop 8h", "flop 6h", "turn 8d", "river Qc"):
        table = table.play(card)
    won = table.payoffs
    assert won[winner] == 5 == -won[1 - winner]


@pytest.mark.parametrize("deck", ["short", "six-plus", "short-trips"])
def test_names_keep_the_deck(deck: str) -> None:
    hand = Hand(stack=5, bets="a", deck=deck)
    assert Hand.named(hand.name) == hand
    assert len(hand.rules.deck) == 36


def test_what_ranks_as_with_52_cards_refuses_short_decks() -> None:
    hand = Hand(stack=5, bets="a", raises="a", deck="short")
    with refuses(UnsupportedError, option="deck"):
        hand.compiled()
    with refuses(ConfigError, option="deck"):
        GameDefinition.of_hand(Hand(stack=5, deck="short"))
    with refuses(UnsupportedError, option="deck"):
        push_fold_keys(hand)
