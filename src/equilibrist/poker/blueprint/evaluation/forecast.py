"""How long parts of an evaluation will take, measured on a small piece of each."""

from __future__ import annotations

from collections.abc import Sequence

from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.evaluation.card_response import seconds_of_a_flop
from equilibrist.poker.blueprint.evaluation.local_response import (
    HANDS,
    LocalSetting,
    numbers_of_boards,
    read_settings,
    seconds_of_a_board,
)
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.canonical_boards import canonical_boards


def response_seconds(
    blueprint: Blueprint, flops: int | None = None, threads: int | None = None
) -> float:
    """About how long a card response takes.

    Args:
        blueprint: The blueprint.
        flops: Flops that are sampled; None for all flops.
        threads: Threads to work with.

    Returns:
        Seconds without compiling; more on a machine that has other work.
    """
    every = canonical_boards(3, blueprint.cards.lowest_rank)
    count = len(every.cards) if flops is None else flops
    return seconds_of_a_flop(blueprint) * -(-count // thread_count(threads))


def local_seconds(
    blueprint: Blueprint,
    settings: Sequence[LocalSetting | str] | None = None,
    *,
    hands: int = HANDS,
    seed: int = 0,
) -> float:
    """About how long local best responses take.

    Args:
        blueprint: The blueprint.
        settings: As for `local_response`.
        hands: Hands of each seat that are valued.
        seed: The seed of the boards.

    Returns:
        Seconds, if the setting that is valued takes as long as the mean of all.

    Raises:
        ConfigError: No setting is given, or one cannot be read.
        UnknownNameError: A setting is unknown.
    """
    chosen = read_settings(blueprint, settings)
    boards, pilot = numbers_of_boards(hands, len(chosen))
    took = [seconds_of_a_board(blueprint, setting, seed) for setting in chosen]
    return pilot * sum(took) + boards * sum(took) / len(took)
