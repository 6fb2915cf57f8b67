"""What `postflop solve` and `postflop show` do with three ranges, and how they print it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED, note_overrun
from equilibrist.cli.postflop.run_options import progress_texts, say_stage
from equilibrist.cli.text.holdem.decision_text import show_decision, show_hands
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, note, show, show_json, show_table, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted, measure_text, seconds_text
from equilibrist.library.kinds import refuse_options
from equilibrist.progress import ENDINGS, Callbacks, timed
from equilibrist.storage.kinds.file_kinds import THREE_SPOT

if TYPE_CHECKING:
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.poker.three_players.spot import ThreeSpot

_TAKEN: Final = ("target", "iterations", "seconds", "algorithm", "memory")
"""The options of a run that three players have; on a turn `threads`, too."""
_FAR: Final = 1.0
"""Percent of the pot above which a solution without a target is called not converged."""


def solve_three_players(
    spot: ThreeSpot,
    options: Mapping[str, Any],
    files: Mapping[str, Any],
    refused: Mapping[str, object],
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Solve, save, print.

    Args:
        spot: The spot.
        options: The options of the run.
        files: Those of its files.
        refused: Further options, by their flags, which have no use here.
        json: Whether a document is printed.
        quiet: Whether progress is left out.
    """
    from equilibrist._jit import cache_is_warm
    from equilibrist.poker.three_players.solver import KERNEL, TURN_KERNEL
    from equilibrist.poker.three_players.solving import solve_three
    from equilibrist.storage.archive import check_writable

    is_turn = spot.num_streets > 1
    taken = (*_TAKEN, "threads") if is_turn else _TAKEN
    given = {f"--{name}": value for name, value in options.items() if name not in taken}
    given |= {
        "--checkpoint": files["checkpoint"],
        "--checkpoint-every": files["checkpoint_every"],
        "--resume": files["resume"],
        "--keep": None if files["keep"] == "all" else files["keep"],
        **refused,
    }
    for flag, value in given.items():
        if value:
            raise ConfigError(
                f"a {'turn' if is_turn else 'river'} with three ranges is solved without {flag}",
                option=flag,
                given=value,
                remedy=f"leave out {flag}",
            )
    out = files["out"]
    if out is not None:
        check_writable(out, THREE_SPOT)
    with LiveLine(quiet=quiet or json, interrupted="") as live, terminate_like_interrupt():
        kernels = [KERNEL, TURN_KERNEL] if is_turn else [KERNEL]
        cold = [kernel for kernel in kernels if not cache_is_warm(kernel)]
        say_stage(live, f"preparing {spot.board}", cold)
        tell = (
            None
            if live.quiet
            else lambda progress: live.progress(progress, progress_texts(progress))
        )
        run = {name: options[name] for name in taken if name in options}
        solution = solve_three(spot, callbacks=timed(Callbacks(tell), STARTED), **run)
    note_overrun(options.get("seconds"), solution.iterations)
    if out is not None:
        solution.save(out)
    if json:
        show_json(solution.to_dict())
    else:
        show_three(solution)
        show_decision(solution.at().by_class(), grid=False)
        if out is not None:
            show()
            show(f"Solution saved to {out}")
            if not quiet:
                line = solution.lines()[-1]
                suggest(next_command("postflop show", out, line=line or None))
    if solution.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def show_three(solution: ThreeSolution) -> None:
    """Print how a spot of three was solved, and how good the result is."""
    limit = _FAR
    if solution.target is not None:
        limit = 100 * solution.target / solution.spot.pot
    missed = solution.nash_conv_percent > limit
    warning = f"not converged, NashConv is above {limit:.3g}% of the pot: " if missed else ""
    heading(
        f"{solution.spot.board}, three players: {warning}"
        f"{counted(solution.iterations, 'iteration')} in {seconds_text(solution.seconds)}; "
        f"{ENDINGS[solution.stopped_by]}"
    )
    pot = solution.spot.pot
    rows = [
        [seat, f"{value:.4f}", measure_text(gain), f"{100 * gain / pot:.3g}%"]
        for seat, value, gain in zip(solution.seats, solution.values, solution.gains, strict=True)
    ]
    rows.append(
        [
            "sum",
            f"{sum(solution.values):.4f}",
            measure_text(solution.nash_conv),
            f"{solution.nash_conv_percent:.3g}%",
        ]
    )
    show()
    show_table(["seat", "EV (chips)", "could gain", "of the pot"], rows)
    show()
    show(solution.guarantee)


def show_three_node(
    file: Path, line: str, hand: str | None, refused: Mapping[str, object], *, json: bool
) -> None:
    """Print a decision of a solved spot of three.

    Args:
        file: The solution.
        line: The actions before the decision, with the river card on a river after a turn.
        hand: Hands that are listed; None for the grids.
        refused: Options, by their flags, which have no use here.
        json: Whether a document is printed.
    """
    from equilibrist.poker.three_players.solution import read_three

    refuse_options(file, THREE_SPOT, refused)
    solution = read_three(file)
    decision = solution.at(line)
    if hand is not None:
        wanted = ",".join(decision.names[k] for k in decision.dealt) if hand == "all" else hand
        title = f"{decision.seat_name} {decision.place}, EV in chips"
        show_hands(decision, wanted, title, as_json=json)
    elif json:
        show_json(solution.to_dict(line))
    else:
        show_three(solution)
        show_decision(decision.by_class(), unit="chips")
        known = solution.lines()
        note(
            f"lines: {', '.join(text or 'the empty one' for text in known[:12])}"
            + (f" and {len(known) - 12} more" if len(known) > 12 else "")
        )
