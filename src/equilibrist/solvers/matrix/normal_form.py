"""The payoff array of a game in which each player moves once, without seeing the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from equilibrist.errors import UnsupportedError
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.game_loading import as_game
from equilibrist.tree.walk.protocol import checked_rules
from equilibrist.typing import FloatArray


@dataclass(frozen=True, eq=False)
class NormalForm:
    """The payoffs of all joint actions.

    Attributes:
        name: The game.
        actions: `actions[i]` are player i's labels.
        payoffs: float64[actions of player 0, ..., actions of player n-1, n].
    """

    name: str
    actions: tuple[tuple[str, ...], ...]
    payoffs: FloatArray

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def num_players(self) -> int:
        """How many players."""
        return len(self.actions)

    def action_values(self, player: int, played: tuple[int, ...]) -> FloatArray:
        """Payoffs that each action of a player would have had against the others' actions.

        Args:
            player: The player.
            played: The action of each player by number; the player's own has no effect.

        Returns:
            float64[actions of the player].
        """
        others: tuple[Any, ...] = (*played[:player], slice(None), *played[player + 1 :], player)
        return np.asarray(self.payoffs[others])

    def expected_action_values(self, player: int, strategies: tuple[FloatArray, ...]) -> FloatArray:
        """Mean payoffs of each action of a player against the others' strategies.

        Args:
            player: The player.
            strategies: The probabilities of each player; the player's own have no effect.

        Returns:
            float64[actions of the player].
        """
        values = np.moveaxis(self.payoffs[..., player], player, -1)
        for other in range(self.num_players):
            if other != player:
                values = np.tensordot(strategies[other], values, axes=(0, 0))
        return np.asarray(values)


def read_normal_form(game: str | Game[Any]) -> NormalForm:
    """The payoff array of any game without chance in which each player has one infoset.

    The players may move in any order.

    Args:
        game: The name of a game, or a game of your own.

    Returns:
        The payoffs.

    Raises:
        UnsupportedError: For other games.
        GameSpecError: `game` is not a game.
        UnknownNameError: If no game has this name.
    """
    game = checked_rules(as_game(game))
    owners: dict[str, int] = {}
    labels: dict[int, tuple[str, ...]] = {}
    _collect(game, game.initial_state(), (), owners, labels)
    players = range(game.num_players)
    counts = [sum(owner == i for owner in owners.values()) for i in players]
    if counts != [1] * game.num_players:
        raise _no_matrix(game, f"its players have {counts} infosets, not one each")
    actions = tuple(labels[i] for i in players)
    payoffs = np.empty((*(len(a) for a in actions), game.num_players))
    for cell in product(*(range(len(a)) for a in actions)):
        state = game.initial_state()
        while (player := game.player(state)) != TERMINAL:
            state = game.next(state, cell[player])
        payoffs[cell] = game.payoffs(state)
    return NormalForm(game.name, actions, payoffs)


def _collect(
    game: Game[Any],
    state: Any,
    moved: tuple[int, ...],
    owners: dict[str, int],
    labels: dict[int, tuple[str, ...]],
) -> None:
    """Note the infosets below `state`, and leave at the first sign of another kind of game."""
    player = game.player(state)
    if player == TERMINAL:
        return
    if player == CHANCE or player in moved:
        why = "chance moves" if player == CHANCE else f"player {player} moves twice"
        raise _no_matrix(game, why)
    owners[game.infoset(state)] = player
    labels[player] = tuple(game.actions(state))
    if len(owners) > game.num_players:
        raise _no_matrix(game, "it has more infosets than players")
    for k in range(len(labels[player])):
        _collect(game, game.next(state, k), (*moved, player), owners, labels)


def _no_matrix(game: Game[Any], why: str) -> UnsupportedError:
    return UnsupportedError(
        f"{game.name} is not a matrix game: {why}",
        option="game",
        given=game.name,
        remedy="use an algorithm for any game (dcfr)",
    )
