"""`equilibrist play` of charts: push or fold, and hands of several seats before the flop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from equilibrist.cli.commands.holdem.hand_play import check_options, hand_wording, no_file
from equilibrist.cli.inputs.sessions import SessionOptions, all_play, has_people
from equilibrist.cli.text.output import note, suggest, typed
from equilibrist.cli.text.wording import show_estimate, show_spot_advice
from equilibrist.formatting.amounts import chips
from equilibrist.library.contest import holdem_seats
from equilibrist.library.kinds import load

if TYPE_CHECKING:
    from equilibrist.play import HandGame
    from equilibrist.poker import MultiwaySolution, PushFoldSolution


def play_charts(file: Path, chosen: SessionOptions) -> None:
    """Open charts, then let people and strategies play."""
    from equilibrist.play import (
        Session,
        SolutionAgent,
        SolutionCoach,
        SolutionRanges,
        solution_game,
    )
    from equilibrist.play.hands.push_fold import PushFoldGame

    check_options(chosen, "a chart")
    solution: PushFoldSolution | MultiwaySolution = load(file)
    game = solution_game(solution)
    players = game.num_players
    seats = holdem_seats(
        chosen.words(players),
        "this hand",
        lambda name: SolutionAgent(solution, name),
        no_file,
        players,
    )
    chosen.check_coach(seats)
    coach = SolutionCoach(solution, chosen.seed) if chosen.coach else None
    if not chosen.quiet:
        _introduce(game, solution, coach, with_people=has_people(seats))
    session = Session(game, seats, seed=chosen.seed, alternate=not chosen.fixed_seats, coach=coach)
    wording = replace(
        hand_wording(game, chosen.seed),
        advice=lambda advice, words: show_estimate(
            advice, words, game.unit, "The chart never comes here", "the chart"
        ),
    )
    if isinstance(game, PushFoldGame):
        wording = replace(wording, bet=None)
    if coach is not None and coach.is_exact:
        wording = replace(
            wording,
            amount=lambda loss: f"{chips(loss)} {game.unit}",
            advice=lambda advice, words: show_spot_advice(advice, words, game.unit),
        )
    knows = all_play(seats, lambda seat: isinstance(seat, SolutionAgent))
    chosen.run(session, wording, (lambda: SolutionRanges(solution)) if knows else None)
    if not chosen.quiet:
        suggest(f"equilibrist inspect {typed(file)}")


def _introduce(
    game: HandGame,
    solution: PushFoldSolution | MultiwaySolution,
    coach: object,
    *,
    with_people: bool,
) -> None:
    """Say what is played, and what the coach knows."""
    from equilibrist.play import SolutionCoach
    from equilibrist.play.hands.push_fold import PushFoldGame

    if with_people:
        kind = "push or fold" if isinstance(game, PushFoldGame) else "betting before the flop"
        stacks = "/".join(f"{game.rules.scale.chips(stack):g}" for stack in game.rules.stacks)
        note(f"{kind}, stacks {stacks} {'big blinds' if game.hand.in_big_blinds else 'chips'}")
        if not sum(game.rules.board):
            note("no board is dealt: hands are compared as they are, pairs first, then ranks")
    if isinstance(coach, SolutionCoach):
        note(
            "coach: EVs are exact against the ranges of the chart"
            if coach.is_exact
            else "coach: EVs are estimates on deals that are drawn, if all follow the chart "
            f"afterwards; NashConv of the chart {_nash_conv(solution)}"
        )


def _nash_conv(solution: PushFoldSolution | MultiwaySolution) -> str:
    """With its unit."""
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution

    if isinstance(solution, PushFoldSolution) and solution.game.unit != "bb":
        return f"{100 * solution.nash_conv:.3g} % of the prize pool"
    return f"{1000 * solution.nash_conv:.3g} mbb"
