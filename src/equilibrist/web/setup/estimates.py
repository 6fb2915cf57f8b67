"""What a spot needs: the estimate at once, and what would make it fit after a while."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Final, cast

from equilibrist.web.answers.spots import ReducedSpot, SpotEstimate, ThreeEstimate
from equilibrist.web.api.orders import check_options_of_three, check_spot_options
from equilibrist.web.workers.order import FitOrder
from equilibrist.web.workers.process import reductions

if TYPE_CHECKING:
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.spot import ThreeSpot

_OF_THE_RUN: Final = ("algorithm", "tremble", "quantal", "storage", "threads")
_SECONDS: Final = 60.0
"""The longest search for what makes a spot fit."""


def estimated(spot: Spot, options: dict[str, str], memory: int) -> SpotEstimate:
    """The document of `equilibrist postflop estimate --json`, without reductions.

    Args:
        spot: The spot.
        options: Those of its run, as texts.
        memory: The bytes that it may take, unless the options say so.

    Raises:
        EquilibristError: What `postflop estimate` raises.
        MemoryBudgetError: The betting has more states than a server enumerates.
    """
    from equilibrist.poker.postflop.solving.needs import spot_needs

    values = check_spot_options(options, spot.pot)
    limit = values.get("memory", memory)
    needs = spot_needs(
        spot,
        target=_percent(values.get("target"), spot.pot),
        memory=2**62,  # reductions take longer, and are looked for elsewhere
        **{name: values.get(name) for name in _OF_THE_RUN},
    )
    fits = needs.most_bytes <= limit
    document = {**needs.to_dict(), "limit_bytes": limit, "fits": fits}
    return cast("SpotEstimate", document)


def estimated_three(spot: ThreeSpot, options: dict[str, str], memory: int) -> ThreeEstimate:
    """The document of `equilibrist postflop estimate --json` for three players.

    Args:
        spot: The spot.
        options: Those of its run, as texts.
        memory: The bytes that it may take.

    Raises:
        EquilibristError: What `postflop estimate` raises.
        MemoryBudgetError: The betting has too many nodes to be laid out.
    """
    from equilibrist.poker.three_players.needs import three_needs

    values = check_options_of_three(options, spot.pot)
    needs = three_needs(
        spot,
        target=values.get("target"),
        memory=memory,
        **{name: values.get(name) for name in ("algorithm", "tremble", "threads")},
    )
    return cast("ThreeEstimate", needs.to_dict())


def fitting(spot: Spot, document: SpotEstimate) -> AsyncGenerator[ReducedSpot]:
    """Changes that make a spot fit, as `postflop estimate --json` lists them, one by one.

    Args:
        spot: The spot.
        document: Its estimate, of `estimated`.
    """
    order = FitOrder(
        spot.to_toml(),
        document["limit_bytes"],
        document["storage"],
        document["threads"],
        document["predicts"],
        document["responds"],
    )
    return reductions(order, _SECONDS)


def _percent(target: str | None, pot: float) -> str | None:
    """A target as a share of the pot, as the estimate of seconds takes it."""
    if target is None or target.endswith("%"):
        return target
    from equilibrist.poker.postflop.solution.stopping import chips_of

    return f"{100 * chips_of(target, pot) / pot:g}%"
