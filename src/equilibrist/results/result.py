"""Result: the strategy that a solver found, its evaluation, and how it was made."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation.response import Evaluation, evaluate
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import bad_argument, file_name, instance
from equilibrist.results.details import (
    Details,
    perturbed_document,
    pruning_document,
    sampling_document,
)
from equilibrist.results.notebook import figures_html, run_rows, trace_curve
from equilibrist.results.solution_file import read_solution_file, renamed_options, write_solution
from equilibrist.results.stored_abstraction import StoredAbstraction
from equilibrist.results.stored_actions import StoredActions
from equilibrist.results.stored_networks import StoredNetworks
from equilibrist.results.stored_strategy import StoredStrategy
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.solvers.run.trace import TracePoint
from equilibrist.storage.archive import kind_of
from equilibrist.storage.kinds.file_kinds import SOLUTION
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy, checked_strategy

if TYPE_CHECKING:  # `Result` alone means `Result[Strategy]`; Python 3.11 has no defaults
    from typing_extensions import TypeVar

    from equilibrist.equilibria.device import CorrelationDevice

    S_co = TypeVar("S_co", default=Strategy, covariant=True)
else:
    from typing import TypeVar

    S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(Generic[S_co]):
    """A strategy for all players, how good it is, and how it was made.

    Payoffs, gains and `target` are in the game's payoff units, times in seconds. `seconds` counts
    iterating and measuring, also before a resume; walking the rules, compiling, callbacks and
    writing files are not counted. `Result.load` reads a result from a file again.

    Attributes:
        game: Name of the game, with its parameters.
        algorithm: Name of the algorithm, with its parameters.
        iterations: Iterations that were run, also before a resume.
        seconds: Seconds of solving.
        stopped_by: What ended the run.
        strategy: The strategy: a `Strategy` after a solve, a `StoredStrategy` from a file, whose
            `on(tree)` gives a `Strategy`.
        evaluation: Values, best-response values and gains of all players; None if they were not
            measured.
        target: The target in force, given or by default; None if there was none.
        trace: The measurements on the way.
        config: The options of the run by name, as JSON values.
        guarantee: What the measurement proves, and what theory says of the algorithm.
        notes: What else there is to know of the run, a sentence each.
        family: The published family of equilibria that the strategy belongs to
            (`FamilyReport.to_dict`); None if it belongs to none.
        details: What one kind of solver tells: `LinearSolution` of lp, `MatchingResult` of regret
            matching, `StateGraphStats` of fsicfr, or, kept by files, too, `SamplingDetails` of
            samplers, `PrunedTraversals` of pruning, `PerturbedPlay` of trembles and qre; or None.
        stages: Seconds by the clock on the wall from the start of the run, by stage (starting,
            walking, compiling or loading, solving); empty where nothing was run, and in files.
        versions: Version by package that made the result.
        solution_file: Where the result was written, or read; None for neither.
        device: The history of play, where it was kept (`save_device`); files do not hold it.
        abstraction: The map of infosets that was used; None without one.
        actions: Which actions were kept, and how others are translated; None for all.
        networks: The networks that were trained; None for tables.
    """

    KIND: ClassVar[str] = SOLUTION
    """The kind of file that `load` reads for this class."""
    _HOW_GOOD: ClassVar[str] = "measure it with evaluate(result.strategy)"
    """What to use where nothing was measured."""

    game: str
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: StopReason
    strategy: S_co
    evaluation: Evaluation | None = None
    target: float | None = None
    trace: tuple[TracePoint, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)
    guarantee: str = ""
    notes: tuple[str, ...] = ()
    family: dict[str, Any] | None = None
    details: Details | None = None
    stages: dict[str, float] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=versions)
    solution_file: Path | None = None
    device: CorrelationDevice | None = None
    abstraction: StoredAbstraction | None = None
    actions: StoredActions | None = None
    networks: StoredNetworks | None = None

    @classmethod
    def of(
        cls, strategy: Strategy, algorithm: str = "given", evaluation: Evaluation | None = None
    ) -> Result[Strategy]:
        """A result for a strategy that comes from elsewhere, so that it can be saved.

        Args:
            strategy: A strategy on a compiled game.
            algorithm: Where it comes from, in any words.
            evaluation: That of the strategy, if it is known already.

        Returns:
            The result, without iterations.

        Raises:
            ConfigError: An argument has the wrong type.
            RecallError: The game has imperfect recall, and `evaluation` is missing.
        """
        tree = checked_strategy(strategy).tree
        if not isinstance(algorithm, str):
            raise bad_argument("algorithm", algorithm, "a text")
        if evaluation is not None:
            instance("evaluation", evaluation, Evaluation, "what evaluate(strategy) gives, or None")
        return Result(
            game=tree.name,
            algorithm=algorithm,
            iterations=0,
            seconds=0.0,
            stopped_by="exact",
            strategy=strategy,
            evaluation=evaluate(strategy) if evaluation is None else evaluation,
            guarantee="Values and gains were measured by exact best responses in the full game.",
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result[Any]:
        """Read a result from a file, without the rules of its game.

        A subclass reads files of its own kind only; `load_result` reads those of spots, too.

        Args:
            path: A solution file, or one with a strategy that was found without a tree.

        Returns:
            A `Result` whose strategy is a `StoredStrategy`, or an `ImplicitResult`.

        Raises:
            FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
        """
        kind = kind_of(file_name("path", path))
        of_kind = (known for known in (cls, *cls.__subclasses__()) if kind == known.KIND)
        return next(of_kind, cls)._read(path)

    @property
    def values(self) -> tuple[float, ...]:
        """Each player's expected payoff; UnsupportedError if nothing was measured."""
        return self._measured("values").values

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player could still gain by a best response; raises as `values`."""
        return self._measured("gains").gains

    @property
    def nash_conv(self) -> float:
        """Sum of the gains; raises as `values`."""
        return self._measured("nash_conv").nash_conv

    @property
    def exploitability(self) -> float | None:
        """nash_conv / 2 for two players with constant sum, else None; raises as `values`."""
        return self._measured("exploitability").exploitability

    @property
    def measure(self) -> float:
        """The gap if one was measured, else exploitability where it exists, else NashConv.

        A target is held against it.
        """
        return self._measured("measure").measure

    @property
    def measure_name(self) -> str:
        """What `measure` is: exploitability, NashConv, or `EFCE gap` and the like."""
        return self._measured("measure_name").measure_name

    # Cached properties rather than properties: ImplicitResult has fields of these names.

    @cached_property
    def num_players(self) -> int:
        """Number of players."""
        return self.stored.num_players

    @cached_property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return self.stored.num_infosets

    @property
    def num_nodes(self) -> int:
        """Number of histories; UnsupportedError without a tree."""
        return self.stored.num_nodes

    @property
    def num_sequences(self) -> int:
        """Pairs of infoset and action, plus one empty sequence per player; as `num_nodes`."""
        return self.stored.num_sequences

    @cached_property
    def stored(self) -> StoredStrategy:
        """The strategy as files hold it, with all names; UnsupportedError without a tree."""
        if isinstance(self.strategy, StoredStrategy):
            return self.strategy
        if isinstance(self.strategy, Strategy):
            return StoredStrategy.of(self.strategy)
        raise UnsupportedError(
            f"the strategy of {self.game} has no list of infosets and actions", option="strategy"
        )

    def to_dict(self) -> dict[str, Any]:
        """The document that `solve --json` prints.

        Returns:
            Plain numbers, texts, lists and dictionaries; values and gains are in payoff units,
            `strategy` is {infoset: {action: probability}}.
        """
        evaluation = self._measured("document")
        return {
            **document(self, "game algorithm"),
            **(sampling_document(self.details) or {}),
            **pruning_document(self.details),
            **perturbed_document(self.details),
            **document(self, "iterations seconds stopped_by"),
            **evaluation.to_dict(),
            **document(self, "measure_name guarantee family notes abstraction actions"),
            **document(self, "num_players num_nodes num_infosets num_sequences"),
            "strategy": self.stored.to_dict(),
            **document(self, "solution_file config trace"),
            "fingerprint": self.stored.fingerprint,
            "versions": self.versions,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the result to a file, atomically.

        Args:
            path: The file. An earlier solution is replaced, but no file of another kind.

        Returns:
            The path. `solution_file` of this result stays as it is.

        Raises:
            OutputError: The file cannot be written; an earlier one then stays as it was.
        """
        header = {
            **self.__dict__,
            **asdict(self._measured("file")),
            "num_nodes": self.num_nodes,
            "num_sequences": self.num_sequences,
            "fingerprint": self.stored.fingerprint,
            "trace": [point.row for point in self.trace],
            "sampling": sampling_document(self.details),
            "pruning": pruning_document(self.details).get("pruning"),
            "perturbed": perturbed_document(self.details).get("perturbed"),
            "abstraction": self.abstraction and self.abstraction.to_dict(),
            "actions": self.actions and self.actions.to_dict(),
            "loaded_from": self.stored.loaded_from,
            "networks": self.networks and self.networks.to_dict(),
        }
        maps = (self.abstraction, self.actions, self.networks)
        return write_solution(path, header, self.stored, *maps)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy as a table for other programs.

        CSV and Parquet (extra `pandas`) have the columns player, infoset, action, probability;
        JSON is the document of `to_dict`. All keep every digit, and `Strategy.from_file` reads
        them.

        Args:
            path: The file; its name ends in .csv, .json or .parquet. An earlier table is replaced,
                but no other file.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
            UnsupportedError: The strategy was found without a tree.
        """
        return self.stored.save(path, self.to_dict)

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw the trace on logarithmic axes.

        Args:
            path: The file; its name ends in .svg or .png.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
        """
        from equilibrist.plotting import convergence_figure, save_figure

        runs, title = {self.algorithm: self.trace}, f"{self.game}, {self.algorithm}"
        return save_figure(convergence_figure(runs, title=title, target=self.target), path)

    @classmethod
    def _read(cls, path: str | os.PathLike[str]) -> Result[Any]:
        """Read a file of `SOLUTION`; raises FileFormatError for any other."""
        return read_solution(path)

    def _measured(self, option: str) -> Evaluation:
        if self.evaluation is None:
            raise UnsupportedError(
                f"{self.game}: no evaluation by best responses is kept",
                option=option,
                given=self.game,
                remedy=self._HOW_GOOD,
            )
        return self.evaluation

    def __repr__(self) -> str:
        return (
            f"Result({self.game!r}, {self.algorithm!r}, iterations={self.iterations:,}, "
            f"{self.measure_name}={self.measure:.3g}, stopped_by={self.stopped_by!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            *run_rows(self.algorithm, self.iterations, self.stopped_by, self.seconds),
            ("values", ", ".join(f"{v:z.6g}" for v in self.values)),
            ("gains", ", ".join(f"{g:z.3g}" for g in self.gains)),
            (self.measure_name, f"{self.measure:.3g}"),
        ]
        texts = (self.guarantee, *self.notes)
        return figures_html(self.game, rows, self._curve, texts) + self.stored._repr_html_()

    @property
    def _curve(self) -> str:
        """The convergence as an SVG element; empty without measurements."""
        return trace_curve(self.algorithm, self.trace, self.measure_name, self.target)


def read_solution(path: str | os.PathLike[str]) -> Result[StoredStrategy]:
    """Read a solution file, and no other kind.

    Args:
        path: The file.

    Returns:
        The result, which needs no rules.

    Raises:
        FileFormatError: The file is damaged, foreign, of another kind or of a newer format.
    """
    content = read_solution_file(path)
    header = content.header
    return Result(
        game=header.game,
        algorithm=header.algorithm,
        iterations=header.iterations,
        seconds=header.seconds,
        stopped_by=header.stopped_by,
        strategy=content.strategy,
        evaluation=header.evaluation,
        target=header.config.get("target") if header.target is None else header.target,
        trace=tuple(map(TracePoint.from_row, header.trace)),
        config=renamed_options(header.config),
        guarantee=header.guarantee,
        notes=tuple(header.notes),
        family=header.family,
        details=header.details,
        versions=header.versions,
        solution_file=Path(path),
        abstraction=content.abstraction,
        actions=content.actions,
        networks=content.networks,
    )
