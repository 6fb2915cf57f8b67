"""Runs whose history of play is measured: what watches the solver, and the words for it."""

from __future__ import annotations

from equilibrist.equilibria.concepts import concept_named
from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.equilibria.history import PlayHistory
from equilibrist.evaluation.correlation import Gap
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solving.config import SolveConfig


def order_notes(config: SolveConfig, rule: Rule) -> list[str]:
    """Note for a report of measured play that players would usually update in turn."""
    if config.measure is None or not rule.alternating:
        return []
    note = (
        f"Updates are simultaneous, though {rule.name} usually updates in turn: what is measured "
        f"is play in which all players follow one profile."
    )
    return [note]


def measure_words(config: SolveConfig, zero_sum: bool) -> str:
    """Name what a target is held against."""
    if config.measure is not None:
        return f"the {concept_named(config.measure).name.upper()} gap"
    return "exploitability" if zero_sum else "NashConv"


def watch(solver: FullTraversals, config: SolveConfig, *, most: int | None, limited: bool) -> None:
    """Have the play of `solver` measured as `config` says, and kept if it names a device.

    It runs at most `most` iterations. Its memory is that of the configuration if `limited`.
    """
    assert config.measure is not None
    record = most if config.save_device is not None else None
    memory = config.memory if limited else None
    solver.watch(PlayHistory(solver.tree, config.measure, memory=memory, record=record))


def played_gap(solver: FullTraversals) -> Gap:
    """The gap of what was played; before anything counts, that of the average, which is uniform."""
    history = solver.watcher
    assert isinstance(history, PlayHistory)
    if history.meter.weight > 0.0:
        return history.gap()
    return CorrelationDevice.of([solver.average_strategy()]).gaps(history.meter.concept)


def kept_device(solver: object) -> CorrelationDevice | None:
    """The history of play, if it was kept and anything counted."""
    history = solver.watcher if isinstance(solver, FullTraversals) else None
    if not isinstance(history, PlayHistory) or not history.records or history.meter.weight <= 0.0:
        return None
    return history.device()
