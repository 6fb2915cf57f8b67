"""`equilibrist resolve`: parts of a strategy solved anew below public states."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.commands.theory.resolve_options import (
    FEWER_HANDS,
    PLAYING,
    RESPONSES,
    SOLVING_THEM,
    ResolveOptions,
    names_network,
    tell_parts,
)
from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.searching import online_search
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import (
    Align,
    heading,
    note,
    show,
    show_facts,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import loss_text, measure_text, seconds_text, value_text
from equilibrist.library.kinds import kind_for
from equilibrist.library.sources import naming_game
from equilibrist.storage.kinds.file_kinds import PREFLOP_SOLUTION

if TYPE_CHECKING:
    from equilibrist.library.sources import Source
    from equilibrist.play import Session
    from equilibrist.progress import OnProgress
    from equilibrist.search import OnlineSearch, Resolved
    from equilibrist.strategy import Strategy
    from equilibrist.tree.compile import GameTree

HELP = """Solve parts of a strategy anew below public states, and measure exactly what that changes.

The trunk is a strategy of GAME, whose rules say what is public. Below every public state that
--roots names, the play of a seat is replaced by that of a subgame, in which the opponent is free;
the rest of the trunk stays. The gadget says what the opponent may count on:

\b
  unsafe       it comes to the subgame as the trunk does; no guarantee
  resolve      with each hand it may take what it could get against the trunk (CFR-D)
  max-margin   what it has least to lose by coming is made as large as can be
  reach        max-margin, with what the opponent gave away on the way
  constrained  the best play against the trunk's range among all that is safe
  estimate-resolve, estimate-max-margin: with estimates; no guarantee
  knowledge-limited: max-margin for each hand of the seat alone; safe with --in-turn
  obscuro      resolve for each hand of the seat by what it knows; no guarantee
  one-step     no gadget: a step of mirror descent from the trunk; no guarantee

Safe gadgets never make a seat more exploitable. By default they are solved exactly, by linear
programmes; --algorithm solves them by any algorithm for games. All figures are by true best
responses in the whole game; the best completion is what no gadget can beat.

--roots are public nodes: `before chance` and `after chance` (the first public event of chance, such
as a board), `after move 2`, or the name of a public state, or a pattern of names.

--nested is for a trunk of a smaller game, whose menu of moves lacks some of GAME's: play is solved
anew wherever the opponent makes such a move, which gains it little if its other moves are as good.
It is carried over by the names of infosets and moves. For hold'em, GAME is a hand with every bet
and the trunk a solution of a menu of bets with --keep-flops.

--leaves are public nodes below the roots at which solving stops: there the seat goes on as the
trunk does, and the opponent chooses a continuation for each hand.

--values FILE without --trunk measures a search that looks some decisions ahead, with the network
of `train-values` at its leaves, from the beginning on: beside uniform play, leaves that are even,
exact leaves, and one solve of the whole game.

--online N plays N hands against the trunk, and solves a subgame when play comes to it. What is
played is the same, hand by hand, as with all subgames solved beforehand.

\b
Examples:
  equilibrist resolve leduc --trunk coarse.safetensors --gadget maxmargin -o better.safetensors
  equilibrist resolve leduc --trunk last --gadget reach --roots "before chance" --again
  equilibrist resolve leduc --trunk last --algorithm cfr+ --iterations 1e4
  equilibrist resolve liars_dice --trunk last --roots "after move 2" --online 1000
  equilibrist resolve leduc --trunk last --gadget unsafe --roots "??:" --leaves "before chance"
  equilibrist resolve "royal(bets=all)" --trunk menu.safetensors --nested --online 1000
  equilibrist resolve "liars_dice(sides=5)" --values dice.safetensors --iterations 1024
