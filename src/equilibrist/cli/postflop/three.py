"""What commands do with spots of three players, and how they print it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import typer

from equilibrist.cli.inputs.signals import INTERRUPTED, terminate_like_interrupt
from equilibrist.cli.inputs.start_time import STARTED, note_overrun
from equilibrist.cli.postflop.run_options import progress_texts, say_stage
from equilibrist.cli.text.holdem.decision_text import (
    file_format,
    show_decision,
    show_hands,
    write_decisions,
)
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_exactly,
    show_facts,
    show_json,
    show_table,
    suggest,
)
from equilibrist.cli.text.progress import LiveLine
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import (
    bytes_text,
    counted,
    measure_text,
    percent,
    seconds_text,
    value_text,
)
from equilibrist.library.kinds import refuse_options
from equilibrist.progress import ENDINGS, Callbacks, timed
from equilibrist.storage.kinds.file_kinds import THREE_SPOT

if TYPE_CHECKING:
    from equilibrist.poker.three_players.solution import ThreeSolution
    from equilibrist.poker.three_players.spot import ThreeSpot
    from equilibrist.poker.three_players.starts import ThreeStarts

_TAKEN: Final = ("target", "iterations", "seconds", "algorithm", "memory", "tremble")
"""The options of a run that three players have; on a flop or a turn `threads`, too."""
_MOST_LOCKS: Final = 5
"""Lines of locks that are printed."""
_STREETS: Final = {3: "flop", 2: "turn", 1: "river"}
"""By how many streets are played the first of them."""
_FAR: Final = 1.0
"""Percent of the pot above which a solution without a target is called not converged."""


class Starts(NamedTuple):
    """From how many starts a spot is solved; None for what was not typed."""

    number: int | None
    seed: int | None

    def check(self) -> None:
        """Raise ConfigError for a seed of which nothing is drawn."""
        if self.seed is not None and self.number is None:
            raise ConfigError(
                "--seed is that of the starts which --starts draws",
                option="--seed",
                given=self.seed,
                remedy="give --starts N, or leave out --seed",
            )


def solve_three_players(
    spot: ThreeSpot,
    options: Mapping[str, Any],
    files: Mapping[str, Any],
    refused: Mapping[str, object],
    starts: Starts,
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
        starts: From how many starts it is solved.
        json: Whether a document is printed.
        quiet: Whether progress is left out.
    """
    from equilibrist.poker.three_players.solving import solve_from_starts, solve_three
    from equilibrist.storage.archive import check_writable

    has_cards_to_come = spot.num_streets > 1
    taken = (*_TAKEN, "threads") if has_cards_to_come else _TAKEN
    given = {f"--{name}": value for name, value in options.items() if name not in taken}
    given |= {
        "--checkpoint": files["checkpoint"],
        "--checkpoint-every": files["checkpoint_every"],
        "--resume": files["resume"],
        "--keep": None if files["keep"] == "all" else files["keep"],
        **refused,
    }
    _refuse(spot, given)
    out = files["out"]
    if out is not None:
        check_writable(out, THREE_SPOT)
    compared: ThreeStarts | None = None
    with LiveLine(quiet=quiet or json, interrupted="") as live, terminate_like_interrupt():
        say_stage(live, f"preparing {spot.board}", _cold(spot))
        tell = (
            None
            if live.quiet
            else lambda progress: live.progress(progress, progress_texts(progress))
        )
        run = {name: options[name] for name in taken if name in options}
        if starts.number is None:
            solution = solve_three(spot, callbacks=timed(Callbacks(tell), STARTED), **run)
        else:
            seed = 0 if starts.seed is None else starts.seed
            callbacks = Callbacks(tell, lambda text: live.stage(text, aloud=False))
            compared = solve_from_starts(spot, starts.number, seed=seed, callbacks=callbacks, **run)
            solution = compared.best
    if compared is None:
        note_overrun(options.get("seconds"), solution.iterations)
    if out is not None:
        solution.save(out)
    if json:
        show_json(solution.to_dict() | ({} if compared is None else {"from": compared.to_dict()}))
    else:
        if compared is not None:
            _show_starts(compared)
        show_three(solution)
        show_decision(solution.at().by_class(), grid=False)
        if out is not None:
            show()
            show(f"Solution saved to {out}")
            if not quiet:
                suggest(
                    next_command("postflop browse", out, board=None),
                    next_command("play", out, coach=True, seed=None),
                )
    ended_by = solution.stopped_by if compared is None else compared.solutions[-1].stopped_by
    if ended_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _show_starts(compared: ThreeStarts) -> None:
    """Print how far the solutions from several starts differ."""
    first = compared.solutions[0]
    pot, codes = first.spot.pot, first.at().codes
    count = counted(len(compared.solutions), "start")
    heading(f"{first.spot.board}, three players, solved from {count}")
    rows = [
        [
            ("uniform" if number == 0 else f"drawn {number}")
            + (" (best)" if number == compared.best_start else ""),
            *(_ev(value, pot) for value in solution.values),
            measure_text(max(solution.gains)),
            f"{solution.nash_conv_percent:.3g}%",
            *(percent(share, 1) for share in row),
            f"{solution.iterations:,}",
        ]
        for number, (solution, row) in enumerate(
            zip(compared.solutions, compared.root_frequencies.tolist(), strict=True)
        )
    ]
    rows.append(
        [
            "differ by",
            *(_ev(chips, pot) for chips in compared.value_differences),
            "",
            "",
            *(percent(share, 1) for share in compared.frequency_differences),
            "",
        ]
    )
    rows.append(
        [
            "of the pot",
            *(f"{100 * chips / pot:.3g}%" for chips in compared.value_differences),
            *[""] * (3 + len(codes)),
        ]
    )
    seats = [f"EV {seat}" for seat in first.seats]
    columns = ["start", *seats, "one gains", "all gain", *codes, "iterations"]
    show()
    show_table(columns, rows)
    show()
    show(
        "Hand by hand, two of the solutions differ at the start by at most "
        f"{percent(compared.hand_difference, 2)} of play. Three players may have several "
        "equilibria. Seats of different ones need not fit together: play all seats of one "
        "solution. That other starts find no other equilibrium is not proved. The one with the "
        "least sum of gains is kept:"
    )
    show()


