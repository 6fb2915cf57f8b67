"""`equilibrist play`: people and strategies play hands against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from equilibrist.cli.commands.holdem.files import HOLDEM, handle
from equilibrist.cli.completion import values
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.contest import open_contest, strategy_name, wording_of
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.sessions import PLAYERS, SessionOptions, has_people
from equilibrist.cli.inputs.walking import GameLimits
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text
from equilibrist.library.kinds import kind_for, refuse_cards, refuse_options
from equilibrist.options.option import by_flag, declare, shared

if TYPE_CHECKING:
    from equilibrist.library.contest import Contest
    from equilibrist.play import Agent, Person
    from equilibrist.play.range_mixtures import Ranges
    from equilibrist.strategy import Strategy

HELP = """Play hands: you against the solution, two people, or strategies among themselves.

For a game the best stored solution is used. If there is none, or players can gain more than 1e-3 of
the scale of the payoffs in play, the game is solved first, by dcfr to 1e-4 of that scale, for at
most 10,000 iterations or 60 seconds, and the result is stored as `last`.

Seats rotate by one place after every hand. Type an action's name, its beginning, or its number; ?
explains, q quits. Input may come through a pipe. If it ends between two hands the score is shown;
within a hand that is an error, exit code 2, and the hand does not count.

At your turn `ai` shows how often the AI takes each action with its whole range, at each of its
decisions in the hand: that gives no card away.

--coach shows the EV loss of each choice: the value of the best action minus that of the chosen one,
against opponents who play the solution, given optimal play afterwards.

--mediator draws a profile of a device that `equilibrist correlate` saved. Whoever does not follow
its recommendation gets no further one in that hand.

For a solved hold'em spot, hands are dealt from both ranges; payoffs are chips won minus chips paid
since the root. The coach shows the EV and the frequency of every action of your hand. Any bet may
be typed, such as `bet 37`: it is mapped to one of the solution's. Of a spot of three players
--seats names three, in the order of acting.

For a blueprint whole hands of its 2 to 10 seats are played; the button moves on after every hand,
and --seats names them in the order of posting, small blind first. The coach shows estimates: what
the hand wins if all seats follow the blueprint afterwards. Exact solutions of `preflop solve` are
played, too; when a flop comes, it is solved with the ranges of the file. So are charts of `preflop
pushfold` and `preflop multiway`, with two to six seats; their coach is exact for push or fold of
two seats, else it estimates.

\b
Examples:
  equilibrist play kuhn
  equilibrist play leduc --coach --show-ai --log hands.jsonl
  equilibrist play liars_dice --seats human,human
  equilibrist play last --seats ai,uniform --hands 1000 --quiet --seed 7
  equilibrist play rules.py:MyGame --strategy mine.csv --fixed-seats
  equilibrist play chicken --mediator device.safetensors
  equilibrist play out.spot --coach --seat oop
  equilibrist play three.spot --seats you,ai,ai --coach
  equilibrist play b.safetensors --coach
  equilibrist play kuhn --drill '*b' --hands 20
  printf 'bet\\npass\\n' | equilibrist play kuhn
