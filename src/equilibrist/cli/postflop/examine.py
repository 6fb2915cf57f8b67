"""`equilibrist postflop examine`: what a strategy of the first street loses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.postflop.board_options import (
    FOLDER,
    BoardsFile,
    Resume,
    chosen_boards,
    flops_option,
    note_skipped,
)
from equilibrist.cli.postflop.leaf_values import leaf_values_of
from equilibrist.cli.postflop.run_options import say_stage, warn_of
from equilibrist.cli.text.output import heading, note, show, show_json, show_table
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted, percent, seconds_text
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.postflop.solving.spot_run import SpotRun
from equilibrist.poker.postflop.spot.fields import SEATS

if TYPE_CHECKING:
    from equilibrist.poker.postflop.files.boards import Board
    from equilibrist.poker.postflop.files.examinations import ExaminationReport
    from equilibrist.poker.postflop.files.strategists import NamedStrategist
    from equilibrist.poker.postflop.spot.spot import Spot

HELP = """Measure what a strategy of the first street loses, in percent of the pot.

One seat's decisions on the first street are locked at the strategy, and everything else is solved:
the other seat, and all later streets of both. What the seat then gets less than in the spot without
locks is its loss. Every figure comes with the margin that the gains of best responses leave; it
falls with --target, by default 0.1% of the pot.

The strategy is a file (--strategy), or what the street plays over leaf values (--values):
- the solution of a spot, perhaps with fewer sizes or fewer iterations;
- a spot file with locks, which are the strategy; or without: it is solved on each board, as far as
  --strategy-iterations or --strategy-target say;
- a table in CSV: what `postflop export` writes, or the columns line, hand, action, share, and
  perhaps board;
- a blueprint, with the line before the flop (--after);
- --values: a value network, or check-down.
Shares of a hand that add up to 1 within 0.01 are scaled to 1; in a table, actions that a hand
leaves out have the share 0.
Where a strategy says nothing, as after bets that it does not know, its seat is solved, too.

The board is that of the spot, or those of --boards or --flops, as in `postflop batch`; a network is
examined on flops that it does not know with --flops held-out:N, of at most 107. A list of
boards may also stand in place of the spot file: --oop, --ip, --pot and --stack then describe the
spot. --out keeps what is done, and --resume goes on from there.

\b
Examples:
  equilibrist postflop examine spot.toml --values turn.safetensors --flops subset:49 --out study
  equilibrist postflop examine flops.txt --oop 22+,A2s+ --ip 22+,KTs+ --pot 6 --stack 97 \\
      --values turn.safetensors
  equilibrist postflop examine spot.toml --values turn.safetensors --flops held-out:12
  equilibrist postflop examine spot.toml --strategy small.toml --strategy-target 0.3%
  equilibrist postflop examine spot.toml --strategy solution.spot --target 0.05%
  equilibrist postflop examine spot.toml --strategy frequencies.csv --seat oop
  equilibrist postflop examine spot.toml --strategy b.safetensors --after "R2.5-C"
