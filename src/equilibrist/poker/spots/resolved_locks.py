"""The locks of a spot node by node: what is fixed on which runout, and which suits stay alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final, NamedTuple

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.poker.betting.actions import Action, StreetLine, line_text
from equilibrist.poker.betting.rules import BettingRules
from equilibrist.poker.betting.state import Phase
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask
from equilibrist.poker.cards.combos import NUM_COMBOS, without_cards
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.spots.fields import SEATS
from equilibrist.poker.spots.lock import ROUNDING, Lock, LockEntry, table_lock
from equilibrist.typing import BoolArray, FloatArray, Int32Array

_MOST_TOGETHER: Final = 8
"""Actions with frequencies that are looked at in all combinations."""


class Layer(NamedTuple):
    """What one lock fixes at its node."""

    runout: tuple[int | None, ...]
    """The cards dealt before it, None for every card."""
    named: BoolArray
    """bool[1326]: the hands that it decides about."""
    shares: FloatArray
    """float64[A, 1326]: probabilities, NaN where free."""
    aims: FloatArray
    """float64[A]: how often the range as a whole takes the actions, NaN where free."""

    def holds(self, runout: Sequence[int]) -> bool:
        """Whether it holds where those cards were dealt, the first ones or all."""
        return all(mine in (None, card) for mine, card in zip(self.runout, runout, strict=False))


@dataclass(frozen=True, eq=False)
class LockedNode:
    """A node of the public tree at which something is fixed."""

    line: tuple[StreetLine, ...]
    player: int
    actions: tuple[Action, ...]
    layers: list[Layer] = field(default_factory=list)
    """The earlier decides about a hand."""

    def fixed(self, runout: Sequence[int]) -> FloatArray:
        """float64[A, 1326]: the probabilities on a runout, NaN where free."""
        return self._joined(self._that_hold(runout))

    @property
    def has_aims(self) -> bool:
        """Whether the frequency of an action is fixed on any runout."""
        return any(_any(layer.aims) for layer in self.layers)

    def aims(self, runout: Sequence[int]) -> FloatArray:
        """float64[A]: how often the range as a whole takes the actions there, NaN where free."""
        return self._aims(self._that_hold(runout))

    def stays(self, permutation: int) -> bool:
        """Whether suits that change places leave all locks of the node as they are.

        `permutation` is a place in SUIT_PERMUTATIONS. Runouts of which the same locks hold are
        looked at together.
        """
        cards = CARD_IMAGES[permutation].tolist()
        seen = set()
        for runout in product(range(NUM_CARDS), repeat=len(self.layers[0].runout)):
            pair = self._that_hold(runout), self._that_hold([cards[card] for card in runout])
            if pair not in seen:
                seen.add(pair)
                here, there = map(self._joined, pair)
                if not np.array_equal(here, there[:, COMBO_IMAGES[permutation]], equal_nan=True):
                    return False
                here, there = map(self._aims, pair)
                if not np.array_equal(here, there, equal_nan=True):
                    return False
        return True

    def _that_hold(self, runout: Sequence[int]) -> tuple[int, ...]:
        """Which layers hold on a runout."""
        return tuple(n for n, layer in enumerate(self.layers) if layer.holds(runout))

    def _joined(self, numbers: tuple[int, ...]) -> FloatArray:
        found = np.full(self.layers[0].shares.shape, np.nan)
        for number in reversed(numbers):
            layer = self.layers[number]
            found[:, layer.named] = layer.shares[:, layer.named]
        return found

    def _aims(self, numbers: tuple[int, ...]) -> FloatArray:
        """Those of the first that has any."""
        given = (self.layers[number].aims for number in numbers)
        return next((aims for aims in given if _any(aims)), np.full(len(self.actions), np.nan))


def locked_nodes(
    locks: Iterable[Lock], rules: BettingRules, board: tuple[int, ...], ranges: Sequence[Range]
) -> tuple[LockedNode, ...]:
    """The nodes that locks speak of.

    Raises LineSyntaxError for lines that do not exist, and ConfigError for actions that are not
    possible there, for shares of all actions that do not sum to 1, for hands none of which the
    player who acts can hold, and for frequencies that what is fixed hand by hand rules out.
    """
    nodes: dict[tuple[StreetLine, ...], LockedNode] = {}
    for lock in locks:
        state, runout = rules.follow(lock.line, board)
        if state.phase is not Phase.DECISION:
            raise ConfigError(
                f"nobody acts after {lock.place}; the line of a lock ends where a player acts"
                + (f", such as {lock.line}|" if state.phase is Phase.DEAL else ""),
                option="line",
                place=f"the lock at {lock.place}",
            )
        node = nodes.setdefault(
            state.line, LockedNode(state.line, state.player, rules.actions(state))
        )
        held = _held(ranges[state.player], (*board, *runout))
        meant = [[rules.meant(state, a) for a, _ in entry.shares] for entry in lock.entries]
        whole = [rules.meant(state, action) for action, _ in lock.frequency]
        layer = _layer(lock, node, runout, meant, held)
        node.layers.append(layer._replace(aims=_aims(lock, whole, node.actions, bool(held.any()))))
    for node in nodes.values():
        _check_aims(node, ranges[node.player], board)
    return tuple(nodes.values())


def locks_on(
    locks: Iterable[Lock], rules: BettingRules, board: tuple[int, ...], ranges: Sequence[Range]
) -> tuple[Lock, ...]:
    """The locks of a spot on another board, without what the cards of that make impossible.

    That is a lock on one of these cards, and hands of which the player who acts holds none there.
    """
    kept = []
    for lock in locks:
        state, runout = rules.follow(lock.line)
        if set(runout).isdisjoint(board):
            held = _held(ranges[state.player], (*board, *runout))
            there = tuple(entry for entry in lock.entries if np.any(held & _hands(entry)))
            if there or (lock.frequency and held.any()):
                kept.append(lock.with_entries(there))
    return tuple(kept)


def later_locks(
    nodes: Iterable[LockedNode],
    line: tuple[StreetLine, ...],
    runout: tuple[int, ...],
    weight: FloatArray,
) -> tuple[Lock, ...]:
    """The locks of what follows a line that ends where a street begins, on the cards until then.

    `weight`, float64[2, 1326], is what comes there of either range; locks of other hands are left
    out. Frequencies that these hands cannot have become the nearest that they can, or are left out.
    """
    past = len(runout)
    locks = []
    for node in nodes:
        if node.line[:past] != line[:past] or len(node.line) <= past:
            continue
        for layer in node.layers:
            cards = [() if card is None else (card,) for card in layer.runout]
            dealt = card_mask([card for card in layer.runout if card is not None])
            left = np.where(without_cards(dealt), weight[node.player], 0.0)
            named, aims = layer.named & (left > 0), np.full(len(node.actions), np.nan)
            if left.any():
                there = (*runout, *_unknown(layer.runout[past:]))
                bounds = _Bounds.of(node, node.fixed(there), left, past)
                aims = bounds.nearest(layer.aims)
            if (named.any() or _any(aims)) and layer.holds(runout):
                rest = line_text(node.line[past:], cards[past:])
                locks.append(table_lock(rest, node.actions, layer.shares, named, aims))
    return tuple(locks)


def symmetries_with(nodes: Iterable[LockedNode], group: Int32Array) -> Int32Array:
    """Those of the permutations, places in SUIT_PERMUTATIONS, that leave all locks as they are."""
    nodes = list(nodes)
    kept = [p for p in group.tolist() if p == 0 or all(node.stays(p) for node in nodes)]
    return np.array(kept, np.int32)


def _held(whole: Range, cards: Iterable[int | None]) -> BoolArray:
    """bool[1326]: the hands of a range that hold none of the cards."""
    dealt = card_mask(card for card in cards if card is not None)
    return (whole.weights > 0) & without_cards(dealt)


def _hands(entry: LockEntry) -> BoolArray:
    return Range(entry.hands).weights > 0


def _layer(
    lock: Lock,
    node: LockedNode,
    runout: tuple[int | None, ...],
    meant: list[list[Action]],
    held: BoolArray,
) -> Layer:
    """What a lock fixes for the hands that are held; `meant` are the actions of its entries."""
    named = np.zeros(NUM_COMBOS, bool)
    shares = np.full((len(node.actions), NUM_COMBOS), np.nan)
    for entry, actions in zip(lock.entries, meant, strict=True):
        hands = _hands(entry) & held
        if not hands.any():
            raise ConfigError(
                f"the lock at {lock.place} names {entry.hands}, of which {SEATS[node.player]}, "
                "who acts there, holds nothing",
                option="hands",
                given=entry.hands,
                place=f"the lock at {lock.place}",
                remedy="name hands of the range",
            )
        column = _column(lock, entry, actions, node.actions)
        new = hands & ~named
        shares[:, new] = column[:, None]
        named |= new
    return Layer(runout, named, shares, np.full(len(node.actions), np.nan))


def _aims(lock: Lock, meant: list[Action], actions: tuple[Action, ...], held: bool) -> FloatArray:
    """float64[A]: how often the range takes actions, NaN where a lock leaves that free."""
    if not lock.frequency:
        return np.full(len(actions), np.nan)
    if not held:
        raise ConfigError(
            f"no hand comes to the lock at {lock.place}: its cards take them all",
            option="hands",
            place=f"the lock at {lock.place}",
        )
    return _column(lock, LockEntry("the range", lock.frequency), meant, actions)


def _check_aims(node: LockedNode, whole: Range, board: tuple[int, ...]) -> None:
    """Raise ConfigError for frequencies that what is fixed hand by hand rules out."""
    for layer in node.layers if node.has_aims else ():
        runout = _unknown(layer.runout)
        aims, held = node.aims(runout), _held(whole, (*board, *layer.runout))
        aimed = np.flatnonzero(~np.isnan(aims)).tolist()
        if not len(aimed) or not held.any():
            continue
        bounds = _Bounds.of(node, node.fixed(runout), np.where(held, whole.weights, 0.0), 0)
        sizes = range(1, 1 + (len(aimed) if len(aimed) <= _MOST_TOGETHER else 1))
        for chosen in (list(each) for size in sizes for each in combinations(aimed, size)):
            (least, most), aim = bounds.of_set(chosen), aims[chosen].sum()
            if aim < least - ROUNDING or aim > most + ROUNDING:
                cards = [() if card is None else (card,) for card in layer.runout]
                raise ConfigError(
                    f"the lock at {line_text(node.line, cards) or 'the root'} wants "
                    f"{', '.join(str(node.actions[n]) for n in chosen)} with a frequency of "
                    f"{aim:g}, but the locks of hands there leave {least:.4g} to {most:.4g}",
                    option="frequency",
                    given=float(aim),
                    expected=f"{least:.4g} to {most:.4g}",
                    place=f"the lock at {line_text(node.line, cards) or 'the root'}",
                    remedy="leave the frequency out, or more hands free",
                )


class _Bounds(NamedTuple):
    """How often a range can take actions of which some are fixed hand by hand."""

    fixed: FloatArray
    """float64[A, n]: NaN where free."""
    shares: FloatArray | None
    """float64[n]: of the hands, where all of them come; None where any of them may."""

    @classmethod
    def of(cls, node: LockedNode, fixed: FloatArray, weights: FloatArray, past: int) -> _Bounds:
        """Of a range, float64[1326], that is weighed after so many streets.

        All of it comes to the node if its player has not acted since.
        """
        held = weights > 0
        first = len(node.line) == past + 1 and len(node.line[past]) == node.player
        return cls(fixed[:, held], weights[held] / weights[held].sum() if first else None)

    def of_set(self, chosen: Sequence[int]) -> tuple[float, float]:
        """The least and the most that the actions of a set can have together."""
        free = np.isnan(self.fixed)
        given = np.nan_to_num(self.fixed)
        others = np.setdiff1d(np.arange(len(given)), chosen)
        rest = 1.0 - given.sum(axis=0)
        low = given[chosen].sum(axis=0) + np.where(free[others].any(axis=0), 0.0, rest)
        high = given[chosen].sum(axis=0) + np.where(free[chosen].any(axis=0), rest, 0.0)
        if self.shares is None:
            return float(low.min()), float(high.max())
        return float(low @ self.shares), float(high @ self.shares)

    def nearest(self, aims: FloatArray) -> FloatArray:
        """Frequencies, float64[A], each moved to the nearest that is possible.

        All NaN where they then cannot be had together.
        """
        found = np.array([np.clip(aim, *self.of_set([n])) for n, aim in enumerate(aims)])
        total = np.nansum(found)
        fits = total <= 1 + ROUNDING if np.isnan(found).any() else abs(total - 1) <= ROUNDING
        return found if fits else np.full(len(aims), np.nan)


def _unknown(runout: Sequence[int | None]) -> tuple[int, ...]:
    """A runout with a card that none is where every card is meant."""
    return tuple(-1 if card is None else card for card in runout)


def _any(aims: FloatArray) -> bool:
    return not np.isnan(aims).all()


def _column(
    lock: Lock, entry: LockEntry, meant: list[Action], actions: tuple[Action, ...]
) -> FloatArray:
    """float64[A]: the probabilities of an entry; where nothing is left none is free."""
    column = np.full(len(actions), np.nan)
    for action, (_, share) in zip(meant, entry.shares, strict=True):
        if action not in actions:
            raise ConfigError(
                f"{action} is not among the actions at {lock.place}: "
                f"{', '.join(map(str, actions))}",
                option="action",
                given=str(action),
                place=f"the lock at {lock.place}",
            )
        if not np.isnan(column[actions.index(action)]):
            raise ConfigError(
                f"the lock at {lock.place} gives {action} twice for {entry.hands}",
                option="action",
                given=str(action),
                place=f"the lock at {lock.place}",
                remedy="give it once",
            )
        column[actions.index(action)] = share
    total = float(np.nansum(column))
    if abs(total - 1) <= ROUNDING:
        return np.asarray(np.nan_to_num(column) / total)
    if not np.isnan(column).any():
        raise ConfigError(
            f"the lock at {lock.place} gives all actions of {entry.hands} shares that sum to "
            f"{total:g}, not 1",
            option="shares",
            given=total,
            expected=1,
            place=f"the lock at {lock.place}",
            remedy="leave one out, and it gets the rest",
        )
    return column
