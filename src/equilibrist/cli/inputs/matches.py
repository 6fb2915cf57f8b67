"""Two strategies head to head, exactly or by deals: `match`, and `evaluate --against`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, show, show_json, show_table, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import signed_text, value_text
from equilibrist.library import sources
from equilibrist.library.contest import Contest
from equilibrist.options.defaults import DUPLICATE_DEALS, UNIFORM

if TYPE_CHECKING:
    from equilibrist.cli.inputs.options import DuplicateDeals
    from equilibrist.cli.inputs.signals import TimeLimit
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.evaluation import Estimate, Match
    from equilibrist.play import ExactMatch
    from equilibrist.progress import OnProgress, Progress
    from equilibrist.rules.strategy import PackedStrategy
    from equilibrist.tree.compile import GameTree

_PLAYING = "playing deals"


def head_to_head(
    contest: Contest,
    a: str,
    b: str,
    deals: DuplicateDeals,
    *,
    options: tuple[str, str] = ("A", "B"),
    json: bool,
) -> None:
    """Let the strategies that two words name play each other, and print the result.

    The result is exact if no option of deals was given and the game has a tree.

    Args:
        contest: The game.
        a: What takes each seat in turn: a file, `uniform` or an algorithm.
        b: What takes all others.
        deals: Whether deals are played, and how many.
        options: The arguments or options that gave the two words, for errors.
        json: Whether a document is printed.
    """
    from equilibrist.play import ExactMatch

    with limited(None) as limit:
        outcome = _played(contest, (a, b), options, deals, limit)
    cut_short = not isinstance(outcome, ExactMatch) and outcome.interrupted
    stopped_by = limit.stopped_by(interrupted=cut_short)
    if json:
        show_json(_document(contest, a, b, outcome) | {"stopped_by": stopped_by})
    else:
        _show(contest, a, b, outcome)
        files = [word for word in (a, b) if word != UNIFORM and sources.is_file(word)]
        # What draws deals here says nothing of hands; of a game that is played, none other is.
        drawn = ("seed",) if files else ("seed", "game")
        suggest(next_command("play", *(files[:1] or [contest.spec]), without=drawn))
    end_cut_short(stopped_by, None, "more deals would narrow the interval", json=json)


def _played(
    contest: Contest,
    words: tuple[str, str],
    options: tuple[str, str],
    deals: DuplicateDeals,
    limit: TimeLimit,
) -> Match | ExactMatch:
    from equilibrist.play import match_by_deals, match_exactly

    packed = _without_tree(contest, words)
    if packed is not None and (deals.are_wanted or not _has_tree(contest)):
        return _by_rules(contest, packed, deals, limit)
    if deals.lines is not None:
        raise ConfigError(
            "--lines is for strategies that were found without a tree, and uniform",
            option="--lines",
            given=deals.lines,
            remedy="leave it out",
        )
    if deals.deals is None and deals.seed is not None:
        raise ConfigError(
            "--seed is for duplicate deals",
            option="--seed",
            given=deals.seed,
            remedy="give --deals N, or leave it out",
        )
    first, second = map(contest.read, words, options)
    if deals.deals is None:
        with limit.working("computing the match"):
            return match_exactly(first, second)
    with limit.working(_PLAYING) as line:
        return match_by_deals(
            first, second, deals=deals.deals, seed=deals.seed or 0, callbacks=_report(line)
        )


def _has_tree(contest: Contest) -> bool:
    try:
        _ = contest.tree
    except ConfigError:
        return False
    return True


def _without_tree(contest: Contest, words: tuple[str, str]) -> list[PackedStrategy] | None:
    """Both strategies as they play by the rules alone; None where one needs the tree."""
    from equilibrist.rules.game import RulesGame
    from equilibrist.rules.strategy import PackedStrategy

    game = contest.game
    if not isinstance(game, RulesGame):
        return None
    strategies = []
    for word in words:
        if word == UNIFORM:
            strategies.append(PackedStrategy.uniform(game.rules))
            continue
        packed = (
            sources.open_strategy(Path(word), contest.spec).packed
            if sources.is_file(word)
            else None
        )
        if packed is None:
            return None
        packed.rules_of(game)
        strategies.append(packed)
    return strategies


def _report(line: LiveLine) -> OnProgress:
    """Make the callback that tells a line how many deals have been played."""

    def report(progress: Progress) -> None:
        line.now(f"{_PLAYING}: {progress.iteration:,} of {progress.total:,}")

    return report


def _by_rules(
    contest: Contest, packed: list[PackedStrategy], deals: DuplicateDeals, limit: TimeLimit
) -> Match:
    from equilibrist.evaluation import play_duplicates
    from equilibrist.rules.game import RulesGame

    assert isinstance(contest.game, RulesGame)
    with limit.working(_PLAYING) as line:
        return play_duplicates(
            contest.game.rules,
            *packed,
            deals=deals.deals or DUPLICATE_DEALS,
            lines=deals.lines or 1,
            seed=deals.seed or 0,
            callbacks=_report(line),
        )


def _document(contest: Contest, a: str, b: str, outcome: Match | ExactMatch) -> dict[str, Any]:
    from equilibrist.play import ExactMatch

    exact = outcome if isinstance(outcome, ExactMatch) else None
    drawn = None if isinstance(outcome, ExactMatch) else outcome
    tree = _known_tree(contest)
    return {
        "game": contest.game.name,
        "first": a,
        "second": b,
        "num_players": contest.game.num_players,
        "exact": exact is not None,
        "mean": outcome.mean,
        "second_mean": None if exact is None else exact.second_mean,
        "even": None if exact is None else exact.even,
        "values": None if exact is None else [list(row) for row in exact.values],
        "deals": None if drawn is None else drawn.deals,
        "seed": None if drawn is None else drawn.seed,
        "half_width": None if drawn is None else drawn.half_width,
        "interval": None if drawn is None else list(_interval(drawn, tree)),
        "aivat": None if drawn is None or drawn.aivat is None else _estimated(drawn.aivat, tree),
    }


def _estimated(estimate: Estimate, tree: GameTree | None) -> dict[str, Any]:
    return {
        "mean": estimate.mean,
        "half_width": estimate.half_width,
        "interval": list(_interval(estimate, tree)),
    }


def _known_tree(contest: Contest) -> GameTree | None:
    """The tree of a contest if it was compiled."""
    return contest.tree if "tree" in vars(contest) else None


def _interval(estimate: Estimate, tree: GameTree | None) -> tuple[float, float]:
    """The 95 % interval of a mean over all seats, as far as the payoffs of a tree allow."""
    if tree is None:
        return estimate.interval
    return estimate.interval_within(tree.min_payoff.mean(), tree.max_payoff.mean())


def _show(contest: Contest, a: str, b: str, outcome: Match | ExactMatch) -> None:
    from equilibrist.play import ExactMatch
    from equilibrist.tree.payoff_scale import PayoffScale

    players = contest.game.num_players
    games = f"{players} games each, A in every seat once"
    if not isinstance(outcome, ExactMatch):
        heading(f"{contest.game.name}: A = {a} against B = {b}, {outcome.deals:,} duplicate deals")
        tree = _known_tree(contest)
        show(f"A gets {_estimate_text(outcome, tree)}")
        if outcome.aivat is not None:
            show(f"AIVAT:  {_estimate_text(outcome.aivat, tree)}, knowing A")
        show(f"(payoff units; a deal is {games}, B in all others; --seed {outcome.seed})")
        return
    heading(f"{contest.game.name}: A = {a} against B = {b}, exactly")
    units = PayoffScale(contest.tree).units()
    rows = [
        [
            f"A is player {p}",
            *(value_text(value, units.payoff(q, value)) for q, value in enumerate(row)),
        ]
        for p, row in enumerate(outcome.values)
    ]
    means = outcome.mean, outcome.second_mean, outcome.even
    first, second, even = (value_text(mean, units.mean(mean)) for mean in means)
    show_table(["", *(f"player {p}" for p in range(players))], rows)
    show(f"A gets {first} per hand, averaged over its seats (payoff units);")
    show(f"each seat of B gets {second} per hand against A,")
    show(f"and {even} when B plays every seat: A is better if it gets more.")


def _estimate_text(estimate: Estimate, tree: GameTree | None) -> str:
    """A mean over all seats, and its interval, as far as payoffs allow."""
    from equilibrist.tree.payoff_scale import PayoffScale

    units = None if tree is None else PayoffScale(tree).units()
    figures = (estimate.mean, *_interval(estimate, tree))
    texts = [signed_text(x, None if units is None else units.mean(x)) for x in figures]
    mean, low_text, high_text = texts
    return f"{mean} per hand, 95 % interval {low_text} to {high_text}"
