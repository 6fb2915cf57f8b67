"""The kernels that a spot needs and that are not on disk: its first run compiles them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from equilibrist._jit import cache_is_warm
from equilibrist.poker.equities.equity import BOARDS_KERNEL
from equilibrist.poker.postflop.engine.perturbation import Perturbation
from equilibrist.poker.postflop.engine.traversal import KERNEL, kind_of
from equilibrist.poker.postflop.spot.spot import Spot


def cold_kernels(
    spot: Spot,
    storage: str,
    cards: Collection[int] = (),
    perturbation: Perturbation | None = None,
) -> list[str]:
    """The names of such kernels, with their kinds.

    Args:
        spot: The spot.
        storage: How it is stored.
        cards: How many cards are on the boards that replace its own, if it is solved on others.
        perturbation: What keeps play alive everywhere, if anything does.
    """
    streets = {6 - count for count in cards or [len(spot.cards)]}
    locked, folded = bool(spot.locks), bool(spot.folded)
    prizes = spot.prizes is not None
    kinds = sorted(
        {
            kind_of(
                storage,
                left,
                locked=locked,
                folded=folded,
                perturbation=perturbation,
                prizes=prizes,
            )
            for left in streets
        }
    )
    cold = [f"{KERNEL} {kind}" for kind in kinds if not cache_is_warm(KERNEL, kind)]
    if max(streets) > 1 and not cache_is_warm(BOARDS_KERNEL):
        cold.append(BOARDS_KERNEL)
    return cold


@contextmanager
def kernels_loaded(
    spot: Spot,
    storage: str,
    tell: Callable[[str], None] | None,
    perturbation: Perturbation | None = None,
) -> Iterator[None]:
    """Tell the stage in which a run compiles before it goes on in another storage.

    Args:
        spot: The spot.
        storage: How it is stored from now on.
        tell: Receives the stage, and then again that of solving; None for nobody.
        perturbation: As in `cold_kernels`.
    """
    from equilibrist._jit.first_run import compiling_text

    cold = [] if tell is None else cold_kernels(spot, storage, perturbation=perturbation)
    if tell is not None and cold:
        tell(compiling_text(*cold))
    yield
    if tell is not None and cold:
        tell("solving")


def cold_for_any_spot() -> list[str]:
    """The kernels to compile for a spot that is not known yet: if no kind of them is on disk."""
    return [] if cache_is_warm(KERNEL) else [KERNEL]
