"""The strategies of a spot's players, looked up by line."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeAlias

import numpy as np

from equilibrist.errors import ConfigError, LineSyntaxError, UnsupportedError
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.public_tree import find_node
from equilibrist.poker.betting.state import BettingState, Phase
from equilibrist.poker.cards.cards import NUM_CARDS
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing
from equilibrist.poker.postflop.solution.node import Node
from equilibrist.poker.postflop.solution.node_place import NodePlace, places_to
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.resolved_locks import strategy_lock
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray

Probabilities: TypeAlias = Callable[[int, tuple[int, ...]], FloatArray]
"""float64[A, 1326]: what is played at a node of the public tree, after the cards that were dealt
since the root; NaN for hands that are not held."""


class SpotStrategy:
    """What both players of a spot do: `strategy[line]` gives `{action: probabilities}`.

    The probabilities, float64[1326] by combo, are those of the player who acts after the line.
    Those of all actions add up to 1; they are NaN for hands that are not held. ConfigError where
    nobody acts, LineSyntaxError for lines that cannot be read or played.

    Attributes:
        spot: The spot.
    """

    def __init__(self, spot: Spot, probabilities: Probabilities) -> None:
        """Look strategies up.

        Args:
            spot: The spot.
            probabilities: Gives what is played at a node.
        """
        self.spot = spot
        self._probabilities = probabilities

    def __reduce__(self) -> NoReturn:
        raise UnsupportedError(
            "the strategies of a spot cannot be pickled or copied by themselves: they are looked "
            "up in its result",
            option="strategy",
            remedy="pickle the result",
        )

    def __getitem__(self, line: str) -> dict[str, FloatArray]:
        state, runout = follow_line(self.spot, line)
        if state.phase is not Phase.DECISION:
            raise ConfigError(
                f"nobody acts after {line}: there is no strategy", option="line", given=line
            )
        node = find_node(self.spot.betting.tree, state.line)
        names = map(str, self.spot.rules().actions(state))
        return dict(zip(names, self._probabilities(node, runout), strict=True))


def lock_node(spot: Spot, node: Node) -> Lock:
    """Lock what is played at a node; raises ConfigError where nobody acts.

    Hands that are suit images of each other get their mean.
    """
    if node.player is None:
        raise ConfigError(
            f"no player acts at {node.line} ({node.what}), so nothing can be locked there",
            option="line",
            given=node.line,
            remedy="give a line at whose end a player acts",
        )
    group = spot.symmetries
    for card in node.runout:
        group = fixing(group, card)
    images = [node.values.strategy[:, COMBO_IMAGES[number]] for number in group]
    return strategy_lock(node.line, node.actions, np.mean(images, axis=0))


def follow_line(spot: Spot, line: str) -> tuple[BettingState, tuple[int, ...]]:
    """Follow a line with cards from the root of a spot.

    Args:
        spot: The spot.
        line: Actions and cards, such as `X-B94-C|8h|X`.

    Returns:
        The state after it, and the cards in it.

    Raises:
        LineSyntaxError: The line cannot be read, or holds an action that is not possible, or lacks
            a card; the message says what would be possible.
    """
    state, cards = spot.rules().follow(line, spot.cards)
    parts = parse_line(line)
    runout: list[int] = []
    deck = range(4 * spot.whole_deck.lowest_rank, NUM_CARDS)
    for k, card in enumerate(cards):
        if card is None:
            place = parts[k + 1].cards_at
            before = [part.actions for part in parts[: k + 1]]
            free = next(c for c in deck if c not in (*spot.cards, *cards))
            so_far = line_text([*before, ()], [[c] for c in (*runout, free)])
            message = f"a card must be dealt here, such as {so_far}"
            raise LineSyntaxError(
                message, place.whole, place.start, option="line", given=place.text
            )
        runout.append(card)
    return state, tuple(runout)


def way_to(spot: Spot, line: str) -> list[NodePlace]:
    """The places from the root of a spot to a node: one after each action and each card.

    Args:
        spot: The spot.
        line: The line of the node, with its cards.

    Returns:
        The root first, the node last.

    Raises:
        LineSyntaxError: The line cannot be read or played.
        ConfigError: The line is not a text.
    """
    return list(places_to(spot.rules(), spot.cards, *follow_line(spot, line)))
