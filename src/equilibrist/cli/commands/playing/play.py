"""`equilibrist play`: people and strategies play hands against each other."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.walking import Limits
from equilibrist.cli.text.output import note
from equilibrist.cli.text.quantities import measure_text, read_count
from equilibrist.errors import ConfigError
from equilibrist.parsing.arguments import whole_number

if TYPE_CHECKING:
    from equilibrist.strategy import Strategy

HELP = """Play hands: you against the solution, two people, or strategies among themselves.

Give a game, or a file with a strategy. A game that is not solved yet is solved first: by dcfr to
1e-4 of its payoff range, at most 10,000 iterations or 60 seconds, into GAME-dcfr.safetensors; such
a file in the current folder is used as it is.

--seats says who plays, one per player: human, ai, uniform (every action equally likely), or a file
with a strategy. Seats move on by one place after every hand.

Type an action's name, the beginning of it, or its number; ? explains, q ends. Input may come
through a pipe. Where it ends between two hands the score is shown; within a hand that is an error,
exit code 2, and the hand does not count. Everybody sees their own infoset only, until the hand is
over: then all is shown, with --show-ai also how the strategies mixed.

--coach prints the EV loss of each choice: the value of the best action minus that of the chosen
one, against opponents who play the solution, with your best play from there on.

\b
Examples:
  equilibrist play kuhn
  equilibrist play leduc --coach --show-ai --log hands.jsonl
  equilibrist play liars_dice --seats human,human
  equilibrist play leduc-dcfr.safetensors --seats ai,uniform --hands 1000 --quiet --seed 7
  equilibrist play rules.py:MyGame --strategy mine.csv --fixed-seats
  printf 'bet\\npass\\n' | equilibrist play kuhn
"""
AGENTS_ONLY_HANDS = 10


def play(
    target: Annotated[
        str,
        typer.Argument(
            metavar="GAME_OR_FILE",
            show_default=False,
            help=f"A game ({options.GAME_FORMS}), or a strategy's file.",
        ),
    ],
    seats: Annotated[
        str | None,
        typer.Option(
            "--seats",
            metavar="A,B,...",
            show_default=False,
            help="Who plays: human, ai, uniform, or a file.  [default: human, and ai for all "
            "others]",
        ),
    ] = None,
    fixed_seats: Annotated[
        bool, typer.Option("--fixed-seats", help="Nobody moves on: the first seat is player 0.")
    ] = False,
    hands: Annotated[
        str | None,
        typer.Option(
            "--hands",
            metavar="N",
            show_default=False,
            help="Stop after so many.  [default: 10 if no person plays, else no end]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            show_default=False,
            help="Decides what is dealt and drawn.  [default: another one every time]",
        ),
    ] = None,
    show_ai: Annotated[
        bool,
        typer.Option(
            "--show-ai",
            help="After the hand, show how each strategy mixed at its moves, what it drew in "
            "brackets.",
        ),
    ] = False,
    coach: Annotated[
        bool, typer.Option("--coach", help="Print the EV loss of each choice of a person.")
    ] = False,
    strategy: Annotated[
        Path | None,
        typer.Option(
            "--strategy",
            parser=options.file_name,
            metavar="FILE",
            show_default=False,
            help="The strategy of ai and coach, instead of a solution.",
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            parser=options.file_name,
            metavar="FILE",
            show_default=False,
            help="Add every hand to this file, as JSON lines.",
        ),
    ] = None,
    game: options.GameOption = None,
    max_histories: options.MaxHistories = None,
    memory: options.Memory = None,
    max_depth: options.MaxDepth = options.MAX_DEPTH,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show no hands of strategies, only the score.")
    ] = False,
) -> None:
    """Open everything, then let people and strategies play."""
    from equilibrist.cli.inputs.contest import Contest
    from equilibrist.cli.text.play_screen import Screen
    from equilibrist.play import Coach, HandLog, Person, Session
    from equilibrist.play.hand_log import check_log

    count = None if hands is None else read_count(hands)
    seed = secrets.randbits(32) if seed is None else whole_number("seed", seed, 0)
    if log is not None:
        check_log(log)
    limits = Limits.read(max_histories, memory, max_depth)
    contest = Contest.open(target, game, strategy, limits, quiet=quiet)
    others = ["ai"] * (contest.game.num_players - 1)
    words = ["human", *others] if seats is None else [word.strip() for word in seats.split(",")]
    if strategy is not None and "ai" not in words and not coach:
        raise ConfigError(
            "--strategy is what ai plays and --coach goes by; no seat is ai",
            option="--strategy",
            given=strategy,
        )
    table = contest.seats(words)
    people = any(isinstance(seat, Person) for seat in table)
    if coach and not people:
        raise ConfigError(
            "--coach judges the choices of people, and no seat is human", option="--coach"
        )
    if coach:
        _introduce_coach(contest.strategy)
    session = Session(
        contest.game,
        table,
        seed=seed,
        alternate=not fixed_seats,
        coach=Coach(contest.strategy) if coach else None,
        values=contest.values(words, table),
    )
    if count is None and not people:
        count = AGENTS_ONLY_HANDS
    if log is None:
        Screen(session, show_ai=show_ai, quiet=quiet).run(count)
        return
    with HandLog(log) as opened:
        opened.begin(session)
        Screen(session, show_ai=show_ai, quiet=quiet, log=opened).run(count)


def _introduce_coach(strategy: Strategy) -> None:
    from equilibrist.evaluation import evaluate

    found = evaluate(strategy)
    note(
        f"coach: {found.measure_name} of the solution is {measure_text(found.measure)}; EV losses "
        "are no more accurate than that"
    )
