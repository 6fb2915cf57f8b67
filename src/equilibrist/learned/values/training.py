"""Training of value networks: rows by solving or from play, fits, checkpoints.

An iteration makes rows. With solved targets the network is fitted once, to all rows; from play
(ReBeL) it is fitted a little after every iteration, and values the leaves of the next ones.

Noam Brown, Anton Bakhtin, Adam Lerer and Qucheng Gong, "Combining deep reinforcement learning and
search for imperfect-information games", NeurIPS 2020.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from equilibrist.errors import CheckpointError, ConfigError
from equilibrist.learned.fit import Data, FitReport, fit_network, load_torch
from equilibrist.learned.network import Network, new_network
from equilibrist.learned.values.network import MOST, STAKE, UNITS, ValueNetwork
from equilibrist.learned.values.play import WalkedPlay
from equilibrist.learned.values.region import acting_depth, leaves_below
from equilibrist.learned.values.states import ValueStates
from equilibrist.learned.values.targets import (
    LANES,
    RangeSource,
    ValueRows,
    played_plans,
    solved_rows,
)
from equilibrist.parsing.arguments import (
    bad_argument,
    file_name,
    finite_number,
    same_file,
    saving_every,
    several,
    whole_number,
)
from equilibrist.progress import Callbacks, OnProgress, as_callbacks, progress_of, shows_progress
from equilibrist.search import SearchGame
from equilibrist.solvers.run.header import RunHeader
from equilibrist.solvers.run.loop import Answer, Loop, ProgressEvent
from equilibrist.solvers.run.saved_run import SavedRun, refuse_overwrite
from equilibrist.solvers.run.stopping import Stop, StopReason, StopRule, merge_stop
from equilibrist.solvers.run.trace import NEVER, Unmeasured
from equilibrist.storage.archive import check_writable, write_archive
from equilibrist.storage.atomic import OwnFile
from equilibrist.storage.kinds.file_kinds import VALUE_CHECKPOINT
from equilibrist.storage.versions import FileHeader, versions
from equilibrist.tree.compile import GameTree

Targets = Literal["solve", "bootstrap"]
TARGETS: Final = ("solve", "bootstrap")
STEPS: Final[dict[str, int]] = {"solve": 10_000, "bootstrap": 200}
"""Steps of a fit by default: of the only one, or of that of each iteration."""
SAVE_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
_HELD_OUT: Final = 10
"""One row in so many is held out, and measures the fit."""
_MAKING_ROWS: Final = 0.6
"""The part of a time limit in which solved rows are made; the rest is for the fit."""
_LEAST_RATE: Final = 0.01
"""By what the learning rate is multiplied at the end of a fit."""


@dataclass(frozen=True)
class ValueTraining:
    """How a value network is trained.

    Attributes:
        depth: How many public nodes with decisions a search looks ahead, its root's own among them;
            0 until chance shows something. Its leaves are what is asked about.
        targets: Where values come from: `solve`, solves of all that follows, or `bootstrap`, solves
            down to leaves that the network values, in play with itself.
        rows: With solved targets, how many rows there are.
        solve_iterations: The iterations of a solve that values a row.
        walks: From play, the walks of an iteration; each gives a row for every solve on its way.
        every_iterate: From play, whether each iterate of a solve gives a row for its child, with
            the child's final play (TurboReBeL).
        hidden: The widths of the hidden layers.
        steps: Steps of the fit, by default 10,000; from play, of each iteration, by default 200,
            with which a row is drawn some tens of times.
        batch_size: Rows of a step.
        learning_rate: Of Adam. With solved targets it falls to a hundredth along a cosine; from
            play it stays, as the targets never end.
        capacity: From play, the most rows that are kept, the newest.
        unit: What the network's outputs are in: `most`, the most that a player can win in the game,
            or `stake`, the least that is won or lost at each public state, which suits games whose
            stacks are large beside most pots.
        seed: Fixes all draws.
    """

    depth: int = 2
    targets: Targets = "solve"
    rows: int = 20_000
    solve_iterations: int = 250
    walks: int = 256
    every_iterate: bool = False
    hidden: tuple[int, ...] = (128, 128)
    steps: int | None = None
    batch_size: int = 512
    learning_rate: float = 1e-3
    capacity: int = 200_000
    unit: str = MOST
    seed: int = 0

    def __post_init__(self) -> None:
        """Check all; raises ConfigError."""
        for name in ("rows", "solve_iterations", "walks", "batch_size", "capacity"):
            whole_number(name, getattr(self, name), 1)
        if self.targets not in TARGETS:
            raise bad_argument("targets", self.targets, " or ".join(TARGETS))
        if self.unit not in UNITS:
            raise bad_argument("unit", self.unit, " or ".join(UNITS))
        if self.steps is None:
            object.__setattr__(self, "steps", STEPS[self.targets])
        for name in ("depth", "steps", "seed"):
            whole_number(name, getattr(self, name), 0)
        hidden = several("hidden", self.hidden, "widths of layers")
        object.__setattr__(self, "hidden", tuple(whole_number("hidden", n, 1) for n in hidden))
        if finite_number("learning_rate", self.learning_rate) <= 0.0:
            raise bad_argument("learning_rate", self.learning_rate, "a number above 0")

    @property
    def iterations(self) -> int:
        """How many iterations there are by default: solved blocks, or 100 rounds of play."""
        return -(-self.rows // LANES) if self.targets == "solve" else 100


class _Problem(FileHeader):
    game: str
    fingerprint: str
    features: str


class _Header(RunHeader):
    problem: _Problem
    options: dict[str, Any]
    iteration: int = Field(ge=0, le=2**53)
    losses: dict[str, float] = Field(default_factory=dict)


class ValueCheckpoint(SavedRun[_Header]):
    """A training as it stood."""

    KIND = VALUE_CHECKPOINT
    HEADER = _Header

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read a file; raises CheckpointError if there is none, or it is damaged or foreign."""
        super().__init__(path, "resume")

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.header.problem.game

    @property
    def training(self) -> ValueTraining:
        """How it is trained."""
        options = self.header.options
        return ValueTraining(**{**options, "hidden": tuple(options["hidden"])})


