"""Which options of `solve` do not go together with an algorithm, or with each other: two tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from equilibrist.errors import ConfigError
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
from equilibrist.solvers.full_traversal.efr import NAME as EFR
from equilibrist.solvers.full_traversal.efr import is_efr
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY

EXACT = ("lp",)
"""Algorithms that do not iterate."""
MATCHING = ("regret-matching", "regret-matching+")
"""Algorithms for games in normal form only."""
_QUANTAL: Final = ("qre",)
SolveOptions: TypeAlias = Any
"""A `SolveConfig`, whose module imports this one."""
_When: TypeAlias = Callable[[SolveOptions], object]


class _Kind(NamedTuple):
    """A kind of algorithm, and the options that have no meaning with it.

    Attributes:
        when: Whether a run is of this kind; the first kind counts.
        refused: The options.
        why: What the algorithm does, so that they have none.
        name: What it is called, with the names of options in brackets.
        remedy: What to do about them.
    """

    when: _When
    refused: tuple[str, ...]
    why: str
    name: str = "{algorithm}"
    remedy: str = "leave it out"


class _Clash(NamedTuple):
    """An option that does not go together with others, or with some algorithms.

    Attributes:
        option: The option.
        other: An option that it is not combined with, the algorithms that do not take it, or
            whether a run is wrong, whatever the option is.
        why: What is wrong, with the names of options in brackets for their values.
        remedy: What to do about it.
        place: The other option, where the error names it apart.
    """

    option: str
    other: str | tuple[str, ...] | _When
    why: str
    remedy: str = "leave it out"
    place: str | None = None

    def applies(self, config: SolveOptions) -> bool:
        """Whether the options of a run are so."""
        if callable(self.other):
            return bool(self.other(config))
        if not _is_set(config, self.option):
            return False
        if isinstance(self.other, str):
            return _is_set(config, self.other)
        return config.algorithm.partition("(")[0].strip() in self.other


def refuse_unfit(config: SolveOptions) -> None:
    """ConfigError for an option that does not go together with the algorithm or with others."""
    values = dict(config)
    kind = next(kind for kind in _KINDS if kind.when(config))
    refused = kind.refused
    if config.explicit_tree is False and "sampler" in refused:
        refused = ("explicit_tree", *refused)
    for option in refused:
        if _is_set(config, option):
            raise ConfigError(
                f"{option} has no meaning with {kind.name.format(**values)}, which {kind.why}",
                option=option,
                given=values[option],
                remedy=kind.remedy,
            )
    for clash in _CLASHES:
        if clash.applies(config):
            raise ConfigError(
                clash.why.format(**values),
                option=clash.option,
                given=values[clash.option],
                place=clash.place,
                remedy=clash.remedy,
            )
    if config.sampler is not None:
        from equilibrist.solvers.sampling.executors import fit_executor

        fit_executor(config.threads or 1, config.shared, config.executor, config.address)


def _is_set(config: SolveOptions, option: str) -> bool:
    return bool(getattr(config, option) != type(config).model_fields[option].default)


def _without(option: str, other: str) -> _When:
    """Whether an option is set and another is not, which it needs."""
    return lambda c: _is_set(c, option) and not _is_set(c, other)


def _without_tree(option: str) -> _When:
    """Whether an option is set, and no tree is compiled in any case."""
    return lambda c: c.explicit_tree is False and _is_set(c, option)


_CLUSTER: Final = ("shared", "executor", "address")
_SAMPLING: Final = ("sampler", "averaging", "averaging_every", "period", *_CLUSTER)
_LIMITS: Final = ("iterations", "target", "seconds")
_TRAVERSAL: Final = ("alternating", "tremble", "prune")
_CHECKPOINTS: Final = ("checkpoint", "checkpoint_every", "resume")
_WHOLE_TREE: Final = "traverses the whole tree and always updates all players at once"
_KINDS: Final = (
    _Kind(
        lambda c: c.algorithm in EXACT,
        (*_SAMPLING, *_LIMITS, *_TRAVERSAL, "output", "plot", *_CHECKPOINTS),
        "solves directly and does not iterate",
    ),
    _Kind(
        lambda c: c.algorithm in MATCHING,
        (*_SAMPLING, *_CHECKPOINTS, *_TRAVERSAL),
        "samples joint play, has no checkpoints, and always updates all players at once",
    ),
    _Kind(lambda c: c.algorithm in RESPONDING, (*_SAMPLING, *_TRAVERSAL), _WHOLE_TREE),
    _Kind(
        lambda c: is_efr(c.algorithm) and c.alternating,
        (*_SAMPLING, "prune", "alternating"),
        _WHOLE_TREE,
    ),
    _Kind(lambda c: is_efr(c.algorithm), (*_SAMPLING, "prune"), _WHOLE_TREE),
    _Kind(
        lambda c: c.algorithm in FIXED_STRATEGY,
        (*_SAMPLING, *_TRAVERSAL),
        "samples chance itself and always updates all players at once",
    ),
    _Kind(
        lambda c: c.sampler is None,
        _SAMPLING[1:],
        "visit the whole tree",
        "full traversals",
        "give `sampler`, or leave it out",
    ),
    _Kind(
        lambda c: c.alternating is None, ("tremble",), "plays what is learnt", "{sampler} sampling"
    ),
    _Kind(
        lambda _: True,
        ("alternating", "tremble"),
        "updates one player per traversal",
        "{sampler} sampling",
    ),
)

_EITHER: Final = "leave out one of the two"
_ANOTHER: Final = "leave it out, or choose another algorithm"
_UNPRUNED: Final = {
    "sampler": "samplers prune by a parameter of their own, as in external(prune=1000)",
    "measure": "the history of play is measured by traversals of another kind",
    "tremble": "with trembles everything is played, so that nothing can be skipped",
}
_WHOLE_GAME: Final = {
    "warm_start": "which is of the full game",
    "tremble": "where every action is played",
    "drop_below": "which cuts the whole game",
}
_OF_TREES: Final = ("max_histories", "max_depth", "abstraction", "actions", "drop_below")
_OTHER_GAME: Final = "iterations play the {}, whose gap is not that of the full game"
_UNMEASURED: Final[dict[str | tuple[str, ...], tuple[str, str]]] = {
    "sampler": ("{sampler} sampling sees only parts of the profiles that are played", ""),
    EXACT: ("{algorithm} solves directly and has no history of play", ""),
    MATCHING: (
        "{algorithm} samples joint play, and reports the gap of that by itself",
        "use cfr, which matches regrets on the same game",
    ),
    (*RESPONDING, *FIXED_STRATEGY): (
        "in {algorithm} players do not play against each other's strategies",
        "use cfr, dcfr or another variant",
    ),
    "tremble": ("with trembles players do not play what they learn", "leave out `tremble`"),
    "abstraction": (_OTHER_GAME.format("abstract game"), "solve without `abstraction`"),
    "drop_below": (_OTHER_GAME.format("game that was cut"), "solve without `drop_below`"),
    "actions": (_OTHER_GAME.format("abstract game"), "solve without `actions`"),
}
"""With what no history of play can be measured: why, and what else helps than to measure less."""
_NO_MEASURE: Final = "measure={measure} has no meaning here: "
_CLASHES: Final = (
    *(
        _Clash(
            "prune",
            other,
            f"prune has no meaning with `{other}`: {why}",
            "leave one of them out",
            other,
        )
        for other, why in _UNPRUNED.items()
    ),
    _Clash(
        "prune",
        lambda c: c.warm_start and c.prune and not c.prune.startswith(("partial", "threshold")),
        "prune has no meaning with `warm_start`: {prune} pruning must have seen every iteration",
        "leave one of them out",
        "warm_start",
    ),
    _Clash(
        "warm_iterations",
        _without("warm_iterations", "warm_start"),
        "warm_iterations has no meaning without `warm_start`",
        "give `warm_start`, or leave it out",
    ),
    _Clash(
        "warm_start",
        (*EXACT, *MATCHING, *RESPONDING, *FIXED_STRATEGY, EFR),
        "warm_start is for CFR, not for {algorithm}",
    ),
    _Clash(
        "warm_start",
        "sampler",
        "warm_start is for CFR by full traversals",
        "leave it out, or leave out `sampler`",
    ),
    _Clash(
        "warm_start",
        "tremble",
        "warm_start has no meaning with `tremble`, whose regrets are of another game",
        "leave one of them out",
    ),
    _Clash(
        "warm_start",
        "resume",
        "`resume` continues from the regrets of the checkpoint",
        "leave out `warm_start`",
    ),
    _Clash(
        "iterations",
        lambda c: c.warm_start and c.iterations and c.iterations <= c.warm_iterations,
        "iterations is {iterations:,}, of which the warm start counts as {warm_iterations:,}",
        "give more, or fewer `warm_iterations`",
    ),
    _Clash(
        "drop_play",
        _without("drop_play", "drop_below"),
        "drop_play has no meaning without `drop_below`",
        "give `drop_below`, or leave it out",
    ),
    _Clash(
        "drop_below",
        _QUANTAL,
        "{algorithm} finds a quantal response equilibrium of the whole game",
        _ANOTHER,
    ),
    _Clash(
        "drop_below",
        lambda c: c.algorithm == "cfr-br" and c.abstraction and c.drop_below,
        "drop_below has no meaning with {algorithm} and `abstraction`, whose best responses are "
        "those of the game that was not merged",
        _EITHER,
        "abstraction",
    ),
    *(
        clash
        for option in ("abstraction", "drop_below")
        for clash in (
            _Clash(
                option,
                MATCHING,
                f"{option} is for games with trees, not for {{algorithm}}",
                _ANOTHER,
            ),
            _Clash(
                "warm_start",
                option,
                f"warm_start is of the full game, and `{option}` solves another",
                _EITHER,
            ),
        )
    ),
    _Clash(
        "translate",
        _without("translate", "actions"),
        "`translate` maps actions that `actions` leaves out, and no `actions` is given",
        "give `actions` with it, such as bets=1,3",
    ),
    _Clash(
        "actions",
        (*MATCHING, *FIXED_STRATEGY, *_QUANTAL),
        "actions is for full traversals, samplers and lp, not for {algorithm}",
        _ANOTHER,
    ),
    *(
        _Clash(other, "actions", f"actions cannot be combined with `{other}`, {why}", _EITHER)
        for other, why in _WHOLE_GAME.items()
    ),
    _Clash(
        "sampler",
        lambda c: c.explicit_tree is False and c.sampler is None,
        "`explicit_tree=False` samples, and no sampler is given",
        'give one, such as `sampling="external"`',
    ),
    *(
        _Clash(
            option,
            _without_tree(option),
            f"{option} has no meaning with `explicit_tree=False`, which walks no tree",
        )
        for option in _OF_TREES
    ),
    _Clash(
        "period",
        lambda c: c.period and c.algorithm == "cfr" and (c.shared or (c.threads or 1) == 1),
        "period has no meaning with cfr, which discounts nothing, where no tables of threads are "
        "merged",
        "leave it out, or choose lcfr or dcfr",
    ),
    _Clash(
        "save_device",
        _without("save_device", "measure"),
        "save_device is for the history of play, which is kept where it is measured",
        "give `measure`",
    ),
    *(
        _Clash(
            "measure",
            other,
            _NO_MEASURE + why,
            "leave out `measure`" + (f", or {remedy}" if remedy else ""),
        )
        for other, (why, remedy) in _UNMEASURED.items()
    ),
    _Clash(
        "measure",
        lambda c: c.measure and c.alternating,
        _NO_MEASURE + "players who update in turn play no common profile in an iteration",
        "leave out `alternating`",
    ),
    _Clash(
        "measure",
        "output",
        _NO_MEASURE + "the gap is that of the whole history of play, not of the last strategy",
        "leave out `output`",
    ),
    _Clash(
        "measure",
        "warm_start",
        _NO_MEASURE + "iterations that a warm start stands for have not been played",
        "leave out `warm_start`",
    ),
    _Clash(
        "iterations",
        lambda c: c.save_device and not c.uses_default_stop and c.iterations is None,
        "save_device keeps the profile of every iteration, and nothing bounds their number",
        "give `iterations`",
    ),
)
