"""`equilibrist preflop pushfold`: all-in or fold before the flop."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from equilibrist.cli.commands.holdem.hand_input import HandFile, SampledRun, check_csv, check_out
from equilibrist.cli.inputs import options, start_time
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import INTERRUPTED, resumable, terminate_like_interrupt
from equilibrist.cli.text.holdem.push_fold_text import mostly, show_charts, show_several
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, show_json, suggest
from equilibrist.cli.text.progress import LiveLine, deals_text
from equilibrist.options.option import DISPLAY, FILES, declare, options_of, shared
from equilibrist.options.solve_options import HOLDEM_RUN_OPTIONS
from equilibrist.poker.hands.fields import PUSH_FOLD_OPTIONS

if TYPE_CHECKING:
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution
    from equilibrist.progress import Progress

HELP = """Find who goes all-in before the flop with which hands, and who calls.

Every player goes all-in or folds. Stacks are big blinds, or chips with --blinds, before blinds and
antes are posted; EV is measured against that stack, so that the small blind who folds has -500 mbb
(thousandths of a big blind). Two players are solved exactly, by a linear programme with the exact
equities of all 169 x 169 hand classes; these are counted over all boards when they are first
needed, which takes seconds, and kept. A seat with less than its ante and blind posts
what it has, the ante first, and is all-in.

HAND is a hand file (TOML) whose stacks, blinds and antes are taken; its bet sizes do not matter.

Three to six players (--seats, or --stacks) are solved by CFR on sampled deals: the first player
goes all-in or folds, the others call or fold, also behind other callers. The result has the 95 %
confidence interval of NashConv, what all seats together could still gain, from deals that the
solver has not seen. Charts list the hands that go all-in more often than not; --csv and --json have
the frequencies.

A grid shows how often a hand goes all-in, in percent; suited hands stand above the diagonal.
--payouts solves a tournament: EV is then a share of the prize pool by the independent chip model
(Malmuth and Harville).

With three and more players Ctrl-C stops CFR after the current iteration and prints the partial
result, with exit code 130. With --checkpoint the state of the run is saved every minute and when it
stops; --resume continues from there, bit-identical to an uninterrupted run.

\b
Examples:
  equilibrist preflop pushfold --stack 10
  equilibrist preflop pushfold --stack 5,8,10,15,20
  equilibrist preflop pushfold --stack 1200 --blinds 50/100 --ante 10
  equilibrist preflop pushfold hand.toml
  equilibrist preflop pushfold --stack 10 --seats 3 --deals 2e6
  equilibrist preflop pushfold --stacks 10,25 --payouts 50,30,20 --others 15
  equilibrist preflop pushfold --stack 10 --csv chart.csv --draw chart.svg -o chart.safetensors
  equilibrist preflop pushfold --stack 10 --seats 3 --checkpoint run.ckpt
  equilibrist preflop pushfold --resume run.ckpt --deals 2e7