def solved_three(spot: ThreeSpot, options: Mapping[str, Any], *, quiet: bool) -> ThreeSolution:
    """Solve for what is printed of the solution.

    Args:
        spot: The spot.
        options: The options of the run.
        quiet: Whether progress is left out.

    Returns:
        The solution, also after an interrupt.

    Raises:
        ConfigError: An option has no use here.
    """
    from equilibrist.poker.three_players.solving import solve_three

    taken = (*_TAKEN, "threads") if spot.num_streets > 1 else _TAKEN
    _refuse(spot, {f"--{name}": value for name, value in options.items() if name not in taken})
    with LiveLine(quiet=quiet, interrupted="") as live, terminate_like_interrupt():
        say_stage(live, f"preparing {spot.board}", _cold(spot))
        tell = (
            None
            if live.quiet
            else lambda progress: live.progress(progress, progress_texts(progress))
        )
        run = {name: options[name] for name in taken if name in options}
        solution = solve_three(spot, callbacks=timed(Callbacks(tell), STARTED), **run)
    note_overrun(options.get("seconds"), solution.iterations)
    return solution


def _cold(spot: ThreeSpot) -> list[str]:
    """The kernels of a run that are to be compiled."""
    from equilibrist._jit import cache_is_warm
    from equilibrist.poker.three_players.solver import KERNEL, TURN_KERNEL

    kernels = [KERNEL, TURN_KERNEL] if spot.num_streets > 1 else [KERNEL]
    return [kernel for kernel in kernels if not cache_is_warm(kernel)]


