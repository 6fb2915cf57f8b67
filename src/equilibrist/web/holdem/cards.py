"""Card buckets as jobs: `equilibrist cards build`."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from equilibrist.errors import EquilibristError
from equilibrist.options.option import LIMITS, SAMPLING, Option, Options, choose
from equilibrist.options.reading import read_texts
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.threads import thread_count
from equilibrist.storage.atomic import failures, write_bytes
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.kind import HandRun, Needs, Solved, Working

_BUCKETS: Final = "Buckets"
_ALGORITHM: Final = "k-means"
_STREETS: Final = 4
_SECONDS: Final = 20.0
_SECONDS_PER_BUCKET: Final = 0.07
"""Of one thread, with 52 cards: equities, and each bucket of the flop and the turn; measured."""
_FULL: Final = 2_598_960
"""Boards of five cards of a full deck."""


class CardsRun(HandRun):
    """Sets of hands that are played alike, street by street: what blueprints are trained on."""

    NAME: ClassVar[HandKindName] = "cards"
    KEYS: ClassVar[Options] = {
        "buckets": Option(
            "text", _BUCKETS, "Buckets before the flop and on each street: 169/200/200/200."
        ),
        "kinds": Option(
            "text",
            _BUCKETS,
            "How hands are merged on each street: histogram, potential, equity, quantile or ochs.",
            default="histogram/histogram/histogram/equity",
        ),
        "deck": Option(
            "text", _BUCKETS, "The lowest rank in the deck, or its number of cards.", default="2"
        ),
    }
    OPTIONS: ClassVar[Options] = {
        "seed": Option("whole number", SAMPLING, "Seed of the clustering.", default="0"),
        "restarts": Option("count", SAMPLING, "How often k-means starts.", default="3"),
        "passes": Option("count", SAMPLING, "The most passes of k-means.", default="20"),
        "sample": Option(
            "count", LIMITS, "Hands of each street that k-means sees.", default="200000"
        ),
        **choose(HOLDEM_RUN_OPTIONS, ("threads",)),
    }
    MAIN: ClassVar[tuple[str, ...]] = ("buckets", "kinds", "deck")
    HAS_PARTS: ClassVar[bool] = False
    MOST_THREADS: ClassVar[int] = 4
    KERNELS: ClassVar[Mapping[str, float]] = {
        "equilibrist.kernels.buckets.river_equities.river_equities": 7.0
    }

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.buckets.spec import bucket_spec, lowest_rank_of

        super().__init__(keys, options, files)
        given = {**{name: o.default for name, o in self.KEYS.items() if o.default}, **keys}
        values = read_texts(
            self.OPTIONS, {name: o.default for name, o in self.OPTIONS.items() if o.default}
        )
        self.settings: dict[str, Any] = {**values, **self.values}
        self.threads = thread_count(self.settings.pop("threads", None))
        self.lowest_rank = lowest_rank_of(given["deck"])
        self.kinds = given["kinds"]
        try:
            self.spec = bucket_spec(
                given.get("buckets", ""), self.kinds, lowest_rank=self.lowest_rank, **self.settings
            )
        except EquilibristError as error:
            error.option = "kinds" if error.option == "kind" else error.option
            raise

    @property
    def stem(self) -> str:
        """With the numbers of buckets."""
        return "cards-" + "-".join(map(str, self.spec.counts))

    def title(self) -> dict[str, Any]:
        """Nothing but their numbers, which the page shows."""
        return {}

    def work(self, done: int | None = None) -> float:
        """Equities of all hands, then the passes of k-means on flop and turn."""
        share = _boards(52 - 4 * self.lowest_rank) / _FULL
        clustered = sum(min(count, 65_535) for count in self.spec.counts[1:3])
        scale = (self.spec.passes / 20) * (self.spec.restarts / 3)
        work = _SECONDS + _SECONDS_PER_BUCKET * clustered * max(scale, 0.2)
        return float(share * work / self.useful_threads**0.5)

    def needs(self) -> Needs:
        """As the command says it; the time goes by boards and buckets."""
        from equilibrist.poker.buckets.build import build_bytes, file_bytes

        counts = {"buckets": sum(self.spec.counts)}
        memory, disk = build_bytes(self.spec), 2 * file_bytes(self.spec)
        return Needs(memory, disk, self.expected_seconds(), counts)

    def solve(self, working: Working) -> Solved:
        """Build street by street, each kept in the folder of the job until the file is whole."""
        from equilibrist.poker.buckets.build import build_card_buckets
        from equilibrist.progress import Progress

        begun, streets = time.perf_counter(), list[str]()

        def tell(street: str, text: str, share: float | None) -> None:
            if street not in streets:
                streets.append(street)
                if len(streets) > 1 and not working.goes_on:
                    write_bytes(working.checkpoint, street.encode())
            done = min(len(streets) - 1, _STREETS)
            progress = Progress(
                algorithm=_ALGORITHM,
                iteration=done,
                seconds=working.spent + time.perf_counter() - begun,
                iterations_per_second=0.0,
            )
            if working.callbacks.on_progress is not None:
                working.callbacks.on_progress(progress)
            part = "" if share is None else f" {share:.0%}"
            working.tell(f"clustering, {street}: {text}{part}", done, _STREETS)

        file = working.checkpoint.with_name("cards.safetensors")
        build_card_buckets(
            "/".join(map(str, self.spec.counts)),
            file,
            kinds=self.kinds,
            lowest_rank=self.lowest_rank,
            threads=self.threads,
            on_stage=tell,
            **self.settings,
        )
        return _Built(file)

    def check_limits(self, checkpoint: Path) -> None:
        """There are none."""


@dataclass(frozen=True)
class _Built:
    """Buckets that are in the folder of their job."""

    file: Path
    stopped_by: str | None = None

    def save(self, path: Path) -> None:
        """Move them into the library."""
        with failures(path):
            os.replace(self.file, path)  # noqa: PTH105 - as a mapped file


def _boards(cards: int) -> int:
    """How many boards of five cards there are."""
    from math import comb

    return comb(cards, 5)
