"""A bare walk over the `Game` protocol, independent of the compiled tree."""

from __future__ import annotations

from typing import Any, NamedTuple

from equilibrist.game import CHANCE, TERMINAL, Game


class Sizes(NamedTuple):
    """What a walk counts; sequences as the project counts them, one empty one per player."""

    histories: int
    terminals: int
    infosets: int
    sequences: int


def sizes(game: Game[Any]) -> Sizes:
    """Count, and check that infosets agree on their owner and actions."""
    infosets: dict[str, tuple[int, tuple[str, ...]]] = {}
    histories = terminals = 0
    stack = [game.initial_state()]
    while stack:
        state = stack.pop()
        histories += 1
        player = game.player(state)
        if player == TERMINAL:
            terminals += 1
            continue
        actions = tuple(game.actions(state))
        if player != CHANCE:
            assert infosets.setdefault(game.infoset(state), (player, actions)) == (player, actions)
        stack += [game.next(state, index) for index in range(len(actions))]
    sequences = sum(len(actions) for _, actions in infosets.values()) + game.num_players
    return Sizes(histories, terminals, len(infosets), sequences)


def moments(game: Game[Any], uniform: bool = False) -> tuple[list[float], list[float]]:
    """Mean and mean square of every player's payoff.

    Players take the k-th of m actions with probability 2k / (m(m + 1)), or 1 / m if `uniform`.
    """
    means = [0.0] * game.num_players
    squares = [0.0] * game.num_players
    stack: list[tuple[Any, float]] = [(game.initial_state(), 1.0)]
    while stack:
        state, reach = stack.pop()
        player = game.player(state)
        if player == TERMINAL:
            for index, value in enumerate(game.payoffs(state)):
                means[index] += reach * value
                squares[index] += reach * value * value
            continue
        count = len(game.actions(state))
        if player == CHANCE:
            odds = list(game.chance(state))
            assert len(odds) == count
            assert abs(sum(odds) - 1) < 1e-12
        elif uniform:
            odds = [1 / count] * count
        else:
            odds = [2 * (k + 1) / (count * (count + 1)) for k in range(count)]
        stack += [(game.next(state, k), reach * odds[k]) for k in range(count)]
    return means, squares


def play(game: Game[Any], *moves: str) -> Any:
    """The state after the moves with these labels (separate, or in one text), chance included."""
    state = game.initial_state()
    for label in " ".join(moves).split():
        state = game.next(state, list(game.actions(state)).index(label))
    return state
