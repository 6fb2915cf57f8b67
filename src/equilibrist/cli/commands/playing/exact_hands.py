"""`equilibrist play` of an exact solution: whole hands, whose flops are solved when they come."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from equilibrist.cli.commands.holdem.hand_play import check_options, hand_wording, no_file
from equilibrist.cli.inputs.contest import holdem_seats
from equilibrist.cli.inputs.sessions import SessionOptions, has_people
from equilibrist.cli.text.output import note, suggest, typed
from equilibrist.cli.text.wording import show_spot_advice
from equilibrist.formatting.amounts import chips, percent

if TYPE_CHECKING:
    from equilibrist.poker import FlopSolution, PreflopSolution


def play_exact(file: Path, chosen: SessionOptions) -> None:
    """Open an exact solution, then let people and strategies play."""
    from equilibrist.play import (
        HandGame,
        Person,
        PreflopAgent,
        PreflopCoach,
        PreflopRanges,
        Session,
    )
    from equilibrist.poker import SolvedFlops, load_preflop

    check_options(chosen, "an exact solution")
    solution, flops = load_preflop(file), None
    if solution.hand.rules.final_street:
        told = None if chosen.quiet else partial(_tell, solution)
        flops = SolvedFlops(solution, on_solve=told)
    game = HandGame(solution.hand)
    players, words = game.num_players, chosen.words(game.num_players)
    seats = holdem_seats(
        words, "a hand", lambda name: PreflopAgent(solution, name, flops), no_file, players
    )
    chosen.check_coach(seats)
    if not chosen.quiet:
        _introduce(solution, chosen, with_people=has_people(seats))
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not chosen.fixed_seats,
        coach=PreflopCoach(solution, flops) if chosen.coach else None,
    )
    exact = replace(
        hand_wording(game, chosen.seed),
        amount=lambda loss: f"{chips(loss)} {game.unit}",
        advice=lambda advice, best: show_spot_advice(advice, best, game.unit),
    )
    strategies = [seat for seat in seats if not isinstance(seat, Person)]
    knows = bool(strategies) and all(isinstance(seat, PreflopAgent) for seat in strategies)
    chosen.run(session, exact, (lambda: PreflopRanges(solution, flops)) if knows else None)
    if not chosen.quiet:
        suggest(f"equilibrist inspect {typed(file)}")


def _introduce(solution: PreflopSolution, chosen: SessionOptions, *, with_people: bool) -> None:
    """Say what is played, and what the coach knows."""
    from equilibrist.poker.exact.flops.solver import SECONDS, TARGET

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


def _tell(solution: PreflopSolution, solved: FlopSolution) -> None:
    """Say that a flop was solved, and how well."""
    from equilibrist.poker.cards.cards import card_names

    line = solution.tree.line(solved.game.deal)
    note(
        f"solved {card_names(sorted(solved.game.cards, reverse=True))} after {line}: "
        f"{solved.iterations:,} iterations in {solved.seconds:.1f} s, a best response gains "
        f"{percent(solved.gain_share, 2)} of the pot"
    )
