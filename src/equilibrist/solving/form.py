"""The form in which a problem is solved: on an explicit tree, or by sampling without one."""

from __future__ import annotations

from typing import Any, Final

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.game import Game
from equilibrist.game_loading import as_game, compile_game
from equilibrist.games.spec import parse_spec
from equilibrist.progress import Callbacks
from equilibrist.rules.game import RulesGame
from equilibrist.rules.module import Rules
from equilibrist.solvers.implicit.samplers import needs_no_tree
from equilibrist.solvers.sampling.registry import get_sampler
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.walking import walk_listener
from equilibrist.storage.archive import kind_of
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.budget import RULES_HISTORIES
from equilibrist.tree.walk.estimate import estimate_histories

_WIDTH: Final = 50
_FAR: Final = 20.0
"""A game with so many times too many histories, by an estimate of that width, is not walked."""


def form_of(
    game: str | Game[Any] | GameTree, config: SolveConfig, callbacks: Callbacks
) -> str | Game[Any] | GameTree | Rules:
    """The game, compiled or not, to be solved on its tree; or Rules to be sampled without one.

    `config.explicit_tree` decides. Where it is None, only a rules module can do without a tree, and
    it does where the sampler needs none and the tree would be too large, or where a run without a
    tree is resumed. Raises ConfigError where no tree is demanded of what needs one, and what
    loading a game raises.
    """
    if config.explicit_tree is False:
        return _rules_alone(game)
    if config.explicit_tree or not _may_go_without_tree(config) or not _is_rules(game):
        return game
    loaded = as_game(game) if isinstance(game, str) else game
    assert isinstance(loaded, RulesGame)
    form = tree_or_rules(loaded, config, callbacks)
    return form if isinstance(form, GameTree) else form.rules


def _may_go_without_tree(config: SolveConfig) -> bool:
    """Whether it draws with a sampler that needs no tree."""
    return config.sampler is not None and needs_no_tree(get_sampler(config.sampler))


def tree_or_rules(
    game: RulesGame, config: SolveConfig, callbacks: Callbacks
) -> GameTree | RulesGame:
    """The compiled game; the rules as they are if they have too many histories for that.

    They stay as they are, too, where a run without a tree is resumed.
    """
    if config.resume is not None:
        from equilibrist.storage.kinds.file_kinds import TREELESS_CHECKPOINT

        if kind_of(config.resume) == TREELESS_CHECKPOINT:
            return game
    limit = RULES_HISTORIES if config.max_histories is None else config.max_histories
    estimate = _estimated(game)
    if estimate < _FAR * limit:
        callbacks.stage("walking the rules")
        try:
            return compile_game(
                game,
                max_histories=limit,
                memory=config.memory,
                max_depth=config.max_depth,
                on_walk=walk_listener(config, callbacks),
            )
        except MemoryBudgetError as error:
            estimate = estimate if error.estimate is None else error.estimate
    callbacks.stage(f"about {estimate:.2g} histories (an estimate): sampling without a tree")
    return game


def _is_rules(game: object) -> bool:
    """Whether it is a rules module, or names one."""
    if isinstance(game, str):
        return parse_spec(game).is_rules
    return isinstance(game, RulesGame)


def _rules_alone(game: str | Game[Any] | GameTree) -> Rules:
    """The rules to be sampled without a tree; ConfigError for anything else."""
    loaded = game.game if isinstance(game, GameTree) else as_game(game)
    if isinstance(loaded, RulesGame):
        return loaded.rules
    raise ConfigError(
        "`explicit_tree=False` is for rules modules, which "
        f"{getattr(loaded, 'name', loaded)!r} is not",
        option="explicit_tree",
        given=False,
        remedy="leave it out, or write the game as a rules module, such as "
        "'rules:liars_dice(dice=2)'",
    )


def _estimated(game: RulesGame) -> float:
    """About how many histories; 0 for rules that raise, of which a walk says more."""
    try:
        return estimate_histories(game, _WIDTH, game.rules.max_moves)
    except Exception:
        return 0.0
