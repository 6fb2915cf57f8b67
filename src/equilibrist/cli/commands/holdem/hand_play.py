"""`equilibrist play` of whole hands: blueprints, exact solutions, charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.inputs.searching import BotSearchOptions, bot_at_table, coach_at_table
from equilibrist.cli.inputs.sessions import SessionOptions, all_play, has_people
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import note, suggest
from equilibrist.cli.text.progress import LiveLine
from equilibrist.cli.text.wording import Wording, show_estimate, show_spot_advice
from equilibrist.errors import ConfigError, FileFormatError, MismatchError
from equilibrist.formatting.amounts import chips, percent
from equilibrist.library.contest import holdem_seats
from equilibrist.library.kinds import open_saved
from equilibrist.progress import Callbacks, Progress
from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, PREFLOP_SOLUTION, PUSH_FOLD

if TYPE_CHECKING:
    from equilibrist.play import Agent, HandGame, SolutionCoach
    from equilibrist.poker import FlopSolution, MultiwaySolution, PreflopSolution, PushFoldSolution
    from equilibrist.poker.blueprint.policy import Blueprint


def play_hands(
    file: Path,
    chosen: SessionOptions,
    *,
    cards: Path | None = None,
    thinks: BotSearchOptions | None = None,
) -> None:
    """Open a solution of whole hands, then let people and strategies play.

    Args:
        file: The file.
        chosen: The options of the session.
        cards: The card buckets of a blueprint, if they are elsewhere now.
        thinks: How the strategies think at the table; None for not at all.
    """
    from equilibrist.play import Session, SolutionCoach
    from equilibrist.play.solutions.players import SolutionRanges
    from equilibrist.play.solutions.reading import solution_game
    from equilibrist.poker import SolvedFlops

    names = {BLUEPRINT: "a blueprint", PREFLOP_SOLUTION: "an exact solution"}
    _check_options(chosen, names.get(kind_of(file) or "", "a chart"))
    kind, solution = open_saved(file, cards)
    played: Any = solution
    thinking: Callable[[], AbstractContextManager[object]] = nullcontext
    if kind == PREFLOP_SOLUTION and solution.game.final_street:
        solving = _Solving(solution, quiet=chosen.quiet)
        played = SolvedFlops(solution, callbacks=solving.callbacks, on_solve=solving.done)
        thinking = solving.shown
    game = solution_game(played)
    seats = holdem_seats(
        chosen.words(game.num_players),
        "a hand" if kind in names else "this hand",
        partial(bot_at_table, played, chosen.seed, thinks),
        (lambda path, name: bot_at_table(_other(path, solution, file), chosen.seed, thinks, name))
        if kind == BLUEPRINT
        else _no_file,
        game.num_players,
    )
    chosen.check_coach(seats)
    coach = SolutionCoach(played, chosen.seed) if chosen.coach else None
    if not chosen.quiet:
        _introduce(kind, solution, game, coach, with_people=has_people(seats))
    session = Session(
        game,
        seats,
        seed=chosen.seed,
        alternate=not chosen.fixed_seats,
        coach=None if coach is None else coach_at_table(coach, played, chosen.seed, thinks, game),
    )
    wording = replace(_wording(kind, game, coach, chosen.seed), thinking=thinking)
    knows = all_play(seats, lambda seat: getattr(seat, "solution", None) is played)
    chosen.run(session, wording, (lambda: SolutionRanges(played)) if knows else None)
    if not chosen.quiet:
        suggest(next_command("inspect", file))


def _no_file(path: Path, name: str) -> Agent:
    """Raise ConfigError for a file as a seat, where one solution alone is played."""
    raise ConfigError(
        f"--seats has {path}, and a seat is human, ai or uniform here",
        option="--seats",
        given=path,
        expected="human, ai or uniform",
        place=name,
    )


def _check_options(chosen: SessionOptions, what: str) -> None:
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


def _introduce(
    kind: str, solution: Any, game: HandGame, coach: SolutionCoach | None, *, with_people: bool
) -> None:
    """Say what is played, and what the coach knows."""
    if kind == BLUEPRINT:
        _introduce_blueprint(solution, game, coach, with_people=with_people)
    elif kind == PREFLOP_SOLUTION:
        _introduce_exact(solution, coach, with_people=with_people)
    else:
        _introduce_charts(kind, solution, game, coach, with_people=with_people)


def _introduce_blueprint(
    blueprint: Blueprint, game: HandGame, coach: SolutionCoach | None, *, with_people: bool
) -> None:
    """Say how it was trained, and that the coach estimates."""
    if with_people:
        stacks = "/".join(
            f"{game.rules.scale.chips(stack):g}" for stack in dict.fromkeys(game.rules.stacks)
        )
        number = int(blueprint.record.get("boards", 0))
        on_deals = blueprint.record.get("algorithm") == "external" or game.num_players > 2
        drawn = "deals" if on_deals else "boards"
        note(f"blueprint trained on {number:,} {drawn}; stacks {stacks} {game.unit}")
    if coach is not None:
        how = (
            "exact on the river only"
            if game.num_players == 2
            else "from deals of the others' ranges, with 95 % intervals"
        )
        note(
            "coach: a blueprint has no exact values; EVs are estimates for play by the blueprint "
            f"from there on, {how}"
        )


def _introduce_exact(
    solution: PreflopSolution, coach: SolutionCoach | None, *, with_people: bool
) -> None:
    """Say that flops are solved when they come, and how good the solution is."""
    from equilibrist.poker.preflop.exact.flops.solver import SECONDS, TARGET

    after_flop = bool(solution.game.final_street)
    if with_people:
        note(solution.game.name)
    if after_flop:
        note(
            "the file has the strategies before the flop; each flop is solved when it comes, with "
            f"the ranges of the file, to {percent(TARGET, 1)} of the pot or for {SECONDS:g} seconds"
        )
    if coach is not None:
        later = "; after the flop EVs are those of the flop as it was solved" if after_flop else ""
        note(f"coach: exploitability of the solution is {solution.exploitability:.3g} mbb{later}")


def _introduce_charts(
    kind: str,
    solution: PushFoldSolution | MultiwaySolution,
    game: HandGame,
    coach: SolutionCoach | None,
    *,
    with_people: bool,
) -> None:
    """Say the stacks, and whether the coach estimates."""
    if with_people:
        what = "push or fold" if kind == PUSH_FOLD else "betting before the flop"
        stacks = "/".join(f"{game.rules.scale.chips(stack):g}" for stack in game.rules.stacks)
        note(f"{what}, stacks {stacks} {'big blinds' if game.hand.in_big_blinds else 'chips'}")
        if not sum(game.rules.board):
            note("no board is dealt: hands are compared as they are, pairs first, then ranks")
    if coach is not None:
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


def _wording(kind: str, game: HandGame, coach: SolutionCoach | None, seed: int) -> Wording:
    """The words of a whole hand, what its coach says, and bets of any size."""
    import numpy as np

    from equilibrist.cli.text.playing.any_bet import AnyBet
    from equilibrist.play.bets import mapped_within

    bets = AnyBet(
        lambda infoset, amount: mapped_within(game.bet_limits(infoset), amount, game.unit),
        np.random.default_rng(np.random.SeedSequence(seed)),
        game.unit,
    )
    missing, name = "The chart never comes here", "the chart"
    if kind == BLUEPRINT:
        missing, name = "The blueprint never comes here", "the blueprint"
        if game.num_players > 2:
            missing += ", or too rarely to deal the others' hands"
    is_exact = coach is not None and coach.is_exact
    estimate, blind = "" if is_exact else ", an estimate,", game.big_blind
    return Wording(
        players=game.seat_names,
        unit=game.unit,
        payoff_ranges=(blind,),
        amount=lambda amount: f"{chips(amount, blind)} {game.unit}{estimate}",
        advice=(lambda advice, words: show_spot_advice(advice, words, game.unit, blind))
        if is_exact
        else (lambda advice, words: show_estimate(advice, words, game.unit, missing, name, blind)),
        bet=None if kind == PUSH_FOLD else bets,
    )


class _Solving:
    """Says on standard error that a flop is solved, and how well it was."""

    def __init__(self, solution: PreflopSolution, *, quiet: bool) -> None:
        self._solution, self._quiet = solution, quiet
        self._live: LiveLine | None = None
        self._stage = ""
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
                note(self._solved_text(solved))

    @property
    def callbacks(self) -> Callbacks:
        """What shows the progress."""
        return Callbacks(self._tell, on_stage=self._begin)

    def _begin(self, stage: str) -> None:
        self._stage = stage

    def _tell(self, progress: Progress) -> None:
        if self._live is not None and progress.measure_percent is not None:
            short = f"{self._stage}  iteration {progress.iteration:,}"
            gain = percent(progress.measure_percent / 100, 2)
            self._live.tell([f"{short}  a best response gains {gain} of the pot", short])

    def done(self, solved: FlopSolution) -> None:
        """Keep what is to be said when the line is gone."""
        self._solved.append(solved)

    def _solved_text(self, solved: FlopSolution) -> str:
        line = self._solution.tree.line(solved.game.deal)
        return (
            f"solved {_named(solved.game.cards)} after {line}: {solved.iterations:,} iterations in "
            f"{solved.seconds:.1f} s, a best response gains {percent(solved.gain_share, 2)} of the "
            "pot"
        )


def _named(flop: tuple[int, ...]) -> str:
    from equilibrist.poker.cards.cards import card_names

    return card_names(sorted(flop, reverse=True))
