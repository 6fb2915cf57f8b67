"""`Progress`, the state of a run at one moment, and `Callbacks`, the functions that receive it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from equilibrist.parsing.arguments import bad_argument

if TYPE_CHECKING:
    from equilibrist.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of a run of any engine; fields that do not apply are None.

    Attributes:
        algorithm: What runs: the algorithm's name, in `compare` the name of the entry.
        iteration: Iterations so far, those before the run was resumed included.
        seconds: Seconds of iterating and measuring so far.
        iterations_per_second: How fast it is now.
        eta_seconds: Seconds until the target is met, or without one until the run stops; None
            where that cannot be estimated.
        measure: The newest measurement, in payoff units (chips for a spot): what is held against
            the target. None where nothing is measured (without an explicit tree).
        measure_name: What `measure` is: `exploitability`, `NashConv` or, with rake, `mean gain`.
        measured_at: The iteration after which it was measured.
        target: The measure that ends the run, in the same unit.
        evaluation: The measurement of a game in full: values, gains, NashConv.
        trajectories_per_second: With a sampler, traversals per second, of all players together.
        nodes_touched: With a sampler, the histories visited so far.
        table_bytes: With a sampler, the bytes of its tables.
        num_infosets: Without an explicit tree, the infosets with a row in the table.
        is_full: Without an explicit tree, whether the table has reached its bound.
        bound_nash_conv: Without an explicit tree, the bound of `ImplicitMCCFR.bound_nash_conv`,
            at most a few seconds old; None while it exceeds the range of payoffs.
        why_no_bound: Why there is no such bound.
        bound_cce_gap: The same for the coarse correlated gap.
        pot: For a spot, the pot at the root, in chips.
        frequency_error: For a spot, by how much the newest measurement differs from a locked
            frequency, as a share of the range; 0 without any.
    """

    algorithm: str
    iteration: int
    seconds: float
    iterations_per_second: float
    eta_seconds: float | None = None
    measure: float | None = None
    measure_name: str | None = None
    measured_at: int | None = None
    target: float | None = None
    evaluation: Evaluation | None = None
    trajectories_per_second: float | None = None
    nodes_touched: int | None = None
    table_bytes: int | None = None
    num_infosets: int | None = None
    is_full: bool | None = None
    bound_nash_conv: float | None = None
    why_no_bound: str | None = None
    bound_cce_gap: float | None = None
    pot: int | None = None
    frequency_error: float | None = None

    @property
    def measure_percent(self) -> float | None:
        """For a spot, `measure` in percent of the pot."""
        if self.measure is None or self.pot is None:
            return None
        return 100 * self.measure / self.pot


OnProgress: TypeAlias = Callable[[Progress], bool | None]
"""Receives the Progress; returns False to stop the run."""


@dataclass(frozen=True)
class Callbacks:
    """Functions that a run calls as it progresses; None is not called.

    Args:
        on_progress: Called with the Progress after every measurement and about 20 times a second
            between them. It stops the run by returning False, or NumPy's False.
        on_stage: Called with a short text when something else begins: walking the rules,
            compiling, solving.
        on_walk: Called with the number of histories walked so far, while a game is compiled.

    Raises:
        ConfigError: One of them is not callable.
    """

    on_progress: OnProgress | None = None
    on_stage: Callable[[str], None] | None = None
    on_walk: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        for name in ("on_progress", "on_stage", "on_walk"):
            given = getattr(self, name)
            if given is not None:
                _function(name, given, "a function or None")

    def stage(self, text: str) -> None:
        """Report that a stage begins.

        Args:
            text: What it does, such as "compiling".
        """
        if self.on_stage is not None:
            self.on_stage(text)


def _function(name: str, given: object, expected: str) -> None:
    """Refuse what cannot be called, and a class, whose objects it would make."""
    if isinstance(given, type) or not callable(given):
        remedy = f"make one: {given.__name__}(...)" if isinstance(given, type) else None
        raise bad_argument(name, given, expected, remedy=remedy)


def as_callbacks(callbacks: Callbacks | OnProgress | None) -> Callbacks:
    """Callbacks as they are given; one function is `on_progress`. Raises ConfigError."""
    if isinstance(callbacks, Callbacks):
        return callbacks
    if callbacks is None:
        return Callbacks()
    _function("callbacks", callbacks, "Callbacks, a function or None")
    return Callbacks(callbacks)
