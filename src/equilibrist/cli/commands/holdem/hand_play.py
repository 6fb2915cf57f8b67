"""`equilibrist play` of a blueprint: whole hands, from the deal on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.inputs.sessions import SessionOptions, all_play, has_people
from equilibrist.cli.text.output import note, suggest, typed
from equilibrist.cli.text.wording import Wording, show_estimate
from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.formatting.amounts import chips
from equilibrist.library.contest import holdem_seats

if TYPE_CHECKING:
    from equilibrist.play import Agent, HandGame
    from equilibrist.poker.blueprint.policy import Blueprint


def play_blueprint(file: Path, chosen: SessionOptions, cards: Path | None = None) -> None:
    """Open the blueprint, then let people and strategies play."""
    from equilibrist.cli.text.holdem.blueprint_text import naming_cards
    from equilibrist.play import (
        HandGame,
        Session,
        SolutionAgent,
        SolutionCoach,
        SolutionRanges,
    )
    from equilibrist.poker.blueprint.policy import Blueprint

    check_options(chosen)
    blueprint = Blueprint.load(file, cards)
    game = HandGame(blueprint.hand)
    seats = holdem_seats(
        chosen.words(game.num_players),
        "a hand",
        partial(SolutionAgent, blueprint),
        lambda path, name: SolutionAgent(_other(path, blueprint, file), name),
        game.num_players,
    )
    chosen.check_coach(seats)
    _introduce(blueprint, game, chosen, with_people=has_people(seats))
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not chosen.fixed_seats,
        coach=SolutionCoach(blueprint, chosen.seed) if chosen.coach else None,
    )
    knows = all_play(seats, lambda seat: _plays(seat, blueprint))
    ranges = (lambda: SolutionRanges(blueprint)) if knows else None
    chosen.run(session, hand_wording(game, chosen.seed), ranges)
    if not chosen.quiet:
        suggest(f"equilibrist inspect {typed(file)}{naming_cards(cards)}")


def no_file(path: Path, name: str) -> Agent:
    """Raise ConfigError for a file as a seat, where one solution alone is played."""
    raise ConfigError(
        f"--seats has {path}, and a seat is human, ai or uniform here",
        option="--seats",
        given=path,
        expected="human, ai or uniform",
        place=name,
    )


def check_options(chosen: SessionOptions, what: str = "a blueprint") -> None:
    """Raise ConfigError for options that whole hands have no use for; `what` is played."""
    if chosen.seat is not None:
        raise ConfigError(
            f"--seat chooses a seat in a solved spot, and {what} is not one",
            option="--seat",
            given=chosen.seat,
            remedy="give --seats human,ai or --seats ai,human, and --fixed-seats",
        )
    if chosen.drill is not None:
        raise ConfigError(
            f"--drill asks for decisions of spots and games, and {what} is neither",
            option="--drill",
            given=chosen.drill,
            remedy="leave out --drill; --coach judges the choices of whole hands",
        )


def _other(path: Path, blueprint: Blueprint, file: Path) -> Blueprint:
    """Another blueprint of the same hand, whose card buckets may differ."""
    from equilibrist.poker.blueprint.policy import Blueprint

    try:
        other = Blueprint.load(path)
    except FileFormatError as error:
        if error.option != "cards":
            raise
        try:
            other = Blueprint.load(path, blueprint.cards)
        except FileFormatError:
            raise error.with_remedy(
                f"put them beside {path.name}; --cards names those of {file.name}"
            ) from None
    if other.hand != blueprint.hand:
        raise MismatchError(
            f"{path} is a blueprint of another hand than {file}",
            option="--seats",
            given=other.hand.name,
            expected=blueprint.hand.name,
            remedy="give two blueprints of one hand; only their card buckets may differ",
        )
    return other


def _plays(seat: Any, blueprint: Blueprint) -> bool:
    from equilibrist.play import SolutionAgent

    return isinstance(seat, SolutionAgent) and seat.solution is blueprint


def _introduce(
    blueprint: Blueprint, game: HandGame, chosen: SessionOptions, *, with_people: bool
) -> None:
    """Say what is played, and what the coach knows."""
    if chosen.quiet:
        return
    if with_people:
        stacks = "/".join(
            f"{game.rules.scale.chips(stack):g}" for stack in dict.fromkeys(game.rules.stacks)
        )
        number = int(blueprint.record.get("boards", 0))
        on_deals = blueprint.record.get("algorithm") == "external" or game.num_players > 2
        drawn = "deals" if on_deals else "boards"
        note(f"blueprint trained on {number:,} {drawn}; stacks {stacks} {game.unit}")
    if chosen.coach:
        how = (
            "exact on the river only"
            if game.num_players == 2
            else "from deals of the others' ranges, with 95 % intervals"
        )
        note(
            "coach: a blueprint has no exact values; EVs are estimates for play by the blueprint "
            f"from there on, {how}"
        )


def hand_wording(game: HandGame, seed: int) -> Wording:
    """The words of a whole hand, with estimates of a coach, and bets of any size."""
    import numpy as np

    from equilibrist.cli.text.playing.any_bet import AnyBet
    from equilibrist.play import mapped_within

    bets = AnyBet(
        lambda infoset, amount: mapped_within(game.bet_limits(infoset), amount, game.unit),
        np.random.default_rng(np.random.SeedSequence(seed)),
        game.unit,
    )
    missing = "The blueprint never comes here"
    if game.num_players > 2:
        missing += ", or too rarely to deal the others' hands"
    return Wording(
        players=game.seat_names,
        unit=game.unit,
        amount=lambda amount: f"{chips(amount)} {game.unit}, an estimate,",
        advice=lambda advice, words: show_estimate(advice, words, game.unit, missing),
        bet=bets,
    )
