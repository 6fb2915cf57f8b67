"""`equilibrist correlate`: the best correlated equilibrium of a small game, or the gap of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Final, NamedTuple

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.device_text import device_gaps, profiles_text, show_device
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import (
    Align,
    heading,
    show,
    show_json,
    show_table,
    suggest,
)
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted, probability_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.options.defaults import CONCEPT, OBJECTIVE, PROGRAMME
from equilibrist.options.option import by_flag, declare

if TYPE_CHECKING:
    from equilibrist.equilibria import Correlated, CorrelationDevice, Gap
    from equilibrist.tree.compile import GameTree
    from equilibrist.tree.payoff_scale import PayoffUnits

HELP = """Find the correlated equilibrium that is best for an objective, by a linear programme.

A mediator draws a joint plan and tells each player their own part of it. In an equilibrium nobody
gains by not following. The concepts differ in what a player knows when they may deviate:

\b
  ce     their whole plan, before play begins
  efce   the recommendation at the infoset where they are; afterwards they get none
  efcce  the infoset where they are, not yet its recommendation
  cce    nothing (also called nfcce)

Each admits all equilibria of those above it. --objective is welfare (the sum of payoffs), fair (the
least of them), player:0, player:1, ..., or what is to be as small as possible: min:0, min:welfare.

--method plans has one unknown per joint reduced plan, up to 200,000, for any number of players.
--method pairs has one per relevant pair of sequences, for two players without private chance, and
not for ce. The default, lp, takes pairs where it can, and plans where rounding spoils pairs. The
gap is measured on the device.

For larger games, without an objective: `equilibrist solve GAME --algorithm efr --measure efce
--save-device FILE`, whose history of play is the device.

\b
Examples:
  equilibrist correlate chicken --concept ce
  equilibrist correlate sheriff --concept efcce --objective player:0 --out device.safetensors
  equilibrist correlate sheriff --measure device.safetensors
  equilibrist play sheriff --mediator device.safetensors
