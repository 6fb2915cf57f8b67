"""`solve`: from a problem and options to a result, for every kind of problem."""

from __future__ import annotations

import sys
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    TypedDict,
    TypeGuard,
    Unpack,
    cast,
    overload,
)

from equilibrist.errors import ConfigError, OutputError
from equilibrist.game import Game
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.results import ImplicitResult, Result
from equilibrist.rules.game import rules_game
from equilibrist.rules.module import Rules
from equilibrist.solvers.run.stopping import Stop, merge_stop
from equilibrist.solvers.run.target import Target
from equilibrist.solvers.variants.variant import Variant
from equilibrist.solving.algorithm import Algorithm, check_fit, configured
from equilibrist.solving.config import Measure, Output, SolveConfig
from equilibrist.solving.explicit import check_problem, run_explicit
from equilibrist.solving.modifiers.lifting import abstraction_object, translation_object
from equilibrist.solving.modifiers.pruned_traversals import check_pruning
from equilibrist.solving.modifiers.warm_start import StrategySource, find_strategy, warm_start_name
from equilibrist.solving.option_groups import (
    Files,
    GameAbstraction,
    GameLimits,
    Sampling,
    Traversal,
    options_in,
)
from equilibrist.solving.poker_problem import solve_hand, solve_spot
from equilibrist.solving.writing import ResultWriter
from equilibrist.tree.compile import GameTree

if TYPE_CHECKING:
    from equilibrist.abstraction import Abstraction, Translation
    from equilibrist.poker.hands.hand import Hand
    from equilibrist.poker.postflop.solution.result import PostflopResult
    from equilibrist.poker.postflop.spot.fields import Storage
    from equilibrist.poker.postflop.spot.spot import Spot
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.solvers.sampling.sampler import Sampler

Problem: TypeAlias = str | Game[Any] | GameTree | Rules
"""What `run` solves: a name, a game, a compiled game, a rules module."""


class _EveryRun(TypedDict, total=False):
    """The options of `solve` that every kind of problem takes, for type checkers."""

    stop: Stop | None
    iterations: int | None
    seconds: float | None
    threads: int | None
    memory: int | None
    files: Files | None
    callbacks: Callbacks | OnProgress | None
    progress: bool | None


class _PokerRun(_EveryRun, total=False):
    """Options of a run that spots and hands take."""

    target: str | None


class _SampledRun(_EveryRun, total=False):
    """Options of a run that games take, whatever is measured."""

    target: float | None
    seed: int
    output: Output


class _GameRun(_SampledRun, total=False):
    """Options of a run that games take which are solved on a tree."""

    traversal: Traversal | None
    abstraction: str | Abstraction | GameAbstraction | None
    limits: GameLimits | None
    measure: Measure | None


@overload
def solve(
    problem: Spot,
    algorithm: str | Variant | None = None,
    *,
    storage: Storage | None = None,
    **options: Unpack[_PokerRun],
) -> PostflopResult: ...


@overload
def solve(
    problem: Hand,
    algorithm: str | Variant | None = None,
    *,
    seed: int = 0,
    flops: int | None = None,
    keep_flops: int | None = None,
    **options: Unpack[_PokerRun],
) -> PreflopSolution: ...


@overload
def solve(
    problem: Problem,
    algorithm: str | Variant | None = None,
    *,
    explicit_tree: Literal[False],
    sampling: str | Sampler | Sampling | None = None,
    **options: Unpack[_SampledRun],
) -> ImplicitResult: ...


@overload
def solve(
    problem: Problem,
    algorithm: str | Algorithm | None = None,
    *,
    explicit_tree: Literal[True] | None = None,
    sampling: None = None,
    **options: Unpack[_GameRun],
) -> Result: ...


@overload
def solve(
    problem: Problem,
    algorithm: str | Algorithm | None = None,
    *,
    explicit_tree: bool | None = None,
    sampling: str | Sampler | Sampling | None,
    **options: Unpack[_GameRun],
) -> Result[Any]: ...


