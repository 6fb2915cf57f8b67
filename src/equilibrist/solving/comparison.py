"""Comparison of algorithms on one game: what each reaches within the same limits, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, NamedTuple

from equilibrist.errors import ConfigError
from equilibrist.game import Game
from equilibrist.game_loading import compile_game
from equilibrist.options.solve_options import SHARED_OPTIONS
from equilibrist.parsing.arguments import (
    bad_argument,
    check_bool,
    finite_number,
    several,
    whole_number,
)
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress
from equilibrist.results.comparison import Comparison
from equilibrist.solvers.full_traversal.fsicfr import FIXED_STRATEGY
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.run.target import PAYOFF, Target
from equilibrist.solvers.variants.local_rule import LocalRule
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm, Rule, read_pruning, read_sampler
from equilibrist.solving.comparison_runs.contenders import Contender, get_contestant
from equilibrist.solving.comparison_runs.runs import Planned, run_in_order, run_side_by_side
from equilibrist.solving.config import Measure, SolveConfig
from equilibrist.solving.modifiers.warm_start import StrategySource, find_strategy
from equilibrist.solving.option_fit import EXACT, MATCHING
from equilibrist.solving.option_groups import GameLimits, Traversal, options_in
from equilibrist.solving.running import is_hand, is_spot
from equilibrist.tree.compile import GameTree

ALGORITHMS = ("cfr", "cfr+", "dcfr", "pcfr+")
"""The algorithms compared by default."""
LEVELS = (1e-3, 1e-4, 1e-6)
"""The values of the measure whose first reaching is tabulated by default, in payoff units.

