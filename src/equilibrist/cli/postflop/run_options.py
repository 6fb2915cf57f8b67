"""Commands that take a solved spot: how it is solved, and what stops that."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.postflop.spot_options import hintable, takes_spot
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.quantities import (
    measure_text,
    read_bytes,
    read_count,
    read_seconds,
    seconds_text,
)
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.poker.solutions.result import PostflopResult
    from equilibrist.poker.spots.spot import Spot
    from equilibrist.progress import Progress


class Storage(StrEnum):
    """How regrets and strategies are kept."""

    float32 = "float32"
    int16 = "int16"


Target = Annotated[
    str | None,
    options.optional(
        "--target", "X", "Stop at this exploitability: 0.3% of the pot, or 0.5c in chips."
    ),
]
Iterations = Annotated[str | None, options.optional("--iterations", "N", "Stop after this many.")]
Time = Annotated[
    str | None, options.optional("--time", "TIME", "Stop after so many seconds (or 10m, 1.5h).")
]
AlgorithmName = Annotated[
    str | None,
    options.optional(
        "--algorithm",
        "NAME",
        "A variant of CFR, as `dcfr(gamma=3)`.  [default: dcfr(alpha=1.4, beta=0.2, gamma=5); "
        "in 16 bits dcfr-restarts]",
    ),
]
HowStored = Annotated[
    Storage | None,
    typer.Option(
        "--storage",
        show_default=False,
        help="How numbers are kept; int16 takes half the room.  [default: float32]",
    ),
]
Threads = Annotated[
    str, typer.Option("--threads", metavar="N", help="Threads; they change no bit.")
]
Memory = Annotated[
    str | None,
    options.optional(
        "--memory",
        "SIZE",
        "Refuse spots that need more, for instance 8GB.  [default: half of the machine's]",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress, only the result.")]
_RUN: Final[dict[str, tuple[Any, Any]]] = {
    "target": (Target, None),
    "iterations": (Iterations, None),
    "time": (Time, None),
    "algorithm": (AlgorithmName, None),
    "storage": (HowStored, None),
    "threads": (Threads, "1"),
    "memory": (Memory, None),
}
"""The options of a run, and what they are by default."""


def takes_run(command: Callable[..., None], *, solutions: bool = False) -> Callable[..., None]:
    """The command with the options of a spot and of a run in place of its first two arguments.

    These are the spot, and what `poker.solve` takes of the run, or with `solutions`, where the file
    is a saved one, {"solved": it}.
    """

    @wraps(command)
    def with_run(spot: Spot | PostflopResult | None, **values: Any) -> None:
        from equilibrist.poker.solutions.result import PostflopResult

        given = {name: values.pop(name) for name in _RUN}
        if isinstance(spot, PostflopResult):
            for name, value in given.items():
                if value != _RUN[name][1]:
                    raise ConfigError(
                        "the spot is solved already",
                        option=f"--{name}",
                        given=value,
                        remedy=f"leave out --{name}",
                    )
            command(spot.spot, {"solved": spot}, **values)
        else:
            command(spot, read_run(**given), **values)

    with_run.takes_solutions = solutions  # type: ignore[attr-defined]

    own = list(inspect.signature(command).parameters.values())[2:]
    hints = get_type_hints(command, globalns=hintable(command), include_extras=True)
    types = {name: kind for name, (kind, _) in _RUN.items()}
    defaults = {name: default for name, (_, default) in _RUN.items()}
    defaults |= {parameter.name: parameter.default for parameter in own}
    with_run.__annotations__ = types | {parameter.name: hints[parameter.name] for parameter in own}
    with_run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("spot", inspect.Parameter.POSITIONAL_ONLY),
            *(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                for name, default in defaults.items()
            ),
        ]
    )
    return takes_spot(with_run)


def read_run(
    *,
    target: str | None,
    iterations: str | None,
    time: str | None,
    algorithm: str | None,
    storage: Storage | None,
    threads: str,
    memory: str | None,
) -> dict[str, Any]:
    """What `poker.solve` takes, of the options of a run; raises ConfigError."""
    stored = {} if storage is None else {"storage": storage.value}
    return {
        **stored,
        "target": target,
        "iterations": None if iterations is None else read_count(iterations),
        "seconds": None if time is None else read_seconds(time),
        "algorithm": algorithm,
        "threads": read_count(threads),
        "memory": None if memory is None else read_bytes(memory),
    }


@contextmanager
def solving(
    spot: Spot,
    run: dict[str, Any],
    *,
    quiet: bool,
    solve: Callable[..., PostflopResult] | None = None,
    storage: str | None = None,
) -> Iterator[PostflopResult]:
    """Solve; after an interrupt go on with what was found so far, and then end with code 130.

    `solve` is called instead of `poker.solve`, with this storage if `run` names none; a solution in
    `run` is taken as it is.
    """
    from equilibrist import poker

    if "solved" in run:
        yield run["solved"]
        return
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        say_stage(live, f"preparing {spot.board}", run.get("storage") or storage or "float32")
        told = None if live.quiet else lambda moment: live.tell(progress_texts(moment))
        run = {**run, "callbacks": told}
        solution = solve(**run) if solve else poker.solve(spot, **run)
    yield solution
    if solution.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def say_stage(live: LiveLine, text: str, storage: str = "") -> None:
    """Say what is done before spots are solved, and whether kernels are compiled for that.

    If no storage is named those of either will do.
    """
    from equilibrist._jit import cache_is_warm
    from equilibrist.poker.engine.traversal import KERNEL

    if cache_is_warm(KERNEL, storage):
        live.stage(text, aloud=False)
    else:
        live.stage(f"{text}, compiling (first run only)")


def progress_texts(moment: Progress) -> list[str]:
    """The line in full, then ever shorter: without speed, target, ETA, time, frequencies."""
    assert moment.measure is not None
    assert moment.pot is not None
    percent = f"{moment.measure_percent:.3g}%"
    parts = {
        "iteration": f"iteration {moment.iteration:,}",
        "measure": f"{moment.measure_name} {measure_text(moment.measure)} chips ({percent})",
        "target": "",
        "missed": "",
        "time": f"time {seconds_text(moment.seconds)}",
        "eta": "",
        "speed": f"{moment.iterations_per_second:,.3g} it/s",
    }
    if moment.target is not None:
        percent = f"{100 * moment.target / moment.pot:.3g}%"
        parts["target"] = f"target {measure_text(moment.target)} ({percent})"
    if moment.frequency_error:
        parts["missed"] = f"frequencies within {100 * moment.frequency_error:.2g}%"
    if moment.eta_seconds is not None:
        parts["eta"] = f"ETA {seconds_text(moment.eta_seconds)}"
    texts = ["  ".join(filter(None, parts.values()))]
    for name in ("speed", "target", "eta", "time", "missed"):
        parts[name] = ""
        texts.append("  ".join(filter(None, parts.values())))
    return texts
