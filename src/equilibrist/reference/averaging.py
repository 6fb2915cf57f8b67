"""Averages that are taken apart from the regret traversals, in plain Python."""

from __future__ import annotations

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import GameWalk, Node
from equilibrist.reference.sampling import Addition, Profile


def walk_average(root: Node, averager: int, profile: Profile, draws: Draws) -> Addition:
    """One trajectory on which `averager` follows the profile and the other players draw evenly.

    What the others play does not enter: an infoset is visited with the averager's reach times a
    constant of the infoset, and the strategy is added there, so that the expected addition is own
    reach times strategy times that constant. This holds for any number of players.
    """
    added = Addition()
    node = root
    while node.player != TERMINAL:
        if node.player == CHANCE:
            choice = draws.outcome(node.chance)
        elif node.player == averager:
            strategy = profile[node.infoset]
            added.add_strategy(node.infoset, strategy)
            choice = draws.action(strategy)
        else:
            count = len(node.children)
            choice = draws.action([1.0 / count] * count)
        node = node.children[choice]
    return added


def full_average(game: GameWalk, profile: Profile) -> Addition:
    """Own reach times strategy at every infoset: what all averages of an iteration estimate."""
    added = Addition()
    for key, infoset in game.infosets.items():
        reach = 1.0
        for earlier, action in infoset.path:
            reach *= profile[earlier][action]
        added.add_strategy(key, [reach * p for p in profile[key]])
    return added
