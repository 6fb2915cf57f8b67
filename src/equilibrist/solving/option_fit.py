"""Which options of `solve` go together with an algorithm, and with each other."""

from __future__ import annotations

from typing import Any

from equilibrist.errors import ConfigError
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
from equilibrist.solvers.full_traversal.efr import is_efr
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY

EXACT = ("lp",)
"""Algorithms that do not iterate."""
MATCHING = ("regret-matching", "regret-matching+")
"""Algorithms for games in normal form only."""
SolveOptions = Any
"""A `SolveConfig`, whose module imports this one."""


def refuse_unfit(config: SolveOptions) -> None:
    """ConfigError for an option that does not go together with the algorithm or with others."""
    refused: tuple[str, ...] = ()
    name, remedy = config.algorithm, "leave it out"
    drawing = ("sampler", "averaging", "averaging_every", "period")
    cluster = ("shared", "executor", "address")
    sampling = (*drawing, *cluster)
    if config.algorithm in EXACT:
        refused = (
            *sampling,
            "iterations",
            "target",
            "seconds",
            "alternating",
            "tremble",
            "prune",
            "output",
            "plot",
            "checkpoint",
            "checkpoint_every",
            "resume",
        )
        why = "solves directly and does not iterate"
    elif config.algorithm in MATCHING:
        refused = (
            *sampling,
            "checkpoint",
            "checkpoint_every",
            "resume",
            "alternating",
            "tremble",
            "prune",
        )
        why = "samples joint play, has no checkpoints, and always updates all players at once"
    elif config.algorithm in RESPONDING:
        refused = (*sampling, "alternating", "tremble", "prune")
        why = "traverses the whole tree and always updates all players at once"
    elif is_efr(config.algorithm):
        refused = (*sampling, "prune", *(("alternating",) if config.alternating else ()))
        why = "traverses the whole tree and always updates all players at once"
    elif config.algorithm in FIXED_STRATEGY:
        refused = (*sampling, "alternating", "tremble", "prune")
        why = "samples chance itself and always updates all players at once"
    elif config.sampler is None:
        refused, name = sampling[1:], "full traversals"
        why, remedy = "visit the whole tree", "give `sampler`, or leave it out"
    else:
        refused, name = ("alternating", "tremble"), f"{config.sampler} sampling"
        why = "updates one player per traversal"
        if config.tremble is not None and config.alternating is None:
            why = "plays what is learnt"
    if config.explicit_tree is False and "sampler" in refused:
        refused = ("explicit_tree", *refused)
    for option in refused:
        if getattr(config, option) != type(config).model_fields[option].default:
            raise ConfigError(
                f"{option} has no meaning with {name}, which {why}",
                option=option,
                given=getattr(config, option),
                remedy=remedy,
            )
    _check_pruning(config)
    _check_warm_start(config)
    _check_abstraction(config)
    _check_actions(config)
    if config.explicit_tree is False:
        _refuse_what_needs_a_tree(config)
    if config.sampler is not None:
        from equilibrist.solvers.sampling.executors import fit_executor

        count = config.threads or 1
        fit_executor(count, config.shared, config.executor, config.address)
        merges = count > 1 and not config.shared
        if config.period is not None and config.algorithm == "cfr" and not merges:
            raise ConfigError(
                "period has no meaning with cfr, which discounts nothing, where no tables of "
                "threads are merged",
                option="period",
                given=config.period,
                remedy="leave it out, or choose lcfr or dcfr",
            )


def _refuse_what_needs_a_tree(config: SolveOptions) -> None:
    """Refuse options that have no meaning where no tree is compiled in any case."""
    if config.sampler is None:
        raise ConfigError(
            "`explicit_tree=False` samples, and no sampler is given",
            option="sampler",
            remedy='give one, such as `sampling="external"`',
        )
    for option in ("max_histories", "max_depth", "abstraction", "actions", "drop_below"):
        if getattr(config, option) != type(config).model_fields[option].default:
            raise ConfigError(
                f"{option} has no meaning with `explicit_tree=False`, which walks no tree",
                option=option,
                given=getattr(config, option),
                remedy="leave it out",
            )


