"""Solving a game on its explicit tree: compile, run the algorithm, evaluate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from equilibrist._jit import cache_is_warm
from equilibrist._jit.first_run import compiling_text
from equilibrist.abstraction import Abstraction, Translation
from equilibrist.errors import (
    ConfigError,
    GameSpecError,
    MemoryBudgetError,
    OutputError,
    RecallError,
)
from equilibrist.evaluation.families import describe
from equilibrist.formatting.escaping import repr_short
from equilibrist.game import Game
from equilibrist.game_loading import as_game, compile_game
from equilibrist.progress import Callbacks
from equilibrist.results import Result
from equilibrist.rules.module import Rules
from equilibrist.solvers.full_traversal.fsicfr import FixedStrategyIteration
from equilibrist.solvers.run.checkpoint import Checkpoint
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm
from equilibrist.solving.config import SolveConfig
from equilibrist.solving.files import check_files
from equilibrist.solving.guarantee import guarantee, perturbed_play
from equilibrist.solving.methods import RunOutcome, match_regrets, run_cfr, solve_exactly
from equilibrist.solving.modifiers.lifting import Lifting
from equilibrist.solving.modifiers.warm_start import StrategySource
from equilibrist.solving.option_fit import EXACT
from equilibrist.solving.walking import walk_listener
from equilibrist.storage.kinds.file_kinds import CHECKPOINT, SOLUTION
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.protocol import checked_rules, complete_rules, full_recall_of, recalls

_WALK: Final = "equilibrist.kernels.tree.build.link"
"""The kernel that compiling a game calls first."""


def run_explicit(
    game: str | Game[Any] | GameTree,
    algorithm: Algorithm | str,
    config: SolveConfig,
    callbacks: Callbacks,
    warm: StrategySource | None = None,
    abstraction: Abstraction | None = None,
    actions: Translation | None = None,
) -> tuple[Result, OutputError | None]:
    """Solve on the tree as `config` says; nothing but checkpoints is written.

    `warm` finds the strategy that `config.warm_start` names; `abstraction` is the one that
    `config.abstraction` names, if it has been made already, `actions` what `config.actions` and
    `config.translate` name. Returns the result, and what kept a checkpoint from being written and
    thereby ended the run.
    """
    return _Run(config, callbacks, warm, abstraction, actions).run(game, algorithm)


def check_problem(problem: object) -> None:
    """GameSpecError for what cannot be solved."""
    if isinstance(problem, str | GameTree | Rules):
        return
    try:
        checked_rules(problem)
    except GameSpecError as error:
        if error.remedy is not None:
            error.option = "problem"
            raise
        raise GameSpecError(
            f"{repr_short(problem)} of type {type(problem).__name__} cannot be solved",
            option="problem",
            given=problem,
            remedy="give a game or its name, such as 'kuhn', loaded rules, a poker.Spot or a "
            "poker.Hand",
        ) from None


def compiled(
    game: str | Game[Any] | GameTree | Rules, config: SolveConfig, callbacks: Callbacks
) -> GameTree:
    """Load and walk a game, unless that has been done.

    Args:
        game: The game.
        config: The options of the run: limits of its size.
        callbacks: Who is told how far it is.

    Returns:
        The tree.
    """
    if isinstance(game, GameTree):
        return game
    rules = complete_rules(as_game(game))  # a misspelt name needs no stage
    text = "walking the rules"
    if not cache_is_warm(_WALK):
        text = compiling_text(_WALK, before=text)
    callbacks.stage(text)
    return compile_game(
        rules,
        max_histories=config.max_histories,
        memory=config.memory,
        max_depth=config.max_depth,
        on_walk=walk_listener(config, callbacks),
    )


def _rules_of(game: str | Game[Any] | GameTree) -> Game[Any]:
    return game.game if isinstance(game, GameTree) else as_game(game)


@dataclass(frozen=True)
class _Run:
    """A call of `run_explicit`: its options and who listens."""

    config: SolveConfig
    callbacks: Callbacks
    warm: StrategySource | None
    abstraction: Abstraction | None
    actions: Translation | None

    def run(
        self, game: str | Game[Any] | GameTree, algorithm: Algorithm | str
    ) -> tuple[Result, OutputError | None]:
        if self.actions is None and self.config.translate is not None:
            from equilibrist.abstraction.actions.mappings import check_mapping_name

            check_mapping_name(self.config.translate)
        saved = check_files(self.config, SOLUTION, CHECKPOINT, Checkpoint)
        if self.config.executor == "ray":
            from equilibrist.solvers.sampling.ray_cluster import check_cluster

            check_cluster(self.config.address)
        if isinstance(algorithm, FixedStrategyIteration):
            from equilibrist.solving.fixed_strategy import run_fsicfr

            if self.config.abstraction is None and self.config.drop_below is None:
                tree = self.compile_recalled(game)
                lifting, rules = Lifting(tree, tree), _rules_of(game)
            else:
                lifting, rules = self.lifting(self.compile(game)), None
            finished = run_fsicfr(rules, lifting, self.config, self.callbacks, saved)
            return self.result(lifting, algorithm, finished), finished.failure
        tree = self.compile(game)
        lifting = self.lifting(tree)
        if self.config.sampler is not None and isinstance(algorithm, Variant):
            from equilibrist.solving.sampling import run_mccfr

            finished = run_mccfr(lifting, algorithm, self.config, self.callbacks, saved)
        elif not isinstance(algorithm, str):
            start = None if self.warm is None else self.warm(tree)
            finished = run_cfr(lifting, algorithm, self.config, self.callbacks, saved, start)
        elif algorithm in EXACT:
            finished = solve_exactly(lifting, self.callbacks)
        else:
            finished = match_regrets(tree, self.config, self.callbacks)
        return self.result(lifting, algorithm, finished), finished.failure

    def lifting(self, tree: GameTree) -> Lifting:
        """Choose what is solved in place of the game, and how it is carried back."""
        wanted = self.config.abstraction is not None or self.config.drop_below is not None
        if wanted and not recalls(tree.game):
            option = "drop_below" if self.config.abstraction is None else "abstraction"
            raise ConfigError(
                f"players of {tree.name} forget already; {option} is for the game with perfect "
                "recall, in which the strategy is measured",
                option=option,
                given=getattr(self.config, option),
                expected="a game with perfect recall",
                remedy=f"take {full_recall_of(tree.game).name}",
            )
        lifting = Lifting.of(
            tree,
            self.abstraction or self.config.abstraction,
            self.actions or self.config.actions,
            self.config.translate,
        )
        if self.config.drop_below is not None:
            lifting = lifting.cut(self.config.drop_below, self.config.drop_play)
        return lifting

    def compile_recalled(self, game: str | Game[Any] | GameTree) -> GameTree:
        """The game with perfect recall, where strategies can be measured."""
        rules = _rules_of(game)
        if recalls(rules):
            tree = self.compile(game)
            try:
                tree.sequence_form  # noqa: B018 - raises RecallError: nothing could be measured
            except RecallError as error:
                if tree.num_players != 2 or not tree.is_constant_sum:
                    raise  # nor does fsicfr solve it
                raise RecallError(
                    f"infoset {error.infoset!r} has imperfect recall. fsicfr solves such games, "
                    f"and its strategy is measured in the same game with perfect recall, which "
                    f"{tree.name} does not name",
                    error.infoset,
                    error.history,
                    remedy="give the rules a method `full_recall`, or use the class FSICFR, which "
                    "measures nothing",
                ) from None
            return tree
        try:
            return self.compile(full_recall_of(rules))
        except MemoryBudgetError as error:
            raise MemoryBudgetError(
                error.problem,
                error.histories,
                error.estimate,
                option=error.option,
                given=error.given,
                remedy=f"What {rules.name} gives is measured there: raise `{error.option}`, choose "
                "smaller parameters, or use the class FSICFR, which needs no tree and measures "
                "nothing",
            ) from None

    def compile(self, game: str | Game[Any] | GameTree) -> GameTree:
        """Load and walk, unless that has been done."""
        return compiled(game, self.config, self.callbacks)

    def result(self, game: Lifting, algorithm: Algorithm | str, finished: RunOutcome) -> Result:
        """The result with its guarantee."""
        tree = game.tree
        config = self.config
        used = config.threads if config.sampler is not None else finished.threads
        family = describe(finished.strategy)
        perturbed = perturbed_play(finished.strategy, algorithm, config)
        if perturbed is not None:
            finished = replace(finished, details=perturbed)
        return finished.result(
            tree.name,
            config,
            self.callbacks,
            guarantee=guarantee(game, finished, algorithm, config),
            threads=used,
            family=None if family is None else family.to_dict(),
            abstraction=game.stored(),
            actions=game.stored_actions(),
        )
