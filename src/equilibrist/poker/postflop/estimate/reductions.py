"""Whether a spot fits into memory, and which changes would make it fit.

The changes are those that users make by hand: 16-bit storage, one bet size less on a street, a
raise cap, earlier all-ins, merged sizes, no folded ranges. The savings are counted exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, get_args

from equilibrist.errors import ConfigError, MemoryBudgetError, NotationError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import bad_argument, whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.betting.bet_size_parser import sizes_text
from equilibrist.poker.betting.bet_sizes import STREETS, Sizes
from equilibrist.poker.betting.street_tree import street_bettings
from equilibrist.poker.postflop.estimate.size import SpotSize, estimate
from equilibrist.poker.postflop.spot.fields import NARROW_ITERATIONS, SEATS, Storage
from equilibrist.poker.postflop.spot.resolved_locks import LockedNode
from equilibrist.poker.postflop.spot.spot import Spot, checked_spot
from equilibrist.poker.postflop.spot.validation import unused_raises
from equilibrist.tree.walk.budget import default_memory

_RAISE_CAPS: Final = (3, 2, 1)
_FORCE_ALL_IN: Final = (0.1, 0.15, 0.2)
_MERGE: Final = (0.1, 0.2)
_MOST_STATES: Final = 20_000
"""The largest betting, in states, for which changes are tried: half a second per change."""
_MOST_CHANGES: Final = 12
"""The maximum number of changes in a combination."""


StepCode = Literal[
    "storage", "bet", "raise", "donk", "raise-cap", "force-all-in", "merge", "no-folded"
]


class ReductionStep(NamedTuple):
    """A change of a spot as a code and figures, which a page says in its reader's language.

    Attributes:
        code: `bet`, `raise` and `donk` leave out a size; others are named like keys of a spot.
        size: The size that is left out.
        street: Where it is.
        seat: Whose it is, `oop` or `ip`; None of both players.
        figure: The raise cap, or a share of the pot.
    """

    code: StepCode
    size: str | None = None
    street: str | None = None
    seat: str | None = None
    figure: float | None = None


@dataclass(frozen=True)
class Reduction:
    """A smaller version of a spot, and the changes that lead to it.

    Attributes:
        changes: The changes in words; several if one does not suffice.
        keys: The changed keys of the spot, with their new values.
        storage: How regrets and strategy sums are stored.
        spot: The smaller spot.
        num_bytes: The most bytes that a run takes.
        predicts: Whether the variant is predictive.
        threads: How many threads solve it, by default as in `solve`.
        steps: The changes as codes and figures.
        responds: Whether strategies are logit responses.
        iterations: Those of the run, None for no limit: small spots go on in float64.
    """

    changes: tuple[str, ...]
    keys: dict[str, Any]
    storage: Storage
    spot: Spot
    num_bytes: int
    predicts: bool = False
    threads: int | None = None
    steps: tuple[ReductionStep, ...] = ()
    responds: bool = False
    iterations: int | None = 0

    def __repr__(self) -> str:
        return brief_repr(self)

    def to_dict(self) -> dict[str, Any]:
        """A row of `reductions` of `equilibrist postflop estimate --json`."""
        return {
            "changes": self.changes,
            "steps": [step._asdict() for step in self.steps],
            "keys": self.keys,
            "storage": self.storage,
            "num_bytes": self.num_bytes,
        }


def check_fits(
    spot: Spot,
    memory: int | None = None,
    storage: Storage = "float32",
    *,
    predicts: bool = False,
    threads: int | None = None,
    iterations: int | None = 0,
    locked: Sequence[LockedNode] = (),
    responds: bool = False,
) -> SpotSize:
    """The size of a spot, if it fits into memory.

    Args:
        spot: The spot.
        memory: The most bytes that it may take, by default half of the machine's memory.
        storage: How regrets and strategy sums are stored.
        predicts: Whether the variant predicts, and so stores a third number per entry.
        threads: The number of threads, by default as in `solve`.
        iterations: The most iterations of the run, None for no limit: small spots take more memory
            after `NARROW_ITERATIONS`.
        locked: Nodes with locks beside those of the spot, which may break its suit symmetries. With
            them no smaller spot is sought, as they may not fit it.
        responds: Whether strategies are logit responses, with terminal nodes in float64.

    Returns:
        The size of the spot, as `estimate` counts it.

    Raises:
        MemoryBudgetError: The spot is larger than the limit; the error lists the size of each
            street and the smallest change that fits.
        ConfigError: An argument is invalid.
    """
    checked_spot(spot)
    limit = default_memory() if memory is None else whole_number("memory", memory, 1)
    if storage not in get_args(Storage):
        raise bad_argument("storage", storage, "'float32', 'int16' or 'float64'")
    threads = thread_count(threads)
    size = estimate(spot, locked=locked, responds=responds)
    before = size.memory_bytes(storage, predicts=predicts, threads=threads)
    if before <= limit:
        _check_long_run(size, limit, storage, iterations, predicts=predicts, threads=threads)
        return size
    streets = [
        f"{street.street} {bytes_text(street.solver_state_bytes(storage, predicts=predicts))}"
        for street in size.streets
    ]
    streets.append(f"tables and working memory {bytes_text(size.overhead.total(threads))}")
    if locked:
        remedy = "Give more memory or smaller ranges"
        if storage != "int16":
            remedy += ", or store in 16 bits"
    else:
        smaller = smaller_spots(
            spot,
            limit,
            storage,
            predicts=predicts,
            threads=threads,
            responds=responds,
            iterations=iterations,
        )
        least = next(smaller, None)
        remedy = _nothing_fits(spot.raise_cap) if least is None else _remedy(least, before)
    raise MemoryBudgetError(
        f"the spot needs {bytes_text(before)} in {storage} ({', '.join(streets)}), which exceeds "
        f"the limit of {bytes_text(limit)}",
        size.action_nodes,
        remedy=remedy,
        option="memory",
        given=limit,
        expected=before,
    )


def _check_long_run(
    size: SpotSize,
    limit: int,
    storage: Storage,
    iterations: int | None,
    *,
    predicts: bool,
    threads: int,
) -> None:
    """Raise MemoryBudgetError where the run goes on in float64, for which there is no room."""
    most = size.most_bytes(storage, iterations=iterations, predicts=predicts, threads=threads)
    if most > limit:
        narrow = NARROW_ITERATIONS[storage]
        raise MemoryBudgetError(
            f"after {narrow:,} iterations the spot needs {bytes_text(most)}, as it goes "
            f"on in float64, which exceeds the limit of {bytes_text(limit)}",
            size.action_nodes,
            remedy=f"Stop after {narrow:,} iterations, or give more memory",
            option="memory",
            given=limit,
            expected=most,
        )


def _nothing_fits(raise_cap: int | None) -> str:
    cap = "" if raise_cap == 0 else " a raise cap," if raise_cap is None else " a lower raise cap,"
    return f"No reduction found that fits: give fewer sizes,{cap} smaller ranges, or more memory"


def _remedy(reduction: Reduction, before: int) -> str:
    """Write `The smallest change that fits: no 33% bet on the river, 24.9 GB (-41 %)`."""
    *others, last = reduction.changes
    changes = " and ".join(filter(None, (", ".join(others), last)))
    saved = (
        f"{bytes_text(reduction.num_bytes)} ({100 * (reduction.num_bytes / before - 1):+z.0f} %)"
    )
    return f"The smallest change that fits: {changes}, {saved}"


def smaller_spots(
    spot: Spot,
    memory: int,
    storage: Storage = "float32",
    *,
    predicts: bool = False,
    threads: int | None = None,
    responds: bool = False,
    iterations: int | None = 0,
) -> Iterator[Reduction]:
    """The reductions that make a spot fit into memory, the smallest change first.

    Single changes if any suffices: 16-bit storage, which does not change the spot, then the others
    by the memory they leave. Otherwise one combination: 16-bit storage, then greedily the change
    that saves most until the spot fits.

    Args:
        spot: The spot.
        memory: The most bytes that it may take.
        storage: How regrets and strategy sums are stored.
        predicts: Whether the variant is predictive, which stores a third number per entry.
        threads: How many threads solve it, by default as in `solve`.
        responds: Whether strategies are logit responses.
        iterations: As in `solve`, None for no limit; a long run of a small spot goes on in float64.

    Yields:
        Each reduction; none if none is found.

    Raises:
        ConfigError: An argument is invalid.
    """
    checked_spot(spot)
    whole_number("memory", memory, 1)
    as_given = Reduction(
        (), {}, storage, spot, 0, predicts, threads, responds=responds, iterations=iterations
    )
    return _smaller_spots(as_given, memory)


def _smaller_spots(as_given: Reduction, memory: int) -> Iterator[Reduction]:
    try:
        street_bettings(as_given.spot.rules(), _MOST_STATES)
    except MemoryBudgetError:
        return
    now = _sized(as_given)
    stored = _stored_in_less(now)
    in_less = _fitting([stored], memory) if stored is not None else []
    yield from in_less
    singles = _fitting(_reductions(now, memory), memory)
    yield from singles
    if in_less or singles:
        return
    now = stored or now
    for _ in range(_MOST_CHANGES):
        every = list(_reductions(now, memory))
        if fitting := _fitting(every, memory):
            yield fitting[0]
            return
        if not every:
            return
        now = min(every, key=lambda reduction: reduction.num_bytes)


def _fitting(reductions: Iterable[Reduction], limit: int) -> list[Reduction]:
    """The reductions that fit, the largest first."""
    return sorted(
        (reduction for reduction in reductions if reduction.num_bytes <= limit),
        key=lambda reduction: -reduction.num_bytes,
    )


def _stored_in_less(now: Reduction) -> Reduction | None:
    if now.storage == "int16":
        return None
    less = replace(
        now,
        changes=(*now.changes, "16-bit storage"),
        steps=(*now.steps, ReductionStep("storage")),
        storage="int16",
    )
    return _sized(less)


def _sized(reduction: Reduction) -> Reduction:
    """The reduction with its bytes filled in."""
    size = estimate(reduction.spot, responds=reduction.responds)
    return replace(
        reduction,
        num_bytes=size.most_bytes(
            reduction.storage,
            iterations=reduction.iterations,
            predicts=reduction.predicts,
            threads=reduction.threads,
        ),
    )


def _reductions(now: Reduction, limit: int) -> Iterator[Reduction]:
    """The spot after one more change, for every change that saves memory."""
    for change in _changes(now.spot):
        changed = _changed(now, change)
        if changed is not None:
            yield changed
            if changed.num_bytes <= limit:  # the change for one player may suffice
                yield from filter(None, (_changed(now, less) for less in change.narrower))


def _changed(now: Reduction, change: _Change) -> Reduction | None:
    ways = [change.keys]
    if not now.spot.added_lines:  # raises of all-in bets have no effect
        ways.append({**change.keys, **_NO_RAISES})
    for keys in ways:
        try:
            less = _sized(replace(now, spot=now.spot.replace(**keys)))
        except (ConfigError, NotationError, MemoryBudgetError):
            continue  # an added line, say, that the other sizes do not allow
        if keys is not ways[-1] and unused_raises(less.spot.rules()):
            continue  # the same tree, without the raises
        break
    else:
        return None
    if less.num_bytes >= now.num_bytes:
        return None
    return replace(
        less,
        changes=(*now.changes, change.text),
        steps=(*now.steps, change.step),
        keys={**now.keys, **keys},
    )


_NO_RAISES: Final[dict[str, Any]] = {"raises": "", "oop_raises": None, "ip_raises": None}


class _Change(NamedTuple):
    text: str
    step: ReductionStep
    keys: dict[str, Any]
    narrower: tuple[_Change, ...] = ()
    """The same change for one player only."""


def _changes(spot: Spot) -> Iterator[_Change]:
    menus = spot.rules().menus
    for kind in ("bets", "raises"):
        yield from _fewer_sizes(spot, kind)
    donks = [menu.donks for menu in menus[0]]
    for street in range(spot.first_street + 1, 3):
        for size in donks[street] or ():
            fewer = [*donks[:street], _without(donks[street], size), *donks[street + 1 :]]
            text = "|".join("" if sizes is None else sizes_text(sizes) for sizes in fewer)
            step = ReductionStep("donk", str(size), STREETS[street])
            yield _Change(f"no {size} donk bet on the {STREETS[street]}", step, {"donks": text})
    for cap in _RAISE_CAPS:
        if spot.raise_cap is None or cap < spot.raise_cap:
            text = f"at most {cap} raise{'s' * (cap > 1)} on a street"
            yield _Change(text, ReductionStep("raise-cap", figure=cap), {"raise_cap": cap})
    for share in _FORCE_ALL_IN:
        if share > spot.force_all_in:
            text = f"all-in where a call leaves at most {share:.0%} of the pot"
            step = ReductionStep("force-all-in", figure=share)
            yield _Change(text, step, {"force_all_in": share})
    for share in _MERGE:
        if share > spot.merge:
            text = f"sizes merged that are within {share:.0%}"
            yield _Change(text, ReductionStep("merge", figure=share), {"merge": share})
    if len(spot.folded) > 0:
        yield _Change("no folded ranges", ReductionStep("no-folded"), {"folded": "none"})


def _fewer_sizes(spot: Spot, kind: str) -> Iterator[_Change]:
    """Drop each size of each street for all players who have it; keep the last bet of a street."""
    lists = [[getattr(menu, kind) for menu in menus] for menus in spot.rules().menus]
    for street in range(spot.first_street, 3):
        for size in dict.fromkeys((*lists[0][street], *lists[1][street])):
            texts = {
                player: _by_street([*own[:street], fewer, *own[street + 1 :]], spot.first_street)
                for player, own in enumerate(lists)
                if (fewer := _without(own[street], size)) != own[street]
                and (fewer or kind == "raises")
            }
            text = f"no {size} {kind.removesuffix('s')} on the {STREETS[street]}"
            code: StepCode = "bet" if kind == "bets" else "raise"
            step = ReductionStep(code, str(size), STREETS[street])
            alone = [
                _Change(
                    f"{text} {('out of', 'in')[p]} position",
                    step._replace(seat=SEATS[p]),
                    _keys(spot, kind, {p: own}),
                )
                for p, own in texts.items()
            ]
            if len(alone) == 2:
                yield _Change(text, step, _keys(spot, kind, texts), tuple(alone))
            else:
                yield from alone


def _keys(spot: Spot, kind: str, texts: dict[int, str]) -> dict[str, Any]:
    """The keys that set these lists: the shared key for a player without a list of their own."""
    own = [f"{seat}_{kind}" for seat in SEATS]
    has_own = [getattr(spot, key) is not None for key in own]
    if len(texts) == 2 and not any(has_own):
        return {kind: texts[0]}
    return {
        own[player] if has_own[player] or not has_own[1 - player] else kind: text
        for player, text in texts.items()
    }


def _by_street(lists: list[Sizes], first: int) -> str:
    """Write lists of sizes as text; lists for earlier streets alone would be rejected."""
    texts = [sizes_text(sizes) for sizes in lists if any(lists[first:])]
    return "|".join(texts) if len({*texts}) > 1 else sizes_text(lists[first])


def _without(sizes: Sizes | None, size: object) -> Sizes:
    return tuple(other for other in sizes or () if other != size)
