"""What actions win if all seats follow charts afterwards: estimates on deals that are drawn.

The hand is fixed. Those of the other seats are drawn in proportion to what the charts bring to the
decision, folds included; then the board is.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from equilibrist.evaluation.duplicates import student_95
from equilibrist.play.hands.game import TableState
from equilibrist.play.solutions.reading import Reader
from equilibrist.poker.blueprint.evaluation.joint_deals import draw_deals
from equilibrist.poker.cards.combos import (
    CLASS_OF_COMBO,
    COMBO_INDEX,
    FIRST_CARD,
    SECOND_CARD,
    dealt_hands,
)
from equilibrist.poker.cards.decks import deck_of
from equilibrist.poker.hands.betting import after
from equilibrist.poker.hands.state import DECISION, FOLDED, HandState
from equilibrist.poker.preflop.exact.boards import strengths_on
from equilibrist.typing import FloatArray, Int64Array

_DEALS: Final = 10_000
"""Deals of a round."""
_ROUNDS: Final = 8
_ENOUGH: Final = 20_000.0
"""Rounds end when the deals count as much as so many of equal weight."""
_LEAST: Final = 100.0
"""Deals of equal weight that an interval needs, at least."""


class Valued(NamedTuple):
    """What the actions at a decision win."""

    means: tuple[float, ...]
    half_widths: tuple[float, ...] | None
    """By action, half of the 95 % interval of its mean; None where the means are exact."""


class _Deals(NamedTuple):
    classes: Int64Array
    """int64[seats, N]: the class of each hand."""
    strengths: Int64Array
    """int64[seats, N]: with the board."""
    weight: FloatArray
    """float64[N]: what a deal counts, since hands exclude each other's cards."""


class Playouts:
    """Plays deals to the end from a decision on."""

    def __init__(self, reader: Reader, seed: int = 0) -> None:
        """Play by the decisions of a solution, all by class, with deals of a seed."""
        self._reader, self._seed = reader, seed

    def values(self, betting: HandState, combo: int) -> Valued | None:
        """Estimate what each action of a hand wins, against the stack before posting.

        Args:
            betting: A decision before the flop.
            combo: The hand of the seat to act.

        Returns:
            Estimates in the unit of the game; None where the charts bring no hands there.
        """
        game, seat = self._reader.game, betting.player
        generator = np.random.default_rng([self._seed, combo, len(betting.line[0])])
        actions = game.legal(TableState((), (), betting))
        ranges = self._ranges(betting)
        weights, won = list[FloatArray](), list[FloatArray]()
        for _ in range(_ROUNDS):
            deals = self._deals(betting, combo, ranges, generator)
            weights.append(deals.weight)
            won.append(np.zeros((len(actions), len(deals.weight))))
            all_deals = np.arange(len(deals.weight))
            for k, action in enumerate(actions):
                state = after(game.rules, betting, action)
                self._play(state, seat, deals, all_deals, won[-1][k], generator)
            weight = np.concatenate(weights)
            if _size(weight) >= _ENOUGH:
                break
        if _size(weight) < _LEAST:
            return None
        total = weight.sum()
        share = weight / total
        results = np.concatenate(won, axis=1)
        means = results @ share
        errors = np.sqrt(((share * (results - means[:, None])) ** 2).sum(axis=1))
        same = np.ptp(results, axis=1) == 0.0  # of folds, which rounding would blur
        means[same], errors[same] = results[same, 0], 0.0
        return Valued(tuple(means.tolist()), tuple((student_95(_size(weight)) * errors).tolist()))

    def _deals(
        self, betting: HandState, combo: int, ranges: FloatArray, generator: np.random.Generator
    ) -> _Deals:
        rules = self._reader.game.rules
        size = sum(rules.board)
        dealt = draw_deals(
            ranges, betting.player, combo, (), rules.deck, _DEALS, generator, size=size
        )
        possible = dealt.weight > 0.0
        cards = dealt.cards[possible].astype(np.int64)
        combos = COMBO_INDEX[cards[:, size::2], cards[:, size + 1 :: 2]].T.astype(np.int64)
        strengths = self._strengths(combos, cards[:, :size])
        return _Deals(CLASS_OF_COMBO[combos].astype(np.int64), strengths, dealt.weight[possible])

    def _ranges(self, betting: HandState) -> FloatArray:
        """float64[seats, 1326]: how likely the charts bring each hand to the decision."""
        game, reader = self._reader.game, self._reader
        free = dealt_hands((), game.rules.lowest_rank).astype(np.float64)
        ranges: FloatArray = np.tile(free, (game.num_players, 1))
        for place, taken in reader.steps(reader.place(betting)):
            strategy = reader.decision(place).strategy
            ranges[place.betting.player] *= strategy[taken, CLASS_OF_COMBO]
        return ranges

    def _strengths(self, combos: Int64Array, board: Int64Array) -> Int64Array:
        if not board.shape[1]:
            strengths: Int64Array = strengths_on(()).astype(np.int64)[combos]
            return strengths
        from equilibrist.poker.cards.evaluator import hand_strengths

        deck = deck_of(self._reader.game.rules.ranking)
        hands = np.stack([FIRST_CARD[combos], SECOND_CARD[combos]], axis=-1)
        both = [np.concatenate([cards, board], axis=1) for cards in hands]
        return np.stack([hand_strengths(cards, deck=deck).astype(np.int64) for cards in both])

    def _play(
        self,
        state: HandState,
        seat: int,
        deals: _Deals,
        of: Int64Array,
        won: FloatArray,
        generator: np.random.Generator,
    ) -> None:
        """Fill in what the seat wins in some deals from a state on."""
        if not len(of):
            return
        game = self._reader.game
        if state.kind != DECISION:
            won[of] = self._settled(state, seat, deals.strengths[:, of])
            return
        decision = self._reader.decision(self._reader.place(state))
        strategy = decision.strategy[:, deals.classes[state.player, of]]
        levels = np.cumsum(strategy, axis=0)
        drawn = (generator.random(len(of)) * levels[-1] >= levels).sum(axis=0)
        actions = game.legal(TableState((), (), state))
        for k, action in enumerate(actions):
            here = of[np.minimum(drawn, len(actions) - 1) == k]
            self._play(after(game.rules, state, action), seat, deals, here, won, generator)

    def _settled(self, state: HandState, seat: int, strengths: Int64Array) -> FloatArray:
        """float64[n]: deals in which hands compare alike are settled once."""
        game, count = self._reader.game, strengths.shape[1]
        if state.kind == FOLDED:
            return np.full(count, game.settled(state, None)[seat])
        live = [other for other in range(game.num_players) if state.is_live(other)]
        shown = strengths[live]
        ranks = (shown[None, :, :] > shown[:, None, :]).sum(axis=1)
        codes = len(live) ** np.arange(len(live)) @ ranks
        _, first, of = np.unique(codes, return_index=True, return_inverse=True)
        payoffs = [game.settled(state, strengths[:, k].tolist())[seat] for k in first]
        return np.array(payoffs)[of]


def _size(weight: FloatArray) -> float:
    """The effective sample size: how many deals of equal weight count as much."""
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0
