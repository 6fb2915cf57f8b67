"""Contests of commands: what is needed is solved with a live line, and stored."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equilibrist.cli.text.output import note
from equilibrist.formatting.amounts import counted, measure_text

if TYPE_CHECKING:
    from equilibrist.cli.text.wording import Wording
    from equilibrist.game import Game
    from equilibrist.library.contest import Contest
    from equilibrist.library.limits import Limits
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree


def open_contest(
    target: str, game: str | None, strategy: Path | None, limits: Limits, *, quiet: bool
) -> Contest:
    """A game, or the file with its strategy; raises the errors of either."""
    from equilibrist.library.contest import Contest

    return Contest.open(target, game, strategy, limits, partial(solve_now, quiet=quiet), note)


def contest_of(rules: Game[Any], spec: str, limits: Limits, *, by_option: bool = False) -> Contest:
    """A contest of loaded rules; `by_option` says that --game named them."""
    from equilibrist.library.contest import Contest

    return Contest(rules, spec, limits, solve_now, note, by_option=by_option)


def solve_now(tree: GameTree, algorithm: str, *, quiet: bool = False) -> tuple[str, Strategy]:
    """Solve a game with default limits, or for `SECONDS`, and store the solution.

    Returns what to type for the solution, and the strategy. Raises KeyboardInterrupt if
    interrupted.
    """
    from equilibrist.cli.inputs.signals import terminate_like_interrupt
    from equilibrist.cli.text.progress import LiveLine
    from equilibrist.cli.text.saving import store
    from equilibrist.library.contest import SECONDS
    from equilibrist.progress import Callbacks, Progress
    from equilibrist.results import ImplicitResult
    from equilibrist.solving.algorithm import configured
    from equilibrist.solving.running import run

    rule, config = configured({"algorithm": algorithm})
    with LiveLine(quiet=quiet) as live, terminate_like_interrupt():

        def is_in_time(progress: Progress) -> bool:
            if not live.quiet:
                live.progress(progress)
            return progress.seconds < SECONDS

        result, _ = run(tree, rule, config, Callbacks(is_in_time, live.stage, live.walked))
    assert not isinstance(result, ImplicitResult)
    if result.stopped_by == "callback":
        result = replace(result, stopped_by="seconds")
    if result.stopped_by == "interrupted":
        raise KeyboardInterrupt
    stored = store(result)
    if not quiet:
        note(
            f"solved by {config.algorithm}, {counted(result.iterations, 'iteration')}, "
            f"{result.measure_name} {measure_text(result.measure)}"
            + (f"; saved as `{stored.name}`" if stored.path is not None else "")
        )
        missed = result.target is not None and result.measure > result.target
        for text in result.notes[1:] if missed else ():  # the first one states the limits
            note(text)
    return stored.name, result.strategy


def strategy_name(contest: Contest) -> str:
    """What to type for the strategy of a contest; empty for none."""
    return contest.strategy_name if contest.source is None else str(contest.source.path)


def wording_of(contest: Contest) -> Wording | None:
    """Choose the wording for a game; None where its tree was not needed."""
    from equilibrist.cli.text.wording import game_wording
    from equilibrist.tree.payoff_scale import PayoffScale

    has_tree = "tree" in vars(contest)
    return game_wording(PayoffScale(contest.tree).units().bounds) if has_tree else None
