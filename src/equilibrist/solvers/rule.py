"""What full passes ask of an algorithm, whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

from equilibrist.typing import FloatArray


@runtime_checkable
class Rule(Protocol):
    """An algorithm for full passes: `Variant` and `LocalRule` are such, and whole solvers are.

    `alternating` is the usual order of updates; `keeps` names the arrays, float64[S] in engine
    order, that it remembers beside regrets, strategy and strategy sum. `compiled` is how the name
    of its kernel on disk begins.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def alternating(self) -> bool: ...  # noqa: D102
    @property
    def needs_horizon(self) -> bool: ...  # noqa: D102
    @property
    def keeps(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def compiled(self) -> str: ...  # noqa: D102

    def table(self, start: int, count: int, horizon: int | None = None) -> FloatArray:
        """Numbers of iterations start .. start+count-1, one row each; ConfigError if unfit."""
        ...

    def kernel(self, kept: Mapping[str, FloatArray]) -> Callable[..., None]:
        """What runs one iteration per row of the table, with the arguments of `kernels.cfr.run`.

        `kept` are the arrays that `keeps` names; they are updated in place.
        """
        ...

    def probe(self) -> bytes:
        """What tells this rule from another of the same name and numbers; b"" if nothing can."""
        ...
