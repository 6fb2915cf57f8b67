"""`train_blueprint`: a run with limits, progress and checkpoints, and `resume_blueprint`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from equilibrist.errors import (
    ConfigError,
    MemoryBudgetError,
)
from equilibrist.parsing.arguments import (
    file_name,
    finite_number,
    function,
    instance,
    optional_whole_number,
    saving_every,
    whole_number,
)
from equilibrist.parsing.threads import thread_count
from equilibrist.poker.blueprint.abstract_game import (
    AbstractGame,
    AbstractSize,
    abstract_size,
    check_cards,
    check_hand,
    check_two_seats,
)
from equilibrist.poker.blueprint.policy import Blueprint, card_buckets_of
from equilibrist.poker.blueprint.training.external import (
    DEALS,
    ExternalTrainer,
    Pruning,
    sampling_bytes,
)
from equilibrist.poker.blueprint.training.rounds import Workers
from equilibrist.poker.blueprint.training.run import (
    Evaluate,
    Run,
    TrainingCheckpoint,
    check_new,
    read_limits,
    trained,
)
from equilibrist.poker.blueprint.training.sampled_training import SampledTraining
from equilibrist.poker.blueprint.training.trainer import (
    BATCH,
    DEFAULT,
    FLOAT32,
    INT16,
    Discount,
    Trainer,
    check_storage,
    training_bytes,
)
from equilibrist.poker.buckets.card_buckets import CardBuckets
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.postflop.spot.fields import Storage
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, shows_progress, timed
from equilibrist.solvers.run.stopping import Stop
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.damage import damaged_checkpoint

SAVE_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
VECTOR: Final = "vector"
"""CFR on sampled boards, with all hands of both seats."""
EXTERNAL: Final = "external"
"""External sampling, for any number of seats."""
ALGORITHMS: Final = (VECTOR, EXTERNAL)


@shows_progress
def train_blueprint(
    hand: Hand,
    cards: CardBuckets | str | os.PathLike[str],
    *,
    algorithm: str | None = None,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    batch: int | None = None,
    discount: Discount | None = None,
    storage: Storage = FLOAT32,
    threads: int | None = None,
    workers: Workers | None = None,
    memory: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    evaluate: Evaluate | None = None,
    evaluate_every: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Blueprint:
    """Train a blueprint: all seats of a hand, from the deal on, over card buckets.

    The result depends on the arguments up to `storage`, on `workers` and on the number of
    iterations, and with external sampling on `threads`; not on pauses or the clock. Ctrl-C ends the
    run after the current iteration.

    Args:
        hand: The hand.
        cards: The card buckets, or their file.
        algorithm: `vector`, CFR on sampled boards with all hands of both seats, or `external`,
            external sampling with linear discounting and pruning. By default `vector` with two
            seats, `external` with more.
        stop: When the run ends: its `iterations` and `seconds`. They can be given directly, in its
            place.
        iterations: The most iterations, those before a resume included; a batch of boards each, or
            a round of external sampling.
        seconds: The most seconds from the call on, compiling and evaluations in between included.
        seed: The seed of the cards.
        batch: Boards of an iteration, by default 4; deals of each thread in a round, by default
            20,000.
        discount: How older iterations count with `vector`; linearly if left out.
        storage: How `vector` stores regrets and average strategies: `float32`, or `int16` for 16
            bits with a scale for each decision, rounded at random; not with `workers`.
        threads: Threads, by default one per processor. External sampling has a lane for each,
            whose regrets are averaged after a round.
        workers: Cores of a cluster that train in rounds, in place of threads, with `vector`.
        memory: Bytes that the training may need.
        checkpoint: A file that receives the state of the run: when it begins, then now and then,
            and when it ends.
        checkpoint_every: Seconds between two checkpoints.
        evaluate: Measures the blueprint in between; what it returns stands in the progress, and its
            `to_dict`, if it has one, in the record of the blueprint.
        evaluate_every: Seconds of training between two of these; None for never.
        callbacks: Functions called as the run progresses.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The blueprint.

    Raises:
        ConfigError: An argument is out of range, the hand has no sizes, or neither limit is
            given.
        UnsupportedError: The hand has other cards than hold'em, or more seats than two and the
            algorithm is `vector`.
        MemoryBudgetError: The training needs more than `memory`; nothing was allocated.
        CheckpointError: There is a checkpoint of that name already.
        OutputError: The checkpoint cannot be written, or another run writes it.
        ClusterError: The cluster does not answer, or fails; the last checkpoint remains.
    """
    limits, listeners = read_limits(stop, iterations, seconds), timed(as_callbacks(callbacks))
    _check_run(evaluate, evaluate_every, memory)
    instance("hand", hand, Hand, "a Hand")
    if discount is not None:
        instance("discount", discount, Discount, "a Discount, or None")
    if workers is not None:
        instance("workers", workers, Workers, "Workers, or None")
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=checkpoint is not None)
    check_hand(hand)
    card_buckets = cards if isinstance(cards, CardBuckets) else CardBuckets.load(cards)
    check_cards(hand, card_buckets)
    method = algorithm_of(hand, algorithm)
    check_storage(storage)
    if method == EXTERNAL:
        check_sampling(hand, discount, workers, storage)
    if workers is not None:
        _refuse_storage(storage, "training on workers", ", or the workers")
    lanes = thread_count(threads) if method == EXTERNAL else 0
    size = abstract_size(hand, card_buckets.counts)
    usual = DEALS if method == EXTERNAL else BATCH
    batch = usual if batch is None else whole_number("batch", batch, 1)
    needed = algorithm_bytes(size, method, lanes, batch, storage)
    fits_int16 = (
        memory is not None
        and method == VECTOR
        and workers is None
        and training_bytes(size, batch, INT16) <= memory
    )
    check_memory(size, memory, needed, fits_int16)
    card_buckets.check()
    own = None
    if checkpoint is not None:
        own = OwnFile(checkpoint)  # first, so that a file that comes after the check is noticed
        check_new(own.path)
    game = AbstractGame(hand, card_buckets.counts)
    trainer: SampledTraining
    if method == EXTERNAL:
        trainer = ExternalTrainer(game, card_buckets, seed=seed, batch=batch, lanes=lanes)
    else:
        trainer = Trainer(
            game,
            card_buckets,
            seed=seed,
            batch=batch,
            threads=threads,
            discount=discount or DEFAULT,
            storage=storage,
        )
    return trained(
        Run(
            trainer=trainer,
            algorithm=method,
            stop=limits,
            callbacks=listeners,
            checkpoint=own,
            every=every,
            evaluate=evaluate,
            evaluate_every=evaluate_every,
            workers=workers,
        )
    )


def algorithm_of(hand: Hand, algorithm: str | None) -> str:
    """The algorithm by which a hand is trained.

    Args:
        hand: The hand.
        algorithm: Its name, or None for the default.

    Returns:
        Its name.

    Raises:
        ConfigError: There is no such algorithm.
        UnsupportedError: The hand has more than two seats, and the algorithm is `vector`.
    """
    name = (VECTOR if hand.seats == 2 else EXTERNAL) if algorithm is None else algorithm
    if name not in ALGORITHMS:
        raise ConfigError(
            f"there is no algorithm {name}",
            option="algorithm",
            given=name,
            expected=" or ".join(ALGORITHMS),
            remedy="leave it out for the default",
        )
    if name == VECTOR:
        check_two_seats(hand)
    return name


@shows_progress
def resume_blueprint(
    checkpoint: str | os.PathLike[str],
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    cards: CardBuckets | str | os.PathLike[str] | None = None,
    threads: int | None = None,
    address: str | None = None,
    serial: bool = False,
    memory: int | None = None,
    checkpoint_every: float = SAVE_EVERY,
    evaluate: Evaluate | None = None,
    evaluate_every: float | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> Blueprint:
    """Resume a training from its checkpoint; the result is bit-identical to an uninterrupted run.

    A run that ended at as many iterations is not trained further.

    Args:
        checkpoint: The file; the run is saved to it again.
        stop: As for `train_blueprint`.
        iterations: The most iterations, those before the checkpoint included.
        seconds: The most seconds from the call on.
        cards: The card buckets; None for those of the run at their old place.
        threads: Threads, by default one per processor.
        address: The Ray cluster of a run with workers, as `Workers` has it.
        serial: Whether this process computes what workers would.
        memory: Bytes that the training may need.
        checkpoint_every: Seconds between two checkpoints.
        evaluate: Measures the blueprint in between; what it returns stands in the progress.
        evaluate_every: Seconds of training between two of these; None for never.
        callbacks: Functions called as the run progresses.
        progress: Whether a line shows the progress; by default in notebooks and interactive
            sessions.

    Returns:
        The blueprint.

    Raises:
        ConfigError: An argument is out of range, or neither limit is given.
        CheckpointError: The file is missing, damaged or of another kind, or its run is past
            `iterations`.
        OutputError: The checkpoint cannot be written, or another run writes it.
        MemoryBudgetError: The training needs more than `memory`; nothing was allocated.
        ClusterError: The cluster does not answer, or fails; the last checkpoint remains.
    """
    limits, listeners = read_limits(stop, iterations, seconds), timed(as_callbacks(callbacks))
    _check_run(evaluate, evaluate_every, memory)
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=True)
    path = file_name("checkpoint", checkpoint)
    own, saved = OwnFile(path), TrainingCheckpoint(path)
    hand, header = saved.hand, saved.header
    try:
        options, method = header.options, algorithm_of(hand, saved.algorithm)
        saved.refuse_past("iterations", saved.iteration, limits.iterations)
        card_buckets = card_buckets_of(path, cards, header.problem.cards)
        card_buckets.check()
        lanes, batch = int(options.get("lanes", 0)), int(options["batch"])
        storage = _stored_storage(options)
        size = abstract_size(hand, card_buckets.counts)
        check_memory(size, memory, algorithm_bytes(size, method, lanes, batch, storage))
        game = AbstractGame(hand, card_buckets.counts)
        trainer = _restored(game, card_buckets, method, options, storage, threads)
        trainer.restore(header.state, saved.arrays())
        count, period = map(int, options.get("workers", (0, 0)))
    except (KeyError, TypeError, ValueError) as error:
        raise damaged_checkpoint(path, error) from None
    workers = Workers(count, period, address, serial) if count else None
    if workers is None and (address is not None or serial):
        raise ConfigError(
            "the run has no workers",
            option="address" if address is not None else "serial",
            remedy="leave it out, or start a run with workers",
        )
    return trained(
        Run(
            trainer=trainer,
            algorithm=method,
            stop=limits,
            callbacks=listeners,
            checkpoint=own,
            every=every,
            evaluate=evaluate,
            evaluate_every=evaluate_every,
            before=saved.seconds,
            workers=workers,
        )
    )


def _restored(
    game: AbstractGame,
    cards: CardBuckets,
    method: str,
    options: Mapping[str, Any],
    storage: Storage,
    threads: int | None,
) -> SampledTraining:
    """A trainer with the options of a checkpoint."""
    seed, batch = int(options["seed"]), int(options["batch"])
    if method == VECTOR:
        discount = Discount(*map(float, options["discount"]))
        return Trainer(
            game, cards, seed=seed, batch=batch, discount=discount, threads=threads, storage=storage
        )
    pruning = options["pruning"]
    return ExternalTrainer(
        game,
        cards,
        seed=seed,
        batch=batch,
        lanes=int(options["lanes"]),
        threads=threads,
        pruning=pruning and Pruning(float(pruning[0]), float(pruning[1]), int(pruning[2])),
    )


def _stored_storage(options: Mapping[str, Any]) -> Storage:
    """The storage of a checkpoint; earlier ones do not name it. ValueError if there is no such."""
    if (storage := options.get("storage", FLOAT32)) == FLOAT32:
        return FLOAT32
    if storage == INT16:
        return INT16
    raise ValueError(f"storage is {storage}")


def _check_run(evaluate: Evaluate | None, every: float | None, memory: int | None) -> None:
    """Raise ConfigError for options of a run that are out of range, or of another type."""
    optional_whole_number("memory", memory, 1)
    if evaluate is not None:
        function("evaluate", evaluate)
    if every is not None and (evaluate is None or finite_number("evaluate_every", every) <= 0):
        raise ConfigError(
            "nothing says how the blueprint is measured"
            if evaluate is None
            else f"the time between two evaluations is {every:g} s",
            option="evaluate_every",
            given=every,
            expected="more than 0 seconds, with evaluate",
            remedy="give evaluate as well" if evaluate is None else "give more than 0 seconds",
        )


def _refuse_storage(storage: Storage, what: str, remedy: str) -> None:
    """Raise ConfigError where something that is for float32 alone is asked for in 16 bits."""
    if storage != FLOAT32:
        raise ConfigError(
            f"{what} stores its numbers in float32, not in {storage}",
            option="storage",
            given=storage,
            expected=FLOAT32,
            remedy=f"leave out the storage{remedy}",
        )


def check_sampling(
    hand: Hand,
    discount: Discount | None = None,
    workers: Workers | None = None,
    storage: Storage = FLOAT32,
) -> None:
    """Refuse what external sampling has no use of.

    Args:
        hand: The hand.
        discount: How older iterations count.
        workers: Cores of a cluster.
        storage: How numbers are stored.

    Raises:
        ConfigError: One of them is not at its default.
    """
    vector = ", or take the algorithm vector" if hand.seats == 2 else ""
    if workers is not None:
        raise ConfigError(
            "external sampling does not work on a cluster",
            option="workers",
            given=workers.count,
            remedy=f"leave out the workers{vector}",
        )
    if discount is not None:
        raise ConfigError(
            "external sampling has linear discounts",
            option="discount",
            given=discount,
            remedy=f"leave out the discount{vector}",
        )
    _refuse_storage(storage, "external sampling", vector)


def check_memory(
    size: AbstractSize, memory: int | None, needed: int, fits_int16: bool = False
) -> None:
    """Raise MemoryBudgetError if a training needs more than `memory` bytes.

    With `fits_int16` the remedy names 16-bit storage.
    """
    if memory is not None and needed > memory:
        raise MemoryBudgetError(
            f"training needs {needed:,} bytes for {sum(size.infosets):,} information sets, above "
            f"the budget of {memory:,}",
            sum(size.infosets),
            needed,
            remedy="Give fewer sizes, a raise cap, smaller stacks, or fewer buckets"
            + (", or take 16-bit storage (int16)." if fits_int16 else "."),
            option="memory",
            given=memory,
        )


def algorithm_bytes(
    size: AbstractSize,
    method: str,
    lanes: int,
    batch: int = BATCH,
    storage: Storage = FLOAT32,
) -> int:
    """What the numbers of a training take."""
    if method == EXTERNAL:
        return sampling_bytes(size, lanes)
    return training_bytes(size, batch, storage)
