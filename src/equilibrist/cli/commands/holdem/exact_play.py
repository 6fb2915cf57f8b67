"""`equilibrist play` of an exact solution: whole hands, whose flops are solved when they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from equilibrist.cli.commands.holdem.hand_play import check_options, hand_wording, no_file
from equilibrist.cli.inputs.sessions import SessionOptions, all_play, has_people
from equilibrist.cli.text.output import note, suggest, typed
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.wording import show_spot_advice
from equilibrist.formatting.amounts import chips, percent
from equilibrist.library.contest import holdem_seats

if TYPE_CHECKING:
    from equilibrist.poker import FlopSolution, PreflopSolution


def play_exact(file: Path, chosen: SessionOptions) -> None:
    """Open an exact solution, then let people and strategies play."""
    from equilibrist.play import (
        HandGame,
        Session,
        SolutionAgent,
        SolutionCoach,
        SolutionRanges,
    )
    from equilibrist.poker import SolvedFlops, load_preflop

    check_options(chosen, "an exact solution")
    solution = load_preflop(file)
    solving = _Solving(solution, quiet=chosen.quiet)
    played: PreflopSolution | SolvedFlops = solution
    if solution.hand.rules.final_street:
        played = SolvedFlops(solution, on_solve=solving.done, on_measure=solving.tell)
    game = HandGame(solution.hand)
    players, words = game.num_players, chosen.words(game.num_players)
    seats = holdem_seats(
        words, "a hand", lambda name: SolutionAgent(played, name), no_file, players
    )
    chosen.check_coach(seats)
    if not chosen.quiet:
        _introduce(solution, chosen, with_people=has_people(seats))
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not chosen.fixed_seats,
        coach=SolutionCoach(played) if chosen.coach else None,
    )
    exact = replace(
        hand_wording(game, chosen.seed),
        amount=lambda loss: f"{chips(loss)} {game.unit}",
        advice=lambda advice, best: show_spot_advice(advice, best, game.unit),
        thinking=nullcontext if played is solution else solving.shown,
    )
    knows = all_play(seats, lambda seat: isinstance(seat, SolutionAgent))
    chosen.run(session, exact, (lambda: SolutionRanges(played)) if knows else None)
    if not chosen.quiet:
        suggest(f"equilibrist inspect {typed(file)}")


def _introduce(solution: PreflopSolution, chosen: SessionOptions, *, with_people: bool) -> None:
    """Say what is played, and what the coach knows."""
    from equilibrist.poker.preflop.exact.flops.solver import SECONDS, TARGET

    after_flop = bool(solution.hand.rules.final_street)
    if with_people:
        note(solution.game.name)
    if after_flop:
        note(
            "the file has the strategies before the flop; each flop is solved when it comes, with "
            f"the ranges of the file, to {percent(TARGET, 1)} of the pot or for {SECONDS:g} seconds"
        )
    if chosen.coach:
        later = "; after the flop EVs are those of the flop as it was solved" if after_flop else ""
        note(f"coach: exploitability of the solution is {solution.exploitability:.3g} mbb{later}")


class _Solving:
    """Says on standard error that a flop is solved, and how well it was."""

    def __init__(self, solution: PreflopSolution, *, quiet: bool) -> None:
        self._solution, self._quiet = solution, quiet
        self._live: LiveLine | None = None
        self._solved: list[FlopSolution] = []

    @contextmanager
    def shown(self) -> Iterator[None]:
        """A line for the flop that is solved meanwhile; then what was reached."""
        with LiveLine(quiet=self._quiet, interrupted="") as live:
            self._live = live
            try:
                yield
            finally:
                self._live = None
        while self._solved:
            solved = self._solved.pop(0)
            if not self._quiet:
                note(self._said(solved))

    def tell(self, flop: tuple[int, ...], iteration: int, gain: float) -> None:
        """Show the progress."""
        if self._live is not None:
            short = f"solving {_named(flop)}  iteration {iteration:,}"
            gained = f"  a best response gains {percent(gain, 2)} of the pot"
            self._live.tell([short + gained, short])

    def done(self, solved: FlopSolution) -> None:
        """Keep what is to be said when the line is gone."""
        self._solved.append(solved)

    def _said(self, solved: FlopSolution) -> str:
        line = self._solution.tree.line(solved.game.deal)
        return (
            f"solved {_named(solved.game.cards)} after {line}: {solved.iterations:,} iterations in "
            f"{solved.seconds:.1f} s, a best response gains {percent(solved.gain_share, 2)} of the "
            "pot"
        )


def _named(flop: tuple[int, ...]) -> str:
    from equilibrist.poker.cards.cards import card_names

    return card_names(sorted(flop, reverse=True))
