"""`equilibrist dominated`: actions, sequences or plans that no rational player uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from equilibrist.cli.inputs import options
from equilibrist.cli.inputs.parameters import with_options
from equilibrist.cli.inputs.signals import end_cut_short, limited
from equilibrist.cli.inputs.walking import SearchOptions
from equilibrist.cli.text.next_commands import next_command
from equilibrist.cli.text.output import Align, heading, show, show_json, show_table, suggest
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import probability_text, value_text
from equilibrist.options.defaults import DOMINATED_BY
from equilibrist.options.option import declare

if TYPE_CHECKING:
    from equilibrist.evaluation import Domination, PlanDomination, SequenceDomination
    from equilibrist.evaluation.domination import DominatedAction
    from equilibrist.evaluation.plan_domination import DominatedPlan
    from equilibrist.tree.compile import GameTree
    from equilibrist.tree.payoff_scale import PayoffUnits

HELP = """List what is dominated, round by round: some other play earns more whatever the others do.

By default actions are compared, from their infoset on. This is exact for any number of players:
several opponents answer jointly, but each knows only what they alone see.

\b
  --plans        reduced plans of the whole game; up to 2,000 per player and a million joint plans
  --conditional  plans as well, also compared from each infoset that they reach (Shimoji and
                 Watson); what is left is extensive-form rationalizable
  --sequences    actions that only dominated plans take; two players, without listing plans

With --weak what is nowhere better and somewhere worse is eliminated, too. What weak rounds leave
over may depend on the order; here each round leaves out all that is dominated, of all players.

The margin is what the better play earns more, at least: per visit of the infoset for actions and
for plans that are dominated from an infoset on, else per play of the game.

\b
Examples:
  equilibrist dominated kuhn
  equilibrist dominated "kuhn(players=3)" --weak
  equilibrist dominated outside_option --conditional
  equilibrist dominated sheriff --sequences --json
