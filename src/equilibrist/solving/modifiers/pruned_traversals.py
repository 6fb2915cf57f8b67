"""Runs whose full traversals are pruned: which solver does it, what it tells, what does not fit."""

from __future__ import annotations

from equilibrist.errors import UnsupportedError
from equilibrist.results.details import PrunedTraversals
from equilibrist.solvers.pruning.methods import BestResponse, Interval, get_pruning, refuse_rule
from equilibrist.solvers.pruning.partial import PartialCFR
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.rule import Rule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.tree.compile import GameTree


def check_pruning(algorithm: Rule | str, config: SolveConfig) -> None:
    """ConfigError for an algorithm whose traversals cannot be pruned as `config` says."""
    if config.prune is not None:
        name = algorithm if isinstance(algorithm, str) else algorithm.name
        refuse_rule(get_pruning(config.prune), algorithm, name)


def refuse_forgetting(game: Lifting, config: SolveConfig) -> None:
    """UnsupportedError for pruning where a player forgets."""
    if config.prune is None or game.recalls:
        return
    raise UnsupportedError(
        "pruning needs perfect recall, and in the abstraction a player forgets",
        option="prune",
        given=config.prune,
        remedy="leave out `prune`, or use an abstraction with perfect recall",
    )


def pruned_solver(
    tree: GameTree, rule: Variant | LocalRule, config: SolveConfig, horizon: int | None
) -> PartialCFR | PrunedCFR:
    """The solver that prunes as `config` says; raises UnsupportedError, ConfigError, RecallError."""
    assert config.prune is not None
    pruning = get_pruning(config.prune)
    if isinstance(pruning, Interval | BestResponse):
        assert isinstance(rule, Variant)
        return PrunedCFR(tree, rule, pruning, alternating=config.alternating)
    return PartialCFR(tree, rule, pruning, alternating=config.alternating, horizon=horizon)


def told(solver: object, config: SolveConfig) -> PrunedTraversals | None:
    """What the result tells of pruning; None without any."""
    if config.prune is None or not isinstance(solver, PartialCFR | PrunedCFR):
        return None
    found = solver.visits
    by_responses = isinstance(solver, PrunedCFR) and isinstance(solver.pruning, BestResponse)
    return PrunedTraversals(
        pruning=config.prune,
        nodes_touched=found.nodes,
        nodes_unpruned=found.nodes_unpruned,
        terminals_touched=found.terminals,
        terminals_unpruned=found.terminals_unpruned,
        stored_infosets=solver.stored_infosets if by_responses else None,
        stored_actions=solver.stored_actions if by_responses else None,
    )

