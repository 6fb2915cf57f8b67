"""`equilibrist resolve GAME --values FILE` without a trunk: the ladder of a value network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.commands.theory.resolve_options import ResolveOptions
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import (
    heading,
    note,
    show,
    show_facts,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import loss_text, seconds_text
from equilibrist.library.sources import naming_game

if TYPE_CHECKING:
    from equilibrist.learned.values import Ladder, ValueNetwork

_ITERATIONS: Final = 1024
_NOT_REACHED: Final = "the rungs that are missing were not reached"
_WITHOUT_TRUNK: Final = ("values", "depth", "tables", "exact", "iterations", "seed", "out")
"""Options that the ladder knows."""


def resolve_ladder(game: str, chosen: ResolveOptions, walk: SearchOptions) -> None:
    """Measure a search with the network, and print the rungs.

    Args:
        game: The game.
        chosen: What was typed; `values` is the file of a value network.
        walk: Limits of the game, and how it is printed.
    """
    from equilibrist.games import load_game
    from equilibrist.learned.values import ValueNetwork, climb
    from equilibrist.learned.values.ladder import EXACT_ITERATIONS, TABLES
    from equilibrist.search import SearchGame

    assert chosen.values is not None
    _refuse_others(chosen)
    if chosen.out is not None:
        from equilibrist.cli.inputs.strategy_files import check_strategy_file

        check_strategy_file(chosen.out)
    with limited(walk.time, keeps_partial=True) as limit:
        search = SearchGame.of(walk.limits.compile(load_game(game)))
        limit.doing = "reading the network"
        network = ValueNetwork.load(Path(chosen.values), search)
        depth = int(network.made.get("depth", 2)) if chosen.depth is None else chosen.depth
        with limit.working("searching") as live:
            ladder = climb(
                search,
                network,
                depth=depth,
                iterations=chosen.iterations or _ITERATIONS,
                tables=TABLES if chosen.tables is None else chosen.tables,
                exact=EXACT_ITERATIONS if chosen.exact is None else chosen.exact,
                seed=chosen.seed,
                tell=lambda name: live.now(f"searching, {name}"),
            )
    out = chosen.out if any(rung.name == "net" for rung in ladder.rungs) else None
    if out is not None:
        from equilibrist.cli.inputs.strategy_files import write_strategy

        write_strategy(ladder["net"].strategy, out, "search with values")
    stopped_by = limit.stopped_by(interrupted=ladder.interrupted)
    if walk.json:
        document: dict[str, Any] = {"game": network.game, "values": chosen.values}
        file = None if out is None else str(out)
        show_json(document | ladder.to_dict() | {"file": file, "stopped_by": stopped_by})
        end_cut_short(stopped_by, walk.time, _NOT_REACHED, json=True)
        return
    _show(network, ladder, chosen.values)
    if out is not None:
        show(f"Saved to {out}")
    end_cut_short(stopped_by, walk.time, _NOT_REACHED, json=False)
    if out is not None:
        suggest(next_command("evaluate", out, game=naming_game(game, out)))


def _refuse_others(chosen: ResolveOptions) -> None:
    """Raise ConfigError for options that need a trunk."""
    for name in ("gadget", "roots", "again", "in_turn", "nested", "leaves", "continuations"):
        if getattr(chosen, name):
            raise _needs_trunk(name, getattr(chosen, name))
    for name in ("responses", "growth", "seat", "algorithm", "online"):
        if getattr(chosen, name) is not None:
            raise _needs_trunk(name, getattr(chosen, name))


def _needs_trunk(name: str, given: object) -> ConfigError:
    flag = "--" + name.replace("_", "-")
    return ConfigError(
        f"{flag} is about a trunk, and there is none",
        option=name,
        given=given,
        expected="options of a search with values: "
        + ", ".join(f"--{each}" for each in _WITHOUT_TRUNK),
        remedy=f"give --trunk, or leave out {flag}",
    )


def _show(network: ValueNetwork, ladder: Ladder, file: str) -> None:
    """The rungs, and where the network stands among them."""
    unit = network.states.search.tree.payoff_range
    deep = f"{ladder.depth} decisions deep" if ladder.depth else "until chance shows something"
    heading(f"{network.game}: search {deep}, with {file}")
    show()
    show("  exploitability, by true best responses in the whole game:")
    show()
    rows = [
        [rung.name, loss_text(rung.exploitability, unit), seconds_text(rung.seconds)]
        for rung in ladder.rungs
    ]
    show_table(["", "exploitability", "time"], rows, ["left", "right", "right"])
    show()
    gap = "-" if ladder.gap is None else f"{ladder.gap:.3f}"
    played = "averages" if not ladder.tables else f"{ladder.tables:,} tables of drawn iterates"
    show_facts(
        [
            ("(net - exact) / (zero - exact)", gap),
            ("each solve", f"{ladder.iterations:,} iterations, {played}"),
        ]
    )
    if ladder.tables:
        note("With drawn iterates a figure is an upper bound of what search as such loses.")
    else:
        note("No theory holds for averages: play after a leaf may not fit that before it.")