def estimate_three(spot: ThreeSpot, run: Mapping[str, Any], *, json: bool) -> None:
    """Print what a spot needs.

    Args:
        spot: The spot.
        run: The options of the run.
        json: Whether a document is printed.
    """
    from equilibrist.poker.hands.betting_tree import less_betting
    from equilibrist.poker.three_players.needs import three_needs
    from equilibrist.poker.three_players.spot import SEAT_NAMES

    has_cards_to_come = spot.num_streets > 1
    refused = ("storage", "quantal") if has_cards_to_come else ("storage", "quantal", "threads")
    _refuse(spot, {f"--{name}": run[name] for name in refused})
    taken = ("target", "algorithm", "tremble", "memory", "threads")
    needs = three_needs(spot, **{name: run[name] for name in taken})
    if json:
        show_json(needs.to_dict())
        return
    fits = "the spot fits" if needs.fits else "the spot does not fit"
    whose = " (half of this machine's memory)" if run["memory"] is None else ""
    about = seconds_text(float(f"{needs.seconds:.2g}"))
    hands = zip(SEAT_NAMES, needs.hands, strict=True)
    threads = "one thread" if needs.threads == 1 else counted(needs.threads, "thread")
    show_facts(
        [
            ("board", spot.board),
            ("pot, stacks", f"{spot.pot:,} and {_listed(spot.stack_of)} chips"),
            ("hands", ", ".join(f"{count:,} {seat}" for seat, count in hands)),
            ("decisions", f"{sum(needs.decisions):,} of {counted(needs.nodes, 'node')}"),
            ("memory", f"{bytes_text(needs.memory_bytes)} in float32"),
            ("limit", f"{bytes_text(needs.limit)}{whose}: {fits}"),
            (
                "time",
                (
                    f"about {about} until the gains sum to {needs.target}, "
                    f"{threads}, "
                    f"{counted(needs.iterations, 'iteration')}"
                ),
            ),
        ],
        "",
    )
    if needs.fits:
        suggest(next_command("postflop solve", target=needs.target.replace(" ", "")))
    else:
        show()
        show(less_betting(spot.rules, spot.menu))


def _listed(stacks: Sequence[float]) -> str:
    return " / ".join(f"{stack:,}" for stack in stacks)


def _refuse(spot: ThreeSpot, options: Mapping[str, object]) -> None:
    """Raise ConfigError for the first option with a value, which has no use for three players."""
    for flag, value in options.items():
        if value:
            raise ConfigError(
                f"a {_STREETS[spot.num_streets]} with three ranges is solved without {flag}",
                option=flag,
                given=value,
                remedy=f"leave out {flag}",
            )


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
        [seat, _ev(value, pot), measure_text(gain), f"{100 * gain / pot:.3g}%"]
        for seat, value, gain in zip(solution.seats, solution.values, solution.gains, strict=True)
    ]
    rows.append(
        [
            "sum",
            _ev(sum(solution.values), pot),
            measure_text(solution.nash_conv),
            f"{solution.nash_conv_percent:.3g}%",
        ]
    )
    show()
    show_table(["seat", "EV (chips)", "could gain", "of the pot"], rows)
    show()
    if solution.tremble is not None:
        show(
            f"with trembles: every action is played at least {100 * solution.tremble:g}%; gains "
            "are those in the spot without them"
        )
    show(solution.guarantee)
    if solution.unlocked_gains is not None:
        locked = [*dict.fromkeys(lock.place for lock in solution.spot.locks)]
        more = f" and {len(locked) - _MOST_LOCKS} more" if len(locked) > _MOST_LOCKS else ""
        gains = ", ".join(
            f"{seat} {measure_text(gain)}"
            for seat, gain in zip(solution.seats, solution.unlocked_gains, strict=True)
        )
        show(f"locked: {', '.join(locked[:_MOST_LOCKS])}{more}; ignoring its locks gains {gains}")
    if solution.frequency_error is not None:
        show(f"max frequency error {100 * solution.frequency_error:.2g}% of the range")


def _ev(amount: float, pot: float) -> str:
    """Chips with four decimals; where the pot is less than one, with six significant digits."""
    return value_text(amount, pot) if pot < 1.0 else f"{amount:z.4f}"


class _Asked(NamedTuple):
    """What is shown of a solution."""

    line: str
    hands: str | None
    """Hands that are listed; None for the grids."""
    draw: Path | None = None
    """Where the grid is drawn."""


def show_three_node(
    file: Path,
    line: str,
    hand: str | None,
    refused: Mapping[str, object],
    *,
    seat: str | None,
    draw: Path | None,
    json: bool,
) -> None:
    """Print a decision of a solved spot of three.

    Args:
        file: The solution.
        line: The actions before the decision, with the cards after the first street.
        hand: Hands that are listed; None for the grids.
        refused: Options, by their flags, which have no use here.
        seat: The seat whose range is printed in place of the decision.
        draw: The picture that the grid is drawn to.
        json: Whether a document is printed.
    """
    from equilibrist.poker.decisions.grid_pictures import check_picture
    from equilibrist.poker.ranges.range import Range, to_digits
    from equilibrist.poker.three_players.node import ThreeNode
    from equilibrist.poker.three_players.solution import read_three

    refuse_options(file, THREE_SPOT, refused)
    if draw is not None:
        check_picture(draw, "--draw")
    solution = read_three(file)
    if seat is None:
        _show_decision(solution, _Asked(line, hand, draw), json=json)
        return
    node = ThreeNode(solution, line)
    weights = node.ranges[[name.lower() for name in solution.seats].index(seat)]
    text = str(Range.from_weights(to_digits(weights)))
    if json:
        show_json({"line": node.line, "player": seat, "range": text})
    else:
        show(text)


