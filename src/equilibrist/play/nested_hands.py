"""Hands of a solution of a bet menu that answers any bet, against one who bets any amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.score import Score, Tally
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.combos import COMBO_INDEX
from equilibrist.poker.hands.betting_tree import DEAL, DECISION, FOLDED
from equilibrist.poker.preflop.exact.boards import strengths_on
from equilibrist.progress import (
    Callbacks,
    OnProgress,
    PartsReport,
    as_callbacks,
    shows_progress,
)
from equilibrist.search.holdem.nested import NestedSearch


@dataclass(frozen=True)
class NestedHands:
    """Hands that were played.

    Attributes:
        score: What the search won, in big blinds a hand.
        decisions: How many decisions the search had.
        solves: How many subgames it solved for them.
        mean_seconds: The mean time of a decision at which it solved some; 0 where there was none.
        most_seconds: The longest of them.
        seed: The seed.
    """

    score: Score
    decisions: int
    solves: int
    mean_seconds: float
    most_seconds: float
    seed: int


@shows_progress
def play_nested(
    search: NestedSearch,
    hands: int,
    *,
    seed: int = 0,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> NestedHands:
    """Play hands in both seats by turns against one who takes every legal action alike.

    Args:
        search: The search.
        hands: How many hands.
        seed: The seed of cards and actions.
        callbacks: Functions called with every hand.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The score; after Ctrl-C of the hands so far.

    Raises:
        ConfigError: An argument is wrong, or some flops were left out of the game.
        KeyboardInterrupt: Ctrl-C before the first hand was over.
    """
    instance("search", search, NestedSearch, "a NestedSearch")
    count = whole_number("hands", hands, 1)
    generator = np.random.default_rng(whole_number("seed", seed, 0, 2**63 - 1))
    report = PartsReport(as_callbacks(callbacks), "nested", "hands", count)
    tally, decisions, seconds = Tally(1), 0, list[float]()
    before = search.solves
    try:
        for number in range(count):
            if not report.goes_on(number):
                break
            hand = _NestedHand(search, generator, number % 2)
            tally.add((hand.play(),))
            decisions += hand.decisions
            seconds += hand.seconds
    except KeyboardInterrupt:
        if not tally.hands:
            raise
    return NestedHands(
        score=tally.score,
        decisions=decisions,
        solves=search.solves - before,
        mean_seconds=float(np.mean(seconds)) if seconds else 0.0,
        most_seconds=max(seconds, default=0.0),
        seed=seed,
    )


class _NestedHand:
    """A hand: its cards, and what the search did in it."""

    def __init__(self, search: NestedSearch, generator: np.random.Generator, seat: int) -> None:
        self.search, self.seat, self._generator = search, seat, generator
        self.decisions, self.seconds = 0, list[float]()
        rules = search.full.rules
        deck = np.arange(4 * rules.lowest_rank, NUM_CARDS)
        cards = generator.permutation(deck)[: 4 + sum(rules.board)].tolist()
        self._combos = [int(COMBO_INDEX[cards[k], cards[k + 1]]) for k in (0, 2)]
        self._board, self._ranking = cards[4:], rules.ranking

    def play(self) -> float:
        """Play it; returns what the search wins, in big blinds."""
        search, tree, node = self.search, self.search.full.tree, 0
        while tree.kind[node] in (DECISION, DEAL):
            if tree.kind[node] == DEAL:
                node = int(tree.first_child[node])
                continue
            children = tree.children(node)
            shares = np.full(len(children), 1.0 / len(children))
            if tree.player[node] == self.seat:
                self.decisions += 1
                before = len(search.seconds)
                shares = self._strategy(node)
                if len(search.seconds) > before:
                    self.seconds.append(sum(search.seconds[before:]))
            node = children[int(self._generator.choice(len(children), p=shares))]
        stake = float(tree.stake[node].min()) / search.full.big_blind
        if tree.kind[node] == FOLDED:
            return stake if tree.live[node] >> self.seat & 1 else -stake
        strength = strengths_on(self._board, self._ranking)[self._combos]
        own, other = int(strength[self.seat]), int(strength[1 - self.seat])
        return stake * ((own > other) - (own < other))

    def _strategy(self, node: int) -> np.ndarray:
        """float64[A]: what the search does with its hand."""
        search, lookup = self.search, self.search.trunk.lookup
        cards: Sequence[int] = self._board[: search.full.dealt[-1]]
        street = int(search.full.tree.street[node])
        place = lookup.find([cards] if street else [])
        row = int(lookup.rows(place)[self._combos[self.seat]])
        shares = search.probabilities(node, place.board)[:, row]
        return np.asarray(shares / shares.sum())
