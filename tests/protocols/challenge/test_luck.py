"""The luck of hands against servers: its mean is 0 by enumeration, whatever the opponent plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from equilibrist.play.bots.answers import BotAnswer, DecidedBy
from equilibrist.poker.preflop.allin_table import AllInTable
from equilibrist.protocols.acpc.betting import FOLD, PASSIVE, RAISE, AcpcAction, Betting
from equilibrist.protocols.acpc.game_definition import GameDefinition
from equilibrist.protocols.acpc.match_state import Deal
from equilibrist.protocols.acpc.players import FixedPlayer
from equilibrist.protocols.acpc.rules import rules_of
from equilibrist.protocols.acpc.values import values
from equilibrist.protocols.challenge.hands import HEADS_UP, Challenge
from equilibrist.protocols.challenge.luck import ServedLuck, steps
from equilibrist.protocols.challenge.slumbot import SlumbotServer
from tests.protocols.challenge.test_hands import Double

TINY = GameDefinition(
    "nolimit",
    (4, 4),
    (2, 1),
    first_players=(1, 0),
    num_suits=3,
    num_ranks=2,
    num_board_cards=(0, 1),
)
"""Six cards, and one on the board."""


def choices(betting: Betting) -> list[AcpcAction]:
    can = betting.choices()
    raised = [AcpcAction(RAISE, can.most)] if can.can_raise else []
    return [*[AcpcAction(FOLD)] * can.can_fold, PASSIVE, *raised]


def shares(hand: tuple[int, ...], board: tuple[int, ...], text: str, count: int) -> list[float]:
    """A way to play that goes by all cards that a player sees."""
    seen = sum(3 * card for card in hand) + 7 * sum(board)
    weights = [1.0 + (seen + 5 * len(text) + 4 * k * k) % 11 for k in range(count)]
    return [weight / sum(weights) for weight in weights]


def all_hands(deal: Deal, ours: int) -> Iterator[tuple[float, Betting, dict[str, BotAnswer]]]:
    """All ways in which a deal may be played, with probabilities and what our bot told."""

    def walk(betting: Betting, chance: float, told: dict[str, BotAnswer]) -> Iterator[Any]:
        if betting.is_over:
            yield chance, betting, told
            return
        seat, actions = betting.player, choices(betting)
        board = deal.board[: betting.board_cards]
        row = shares(deal.holes[seat], board, betting.text, len(actions))
        mixture = {action.kind.upper(): share for action, share in zip(actions, row, strict=True)}
        answer = BotAnswer("", mixture, DecidedBy.BLUEPRINT)
        known = told | ({betting.text: answer} if seat == ours else {})
        for action, share in zip(actions, row, strict=True):
            yield from walk(betting.play(action), chance * share, known)

    return walk(Betting.start(rules_of(TINY)), 1.0, {})


@pytest.mark.parametrize("ours", [0, 1])
def test_its_mean_is_zero_by_enumeration(ours: int) -> None:
    """Over all deals and all play: without luck a hand is worth the same, with less variance."""
    rules = rules_of(TINY)
    luck = ServedLuck(rules)
    sums, deals = np.zeros(4), 0
    for first in combinations(rules.deck, 2):
        rest = [card for card in rules.deck if card not in first]
        for second in combinations(rest, 2):
            for card in rest:
                if card in second:
                    continue
                deal, deals = Deal((first, second), (card,)), deals + 1
                for chance, betting, told in all_hands(deal, ours):
                    seen = deal._replace(board=deal.board[: betting.board_cards])
                    lucky = luck.of(betting, seen, ours, told)
                    won = float(values(betting, deal)[ours])
                    sums += chance * np.array([won, lucky, won**2, (won - lucky) ** 2])
    means = sums / deals
    assert deals == 15 * 6 * 2
    assert means[1] == pytest.approx(0.0, abs=1e-9)
    assert abs(means[0]) > 0.01
    assert means[3] < 0.9 * means[2]


def test_the_table_of_hand_classes_gives_both_seats_the_same() -> None:
    equities = AllInTable.load().equities
    np.testing.assert_allclose(equities + equities.T, 1.0, atol=1e-12)


def test_all_actions_are_listed() -> None:
    betting = Betting.parse(rules_of(HEADS_UP), "r300c/cr600f")
    listed = [(step.before.player, str(step.action)) for step in steps(betting)]
    assert listed == [(1, "r300"), (0, "c"), (0, "c"), (1, "r600"), (0, "f")]


def test_the_interval_is_narrower() -> None:
    result = Challenge(SlumbotServer(Double(FixedPlayer("call"))), FixedPlayer("all-in")).play(60)
    assert result.aivat is not None
    assert result.aivat.half_width < 0.5 * result.mbb(0)[1]
