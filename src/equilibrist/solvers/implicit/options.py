"""Checks of the options of a run without a tree: rules, averages, and what needs a tree."""

from __future__ import annotations

from equilibrist.errors import ConfigError
from equilibrist.games import load_game
from equilibrist.parsing.arguments import MOST_EVERY, bad_argument, optional_whole_number
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import Rules
from equilibrist.solvers.sampling.averaging import Walk
from equilibrist.solvers.sampling.mccfr import FOR_ANY_NUMBER
from equilibrist.solvers.sampling.samplers import Sampler


def fit_averaging(sampler: Sampler, averaging: object, every: object, rules: Rules) -> str:
    """The average to take: the given one or the default; ConfigError for an unknown one."""
    own = sampler.averagings[0]
    chosen = own if rules.num_players == 2 or own in FOR_ANY_NUMBER else Walk.name
    if averaging is not None:
        chosen = averaging.strip().lower().replace("_", "-") if isinstance(averaging, str) else ""
    if chosen not in (own, Walk.name):
        raise bad_argument("averaging", averaging, f"{own} or {Walk.name} without a tree")
    if optional_whole_number("averaging_every", every, 1, MOST_EVERY) and chosen != Walk.name:
        raise ConfigError(
            f"averaging_every has no meaning with {chosen} averaging, which is taken on the way",
            option="averaging_every",
            given=every,
            remedy=f'use `averaging="{Walk.name}"`',
        )
    return chosen


def refuse_what_needs_a_tree(shared: bool, executor: str) -> None:
    """ConfigError for threads that share a table, and for other machines."""
    if shared:
        raise ConfigError(
            "shared needs a table of fixed size, into which threads write without locks; without a "
            "tree the table grows",
            option="shared",
            given=shared,
            remedy="leave out `shared`; each thread then has its own table",
        )
    if executor == "ray":
        raise ConfigError(
            "executor ray sends the tables of a compiled tree to other machines, and this game is "
            "sampled without one",
            option="executor",
            given=executor,
            remedy='use `executor="threads"` or `executor="serial"`',
        )


def opened(rules: object) -> Rules:
    """The rules that a string names, or those of a game; ConfigError for any other game."""
    if isinstance(rules, str):
        rules = load_game(rules)
    if isinstance(rules, RulesGame):
        return rules.rules
    if isinstance(rules, Rules):
        return rules
    raise bad_argument(
        "rules", rules, "a rules module (equilibrist.rules), such as 'rules:liars_dice(dice=2)'"
    )
