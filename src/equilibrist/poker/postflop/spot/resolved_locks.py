"""The locks of a spot by node: what is fixed on which runout, and the symmetries that remain."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
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
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.lock import ROUNDING, Lock, LockEntry
from equilibrist.poker.ranges.dialects import canonical_text
from equilibrist.poker.ranges.range import Range
from equilibrist.typing import BoolArray, FloatArray, Int32Array


def strategy_lock(line: str, actions: Sequence[Action], strategy: FloatArray) -> Lock:
    """A lock to a strategy, float64[A, 1326], rounded to six decimals, for all hands not NaN."""
    held = ~np.isnan(strategy[0])
    shares = strategy[:, held].round(6)
    shares[shares.argmax(axis=0), np.arange(held.sum())] += 1 - shares.sum(axis=0)
    rounded = np.full(strategy.shape, np.nan)
    rounded[:, held] = shares.round(6)
    return table_lock(line, actions, rounded, held)


def table_lock(
    line: str,
    actions: Sequence[Action],
    shares: FloatArray,
    named: BoolArray,
    targets: FloatArray | None = None,
) -> Lock:
    """A lock to probabilities, float64[A, 1326], NaN where free, for the hands `named`, bool[1326].

    `targets`, float64[A], are the frequencies of the range, NaN where free.
    """
    alike: dict[tuple[float | None, ...], list[int]] = {}
    for hand in np.flatnonzero(named)[::-1].tolist():
        column = tuple(None if np.isnan(share) else share for share in shares[:, hand].tolist())
        alike.setdefault(column, []).append(hand)
    table = {}
    for column, hands in alike.items():
        text = canonical_text(np.isin(np.arange(NUM_COMBOS), hands).astype(np.float64))
        played = zip(actions, column, strict=True)
        table[text] = {str(action): share for action, share in played if share is not None}
    frequency = {}
    if targets is not None:
        targeted = zip(actions, targets.tolist(), strict=True)
        frequency = {str(action): target for action, target in targeted if not np.isnan(target)}
    return Lock(line, table, frequency=frequency or None)


_MOST_TOGETHER: Final = 8
"""The maximum number of actions with frequencies to check in all combinations."""


class Layer(NamedTuple):
    """What one lock fixes at its node."""

    runout: tuple[int | None, ...]
    """The cards dealt before the node, None for any card."""
    named: BoolArray
    """bool[1326]: the hands that the lock contains."""
    shares: FloatArray
    """float64[A, 1326]: probabilities, NaN where free."""
    target_frequencies: FloatArray
    """float64[A]: frequencies of the range as a whole, NaN where free."""

    def holds(self, runout: Sequence[int]) -> bool:
        """Whether the lock applies on a runout, which may be a prefix."""
        return all(mine in (None, card) for mine, card in zip(self.runout, runout, strict=False))


@dataclass(frozen=True, eq=False)
class LockedNode:
    """A node of the public tree with locks."""

    line: tuple[StreetLine, ...]
    player: int
    actions: tuple[Action, ...]
    layers: list[Layer] = field(default_factory=list)
    """The first layer that contains a hand decides."""

    def fixed(self, runout: Sequence[int]) -> FloatArray:
        """float64[A, 1326]: the probabilities on a runout, NaN where free."""
        return self._joined(self._that_hold(runout))

    @property
    def has_frequency_locks(self) -> bool:
        """Whether a frequency is locked on any runout."""
        return any(_any(layer.target_frequencies) for layer in self.layers)

    def target_frequencies(self, runout: Sequence[int]) -> FloatArray:
        """float64[A]: the locked frequencies of the range on a runout, NaN where free."""
        return self._target_frequencies(self._that_hold(runout))

    def stays(self, permutation: int) -> bool:
        """Whether a suit permutation, an index into SUIT_PERMUTATIONS, preserves all locks here.

        Runouts on which the same locks apply are checked together.
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
                here, there = map(self._target_frequencies, pair)
                if not np.array_equal(here, there, equal_nan=True):
                    return False
        return True

    def _that_hold(self, runout: Sequence[int]) -> tuple[int, ...]:
        """The layers that apply on a runout."""
        return tuple(n for n, layer in enumerate(self.layers) if layer.holds(runout))

    def _joined(self, numbers: tuple[int, ...]) -> FloatArray:
        joined = np.full(self.layers[0].shares.shape, np.nan)
        for number in reversed(numbers):
            layer = self.layers[number]
            joined[:, layer.named] = layer.shares[:, layer.named]
        return joined

    def _target_frequencies(self, numbers: tuple[int, ...]) -> FloatArray:
        """The frequencies of the first layer that has any."""
        of_layers = (self.layers[number].target_frequencies for number in numbers)
        return next(
            (targets for targets in of_layers if _any(targets)), np.full(len(self.actions), np.nan)
        )


