"""What runs of Monte Carlo CFR share, with a tree and without one."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from equilibrist.solvers.run.fingerprint import RunFingerprint, coefficients_digest
from equilibrist.solvers.run.solver import Checkpointed, State, unpicklable
from equilibrist.solvers.sampling.own import OwnSampler, choices_digest
from equilibrist.solvers.sampling.registry import sampler_spec
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.block_text import read_blocks
from equilibrist.tree.forms.history_tree import HistoryTree


class Subject(NamedTuple):
    """The game that a run is about.

    Attributes:
        game: Its name.
        fingerprint: Its fingerprint, or that of its rules.
        layout: The order in which the numbers of a run are kept.
    """

    game: str
    fingerprint: str
    layout: str


class SampledRun(Checkpointed[State]):
    """A run of Monte Carlo CFR, as it was configured."""

    variant: Variant
    sampler: Sampler
    averaging: str
    seed: int
    period: int
    threads: int
    shared: bool
    _drawn: str | None = None
    """What is drawn, where a user's file says it: blocks of chance, or a sampler's choices."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        if self.threads > 1:
            raise unpicklable(self)
        return super().__reduce_ex__(protocol)

    @property
    @abstractmethod
    def averaging_every(self) -> int | None:
        """Every how many iterations the average is taken; None if the sampler takes it itself."""

    @abstractmethod
    def _subject(self) -> Subject:
        """The game, and the order in which its numbers are kept."""

    def _fingerprint(self, output: str) -> RunFingerprint:
        subject = self._subject()
        several = self.threads > 1
        return RunFingerprint(
            game=subject.game,
            fingerprint=subject.fingerprint,
            layout=subject.layout,
            algorithm=self.variant.name,
            coefficients=coefficients_digest(self.variant, None),
            alternating=True,
            horizon=None,
            seed=self.seed,
            output=output,
            sampler=sampler_spec(self.sampler),
            averaging=self.averaging,
            averaging_every=self.averaging_every,
            period=self.period,
            threads=self.threads if several else None,
            shared=self.shared if several else None,
            blocks=self._drawn,
        )


def draws_digest(sampler: Sampler, histories: HistoryTree) -> str | None:
    """SHA-256 over what is drawn, where a user's function or sampler says it; else None.

    This says whether it still does the same, whatever else has changed in its file.

    Args:
        sampler: The sampler.
        histories: The tree as the sampler walks it.
    """
    if isinstance(sampler, OwnSampler):
        return choices_digest(sampler, histories)
    text, events = getattr(sampler, "blocks", None), histories.public_chance
    if text is None or events is None or read_blocks(text).path is None:
        return None
    digest = hashlib.sha256()
    for array in events:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