"""


@dataclass(frozen=True)
class PlayedOptions:
    """What is played, beside the session; None for what was not typed."""

    strategy: Path | None = declare(
        "solution", PLAYERS, "The strategy of ai and coach, instead of a solution; or uniform."
    )
    game: str | None = shared(options.GAME)
    mediator: Path | None = declare(
        "file",
        PLAYERS,
        "Recommend actions from this correlation device; ai follows them.",
        metavar="DEVICE",
    )
    cards: Path | None = shared(options.MOVED_CARDS)


@with_options
def play(
    target: Annotated[
        str,
        options.word_argument(
            "GAME_OR_FILE",
            f"A game ({options.GAME_FORMS}), or a strategy, a solved spot or a blueprint: a "
            "file, or last, last-2, ...",
            values.games_or_solutions,
        ),
    ],
    played: PlayedOptions,
    chosen: SessionOptions,
    limits: GameLimits,
) -> None:
    """Open everything, then let people and strategies play."""
    from equilibrist.play import Coach, Session

    chosen.check_log()
    strategy, game, mediator = played.strategy, played.game, played.mediator
    kind = kind_for("play", target)
    refuse_cards(target, kind, played.cards)
    if kind in HOLDEM:
        refuse_options(target, kind, by_flag(played, "strategy", "game", "mediator"))
        handle("play", kind, Path(target), chosen, cards=played.cards)
        return
    if chosen.seat is not None:
        raise ConfigError(
            f"--seat chooses a seat in a solved spot, and {target} is not one",
            option="--seat",
            given=chosen.seat,
            remedy="give --seats human,ai or --seats ai,human, and --fixed-seats",
        )
    if mediator is not None:
        _check_mediated(strategy, chosen)
    contest = open_contest(target, game, strategy, limits.reported(), quiet=chosen.quiet)
    if chosen.drill is not None:
        _drill(contest, chosen, mediator)
        return
    words = chosen.words(contest.game.num_players)
    if mediator is not None:
        _play_mediated(contest, words, mediator, chosen)
        return
    if strategy is not None and "ai" not in words and not chosen.coach:
        raise ConfigError(
            "--strategy is what ai plays and --coach goes by; no seat is ai",
            option="--strategy",
            given=strategy,
        )
    table = contest.seats(words)
    chosen.check_coach(table)
    _check_decisions(contest, table, chosen)
    if chosen.coach:
        _introduce_coach(contest.strategy)
    chosen.run(
        Session(
            contest.game,
            table,
            seed=chosen.seed,
            alternate=not chosen.fixed_seats,
            coach=Coach(contest.strategy) if chosen.coach else None,
            values=contest.values(words, table),
        ),
        wording_of(contest),
        _ranges(table),
    )
    if not chosen.quiet:
        _suggest(contest, target, coaches=has_people(table) and not chosen.coach)


def _check_decisions(
    contest: Contest, seats: Sequence[Person | Agent], chosen: SessionOptions
) -> None:
    """Raise ConfigError where hands would go on for ever, as nobody is ever asked."""
    if chosen.hands is not None or "tree" not in vars(contest) or not has_people(seats):
        return
    if not contest.tree.num_infosets:
        raise ConfigError(
            f"nobody decides in {contest.tree.name}, so that no answer ends the session",
            option="--hands",
            remedy="give --hands N to watch N hands",
        )


def _ranges(seats: Sequence[Person | Agent]) -> Callable[[], Ranges] | None:
    """Makes what knows the ranges of the strategies; None unless all play one of the tree."""
    from equilibrist.play import Person, StrategyAgent
    from equilibrist.play.range_mixtures import StrategyRanges

    agents = [seat for seat in seats if not isinstance(seat, Person)]
    strategies = [seat.strategy for seat in agents if isinstance(seat, StrategyAgent)]
    if not agents or len(strategies) < len(agents) or len(set(map(id, strategies))) > 1:
        return None
    return lambda: StrategyRanges(strategies[0])


def _drill(contest: Contest, chosen: SessionOptions, mediator: Path | None) -> None:
    """Ask for decisions again and again."""
    from equilibrist.cli.text.playing.drill import run_drill
    from equilibrist.cli.text.wording import game_wording
    from equilibrist.evaluation import evaluate
    from equilibrist.play import game_drill
    from equilibrist.tree.payoff_scale import PayoffScale

    chosen.check_drill()
    if mediator is not None:
        raise ConfigError(
            "--drill grades answers by a solution, and a mediator has none",
            option="--mediator",
            given=mediator,
            remedy="leave out --mediator or --drill",
        )
    assert chosen.drill is not None
    strategy = contest.strategy
    error = evaluate(strategy).measure
    drill = game_drill(contest.game, strategy, chosen.drill, error=error, seed=chosen.seed)
    run_drill(drill, game_wording(PayoffScale(contest.tree).units().bounds), chosen.hands)


def _suggest(contest: Contest, target: str, *, coaches: bool) -> None:
    """Print what may be typed next: the same with the coach, or a look at the strategy."""
    name, source = strategy_name(contest), contest.source
    if not name:
        return
    can_coach = "tree" in vars(contest) and not (source and source.packed)
    if coaches and can_coach and contest.tree.num_infosets:
        suggest(next_command("play", target, coach=True))
    else:
        game = source.game if source and not source.named_by_file else None
        suggest(next_command("inspect", name, game=game))


def _check_mediated(strategy: Path | None, chosen: SessionOptions) -> None:
    """Refuse what a solution is needed for."""
    for option, value in (("--strategy", strategy), ("--coach", chosen.coach or None)):
        if value is not None:
            raise ConfigError(
                f"{option} goes by a solution, and with --mediator ai follows recommendations",
                option=option,
                given=value,
                remedy=f"leave out {option} or --mediator",
            )


def _play_mediated(contest: Contest, words: list[str], file: Path, chosen: SessionOptions) -> None:
    from equilibrist.equilibria import CorrelationDevice
    from equilibrist.play import MediatedAgent, Mediator, Session

    mediator = Mediator(CorrelationDevice.load(file, contest.tree))
    table = contest.seats(words, lambda name: MediatedAgent(mediator, name))
    chosen.run(
        Session(
            contest.game,
            table,
            seed=chosen.seed,
            alternate=not chosen.fixed_seats,
            mediator=mediator,
        )
    )


def _introduce_coach(strategy: Strategy) -> None:
    from equilibrist.evaluation import evaluate

    evaluation = evaluate(strategy)
    note(
        f"coach: {evaluation.measure_name} of the solution is {measure_text(evaluation.measure)}; "
        "EV losses below this are within the error of the solution"
    )