class LockPlace(NamedTuple):
    """Where the line of a lock leads."""

    line: tuple[StreetLine, ...]
    """The actions of each street."""
    player: int | None
    """Who acts there; None if nobody does."""
    actions: tuple[Action, ...]
    """What the player may do."""
    runout: tuple[int | None, ...]
    """The cards dealt on the way, None for any card."""
    meant: Callable[[Action], Action]
    """The action as it is offered there: a bet of all chips is all-in."""
    deals_a_card: bool = False
    """Whether nobody acts because the next card is dealt."""


def locked_nodes(
    locks: Iterable[Lock], rules: BettingRules, board: tuple[int, ...], ranges: Sequence[Range]
) -> tuple[LockedNode, ...]:
    """The nodes at which locks fix something; raises what `nodes_with_locks` raises."""

    def place_of(line: str) -> LockPlace:
        state, runout = rules.follow(line, board)
        if state.phase is not Phase.DECISION:
            is_deal = state.phase is Phase.DEAL
            return LockPlace(state.line, None, (), runout, lambda action: action, is_deal)
        return LockPlace(
            line=state.line,
            player=state.player,
            actions=rules.actions(state),
            runout=runout,
            meant=lambda action: rules.normalize(state, action),
        )

    return nodes_with_locks(locks, place_of, board, ranges, SEATS)


def nodes_with_locks(
    locks: Iterable[Lock],
    place_of: Callable[[str], LockPlace],
    board: tuple[int, ...],
    ranges: Sequence[Range],
    seats: Sequence[str],
) -> tuple[LockedNode, ...]:
    """The nodes at which locks fix something; `place_of` follows a line, `seats` are the names.

    Raises LineSyntaxError for lines that do not exist, and ConfigError for actions that are not
    offered there, for shares of all actions that do not sum to 1, for hands that the player cannot
    hold, and for frequencies that contradict the locks of single hands.
    """
    nodes: dict[tuple[StreetLine, ...], LockedNode] = {}
    for lock in locks:
        place = place_of(lock.line)
        if place.player is None:
            raise ConfigError(
                f"no player acts after {lock.place}",
                option="line",
                place=f"the lock at {lock.place}",
                remedy="the line of a lock must end at a decision"
                + (f", such as {lock.line}|" if place.deals_a_card else ""),
            )
        node = nodes.setdefault(place.line, LockedNode(place.line, place.player, place.actions))
        held = _held(ranges[place.player], (*board, *place.runout))
        normalized = [[place.meant(action) for action, _ in e.shares] for e in lock.entries]
        whole = [place.meant(action) for action, _ in lock.frequency]
        layer = _layer(lock, node, place.runout, normalized, held, seats[place.player])
        node.layers.append(
            layer._replace(
                target_frequencies=_target_frequencies(lock, whole, node.actions, bool(held.any()))
            )
        )
    for node in nodes.values():
        _check_target_frequencies(node, ranges[node.player], board)
    return tuple(nodes.values())


