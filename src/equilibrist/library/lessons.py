"""Iterations step by step as documents, which `equilibrist learn --json` and the browser show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from equilibrist.reference.by_hand import HistorySheet
    from equilibrist.reference.game_walk import GameWalk
    from equilibrist.reference.lesson_turns import Turn
    from equilibrist.reference.sampled_numbers import Traverse
    from equilibrist.solvers.sampling.sampler import PlainSampler
    from equilibrist.solvers.variants.variant import Variant

STAGES: Final = ("reach", "values", "regrets", "cumulative", "sums", "next")
"""The steps of each infoset: what is worked out, in this order."""
_COEFFICIENTS: Final = (
    "positive", "negative", "floor", "lookahead", "prediction", "decay", "weight",
)  # fmt: skip
Start = Mapping[str, Sequence[float]]
"""What is played at first: probabilities by infoset."""


def lesson_document(
    tree: GameWalk,
    rule: Variant,
    iteration: int = 1,
    *,
    alternating: bool = True,
    start: Start | None = None,
) -> dict[str, Any]:
    """One iteration of full traversals, infoset by infoset.

    Args:
        tree: The game.
        rule: The variant of CFR.
        iteration: Which iteration, from 1.
        alternating: Whether players are updated in turn.
        start: What is played in the first iteration; uniform play by default.

    Returns:
        `turns`: each player's update of each infoset, which has the steps `stages`;
        `coefficients`: the seven numbers of the iteration, None for no floor, and all None where
        nobody decides anything; `ending`: the average strategy, its values and NashConv.

    Raises:
        GameError: Histories of one infoset differ in player or actions.
        RecallError: A player forgets own moves.
    """
    from equilibrist.reference.lesson_turns import Ending, turns

    horizon = iteration if rule.needs_horizon else None
    documents: list[dict[str, Any]] = []
    coefficients = dict.fromkeys(_COEFFICIENTS)
    ending: dict[str, Any] = {}
    for turn in turns(tree, rule, iteration, alternating=alternating, horizon=horizon, start=start):
        if isinstance(turn, Ending):
            ending = turn.to_dict()
        else:
            coefficients = coefficients if documents else _coefficients(turn)
            documents.append(_turn(turn))
    return {
        "iteration": iteration,
        "alternating": alternating,
        "stages": list(STAGES),
        "coefficients": coefficients,
        "num_steps": len(documents) * len(STAGES) + 1,
        "turns": documents,
        "ending": ending,
    }


def sampled_lesson_document(
    tree: GameWalk,
    sampler: PlainSampler,
    iteration: int = 1,
    *,
    seed: int = 0,
    start: Start | None = None,
) -> dict[str, Any]:
    """One sampled iteration, history by history.

    Args:
        tree: The game.
        sampler: What draws the histories.
        iteration: Which iteration, from 1.
        seed: Fixes all draws.
        start: What is played at first; uniform play by default.

    Returns:
        `steps`: the histories visited, and after those of each traversal what it changed;
        `formulas` of the sampler; `biased_average`: whether that of the lesson is biased with so
        many players; `ending`: the average strategy, its values and NashConv.

    Raises:
        GameError: Histories of one infoset differ in player or actions.
        RecallError: A player forgets own moves.
    """
    from equilibrist.reference.sampled_numbers import sampled_document
    from equilibrist.solvers.sampling.mccfr import fit_averaging
    from equilibrist.solvers.sampling.registry import sampler_spec

    formulas, average = sampler.formulas, sampler.averagings[0]
    found = sampled_document(
        tree,
        plain_traversal(sampler),
        iteration,
        estimate=sampler.estimate,
        average_share=sampler.average_share,
        all_learn=sampler.all_learn,
        seed=seed,
        start=start,
    )
    return {
        "sampler": sampler_spec(sampler),
        "iteration": iteration,
        "seed": seed,
        "estimate": sampler.estimate,
        "average_share": sampler.average_share,
        "formulas": {
            "own": formulas.own,
            "others": formulas.others,
            "weight": formulas.weight,
            "estimate": formulas.estimate,
            "regret": formulas.regret,
            "average": formulas.averages.get(average, average),
        },
        "biased_average": fit_averaging(sampler, None, tree.num_players) != average,
        "num_steps": len(found["steps"]) + 1,
        **found,
    }


def plain_traversal(sampler: PlainSampler) -> Traverse:
    """The traversal of a sampler in plain Python, as the reference's functions take it."""
    from equilibrist.solvers.sampling.own import traverse_plainly

    return partial(traverse_plainly, sampler)


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "player": turn.player,
        "infoset": turn.key,
        "actions": list(turn.actions),
        "strategy": list(turn.strategy),
        "own_reach": turn.own_reach,
        "histories": [_history(sheet) for sheet in turn.sheet.histories],
        "instant": list(turn.instant),
        "regret": list(turn.regret),
        "regret_after": list(turn.regret_after),
        "sums": list(turn.sums),
        "sums_after": list(turn.sums_after),
        "expected": list(turn.expected),
        "next_strategy": list(turn.next_strategy),
    }


def _history(sheet: HistorySheet) -> dict[str, Any]:
    return {
        "history": list(sheet.history),
        "chance_reach": sheet.chance_reach,
        "others_reach": sheet.others_reach,
        "own_reach": sheet.own_reach,
        "counterfactual_reach": sheet.chance_reach * sheet.others_reach,
        "values": list(sheet.values.values()),
        "value": sheet.value,
        "regrets": list(sheet.regrets.values()),
    }


def _coefficients(turn: Turn) -> dict[str, float | None]:
    """The seven numbers of the iteration; None for a floor that there is not."""
    numbers = {name: float(getattr(turn.numbers, name)) for name in _COEFFICIENTS}
    return {name: x if math.isfinite(x) else None for name, x in numbers.items()}
