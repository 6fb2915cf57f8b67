"""Commands that take a solved spot: how it is solved, and what stops that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from equilibrist._jit.first_run import compiling_text
from equilibrist.cli.inputs.parameters import parameter, parameters_of, set_parameters
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED, note_overrun
from equilibrist.cli.postflop.spot_options import takes_spot
from equilibrist.cli.text.output import note
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.saving import store_aside
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text, seconds_text
from equilibrist.options.option import choose
from equilibrist.poker.postflop.solving.spot_run import SpotRun
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.progress import Progress


def takes_run(
    command: Callable[..., None],
    *,
    solutions: bool = False,
    without: Sequence[str] = (),
    **helps: str,
) -> Callable[..., None]:
    """The command with the options of a spot and of a run in place of its first two arguments.

    These are the spot, and its run. With `solutions` the file may be a saved one; the options of a
    run are then refused. It takes no options that are in `without`. `helps` are help texts in place
    of those of `RUN_OPTIONS`.
    """
    rows = choose(RUN_OPTIONS, [name for name in RUN_OPTIONS if name not in without], **helps)
    run_parameters = [parameter(name, option) for name, option in rows.items()]

    @wraps(command)
    def with_run(spot: Spot | PostflopResult | ThreeSolution | None, **values: Any) -> None:
        from equilibrist.poker.decisions.solution import HandSolution
        from equilibrist.poker.postflop.solution.result import PostflopResult

        typed = {declared.name: values.pop(declared.name) for declared in run_parameters}
        if isinstance(spot, HandSolution):
            for declared in run_parameters:
                if typed[declared.name] != declared.default:
                    flag = RUN_OPTIONS[declared.name].flags_of(declared.name)[0]
                    raise ConfigError(
                        "the spot is solved already",
                        option=flag,
                        given=typed[declared.name],
                        remedy=f"leave out {flag}",
                    )
            if isinstance(spot, PostflopResult):
                command(spot.spot, SpotRun({}, spot), **values)
            else:  # of three players
                command(spot, SpotRun({}), **values)
        else:
            command(spot, SpotRun.read(dict.fromkeys(RUN_OPTIONS) | typed), **values)

    with_run.takes_solutions = solutions  # type: ignore[attr-defined]
    for name in ("takes_three", "takes_prizes"):
        setattr(with_run, name, getattr(command, name, False))
    spot, _, *own = parameters_of(
        command, Spot=object, SpotRun=object, ThreeSpot=object, ThreeSolution=object
    )
    set_parameters(with_run, [spot, *run_parameters, *own])
    return takes_spot(with_run)


@contextmanager
def solving(
    spot: Spot, run: SpotRun, *, quiet: bool, stores: bool = True, **more: Any
) -> Iterator[PostflopResult]:
    """Solve; after an interrupt continue with what was found so far, and then end with code 130.

    `more` are further options of `poker.solve`. A solution that `run` has is taken as it is. With
    `stores`, others become `last`.
    """
    if run.solved is not None:
        yield run.solved
        return
    from equilibrist.poker.postflop.solving.cold_kernels import cold_kernels

    warn_of(spot)
    with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():
        cold = cold_kernels(spot, run.storage, perturbation=run.perturbation)
        say_stage(live, f"preparing {spot.board}", cold)
        tell = (
            None
            if live.quiet
            else lambda progress: live.progress(progress, progress_texts(progress))
        )
        solution = run.solve(spot, callbacks=timed(Callbacks(tell), STARTED), **more)
    note_overrun(run.options.get("seconds"), solution.iterations)
    if stores and (path := store_aside(solution, quiet=quiet)) is not None:
        solution = replace(solution, solution_file=path)
    yield solution
    if solution.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def warn_of(spot: Spot | None) -> None:
    """Print what in the sizes of a spot may not be meant; a resumed run may have none at hand."""
    for text in () if spot is None else spot.warnings:
        note(f"warning: {text}")


def say_stage(live: LiveLine, text: str, cold: Sequence[str]) -> None:
    """Say what is done before spots are solved, and which `cold` kernels are compiled for that."""
    if cold:
        live.stage(compiling_text(*cold, before=text))
    else:
        live.stage(text, aloud=False)


def progress_texts(progress: Progress) -> list[str]:
    """The line in full, then ever shorter: without speed, target, ETA, time, frequencies."""
    assert progress.measure is not None
    assert progress.pot is not None
    percent = f"{progress.measure_percent:.3g}%"
    unit = "in prizes" if progress.amounts == "prizes" else "chips"
    parts = {
        "iteration": f"iteration {progress.iteration:,}",
        "measure": f"{progress.measure_name} {measure_text(progress.measure)} {unit} ({percent})",
        "target": "",
        "missed": "",
        "time": f"time {seconds_text(progress.seconds)}",
        "eta": "",
        "speed": f"{progress.iterations_per_second:,.3g} it/s",
    }
    if progress.target is not None:
        percent = f"{100 * progress.target / progress.pot:.3g}%"
        parts["target"] = f"target {measure_text(progress.target)} ({percent})"
    if progress.frequency_error:
        parts["missed"] = f"max frequency error {100 * progress.frequency_error:.2g}%"
    if progress.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(progress.eta_seconds)}"
    texts = ["  ".join(filter(None, parts.values()))]
    for name in ("speed", "target", "eta", "time", "missed"):
        parts[name] = ""
        texts.append("  ".join(filter(None, parts.values())))
    return texts
