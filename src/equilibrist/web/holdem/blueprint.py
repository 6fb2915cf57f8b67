"""Blueprints as jobs: `equilibrist blueprint train`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from equilibrist.errors import ConfigError
from equilibrist.options.option import SAMPLING, Option, Options, choose
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.parsing.arguments import optional_whole_number
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.hands.fields import BLUEPRINT_OPTIONS
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.web.answers.jobs import HandKindName
from equilibrist.web.holdem.kind import (
    SAVE_EVERY,
    HandRun,
    Needs,
    Solved,
    Working,
    hand_of_texts,
    refuse_passed,
)
from equilibrist.web.store.titles import chart_facts

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.abstract_game import AbstractSize
    from equilibrist.poker.blueprint.policy import Blueprint

_FIXED: Final = 300_000_000
"""Bytes of the program and its libraries."""
_WALK: Final = (3.3e-5, 0.8)
"""Of one thread: seconds of a board for a decision, and how that grows with their number, as in
`benchmarks/blueprint/speed.py`."""
_UPDATE: Final = 1.5e-8
"""Of one thread: seconds of an update for each slot."""
_DEAL: Final = (8e-6, 0.125)
"""The like for a deal with external sampling."""
_BOARDS: Final = 4
_DEALS: Final = 20_000
"""Of an iteration, by default."""


class BlueprintRun(HandRun):
    """A strategy of all seats of a hand, from the deal on, over card buckets."""

    NAME: ClassVar[HandKindName] = "blueprint"
    KEYS: ClassVar[Options] = {
        **BLUEPRINT_OPTIONS,
        "cards": Option("text", "Cards", "Card buckets, by their name in the library."),
    }
    OPTIONS: ClassVar[Options] = {
        **choose(
            HOLDEM_RUN_OPTIONS,
            ("seconds", "iterations", "algorithm", "storage", "seed", "threads"),
            algorithm="vector or external.",
            storage="How regrets and average strategies are stored: int16 is for two seats.",
        ),
        "batch": Option(
            "whole number",
            SAMPLING,
            "Boards of an iteration, or deals of each thread in a round.",
            default_text="4, or 20000",
        ),
    }
    MAIN: ClassVar[tuple[str, ...]] = (
        "cards", "seats", "stack", "bets", "raises", "raise_cap", "ante", "seconds",
    )  # fmt: skip
    LIMITS: ClassVar[tuple[str, ...]] = ("iterations", "seconds")
    COUNTED: ClassVar[str] = "iteration"
    MOST_THREADS: ClassVar[int] = 4
    KERNELS: ClassVar[Mapping[str, float]] = {
        "equilibrist.kernels.blueprint.blocks.walk_blocks": 17.0
    }

    def __init__(
        self,
        keys: Mapping[str, str],
        options: Mapping[str, str],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        from equilibrist.poker.blueprint.abstract_game import check_hand
        from equilibrist.poker.blueprint.training.train import (
            EXTERNAL,
            algorithm_of,
            check_sampling,
        )

        super().__init__(keys, options, files)
        self.hand = hand_of_texts(
            BLUEPRINT_OPTIONS, {name: text for name, text in keys.items() if name != "cards"}
        )
        check_hand(self.hand)
        self.method = algorithm_of(self.hand, self.values.get("algorithm"))
        self.threads = thread_count(self.values.get("threads"))
        optional_whole_number("seed", self.values.get("seed"), 0)
        optional_whole_number("batch", self.values.get("batch"), 1)
        self.storage: Storage = self.values.get("storage") or "float32"
        if self.method == EXTERNAL:
            check_sampling(self.hand, storage=self.storage)

    @cached_property
    def cards(self) -> Any:
        """The card buckets."""
        from equilibrist.poker.blueprint.abstract_game import check_cards
        from equilibrist.poker.buckets.card_buckets import CardBuckets

        if "cards" not in self.files:
            raise ConfigError(
                "the card buckets are missing",
                option="cards",
                expected="card buckets of the library",
                remedy="build some first, and choose them here",
            )
        cards = CardBuckets.load(self.files["cards"])
        check_cards(self.hand, cards)
        return cards

    @property
    def stem(self) -> str:
        """With the number of seats."""
        return f"blueprint-{self.hand.seats}"

    def title(self) -> dict[str, Any]:
        """The keys of the hand."""
        from equilibrist.poker.hands.stored import stored_hand

        return chart_facts(stored_hand(self.hand))

    @cached_property
    def _size(self) -> AbstractSize:
        from equilibrist.poker.blueprint.abstract_game import abstract_size

        return abstract_size(self.hand, self.cards.counts)

    def work(self, done: int | None = None) -> float | None:
        """Iterations, each of a batch of boards that are walked, or of deals."""
        from equilibrist.poker.blueprint.training.train import EXTERNAL

        iterations = done or self.values.get("iterations")
        if iterations is None:
            return None
        decisions = sum(self._size.tree.decisions)
        batch = self.values.get("batch")
        if self.method == EXTERNAL:  # each thread plays deals of its own
            of_deal = _DEAL[0] * decisions ** _DEAL[1]
            return float(iterations * int(batch or _DEALS) * of_deal)
        walking = int(batch or _BOARDS) * _WALK[0] * decisions ** _WALK[1]
        updating = _UPDATE * sum(self._size.slots)
        return float(iterations * (walking + updating) / self.useful_threads)

    def needs(self) -> Needs:
        """Count the abstract game; the time is the limit of the training."""
        from equilibrist.poker.blueprint.training.run import read_limits
        from equilibrist.poker.blueprint.training.train import EXTERNAL, algorithm_bytes

        read_limits(None, self.values.get("iterations"), self.values.get("seconds"))
        size = self._size
        lanes = self.threads if self.method == EXTERNAL else 0
        batch = {} if self.values.get("batch") is None else {"batch": self.values["batch"]}
        numbers = algorithm_bytes(size, self.method, lanes, storage=self.storage, **batch)
        buckets = self.files["cards"].stat().st_size
        counts = {"infosets": sum(size.infosets), "decisions": sum(size.tree.decisions)}
        return Needs(
            _FIXED + numbers + buckets,
            2 * numbers + size.file_bytes,
            self.expected_seconds(),
            counts,
        )

    def solve(self, working: Working) -> Solved:
        """Train, or train further, as the command does."""
        from equilibrist.poker.blueprint.training.train import resume_blueprint, train_blueprint

        left = self.left(working)
        limits = {name: left.get(name) for name in self.LIMITS}
        shared: dict[str, Any] = {
            "threads": self.threads,
            "callbacks": working.callbacks,
            "progress": False,
            "checkpoint_every": SAVE_EVERY,
            **limits,
        }
        if working.goes_on:
            trained = resume_blueprint(working.checkpoint, cards=self.cards, **shared)
        else:
            own = {
                name: value
                for name, value in self.values.items()
                if name not in (*self.LIMITS, "threads") and value is not None
            }
            trained = train_blueprint(
                self.hand, self.cards, checkpoint=working.checkpoint, **own, **shared
            )
        return _Trained(trained)

    def check_limits(self, checkpoint: Path) -> None:
        """Iterations that were made already are no limit."""
        from equilibrist.poker.blueprint.training.run import TrainingCheckpoint

        if checkpoint.exists():
            done = TrainingCheckpoint(checkpoint).iteration
            refuse_passed("iterations", self.values.get("iterations"), done)


@dataclass(frozen=True)
class _Trained:
    """A blueprint that was trained."""

    blueprint: Blueprint

    @property
    def stopped_by(self) -> str | None:
        """What ended the training."""
        ended: str | None = self.blueprint.record["stopped_by"]
        return ended

    def save(self, path: Path) -> None:
        """Write the file."""
        self.blueprint.save(path)
