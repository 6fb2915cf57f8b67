"""Runs whose history of play is measured: what watches the solver, and what refuses it."""

from __future__ import annotations

from equilibrist.equilibria.concepts import concept_named
from equilibrist.equilibria.device import CorrelationDevice
from equilibrist.equilibria.history import PlayHistory
from equilibrist.errors import ConfigError
from equilibrist.evaluation.correlation import Gap
from equilibrist.solvers.full_traversal.base import FullTraversals
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.option_fit import EXACT, MATCHING


def check_measure(config: SolveConfig) -> None:
    """ConfigError for what does not go together with a measure of the history of play."""
    if config.measure is None:
        if config.save_device is not None:
            raise ConfigError(
                "save_device is for the history of play, which is kept where it is measured",
                option="save_device",
                given=config.save_device,
                remedy="give `measure`",
            )
        return
    unfit = _unfit(config)
    if unfit is not None:
        why, remedy = unfit
        raise ConfigError(
            f"measure={config.measure} has no meaning here: {why}",
            option="measure",
            given=config.measure,
            remedy=remedy,
        )
    bounded = config.uses_default_stop or config.iterations is not None
    if config.save_device is not None and not bounded:
        raise ConfigError(
            "save_device keeps the profile of every iteration, and nothing bounds their number",
            option="iterations",
            remedy="give `iterations`",
        )


def _unfit(config: SolveConfig) -> tuple[str, str] | None:
    """Why a run has no history of common profiles, and what to do about it."""
    name = config.algorithm
    out = "leave out `measure`"
    if config.sampler is not None:
        return f"{config.sampler} sampling sees only parts of the profiles that are played", out
    if name in EXACT:
        return f"{name} solves directly and has no history of play", out
    if name in MATCHING:
        why = f"{name} samples joint play, and reports the gap of that by itself"
        return why, f"{out}, or use cfr, which matches regrets on the same game"
    if name in (*RESPONDING, *FIXED_STRATEGY):
        why = f"in {name} players do not play against each other's strategies"
        return why, f"{out}, or use cfr, dcfr or another variant"
    if config.alternating:
        why = "players who update in turn play no common profile in an iteration"
        return why, "leave out `alternating`"
    if config.output == "last":
        why = "the gap is that of the whole history of play, not of the last strategy"
        return why, "leave out `output`"
    if config.tremble is not None:
        why = "with trembles players do not play what they learn"
        return why, f"{out}, or leave out `tremble`"
    if config.abstraction is not None:
        why = "iterations play the abstract game, whose gap is not that of the full game"
        return why, f"{out}, or solve without `abstraction`"
    if config.drop_below is not None:
        why = "iterations play the game that was cut, whose gap is not that of the full game"
        return why, f"{out}, or solve without `drop_below`"
    if config.actions is not None:
        why = "iterations play the abstract game, whose gap is not that of the full game"
        return why, f"{out}, or solve without `actions`"
    if config.warm_start is not None:
        why = "iterations that a warm start stands for have not been played"
        return why, "leave out `warm_start`"
    return None


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
