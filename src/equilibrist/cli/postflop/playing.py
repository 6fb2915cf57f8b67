"""`equilibrist postflop play`: hands of a solved spot; `equilibrist play FILE.spot`, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import BotSearchOptions, bot_at_table, coach_at_table
from equilibrist.cli.inputs.sessions import SessionOptions, has_people
from equilibrist.cli.postflop.board_options import SolvedSpot
from equilibrist.cli.postflop.run_options import progress_texts
from equilibrist.cli.postflop.solve import warning_of
from equilibrist.cli.postflop.three_playing import play_three
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.wording import Wording, show_spot_advice
from equilibrist.errors import MismatchError
from equilibrist.formatting.amounts import chips, measure_text
from equilibrist.library.contest import holdem_seats
from equilibrist.library.kinds import kind_for, open_spot
from equilibrist.poker.betting.bet_sizes import STREETS
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.storage.kinds.file_kinds import THREE_SPOT

if TYPE_CHECKING:
    from equilibrist.cli.text.playing.any_bet import AnyBet
    from equilibrist.play import Agent, Person
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.progress import Progress

ROOT: Final = "root"
"""The word of --drill for the root, whose line is empty."""
HELP = """Play hands of a solved spot: against the solution, or let strategies play.

Both hands are dealt from the ranges, by the product of their weights, and cards from the rest of
the deck. The solution samples its actions from the average strategy, locks included. Payoffs are
chips won minus chips paid since the root, after rake, so that means are comparable with the EV of
the solution. --seats human,ai is the default, and seats change after every hand; --seat keeps
yours.

Any bet that the rules allow may be typed, such as `bet 37`. It is mapped to one of the bets of the
solution, by the pseudo-harmonic mapping; a line says to which, and the hand goes on with that.

--drill LINE asks for the decision after a line again and again, with hands as the solution holds
them there, and grades the answers; root is the first decision.

--coach shows, for each choice, the EV of every action of your hand if both players follow the
solution afterwards, how often the solution takes it, and the EV loss of the choice.

Of a spot of three players --seats names three, in the order of acting, and --seat oop, mid or ip;
hands are dealt from three ranges, and side pots are paid as the rules have it. Odd chips are shared
exactly.

`equilibrist play FILE` does the same.

\b
Examples:
  equilibrist postflop play out.spot --coach
  equilibrist postflop play out.spot --seat ip --hands 20 --log hands.jsonl
  equilibrist postflop play out.spot --drill X-B50 --hands 20
  equilibrist postflop play out.spot --seats ai,uniform --hands 1000 --quiet --seed 7
  equilibrist postflop play three.spot --seats you,ai,ai --coach