"""

_STRATEGY: Final = "Strategy"


def examine(
    spot: Spot,
    run: SpotRun,
    *,
    strategy: Annotated[
        Path | None,
        options.solution("--strategy", "FILE", "A file of a strategy, see above.", _STRATEGY),
    ] = None,
    values: Annotated[
        str | None,
        options.optional(
            "--values",
            "FILE",
            "Solve the first street over these leaf values: a value network, or check-down.",
            _STRATEGY,
        ),
    ] = None,
    strategy_iterations: Annotated[
        int | None,
        options.whole(
            "--strategy-iterations", "N", "Iterations with which the strategy is made.", _STRATEGY
        ),
    ] = None,
    strategy_target: Annotated[
        str | None,
        options.optional(
            "--strategy-target",
            "TARGET",
            "The exploitability to which a spot file of --strategy is solved.",
            _STRATEGY,
        ),
    ] = None,
    after: Annotated[
        str | None,
        options.optional(
            "--after",
            "LINE",
            "The actions before the flop, if --strategy is a blueprint: R2.5-C.",
            _STRATEGY,
        ),
    ] = None,
    seat: Annotated[
        str | None,
        options.optional("--seat", "SEAT", "Examine oop or ip alone; both by default.", _STRATEGY),
    ] = None,
    boards: BoardsFile = None,
    flops: Annotated[
        str | None,
        flops_option(
            "all; subset:N, such as subset:49; or held-out:N, a fixed list of flops of which no "
            "value network knows a turn."
        ),
    ] = None,
    out: Annotated[Path | None, FOLDER] = None,
    resume: Resume = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Examine, report."""
    # Long: the signature declares every option.
    from equilibrist.poker.postflop.files.boards import Board
    from equilibrist.poker.postflop.files.examinations import examine_boards
    from equilibrist.poker.postflop.solving.cold_kernels import cold_kernels
    from equilibrist.progress import Callbacks

    if resume and out is None:
        raise ConfigError(
            "--resume continues what is in a folder", option="--resume", remedy="give --out"
        )
    seats = (0, 1) if seat is None else (_seat(seat),)
    chosen = [Board(spot.board)]
    if boards is not None or flops is not None:
        chosen = chosen_boards(boards, flops, spot.deck, examined_flops)
    if after is not None:
        limits = {"--values": values, "--strategy-iterations": strategy_iterations}
        made = _of_blueprint(strategy, after, {**limits, "--strategy-target": strategy_target})
    else:
        made = _strategist(
            spot, strategy, values, strategy_iterations, strategy_target, run.options
        )
    warn_of(spot)
    for text in made.unused(spot):
        note(f"warning: {strategy} has {text}")
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        say_stage(live, f"examining {made.name}", cold_kernels(spot, run.storage))
        callbacks = Callbacks(on_stage=lambda stage: live.tell([stage, stage.partition(": ")[2]]))
        try:
            report = examine_boards(
                spot, chosen, made, out, seats=seats, resume=resume, callbacks=callbacks,
                **run.options,
            )  # fmt: skip
        except KeyboardInterrupt:
            if out is not None:
                note(f"--resume continues with the boards that {out} lacks")
            raise typer.Exit(INTERRUPTED) from None
    note_skipped(report.skipped)
    if json:
        show_json(_document(report, seats))
    else:
        _show(report, seats)
        if out is not None:
            note(f"the report is in {out / 'report.csv'}")


def examined_flops(which: str, deck: str) -> list[Board]:
    """The flops of a deck that `--flops` names; ConfigError if it names none."""
    from equilibrist.learned.holdem_values.situations import held_out_flops
    from equilibrist.poker.postflop.files.boards import flop_boards

    if which != "all" and not which.startswith("subset:"):
        kind, _, count = which.partition(":")
        if kind != "held-out" or not count.isdecimal():
            raise bad_argument("flops", which, "all, subset:N or held-out:N, such as held-out:12")
        try:
            return held_out_flops(int(count), deck)
        except ConfigError as error:
            raise bad_argument("flops", which, f"held-out: and {error.expected}") from None
    return flop_boards(which, deck)


def _seat(text: str) -> int:
    if text.lower() not in SEATS:
        raise ConfigError(
            f"there is no seat {text}",
            option="--seat",
            given=text,
            expected=", ".join(SEATS),
            remedy="give oop or ip",
        )
    return SEATS.index(text.lower())


def _strategist(
    spot: Spot,
    strategy: Path | None,
    values: str | None,
    iterations: int | None,
    target: str | None,
    limits: Mapping[str, Any],
) -> NamedStrategist:
    """What makes the strategy; raises ConfigError unless exactly one is given."""
    from equilibrist.poker.postflop.files.strategists import (
        strategist_of_file,
        strategist_over_values,
    )

    if strategy is not None and values is not None:
        raise ConfigError(
            "--strategy and --values were both given, but one strategy is examined at a time",
            option="--values",
            given=values,
            remedy="leave out one of them",
        )
    if strategy is None and values is None:
        raise ConfigError(
            "give a strategy to examine",
            option="--strategy",
            remedy="either --strategy FILE, or --values FILE",
        )
    if strategy is not None:
        return strategist_of_file(
            strategy, iterations=iterations, target=target, threads=limits.get("threads")
        )
    if target is not None:
        raise ConfigError(
            "over leaf values no exploitability is known, so no target ends the run",
            option="--strategy-target",
            given=target,
            remedy="give --strategy-iterations",
        )
    return strategist_over_values(
        leaf_values_of(spot, f"{values}"), iterations=iterations, memory=limits.get("memory")
    )


