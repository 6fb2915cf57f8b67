"""Runs whose full traversals are pruned: which solver does it, what it tells, what does not fit."""

from __future__ import annotations

from equilibrist.results.details import PrunedTraversals
from equilibrist.solvers.pruning.methods import BestResponse, Interval, get_pruning, refuse_rule
from equilibrist.solvers.pruning.partial import PartialCFR
from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.config import SolveConfig
from equilibrist.tree.compile import GameTree


def check_pruning(algorithm: object, config: SolveConfig) -> None:
    """ConfigError for an algorithm whose traversals cannot be pruned as `config` says."""
    if config.prune is not None:
        name = str(getattr(algorithm, "name", algorithm))
        refuse_rule(get_pruning(config.prune), algorithm, name)


def pruned_solver(
    tree: GameTree, rule: object, config: SolveConfig, horizon: int | None
) -> PartialCFR | PrunedCFR:
    """The solver that prunes as `config` says; raises UnsupportedError and RecallError."""
    assert config.prune is not None
    pruning = get_pruning(config.prune)
    if isinstance(pruning, Interval | BestResponse):
        assert isinstance(rule, Variant)  # `check_pruning` refuses others
        return PrunedCFR(tree, rule, pruning, alternating=config.alternating)
    assert isinstance(rule, Variant | LocalRule)
    return PartialCFR(tree, rule, pruning, alternating=config.alternating, horizon=horizon)


def traversal_details(solver: object, config: SolveConfig) -> PrunedTraversals | None:
    """The details of pruned traversals for a result; None without pruning."""
    if config.prune is None or not isinstance(solver, PartialCFR | PrunedCFR):
        return None
    visits = solver.visits
    dropping = solver if isinstance(solver, PrunedCFR) else None
    if dropping is not None and not isinstance(dropping.pruning, BestResponse):
        dropping = None
    return PrunedTraversals(
        pruning=config.prune,
        nodes_touched=visits.nodes,
        nodes_unpruned=visits.nodes_unpruned,
        terminals_touched=visits.terminals,
        terminals_unpruned=visits.terminals_unpruned,
        stored_infosets=None if dropping is None else dropping.stored_infosets,
        stored_actions=None if dropping is None else dropping.stored_actions,
    )
