"""`equilibrist resolve HAND --nested`: a solution of a bet menu that answers every bet."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.commands.theory.resolve_options import (
    FEWER_HANDS,
    PLAYING,
    SOLVING_THEM,
    tell_parts,
)
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import heading, show, show_facts, show_json, show_table, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import seconds_text
from equilibrist.formatting.documents import document
from equilibrist.library.kinds import open_saved

if TYPE_CHECKING:
    from equilibrist.cli.commands.theory.resolve_options import ResolveOptions
    from equilibrist.cli.inputs.walking import SearchOptions
    from equilibrist.play.nested_hands import NestedHands
    from equilibrist.poker.preflop.exact.measure import ExactMeasure
    from equilibrist.poker.preflop.exact.strategy import ExactStrategy
    from equilibrist.search.holdem.nested import NestedHand, NestedSearch

_NOT_SOLVED: Final = "where it did not come to, bets are taken for those of the menu"
_MBB: Final = 1000.0


def resolve_hand(name: str, chosen: ResolveOptions, walk: SearchOptions) -> None:
    """Answer bets off the menu of a hand, print exact figures or the score of hands.

    Args:
        name: The hand with more bets: a file, or a hand by name.
        chosen: What was typed; the trunk is the solution of a hand.
        walk: The limits.
    """
    from equilibrist.cli.commands.holdem.hand_input import hand_of
    from equilibrist.play.nested_hands import play_nested
    from equilibrist.poker.preflop.exact.game import ExactGame
    from equilibrist.poker.preflop.exact.size import check_fits
    from equilibrist.search.holdem.nested import ALGORITHM, ITERATIONS, NestedSearch

    _check(chosen)
    remedy = "give it more time, or a smaller hand"
    resolved = played = None
    with limited(walk.time, remedy, keeps_partial=True) as limit:
        trunk = _trunk(chosen)
        full = ExactGame.of(hand_of(Path(name), {}), trunk.game.flops, trunk.game.seed)
        if chosen.is_offline:
            check_fits(full, walk.memory)  # before the lines of its betting are followed
        search = NestedSearch(
            trunk,
            full,
            chosen.method,
            iterations=chosen.iterations or ITERATIONS,
            algorithm=ALGORITHM if chosen.algorithm is None else chosen.algorithm,
        )
        search.check_fits(walk.memory, is_offline=chosen.is_offline)
        if chosen.online is not None:
            with limit.working(PLAYING) as live:
                told = partial(tell_parts, live, PLAYING)
                played = play_nested(search, chosen.online, seed=chosen.seed, callbacks=told)
        if chosen.is_offline:
            with limit.working(SOLVING_THEM) as live:
                resolved = search.offline(callbacks=partial(tell_parts, live, SOLVING_THEM))
    cut_short = resolved is not None and resolved.interrupted
    missing = _NOT_SOLVED if cut_short else FEWER_HANDS
    cut_short |= played is not None and played.score.hands < (chosen.online or 0)
    stopped_by = limit.stopped_by(interrupted=cut_short)
    if walk.json:
        figures = _document(name, chosen, search, resolved, played)
        show_json(figures | {"stopped_by": stopped_by})
        end_cut_short(stopped_by, walk.time, missing, json=True)
        return
    heading(f"{name}: {chosen.trunk}, bets off its menu solved anew by {search.method.spec}")
    if resolved is not None:
        show()
        _show_resolved(resolved)
    if played is not None:
        show()
        _show_played(played)
    end_cut_short(stopped_by, walk.time, missing, json=False)
    suggest(
        next_command("resolve", online=1000)
        if played is None
        else next_command("resolve", offline=True)
    )


def _check(chosen: ResolveOptions) -> None:
    """Raise ConfigError for options that have no meaning with hands."""
    if not chosen.nested:
        raise ConfigError(
            f"{chosen.trunk} is the solution of a hand, of which bets off its menu are answered",
            option="nested",
            place=str(chosen.trunk),
            remedy="add --nested, and name the hand with more bets: royal(bets=all)",
        )
    for name, flag in (
        ("roots", "--roots"),
        ("again", "--again"),
        ("leaves", "--leaves"),
        ("seat", "--seat"),
        ("out", "--out"),
    ):
        if getattr(chosen, name):
            raise ConfigError(
                f"bets off the menu of a hand are answered wherever they come; there is no {flag}",
                option=name,
                given=getattr(chosen, name),
                remedy=f"leave out {flag}",
            )


def _trunk(chosen: ResolveOptions) -> ExactStrategy:
    """The strategies of the trunk on all streets."""
    assert chosen.trunk is not None
    solution = open_saved(chosen.trunk).content
    kept: ExactStrategy | None = solution.kept
    if kept is None:
        raise ConfigError(
            f"{chosen.trunk} has the strategies before the flop alone",
            option="trunk",
            given=str(chosen.trunk),
            remedy="solve it again with --keep-flops 32",
        )
    return kept


def _figures(measure: ExactMeasure) -> dict[str, Any]:
    return {
        "exploitability": _MBB * measure.nash_conv / 2,
        "best_response": [_MBB * value for value in measure.best_values[::-1]],
    }


def _document(
    name: str,
    chosen: ResolveOptions,
    search: NestedSearch,
    resolved: NestedHand | None,
    played: NestedHands | None,
) -> dict[str, Any]:
    return {
        "game": name,
        "trunk": str(chosen.trunk),
        "method": search.method.spec,
        "algorithm": search.variant.name,
        "iterations": search.iterations,
        "nested": True,
        "offline": None if resolved is None else _offline_document(resolved),
        "online": None if played is None else _online_document(played),
    }


def _offline_document(resolved: NestedHand) -> dict[str, Any]:
    return {
        "mapping": resolved.mapping,
        "before": _figures(resolved.before),
        "after": _figures(resolved.after),
        **document(resolved, "subgames seconds interrupted"),
    }


def _online_document(played: NestedHands) -> dict[str, Any]:
    half = played.score.half_widths[0]
    return {
        "hands": played.score.hands,
        "mean": _MBB * played.score.means[0],
        "half_width": None if half is None else _MBB * half,
        **document(played, "seed decisions solves mean_seconds most_seconds"),
    }


def _show_resolved(resolved: NestedHand) -> None:
    """Exact figures of each seat, and how they were reached."""
    before, after = _figures(resolved.before), _figures(resolved.after)
    rows = [
        [f"seat {seat}", *(f"{figures['best_response'][seat]:.5g}" for figures in (before, after))]
        for seat in (0, 1)
    ]
    rows.append(
        ["exploitability", *(f"{figures['exploitability']:.4g}" for figures in (before, after))]
    )
    show("  What a best response wins from each seat in the whole game, in mbb a hand:")
    show()
    show_table(["", resolved.mapping, "solved anew"], rows, ["left", "right", "right"])
    show()
    show_facts([("subgames", f"{resolved.subgames:,} in {seconds_text(resolved.seconds)}")])


def _show_played(played: NestedHands) -> None:
    """The score, and how long decisions took."""
    half = played.score.half_widths[0]
    width = "-" if half is None else f"{_MBB * half:.3g}"
    show(
        f"  {played.score.hands:,} hands against one who takes every legal action alike: "
        f"{_MBB * played.score.means[0]:+z.4g} mbb a hand, 95 % +- {width}"
    )
    show()
    show_facts(
        [
            ("decisions", f"{played.decisions:,}, and {played.solves:,} subgames solved"),
            (
                "a decision with a solve",
                f"{seconds_text(played.mean_seconds)}, at most {seconds_text(played.most_seconds)}",
            ),
        ]
    )
