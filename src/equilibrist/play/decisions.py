"""Decisions drawn from solutions: those that a player comes to, as hard as they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

import numpy as np

from equilibrist.evaluation.infosets import infoset_reach
from equilibrist.play.spots.game import read_infoset
from equilibrist.play.table import Table, drawn_index
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.cards.cards import NUM_CARDS, card_name
from equilibrist.poker.cards.combos import combo_name
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from equilibrist.play.agents import Agent
    from equilibrist.play.hands.game import HandGame
    from equilibrist.poker.postflop.solution.node import Node
    from equilibrist.poker.postflop.solution.result import PostflopResult

Difficulty = Literal["any", "clear", "mixed"]
PREFLOP: Final = "preflop"
"""The street of decisions before the flop."""
CLEAR: Final = 0.9
"""A decision is clear where the solution takes one action at least as often as this."""
_WALKS: Final = 40
"""Walks through a spot before it is said to have no decision of the kind that is wanted."""
_KEPT_STREETS: Final = {"all": 3, "no-rivers": 2, "first-street": 0}
"""By what a file keeps of a spot, the last street whose decisions it has, from the flop on; a file
with the first street alone has that one, whichever it is."""


@dataclass(frozen=True)
class Wanted:
    """Which decisions are drawn.

    Attributes:
        players: Whose; None for those of all players.
        streets: On which streets of hold'em; None for all.
        difficulty: `clear` ones, where the solution nearly always takes the same action, `mixed`
            ones, where it does not, or `any`, as play comes to them.
        first: Of a spot, only the first decision of a player in a hand.
    """

    players: frozenset[int] | None = None
    streets: frozenset[str] | None = None
    difficulty: Difficulty = "any"
    first: bool = False

    def has_player(self, player: int) -> bool:
        """Whether decisions of a player are drawn.

        Args:
            player: The number of the player.
        """
        return self.players is None or player in self.players

    def fits(self, strategy: FloatArray) -> BoolArray:
        """Which hands have a decision as hard as it is wanted.

        Args:
            strategy: float64[A, n]: how often each of n hands takes each of A actions.

        Returns:
            bool[n].
        """
        if self.difficulty == "any":
            return np.ones(strategy.shape[1], bool)
        is_clear: BoolArray = strategy.max(axis=0) >= CLEAR
        return is_clear if self.difficulty == "clear" else ~is_clear


class DrawnDecision(NamedTuple):
    """A decision that was drawn.

    Attributes:
        infoset: The key of the infoset.
        player: Whose decision it is.
        actions: The labels of the actions.
        street: Of hold'em the street; None in other games.
    """

    infoset: str
    player: int
    actions: tuple[str, ...]
    street: str | None


class Decisions(Protocol):
    """The decisions of a solution, to draw from."""

    def draw(self, wanted: Wanted, generator: np.random.Generator) -> DrawnDecision | None:
        """Draw a decision.

        Args:
            wanted: Which ones are drawn.
            generator: Draws them.

        Returns:
            The decision; None where the solution comes to none of that kind.
        """
        ...

    def at(self, infoset: str) -> DrawnDecision:
        """The decision at an infoset.

        Args:
            infoset: The key of the infoset.

        Raises:
            EquilibristError: The solution has no such decision.
        """
        ...


class SpotDecisions:
    """The decisions of a solved spot.

    A hand is played by both ranges as the solution plays them, cards are dealt evenly, and one of
    the decisions on the way is drawn, with a hand as likely as it is there.

    Args:
        solution: The solution; of one that does not keep all streets, those that it keeps.
    """

    def __init__(self, solution: PostflopResult) -> None:
        self._solution = solution
        self._last = max(_KEPT_STREETS[solution.keep], solution.spot.first_street)

    def draw(self, wanted: Wanted, generator: np.random.Generator) -> DrawnDecision | None:
        """Draw a decision; see `Decisions`."""
        for _ in range(_WALKS):
            nodes = list(self._walk(wanted, generator))
            for place in generator.permutation(len(nodes)).tolist():
                node = nodes[place]
                hand = _drawn_hand(node, wanted, generator)
                if hand is not None:
                    return _drawn(node, hand)
        return None

    def at(self, infoset: str) -> DrawnDecision:
        """The decision at an infoset, such as `AhKh:X-B50`; see `Decisions`."""
        combo, line = read_infoset(infoset)
        return _drawn(self._solution.at(line), combo)

    def _walk(self, wanted: Wanted, generator: np.random.Generator) -> Iterator[Node]:
        """The wanted decisions of a hand that is played by both ranges."""
        node, met = self._solution.at(), set[int]()
        while True:
            if node.player is None:
                if node.what != "a card comes" or len(node.board) // 2 - 3 >= self._last:
                    return
                node = node.deal(self._card(node, generator))
                continue
            if self._is_past(node, wanted, met):
                return
            is_new = node.player not in met
            met.add(node.player)
            if (
                wanted.has_player(node.player)
                and (wanted.streets is None or node.street in wanted.streets)
                and (is_new or not wanted.first)
            ):
                yield node
            shares = np.nan_to_num(np.array(list(node.frequency.values())))
            if not shares.any():
                return
            node = node.play(node.actions[drawn_index(shares.tolist(), generator)])

    def _is_past(self, node: Node, wanted: Wanted, met: set[int]) -> bool:
        """Whether neither a node nor what follows it has wanted decisions.

        Args:
            node: A node at which a player acts.
            wanted: Which decisions are drawn.
            met: The players who have acted.
        """
        last = max(map(STREETS.index, STREETS if wanted.streets is None else wanted.streets))
        others = [player for player in range(2) if wanted.has_player(player) and player not in met]
        return STREETS.index(node.street) > last or (wanted.first and not others)

    def _card(self, node: Node, generator: np.random.Generator) -> str:
        absent = {card_name(card) for card in self._solution.spot.whole_deck.absent}
        absent |= {node.board[k : k + 2] for k in range(0, len(node.board), 2)}
        cards = [name for name in map(card_name, range(NUM_CARDS)) if name not in absent]
        return cards[int(generator.integers(len(cards)))]


def _drawn(node: Node, combo: int) -> DrawnDecision:
    assert node.player is not None
    infoset = f"{combo_name(combo)}:{node.line}"
    return DrawnDecision(infoset, node.player, tuple(map(str, node.actions)), node.street)


def _drawn_hand(node: Node, wanted: Wanted, generator: np.random.Generator) -> int | None:
    """A hand of the player to act, as likely as it is there; None where no hand fits."""
    weights = hand_weights(node)
    hands = np.flatnonzero(weights)
    hands = hands[wanted.fits(node.values.strategy[:, hands])]
    return int(hands[drawn_index(weights[hands].tolist(), generator)]) if len(hands) else None


def hand_weights(node: Node) -> FloatArray:
    """How often each hand of the player to act is at a node, where its actions have EVs.

    Args:
        node: A node at which a player acts.

    Returns:
        float64[1326]: weights, 0 for hands that are never there.
    """
    player, values = node.player, node.values
    assert player is not None
    weights = np.nan_to_num(values.weight[player] * values.matchups[player])
    return np.where(np.isnan(values.action_ev).any(axis=0), 0.0, np.maximum(weights, 0.0))


class GameDecisions:
    """The decisions of a compiled game, as likely as when all players follow a strategy.

    Args:
        strategy: The strategy.
    """

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = checked_strategy(strategy)
        tree = self._strategy.tree
        self._choices = [i for i, labels in enumerate(tree.action_labels) if len(labels) > 1]
        self._reach: list[float] | None = None

    def draw(self, wanted: Wanted, generator: np.random.Generator) -> DrawnDecision | None:
        """Draw a decision; see `Decisions`."""
        if self._reach is None:
            self._reach = infoset_reach(self._strategy).tolist()
        reach = self._reach
        possible = [i for i in self._choices if reach[i] > 0.0 and self._fits(i, wanted)]
        if not possible or wanted.streets is not None:
            return None
        return self._drawn(possible[drawn_index([reach[i] for i in possible], generator)])

    def at(self, infoset: str) -> DrawnDecision:
        """The decision at an infoset; see `Decisions`."""
        return self._drawn(self._strategy.tree.index(infoset))

    def _fits(self, infoset: int, wanted: Wanted) -> bool:
        tree: Any = self._strategy.tree
        shares = self._strategy.probabilities[tree.actions_of(infoset)]
        is_wanted = wanted.has_player(int(tree.infoset_player[infoset]))
        return is_wanted and bool(wanted.fits(shares[:, None])[0])

    def _drawn(self, infoset: int) -> DrawnDecision:
        tree = self._strategy.tree
        key, labels = tree.infoset_keys[infoset], tree.action_labels[infoset]
        return DrawnDecision(key, int(tree.infoset_player[infoset]), labels, None)


class ChartDecisions:
    """The decisions before the flop of whole hands.

    Hands are dealt to all seats, which play as the solution does, and one of the decisions on the
    way is drawn.

    Args:
        game: The hand.
        agent: Plays the solution.
        knows: Says whether the agent plays at an infoset; a hand ends where it does not. None where
            it plays at all.
    """

    def __init__(
        self, game: HandGame, agent: Agent, knows: Callable[[str], bool] | None = None
    ) -> None:
        self._game, self._agent, self._knows = game, agent, knows

    def draw(self, wanted: Wanted, generator: np.random.Generator) -> DrawnDecision | None:
        """Draw a decision; see `Decisions`."""
        if wanted.streets is not None and PREFLOP not in wanted.streets:
            return None
        for _ in range(_WALKS):
            infosets = list(self._walk(wanted, generator))
            if infosets:
                return self.at(infosets[int(generator.integers(len(infosets)))])
        return None

    def at(self, infoset: str) -> DrawnDecision:
        """The decision at an infoset, such as `AhKh:A10`; see `Decisions`."""
        state = self._game.at(infoset)[1]
        labels = tuple(action.code for action in self._game.legal(state))
        return DrawnDecision(infoset, int(state.betting.player), labels, PREFLOP)

    def _walk(self, wanted: Wanted, generator: np.random.Generator) -> Iterator[str]:
        """The infosets of the wanted decisions of a hand."""
        table, met = Table.start(self._game), set[int]()
        while len(table.state.hands) < self._game.num_players:
            table = table.draw(table.chance, generator)
        while table.player >= 0 and not table.state.board:
            if self._knows is not None and not self._knows(table.infoset):
                return
            mixture = list(self._agent.mixture(table))
            is_new, player = table.player not in met, table.player
            met.add(player)
            if (
                wanted.has_player(player)
                and (is_new or not wanted.first)
                and wanted.fits(np.array(mixture)[:, None])[0]
            ):
                yield table.infoset
            table = table.draw(mixture, generator)
