"""`equilibrist play` of a spot of three players; `equilibrist postflop play`, too."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equilibrist.cli.inputs.searching import BotSearchOptions, bot_at_table
from equilibrist.cli.inputs.sessions import SessionOptions, all_play, has_people
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, suggest
from equilibrist.cli.text.wording import Wording, show_spot_advice
from equilibrist.errors import FileFormatError, MismatchError
from equilibrist.formatting.amounts import chips, measure_text
from equilibrist.library.contest import holdem_seats
from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import THREE_SPOT, words_of

if TYPE_CHECKING:
    from equilibrist.play.hands.three import ThreeGame
    from equilibrist.poker.three_players.solution import ThreeSolution

ROOT: Final = "root"
"""The word of --drill for the root, whose line is empty."""


def play_three(
    file: Path, chosen: SessionOptions, *, thinks: BotSearchOptions | None = None
) -> None:
    """Open the solution, then let people and strategies play.

    Args:
        file: The solution.
        chosen: The options of the session.
        thinks: How bots search.
    """
    from equilibrist.play import Session, SolutionCoach
    from equilibrist.play.hands.three import ThreeGame
    from equilibrist.play.solutions.players import SolutionRanges
    from equilibrist.poker.three_players.solution import read_three

    solution = read_three(file)
    game = ThreeGame(solution.spot)
    if chosen.drill is not None:
        _drill(solution, file, chosen, _wording(game, chosen.seed))
        return
    words, is_fixed = chosen.words_of(solution.seats)
    seats = holdem_seats(
        words,
        "a spot of three",
        partial(bot_at_table, solution, chosen.seed, thinks),
        lambda path, name: bot_at_table(_other(path, solution, file), chosen.seed, thinks, name),
        game.num_players,
    )
    chosen.check_coach(seats)
    if not chosen.quiet:
        _introduce(solution, chosen, with_people=has_people(seats))
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not is_fixed,
        coach=SolutionCoach(solution) if chosen.coach else None,
    )
    knows = all_play(seats, lambda seat: getattr(seat, "solution", None) is solution)
    ranges = (lambda: SolutionRanges(solution)) if knows else None
    chosen.run(session, _wording(game, chosen.seed), ranges)
    if chosen.quiet:
        return
    if has_people(seats) and not chosen.coach:
        suggest(next_command("play", file, coach=True))
    else:
        suggest(next_command("postflop browse", file))


def _drill(solution: ThreeSolution, file: Path, chosen: SessionOptions, wording: Wording) -> None:
    """Ask for one decision again and again."""
    from equilibrist.cli.text.playing.drill import run_drill
    from equilibrist.play.drill import three_drill

    chosen.check_drill()
    assert chosen.drill is not None
    line = "" if chosen.drill.lower() == ROOT else chosen.drill
    run_drill(three_drill(solution, line, seed=chosen.seed), wording, chosen.hands)
    if not chosen.quiet:
        suggest(next_command("postflop show", file, line=line or None, board=None))


def _other(path: Path, solution: ThreeSolution, file: Path) -> ThreeSolution:
    """Another solution of the same spot, whose locks may differ; MismatchError for others."""
    from equilibrist.poker.three_players.solution import read_three

    kind = kind_of(path)
    if kind is not None and kind != THREE_SPOT:
        raise FileFormatError(
            f"{path} is {words_of(kind)}, and {file} is {words_of(THREE_SPOT)}",
            path,
            option="--seats",
            given=kind,
            expected=THREE_SPOT,
            remedy="give two solutions of one spot",
        )
    other = read_three(path)
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


def _introduce(solution: ThreeSolution, chosen: SessionOptions, *, with_people: bool) -> None:
    """Say what the solution expects, and how good it is."""
    if solution.spot.locks:
        note("locked strategies are played as they are locked")
    if with_people:
        pot = solution.spot.pot
        evs = [
            f"{seat} {chips(value, pot)}"
            for seat, value in zip(solution.seats, solution.values, strict=True)
        ]
        note(f"EV of the solution, in chips per hand: {', '.join(evs)}")
    if chosen.coach:
        gain = max(solution.gains)
        note(
            f"coach: by a best response one seat alone gains at most {measure_text(gain)} chips; "
            "EV losses below this are within the error of the solution. EVs hold where the two "
            "others play it; no seat is sure of its value with three players"
        )


def _wording(game: ThreeGame, seed: int) -> Wording:
    """The words of the seats, chips, and bets of any size."""
    import numpy as np

    from equilibrist.cli.text.playing.any_bet import AnyBet
    from equilibrist.play.bets import mapped_within

    pot = float(game.spot.pot)
    bets = AnyBet(
        lambda infoset, amount: mapped_within(game.bet_limits(infoset), amount),
        np.random.default_rng(np.random.SeedSequence(seed)),
    )
    return Wording(
        players=game.seat_names,
        unit="chips",
        payoff_ranges=(pot,),
        amount=lambda amount: f"{chips(amount, pot)} chips",
        advice=lambda advice, words: show_spot_advice(advice, words, pot=pot),
        bet=bets,
    )
