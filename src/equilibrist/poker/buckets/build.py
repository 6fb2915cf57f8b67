"""`build_card_buckets`: street by street from the river back, each kept until the file is whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from equilibrist._jit import fingerprint_of_modules
from equilibrist._version import __version__
from equilibrist.errors import EquilibristError, MemoryBudgetError, OutputError
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.buckets.card_buckets import CardBuckets, write_card_buckets
from equilibrist.poker.buckets.spec import (
    BOARD_SIZES,
    DEFAULT_KINDS,
    LOSSLESS,
    MOST_BUCKETS,
    STREETS,
    BucketSpec,
    bucket_spec,
)
from equilibrist.poker.buckets.street_buckets import (
    StreetBuckets,
    Tell,
    clustered_buckets,
    levelled_buckets,
    lossless_buckets,
    preflop_buckets,
    river_buckets_by_equity,
)
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.storage.archive import check_writable, read_archive, write_archive
from equilibrist.storage.atomic import resolved
from equilibrist.storage.kinds.file_kinds import CARDS, CARDS_STAGE

OnStage = Callable[[str, str, float | None], None]
"""Receives the street, what is done now and, where it is known, which share of it."""


def build_card_buckets(
    buckets: str | Sequence[int | str],
    out: str | os.PathLike[str],
    *,
    kinds: str | Sequence[str] = DEFAULT_KINDS,
    lowest_rank: int = 0,
    seed: int = 0,
    restarts: int = 3,
    passes: int = 20,
    sample: int = 200_000,
    threads: int | None = None,
    memory: int | None = None,
    on_stage: OnStage | None = None,
) -> CardBuckets:
    """Build card buckets and write them to a file.

    A finished street is kept beside the file until all are finished, so that a build that was
    killed continues from there when it is called again with the same arguments. The file depends on
    the arguments other than `threads`, `memory` and `out`.

    Args:
        buckets: Their numbers before the flop, on it, on the turn and on the river:
            `169/200/200/200`, or a list; `all` is one for every hand.
        out: The file, `c.safetensors`.
        kinds: Their kinds, as `histogram/histogram/histogram/equity`.
        lowest_rank: The lowest rank in the deck, 0 for 52 cards, 8 for the 20 from ten to ace.
        seed: Seed of the samples and of the first centres.
        restarts: How often k-means begins.
        passes: The most passes of each.
        sample: Hands that k-means sees on a street.
        threads: Threads to work with; None for one per processor.
        memory: Bytes that the build may need; None for no limit.
        on_stage: Called with the street, what is done now, and the share of it that is done, or
            None.

    Returns:
        The buckets, mapped from the file.

    Raises:
        NotationError: `buckets` or `kinds` cannot be read, or a street has fewer hands than
            buckets.
        ConfigError: Another argument is out of range.
        MemoryBudgetError: The build needs more than `memory`; nothing was allocated.
        OutputError: The file cannot be written, which is found out before anything is computed.
    """
    spec = bucket_spec(
        buckets, kinds, lowest_rank=lowest_rank, seed=seed, restarts=restarts, passes=passes,
        sample=sample,
    )  # fmt: skip
    workers = thread_count(threads)
    check_memory(spec, memory)
    check_writable(out, CARDS)
    target = resolved(out)
    stages = [_stage_file(target, street) for street in range(4)]
    streets = _Streets(spec, workers, on_stage)
    built: list[StreetBuckets | None] = [None] * 4
    for street in (3, 2, 1, 0):
        built[street] = _kept(stages[street], spec, street)
        if built[street] is None:
            built[street] = streets.build(street, built)
            if street:
                _keep(stages[street], spec, street, built[street])
    streets.tell("all streets", "writing the file", None)
    write_card_buckets(target, {**spec.document(), "version": __version__}, built)
    for stage in stages:
        stage.unlink(missing_ok=True)
    return CardBuckets.load(out)


class _Streets:
    """Builds streets; the equities on the river are computed once, when they are needed."""

    def __init__(self, spec: BucketSpec, threads: int, on_stage: OnStage | None) -> None:
        self._spec, self._threads, self._on_stage = spec, threads, on_stage
        self._river: Any = None

    def tell(self, street: str, text: str, share: float | None) -> None:
        """Report what is done."""
        if self._on_stage is not None:
            self._on_stage(street, text, share)

    def build(self, street: int, built: Sequence[StreetBuckets | None]) -> StreetBuckets:
        """The buckets of a street."""
        from equilibrist.poker.buckets.points import HistogramPoints
        from equilibrist.poker.buckets.river_hands import RiverHands

        spec, threads = self._spec, self._threads
        name, kind = STREETS[street], spec.kinds[street]
        if self._river is None:
            self._river = RiverHands(
                spec.lowest_rank, threads, lambda share: self.tell(name, "equities", share)
            )
        tell: Tell = lambda text, share: self.tell(name, text, share)  # noqa: E731
        if street == 0:
            return preflop_buckets(spec, self._river, threads)
        if street == 3:
            return self._river_buckets(tell)
        source = HistogramPoints(self._river, BOARD_SIZES[street])
        if kind == LOSSLESS:
            return lossless_buckets(source, threads, tell)
        if kind == "histogram":
            return clustered_buckets(source, street, spec, threads, tell)
        if kind == "potential":
            from equilibrist.poker.buckets.potential import potential_buckets

            return potential_buckets(source, street, spec, built, threads, tell)
        return levelled_buckets(source, street, spec, threads, tell)

    def _river_buckets(self, tell: Tell) -> StreetBuckets:
        from equilibrist.poker.buckets.points import GroupPoints
        from equilibrist.poker.buckets.street_buckets import opponent_groups

        spec, threads = self._spec, self._threads
        if spec.kinds[3] in ("equity", "quantile"):
            return river_buckets_by_equity(spec, self._river, threads, tell)
        source = GroupPoints(self._river, opponent_groups(spec, self._river, threads))
        if spec.kinds[3] == LOSSLESS:
            return lossless_buckets(source, threads, tell)
        return clustered_buckets(source, 3, spec, threads, tell)


def file_bytes(spec: BucketSpec) -> int:
    """The bytes of the file of buckets, within a few percent: the rows are nearly all of them.

    Finished streets are kept beside it until it is whole, which takes as many bytes again.
    """
    width = [2 if count <= MOST_BUCKETS else 4 for count in spec.counts]
    widths_and_boards = zip(width, _boards(spec), strict=True)
    return sum(NUM_COMBOS * row_width * boards for row_width, boards in widths_and_boards)


def build_bytes(spec: BucketSpec) -> int:
    """The most memory that a build needs, in bytes, within a few percent."""
    points = spec.sample * (100 + 60)
    return _boards(spec)[3] * 2 * NUM_COMBOS + file_bytes(spec) + points + 300_000_000


def _boards(spec: BucketSpec) -> list[int]:
    """The canonical boards of each street."""
    from equilibrist.poker.cards.deal_counts import count_deals

    return [1, *(count_deals((size,), spec.lowest_rank) for size in BOARD_SIZES[1:])]


def check_memory(spec: BucketSpec, memory: int | None) -> None:
    """Raise MemoryBudgetError if a build needs more than so many bytes."""
    from equilibrist.formatting.amounts import bytes_text

    needs = build_bytes(spec)
    if memory is not None and needs > memory:
        raise MemoryBudgetError(
            f"building these buckets needs {bytes_text(needs)}, and --memory allows "
            f"{bytes_text(memory)}",
            0,
            option="memory",
            given=memory,
            expected=f"at least {needs}",
            remedy=f"Give --memory {-(-needs // 10**6)}MB, or leave it out",
        )


def _stage_file(target: Path, street: int) -> Path:
    return target.with_name(f"{target.name}.{STREETS[street]}")


def _identity(spec: BucketSpec, street: int) -> dict[str, Any]:
    """The settings that a street's buckets depend on; for potential those of later streets, too.

    The sources are part of it, so that a build does not go on with what other rules made.
    """
    document = spec.document()
    return {
        **document,
        "counts": document["counts"][street:],
        "kinds": document["kinds"][street:],
        "street": STREETS[street],
        "version": __version__,
        "sources": fingerprint_of_modules(__name__),
    }


def _keep(path: Path, spec: BucketSpec, street: int, built: StreetBuckets | None) -> None:
    assert built is not None
    header = {
        "identity": _identity(spec, street),
        **{name: getattr(built, name) for name in ("distance", "spread", "unit")},
    }
    arrays = {name: getattr(built, name) for name in ("rows", "size", "equity", "centres")}
    write_archive(path, CARDS_STAGE, header, arrays)


def _kept(path: Path, spec: BucketSpec, street: int) -> StreetBuckets | None:
    """The street that an earlier build with the same arguments finished, if there is one."""
    if not street or not path.is_file():
        return None
    try:
        header, arrays = read_archive(path, CARDS_STAGE)
    except EquilibristError:
        header, arrays = {}, {}
    if header.get("identity") != _identity(spec, street):
        _make_room(path)
        return None
    return StreetBuckets(
        arrays["rows"], arrays["size"], arrays["equity"], header["distance"], header["spread"],
        arrays["centres"], header["unit"],
    )  # fmt: skip


def _make_room(path: Path) -> None:
    """Refuse a file of somebody else's where a finished street would be kept."""
    from equilibrist.storage.archive import kind_of

    if kind_of(path) != CARDS_STAGE and path.stat().st_size:
        raise OutputError(
            f"{path} stands where a finished street would be kept",
            path,
            option="out",
            given=str(path),
            remedy="move it, or choose another name for the output",
        )
