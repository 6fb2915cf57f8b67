"""The counterfactual regrets of one infoset, with every intermediate term.

    >>> from equilibrist.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> sheet = regrets_by_hand(kuhn, "1pb")
    >>> print(sheet)
    infoset 1pb, player 0, who plays pass 1/2, bet 1/2
      1 2 pass bet: value of pass -1, bet -2, current strategy -3/2
        regret without chance = others 1/2 * (action - current): pass 1/4, bet -1/4
        regret with chance = chance 1/6 * that: pass 1/24, bet -1/24
      1 3 pass bet: value of pass -1, bet -2, current strategy -3/2
        regret without chance = others 1/2 * (action - current): pass 1/4, bet -1/4
        regret with chance = chance 1/6 * that: pass 1/24, bet -1/24
    counterfactual regret (with chance, all histories): pass 1/12, bet -1/12

Some texts look at one deal and leave chance out: they find 1/4 for pass. What CFR adds to the
cumulative regret is the sum over both deals with chance in the weight, 1/12.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from equilibrist.errors import UnknownNameError
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.reference.game_walk import GameWalk, Infoset, Node, walk
from equilibrist.reference.matching import mean
from equilibrist.reference.response import Profile

_DENOMINATOR: Final = 1000
_RARE: Final = 1e-6
"""Rounding of sums of ordinary outcomes of chance is not smaller than that of payoffs."""
_WHOLE: Final = 1e15
"""Whole numbers below are printed with all digits."""


@dataclass(frozen=True)
class HistorySheet:
    """What one history contributes to the regrets of its infoset.

    Attributes:
        history: The labels of its actions.
        own_reach: That of the acting player.
        values: What each action is worth to the acting player, in payoff units.
    """

    history: tuple[str, ...]
    chance_reach: float
    """The product of the chance probabilities on the way."""
    others_reach: float
    """The product of the other players' probabilities on the way."""
    own_reach: float
    values: dict[str, float]
    value: float
    """The value of the history under the current strategy."""

    @property
    def regrets_without_chance(self) -> dict[str, float]:
        """others_reach * (value of the action - value of the history)."""
        return {a: self.others_reach * (v - self.value) for a, v in self.values.items()}

    @property
    def regrets(self) -> dict[str, float]:
        """chance_reach * others_reach * (value of the action - value of the history).

        CFR sums these over the histories of the infoset.
        """
        return {a: self.chance_reach * r for a, r in self.regrets_without_chance.items()}


@dataclass(frozen=True)
class InfosetSheet:
    """All histories of an infoset and their sum; printing it shows the working.

    Attributes:
        key: The infoset.
        player: Who acts.
        strategy: The probability of each action.
        histories: What each history contributes.
    """

    key: str
    player: int
    strategy: dict[str, float]
    histories: tuple[HistorySheet, ...]

    @property
    def regrets(self) -> dict[str, float]:
        """The instantaneous counterfactual regret of each action."""
        return {a: sum(h.regrets[a] for h in self.histories) for a in self.strategy}

    def __str__(self) -> str:
        lines = [f"infoset {self.key}, player {self.player}, who plays {_list(self.strategy)}"]
        for h in self.histories:
            worth = f"value of {_list(h.values)}, current strategy {number_text(h.value)}"
            lines.append(f"  {' '.join(h.history)}: {worth}")
            product = f"others {number_text(h.others_reach)} * (action - current)"
            lines.append(
                f"    regret without chance = {product}: {_list(h.regrets_without_chance)}"
            )
            product = f"chance {number_text(h.chance_reach)} * that"
            lines.append(f"    regret with chance = {product}: {_list(h.regrets)}")
        total = _list(self.regrets)
        lines.append(f"counterfactual regret (with chance, all histories): {total}")
        return "\n".join(lines)


def regrets_by_hand(
    game: Game[Any] | GameWalk, key: str, profile: Profile | None = None
) -> InfosetSheet:
    """Work out the counterfactual regrets of an infoset, history by history.

    Args:
        game: The game.
        key: The infoset.
        profile: The strategy of all players; by default everybody plays uniformly.

    Returns:
        The figures of each history and their sums.

    Raises:
        UnknownNameError: If the game has no such infoset.
    """
    tree = game if isinstance(game, GameWalk) else walk(game)
    if key not in tree.infosets:
        raise UnknownNameError("infoset", key, list(tree.infosets))
    if profile is None:
        profile = {k: [1.0 / len(i.actions)] * len(i.actions) for k, i in tree.infosets.items()}
    infoset = tree.infosets[key]
    return InfosetSheet(
        key,
        infoset.player,
        dict(zip(infoset.actions, profile[key], strict=True)),
        tuple(_history_sheet(tree, infoset, node, profile) for node in infoset.nodes),
    )


def _history_sheet(
    tree: GameWalk, infoset: Infoset, target: Node, profile: Profile
) -> HistorySheet:
    chance = others = own = 1.0
    node = tree.root
    for label in target.history:
        k = node.actions.index(label)
        if node.player == CHANCE:
            chance *= node.chance[k]
        elif node.player == infoset.player:
            own *= profile[node.infoset][k]
        else:
            others *= profile[node.infoset][k]
        node = node.children[k]
    values = [_value(child, infoset.player, profile) for child in node.children]
    named = dict(zip(node.actions, values, strict=True))
    current = mean(profile[node.infoset], values)
    return HistorySheet(target.history, chance, others, own, named, current)


def _value(node: Node, player: int, profile: Profile) -> float:
    if node.player == TERMINAL:
        return node.payoffs[player]
    weights = node.chance if node.player == CHANCE else profile[node.infoset]
    return mean(weights, [_value(child, player, profile) for child in node.children])


def _list(numbers: dict[str, float]) -> str:
    return ", ".join(f"{name} {number_text(x)}" for name, x in numbers.items())


@dataclass(frozen=True)
class NumberText:
    """Prints the numbers of a game: those that rounding leaves of a 0 as 0.

    Attributes:
        least: What is smaller is printed as 0.
    """

    least: float = 1e-12

    @classmethod
    def of(cls, tree: GameWalk) -> NumberText:
        """For a game, whose payoffs may be in a tiny unit, and chance outcomes rare."""
        largest, rarest, nodes = 0.0, 1.0, [tree.root]
        while nodes:
            node = nodes.pop()
            largest = max([largest, *map(abs, node.payoffs)])
            rarest = min([rarest, *(p for p in node.chance if p > 0.0)])
            nodes += node.children
        unit = min(largest, 1.0) or 1.0
        return cls(cls.least * unit * (rarest if rarest < _RARE else 1.0))

    def __call__(self, x: float) -> str:
        """Print a float as the small fraction that it is, if it certainly is one."""
        if abs(x) < self.least:
            return "0"
        fraction = Fraction(x).limit_denominator(_DENOMINATOR)
        is_near = fraction != 0 and abs(float(fraction) - x) < 1e-12
        # Beside a large number some fraction is always as near as doubles are to each other.
        doubles_apart = math.ulp(x) * _DENOMINATOR * fraction.denominator
        is_certain = doubles_apart < 1e-6 or (fraction.denominator == 1 and abs(x) < _WHOLE)
        return str(fraction) if is_near and is_certain else f"{x:.6g}"


number_text: Final = NumberText()
"""Prints the numbers of an ordinary game."""