def locks_on(
    locks: Iterable[Lock], rules: BettingRules, board: tuple[int, ...], ranges: Sequence[Range]
) -> tuple[Lock, ...]:
    """The locks of a spot on another board, without those that its cards make impossible.

    These are locks on a runout with one of its cards, and entries whose hands are all blocked.
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
    """The locks of the subgame after a line that ends a street, on the given runout.

    `weight`, float64[2, 1326], is the weight with which hands reach it; locks of other hands are
    dropped. Frequencies that these hands cannot reach become the nearest feasible ones, or are
    dropped.
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
            named, targets = layer.named & (left > 0), np.full(len(node.actions), np.nan)
            if left.any():
                there = (*runout, *_unknown(layer.runout[past:]))
                bounds = _Bounds.of(node, node.fixed(there), left, past)
                targets = bounds.nearest(layer.target_frequencies)
            if (named.any() or _any(targets)) and layer.holds(runout):
                rest = line_text(node.line[past:], cards[past:])
                locks.append(table_lock(rest, node.actions, layer.shares, named, targets))
    return tuple(locks)


def symmetries_with(nodes: Iterable[LockedNode], group: Int32Array) -> Int32Array:
    """The permutations in `group`, indices into SUIT_PERMUTATIONS, that preserve all locks."""
    nodes = list(nodes)
    kept = [p for p in group.tolist() if p == 0 or all(node.stays(p) for node in nodes)]
    return np.array(kept, np.int32)


def locks_digest(nodes: Iterable[LockedNode]) -> str:
    """A digest of all that nodes lock, in their order; empty without nodes."""
    content = hashlib.sha256()
    is_empty = True
    for node in nodes:
        is_empty = False
        content.update(f"{node.line!r} {node.player} {node.actions!r}".encode())
        for layer in node.layers:
            content.update(f"{layer.runout!r} {layer.shares.shape}".encode())
            for array in (layer.named, layer.shares, layer.target_frequencies):
                content.update(np.ascontiguousarray(array).tobytes())
    return "" if is_empty else content.hexdigest()


def _held(whole: Range, cards: Iterable[int | None]) -> BoolArray:
    """bool[1326]: the hands of a range that the cards do not block."""
    dealt = card_mask(card for card in cards if card is not None)
    return (whole.weights > 0) & without_cards(dealt)


def _hands(entry: LockEntry) -> BoolArray:
    return Range(entry.hands).weights > 0


def _layer(
    lock: Lock,
    node: LockedNode,
    runout: tuple[int | None, ...],
    normalized: list[list[Action]],
    held: BoolArray,
    seat: str,
) -> Layer:
    """Resolve a lock for the hands of the range; `normalized` are its entries' actions."""
    named = np.zeros(NUM_COMBOS, bool)
    shares = np.full((len(node.actions), NUM_COMBOS), np.nan)
    for entry, actions in zip(lock.entries, normalized, strict=True):
        hands = _hands(entry) & held
        if not hands.any():
            raise ConfigError(
                f"the lock at {lock.place} contains {entry.hands}, but {seat}, who "
                "acts there, holds none of these hands",
                option="hands",
                given=entry.hands,
                place=f"the lock at {lock.place}",
                remedy="use hands of the range",
            )
        column = _column(lock, entry, actions, node.actions)
        new = hands & ~named
        shares[:, new] = column[:, None]
        named |= new
    return Layer(runout, named, shares, np.full(len(node.actions), np.nan))


def _target_frequencies(
    lock: Lock, normalized: list[Action], actions: tuple[Action, ...], held: bool
) -> FloatArray:
    """float64[A]: the frequencies that a lock fixes, NaN where free."""
    if not lock.frequency:
        return np.full(len(actions), np.nan)
    if not held:
        raise ConfigError(
            f"no hand reaches the lock at {lock.place}: its cards block the whole range",
            option="hands",
            place=f"the lock at {lock.place}",
        )
    return _column(lock, LockEntry("the range", lock.frequency), normalized, actions)


