"""The list of `equilibrist equilibria --method`: every equilibrium found, and what it pays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import first_left, heading, show, show_json, show_table, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.library.sources import naming_game

if TYPE_CHECKING:
    from equilibrist.cli.inputs.walking import SearchOptions
    from equilibrist.equilibria import NashEquilibria, NashEquilibrium
    from equilibrist.tree.payoff_scale import PayoffScale


_CUT: Final = "there may be more equilibria"


def list_equilibria(
    game: str, method: str, number: int, out: Path | None, walk: SearchOptions
) -> None:
    """Find them, print them, save the one that is asked for."""
    from equilibrist.cli.inputs.strategy_files import write_strategy
    from equilibrist.equilibria import nash_equilibria
    from equilibrist.equilibria.nash.solving import METHODS
    from equilibrist.errors import UnknownNameError
    from equilibrist.games import load_game

    if method not in METHODS:
        raise UnknownNameError("method", method, tuple(METHODS), option="--method")
    remedy = "give it more time, or use another method or a smaller game"
    with limited(walk.time, remedy, keeps_partial=True) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working(f"looking for equilibria by {method}"):
            listed = nash_equilibria(tree, method)
    stopped_by = limit.stopped_by(interrupted=listed.interrupted)
    if out is not None:
        if not 1 <= number <= len(listed.equilibria):
            raise ConfigError(
                f"there is no equilibrium {number}: {len(listed.equilibria)} were found",
                option="--number",
                given=number,
                expected=f"1 to {len(listed.equilibria)}",
            )
        strategy = listed.equilibria[number - 1].strategy
        write_strategy(strategy, out, f"equilibrium {number} by {method}")
    if walk.json:
        show_json(_document(game, method, listed, out) | {"stopped_by": stopped_by})
        end_cut_short(stopped_by, walk.time, _CUT, json=True)
        return
    _show(game, listed)
    if out is not None:
        show(f"Equilibrium {number} saved to {out}")
        suggest(next_command("inspect", out, game=naming_game(game, out)))
    elif listed.equilibria:
        suggest(next_command("equilibria", game, number=1, out=new_file("nash.csv")))
    end_cut_short(stopped_by, walk.time, _CUT, json=False)


def _show(game: str, listed: NashEquilibria) -> None:
    from equilibrist.cli.text.strategy_text import show_strategy
    from equilibrist.library.strategy_table import StrategyTable

    count = len(listed.equilibria)
    heading(f"{game}: {count} Nash equilibri{'um' if count == 1 else 'a'} by {listed.method}")
    show()
    if listed.equilibria:
        _show_values(listed)
    for k, equilibrium in enumerate(listed.equilibria, start=1):
        show()
        heading(f"Equilibrium {k}")
        show_strategy(
            StrategyTable.of(equilibrium.strategy), see_all="the same command with --out FILE"
        )
    show()
    if not listed.equilibria:
        show("None was found, though every finite game has one: try another method.")
    show(f"Completeness: {listed.claim}.")
    if listed.equilibria:
        show(
            f"Verified by exact best responses: nobody gains more than "
            f"{measure_text(listed.tolerance)} by deviating."
        )
    if listed.rejected:
        show(
            f"{listed.rejected} profile{'s' * (listed.rejected != 1)} that the program found "
            f"{'is' if listed.rejected == 1 else 'are'} left out: somebody gains more."
        )


def _show_values(listed: NashEquilibria) -> None:
    from equilibrist.tree.payoff_scale import PayoffScale

    players = range(listed.tree.num_players)
    scale = PayoffScale(listed.tree)
    rows = [
        [
            str(k),
            *_value_texts(equilibrium, scale),
            measure_text(max(equilibrium.evaluation.gains)),
        ]
        for k, equilibrium in enumerate(listed.equilibria, start=1)
    ]
    head = ["", *(f"player {p}" for p in players), "largest gain"]
    show_table(head, rows, first_left(len(head)))


def _value_texts(equilibrium: NashEquilibrium, scale: PayoffScale) -> list[str]:
    units = scale.units(equilibrium.strategy.probabilities)
    values = equilibrium.evaluation.values
    return [value_text(value, units.payoff(p, value)) for p, value in enumerate(values)]


def _document(game: str, method: str, listed: NashEquilibria, out: Path | None) -> dict[str, Any]:
    return {
        "game": game,
        "method": method,
        "name": listed.method,
        "claim": listed.claim,
        "equilibria": [
            {
                **document(equilibrium.evaluation, "values gains nash_conv"),
                "strategy": equilibrium.strategy.to_dict(),
            }
            for equilibrium in listed.equilibria
        ],
        **document(listed, "rejected tolerance"),
        "file": None if out is None else str(out),
    }
