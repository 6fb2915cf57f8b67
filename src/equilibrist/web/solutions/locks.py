"""Locks that are added to the spot of a solution, to solve it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import without_cards
from equilibrist.poker.postflop.spot.lock import ALL_HANDS, Lock, Shares
from equilibrist.solvers.run.target import Target
from equilibrist.web.answers.solutions import LockedSpot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from equilibrist.poker.postflop.solution.node_place import NodePlace
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot


def locks_document(solution: PostflopResult, locks: Sequence[str]) -> LockedSpot:
    """The spot of a solution with other locks, and how it would be solved as before.

    Args:
        solution: The solution.
        locks: All locks that hold, as texts; those of the solution are not added.

    Returns:
        The locks, the spot and the options.

    Raises:
        LockSyntaxError: A lock cannot be read.
        ConfigError: It does not fit the spot.
    """
    spot = solution.spot.replace(locks=tuple(Lock.parse(text) for text in locks))
    options: dict[str, Any] = {"storage": solution.storage, "algorithm": solution.algorithm}
    if solution.target is None:
        options["iterations"] = solution.iterations
    else:
        options["target"] = str(Target(solution.target, "c"))
    return {
        "locks": [str(lock) for lock in spot.locks],
        "shown": shown_locks(spot),
        "spot": spot.to_toml(),
        "options": options,
    }


def shown_locks(spot: Spot) -> dict[str, str]:
    """The locks of a spot as people read them, by their text: the root has a name, shares a %."""
    return {str(lock): _shown(lock) for lock in spot.locks}


def _shown(lock: Lock) -> str:
    def shares(shares_of_entry: Shares) -> str:
        return ", ".join(
            f"{action} {round(100 * share, 10) + 0.0:.12g}%" for action, share in shares_of_entry
        )

    parts = [
        shares(entry.shares)
        if entry.hands == ALL_HANDS and entry.shares
        else f"{entry.hands} = {shares(entry.shares) or 'not locked'}"
        for entry in lock.entries
    ]
    if lock.frequency:
        parts.append(f"the whole range = {shares(lock.frequency)}")
    return f"{lock.line or 'Root'}: {'; '.join(parts)}"


def locked_part(spot: Spot, place: NodePlace) -> str | None:
    """Say what the locks of a spot fix at a point of the betting.

    Args:
        spot: The spot.
        place: A point of its betting, with the cards that were dealt.

    Returns:
        `all hands` if the strategy of every hand that can be held is fixed, `some hands` if
        something is fixed for a hand, `frequency` if only frequencies of the range are, None if
        nothing is.
    """
    if place.player is None or not spot.locks:
        return None
    streets = spot.rules().follow(place.line).state.line
    node = next((locked for locked in spot.locked_nodes if locked.line == streets), None)
    if node is None:
        return None
    cards = card_mask((*spot.cards, *place.runout))
    held = (spot.ranges[place.player].weights > 0) & without_cards(cards)
    free = np.isnan(node.fixed(place.runout)[:, held]).sum(axis=0)
    if (free < len(node.actions)).any():
        return "all hands" if (free <= 1).all() else "some hands"  # one free action has the rest
    return None if np.isnan(node.target_frequencies(place.runout)).all() else "frequency"
