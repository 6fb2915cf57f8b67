"""`equilibrist play`: people and strategies play hands against each other."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import takes
from equilibrist.cli.inputs.walking import Limits
from equilibrist.cli.stored.names import word_called
from equilibrist.cli.text.output import note
from equilibrist.cli.text.quantities import measure_text, read_count
from equilibrist.errors import ConfigError
from equilibrist.options.option import DISPLAY
from equilibrist.parsing.arguments import whole_number

if TYPE_CHECKING:
    from equilibrist.strategy import Strategy

HELP = """Play hands: you against the solution, two people, or strategies among themselves.

Give a game, or a file with a strategy, or the name of a stored solution: last, last-2. Of a game
the newest stored solution is used. If there is none, the game is solved first: by dcfr to 1e-4 of
its payoff range, at most 10,000 iterations or 60 seconds; that is then `last`.

--seats assigns the players: human, ai, uniform (every action equally likely), or a file with a
strategy. Seats rotate by one place after every hand.

Type an action's name, its beginning, or its number; ? explains, q quits. Input may come through a
pipe. If it ends between two hands the score is shown; within a hand that is an error, exit code 2,
and the hand does not count. All players see their own infoset only. When the hand is over
everything is shown, with --show-ai also the probabilities of the strategies' actions.

--coach shows the EV loss of each choice: the value of the best action minus that of the chosen one,
against opponents who play the solution, given optimal play afterwards.

\b
Examples:
  equilibrist play kuhn
  equilibrist play leduc --coach --show-ai --log hands.jsonl
  equilibrist play liars_dice --seats human,human
  equilibrist play last --seats ai,uniform --hands 1000 --quiet --seed 7
  equilibrist play rules.py:MyGame --strategy mine.csv --fixed-seats
  printf 'bet\\npass\\n' | equilibrist play kuhn
"""
AGENTS_ONLY_HANDS = 10
_PLAYERS: Final = "Players"
_SESSION: Final = "Session"


@takes(options.GAME_LIMITS, "limits")
def play(
    target: Annotated[
        str,
        options.word_argument(
            "GAME_OR_FILE",
            f"A game ({options.GAME_FORMS}), or a strategy: a file, or last, last-2, ...",
            values.games_or_solutions,
        ),
    ],
    seats: Annotated[
        str | None,
        options.optional(
            "--seats",
            "A,B,...",
            "Who plays: human, ai, uniform, or a file.  [default: human, and ai for all others]",
            _PLAYERS,
            completes=values.seats,
        ),
    ] = None,
    fixed_seats: Annotated[
        bool,
        options.switch(
            "--fixed-seats", "Keep the seats: the first one is always player 0.", _PLAYERS
        ),
    ] = False,
    hands: Annotated[
        str | None,
        options.optional(
            "--hands",
            "N",
            "Stop after this many.  [default: 10 if no person plays, else unlimited]",
            _SESSION,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        options.whole(
            "--seed",
            "N",
            "Seed of deals and of strategies' actions.  [default: a new one each time]",
            _SESSION,
        ),
    ] = None,
    show_ai: Annotated[
        bool,
        options.switch(
            "--show-ai",
            "After the hand, show the probabilities at each strategy's moves, the action it drew "
            "in brackets.",
            DISPLAY,
        ),
    ] = False,
    coach: Annotated[
        bool, options.switch("--coach", "Show the EV loss of each choice of a person.", DISPLAY)
    ] = False,
    strategy: Annotated[
        Path | None,
        options.solution(
            "--strategy", "FILE", "The strategy of ai and coach, instead of a solution.", _PLAYERS
        ),
    ] = None,
    log: Annotated[
        Path | None,
        options.file("--log", "FILE", "Append every hand to this file, as JSON lines.", _SESSION),
    ] = None,
    game: options.GameOption = None,
    *,
    limits: dict[str, Any],
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            help="Show no hands of strategies, only the score.",
            rich_help_panel=DISPLAY,
        ),
    ] = False,
) -> None:
    """Open everything, then let people and strategies play."""
    from equilibrist.cli.inputs.contest import Contest
    from equilibrist.cli.text.play_screen import Screen
    from equilibrist.play import Coach, HandLog, Person, Session
    from equilibrist.play.hand_log import check_log

    count = None if hands is None else read_count(hands, "hands")
    seed = secrets.randbits(32) if seed is None else whole_number("seed", seed, 0)
    if log is not None:
        check_log(log)
    contest = Contest.open(target, game, strategy, Limits(**limits), quiet=quiet)
    others = ["ai"] * (contest.game.num_players - 1)
    words = (
        ["human", *others]
        if seats is None
        else [word_called(word.strip()) for word in seats.split(",")]
    )
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
        "below this are within the error of the solution"
    )