"""

_SEARCH: Final = "Search"
_ROWS: Final = 40
"""Dominated plans that are shown."""


@dataclass(frozen=True)
class DominatedOptions:
    """What is compared, and by what."""

    weak: bool = declare("switch", _SEARCH, "Eliminate what is weakly dominated, too.")
    plans: bool = declare("switch", _SEARCH, "Compare whole plans.")
    conditional: bool = declare("switch", _SEARCH, "Compare plans from each infoset on.")
    sequences: bool = declare("switch", _SEARCH, "List what only dominated plans do.")
    by: str | None = declare(
        "text",
        _SEARCH,
        "By what: mixed plans, or a single pure one.",
        metavar="KIND",
        default_text=DOMINATED_BY,
    )

    def check(self) -> None:
        """Refuse options that do not go together."""
        for first, second in (
            ("sequences", "plans"),
            ("sequences", "conditional"),
            ("sequences", "weak"),
            ("conditional", "weak"),
        ):
            if getattr(self, first) and getattr(self, second):
                raise ConfigError(
                    f"--{first} and --{second} exclude each other",
                    option=f"--{second}",
                    given=True,
                    expected=False,
                    remedy="leave out one of them",
                )
        if self.by is not None and not self.plans and not self.conditional:
            raise ConfigError(
                "--by is about plans",
                option="--by",
                given=self.by,
                remedy="add --plans or --conditional",
            )


@with_options
def dominated(game: options.Game, chosen: DominatedOptions, walk: SearchOptions) -> None:
    """Print what is dominated, in the order of its elimination."""
    from equilibrist.evaluation import (
        Domination,
        PlanDomination,
        dominated_actions,
        dominated_plans,
        dominated_sequences,
    )
    from equilibrist.games import load_game

    chosen.check()
    weak, conditional, by = chosen.weak, chosen.conditional, chosen.by or DOMINATED_BY
    of_plans = chosen.plans or conditional
    what = "plans" if of_plans else "sequences" if chosen.sequences else "actions"
    with limited(walk.time, keeps_partial=True) as limit:
        tree = walk.limits.compile(load_game(game))
        with limit.working(f"looking for dominated {what}") as line:
            domination: Domination | PlanDomination | SequenceDomination
            if of_plans:
                domination = dominated_plans(
                    tree, weak=weak, conditional=conditional, by=by, on_step=line.now
                )
            elif chosen.sequences:
                domination = dominated_sequences(tree, on_step=line.now)
            else:
                domination = dominated_actions(tree, weak=weak, on_step=line.now)
    stopped_by = limit.stopped_by(interrupted=domination.interrupted)
    if walk.json:
        document: dict[str, Any] = {"game": tree.name, "kind": what, "stopped_by": stopped_by}
        if isinstance(domination, PlanDomination):
            document |= _plan_document(domination, weak=weak, conditional=conditional, by=by)
        elif isinstance(domination, Domination):
            document |= {
                "weak": weak,
                "dominated": [asdict(action) for action in domination.actions],
                "undecided": [list(pair) for pair in domination.undecided],
            }
        else:
            document["dominated"] = [asdict(sequence) for sequence in domination.sequences]
        show_json(document)
    elif isinstance(domination, PlanDomination):
        _show_plans(domination, tree)
    elif isinstance(domination, Domination):
        _show_actions(domination, tree)
    else:
        _show_sequences(domination, tree)
    if not walk.json:
        suggest(_next_of(game, chosen, tree))
    end_cut_short(stopped_by, walk.time, f"more {what} may be dominated", json=walk.json)


def _next_of(game: str, chosen: DominatedOptions, tree: GameTree) -> str:
    """Write the command that compares more, or looks at what rational players may do."""
    from equilibrist.equilibria.optimal.plan_span import MOST_COLUMNS, count_joint_plans
    from equilibrist.evaluation.plan_domination import copes_with_plans
    from equilibrist.evaluation.sequences import Sequences

    if chosen.sequences:
        return next_command("dominated", game, sequences=False)
    of_plans = chosen.plans or chosen.conditional
    if not of_plans and chosen.weak and copes_with_plans(tree):
        return next_command("dominated", game, plans=True)
    if not (chosen.conditional or chosen.weak) and copes_with_plans(tree):
        return next_command("dominated", game, plans=False, conditional=True)
    if of_plans and count_joint_plans(Sequences.of(tree)) <= MOST_COLUMNS:
        return next_command("correlate", game)
    return next_command("solve", game)


def _show_actions(domination: Domination, tree: GameTree) -> None:
    from equilibrist.tree.payoff_scale import PayoffScale
    from equilibrist.tree.shown_names import shown_names

    units, names = PayoffScale(tree).units(), shown_names(tree.game)
    heading(f"{tree.name}: {_counted(len(domination.actions), 'dominated action')}")
    rows = [
        [
            str(d.round),
            f"player {d.player}",
            names.get(d.infoset, d.infoset),
            d.action,
            _margin(d, units),
        ]
        for d in domination.actions
    ]
    _show_rows(["round", "", "infoset", "action", "margin"], rows)
    if domination.undecided:
        show()
        show(
            f"Left undecided, for more than 256 ways to play on: "
            f"{_counted(len(domination.undecided), 'action')}"
        )


def _show_sequences(domination: SequenceDomination, tree: GameTree) -> None:
    from equilibrist.tree.payoff_scale import PayoffScale
    from equilibrist.tree.shown_names import shown_names

    units, names = PayoffScale(tree).units(), shown_names(tree.game)
    count = _counted(len(domination.sequences), "action")
    heading(f"{tree.name}: {count} that only dominated plans take")
    rows = [
        [
            str(d.round),
            f"player {d.player}",
            names.get(d.infoset, d.infoset),
            d.action,
            value_text(d.margin, units.gain(d.player, d.margin)),
        ]
        for d in domination.sequences
    ]
    _show_rows(["round", "", "infoset", "action", "margin"], rows)


def _plan_document(
    domination: PlanDomination, *, weak: bool, conditional: bool, by: str
) -> dict[str, Any]:
    return {
        "weak": weak,
        "conditional": conditional,
        "by": by,
        "rounds": domination.rounds,
        "dominated": [
            {
                **asdict(dominated_plan),
                "by": [{"weight": weight, "plan": plan} for weight, plan in dominated_plan.by],
            }
            for dominated_plan in domination.plans
        ],
        "surviving": [list(plans) for plans in domination.surviving],
    }


def _show_plans(domination: PlanDomination, tree: GameTree) -> None:
    from equilibrist.tree.payoff_scale import PayoffScale
    from equilibrist.tree.shown_names import shown_names

    units, names = PayoffScale(tree).units(), shown_names(tree.game)
    heading(f"{tree.name}: {_counted(len(domination.plans), 'dominated plan')}")
    rows = [
        [
            str(d.round),
            f"player {d.player}",
            _plan_text(d.plan, names),
            _margin(d, units),
            "the start" if d.infoset is None else names.get(d.infoset, d.infoset),
            "; ".join(_part_text(weight, plan, names) for weight, plan in d.by),
        ]
        for d in domination.plans[:_ROWS]
    ]
    _show_rows(["round", "", "plan", "margin", "from", "dominated by"], rows)
    if len(domination.plans) > _ROWS:
        show(f"  and {_counted(len(domination.plans) - _ROWS, 'plan')} more")
    show()
    survivors = [
        [
            f"player {player}",
            f"{len(plans):,}",
            "; ".join(_plan_text(plan, names) for plan in plans) if len(plans) <= _FEW else "",
        ]
        for player, plans in enumerate(domination.surviving)
    ]
    show_table(["left", "plans", ""], survivors, ["left", "right", "left"], fold=True)


_FEW: Final = 4
"""Plans that are left are written out up to this number."""


def _show_rows(names: list[str], rows: list[list[str]]) -> None:
    if not rows:
        return
    show()
    align: list[Align] = ["right" if name in ("round", "margin") else "left" for name in names]
    show_table(names, rows, align, fold=True)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _margin(dominated: DominatedAction | DominatedPlan, units: PayoffUnits) -> str:
    if not dominated.strict:
        return "weak"
    return value_text(dominated.margin, units.gain(dominated.player, dominated.margin))


def _plan_text(plan: dict[str, str], names: Mapping[str, str]) -> str:
    return ", ".join(f"{names.get(key, key)} {action}" for key, action in plan.items()) or "-"


def _part_text(weight: float, plan: dict[str, str], names: Mapping[str, str]) -> str:
    share = "" if weight >= 1.0 else f"{probability_text(weight)} "
    return f"{share}{_plan_text(plan, names)}"
