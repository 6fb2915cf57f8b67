"""`equilibrist postflop train`: a network that values hands when a street begins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.text.output import note, show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import ALGORITHM, FILES, STOPPING, declare, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.progress import Callbacks

if TYPE_CHECKING:
    from equilibrist.learned.holdem_values.training import TrainingReport
    from equilibrist.progress import Progress

HELP: Final = """Fit a network to the rows of `postflop dataset`.

The network reads the ranges of both players by the equity of their hands (on the turn also by how
much it depends on the river) and stack / pot, and says how much more each hand is worth than if
nobody bet any more. A tenth of the rivers, or all turns of 6 % of the flops, up to suits, are never
trained on: on half of them the best stage of the network is chosen, and on the others its errors
are measured. The Huber loss (delta 1, in pots) is the mean over all hands; the weighted error is
the mean absolute one in which hands count as in the ranges. Beside it stand the errors without a
network, where nobody bets any more, and those that remain with ideal outputs, which are due to the
grid of equities.

Needs PyTorch: pip install "equilibrist[nets]". The file is used without it. Ctrl-C ends the fit,
and the best network so far is saved. With --checkpoint the run may be killed at any time; --resume
goes on from there, to the same bits.

\b
Examples:
  equilibrist postflop train river -o river.safetensors
  equilibrist postflop train turn --steps 50000 --checkpoint turn.ckpt -o turn.safetensors
  equilibrist postflop train turn --steps 50000 --checkpoint turn.ckpt --resume -o turn.safetensors
"""
_NETWORK: Final = "Network"


@dataclass(frozen=True)
class FitOptions:
    """How the network is fitted; None for what was not typed."""

    out: Path = declare(
        "file", FILES, "Save the network here.", flags=("--out", "-o"), required=True
    )
    checkpoint: Path | None = declare("file", FILES, "Save the state of the run here.")
    resume: bool = declare("switch", FILES, "Go on from the checkpoint.")
    hidden: str = declare(
        "text", _NETWORK, "Widths of the hidden layers.", metavar="N,N", default="256,256,256"
    )
    steps: int = declare("count", STOPPING, "Stop after so many steps of Adam.", default="20000")
    seconds: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"], help="Stop after this many seconds (or 10m, 1.5h)."
    )
    rows: int | None = declare("count", ALGORITHM, "Read the first rows only.", default_text="all")
    batch: int = declare("count", ALGORITHM, "Rows of a step.", default="512")
    learning_rate: float = declare(
        "real number", ALGORITHM, "At the beginning; it falls to a twentieth.", default="0.001"
    )
    seed: int = declare(
        "whole number", ALGORITHM, "Seed of the first weights and of the batches.", default="0"
    )
    json: bool = shared(options.JSON)
    quiet: bool = shared(options.QUIET)


@with_options
def train(
    folder: Annotated[
        Path, options.file_argument("FOLDER", "The folder that `postflop dataset` made.")
    ],
    *,
    run: FitOptions,
) -> None:
    """Fit, save, and show the errors."""
    from equilibrist.learned.holdem_values.training import TrainingSettings
    from equilibrist.learned.holdem_values.training import train as fit_to
    from equilibrist.storage.archive import check_writable
    from equilibrist.storage.kinds.file_kinds import HOLDEM_CHECKPOINT, HOLDEM_NETWORK

    if run.resume and run.checkpoint is None:
        raise ConfigError(
            "there is no checkpoint to resume from", option="--resume", remedy="give --checkpoint"
        )
    settings = TrainingSettings(
        hidden=_widths(run.hidden),
        steps=run.steps,
        batch_size=run.batch,
        learning_rate=run.learning_rate,
        seed=run.seed,
    )
    check_writable(run.out, HOLDEM_NETWORK)
    if run.checkpoint is not None:
        # Of a checkpoint that is resumed, reading it says what it is.
        check_writable(run.checkpoint, None if run.resume else HOLDEM_CHECKPOINT)
    with LiveLine(quiet=run.quiet or run.json, interrupted="") as live, terminate_like_interrupt():
        try:
            report = fit_to(
                folder,
                settings,
                rows=run.rows,
                seconds=run.seconds,
                checkpoint=run.checkpoint,
                resume=run.resume,
                callbacks=Callbacks(
                    lambda progress: live.tell(_texts(progress)), on_stage=live.stage
                ),
            )
        except KeyboardInterrupt:
            note("interrupted before there was a network to save")
            raise typer.Exit(INTERRUPTED) from None
    report.values.save(run.out)
    if run.json:
        show_json(_document(report, run.out))
    else:
        _show(report)
        note(f"the network is in {run.out}")
    if report.stopped_by == "interrupted":
        if run.checkpoint is not None:
            note(f"interrupted; --resume goes on from {run.checkpoint}")
        raise typer.Exit(INTERRUPTED)


def _widths(text: str) -> tuple[int, ...]:
    """The widths of hidden layers; raises ConfigError."""
    try:
        return tuple(int(width) for width in text.split(","))
    except ValueError:
        raise ConfigError(
            f"{text!r} gives no widths of layers",
            option="--hidden",
            given=text,
            expected="256,256,256",
            remedy="give whole numbers with commas between them",
        ) from None


def _show(report: TrainingReport) -> None:
    """Print the errors of the network between those without one and those of the grid."""
    show(
        f"{report.rows:,} rows, {report.steps:,} steps, best after {report.best_step:,}; "
        f"{seconds_text(report.seconds)}"
    )
    show()
    rungs = {"nobody bets": report.check_down, "network": report.errors, "ideal": report.grid}
    rows = [
        (name, f"{errors.huber:.4f}", f"{errors.weighted:.4f}") for name, errors in rungs.items()
    ]
    show_table(("held-out boards", "Huber", "weighted"), rows)
    show()
    by_ratio = [
        (f"from {ratio:g}", f"{count:,}", f"{huber:.4f}", f"{weighted:.4f}")
        for ratio, count, huber, weighted in report.errors.by_ratio
    ]
    show_table(("stack / pot", "rows", "Huber", "weighted"), by_ratio)
    show()
    deciles = " ".join(f"{error:.3f}" for error in report.errors.by_decile)
    show(f"Mean error of hands by weight, the lightest tenth first: {deciles}")


def _document(report: TrainingReport, out: Path) -> dict[str, Any]:
    return {
        "file": str(out),
        "street": report.values.street,
        "rows": report.rows,
        "steps": report.steps,
        "best_step": report.best_step,
        "seconds": round(report.seconds, 3),
        "stopped_by": report.stopped_by,
        "errors": report.errors.to_dict(),
        "check_down": report.check_down.to_dict(),
        "grid": report.grid.to_dict(),
        "losses": [list(point) for point in report.losses],
    }


def _texts(progress: Progress) -> list[str]:
    """How far it is, in a long text and a short one."""
    count = f"step {progress.iteration:,} of {progress.total:,}"
    if progress.eta_seconds is None:
        return [count]
    return [f"{count}  ETA {seconds_text(progress.eta_seconds)}", count]