"""

_SEARCH: Final = "Search"
_SEARCHED: Final = ("concept", "objective", "method")
"""Options of a search, for which there is none where a device is measured."""
_ROWS: Final = 10
"""Rows of a device that are shown."""


@dataclass(frozen=True)
class CorrelateOptions:
    """What is searched or measured; None for what was not typed."""

    concept: str | None = declare("text", _SEARCH, "ce, efce, efcce or cce.", default_text=CONCEPT)
    objective: str | None = declare(
        "text",
        _SEARCH,
        "welfare, fair, player:N, min:N or min:welfare.",
        metavar="WHAT",
        default_text=OBJECTIVE,
    )
    method: str | None = declare("text", _SEARCH, "lp, plans or pairs.", default_text=PROGRAMME)
    out: Path | None = declare("file", _SEARCH, "Save the device, as .safetensors.")
    measure: Path | None = declare(
        "file", "", "Print the gaps of this device, for each concept.", metavar="DEVICE"
    )

    def check_measured(self) -> None:
        """ConfigError for options of a search, where a device is measured."""
        for name, value in by_flag(self, *_SEARCHED, "out").items():
            if value is not None:
                raise ConfigError(
                    f"{name} and --measure exclude each other",
                    option=name,
                    given=value,
                    remedy="measuring prints all concepts, and finds nothing new",
                )


@with_options
def correlate(game: options.Game, chosen: CorrelateOptions, walk: SearchOptions) -> None:
    """Print values, gap and device; save it if asked to."""
    from equilibrist.cli.inputs.strategy_files import check_device_file
    from equilibrist.equilibria import CorrelationDevice, correlated
    from equilibrist.games import load_game

    if chosen.measure is not None:
        chosen.check_measured()
        with limited(walk.time) as limit:
            tree = walk.limits.compile(load_game(game))
            with limit.working("measuring the device"):
                device = CorrelationDevice.load(chosen.measure, tree)
                gaps = device_gaps(device)
        show_device(device, gaps, chosen.measure, json=walk.json)
        if not walk.json:
            suggest(next_command("play", game, mediator=chosen.measure))
        return
    out = chosen.out
    if out is not None:
        check_device_file(out)
    concept = chosen.concept or CONCEPT
    objective, method = chosen.objective or OBJECTIVE, chosen.method or PROGRAMME
    with limited(walk.time, _remedy(game, concept)) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working("solving the linear programme of correlated play"):
            optimum = correlated(tree, concept, objective=objective, method=method)
    _show_optimum(optimum, tree, game, concept, out, json=walk.json)


def _remedy(game: str, concept: str) -> str:
    """The remedy where the programme takes too long."""
    if concept == "ce":
        return "give it more time, or take a smaller game or --concept efce"
    return (
        f"give it more time, or find play without an objective, with its gap: equilibrist solve "
        f"{quote(game)} --algorithm efr --measure {concept} --time TIME"
    )


def _show_optimum(
    optimum: Correlated, tree: GameTree, game: str, concept: str, out: Path | None, *, json: bool
) -> None:
    from equilibrist.equilibria.concepts import correlation_concept
    from equilibrist.tree.payoff_scale import PayoffScale

    if out is not None:
        optimum.device.save(out)
    if json:
        show_json(
            {
                "game": tree.name,
                **document(optimum, "concept objective optimum values gap method rows columns"),
                "profiles": len(optimum.device),
                "plans": [
                    {"weight": row.weight, "profiles": row.profiles, "players": list(row.players)}
                    for row in _recommended(optimum.device)
                ],
                "file": None if out is None else str(out),
            }
        )
        return
    title = correlation_concept(concept).title
    heading(f"{tree.name}: {title} with {_in_words(optimum.objective)}")
    show()
    objective = _in_words(optimum.objective).capitalize()
    units = PayoffScale(tree).units()
    weights = _weights(optimum)
    show(f"{objective}: {value_text(optimum.optimum, units.total(weights, optimum.optimum))}")
    show()
    _show_values(optimum.values, optimum.gap, units)
    show()
    _show_device(optimum.device)
    show()
    unknown = "joint plans" if optimum.method == "plans" else "relevant pairs of sequences"
    show(
        f"A linear programme over {unknown} with {counted(optimum.columns, 'unknown')} and "
        f"{counted(optimum.rows, 'constraint')}; the gap is measured on the device."
    )
    if out is not None:
        show(f"Device saved to {out}")
        suggest(
            next_command("correlate", game, measure=out, without=_SEARCHED),
            next_command("play", game, mediator=out),
        )
    else:
        suggest(next_command("correlate", game, out=new_file("device.safetensors")))


def _weights(optimum: Correlated) -> tuple[float, ...]:
    """How often the payoff of each player counts in the optimum."""
    from equilibrist.equilibria.optimal.objectives import objective_named

    values = optimum.values
    weights = objective_named(optimum.objective, len(values)).weights
    return weights or tuple(float(value == min(values)) for value in values)


def _show_values(values: tuple[float, ...], gap: Gap, units: PayoffUnits) -> None:
    rows = [
        [
            f"player {p}",
            value_text(value, units.payoff(p, value)),
            value_text(gain, units.gain(p, gain)),
        ]
        for p, (value, gain) in enumerate(zip(values, gap.players, strict=True))
    ]
    show_table(["", "value", "gap"], rows)


class _Recommended(NamedTuple):
    """Recommendations that are given with positive probability if all players follow them."""

    weight: float
    """The probability of the profiles together."""
    profiles: int
    """How many profiles recommend this; they differ at infosets that nobody reaches then."""
    players: tuple[dict[str, str], ...]
    """By player, the recommended action of each infoset that can be reached."""


def _recommended(device: CorrelationDevice) -> list[_Recommended]:
    """All recommendations that differ where play can get, the most probable first."""
    import numpy as np

    from equilibrist.evaluation import infoset_reach

    tree = device.tree
    rows: dict[str, _Recommended] = {}
    for k in np.argsort(-device.weights.round(9), kind="stable").tolist():
        reach = infoset_reach(device.profile(k))
        recommended: list[dict[str, str]] = [{} for _ in range(tree.num_players)]
        for infoset in np.flatnonzero(reach > 0.0).tolist():
            row = device.strategies[k][tree.actions_of(infoset)]
            action = tree.action_labels[infoset][int(np.argmax(row))]
            recommended[tree.infoset_player[infoset]][tree.infoset_keys[infoset]] = action
        before = rows.get(repr(recommended), _Recommended(0.0, 0, tuple(recommended)))
        weight = before.weight + float(device.weights[k])
        rows[repr(recommended)] = _Recommended(weight, before.profiles + 1, before.players)
    return sorted(rows.values(), key=lambda row: -round(row.weight, 9))


def _show_device(device: CorrelationDevice) -> None:
    """The plays with the largest weights: what happens if all follow."""
    from equilibrist.tree.shown_names import shown_names

    recommended, names = _recommended(device), shown_names(device.tree.game)

    def told(part: dict[str, str]) -> str:
        return ", ".join(f"{names.get(key, key)} {action}" for key, action in part.items())

    rows = [[probability_text(row.weight), *map(told, row.players)] for row in recommended[:_ROWS]]
    players = [f"player {p}" for p in range(device.tree.num_players)]
    align: list[Align] = ["left"] * (1 + len(players))
    show_table(["drawn", *players], rows, align, fold=True)
    more = sum(row.profiles for row in recommended[_ROWS:])
    if more > 0:
        show(f"  and {profiles_text(more)} more")
    if len(recommended) < len(device):
        show("  Profiles that differ only at infosets that nobody reaches share a row.")


def _in_words(objective: str) -> str:
    if objective == "fair":
        return "the largest least payoff of any player"
    kind, _, whose = objective.rpartition(":")
    what = "welfare" if whose == "welfare" else f"payoff of player {whose}"
    return f"the {'smallest' if kind == 'min' else 'largest'} {what}"