A target takes the place of those below it.
"""
SECONDS = 10.0
"""Seconds per algorithm where no option says how far to go."""
_BUDGET = {"iterations", "seconds", "target"}
_NAMES = "names, such as 'dcfr' or 'lcfr@external'"


class Entry(NamedTuple):
    """What is compared under one name.

    Attributes:
        name: The name, as it was written.
        algorithm: A variant or another rule, or a contender; a name for what is none.
        sampler: The sampler's string; None for full traversals and contenders.
    """

    name: str
    algorithm: Algorithm | Contender | str
    sampler: str | None

    @property
    def algorithm_name(self) -> str:
        """The name of the algorithm without the sampler."""
        return self.algorithm if isinstance(self.algorithm, str) else self.algorithm.name

    @property
    def draws(self) -> bool:
        """Whether it draws at random, so that each seed is a run of its own."""
        drawing = (*FIXED_STRATEGY, *MATCHING)
        return (
            isinstance(self.algorithm, Contender)
            or self.sampler is not None
            or self.algorithm_name in drawing
        )

    def is_full_traversal(self, kind: type | UnionType) -> bool:
        """Whether it is an algorithm of this kind by full traversals."""
        return self.sampler is None and isinstance(self.algorithm, kind)


@shows_progress
def compare(
    game: str | Game[Any] | GameTree,
    algorithms: Sequence[str | Algorithm] | str | Algorithm = ALGORITHMS,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    seed: int = 0,
    seeds: int = 1,
    repeat: int = 1,
    side_by_side: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    traversal: Traversal | None = None,
    limits: GameLimits | None = None,
    measure: Measure | None = None,
    levels: Sequence[float] | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Comparison:
    """Run several algorithms on one game, each within the same limits.

    What is measured is the exploitability, or NashConv where that is not defined: at squares of
    iterations, then every 4 %. Seconds count iterating and measuring. Ctrl-C ends the comparison
    with what it has. One runs after the other, or all `side_by_side`.

    Args:
        game: A game's name, a `Game` or a `GameTree`.
        algorithms: Variants, LocalRules, or names as `solve` takes them: `"dcfr(gamma=3)"`,
            `"my.py:MyVariant"`, `"lp"`. A name may have a sampler: `"lcfr@external"`,
            `"@outcome(epsilon=0.4)"`. What `equilibrist.learned.train` trains races as well:
            `"sd-cfr"`, `"dream(learner=table)"`. One alone needs no list.
        stop: When each run ends. Its fields can be given directly, in its place.
        iterations: The most iterations of each run; `hs-dcfr` and `hs-pcfr+` plan for them, and
            need them.
        seconds: The most seconds of each run; with no limit at all 10.
        target: The measure that ends a run, in payoff units.
        seed: Seed of samplers, fsicfr and regret matching.
        seeds: Runs of each algorithm that draws at random, with this many seeds from `seed` on.
            The result then has medians and intervals.
        repeat: Runs of every algorithm with the same seed, which differ in their seconds.
        side_by_side: True runs all at the same time, in turns of about 50 ms on one processor: the
            run that has had the fewest seconds goes on, so that all see the same machine. The
            numbers are the same; seconds count only a run's own turns. What does not iterate
            (`lp`) runs at the end.
        threads: The most threads that share a full traversal, as in `solve`, by default one for
            each processor; samplers and all else take one. Seconds of algorithms that several
            threads share are not like those of the others: with one thread all are alike.
        memory: The most bytes of the compiled game.
        traversal: How the full traversals of variants and rules go; entries that its pruning does
            not fit are in `failed`. A warm start is for variants; all else starts from nothing.
            Trembles are refused.
        limits: How large the tree may be.
        measure: `efce`, `efcce` or `cce`: the concept of correlated equilibrium whose gap the race
            is about.
        levels: The values of the measure, in payoff units, for which the result tabulates when
            they were first reached; by default 1e-3, 1e-4 and 1e-6, and with a target those of them
            that are above it, and the target.
        callbacks: Functions called as the runs progress; a single function is taken as
            `on_progress`. The `algorithm` of its Progress is the name of the entry; False ends that
            entry's run.
        progress: Whether a line shows the progress, as in `solve`.

    Returns:
        The runs. An algorithm that refused the game, or failed on the way, is in its `failed`.

    Raises:
        ConfigError: An option is wrong; nothing has been walked then.
        UnknownNameError: No algorithm or sampler has that name.
        EquilibristError: What `solve` raises, where no algorithm is left.
    """
    options = {
        **merge_stop(stop, iterations=iterations, seconds=seconds, target=target),
        "seed": seed,
        "threads": threads,
        "memory": memory,
        "measure": measure,
        **options_in(traversal=traversal, limits=limits),
    }
    if options["tremble"] is not None:
        raise ConfigError(
            "compare measures in games without trembles",
            option="tremble",
            given=options["tremble"],
            remedy="leave it out, or solve with each algorithm",
        )
    start = options["warm_start"]
    return run_comparison(
        game,
        algorithms,
        options,
        seeds=seeds,
        repeat=repeat,
        side_by_side=side_by_side,
        levels=levels,
        warm=None if start is None else find_strategy(start),
        callbacks=as_callbacks(callbacks),
    )


def run_comparison(
    game: str | Game[Any] | GameTree,
    algorithms: Sequence[str | Algorithm] | str | Algorithm,
    options: Mapping[str, Any],
    *,
    seeds: int = 1,
    repeat: int = 1,
    side_by_side: bool = False,
    levels: Sequence[float] | None = None,
    warm: StrategySource | None = None,
    callbacks: Callbacks,
) -> Comparison:
    """Run several algorithms on one game, as `compare`, the command line and the browser do.

    `options` has SHARED_OPTIONS by name, and defaults hold for those that are missing; `warm` finds
    the strategy that variants by full traversals start from. All else is as in `compare`.
    """
    if is_spot(game) or is_hand(game):
        raise ConfigError(
            "compare is for games, not for spots and hands",
            option="game",
            given=game,
            remedy="solve it once with each algorithm, as in `solve(spot, 'dcfr')`",
        )
    shared = {name: options[name] for name in SHARED_OPTIONS if options.get(name) is not None}
    goal = shared.get("target")
    if isinstance(goal, str | Target):
        goal = shared["target"] = Target.read(goal, PAYOFF).amount
    entries = read_entries(algorithms, shared.get("iterations"))
    count_runs(seeds, entries)
    repeat = whole_number("repeat", repeat, 1)
    at_once = check_bool("side_by_side", side_by_side)
    steps = _check_levels(_default_levels(goal) if levels is None else levels)
    if not shared.keys() & _BUDGET:
        shared["seconds"] = SECONDS
    if "prune" in shared:
        shared["prune"] = read_pruning(shared["prune"])
    if warm is not None:
        if not any(entry.is_full_traversal(Variant) for entry in entries):
            raise ConfigError(
                "warm_start is for variants of CFR by full traversals, and none of these is one",
                option="warm_start",
                given=warm,
                remedy="leave it out, or add cfr, dcfr or another variant",
            )
        shared["warm_start"] = "a strategy"
    configs = [_config(entry, shared, warm=warm is not None) for entry in entries]
    callbacks.stage("walking the rules")
    config = configs[0]
    tree = (
        game
        if isinstance(game, GameTree)
        else compile_game(
            game,
            on_walk=callbacks.on_walk,
            max_histories=config.max_histories,
            memory=config.memory,
            max_depth=config.max_depth,
        )
    )
    planned = [
        Planned(entry.name, entry.algorithm, _repeated(config, seeds if entry.draws else 1, repeat))
        for entry, config in zip(entries, configs, strict=True)
    ]
    run_all = run_side_by_side if at_once else run_in_order
    ended, failed = run_all(tree, planned, warm, callbacks)
    return Comparison(tree.name, steps, tuple(ended), tuple(failed))


def fits(option: str, entry: Entry, *, warm: bool) -> bool:
    """Whether one of SHARED_OPTIONS is for an entry; `warm` says that there is a warm start."""
    if option in _BUDGET:
        return entry.algorithm not in EXACT
    if option in ("warm_start", "warm_iterations"):
        return not warm or entry.is_full_traversal(Variant)
    if option in ("alternating", "prune"):
        return entry.is_full_traversal(Variant | LocalRule)
    return option != "threads" or entry.is_full_traversal(Rule)


def read_entries(
    algorithms: Sequence[str | Algorithm] | str | Algorithm, iterations: int | None
) -> list[Entry]:
    """Read what is to be compared.

    Args:
        algorithms: Variants, LocalRules or names, as `compare` takes them.
        iterations: The most iterations of each run, if there is a most.

    Returns:
        The entries, in their order.

    Raises:
        ConfigError: One is named twice, needs iterations, or there is none.
        UnknownNameError: No algorithm or sampler has that name.
    """
    if isinstance(algorithms, str | Algorithm):
        algorithms = (algorithms,)
    entries = [_read_entry(a, iterations) for a in several("algorithms", algorithms, _NAMES)]
    _refuse_doubles([entry.name for entry in entries])
    if not entries:
        raise ConfigError(
            "there is nothing to compare", option="algorithms", remedy="name at least one algorithm"
        )
    return entries


def count_runs(seeds: int, entries: Sequence[Entry]) -> int:
    """Count the runs that entries make with so many seeds.

    Args:
        seeds: How many seeds; what draws nothing at random runs once.
        entries: What `read_entries` has read.

    Returns:
        The number of runs.

    Raises:
        ConfigError: `seeds` is below 1, or above 1 where no entry draws at random.
    """
    whole_number("seeds", seeds, 1)
    draws = [entry.draws for entry in entries]
    if seeds > 1 and not any(draws):
        raise ConfigError(
            "seeds are for algorithms that draw at random, and none of these does: all runs would "
            "be the same",
            option="seeds",
            given=seeds,
            remedy="leave it out, add a sampler (lcfr@external), or use `repeat` for the seconds",
        )
    return sum(seeds if draw else 1 for draw in draws)


def _config(entry: Entry, shared: Mapping[str, Any], *, warm: bool) -> SolveConfig:
    """How an entry runs; ConfigError for a shared option that is wrong, or that refuses it."""
    if isinstance(entry.algorithm, Contender) and "measure" in shared:
        raise ConfigError(
            f"measure={shared['measure']} has no meaning here: {entry.algorithm_name} keeps no "
            "history of play",
            option="measure",
            given=shared["measure"],
            place=entry.name,
            remedy="leave it out, or use cfr, dcfr or another variant",
        )
    return SolveConfig.build(
        algorithm=entry.algorithm_name,
        sampler=entry.sampler,
        **{name: value for name, value in shared.items() if fits(name, entry, warm=warm)},
    )


def _repeated(config: SolveConfig, seeds: int, repeat: int) -> tuple[SolveConfig, ...]:
    """One configuration per run: the repeats of a seed, then those of the next one."""
    return tuple(
        config.model_copy(update={"seed": config.seed + k})
        for k in range(seeds)
        for _ in range(repeat)
    )


def _default_levels(target: object) -> Sequence[float]:
    """The levels above the target, and the target, whose type is checked elsewhere."""
    if not isinstance(target, int | float) or not target > 0:
        return LEVELS
    return (*(level for level in LEVELS if level > target), target)


def _read_entry(algorithm: str | Algorithm, iterations: int | None) -> Entry:
    """Read one entry; ConfigError if it cannot be compared."""
    if not isinstance(algorithm, str | Algorithm):
        raise bad_argument("algorithms", algorithm, _NAMES)
    name, drawn = (algorithm, None) if isinstance(algorithm, str) else (algorithm.name, None)
    chosen: Algorithm | Contender | str
    if not isinstance(algorithm, str):
        chosen = algorithm
    else:
        word, at, sampler = algorithm.strip().rpartition("@")
        if not at:
            word, sampler = sampler, ""
        elif not sampler.strip():
            raise ConfigError(
                f"{algorithm!r} names no sampler after the @",
                option="sampler",
                given=algorithm,
                remedy="add one, as in lcfr@external",
            )
        drawn = read_sampler(sampler.strip()) if at else None
        chosen = get_contestant(word.strip() or None, is_sampled=bool(at))
        name = algorithm.strip()
        if isinstance(chosen, Contender) and at:
            raise ConfigError(
                f"{chosen.name} samples in its own way, without a sampler",
                option="sampler",
                given=drawn,
                place=name,
                remedy="leave out @ and what follows it",
            )
    if isinstance(chosen, Contender):
        chosen.check()
    if isinstance(chosen, Algorithm) and chosen.needs_horizon and iterations is None:
        raise ConfigError(
            f"{chosen.name} plans its schedule over the whole run",
            option="iterations",
            given=iterations,
            remedy="give iterations, or leave it out",
        )
    return Entry(name, chosen, drawn)


def _check_levels(levels: Sequence[float]) -> tuple[float, ...]:
    """The levels in the order they are reached; ConfigError if one is not positive."""
    wanted = several("levels", levels, "numbers above 0, such as [1e-3, 1e-6]")
    distinct = {finite_number("level", level) for level in wanted}
    for level in distinct:
        if level <= 0.0:
            raise ConfigError(
                f"a level is {level:g}",
                option="level",
                given=level,
                expected="more than 0",
                remedy="levels are more than 0, for instance 1e-3",
            )
    return tuple(sorted(distinct, reverse=True))


def _refuse_doubles(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{name} is named {names.count(name)} times",
                option="algorithms",
                given=name,
                remedy="once is enough",
            )
