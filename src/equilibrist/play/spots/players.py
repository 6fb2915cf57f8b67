"""The agent that plays the solution of a spot, and the coach and the ranges that go by it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.play.spots.game import read_infoset
from equilibrist.play.table import Table
from equilibrist.poker.cards.combos import COMBO_MASKS
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.typing import FloatArray

_REMEMBERED: Final = 256
"""Nodes that are kept in memory, about 30 kB each."""


class SpotAgent:
    """Plays the average strategy of a solved spot, with what is locked in it.

    A hand that the solution does not hold at a node plays uniformly there. That happens on streets
    that its file does not keep, after actions that the solution never takes.

    Args:
        solution: The solution.
        name: What to call it.

    Attributes:
        name: What to call it.
        solution: The solution.

    Raises:
        ConfigError: `solution` is not one of a spot.
    """

    def __init__(self, solution: PostflopResult, name: str = "AI") -> None:
        """Play a solution; the class describes the arguments."""
        self.solution = _checked(solution)
        self.name = name
        self._nodes = _Nodes(solution)

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the average strategy with the hand of the player to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            LineSyntaxError: The solution's spot has no such line.
            MismatchError: It has other actions there.
        """
        found = self._nodes.row(table.infoset)
        if found.actions != table.actions:
            raise MismatchError(
                f"the solution of {self.solution.game} has other actions at {table.infoset}",
                option="actions",
                given=table.actions,
                expected=found.actions,
                remedy="play the game of its spot, SpotGame(solution.spot)",
            )
        if found.mixture is None:
            return [1.0 / len(table.actions)] * len(table.actions)
        return list(found.mixture)


class SpotCoach:
    """Judges choices by the solution of a spot.

    The values of an `Advice` are the EVs of the actions with the hand that is held, in chips, as in
    `NodeValues.action_ev`: both players follow the solution afterwards. They are None where the
    opponent of the solution never plays to the node, and the mixture is () where the solution does
    not say what the hand does; see `SpotAgent`.

    Args:
        solution: The solution.

    Raises:
        ConfigError: `solution` is not one of a spot.
    """

    def __init__(self, solution: PostflopResult) -> None:
        """Go by a solution; the class describes the argument."""
        self.solution = _checked(solution)
        self._nodes = _Nodes(solution)

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:X-B50`.
            chosen: The number of the action.

        Returns:
            The EVs of all actions there, and the solution's own probabilities.

        Raises:
            LineSyntaxError: The spot has no such line.
            ConfigError: The key has another form, or there is no such action.
        """
        found = self._nodes.row(infoset)
        whole_number("chosen", chosen, 0, len(found.actions) - 1)
        return Advice(infoset, found.actions, chosen, found.values, found.mixture or ())


class SpotRanges:
    """Ranges of an opponent who plays the solution of a spot.

    The opponent's hands at a decision have the weights of its range there, without those that
    share a card with the player's own hand.

    Args:
        solution: The solution.

    Raises:
        ConfigError: `solution` is not one of a spot.
    """

    def __init__(self, solution: PostflopResult) -> None:
        """Go by a solution; the class describes the argument."""
        self._nodes = _Nodes(_checked(solution))

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """What the opponent did in the hand so far, as the player of an infoset may know it.

        The answer depends on the infoset alone.

        Args:
            infoset: The key of the player's infoset, such as `AhKh:X-B50`.

        Returns:
            One mixture per decision of the opponent, the first decision first.

        Raises:
            LineSyntaxError: The spot has no such line.
            ConfigError: The key has another form.
        """
        combo, line = read_infoset(infoset)
        player = self._nodes.at(line).player
        ends = [match.start() for match in _BREAKS.finditer(line)]
        found = []
        for start, end in zip([-1, *ends], [*ends, len(line)], strict=True):
            where, taken = line[: max(start, 0)], line[start + 1 : end]
            node = self._nodes.at(where)
            if node.player not in (None, player) and taken in node.codes:
                found.append(_over_range(node, where, combo, taken))
        return tuple(found)


_BREAKS: Final = re.compile(r"[-|]")
"""What stands between the actions and cards of a line."""


def _over_range(node: _Node, where: str, combo: int, taken: str) -> RangeMixture:
    """The mean over the hands that who acts at a node may hold while another holds `combo`."""
    assert node.player is not None
    held = (COMBO_MASKS & COMBO_MASKS[combo]) == 0
    weight = np.where(held, np.nan_to_num(node.weight[node.player]), 0.0)
    weight[~(node.strategy.sum(axis=0) > 0.0)] = 0.0
    total = float(weight.sum())
    shares = None
    if total > 0.0:
        shares = tuple((np.nan_to_num(node.strategy) @ weight / total).tolist())
    return RangeMixture(
        player=node.player,
        where=where,
        actions=node.actions,
        words=node.actions,
        probabilities=shares,
        holdings=int(np.count_nonzero(weight)),
        taken=node.actions[node.codes.index(taken)],
    )


class _Node(NamedTuple):
    """What the solution says of all hands at a node; `player` is None where nobody acts."""

    player: int | None
    actions: tuple[str, ...]
    codes: tuple[str, ...]
    weight: FloatArray
    strategy: FloatArray
    action_ev: FloatArray


class _Row(NamedTuple):
    """What the solution says of a hand at a node; None where it says nothing."""

    actions: tuple[str, ...]
    mixture: tuple[float, ...] | None
    values: tuple[float, ...] | None


class _Nodes:
    """Looks up hands at nodes; the latest nodes are kept."""

    def __init__(self, solution: PostflopResult) -> None:
        self._solution = solution
        self.at = lru_cache(_REMEMBERED)(self._look_up)

    def row(self, infoset: str) -> _Row:
        """The row of an infoset; raises what `PostflopResult.at` raises."""
        combo, line = read_infoset(infoset)
        node = self.at(line)
        mixture, values = node.strategy[:, combo], node.action_ev[:, combo]
        total = float(mixture.sum())  # NaN if the hand is not held
        return _Row(
            node.actions,
            tuple((mixture / total).tolist()) if total > 0.0 else None,
            None if np.isnan(values).any() else tuple(values.tolist()),
        )

    def _look_up(self, line: str) -> _Node:
        node = self._solution.at(line)
        return _Node(
            player=node.player,
            actions=tuple(map(str, node.actions)),
            codes=tuple(action.code for action in node.actions),
            weight=node.values.weight,
            strategy=node.values.strategy,
            action_ev=node.values.action_ev,
        )


def _checked(solution: object) -> PostflopResult:
    return instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve")
