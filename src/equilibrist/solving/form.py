"""Which form a rules module is solved in: as a tree, where it has one that fits, or as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from equilibrist.errors import MemoryBudgetError
from equilibrist.game_loading import compile_game
from equilibrist.rules.game import RulesGame
from equilibrist.solvers.implicit.checkpoint import KIND as CHECKPOINT
from equilibrist.solvers.implicit.samplers import needs_no_tree
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solving.config import SolveConfig
from equilibrist.storage.archive import kind_of
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.budget import RULES_HISTORIES
from equilibrist.tree.walk.estimate import estimate_histories

_WIDTH: Final = 50
_FAR: Final = 20.0
"""A game with so many times too many histories, by an estimate of that width, is not walked."""


def may_go_without_tree(config: SolveConfig) -> bool:
    """Whether it draws with a sampler that needs no tree."""
    return config.sampler is not None and needs_no_tree(get_sampler(config.sampler))


def tree_or_rules(
    game: RulesGame,
    config: SolveConfig,
    on_stage: Callable[[str], None],
    on_walk: Callable[[int], None] | None = None,
) -> GameTree | RulesGame:
    """The compiled game; the rules as they are if they have too many histories for that.

    They stay as they are, too, where a run without a tree is resumed.
    """
    if config.resume is not None and kind_of(config.resume) == CHECKPOINT:
        return game
    limit = RULES_HISTORIES if config.max_histories is None else config.max_histories
    estimate = _estimated(game)
    if estimate < _FAR * limit:
        on_stage("walking the rules")
        try:
            return compile_game(
                game,
                max_histories=limit,
                memory=config.memory,
                max_depth=config.max_depth,
                progress=on_walk,
            )
        except MemoryBudgetError as error:
            estimate = estimate if error.estimate is None else error.estimate
    on_stage(f"about {estimate:.2g} histories (an estimate): sampling without a tree")
    return game


def _estimated(game: RulesGame) -> float:
    """About how many histories; 0 for rules that raise, of which a walk says more."""
    try:
        return estimate_histories(game, _WIDTH, game.rules.max_moves)
    except Exception:
        return 0.0