class _Trainer:
    """Makes rows, and fits; what `Loop` iterates."""

    def __init__(self, states: ValueStates, training: ValueTraining) -> None:
        self.states, self.training = states, training
        self.iteration = 0
        self.network = self._new_network()
        self.losses: dict[str, float] = {}
        self._blocks: list[ValueRows] = [ValueRows.none(states)]
        self._source: RangeSource | None = None
        self._play: WalkedPlay | None = None

    def _new_network(self) -> Network:
        states, training = self.states, self.training
        sizes = (states.num_inputs, *training.hidden, sum(states.num_hands))
        return new_network(sizes, training.seed)

    @property
    def rows(self) -> ValueRows:
        """All rows that are kept."""
        if len(self._blocks) > 1:
            self._blocks = [ValueRows.joined(self._blocks)]
        return self._blocks[0]

    def run(self, iterations: int) -> object:
        """Make more rows; from play, fit after each iteration."""
        for _ in range(iterations):
            if self.training.targets == "solve":
                self._solve()
            else:
                self._walk()
            self.iteration += 1
        return self

    def _solve(self) -> None:
        training = self.training
        if self._source is None:
            plans = played_plans(self.states, training.seed)
            self._source = RangeSource(self.states, plans, training.depth)
        number = self.iteration
        self._blocks += solved_rows(
            self._source,
            number + 1,
            training.solve_iterations,
            training.seed,
            first=number,
        )

    def _walk(self) -> None:
        training = self.training
        if self._play is None:
            self._play = WalkedPlay(self.states, training.depth, training.solve_iterations)
        random = np.random.default_rng(np.random.SeedSequence((training.seed, 43, self.iteration)))
        network = ValueNetwork(self.states, self.network, unit=training.unit)
        new = self._play.rows(network, training.walks, random, every_iterate=training.every_iterate)
        self._blocks = [ValueRows.joined([self.rows, *new]).last(training.capacity)]
        report = self._fit(self.iteration, constant=True)
        self.network = report.network
        self.losses = {"training": report.losses[-1]} if report.losses else {}

    def finish(self, stop: Callable[[], bool] | None, tell: Callable[[int], object]) -> None:
        """Fit to solved rows, from new weights on."""
        if self.training.targets != "solve":
            return
        self.network = self._new_network()
        report = self._fit(0, stop=stop, tell=tell)
        self.network = report.network
        self.losses = {"training": report.losses[-1]} if report.losses else {}
        if report.validation is not None:
            self.losses["validation"] = report.validation

    def _fit(
        self,
        number: int,
        *,
        constant: bool = False,
        stop: Callable[[], bool] | None = None,
        tell: Callable[[int], object] | None = None,
    ) -> FitReport:
        states, training, rows = self.states, self.training, self.rows
        steps = training.steps or 0
        inputs = states.inputs(rows.classes, np.asarray(rows.ranges, dtype=np.float64))
        mask, targets = states.held[rows.classes], rows.targets
        if training.unit == STAKE:
            stake = states.stake[rows.classes][:, None]
            targets = (targets / stake).astype(np.float32)
        apart = np.arange(len(rows.classes)) % _HELD_OUT == _HELD_OUT - 1
        held_out = None
        if constant or not apart.any():
            apart[:] = False
        else:
            held_out = Data(inputs[apart], targets[apart], None, mask[apart])
        rate = training.learning_rate

        def falling(step: int) -> float:
            share = (1.0 + math.cos(math.pi * step / max(steps, 1))) / 2.0
            return rate * (_LEAST_RATE + (1.0 - _LEAST_RATE) * share)

        return fit_network(
            self.network,
            inputs[~apart],
            targets[~apart],
            mask=mask[~apart],
            loss="huber",
            steps=steps,
            batch_size=training.batch_size,
            learning_rate=rate if constant else falling,
            clip=1.0,
            seed=training.seed + number,
            output="zero-sum",
            held_out=held_out,
            progress=None if tell is None else lambda made, _: tell(made),
            stop=stop,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What the coming iterations depend on, by name."""
        return {**self.rows.arrays(), "weights": self.network.weights.copy()}

    def restore(self, saved: ValueCheckpoint) -> None:
        """Go on from a checkpoint; raises CheckpointError if it does not fit."""
        arrays = saved.arrays()
        self._blocks = [ValueRows.restored(arrays, self.states)]
        weights = arrays.get("weights")
        if weights is None or weights.shape != self.network.weights.shape:
            raise CheckpointError(
                f"{saved.path}: the weights are not those of {self.network}",
                saved.path,
                option="weights",
                remedy="start a new run",
            )
        self.network = replace(self.network, weights=weights)
        self.iteration = saved.iteration
        self.losses = dict(saved.header.losses)


@shows_progress
def train_values(
    game: GameTree | SearchGame | ValueStates,
    training: ValueTraining | None = None,
    *,
    stop: Stop | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SAVE_EVERY,
    resume: str | os.PathLike[str] | None = None,
    callbacks: Callbacks | OnProgress | None = None,
    progress: bool | None = None,  # noqa: ARG001 - read by shows_progress
) -> ValueNetwork:
    """Train a value network.

    Args:
        game: A game of two players with constant sum that says what is public.
        training: How; None for the defaults, or what is resumed.
        stop: When making rows ends; or `iterations` and `seconds` one by one.
        iterations: The most iterations, those before a resume included.
        seconds: The most seconds, from the call on. With solved targets the last part of them is
            for the fit.
        checkpoint: Where the state is saved.
        checkpoint_every: Seconds between two checkpoints.
        resume: A checkpoint to go on from.
        callbacks: Receive the progress; may stop the run.
        progress: Whether a line of progress is shown.

    Returns:
        The value function, with losses and how it was made. The same for the same arguments, also
        if the run was resumed, unless a time limit ended it.

    Raises:
        ConfigError: An argument is wrong, or PyTorch is missing.
        CheckpointError: What is to be resumed is of another game, or is damaged.
        OutputError: The checkpoint cannot be written.
    """
    started = perf_counter()
    states = _states(game)
    saved = None if resume is None else ValueCheckpoint(resume)
    given = training or ValueTraining()
    if saved is not None:
        there = {"game": saved.game, **saved.header.options}
        wanted = saved.training if training is None else training
        here = {"game": states.search.tree.name, **_options(wanted)}
        saved.refuse_other("training", there, here)
        if saved.header.problem != _problem(states):
            raise CheckpointError(
                f"{saved.path} is a training for {saved.header.problem}, not for "
                f"{_problem(states)}",
                saved.path,
                option="game",
                given=states.search.tree.name,
                expected=saved.game,
                remedy="start a new run under another name",
            )
        given = wanted
    _refuse_depth(states, given.depth)
    limits = Stop(**merge_stop(stop, iterations=iterations, seconds=seconds))
    most = limits.iterations
    if most is None and (limits.seconds is None or given.targets == "solve"):
        most = given.iterations
    trainer = _Trainer(states, given)
    path = checkpoint if checkpoint is not None or saved is None else saved.path
    every = saving_every(checkpoint_every, SAVE_EVERY, is_saved=path is not None)
    save = None
    if path is not None:
        file = file_name("checkpoint", path)
        check_writable(file, VALUE_CHECKPOINT)
        if saved is None or not same_file(file, saved.path):
            refuse_overwrite(file, ValueCheckpoint, lambda run: f"of values of {run.game}")
        save = _saver(trainer, file)
    if saved is not None:
        trainer.restore(saved)
        saved.refuse_past("iterations", saved.iteration, most)
    load_torch()  # what is wrong with files is said without it
    called = as_callbacks(callbacks)
    since = called.clock.counts_from
    since = started if since is None else since
    share = _MAKING_ROWS if given.targets == "solve" else 1.0

    def report(event: ProgressEvent[Unmeasured]) -> Answer:
        tell = called.on_progress
        return None if tell is None else tell(replace(progress_of(event, "values"), total=most))

    outcome = Loop(
        trainer,
        Unmeasured,
        StopRule(
            iterations=most,
            seconds=None if limits.seconds is None else share * limits.seconds,
            since=since,
        ),
        seconds=0.0 if saved is None else saved.seconds,
        report=report,
        save=save,
        save_every=every,
        schedule=NEVER,
    ).run()
    if outcome.failure is not None:
        raise outcome.failure
    end = None if limits.seconds is None else since + limits.seconds
    trainer.finish(
        None if end is None else lambda: perf_counter() > end,
        lambda _: None,
    )
    made = _made(trainer, outcome.stopped_by, outcome.seconds, perf_counter() - started)
    return ValueNetwork(states, trainer.network, trainer.losses, made, unit=given.unit)


def _states(game: GameTree | SearchGame | ValueStates) -> ValueStates:
    if isinstance(game, ValueStates):
        return game
    search = game if isinstance(game, SearchGame) else SearchGame.of(game)
    return ValueStates.of(search)


def _refuse_depth(states: ValueStates, depth: int) -> None:
    """Raise ConfigError where a search so deep has no leaves, which networks are trained for."""
    public = states.search.public
    if leaves_below(public, (0,), depth):
        return
    deepest = int(acting_depth(public)[public.acts_below.any(axis=1)].max(initial=0))
    name = states.search.tree.name
    known = f"from 1 to {deepest}" if deepest else "another game"
    why = f"is over after {deepest + 1} decisions" if depth else "shows nothing by chance"
    raise ConfigError(
        f"a search of depth {depth} has no leaves, as {name} {why}",
        option="depth",
        given=depth,
        expected=known,
        remedy="search less deep" if depth and deepest else f"give {known}",
    )


def _problem(states: ValueStates) -> _Problem:
    from equilibrist.learned.values.network import features_name

    tree = states.search.tree
    return _Problem(game=tree.name, fingerprint=tree.fingerprint, features=features_name())


def _options(training: ValueTraining) -> dict[str, Any]:
    """How it is trained, as JSON has it."""
    return {**asdict(training), "hidden": [*training.hidden]}


def _made(
    trainer: _Trainer, stopped_by: StopReason, seconds: float, whole: float
) -> dict[str, Any]:
    return {
        "algorithm": "values",
        **_options(trainer.training),
        "iterations": trainer.iteration,
        "trained_rows": len(trainer.rows.classes),
        "stopped_by": stopped_by,
        "row_seconds": seconds,
        "seconds": whole,
    }


def _saver(trainer: _Trainer, path: Path) -> Callable[[object, float], None]:
    file = OwnFile(path)

    def save(_trace: object, seconds: float) -> None:
        header = _Header(
            problem=_problem(trainer.states),
            algorithm="values",
            options=_options(trainer.training),
            iteration=trainer.iteration,
            losses=trainer.losses,
            seconds=seconds,
            versions=versions(),
        )
        with file.replaced():
            write_archive(path, VALUE_CHECKPOINT, header.model_dump(), trainer.arrays())

    return save