def inspect_three(file: Path, line: str, hands: str, *, draw: Path | None, json: bool) -> None:
    """Print what `inspect` does of a spot of three: the spot, how good it is, a node or hands.

    Args:
        file: The solution.
        line: The actions before the decision.
        hands: Hands that are listed; empty for the grids.
        draw: The picture that the grid is drawn to.
        json: Whether a document is printed.
    """
    from equilibrist.poker.decisions.grid_pictures import check_picture
    from equilibrist.poker.three_players.solution import read_three

    if draw is not None:
        check_picture(draw, "--draw")
    solution = read_three(file)
    if not (line or hands or json):
        show_exactly(solution.spot.to_toml())
    _show_decision(solution, _Asked(line, hands or None, draw), json=json)
    if not json:
        suggest(next_command("postflop browse", file), next_command("play", file, coach=True))


def _show_decision(solution: ThreeSolution, asked: _Asked, *, json: bool) -> None:
    """Print a decision, or hands there."""
    from equilibrist.poker.decisions.decision import NOT_REACHED, off_path
    from equilibrist.poker.three_players.node import ThreeNode

    decision = solution.at(asked.line)
    node = ThreeNode(solution, decision.line)
    note_of_place = off_path(node.absent)
    if asked.draw is not None:
        decision.draw(asked.draw)
        note(f"the grid at {decision.line or 'the root'} drawn to {asked.draw}")
    if asked.hands is not None:
        is_all = asked.hands.strip().casefold() == "all"
        wanted = ",".join(decision.names[k] for k in decision.dealt) if is_all else asked.hands
        title = f"{decision.seat_name} {decision.place}, EV in chips"
        if note_of_place:
            title += f"; {note_of_place}"
        arrives = node.arrives(decision.seat)
        absent = {k: NOT_REACHED for k in decision.dealt.tolist() if not arrives[k]}
        show_hands(decision, wanted, title, as_json=json, absent=absent)
    elif json:
        show_json(solution.to_dict(asked.line))
    else:
        show_three(solution)
        show_decision(decision.by_class(), unit="chips", note=note_of_place)
        known = solution.lines()
        note(
            f"lines: {', '.join(text or 'the empty one' for text in known[:12])}"
            + (f" and {len(known) - 12} more" if len(known) > 12 else "")
        )


def evaluate_three(file: Path, *, json: bool) -> None:
    """Print how good a solution is, by what the run measured at its end.

    Args:
        file: The solution.
        json: Whether a document is printed.
    """
    from equilibrist.poker.three_players.solution import read_three

    solution = read_three(file)
    if json:
        show_json({**solution.facts(), "file": str(file), "recomputed": False})
        return
    show_three(solution)
    suggest(next_command("postflop browse", file), next_command("play", file, coach=True))


def export_three(file: Path, out: Path, written_as: str | None) -> None:
    """Write the decisions of the first street as CSV, JSON, or ranges, a line of text each.

    Args:
        file: The solution.
        out: The file to write.
        written_as: Its format, where its name does not say it.
    """
    from equilibrist.poker.three_players.solution import read_three

    form = file_format(out, written_as, "decisions of three players")
    solution = read_three(file)
    written = counted(len(solution.lines()), "decision")
    if solution.spot.num_streets > 1:
        written += " of the first street"
    write_decisions(out, form, _Decisions(solution), written)


class _Decisions(NamedTuple):
    """All decisions of a solution, as `write_decisions` takes them."""

    solution: ThreeSolution

    def to_csv(self) -> str:
        """A row for each decision, hand and action."""
        return self.solution.to_csv()

    def to_dict(self) -> dict[str, Any]:
        """The facts of the solution, and the decisions as `nodes`."""
        return {
            **self.solution.facts(),
            "nodes": [decision.to_dict() for decision in self.solution.nodes()],
        }

    def ranges(self) -> dict[str, str]:
        """The hands that take each action, by the line with the action."""
        return {
            f"{decision.line}-{code}".lstrip("-"): decision.range_text(k)
            for decision in self.solution.nodes()
            for k, code in enumerate(decision.codes)
        }
