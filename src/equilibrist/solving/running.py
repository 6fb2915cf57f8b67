"""`solve`: from a problem and options to a result, for every kind of problem."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, overload

from equilibrist.errors import ConfigError, OutputError
from equilibrist.game import DEFAULT_MAX_DEPTH, Game
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.results import ImplicitResult, Result
from equilibrist.rules.game import rules_game
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.run.target import Target
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import (
    Algorithm,
    check_fit,
    get_algorithm,
    read_pruning,
    read_sampler,
)
from equilibrist.solving.config import Measure, Output, SolveConfig
from equilibrist.solving.explicit import check_problem, run_explicit
from equilibrist.solving.modifiers.lifting import abstraction_object, translation_object
from equilibrist.solving.modifiers.pruned_traversals import check_pruning
from equilibrist.solving.modifiers.warm_start import StrategySource, find_strategy, warm_start_name
from equilibrist.solving.modifiers.watched_play import check_measure
from equilibrist.solving.spot_problem import refuse_game_options, solve_spot
from equilibrist.solving.writing import ResultWriter
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree

if TYPE_CHECKING:
    from equilibrist.abstraction import Abstraction, Translation
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.solvers.sampling.sampler import Sampler

AnyPath: TypeAlias = str | os.PathLike[str]
Problem: TypeAlias = str | Game[Any] | GameTree | Rules
"""What `run` solves: a name, a game, a compiled game, a rules module."""


@overload
def solve(
    problem: Spot,
    algorithm: str | Variant | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: str | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,
    threads: int | None = None,
    storage: Storage | None = None,
    out: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath | None = False,
    memory: int | None = None,
) -> PostflopResult: ...


@overload  # the next one takes explicit_tree=False, too: a bool that is known at run time alone
def solve(  # type: ignore[overload-overlap]
    problem: Problem,
    algorithm: str | Variant | None = None,
    *,
    sampler: str | Sampler | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,
    seed: int = 0,
    averaging: str | None = None,
    averaging_every: int | None = None,
    period: int | None = None,
    threads: int | None = None,
    executor: str | None = None,
    out: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath | None = False,
    memory: int | None = None,
    explicit_tree: Literal[False],
) -> ImplicitResult: ...


@overload
def solve(
    problem: Problem,
    algorithm: str | Algorithm | None = None,
    *,
    sampler: str | Sampler | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,
    seed: int = 0,
    alternating: bool | None = None,
    tremble: float | None = None,
    prune: str | None = None,
    averaging: str | None = None,
    averaging_every: int | None = None,
    period: int | None = None,
    threads: int | None = None,
    shared: bool = False,
    executor: str | None = None,
    address: str | None = None,
    output: Output = "average",
    measure: Measure | None = None,
    save_device: AnyPath | None = None,
    out: AnyPath | None = None,
    plot: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath | None = False,
    warm_start: Strategy | AnyPath | None = None,
    warm_iterations: int = 100,
    max_histories: int | None = None,
    memory: int | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
    explicit_tree: bool | None = None,
    abstraction: str | Abstraction | None = None,
    drop_below: float | None = None,
    drop_play: str = "chance",
    actions: str | Translation | None = None,
    translate: str | None = None,
) -> Result: ...


@shows_progress
def solve(
    problem: Problem | Spot,
    algorithm: str | Algorithm | None = None,
    *,
    sampler: str | Sampler | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | str | Target | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
    seed: int = 0,
    alternating: bool | None = None,
    tremble: float | None = None,
    prune: str | None = None,
    averaging: str | None = None,
    averaging_every: int | None = None,
    period: int | None = None,
    threads: int | None = None,
    shared: bool = False,
    executor: str | None = None,
    address: str | None = None,
    storage: Storage | None = None,
    output: Output = "average",
    measure: Measure | None = None,
    save_device: AnyPath | None = None,
    out: AnyPath | None = None,
    plot: AnyPath | None = None,
    checkpoint: AnyPath | None = None,
    checkpoint_every: float = 10.0,
    resume: bool | AnyPath | None = False,
    warm_start: Strategy | AnyPath | None = None,
    warm_iterations: int = 100,
    max_histories: int | None = None,
    memory: int | None = None,
    max_depth: int = DEFAULT_MAX_DEPTH,
    explicit_tree: bool | None = None,
    abstraction: str | Abstraction | None = None,
    drop_below: float | None = None,
    drop_play: str = "chance",
    actions: str | Translation | None = None,
    translate: str | None = None,
) -> Any:
    """Solve a game, rules or a hold'em spot, and measure how good the strategy is.

    Where a game has an explicit tree, the strategy is measured by exact best responses. With a
    sampler that needs no tree, a rules module whose tree would be too large is sampled without
    one; nothing is measured then, and `iterations` or `seconds` must end the run. An option that
    does not apply to the problem is refused. Ctrl-C ends a run after the present slice (50 ms, or
    one iteration; one period of threads that sample), and the result is what it has.

    Args:
        problem: A game's name (`"leduc(players=3)"`, `"rules:liars_dice(dice=2)"`), a `Game`, a
            `GameTree`, loaded rules, or a `poker.Spot`.
        algorithm: A name with its parameters (`"dcfr(gamma=3)"`, `"apcfr+"`, `"fsicfr"`, `"lp"`,
            `"regret-matching"`, `"my.py:MyVariant"`), a Variant or a LocalRule. By default
            `dcfr`, with a sampler `cfr`, as with `prune` over intervals or by best responses;
            with a threshold `hedge`; for spots see `poker.solve`.
        sampler: What an iteration samples, with its parameters: `"external"`,
            `"outcome(epsilon=0.4)"`, or a sampler object. Without one every iteration is a full
            traversal.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds from the call on, walking and compiling included; at least one
            iteration is made.
        target: The exploitability (NashConv where that is not defined) that ends the run, in
            payoff units. For a spot a text with a unit: `"0.5%"` of the pot or `"0.5c"` in chips.
            With no limit at all, games end at 1e-4 of the range of the payoffs that play meets, at
            the latest after 10,000 iterations (with a sampler or fsicfr 1e-3 and 1,000,000), spots
            at 0.3 % of the pot, at the latest after 1,000.
        callbacks: Functions called as the run progresses; a single function is taken as
            `on_progress`.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions, without callbacks, if the run takes longer than a second.
        seed: Seed of samplers, fsicfr and regret matching.
        alternating: Update players in turn (True) or at once, by default as the algorithm does.
        tremble: The least probability of every action; full traversals only.
        prune: How full traversals are pruned: `partial` (the same bits), `interval` or
            `best-response` (cfr and lcfr, two players), or `threshold(c=0.1)` (hedge). The result's
            `details` count the nodes visited.
        averaging: How a sampler averages: one of its own averages, or `walk`, `full` or
            `snapshots`.
        averaging_every: Iterations between two of the latter.
        period: Iterations of a sampler between two discounts, and with threads between two merges.
        threads: Threads that sample side by side, by default one, or the most that share a full
            traversal or solve a spot, by default one for each processor that the process may use.
            The result of sampling depends on their number, no other does. Full traversals of
            small games, and all other algorithms, use one thread.
        shared: Whether sampling threads share one table; not reproducible.
        executor: Where sampling threads run: `threads`, `serial` or `ray`.
        address: The Ray cluster's head node.
        storage: For a spot, how numbers are stored: `float32`, `int16` or `float64`.
        output: The `average` strategy, which converges, or the `last` one played.
        measure: `efce`, `efcce` or `cce`: measure how far the history of play is from correlated
            equilibrium. That gap is held against the target, and updates are simultaneous.
        save_device: With `measure`, file for the history of play, as a `CorrelationDevice`.
        out: File for the result. That it can be written is checked before anything is computed.
        plot: File for a picture of the convergence, SVG or PNG.
        checkpoint: File for the state of the run, written at the start, every `checkpoint_every`
            seconds and when the run ends. An earlier run in it is not overwritten.
        checkpoint_every: Seconds between two checkpoints, 0 for as often as possible (less often,
            where they would cost over 5 % of the time).
        resume: True to resume `checkpoint`, or the file to resume. The bits at the end are those
            of an uninterrupted run.
        warm_start: A Strategy, or a table or result file, from which CFR starts.
        warm_iterations: Iterations for which `warm_start` counts.
        max_histories: The most histories of an explicit tree.
        memory: The most bytes of the compiled game or the spot, by default half of the machine's;
            without a tree, of the table and all that grows with it, by default 1 GiB.
        max_depth: The most moves of a line of play; a longer one counts as endless.
        explicit_tree: True compiles a rules module in any case, False samples it without a tree
            in any case (by `external`, if no sampler is given). By default it is sampled without
            a tree if a sampler is given that needs none and the tree would be too large.
        drop_below: Paths with less reach are cut off, and end with what `drop_play` earns there.
        drop_play: Whose reach counts: `"chance"` alone, or all in `"uniform"` play or by a file.
        abstraction: Which infosets are played alike: a text such as `"cards(JQ.K)"`,
            `"rules.py:merge"` or `"0:memory(last=2);1:none"`, or an `Abstraction` of the compiled
            game. The strategy of the merged game is measured in the full one.
        actions: Which actions are kept: a text such as `"bets=1,3"`, `"rules.py:keep"` or
            `"0:bets=1,3;1:all"`, or a `Translation` of the compiled game. The strategy of the game
            with these actions is translated, and measured in the full game.
        translate: How the others' actions that were left out are translated to those that were
            kept: `"pseudo-harmonic"` (the default), `"nearest"`, `"half"`, `"down"`, `"up"` or
            `"rules.py:translate"`.

    Returns:
        The result: a Result for a compiled game, an ImplicitResult for rules without a tree, a
        poker.PostflopResult for a spot. Both are subclasses of Result. Type checkers see a Result
        unless the problem is a Spot or `explicit_tree` is False, since the size of the game decides
        whether it is compiled: `isinstance(result, ImplicitResult)` tells.

    Raises:
        ConfigError: An option is wrong, or does not apply to the problem.
        UnknownNameError: No game, algorithm or sampler has that name.
        GameSpecError: The name of the game cannot be read.
        GameError: The rules contradict themselves, or raise.
        RecallError: The algorithm needs perfect recall, and the players forget.
        MemoryBudgetError: The problem does not fit into `memory` or `max_histories`.
        CheckpointError: The checkpoint cannot be resumed, or would be overwritten.
        UnsupportedError: The algorithm is not for games of this kind.
        ClusterError: The Ray cluster cannot be used.
        OutputError: A file cannot be written.
    """
    listeners = timed(as_callbacks(callbacks))
    iterations, seconds, merged_target = merge_stop(
        stop, iterations=iterations, seconds=seconds, target=target
    ).values()
    if is_spot(problem):
        refuse_game_options(
            sampler=sampler,
            seed=seed,
            alternating=alternating,
            tremble=tremble,
            prune=prune,
            averaging=averaging,
            averaging_every=averaging_every,
            period=period,
            shared=shared,
            executor=executor,
            address=address,
            output=output,
            measure=measure,
            save_device=save_device,
            plot=plot,
            warm_start=warm_start,
            warm_iterations=warm_iterations,
            max_histories=max_histories,
            max_depth=max_depth,
            explicit_tree=explicit_tree,
            abstraction=abstraction,
            drop_below=drop_below,
            drop_play=drop_play,
            actions=actions,
            translate=translate,
        )
        return solve_spot(
            problem,
            algorithm,
            listeners,
            iterations=iterations,
            seconds=seconds,
            target=merged_target,
            threads=threads,
            storage=storage,
            memory=memory,
            out=out,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            resume=resume,
        )
    if storage is not None:
        raise ConfigError(
            "storage is for spots of hold'em",
            option="storage",
            given=storage,
            remedy="leave it out",
        )
    check_problem(problem)
    sampler_text = read_sampler(sampler, explicit_tree)
    pruning_text = read_pruning(prune)
    resolved = get_algorithm(algorithm, sampled=sampler_text is not None, prune=pruning_text)
    start_name = None if warm_start is None else warm_start_name(warm_start)
    translation = translation_object(actions)
    if translation is not None:
        _refuse_second_mapping(translate)
    config = SolveConfig.build(
        algorithm=resolved if isinstance(resolved, str) else resolved.name,
        iterations=iterations,
        target=merged_target,
        seconds=seconds,
        seed=seed,
        alternating=alternating,
        tremble=tremble,
        prune=pruning_text,
        sampler=sampler_text,
        averaging=averaging,
        averaging_every=averaging_every,
        period=period,
        threads=threads,
        shared=shared,
        executor=executor,
        address=address,
        output=output,
        measure=measure,
        save_device=save_device,
        out=out,
        plot=plot,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
        warm_start=start_name,
        warm_iterations=warm_iterations,
        max_histories=max_histories,
        memory=memory,
        max_depth=max_depth,
        explicit_tree=explicit_tree,
        abstraction=getattr(abstraction, "name", abstraction),
        drop_below=drop_below,
        drop_play=drop_play,
        actions=actions if translation is None else translation.actions.name,
        translate=translate if translation is None else translation.name,
    )
    place, plot_file, device = config.out, config.plot, config.save_device
    writer = ResultWriter[Any](
        None if place is None else lambda r: r.save(place), plot_file, device
    )
    outcome = run(
        cast("Problem", problem),
        resolved,
        config,
        listeners,
        warm=None if warm_start is None else find_strategy(warm_start),
        abstraction=abstraction_object(abstraction),
        actions=translation,
    )
    result = writer.write(*outcome)
    writer.raise_failures()
    return result


def run(
    problem: Problem,
    algorithm: Algorithm | str,
    config: SolveConfig,
    callbacks: Callbacks,
    warm: StrategySource | None = None,
    abstraction: Abstraction | None = None,
    actions: Translation | None = None,
) -> tuple[Result | ImplicitResult, OutputError | None]:
    """Solve as `config` says, in the form that fits; nothing but checkpoints is written.

    `solve` and the command line call this. `algorithm` is the one that `config` names; `warm` finds
    the strategy that `config.warm_start` names; `abstraction` is the one that `config.abstraction`
    names, and `actions` what `config.actions` and `config.translate` name, where they have been
    made already. That `config.out` and `config.plot` can be written is checked.

    Returns the result, and what kept a checkpoint from being written. Raises as `solve` does.
    """
    callbacks = timed(callbacks, limits=False)
    check_measure(config)
    check_fit(algorithm, config)
    check_pruning(algorithm, config)
    game = rules_game(problem) if isinstance(problem, Rules) else problem
    whole = (config.abstraction, config.actions, config.drop_below) == (None, None, None)
    if config.sampler is not None and whole:  # nothing but sampling can do without a tree
        from equilibrist.solving.form import form_of

        form = form_of(game, config, callbacks)
        if isinstance(form, Rules):
            from equilibrist.solving.implicit import run_implicit

            return run_implicit(form, algorithm, config, callbacks)
        game = form
    return run_explicit(game, algorithm, config, callbacks, warm, abstraction, actions)


def _refuse_second_mapping(translate: str | None) -> None:
    """ConfigError where a Translation is given, and another mapping beside it."""
    if translate is not None:
        raise ConfigError(
            "`actions` is a Translation, which has a mapping already",
            option="translate",
            given=translate,
            remedy="leave it out",
        )


def is_spot(problem: object) -> bool:
    """Whether it is a spot; where no spot has been made, nothing of poker is imported."""
    module = sys.modules.get("equilibrist.poker.postflop.spot.spot")
    return module is not None and isinstance(problem, module.Spot)
