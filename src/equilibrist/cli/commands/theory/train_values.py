"""`equilibrist train-values`: networks that say what public states are worth."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.inputs.walking import ReportOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_facts, show_json, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.options.option import ALGORITHM, FILES, declare, shared
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.progress import Callbacks, timed

if TYPE_CHECKING:
    from equilibrist.learned.values import ValueNetwork, ValueTraining
    from equilibrist.progress import Progress

HELP = """Train a network that says what hands are worth at public states, for any ranges.

GAME is a game of two players with constant sum whose rules say what is public. The network values
the leaves of a search that looks --depth decisions ahead; `resolve GAME --values FILE` measures
such a search exactly.

--targets solve, the default, makes rows of random ranges, and of those to which play in a solve of
the game leads, and values them by solving all that follows; then the network is fitted to them.
--targets bootstrap needs no such solves: it plays, values leaves by the network itself, and fits it
to the values of hands at the roots of its solves (ReBeL).

The run stops after --rows, or in their place --iterations of 64 rows or of --walks, or at --time.
Ctrl-C stops it, and what was made so far is fitted. With --checkpoint the state is saved; --resume
goes on from there, bit-identical to an uninterrupted run. PyTorch fits (the extra `nets`); it is
not needed to use the file.

\b
Examples:
  equilibrist train-values "liars_dice(sides=5)" --depth 2 --targets solve -o dice.safetensors
  equilibrist train-values leduc --targets bootstrap --time 20m -o leduc.safetensors
  equilibrist resolve "liars_dice(sides=5)" --values dice.safetensors --iterations 1024
