"""Recognise a strategy as a member of a published family of equilibria, and say which one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from equilibrist.evaluation.kuhn_families import (
    Bets,
    Condition,
    Fit,
    fit_three_players,
    fit_two_players,
)
from equilibrist.evaluation.response import evaluate
from equilibrist.formatting.brief import brief_repr
from equilibrist.formatting.documents import document
from equilibrist.game_loading import compile_game
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree

_RECOGNISED = 0.05
"""The default tolerance within which a strategy must satisfy the conditions of a family."""


@dataclass(frozen=True)
class FamilyReport:
    """Where a strategy stands in a published family of equilibria.

    Attributes:
        name: The family.
        source: The paper that describes it.
        parameters: The parameters of the nearest member.
        member: Its sub-family, where there are some.
        conditions: What the family demands, and by how much the strategy misses each.
        family_values: What each player gets in the family, in payoff units.
        values: What each player gets with the strategy.
        nash_conv: What the players could still gain together.
    """

    name: str
    source: str
    parameters: dict[str, float]
    member: str
    conditions: tuple[Condition, ...]
    family_values: tuple[float, ...]
    values: tuple[float, ...]
    nash_conv: float

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def max_residual(self) -> float:
        """By how much the worst of all conditions fails."""
        return max(c.residual for c in self.conditions)

    def residual(self, kind: str) -> float:
        """The largest residual among the conditions of one kind.

        Args:
            kind: `forced`, `equation` or `bound`.

        Returns:
            The largest one, 0 where there is no such condition.
        """
        return max((c.residual for c in self.conditions if c.kind == kind), default=0.0)

    def to_dict(self) -> dict[str, Any]:
        """The report as a document for JSON.

        Returns:
            The fields by name, values in payoff units; `conditions` is a list of dictionaries with
            `formula`, `kind`, `left`, `right` and `residual`, and `member` is None where there is
            none.
        """
        names = (
            "name source parameters member max_residual family_values values nash_conv conditions"
        )
        return {**document(self, names), "member": self.member or None}

    def __str__(self) -> str:
        parameters = ", ".join(f"{name} = {x:.4f}" for name, x in self.parameters.items())
        which = f", sub-family {self.member}" if self.member else ""
        worst = max(self.conditions, key=lambda c: c.residual)
        lines = [
            f"equilibrium family of {self.name}{which}: {parameters}",
            f"  farthest from the family: {worst.formula}, off by {worst.residual:.2e}",
            f"  values {_numbers(self.values)}; the family's {_numbers(self.family_values)}",
            f"  {self.source}",
        ]
        return "\n".join(lines)


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{x:+z.6f}" for x in values)


@dataclass(frozen=True)
class _Family:
    game: str
    name: str
    source: str
    fit: Callable[[Bets, Bets], Fit]


_FAMILIES = (
    _Family(
        "kuhn",
        "two-player Kuhn poker",
        "Kuhn, A simplified two-person poker, 1950",
        fit_two_players,
    ),
    _Family(
        "kuhn(players=3)",
        "three-player Kuhn poker",
        "Szafron, Gibson, Sturtevant, A parameterized family of equilibrium profiles for "
        "three-player Kuhn poker, AAMAS 2013",
        fit_three_players,
    ),
)


@cache
def _model(name: str) -> GameTree:
    from equilibrist.games import load_game

    return compile_game(load_game(name))


def describe(strategy: Strategy, *, tolerance: float = _RECOGNISED) -> FamilyReport | None:
    """The published family of equilibria that `strategy` belongs to.

    The game must be one of those with a known family: the same tree with the same infosets,
    chance and payoffs, whatever it and its infosets are called (two-player Kuhn with three
    cards, three-player Kuhn with four, ante 1 and bet 1).

    Args:
        strategy: A profile.
        tolerance: How far it may miss each condition of the family, in probabilities weighted by
            own reach.

    Returns:
        The family and the nearest member, or None if the strategy belongs to no known family.
    """
    checked_strategy(strategy)
    for family in _FAMILIES:
        model = _model(family.game)
        if not _same_rules(strategy.tree, model):
            continue
        form = strategy.tree.sequence_form
        reach = form.reach(form.to_engine(strategy.probabilities))[form.public_parent]
        bets = strategy.probabilities[strategy.tree.action_offset[:-1] + 1]
        keys = model.infoset_keys
        fit = family.fit(
            dict(zip(keys, bets.tolist(), strict=True)),
            dict(zip(keys, reach.tolist(), strict=True)),
        )
        evaluation = evaluate(strategy)
        report = FamilyReport(
            name=family.name,
            source=family.source,
            parameters=dict(fit.parameters),
            member=fit.member,
            conditions=fit.conditions,
            family_values=fit.values,
            values=evaluation.values,
            nash_conv=evaluation.nash_conv,
        )
        return report if report.max_residual <= tolerance else None
    return None


def _same_rules(tree: GameTree, model: GameTree) -> bool:
    """Whether two games differ in nothing but names, with chance and actions in the same order."""
    if (tree.num_nodes, tree.num_infosets) != (model.num_nodes, model.num_infosets):
        return False
    walk, model_walk = tree.walk, model.walk
    return (
        np.array_equal(walk.parent, model_walk.parent)
        and np.array_equal(walk.infoset, model_walk.infoset)
        and np.array_equal(walk.owner, model_walk.owner)
        and np.array_equal(walk.chance_count, model_walk.chance_count)
        and np.allclose(walk.chance_probability, model_walk.chance_probability, rtol=1e-12)
        and walk.payoff.shape == model_walk.payoff.shape
        and np.allclose(walk.payoff, model_walk.payoff, rtol=1e-12)
    )
