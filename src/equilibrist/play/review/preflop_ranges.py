"""What two seats bring to the flop: ranges by a solution of whole hands, or by a stated rule.

The rule goes on from that of the presets (`poker.ranges.presets`). The first raise, with k seats
left to act, is made with the best x = 1 - 2^(-1/k) of all hands; each further raise with the best
third of the range before it. Who calls a raise holds the rest of the range that it was made with,
the big blind that of a range twice as large. Who only called the big blind holds what is between x
and 2x, and a big blind that checks all but the best third of x. Like the presets the ranges are
examples: the rule knows neither stacks nor sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import EquilibristError
from equilibrist.play.bots.betting import BETS, Betting
from equilibrist.play.bots.translation import translate
from equilibrist.play.review.turns import Replay, calls_whole_blind, hand_rules
from equilibrist.play.solutions.reading import Reader
from equilibrist.poker.betting.actions import Kind
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import CLASS_NAMES, CLASS_OF_COMBO, dealt_hands, without_cards
from equilibrist.poker.cards.decks import FULL_DECK, Deck
from equilibrist.poker.cards.hand_ranking import top_classes
from equilibrist.typing import FloatArray

THIRD: Final = 1 / 3
"""The share of a range that is good enough for the next raise."""
_BIG_BLIND: Final = "BB"
_WHOLE: Final = 1.0


class Role(NamedTuple):
    """What a seat did before the flop, and the hands that the rule gives it."""

    words: str
    """Such as `raiser`, `caller`, `3-bettor`."""
    best: float
    """The share of all hands that are too good for it, from 0 to 1."""
    most: float
    """The share of all hands that are good enough."""

    @property
    def weights(self) -> FloatArray:
        """float64[1326]: 1 for the hands of the role, 0 for others."""
        return self.weights_in(FULL_DECK)

    def weights_in(self, deck: Deck) -> FloatArray:
        """The hands of the role in a deck.

        Args:
            deck: The deck, of whose hands the shares are.

        Returns:
            float64[1326]: 1 for its hands, 0 for others.
        """
        better = {*top_classes(self.best, deck)}
        held = {*top_classes(self.most, deck)} - better
        by_class = np.array([float(name in held) for name in CLASS_NAMES])
        return by_class[CLASS_OF_COMBO] * without_cards(card_mask(deck.absent))


def roles(replay: Replay) -> dict[int, Role]:
    """Find what seats did before the flop.

    Args:
        replay: The hand at its table.

    Returns:
        By seat, its role by the last thing that it did; that of a big blind that never acted is to
        check.
    """
    rules = hand_rules(replay)
    seats, names = replay.table.seats, rules.positions
    before = [turn for turn in replay.turns if turn.street == 0]
    raises, opened = 0, _share(1)
    found: dict[int, Role] = {}
    for number, turn in enumerate(before):
        behind = max(1, seats - 1 - len({earlier.seat for earlier in before[:number]}))
        calls_blind = calls_whole_blind(rules, turn)
        if turn.action.kind in BETS and not calls_blind:
            opened = _share(behind) if not raises else opened * THIRD
            raises += 1
            words = "raiser" if raises == 1 else f"{raises + 1}-bettor"
            found[turn.seat] = Role(words, 0.0, opened)
        elif turn.action.kind is Kind.FOLD:
            found.pop(turn.seat, None)
        elif raises:
            wide = min(
                _WHOLE, opened * (2 if names[turn.seat] == _BIG_BLIND and raises == 1 else 1)
            )
            found[turn.seat] = Role("caller", opened * THIRD, wide)
        elif calls_blind or turn.action.kind is Kind.CALL:
            share = _share(behind)
            found[turn.seat] = Role("limper", share, min(_WHOLE, 2 * share))
        else:
            found[turn.seat] = Role("checker", _share(1) * THIRD, _WHOLE)
    return found


def ranges_by_solution(
    reader: Reader, strategy: Betting, replay: Replay, street: int = 1
) -> FloatArray | None:
    """What seats bring to a street by a solution of whole hands.

    Args:
        reader: What finds its decisions.
        strategy: Its betting.
        replay: The hand at its table.
        street: 1 for the flop.

    Returns:
        float64[S, 1326]: how often each seat brings each hand, before the street's cards are known;
        None where the solution has nothing like the play.
    """
    turn = next((turn for turn in replay.turns if turn.street == street), None)
    if turn is None:
        return None
    place = translate(turn.played, replay.table, strategy, None, {})
    early = [step for step in place.steps if strategy.street(step.state) < street]
    if len(early) < len([each for each in replay.turns if each.street < street]):
        return None
    ranges = np.tile(dealt_hands(()).astype(np.float64), (replay.table.seats, 1))
    try:
        for step in early:
            row = reader.strategy(reader.place(step.state, step.board))[step.taken]
            ranges[step.seat] *= row
    except EquilibristError:
        return None
    return ranges


def with_hands(weights: FloatArray, combos: Sequence[int], share: float) -> FloatArray:
    """Add hands that were held to a range.

    Args:
        weights: float64[1326]: the range.
        combos: The hands.
        share: The weight of their classes, as a share of the largest, if they are not in it. The
            whole class is added, so that no suit is told from another.

    Returns:
        float64[1326].
    """
    added = weights.copy()
    for combo in combos:
        if not added[combo] > 0.0:
            same = CLASS_OF_COMBO[combo] == CLASS_OF_COMBO
            added[same] = np.maximum(added[same], share * float(weights.max(initial=0.0)))
    return added


def _share(behind: int) -> float:
    """The share of hands that open with so many seats left to act."""
    return float(1 - 2 ** (-1 / behind))
