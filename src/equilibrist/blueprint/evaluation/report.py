"""`evaluate_blueprint`: all that is asked about how good a blueprint is, in one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from equilibrist.blueprint.evaluation.exploiter import Exploiter, OnExploiter, as_json, exploit
from equilibrist.blueprint.evaluation.litmus import (
    Litmus,
    folds_of_aces,
    folds_of_nuts,
    jam_or_fold,
)
from equilibrist.blueprint.evaluation.values import Valuer, estimate, random_boards, strategy_of
from equilibrist.blueprint.policy import Blueprint
from equilibrist.errors import ConfigError
from equilibrist.evaluation.duplicates import Estimate
from equilibrist.parsing.arguments import whole_number

BOARDS = 2_000
"""Boards on which a blueprint is valued where no exploiter is trained."""
_SELF = 3
"""What boards are for."""


@dataclass(frozen=True)
class Evaluation:
    """What is known of how good a blueprint is; parts that were not asked for are None.

    Attributes:
        value: What the small blind of the blueprint wins from its big blind, in mbb per hand.
        exploiter: What trained exploiters win: a lower bound.
        litmus: The litmus hands.
    """

    value: Estimate
    exploiter: Exploiter | None = None
    litmus: Litmus | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            A dictionary for each part, null where it was not asked for.
        """
        return {
            "value": as_json(self.value),
            "exploiter": None if self.exploiter is None else self.exploiter.to_dict(),
            "litmus": None if self.litmus is None else self.litmus.to_dict(),
        }


def evaluate_blueprint(
    blueprint: Blueprint,
    *,
    exploiter_seconds: float | None = None,
    exploiter_iterations: int | None = None,
    litmus: bool = False,
    boards: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    on_progress: OnExploiter | None = None,
) -> Evaluation:
    """Evaluate a blueprint.

    Args:
        blueprint: The blueprint.
        exploiter_seconds: Seconds for which the exploiter of each seat is trained.
        exploiter_iterations: Iterations of each; whichever comes first.
        litmus: Whether to look at the litmus hands.
        boards: Independent boards on which strategies are valued.
        seed: The seed of all boards.
        threads: Threads to work with.
        on_progress: Called while exploiters are trained.

    Returns:
        The figures.

    Raises:
        ConfigError: An argument is out of range, or nothing is asked for.
    """
    whole_number("seed", seed, 0)
    wants_exploiter = exploiter_seconds is not None or exploiter_iterations is not None
    if not wants_exploiter and not litmus:
        raise ConfigError(
            "nothing says what to evaluate",
            option="exploiter_seconds",
            remedy="ask for an exploiter or for the litmus hands",
        )
    found = None
    if wants_exploiter:
        found = exploit(
            blueprint,
            seconds=exploiter_seconds,
            iterations=exploiter_iterations,
            boards=boards,
            seed=seed,
            threads=threads,
            on_progress=on_progress,
        )
        value = found.blueprint_value
    else:
        value = own_value(blueprint, boards or BOARDS, seed, threads)
    return Evaluation(value, found, _litmus(blueprint, value, found, seed) if litmus else None)


def own_value(
    blueprint: Blueprint, boards: int = BOARDS, seed: int = 0, threads: int | None = None
) -> Estimate:
    """What the small blind of a blueprint wins from its big blind, in mbb per hand.

    Args:
        blueprint: The blueprint.
        boards: Independent boards, at least 2.
        seed: Their seed.
        threads: Threads to work with.

    Returns:
        The estimate.
    """
    whole_number("boards", boards, 2, 10**9)
    drawn = random_boards(blueprint.cards.lowest_rank, boards, (seed, _SELF))
    valuer = Valuer(blueprint.game, blueprint.cards, threads)
    return estimate(valuer.values(strategy_of(blueprint), drawn)[:, 0])


def _litmus(
    blueprint: Blueprint, value: Estimate, exploiter: Exploiter | None, seed: int
) -> Litmus:
    nuts, boards = folds_of_nuts(blueprint, seed)
    return Litmus(
        aces=folds_of_aces(blueprint),
        nuts=nuts,
        nut_boards=boards,
        jam_or_fold=jam_or_fold(
            blueprint, value, None if exploiter is None else exploiter.gains[0]
        ),
    )