@shows_progress
def solve(
    problem: Problem | Spot | Hand,
    algorithm: str | Algorithm | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | str | Target | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | None = None,
    sampling: str | Sampler | Sampling | None = None,
    explicit_tree: bool | None = None,
    traversal: Traversal | None = None,
    abstraction: str | Abstraction | GameAbstraction | None = None,
    limits: GameLimits | None = None,
    output: Output = "average",
    measure: Measure | None = None,
    storage: Storage | None = None,
    flops: int | None = None,
    keep_flops: int | None = None,
    files: Files | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Any:
    """Solve a game, rules, a hold'em spot or a hand, and measure how good the strategy is.

    Where a game has an explicit tree, the strategy is measured by exact best responses. With a
    sampler that needs no tree, a rules module whose tree would be too large is sampled without
    one; nothing is measured then, and `iterations` or `seconds` must end the run. An option that
    does not apply to the problem is refused. Ctrl-C ends a run after the present slice (50 ms, or
    one iteration; one period of threads that sample), and the result is what it has.

    Args:
        problem: A game's name (`"leduc(players=3)"`, `"rules:liars_dice(dice=2)"`), a `Game`, a
            `GameTree`, loaded rules, a `poker.Spot`, or a `poker.Hand` of two seats.
        algorithm: A name with its parameters (`"dcfr(gamma=3)"`, `"apcfr+"`, `"fsicfr"`, `"lp"`,
            `"regret-matching"`, `"my.py:MyVariant"`), a Variant or a LocalRule. By default
            `dcfr`, with a sampler `cfr`, as with pruning over intervals or by best responses;
            with a threshold `hedge`; for spots see `poker.solve`.
        stop: When the run ends. Its fields can be given directly, in its place.
        iterations: The most iterations, those before the run was resumed included.
        seconds: The most seconds from the call on, walking and compiling included; at least one
            iteration is made.
        target: The exploitability (NashConv where that is not defined) that ends the run, in
            payoff units. For a spot a text with a unit: `"0.5%"` of the pot or `"0.5c"` in chips;
            for a hand `"5mbb"`. With no limit at all, games end at 1e-4 of the scale of the payoffs
            in play, at the latest after 10,000 iterations (with a sampler or fsicfr 1e-3 and
            1,000,000), spots at 0.3 % of the pot and hands at 5 mbb, at the latest after 1,000.
            Full traversals with no other limit than a target end as `stalled` where nine tenths of
            their iterations (10,000 at least) have brought them less than 1 % nearer.
        seed: Seed of samplers, fsicfr and regret matching, and of the flops that are drawn.
        threads: Threads that sample side by side, by default one, or the most that share a full
            traversal or solve a spot or a hand, by default one for each processor that the process
            may use. The result of sampling depends on their number, no other does. Full traversals
            of small games, and all other algorithms, use one thread.
        memory: The most bytes of the compiled game, the spot or the hand, by default half of the
            machine's; without a tree, of the table and all that grows with it, by default 1 GiB.
        sampling: What an iteration samples, a name with its parameters or a sampler object, or how
            in all as `Sampling`. Without it every iteration is a full traversal.
        explicit_tree: True compiles a rules module in any case, False samples it without a tree
            in any case (by `external`, if no sampler is given). By default it is sampled without
            a tree if a sampler is given that needs none and the tree would be too large.
        traversal: How full traversals go: in turn or at once, with trembles, pruned, from a warm
            start.
        abstraction: Which infosets are played alike, as a text or an `Abstraction`; or all of what
            makes the game smaller, as `GameAbstraction`.
        limits: How large an explicit tree may be.
        output: The `average` strategy, which converges, or the `last` one played.
        measure: `efce`, `efcce` or `cce`: measure how far the history of play is from correlated
            equilibrium. That gap is held against the target, and updates are simultaneous.
        storage: For a spot, how numbers are stored: `float32`, `int16` or `float64`.
        flops: For a hand, how many flops are drawn, as likely as they come, in place of all.
        keep_flops: For a hand, 16 or 32 to keep the strategies of all streets, with as many bits
            for each action; without it those before the flop are kept alone.
        files: Files for the result, a picture and checkpoints, and the one to resume.
        callbacks: Functions called as the run progresses; a single function is taken as
            `on_progress`.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions, without callbacks, if the run takes longer than a second.

    Returns:
        The result: a Result for a compiled game, an ImplicitResult for rules without a tree, a
        poker.PostflopResult for a spot, all of them subclasses of Result; a
        poker.PreflopSolution for a hand. With a sampler the size of a game decides whether it is
        compiled, unless `explicit_tree` does or the problem is a GameTree:
        `isinstance(result, ImplicitResult)` tells.

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
    options = {
        **merge_stop(stop, iterations=iterations, seconds=seconds, target=target),
        "seed": seed,
        "threads": threads,
        "memory": memory,
        "explicit_tree": explicit_tree,
        "output": output,
        "measure": measure,
        **options_in(
            sampling=sampling,
            traversal=traversal,
            abstraction=abstraction,
            limits=limits,
            files=files,
        ),
    }
    if storage is not None and not is_spot(problem):
        raise _unfit("storage", storage, "spots of hold'em")
    if flops is not None and not is_hand(problem):
        raise _unfit("flops", flops, "hands of hold'em")
    if keep_flops is not None and not is_hand(problem):
        raise _unfit("keep_flops", keep_flops, "hands of hold'em")
    if is_spot(problem):
        return solve_spot(problem, algorithm, listeners, options, storage)
    if is_hand(problem):
        return solve_hand(problem, algorithm, listeners, options, flops, keep_flops)
    check_problem(problem)
    start = options["warm_start"]
    map_object = abstraction_object(options["abstraction"])
    translation = translation_object(options["actions"])
    if start is not None:
        options["warm_start"] = warm_start_name(start)
    if map_object is not None:
        options["abstraction"] = map_object.name
    if translation is not None:
        _refuse_second_mapping(options["translate"])
        options |= {"actions": translation.actions.name, "translate": translation.name}
    resolved, config = configured({"algorithm": algorithm, **options})
    place = config.out
    writer = ResultWriter[Any](
        None if place is None else lambda r: r.save(place), config.plot, config.save_device
    )
    warm = None if start is None else find_strategy(start)
    outcome = run(
        cast("Problem", problem), resolved, config, listeners, warm, map_object, translation
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


def _unfit(name: str, value: object, problems: str) -> ConfigError:
    return ConfigError(f"{name} is for {problems}", option=name, given=value, remedy="leave it out")


def is_spot(problem: object) -> TypeGuard[Spot]:
    """Whether it is a spot; where no spot has been made, nothing of poker is imported."""
    module = sys.modules.get("equilibrist.poker.postflop.spot.spot")
    return module is not None and isinstance(problem, module.Spot)


def is_hand(problem: object) -> TypeGuard[Hand]:
    """Whether it is a hand; where no hand has been made, nothing of poker is imported."""
    module = sys.modules.get("equilibrist.poker.hands.hand")
    return module is not None and isinstance(problem, module.Hand)