def _check_pruning(config: SolveOptions) -> None:
    """Refuse what does not go together with pruning of full traversals."""
    if config.prune is None:
        return
    exact = config.prune == "partial" or config.prune.startswith("threshold")
    reasons = {
        "sampler": "samplers prune by a parameter of their own, as in external(prune=1000)",
        "measure": "the history of play is measured by traversals of another kind",
        "tremble": "with trembles everything is played, so that nothing can be skipped",
    }
    if not exact:
        reasons["warm_start"] = f"{config.prune} pruning must have seen every iteration"
    for option, why in reasons.items():
        if getattr(config, option) is not None:
            raise ConfigError(
                f"prune has no meaning with `{option}`: {why}",
                option="prune",
                given=config.prune,
                place=option,
                remedy="leave one of them out",
            )


def _check_abstraction(config: SolveOptions) -> None:
    """Refuse what does not go together with an abstraction, or with a game that is cut."""
    default = type(config).model_fields["drop_play"].default
    if config.drop_below is None and config.drop_play != default:
        raise ConfigError(
            "drop_play has no meaning without `drop_below`",
            option="drop_play",
            given=config.drop_play,
            remedy="give `drop_below`, or leave it out",
        )
    if config.drop_below is not None and config.algorithm.startswith("qre"):
        raise ConfigError(
            f"{config.algorithm} finds a quantal response equilibrium of the whole game",
            option="drop_below",
            given=config.drop_below,
            remedy="leave it out, or choose another algorithm",
        )
    values = [(name, getattr(config, name)) for name in ("abstraction", "drop_below")]
    for option, value in [(name, value) for name, value in values if value is not None]:
        if config.algorithm in MATCHING:
            raise ConfigError(
                f"{option} is for games with trees, not for {config.algorithm}",
                option=option,
                given=value,
                remedy="leave it out, or choose another algorithm",
            )
        if config.warm_start is not None:
            raise ConfigError(
                f"warm_start is of the full game, and `{option}` solves another",
                option="warm_start",
                given=config.warm_start,
                remedy="leave out one of the two",
            )


def _check_actions(config: SolveOptions) -> None:
    """Refuse what does not go together with actions that are left out."""
    if config.actions is None:
        if config.translate is not None:
            raise ConfigError(
                "`translate` maps actions that `actions` leaves out, and no `actions` is given",
                option="translate",
                given=config.translate,
                remedy="give `actions` with it, such as bets=1,3",
            )
        return
    if config.algorithm in (*MATCHING, *FIXED_STRATEGY) or config.algorithm.startswith("qre"):
        raise ConfigError(
            f"actions is for full traversals, samplers and lp, not for {config.algorithm}",
            option="actions",
            given=config.actions,
            remedy="leave it out, or choose another algorithm",
        )
    others = {
        "warm_start": "which is of the full game",
        "tremble": "where every action is played",
        "drop_below": "which cuts the whole game",
    }
    for option, why in others.items():
        if getattr(config, option) is not None:
            raise ConfigError(
                f"actions cannot be combined with `{option}`, {why}",
                option=option,
                given=getattr(config, option),
                remedy="leave out one of the two",
            )


def _check_warm_start(config: SolveOptions) -> None:
    """Refuse what does not go together with a strategy to start from."""
    if config.warm_start is None:
        if config.warm_iterations != type(config).model_fields["warm_iterations"].default:
            raise ConfigError(
                "warm_iterations has no meaning without `warm_start`",
                option="warm_iterations",
                given=config.warm_iterations,
                remedy="give `warm_start`, or leave it out",
            )
        return
    others = (*EXACT, *MATCHING, *RESPONDING, *FIXED_STRATEGY)
    if config.algorithm in others or is_efr(config.algorithm):
        raise ConfigError(
            f"warm_start is for CFR, not for {config.algorithm}",
            option="warm_start",
            given=config.warm_start,
            remedy="leave it out",
        )
    if config.sampler is not None:
        raise ConfigError(
            "warm_start is for CFR by full traversals",
            option="warm_start",
            given=config.warm_start,
            remedy="leave it out, or leave out `sampler`",
        )
    if config.tremble is not None:
        raise ConfigError(
            "warm_start has no meaning with `tremble`, whose regrets are of another game",
            option="warm_start",
            given=config.warm_start,
            remedy="leave one of them out",
        )
    if config.resume is not None:
        raise ConfigError(
            "`resume` continues from the regrets of the checkpoint",
            option="warm_start",
            given=config.warm_start,
            remedy="leave out `warm_start`",
        )
    if config.iterations is not None and config.iterations <= config.warm_iterations:
        raise ConfigError(
            f"iterations is {config.iterations:,}, of which the warm start counts as "
            f"{config.warm_iterations:,}",
            option="iterations",
            given=config.iterations,
            remedy="give more, or fewer `warm_iterations`",
        )