"""

_NOT_SOLVED: Final = "the trunk stays below the other public nodes"
_FIGURES: Final = {
    "exploitability": "exploitability of the seat",
    "best response": "what a best response wins from the seat",
}


@with_options
def resolve(game: options.Game, chosen: ResolveOptions, walk: SearchOptions) -> None:
    """Solve subgames, print exact figures, save the result if asked to."""
    from equilibrist.cli.inputs.strategy_files import (
        check_strategy_file,
        check_target,
        write_strategy,
    )
    from equilibrist.library.sources import open_strategy

    out, file = chosen.out, chosen.trunk
    if file is None:
        if not names_network(chosen.values):
            raise ConfigError(
                "the trunk is missing",
                option="--trunk",
                expected="--trunk FILE, or --values with the file of a network",
                remedy="name the strategy whose play is replaced",
            )
        from equilibrist.cli.commands.theory.resolve_ladder import resolve_ladder

        resolve_ladder(game, chosen, walk)
        return
    chosen.check()
    if out is not None:
        check_strategy_file(out)
        check_target(out, file, out.suffix.lower())
    if kind_for("resolve", file) == PREFLOP_SOLUTION:
        from equilibrist.cli.commands.theory.resolve_hand import resolve_hand

        resolve_hand(game, chosen, walk)
        return
    remedy = "give it more time, or fewer or smaller subgames"
    with limited(walk.time, remedy, keeps_partial=True) as limit:
        source = open_strategy(file, game, by_option=False, note=note)
        tree = source.compile(walk.limits)
        trunk = _trunk(source, tree, chosen)
        continuations = [_continuation(name, tree, game) for name in chosen.continuations or ()]
        search = _search(trunk, chosen, continuations)
        resolved = played = None
        if chosen.is_offline:
            with limit.working(SOLVING_THEM) as live:
                told = partial(tell_parts, live, SOLVING_THEM)
                resolved = _solve(trunk, search, chosen, told)
        if chosen.online is not None:
            with limit.working(PLAYING) as live:
                played = _play(search, chosen, partial(tell_parts, live, PLAYING))
    if resolved is not None and out is not None:
        write_strategy(resolved.strategy, out, f"resolve({search.resolver.method.spec})")
    cut_short = resolved is not None and resolved.interrupted
    missing = _NOT_SOLVED if cut_short else FEWER_HANDS
    cut_short |= played is not None and played.score.hands < (chosen.online or 0)
    stopped_by = limit.stopped_by(interrupted=cut_short)
    if walk.json:
        document = _document(chosen, search, resolved, played)
        show_json(document | {"stopped_by": stopped_by})
        end_cut_short(stopped_by, walk.time, missing, json=True)
        return
    heading(f"{trunk.tree.name}: {file}, solved anew below {_roots_text(search)}")
    if resolved is not None:
        show()
        _show_resolved(search, resolved)
    if played is not None:
        show()
        _show_played(search, played)
    if out is not None:
        show(f"Saved to {out}")
    end_cut_short(stopped_by, walk.time, missing, json=False)
    if out is not None:
        suggest(next_command("evaluate", out, game=naming_game(source.game, out)))
    elif resolved is not None:
        suggest(next_command("resolve", out=new_file("resolved.safetensors")))
    else:
        suggest(next_command("resolve", offline=True))


def _values(trunk: Strategy, values: str | None) -> Any:
    """The value function: its name, or that of a file."""
    if values is None or not names_network(values) or not Path(values).exists():
        return values
    from equilibrist.learned.values import ValueNetwork
    from equilibrist.search import SearchGame

    return ValueNetwork.load(Path(values), SearchGame.of(trunk.tree))


def _trunk(source: Source, tree: GameTree, chosen: ResolveOptions) -> Strategy:
    """The trunk; with --nested it may be a solution of a game with fewer moves."""
    from equilibrist.search.off_menu import carried_over

    solution = source.solution
    if chosen.nested and solution is not None and solution.strategy.fingerprint != tree.fingerprint:
        narrow = solution.strategy.to_dict()
        trunk = carried_over(tree, narrow)
        common = sum(key in narrow for key in tree.infoset_keys)
        note(
            f"The trunk is of a smaller game: {common:,} of its {len(narrow):,} infosets are those "
            f"of {tree.name}, which has {tree.num_infosets:,}."
        )
        return trunk
    return source.strategy(tree)


def _continuation(file: str, tree: GameTree, game: str) -> Strategy | str:
    """A strategy of the game from a file, or an action."""
    from equilibrist.library.sources import open_strategy

    if kind_for("resolve", file) is None and not Path(file).exists():
        return file
    return open_strategy(Path(file), game, by_option=False, note=note).strategy(tree)


def _solve(
    trunk: Strategy, search: OnlineSearch, chosen: ResolveOptions, told: OnProgress
) -> Resolved:
    """Solve all subgames beforehand."""
    from equilibrist.search import resolve as resolve_in_turn

    if not chosen.in_turn:
        return search.offline(seats=chosen.seat, callbacks=told)
    names = search.search.public.names
    limit = search.resolver.limit
    at_leaves: dict[str, Any] = {}
    if limit is not None:
        at_leaves = {
            "leaves": chosen.leaves,
            "continuations": limit.continuations,
            "responses": limit.responses,
            "values": limit.values,
            "growth": limit.growth,
        }
    return resolve_in_turn(
        trunk,
        roots=[names[root] for root in search.roots],
        method=search.resolver.method,
        seats=chosen.seat,
        algorithm=chosen.solver,
        iterations=chosen.iterations,
        seed=chosen.seed,
        in_turn=True,
        callbacks=told,
        **at_leaves,
    )


def _search(
    trunk: Strategy, chosen: ResolveOptions, continuations: Sequence[Strategy | str]
) -> OnlineSearch:
    """What searches, with the roots that were named, else the first that there are."""
    solving: dict[str, Any] = {"algorithm": chosen.solver, "iterations": chosen.iterations}
    if chosen.solver != "lp":
        solving["seed"] = chosen.seed
    if chosen.leaves:
        count = RESPONSES if chosen.responses is None and chosen.values is None else 0
        solving |= {
            "leaves": chosen.leaves,
            "continuations": continuations,
            "responses": count if chosen.responses is None else chosen.responses,
            "values": _values(trunk, chosen.values),
            "growth": chosen.growth or 0,
        }
    return online_search(
        trunk,
        chosen.roots,
        chosen.method,
        again=chosen.again,
        nested=chosen.nested,
        **solving,
    )


def _play(search: OnlineSearch, chosen: ResolveOptions, told: OnProgress) -> Session:
    """Hands of the search against the trunk, in both seats by turns; after Ctrl-C those so far."""
    from equilibrist.play import Session, StrategyAgent
    from equilibrist.progress import Callbacks, PartsReport

    trunk, hands = search.trunk, chosen.online or 0
    report = PartsReport(Callbacks(told), search.name, "hands", hands)
    seats = (search, StrategyAgent(trunk, "trunk"))
    session = Session(trunk.tree.game, seats, seed=chosen.seed, values=trunk)
    try:
        for number in range(hands):
            report.goes_on(number)
            session.deal()
    except KeyboardInterrupt:
        if not session.score.hands:
            raise
    return session


def _document(
    chosen: ResolveOptions,
    search: OnlineSearch,
    resolved: Resolved | None,
    session: Session | None,
) -> dict[str, Any]:
    tree, limit = search.search.tree, search.resolver.limit
    return {
        "game": tree.name,
        "trunk": str(chosen.trunk),
        "method": search.resolver.method.spec,
        "safe": search.resolver.is_proven if resolved is None else resolved.is_proven,
        "algorithm": chosen.solver,
        "roots": [search.search.public.names[root] for root in search.roots],
        "again": search.again,
        "in_turn": chosen.in_turn,
        "nested": chosen.nested,
        "leaves": None if limit is None else list(limit.leaves.names),
        "responses": None if limit is None else limit.responses,
        "values": chosen.values,
        "growth": None if limit is None else limit.growth,
        "subgames": search.solves if resolved is None else max(search.solves, len(resolved.steps)),
        "seconds": search.seconds if resolved is None else max(search.seconds, resolved.seconds),
        "offline": None if resolved is None else resolved.to_dict(),
        "online": None if session is None else _online_document(session),
        "file": None if chosen.out is None else str(chosen.out),
        "strategy": None if resolved is None else resolved.strategy.to_dict(),
    }


def _online_document(session: Session) -> dict[str, Any]:
    score, aivat = session.score, session.aivat_score
    assert aivat is not None  # the trunk is known
    return {
        "hands": score.hands,
        "seed": session.seed,
        "mean": score.means[0],
        "half_width": score.half_widths[0],
        "aivat": {"mean": aivat.means[0], "half_width": aivat.half_widths[0]},
    }


def _roots_text(search: OnlineSearch) -> str:
    names = search.search.public.names
    few = [names[root] or "the beginning" for root in search.roots[:3]]
    more = len(search.roots) - len(few)
    return ", ".join(few) + (f" and {more:,} more public nodes" if more else "")


def _show_resolved(search: OnlineSearch, resolved: Resolved) -> None:
    """Exact figures of each seat, and how they were reached."""
    from equilibrist.tree.payoff_scale import PayoffScale

    tree = resolved.strategy.tree
    units = PayoffScale(tree).units()

    def figure(seat: int, value: float | None) -> str:
        if value is None:
            return "-"
        if resolved.measure == "exploitability":
            return loss_text(value, tree.payoff_range)
        return value_text(value, units.payoff(1 - seat, value))

    def rise(seat: int) -> str:
        bound = resolved.bound[seat]
        if not bound or resolved.measure == "exploitability":
            return "0" if bound == 0.0 else figure(seat, bound)
        return value_text(bound, units.gain(1 - seat, bound))

    rows = [
        [
            f"seat {seat}",
            figure(seat, resolved.before[seat]),
            figure(seat, resolved.after[seat]),
            figure(seat, resolved.completion[seat]),
            rise(seat),
        ]
        for seat in resolved.seats
    ]
    align: list[Align] = ["left", "right", "right", "right", "right"]
    head = ["", "trunk", search.resolver.method.spec, "best completion", "rise at most"]
    show(f"  {_FIGURES[resolved.measure]}, by true best responses in the whole game:")
    show()
    show_table(head, rows, align)
    show()
    name = resolved.evaluation.measure_name
    both = resolved.trunk_evaluation.measure, resolved.evaluation.measure
    before, after = map(measure_text, both)
    show_facts(
        [
            (f"{name} of the profile", f"{before} before, {after} after"),
            ("subgames", f"{len(resolved.steps):,} in {seconds_text(resolved.seconds)}"),
        ]
    )
    if not resolved.is_proven:
        note(f"{resolved.method.name} has no guarantee: it may leave a seat more exploitable.")


def _show_played(search: OnlineSearch, session: Session) -> None:
    """What the hands brought, and how long a solve took."""
    score, aivat = session.score, session.aivat_score
    assert aivat is not None  # the trunk is known
    rows = [
        [what, f"{value.means[0]:+z.6g}", "-" if half is None else f"{half:.3g}"]
        for what, value in (("payoffs", score), ("AIVAT", aivat))
        for half in (value.half_widths[0],)
    ]
    show(f"  {score.hands:,} hands against the trunk, payoff per hand:")
    show()
    show_table(["", "mean", "95 % +-"], rows, ["left", "right", "right"])
    show()
    mean = search.seconds / max(search.solves, 1)
    show(f"{search.solves:,} subgames solved so far, {seconds_text(mean)} each.")