"""


@with_options
def play(
    file: SolvedSpot,
    chosen: SessionOptions,
) -> None:
    """Open the solution, play."""
    chosen.check_log()
    if kind_for("postflop play", file) == THREE_SPOT:
        play_three(file, chosen)
    else:
        play_spot(file, chosen)


def play_spot(
    file: Path, chosen: SessionOptions, *, thinks: BotSearchOptions | None = None
) -> None:
    """Open the solution, then let people and strategies play; `thinks` says how bots search."""
    import numpy as np

    from equilibrist.cli.text.playing.any_bet import AnyBet
    from equilibrist.play import Session, SolutionCoach, SpotGame
    from equilibrist.play.solutions.aivat import SpotAivat
    from equilibrist.play.solutions.players import SolutionRanges
    from equilibrist.play.spots.bets import map_bet
    from equilibrist.poker.postflop.files.storage import load_spot

    resolving = _Resolving(file, quiet=chosen.quiet)
    solution = load_spot(file, callbacks=resolving.tell)
    if chosen.drill is not None:
        _drill(solution, file, chosen, resolving)
        return
    words, is_fixed = chosen.words_of(SEATS)
    seats = holdem_seats(
        words,
        "a spot",
        partial(bot_at_table, solution, chosen.seed, thinks),
        lambda path, name: bot_at_table(_other(path, solution, file), chosen.seed, thinks, name),
    )
    chosen.check_coach(seats)
    _introduce(solution, file, chosen, with_people=has_people(seats))
    game = SpotGame(solution.spot)
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not is_fixed,
        coach=coach_at_table(SolutionCoach(solution), solution, chosen.seed, thinks, game)
        if chosen.coach
        else None,
        values=SpotAivat(solution) if sum(_is_solution(s, solution) for s in seats) == 1 else None,
    )
    generator = np.random.default_rng(np.random.SeedSequence(chosen.seed))
    bets = AnyBet(lambda infoset, amount: map_bet(game, infoset, amount), generator)
    wording = _wording(resolving, bets, solution.spot.pot, keeps_all=solution.keep == "all")
    known = any(_is_solution(seat, solution) for seat in seats)
    chosen.run(session, wording, (lambda: SolutionRanges(solution)) if known else None)
    if chosen.quiet:
        return
    if has_people(seats) and not chosen.coach:
        suggest(next_command("play", file, coach=True))
    else:
        suggest(next_command("postflop browse", file))


def _drill(
    solution: PostflopResult, file: Path, chosen: SessionOptions, resolving: _Resolving
) -> None:
    """Ask for one decision again and again."""
    from equilibrist.cli.text.playing.drill import run_drill
    from equilibrist.play import spot_drill

    chosen.check_drill()
    assert chosen.drill is not None
    wording = _wording(resolving, None, solution.spot.pot, keeps_all=solution.keep == "all")
    line = "" if chosen.drill.lower() == ROOT else chosen.drill
    with wording.thinking():
        drill = spot_drill(solution, line, seed=chosen.seed)
    run_drill(drill, wording, chosen.hands)
    if not chosen.quiet:
        suggest(next_command("postflop show", file, line=line or None, board=None))


def _is_solution(seat: Person | Agent, solution: PostflopResult) -> bool:
    return getattr(seat, "solution", None) is solution


def _wording(resolving: _Resolving, bets: AnyBet | None, pot: float, *, keeps_all: bool) -> Wording:
    return Wording(
        players=tuple(seat.upper() for seat in SEATS),
        unit="chips",
        payoff_ranges=(pot,),
        amount=lambda amount: f"{chips(amount, pot)} chips",
        advice=lambda advice, words: show_spot_advice(advice, words, pot=pot),
        thinking=nullcontext if keeps_all else resolving.shown,
        bet=bets,
    )


def _other(path: Path, solution: PostflopResult, file: Path) -> PostflopResult:
    """Another solution of the same spot, whose locks may differ; MismatchError for others."""
    other = open_spot("play", path)
    mine, theirs = solution.spot.replace(locks=()), other.spot.replace(locks=())
    if mine != theirs:
        keys = type(mine).model_fields
        key = next(key for key in keys if getattr(mine, key) != getattr(theirs, key))
        raise MismatchError(
            f"{path} is a solution of another spot than {file}: its {key} is "
            f"{getattr(theirs, key)}, not {getattr(mine, key)}",
            option=key,
            given=str(getattr(theirs, key)),
            expected=str(getattr(mine, key)),
            remedy="give two solutions of one spot; only their locks may differ",
        )
    return other


def _introduce(
    solution: PostflopResult, file: Path, chosen: SessionOptions, *, with_people: bool
) -> None:
    """Say how good the solution is, and what it expects."""
    if warning := warning_of(solution).removesuffix(": "):
        note(f"warning: {file}: {warning}")
    if chosen.quiet:
        return
    if solution.keep != "all":
        note(
            f"{file} keeps the {_kept(solution)}: later streets are re-solved when they are reached"
        )
    if solution.spot.locks:
        note("locked strategies are played as they are locked")
    if with_people:
        pot = solution.spot.pot
        evs = [f"{s.upper()} {chips(ev, pot)}" for s, ev in zip(SEATS, solution.ev, strict=True)]
        note(f"EV of the solution, in chips per hand: {', '.join(evs)}")
    if chosen.coach and solution.leaf_values is not None:
        note(
            f"coach: later streets were replaced by the values of {solution.leaf_values}; no bound "
            "on the error of the solution is known"
        )
    elif chosen.coach:
        note(
            f"coach: {solution.measure_name} of the solution is "
            f"{measure_text(solution.mean_gain)} chips; EV losses below this are within the error "
            "of the solution"
        )


def _kept(solution: PostflopResult) -> str:
    """The streets that a file keeps."""
    from equilibrist.poker.postflop.solution.spot_file import kept_streets

    first = solution.spot.first_street
    return " and the ".join(STREETS[first : first + kept_streets(solution.spot, solution.keep)])


class _Resolving:
    """Says on standard error that a street is re-solved, while the session goes on."""

    def __init__(self, file: Path, *, quiet: bool) -> None:
        self._file, self._quiet = file, quiet
        self._live: LiveLine | None = None
        self._is_told = False

    @contextmanager
    def shown(self) -> Iterator[None]:
        """A line for what is re-solved meanwhile."""
        with LiveLine(quiet=self._quiet, interrupted="") as live:
            self._live, self._is_told = live, False
            try:
                yield
            finally:
                self._live = None

    def tell(self, progress: Progress) -> None:
        """Show the progress."""
        if self._live is None:
            return
        if not self._is_told:
            self._is_told = True
            self._live.stage(f"re-solving what {self._file} does not keep")
        self._live.tell([f"re-solving  {text}" for text in progress_texts(progress)])
