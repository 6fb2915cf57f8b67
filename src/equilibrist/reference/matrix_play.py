"""Two players who choose once, at the same time: their table, and how CFR moves through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from equilibrist.errors import UnsupportedError
from equilibrist.game import TERMINAL, Game
from equilibrist.reference.cfr import ReferenceCFR, Rule
from equilibrist.reference.game_walk import GameWalk, walk
from equilibrist.reference.matching import mean, regret_matching

_ROUNDING: Final = 1e-14
"""What rounding changes in a payoff, as a share of what was added up for it."""


@dataclass(frozen=True)
class Table:
    """A game of two players who each choose once without seeing the other's choice.

    Attributes:
        keys: Each player's infoset.
        actions: Each player's actions: rows and columns.
        payoffs: payoffs[row][column]: what the two players earn.
    """

    keys: tuple[str, str]
    actions: tuple[tuple[str, ...], tuple[str, ...]]
    payoffs: tuple[tuple[tuple[float, float], ...], ...]

    def action_values(self, player: int, other: Sequence[float]) -> list[float]:
        """Payoffs of each action of a player against a mixture of the other.

        Args:
            player: Whose actions: 0 for the rows.
            other: A probability for each action of the other player.

        Returns:
            One number per action, in payoff units.
        """
        return [mean(other, row) for row in self._rows(player)]

    def best_actions(self, player: int, other: Sequence[float]) -> list[int]:
        """The best actions of a player against a mixture of the other, in order.

        Actions count as equally good if their payoffs differ by rounding, whatever their unit.

        Args:
            player: Whose actions: 0 for the rows.
            other: A probability for each action of the other player.
        """
        values = self.action_values(player, other)
        sizes = [mean(other, [abs(payoff) for payoff in row]) for row in self._rows(player)]
        best = max(range(len(values)), key=values.__getitem__)
        return [
            k
            for k, value in enumerate(values)
            if value >= values[best] - _ROUNDING * (sizes[k] + sizes[best])
        ]

    def _rows(self, player: int) -> list[list[float]]:
        """A player's payoffs: a list for each action."""
        if player == 0:
            return [[cell[0] for cell in row] for row in self.payoffs]
        return [[cell[1] for cell in column] for column in zip(*self.payoffs, strict=True)]


@dataclass(frozen=True)
class Moment:
    """The strategies of both players after so many iterations.

    Attributes:
        iteration: After how many.
        current: What each player plays in the next one.
        average: What the iterations average to.
    """

    iteration: int
    current: tuple[tuple[float, ...], tuple[float, ...]]
    average: tuple[tuple[float, ...], tuple[float, ...]]


def table_of(game: Game[Any] | GameWalk) -> Table:
    """The table of a game in normal form.

    Args:
        game: The game, or its walk.

    Returns:
        The table.

    Raises:
        UnsupportedError: It is not a game of two players who each choose once, at the same time.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    root = tree.root
    once = (
        tree.num_players == 2
        and root.player == 0
        and len(tree.infosets) == 2
        and all(child.player == 1 for child in root.children)
        and all(end.player == TERMINAL for child in root.children for end in child.children)
    )
    if not once:
        raise UnsupportedError(
            "the game is no table: expected two players who each choose once, at the same time",
            option="game",
            expected="a matrix game",
            remedy="look at its tree",
        )
    columns = root.children[0]
    return Table(
        (root.infoset, columns.infoset),
        (root.actions, columns.actions),
        tuple(
            tuple((end.payoffs[0], end.payoffs[1]) for end in child.children)
            for child in root.children
        ),
    )


def trajectory(
    game: Game[Any] | GameWalk,
    rule: Rule,
    iterations: int,
    *,
    alternating: bool = True,
    begin: tuple[int, int] | None = None,
) -> list[Moment]:
    """Where the current and the average strategies are after each iteration.

    Args:
        game: A game in normal form, or its walk.
        rule: The algorithm.
        iterations: How many.
        alternating: Whether players are updated in turn.
        begin: For each player the action that they play first: its regret is 1 then, and all
            others are 0. None for uniform play, which some games begin and end with.

    Returns:
        The moments, from iteration 0 on.

    Raises:
        UnsupportedError: As `table_of`.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    keys = table_of(tree).keys
    solver = ReferenceCFR(tree, rule, alternating, iterations)
    for key, first in zip(keys, begin or (), strict=begin is not None):
        solver.regret[key][first] = 1.0
        solver.strategy[key] = regret_matching(solver.regret[key])
    moments = [_moment(solver, keys)]
    for _ in range(iterations):
        solver.run(1)
        moments.append(_moment(solver, keys))
    return moments


def _moment(solver: ReferenceCFR, keys: tuple[str, str]) -> Moment:
    average = solver.average_strategy()
    rows, columns = keys
    return Moment(
        solver.iteration,
        (tuple(solver.strategy[rows]), tuple(solver.strategy[columns])),
        (tuple(average[rows]), tuple(average[columns])),
    )
