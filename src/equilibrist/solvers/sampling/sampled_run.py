"""What runs of Monte Carlo CFR share, with a tree and without one."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, SupportsIndex

from equilibrist.solvers.run.fingerprint import RunFingerprint, coefficients_digest
from equilibrist.solvers.run.solver import Checkpointed, unpicklable
from equilibrist.solvers.sampling.registry import sampler_spec
from equilibrist.solvers.sampling.samplers import Sampler
from equilibrist.solvers.variants.variant import Variant


class SampledRun(Checkpointed):
    """A run of Monte Carlo CFR, as it was configured."""

    variant: Variant
    sampler: Sampler
    averaging: str
    seed: int
    period: int
    threads: int
    shared: bool

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        if self.threads > 1:
            raise unpicklable(self)
        return super().__reduce_ex__(protocol)

    @property
    @abstractmethod
    def averaging_every(self) -> int | None:
        """Every how many iterations the average is taken; None if the sampler takes it itself."""

    @abstractmethod
    def _subject(self) -> tuple[str, str, str]:
        """The game's name and fingerprint, and the order in which its numbers are kept."""

    def _fingerprint(self, output: str) -> RunFingerprint:
        game, fingerprint, layout = self._subject()
        several = self.threads > 1
        return RunFingerprint(
            game=game,
            fingerprint=fingerprint,
            layout=layout,
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
        )