def _check_target_frequencies(node: LockedNode, whole: Range, board: tuple[int, ...]) -> None:
    """Raise ConfigError for frequencies that contradict the locks of single hands."""
    for layer in node.layers if node.has_frequency_locks else ():
        runout = _unknown(layer.runout)
        targets, held = node.target_frequencies(runout), _held(whole, (*board, *layer.runout))
        targeted = np.flatnonzero(~np.isnan(targets)).tolist()
        if not len(targeted) or not held.any():
            continue
        bounds = _Bounds.of(node, node.fixed(runout), np.where(held, whole.weights, 0.0), 0)
        sizes = range(1, 1 + (len(targeted) if len(targeted) <= _MOST_TOGETHER else 1))
        for chosen in (list(actions) for size in sizes for actions in combinations(targeted, size)):
            (least, most), target = bounds.of_set(chosen), targets[chosen].sum()
            if target < least - ROUNDING or target > most + ROUNDING:
                cards = [() if card is None else (card,) for card in layer.runout]
                raise ConfigError(
                    f"the lock at {line_text(node.line, cards) or 'the root'} fixes the frequency "
                    f"of {', '.join(str(node.actions[n]) for n in chosen)} at {target:g}, but the "
                    f"locks of hands there allow {least:.4g} to {most:.4g}",
                    option="frequency",
                    given=float(target),
                    expected=f"{least:.4g} to {most:.4g}",
                    place=f"the lock at {line_text(node.line, cards) or 'the root'}",
                    remedy="remove the frequency, or leave more hands free",
                )


class _Bounds(NamedTuple):
    """Bounds on the frequencies of actions, given the locks of single hands."""

    fixed: FloatArray
    """float64[A, n]: NaN where free."""
    shares: FloatArray | None
    """float64[n]: the shares of the hands if all reach the node; None if any subset may."""

    @classmethod
    def of(cls, node: LockedNode, fixed: FloatArray, weights: FloatArray, past: int) -> _Bounds:
        """The bounds of a range, float64[1326], whose weights are given after `past` streets.

        All of it reaches the node if its player has not acted since.
        """
        held = weights > 0
        first = len(node.line) == past + 1 and len(node.line[past]) == node.player
        return cls(fixed[:, held], weights[held] / weights[held].sum() if first else None)

    def of_set(self, chosen: Sequence[int]) -> tuple[float, float]:
        """The lower and the upper bound on the total frequency of a set of actions."""
        free = np.isnan(self.fixed)
        locked = np.nan_to_num(self.fixed)
        others = np.setdiff1d(np.arange(len(locked)), chosen)
        rest = 1.0 - locked.sum(axis=0)
        low = locked[chosen].sum(axis=0) + np.where(free[others].any(axis=0), 0.0, rest)
        high = locked[chosen].sum(axis=0) + np.where(free[chosen].any(axis=0), rest, 0.0)
        if self.shares is None:
            return float(low.min()), float(high.max())
        return float(low @ self.shares), float(high @ self.shares)

    def nearest(self, targets: FloatArray) -> FloatArray:
        """The nearest feasible frequencies, float64[A]; all NaN if infeasible together."""
        nearest = np.array([np.clip(target, *self.of_set([n])) for n, target in enumerate(targets)])
        total = np.nansum(nearest)
        fits = total <= 1 + ROUNDING if np.isnan(nearest).any() else abs(total - 1) <= ROUNDING
        return nearest if fits else np.full(len(targets), np.nan)


def _unknown(runout: Sequence[int | None]) -> tuple[int, ...]:
    """A runout with -1 for any card."""
    return tuple(-1 if card is None else card for card in runout)


def _any(targets: FloatArray) -> bool:
    return not np.isnan(targets).all()


def _column(
    lock: Lock, entry: LockEntry, normalized: list[Action], actions: tuple[Action, ...]
) -> FloatArray:
    """float64[A]: the probabilities of an entry; no action is free if they sum to 1."""
    column = np.full(len(actions), np.nan)
    for action, (_, share) in zip(normalized, entry.shares, strict=True):
        if action not in actions:
            raise ConfigError(
                f"{action} is not one of the actions at {lock.place}: "
                f"{', '.join(map(str, actions))}",
                option="action",
                given=str(action),
                expected=", ".join(map(str, actions)),
                place=f"the lock at {lock.place}",
            )
        if not np.isnan(column[actions.index(action)]):
            raise ConfigError(
                f"the lock at {lock.place} contains {action} twice for {entry.hands}",
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
            f"the lock at {lock.place} fixes all actions of {entry.hands}, but their shares sum to "
            f"{total:g}, not 1",
            option="shares",
            given=total,
            expected=1,
            place=f"the lock at {lock.place}",
            remedy="leave one out; it gets the rest",
        )
    return column