def _of_blueprint(
    strategy: Path | None, after: str, others: Mapping[str, object]
) -> NamedStrategist:
    """What a blueprint plays after a line before the flop; `others` are options of no use then."""
    from equilibrist.library.kinds import load
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.blueprint.spots import flop_strategist
    from equilibrist.poker.postflop.files.strategists import NamedStrategist
    from equilibrist.storage.archive import file_kind
    from equilibrist.storage.kinds.file_kinds import BLUEPRINT

    if strategy is None:
        raise ConfigError(
            "--after is the line of a blueprint",
            option="--after",
            given=after,
            remedy="give the blueprint as --strategy",
        )
    # What is missing or damaged has no kind, and opening it says so.
    blueprint = load(strategy) if file_kind(strategy) in (BLUEPRINT, None) else None
    if not isinstance(blueprint, Blueprint):
        raise ConfigError(
            f"{strategy} is no blueprint, which --after is for",
            option="--after",
            given=after,
            remedy="leave out --after",
        )
    for flag, value in others.items():
        if value is not None:
            raise ConfigError(
                f"{flag} has no use with a blueprint",
                option=flag,
                given=value,
                remedy=f"leave out {flag}",
            )
    name = f"{strategy.name} ({blueprint.fingerprint()[:12]}) after {after}"
    return NamedStrategist(name, flop_strategist(blueprint, after))


def _summaries(report: ExaminationReport, seats: tuple[int, ...]) -> dict[str, Any]:
    """Summaries by seat, and of both together."""
    named = {SEATS[seat]: report.losses(SEATS[seat]) for seat in seats}
    return named if len(seats) == 1 else {**named, "both": report.losses()}


def _document(report: ExaminationReport, seats: tuple[int, ...]) -> dict[str, Any]:
    summaries = {name: losses._asdict() for name, losses in _summaries(report, seats).items()}
    return {
        "strategy": report.strategy,
        "unit": "percent of the pot",
        "summary": summaries,
        "rows": report.rows,
        "skipped": report.skipped,
    }


def _show(report: ExaminationReport, seats: tuple[int, ...]) -> None:
    """Print the losses of each board, and the summary."""
    heading(f"{report.strategy}: losses in percent of the pot")
    names = [SEATS[seat] for seat in seats]
    columns = ["board", *(name.upper() for name in names), "strategy", "exact"]
    rows = [
        (
            row["board"],
            *(f"{row[f'loss_{name}']:.3f} +- {row[f'margin_{name}']:.3f}" for name in names),
            seconds_text(row["strategy_seconds"]),
            seconds_text(row["exact_seconds"]),
        )
        for row in report.rows
    ]
    show_table(columns, rows, _alignment(columns), indent="")
    show()
    head = ["seat", "mean", "median", "90th percentile", "most", "margin"]
    summary = [
        (name.upper() if name in SEATS else name, *(f"{figure:.3f}" for figure in losses[1:]))
        for name, losses in _summaries(report, seats).items()
    ]
    show_table(head, summary, _alignment(head), indent="")
    free = sum(row[f"free_{name}"] for row in report.rows for name in names)
    if free:
        show(f"{counted(free, 'decision')} of which the strategy says nothing, solved")
    # Rows of folders from before may lack it.
    weight = max(row.get(f"free_weight_{name}", 0.0) for row in report.rows for name in names)
    if weight:
        show(
            f"up to {percent(weight, 2)} of a range at a decision of which the strategy says "
            "nothing, solved"
        )


def _alignment(columns: list[str]) -> list[Literal["left", "right"]]:
    """Names on the left, figures on the right."""
    return ["right" if number else "left" for number in range(len(columns))]