"""

_ROWS: Final = "Rows"
_FIT: Final = "Network"
_ONLY_WITH: Final = {"rows": "solve", "walks": "bootstrap", "every_iterate": "bootstrap"}
"""The targets without which an option means nothing."""


@dataclass(frozen=True)
class ValueOptions:
    """How values are trained; None for what was not typed."""

    depth: int | None = declare(
        "whole number",
        _ROWS,
        "How many decisions a search looks ahead, the first one included; 0 until chance shows "
        "something.",
        default_text="2",
        least=0,
    )
    targets: str | None = declare(
        "text",
        _ROWS,
        "Where values come from: solve or bootstrap.",
        metavar="KIND",
        default_text="solve",
    )
    rows: int | None = declare(
        "count",
        _ROWS,
        "With solved targets, how many rows are made, rounded up to a multiple of 64.",
        default_text="20,000",
    )
    solve_iterations: int | None = declare(
        "count", _ROWS, "Iterations of a solve that values rows.", default_text="250"
    )
    walks: int | None = declare(
        "count", _ROWS, "From play, the walks of an iteration.", default_text="256"
    )
    every_iterate: bool = declare(
        "switch",
        _ROWS,
        "From play, rows of every iterate of a solve, not of the drawn one alone (TurboReBeL).",
    )
    hidden: str | None = declare(
        "text",
        _FIT,
        "Widths of the hidden layers, with commas.",
        metavar="WIDTHS",
        default_text="128,128",
    )
    steps: int | None = declare(
        "count",
        _FIT,
        "Steps of the fit; from play, of each iteration.",
        default_text="10,000; from play 200",
    )
    batch_size: int | None = declare("count", _FIT, "Rows of a step.", default_text="512")
    learning_rate: float | None = declare(
        "number", _FIT, "Learning rate of Adam, at first.", default_text="0.001"
    )
    unit: str | None = declare(
        "text",
        _FIT,
        "What outputs are in: most, the most that can be won in the game, or stake, the least that "
        "is won or lost at a public state.",
        metavar="KIND",
        default_text="most",
    )
    seed: int | None = declare("whole number", ALGORITHM, "Seed of all draws.", default_text="0")

    def settings(self) -> dict[str, Any]:
        """What was typed, by the names of `ValueTraining`."""
        typed = {each.name: getattr(self, each.name) for each in fields(self)}
        typed = {name: value for name, value in typed.items() if value not in (None, False)}
        if self.hidden is not None:
            typed["hidden"] = _widths(self.hidden)
        return typed

    def check(self) -> None:
        """Raise ConfigError for options that mean nothing with these targets."""
        targets = "solve" if self.targets is None else self.targets
        for name, needed in _ONLY_WITH.items():
            if getattr(self, name) not in (None, False) and targets != needed:
                raise ConfigError(
                    f"{_flag(name)} means nothing with --targets {targets}",
                    option=name,
                    given=getattr(self, name),
                    expected=f"--targets {needed}",
                    remedy=f"leave out {_flag(name)}, or give --targets {needed}",
                )


@dataclass(frozen=True)
class ValueRun:
    """How long values are trained, and their files."""

    iterations: int | None = shared(
        SOLVE_OPTIONS["iterations"], help="Stop making rows after so many iterations."
    )
    seconds: float | None = shared(
        SOLVE_OPTIONS["seconds"],
        help="Stop after this many seconds (or 10m, 1.5h), counted from the start of the command.",
    )
    checkpoint: Path | None = shared(SOLVE_OPTIONS["checkpoint"])
    resume: Path | None = shared(
        SOLVE_OPTIONS["resume"], help="Resume from this checkpoint, and save to it."
    )
    out: Path | None = declare(
        "file", FILES, "Save the network here, as .safetensors.", flags=("--out", "-o")
    )


Game = Annotated[str | None, options.argument("GAME", "The game; not needed with --resume.")]


@with_options
def train_values(
    game: Game = None,
    *,
    chosen: ValueOptions,
    run: ValueRun,
    walk: ReportOptions,
) -> None:
    """Train, save, print."""
    from equilibrist.games import load_game
    from equilibrist.learned.values import ValueCheckpoint, ValueTraining
    from equilibrist.learned.values import train_values as train
    from equilibrist.storage.archive import check_writable
    from equilibrist.storage.kinds.file_kinds import VALUE_NETWORK

    if run.out is None and run.checkpoint is None and run.resume is None:
        raise ConfigError(
            "the network would be lost",
            option="--out",
            expected="--out FILE",
            remedy="name a file for it with -o",
        )
    if run.out is not None:
        check_writable(run.out, VALUE_NETWORK)
    settings = chosen.settings()
    if run.resume is not None:
        saved = ValueCheckpoint(run.resume)
        _refuse_others(settings, saved.training)
        training = None
        game = game or saved.game
    else:
        chosen.check()
        training = ValueTraining(**settings)
    if game is None:
        raise ConfigError(
            "the game is missing", option="GAME", expected="GAME", remedy="name a game"
        )
    state = run.checkpoint or run.resume
    with (
        resumable(state),
        LiveLine(quiet=walk.quiet or walk.json) as live,
        terminate_like_interrupt(),
    ):
        tree = walk.limits.compile(load_game(game))

        def report(progress: Progress) -> None:
            live.tell(_live_texts(progress))

        network = train(
            tree,
            training,
            iterations=run.iterations,
            seconds=run.seconds,
            checkpoint=run.checkpoint,
            resume=run.resume,
            callbacks=timed(Callbacks(report), start_time.STARTED),
        )
    if run.out is not None:
        network.save(run.out)
    if walk.json:
        show_json(_document(network, run.out))
    else:
        _show(network, run.out)
        if run.out is not None:
            suggest(next_command("resolve", game, values=run.out, without=("iterations",)))
    if network.made["stopped_by"] == "interrupted":
        if state is not None:
            note(f"Paused; resume with: {next_command('train-values', resume=state, out=run.out)}")
        raise typer.Exit(INTERRUPTED)


def _flag(name: str) -> str:
    """An option as it is typed."""
    return "--" + name.replace("_", "-")


def _refuse_others(settings: dict[str, Any], kept: ValueTraining) -> None:
    """Raise ConfigError for options that are not those of the run that is resumed."""
    others = [name for name, value in settings.items() if getattr(kept, name) != value]
    if others:
        raise ConfigError(
            "a run that is resumed keeps its options",
            option=others[0],
            given=settings[others[0]],
            expected=getattr(kept, others[0]),
            remedy=f"leave out {', '.join(map(_flag, others))}",
        )


def _widths(text: str) -> tuple[int, ...]:
    """The widths of hidden layers in a text such as 128,128."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ConfigError(
            option="hidden", given=text, expected="whole numbers from 1, as in 128,128"
        )
    return tuple(map(int, parts))


def _live_texts(progress: Progress) -> list[str]:
    """What the line says of the rows."""
    total = "" if progress.total is None else f" of {progress.total:,}"
    return [f"making rows, iteration {progress.iteration:,}{total}"]


def _document(network: ValueNetwork, out: Path | None) -> dict[str, Any]:
    states = network.states
    return {
        "game": network.game,
        "states": len(states.nodes),
        "classes": states.num_classes,
        "inputs": states.num_inputs,
        "outputs": sum(states.num_hands),
        "losses": dict(network.losses),
        **network.made,
        "file": None if out is None else str(out),
    }


def _show(network: ValueNetwork, out: Path | None) -> None:
    states, made = network.states, network.made
    sizes = "-".join(map(str, (states.num_inputs, *made["hidden"], sum(states.num_hands))))
    heading(f"{network.game}: what {len(states.nodes):,} public states are worth")
    show()
    loss = ", ".join(f"{value:.3g} {name}" for name, value in network.losses.items())
    show_facts(
        [
            ("classes of states", f"{states.num_classes:,}"),
            ("rows", f"{made['trained_rows']:,} in {seconds_text(made['row_seconds'])}"),
            ("network", sizes),
            ("loss", loss or "-"),
            ("time", seconds_text(made["seconds"])),
        ]
    )
    if out is not None:
        show(f"Saved to {out}")
