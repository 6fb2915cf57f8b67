"""The agent that plays a blueprint, and the ranges and the coach that go by it."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import instance, whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.hands.by_hand import mixture_of, mixture_over_range
from equilibrist.play.hands.game import HandGame
from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.play.table import Table
from equilibrist.poker.blueprint.evaluation.joint_deals import free_weight
from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer
from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer
from equilibrist.poker.blueprint.lines import ranges_at
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.combos import COMBO_MASKS, FIRST_CARD, SECOND_CARD
from equilibrist.poker.hands.tree_lines import node_at, path_to

_REMEMBERED: Final = 64
"""Decisions that are kept in memory, about 20 kB each."""


class BlueprintAgent:
    """Plays a blueprint.

    Args:
        blueprint: The blueprint.
        name: What to call it.

    Attributes:
        blueprint: The blueprint.
        name: What to call it.

    Raises:
        ConfigError: `blueprint` is none.
    """

    def __init__(self, blueprint: Blueprint, name: str = "AI") -> None:
        """Play a blueprint; the class describes the arguments."""
        self.blueprint = _checked(blueprint)
        self.name = name
        self._nodes = _Nodes(blueprint)

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the blueprint with the hand of the seat to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            NotationError: The blueprint has no such line.
            MismatchError: It has other actions there.
        """
        found = self._nodes.at(table.infoset)
        if found.actions != table.actions:
            raise MismatchError(
                f"the blueprint has other actions at {table.infoset}",
                option="actions",
                given=table.actions,
                expected=found.actions,
                remedy="play the game of its hand, HandGame(blueprint.hand)",
            )
        return list(found.mixture)


class BlueprintRanges:
    """Ranges of opponents who play a blueprint.

    An opponent's hands at a decision have the weights of its range there, without those that share
    a card with the player's own hand. With three seats they are weighed by the hands that they
    leave to the third seat as well, as card removal has it; with more seats by those that they
    leave to each of the others alone.

    Args:
        blueprint: The blueprint.

    Raises:
        ConfigError: `blueprint` is none.
    """

    def __init__(self, blueprint: Blueprint) -> None:
        """Go by a blueprint; the class describes the argument."""
        self._blueprint = _checked(blueprint)
        self._game = HandGame(blueprint.hand)

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """What the opponents did in the hand so far, as the player of an infoset may know it.

        Args:
            infoset: The key of the player's infoset, such as `AhKh:R2.5-C|Td9d6h|X`.

        Returns:
            One mixture per decision of an opponent, the first decision first.

        Raises:
            ConfigError: The key has another form.
            NotationError: The blueprint has no such line.
        """
        tree = self._blueprint.tree
        combo, (_, board, betting) = self._game.at(infoset)
        here = node_at(tree, str(betting))
        return tuple(
            self._over_range(decision, betting.player, combo, board, taken)
            for decision, taken in path_to(tree, here)
            if tree.player[decision] != betting.player
        )

    def _over_range(
        self, node: int, player: int, combo: int, board: tuple[int, ...], taken: int
    ) -> RangeMixture:
        blueprint, tree = self._blueprint, self._blueprint.tree
        seat = int(tree.player[node])
        known = board[: (0, 3, 4, 5)[tree.street[node]]]
        ranges = ranges_at(blueprint, node, known)
        ranges[:, COMBO_MASKS & COMBO_MASKS[combo] != 0] = 0.0
        weight = ranges[seat]
        for other in range(len(ranges)):
            if other not in {seat, player}:
                left = free_weight(ranges[other], (FIRST_CARD, SECOND_CARD))
                weight = weight * left / max(float(left.max()), 1e-300)
        strategy = blueprint.probabilities(node, known)
        return mixture_over_range(seat, tree.line(node), tree.moves(node), taken, strategy, weight)


class BlueprintCoach:
    """Judges choices by estimates: a blueprint has no exact values.

    The values of an `Advice` are what the hand wins, against the stack before posting, if all
    seats follow the blueprint afterwards; the opponents hold what the blueprint holds there. With
    two seats they are estimated on boards that are drawn, see `NodeValuer`; with more the hands of
    the others, boards and actions are drawn, see `SampledValuer`.

    Args:
        blueprint: The blueprint.
        seed: The seed of what is drawn.

    Raises:
        ConfigError: `blueprint` is none.
    """

    def __init__(self, blueprint: Blueprint, seed: int = 0) -> None:
        """Go by a blueprint; the class describes the arguments."""
        self.blueprint = _checked(blueprint)
        self._nodes = _Nodes(blueprint)
        self._game = HandGame(blueprint.hand)
        self._valuer: NodeValuer | SampledValuer = (
            NodeValuer(blueprint, seed=seed)
            if blueprint.hand.seats == 2
            else SampledValuer(blueprint, seed=seed)
        )
        rules = blueprint.hand.rules
        self._unit = float(rules.scale.chips(rules.big_blind))

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth by the estimate, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:R2.5-C|Td9d6h|X`.
            chosen: The number of the action.

        Returns:
            Estimates of all actions there with 95 % intervals, and the blueprint's probabilities.

        Raises:
            ConfigError: The key has another form, or there is no such action.
            NotationError: The blueprint has no such line.
        """
        found = self._nodes.at(infoset)
        whole_number("chosen", chosen, 0, len(found.actions) - 1)
        combo, (_, board, _) = self._game.at(infoset)
        valued = self._valuer.values(found.node, board, combo)
        if valued is None:
            return Advice(infoset, found.actions, chosen, None, found.mixture)
        values = tuple(self._unit * each.mean for each in valued)
        errors = tuple(self._unit * each.half_width for each in valued)
        return Advice(infoset, found.actions, chosen, values, found.mixture, errors)


class _Row(NamedTuple):
    """What a blueprint does with a hand at a decision."""

    node: int
    actions: tuple[str, ...]
    mixture: tuple[float, ...]


class _Nodes:
    """Looks up infosets; the latest decisions are kept."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        self._game = HandGame(blueprint.hand)
        self._chances = lru_cache(_REMEMBERED)(self._look_up)

    def at(self, infoset: str) -> _Row:
        combo, (_, board, betting) = self._game.at(infoset)
        node = node_at(self._blueprint.tree, str(betting))
        mixture = mixture_of(self._chances(node, board)[:, combo])
        actions = tuple(action.code for action in self._blueprint.tree.moves(node))
        return _Row(node, actions, mixture)

    def _look_up(self, node: int, board: tuple[int, ...]) -> NDArray[np.float32]:
        return self._blueprint.probabilities(node, board)


def _checked(blueprint: object) -> Blueprint:
    return instance(
        "blueprint", blueprint, Blueprint, "a Blueprint", remedy="Blueprint.load opens a file"
    )
