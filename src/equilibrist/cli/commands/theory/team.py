"""`equilibrist team`: what players who agree beforehand secure against one adversary."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import new_file, next_command
from equilibrist.cli.text.output import Align, heading, show, show_json, show_table, suggest
from equilibrist.formatting.amounts import counted, probability_text, value_text
from equilibrist.formatting.documents import document
from equilibrist.options.option import declare

if TYPE_CHECKING:
    from equilibrist.equilibria import TeamMaxmin

HELP = """Find the best joint play of a team against the other players (TMECor).

All players but --adversary are one team: they share their payoffs, agree on a plan before play and
cannot talk during it. They draw a joint pure plan from a mixture, which the adversary knows, but
not what was drawn. The team value is what the best mixture secures; no joint plan earns the team
more against the adversary's strategy. Several adversaries (--adversary 1,3) are a team as well.

Joint plans are added one by one (column generation), the best one by a mixed-integer programme with
up to 20,000 combinations of the members' sequences; larger games are refused.

\b
Examples:
  equilibrist team "kuhn(players=3)" --adversary 2
  equilibrist team "kuhn(players=3)" --adversary 0 --out team.safetensors
  equilibrist play "kuhn(players=3)" --mediator team.safetensors
"""

_SEARCH: Final = "Search"
_ROWS: Final = 10
"""Joint plans that are shown."""


@dataclass(frozen=True)
class TeamOptions:
    """Whom the team plays against, and where its mixture is saved."""

    adversary: list[int] = declare(
        "whole numbers",
        _SEARCH,
        "Whom all others play against, from 0: 2, or 1,3.",
        metavar="PLAYERS",
        required=True,
    )
    out: Path | None = declare("file", _SEARCH, "Save the mixture, as .safetensors.")


@with_options
def team(game: options.Game, chosen: TeamOptions, walk: SearchOptions) -> None:
    """Print the team value and the joint plans; save them if asked to."""
    from equilibrist.cli.inputs.strategy_files import check_device_file
    from equilibrist.equilibria import team_maxmin
    from equilibrist.games import load_game
    from equilibrist.tree.payoff_scale import PayoffScale

    out = chosen.out
    if out is not None:
        check_device_file(out)
    with limited(walk.time, keeps_partial=True) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working("searching for joint plans"):
            solution = team_maxmin(tree, chosen.adversary)
    stopped_by = limit.stopped_by(interrupted=solution.interrupted)
    cut = "a better mixture may secure more, up to the bound that is shown"
    if out is not None:
        solution.device.save(out)
    if walk.json:
        show_json(_document(solution, out) | {"stopped_by": stopped_by})
        end_cut_short(stopped_by, walk.time, cut, json=True)
        return
    heading(f"{tree.name}: {_players(solution.team)} against {_players(solution.adversaries)}")
    show()
    members = [float(player in solution.team) for player in range(tree.num_players)]
    units, payoffs = PayoffScale(tree).units(), (solution.value, solution.bound)
    shown = [value_text(payoff, units.total(members, payoff)) for payoff in payoffs]
    show(f"Team value: {shown[0]}; no mixture secures more than {shown[1]}")
    show()
    _show_plans(solution)
    show()
    plans, rounds = counted(solution.columns, "joint plan"), counted(solution.iterations, "round")
    counts = f"{plans} {'was' if solution.columns == 1 else 'were'} found in {rounds}"
    if stopped_by is None and shown[0] == shown[1]:
        show(f"{counts}; mixed-integer programmes proved that no other one earns more.")
    elif stopped_by is None:
        show(
            f"{counts}; mixed-integer programmes proved that no other one earns more than the "
            "bound. Payoffs are too far apart to say more in double precision."
        )
    else:
        show(
            f"{counts}. The bound is what the team would earn if its members saw everything; "
            "nothing better is proven."
        )
    if not solution.constant_sum:
        show("The payoffs have no constant sum: the adversary may prefer to earn more themselves.")
    if out is None:
        suggest(next_command("team", game, out=new_file("team.safetensors")))
    else:
        show(f"Mixture saved to {out}")
        suggest(next_command("play", game, mediator=out))
    end_cut_short(stopped_by, walk.time, cut, json=False)


def _players(numbers: tuple[int, ...]) -> str:
    return f"player{'s' * (len(numbers) != 1)} {' and '.join(map(str, numbers))}"


def _show_plans(solution: TeamMaxmin) -> None:
    """The joint plans with the largest weights."""
    rows = []
    for weight, plan in list(zip(solution.weights.tolist(), solution.plans, strict=True))[:_ROWS]:
        for member, part in zip(solution.team, plan, strict=True):
            actions = ", ".join(f"{key} {action}" for key, action in part.items())
            drawn = probability_text(weight) if member == solution.team[0] else ""
            rows.append([drawn, f"player {member}", actions])
    align: list[Align] = ["left"] * 3
    show_table(["drawn", "for", "plan"], rows, align, fold=True)
    more = solution.support - _ROWS
    if more > 0:
        show(f"  and {more:,} more joint plan{'s' * (more != 1)}")


def _document(solution: TeamMaxmin, out: Path | None) -> dict[str, Any]:
    return {
        "game": solution.device.tree.name,
        **document(solution, "team adversaries value bound duality_gap constant_sum support"),
        "plans": [
            {"weight": weight, "members": list(plan)}
            for weight, plan in zip(solution.weights.tolist(), solution.plans, strict=True)
        ],
        **document(solution, "columns iterations proofs"),
        "file": None if out is None else str(out),
    }
