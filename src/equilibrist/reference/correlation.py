"""Gaps of correlated play, by trying every plan of a player who no longer follows.

A mediator draws one of several profiles by weight and tells nobody which. On arrival at an infoset
the mover is told what the profile plays there, an action drawn from its probabilities. A *trigger*
is a place where a player may stop following: a recommendation (EFCE), an infoset before the
recommendation is seen (EFCCE), or the beginning of play (NFCCE). From there on they get no
recommendations, and play a plan: one action at each of their infosets that they can still reach.

What a trigger gains is the payoff with the best plan less that of following, both counted only
where the trigger is met. Several triggers can be combined if none of them lies below another: who
has stopped following meets no further one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.game_walk import GameWalk, Node

Profile: TypeAlias = dict[str, list[float]]
"""What is played: the probabilities of the actions, by infoset."""
Device: TypeAlias = Sequence[tuple[float, Profile]]
"""Profiles with their weights, which add up to 1."""
Plan: TypeAlias = dict[str, int]
"""One action at each infoset that can be reached with it."""
Choices: TypeAlias = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Gain:
    """What one trigger gains: an infoset and an action (efce), an infoset (efcce), or neither."""

    infoset: str | None
    action: int | None
    gain: float


def plans_from(game: GameWalk, player: int, infosets: Sequence[str]) -> Iterator[Plan]:
    """All reduced plans for some infosets of a player and those that follow.

    Args:
        game: The game.
        player: The player.
        infosets: Where the plans begin; none of them follows another.

    Yields:
        The plans.
    """
    if not infosets:
        yield {}
        return
    first, *others = infosets
    for action in range(len(game.infosets[first].actions)):
        for below in plans_from(game, player, after(game, player, (first, action))):
            for beside in plans_from(game, player, others):
                yield {first: action, **below, **beside}


def after(game: GameWalk, player: int, last: tuple[str, int] | None) -> list[str]:
    """A player's infosets whose last own move before is `last`; None for the first ones."""
    return [
        key
        for key, infoset in game.infosets.items()
        if infoset.player == player and (infoset.path[-1] if infoset.path else None) == last
    ]


def gain_of(
    game: GameWalk, device: Device, player: int, infoset: str | None, action: int | None
) -> float:
    """The gain of a player by the best plan from a trigger on.

    Args:
        game: The game.
        device: The device.
        player: The player.
        infoset: Where they stop following; None for before play.
        action: The recommendation that they do not follow; None for before seeing it.

    Returns:
        The gain, in payoff units, of all of play.
    """
    paid: dict[Choices, float] = {}
    followed = 0.0
    for weight, profile in device:
        if infoset is None:
            _leave(game.root, weight, player, profile, (), paid)
            followed += weight * _value(game.root, player, profile)
            continue
        for node, reach in _arrivals(game.root, 1.0, infoset, profile):
            share = weight * reach
            if action is None:
                followed += share * _value(node, player, profile)
            else:
                share *= profile[infoset][action]
                followed += share * _value(node.children[action], player, profile)
            _leave(node, share, player, profile, (), paid)
    begin = after(game, player, None) if infoset is None else [infoset]
    return max(_worth(paid, plan) for plan in plans_from(game, player, begin)) - followed


def gains(game: GameWalk, device: Device, player: int, concept: str) -> list[Gain]:
    """The gain of each trigger of a player.

    Args:
        game: The game.
        device: The device.
        player: The player.
        concept: `efce`, `efcce` or `nfcce`.

    Returns:
        All triggers.
    """
    if concept == "nfcce":
        return [Gain(None, None, gain_of(game, device, player, None, None))]
    player_gains = []
    for key, infoset in game.infosets.items():
        if infoset.player == player:
            actions = range(len(infoset.actions)) if concept == "efce" else (None,)
            player_gains += [Gain(key, a, gain_of(game, device, player, key, a)) for a in actions]
    return player_gains


def gap(game: GameWalk, gains_of_player: Sequence[Gain], player: int) -> float:
    """The most that a player gains by several triggers of which none lies below another.

    Args:
        game: The game.
        gains_of_player: What `gains` gives for the player.
        player: The player.

    Returns:
        The gap; for nfcce the gain of the only trigger, which may be negative.
    """
    if len(gains_of_player) == 1 and gains_of_player[0].infoset is None:
        return gains_of_player[0].gain
    table = {(gain.infoset, gain.action): gain.gain for gain in gains_of_player}

    def best(infoset: str) -> float:
        below = [
            sum(best(key) for key in after(game, player, (infoset, a)))
            for a in range(len(game.infosets[infoset].actions))
        ]
        if (infoset, None) in table:
            return max(table[infoset, None], sum(below), 0.0)
        return sum(max(table[infoset, a], deeper, 0.0) for a, deeper in enumerate(below))

    return sum(best(key) for key in after(game, player, None))


def _value(node: Node, player: int, profile: Profile) -> float:
    """A player's payoff from here on if everybody follows."""
    if node.player == TERMINAL:
        return node.payoffs[player]
    weights = node.chance if node.player == CHANCE else profile[node.infoset]
    return sum(
        p * _value(child, player, profile) for p, child in zip(weights, node.children, strict=True)
    )


def _arrivals(
    node: Node, reach: float, infoset: str, profile: Profile
) -> Iterator[tuple[Node, float]]:
    """The histories of an infoset, with the probabilities that they come up."""
    if node.player == TERMINAL:
        return
    if node.infoset == infoset and node.player != CHANCE:
        yield node, reach
        return
    weights = node.chance if node.player == CHANCE else profile[node.infoset]
    for p, child in zip(weights, node.children, strict=True):
        yield from _arrivals(child, reach * p, infoset, profile)


def _leave(
    node: Node,
    reach: float,
    player: int,
    profile: Profile,
    choices: Choices,
    paid: dict[Choices, float],
) -> None:
    """Note what every end of play pays, by the choices that lead there without recommendations."""
    if node.player == TERMINAL:
        paid[choices] = paid.get(choices, 0.0) + reach * node.payoffs[player]
    elif node.player == player:
        for a, child in enumerate(node.children):
            _leave(child, reach, player, profile, (*choices, (node.infoset, a)), paid)
    else:
        weights = node.chance if node.player == CHANCE else profile[node.infoset]
        for p, child in zip(weights, node.children, strict=True):
            _leave(child, reach * p, player, profile, choices, paid)


def _worth(paid: dict[Choices, float], plan: Plan) -> float:
    """What the ends of play that a plan leads to pay."""
    return sum(
        amount
        for choices, amount in paid.items()
        if all(plan.get(key) == action for key, action in choices)
    )