"""


@dataclass(frozen=True)
class PushFoldGame:
    """The stacks, blinds and prizes, as they were typed."""

    stack: str | None = shared(
        PUSH_FOLD_OPTIONS["stack"],
        help="The stack of every seat, 10 or 10bb; 5,10,20 solves one game after the other.",
    )
    stacks: str | None = shared(PUSH_FOLD_OPTIONS["stacks"])
    seats: int | None = shared(PUSH_FOLD_OPTIONS["seats"])
    blinds: str | None = shared(PUSH_FOLD_OPTIONS["blinds"])
    ante: str | None = shared(PUSH_FOLD_OPTIONS["ante"])
    big_blind_ante: str | None = shared(PUSH_FOLD_OPTIONS["big_blind_ante"])
    payouts: str | None = shared(PUSH_FOLD_OPTIONS["payouts"])
    others: str | None = shared(PUSH_FOLD_OPTIONS["others"])


@dataclass(frozen=True)
class PushFoldRun(SampledRun):
    """How deals are played with three and more players."""

    deals: int | None = shared(
        HOLDEM_RUN_OPTIONS["deals"],
        help="With three and more players, play this many deals.",
        default_text="10, 5, 3 and 2 million for three to six",
    )
    seconds: float | None = shared(
        HOLDEM_RUN_OPTIONS["seconds"],
        help="With three and more players, play and measure for about this time, half each.",
    )
    seed: int | None = shared(
        HOLDEM_RUN_OPTIONS["seed"], help="With three and more players, the seed of the deals."
    )
    checkpoint: Path | None = shared(
        HOLDEM_RUN_OPTIONS["checkpoint"],
        help="With three and more players, save the state of the run here; --resume continues.",
    )


@dataclass(frozen=True)
class PushFoldOutput:
    """Where the charts go, and what is shown of them."""

    out: Path | None = shared(HOLDEM_RUN_OPTIONS["out"])
    csv: Path | None = declare("file", FILES, "Write the charts to FILE, a row per hand class.")
    draw: Path | None = declare(
        "file",
        FILES,
        "Draw the chart of each decision: chart.svg (or .png) becomes chart-SB.svg, "
        "chart-BB-SB.svg.",
    )
    grid: bool | None = declare(
        "switch",
        DISPLAY,
        "Show the 13x13 grids.",
        flags=("--grid/--no-grid",),
        default_text="of a single game of two",
    )
    json: bool = shared(options.JSON)
    quiet: bool = shared(options.QUIET)


@with_options
def push_fold(
    file: HandFile = None,
    *,
    typed_game: PushFoldGame,
    run: PushFoldRun,
    output: PushFoldOutput,
) -> None:
    """Solve, print."""
    from equilibrist.poker.preflop.push_fold.reading import OF_PRIZES, read_numbers
    from equilibrist.poker.preflop.push_fold.solution import write_charts
    from equilibrist.poker.preflop.push_fold.solving import push_fold as solve
    from equilibrist.poker.preflop.push_fold.solving import push_fold_game
    from equilibrist.progress import Callbacks, timed

    stack, stacks, seats = typed_game.stack, typed_game.stacks, typed_game.seats
    out, quiet = output.out, output.quiet or output.json
    of_file = _of_file(file)
    dealt = of_file.pop("stack", None)
    if typed_game.blinds is not None:
        of_file["blinds"] = tuple(read_numbers("blinds", typed_game.blinds, "/"))
    unit = of_file.get("blinds", (0.5, 1.0))[-1]
    game: dict[str, Any] = {**of_file, "seats": seats}
    if dealt is not None and stack is None and stacks is None:
        games = [dealt]
    else:
        games = _games(stack, stacks, run.resume, unit)
        if dealt is not None and stacks is None and seats is None:
            game["seats"] = len(dealt)
    state = run.checkpoint or run.resume
    _check_files(games, out, state)
    for name in ("ante", "big_blind_ante"):
        if (text := getattr(typed_game, name)) is not None:
            (game[name],) = read_numbers(name, text, "", unit)
    for name in ("payouts", "others"):
        if (text := getattr(typed_game, name)) is not None:
            game[name] = read_numbers(name, text, OF_PRIZES, None if name == "payouts" else unit)
    for stacks_of_game in games:
        if stacks_of_game is not None:
            push_fold_game(stacks_of_game, **game)  # all are checked before the first is solved
    check_csv(output.csv)
    if output.draw is not None:
        _check_drawing(output.draw, len(games))
    with resumable(state), LiveLine(quiet=quiet) as live, terminate_like_interrupt():
        live.stage("solving", aloud=False)

        def report(progress: Progress) -> None:
            live.tell([deals_text(progress)])

        callbacks = Callbacks(report, on_stage=lambda text: live.tell([text]))
        if len(games) == 1:
            callbacks = timed(callbacks, start_time.STARTED)
        settings = run.settings() | {"callbacks": callbacks}
        solutions = [solve(stacks_of_game, **settings, **game) for stacks_of_game in games]
    if out is not None:
        solutions[0].save(out)
    if output.csv is not None:
        write_charts(output.csv, solutions)
    if output.draw is not None:  # last: only the solution tells the names of the pictures
        _draw(output.draw, solutions[0])
    _print(solutions, output.grid, json=output.json)
    if solutions[-1].stopped_by == "interrupted":
        if state is not None:
            files = {"resume": state, "out": out, "csv": output.csv, "draw": output.draw}
            in_checkpoint = ("file", *options_of(PushFoldGame), "seed")
            again = next_command("preflop pushfold", without=in_checkpoint, **files)
            note(f"Paused; resume with: {again}")
        raise typer.Exit(INTERRUPTED)


def _print(solutions: list[PushFoldSolution], grid: bool | None, *, json: bool) -> None:
    if json:
        documents = [solution.to_dict() for solution in solutions]
        show_json(documents[0] if len(solutions) == 1 else {"solutions": documents})
        return
    two = solutions[0].game.seats == 2
    if len(solutions) > 1 and two:
        show_several(solutions)
    for solution in solutions:
        if len(solutions) == 1 or grid or not two:
            show_charts(solution, grid=two if grid is None else grid)
    first = next(iter(solutions[0].charts), None)
    if first is None:
        if len(solutions) == 1:
            note("Nobody decides: posting puts all but one player all-in.")
    elif (first.strategy[1] > 0.5).any():
        suggest(next_command("range", mostly(first), grid=True))


def _check_files(games: list[Any], out: Path | None, state: Path | None) -> None:
    """Raise what saving would raise later, and for a file that several games would share."""
    from equilibrist.errors import ConfigError
    from equilibrist.storage.kinds.file_kinds import PUSH_FOLD

    for flag, file in (("--out", out), ("--checkpoint", state)):
        if file is not None and len(games) > 1:
            raise ConfigError(
                f"{flag} is one file, and there are {len(games)} games",
                option=flag,
                given=file,
                remedy="solve one stack at a time",
            )
    check_out(out, state, PUSH_FOLD)


def _of_file(file: Path | None) -> dict[str, Any]:
    """Read a hand file into arguments of `push_fold`."""
    if file is None:
        return {}
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.poker.preflop.push_fold.game import push_fold_keys

    return push_fold_keys(Hand.from_toml(file))


def _games(stack: str | None, stacks: str | None, resume: Path | None, unit: float) -> list[Any]:
    """List the stacks for `push_fold`, for each game; None for the game that is resumed."""
    from equilibrist.errors import ConfigError
    from equilibrist.poker.preflop.push_fold.reading import OF_PRIZES, read_numbers

    if resume is not None and stack is None and stacks is None:
        return [None]
    if (stack is None) == (stacks is None):
        raise ConfigError(
            "the stacks are missing"
            if stack is None
            else "--stack and --stacks exclude each other",
            option="stack",
            expected="a stack for all seats, or one for each",
            remedy="give --stack 10, or --stacks 10,25 with a stack for each seat",
        )
    if stack is not None:
        return read_numbers("stack", stack, ",", unit)
    assert stacks is not None
    return [read_numbers("stacks", stacks, OF_PRIZES, unit)]


def _check_drawing(draw: Path, games: int) -> None:
    from equilibrist.errors import ConfigError
    from equilibrist.poker.decisions.grid_pictures import check_picture

    check_picture(draw, "--draw")
    if games > 1:
        raise ConfigError(
            f"--draw draws the charts of one game, and {games} are solved",
            option="--draw",
            given=draw,
            remedy="give one stack",
        )


def _draw(draw: Path, solution: PushFoldSolution) -> None:
    """A picture for each decision that is reached."""
    from dataclasses import replace

    from equilibrist.poker.betting.actions import FOLD, Action, Kind

    stacks = "/".join(f"{stack:g}" for stack in dict.fromkeys(solution.game.stacks))
    actions = (FOLD, Action(Kind.ALL_IN, max(solution.game.stacks)))
    for chart in solution.charts:
        title = solution.title(chart)
        name = "-".join([draw.stem, chart.seat_name, *solution.against(chart)])
        file = draw.with_name(f"{name}{draw.suffix}")
        replace(chart, actions=actions).draw(file, f"{title}, {stacks}")
        note(f"{title} drawn to {file}")
