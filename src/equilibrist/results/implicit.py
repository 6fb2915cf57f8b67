"""ImplicitResult: the result of a run without a tree."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, ValidationError

from equilibrist.errors import UnsupportedError
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import file_name
from equilibrist.results.details import SamplingDetails, sampling_document
from equilibrist.results.notebook import figures_html, run_rows
from equilibrist.results.result import Result
from equilibrist.results.solution_file import renamed_options
from equilibrist.results.stored_strategy import StoredStrategy
from equilibrist.rules.strategy import PackedStrategy
from equilibrist.solvers.run.stopping import StopReason, stop_reason_of_file
from equilibrist.storage.damage import damaged
from equilibrist.storage.kinds.file_kinds import PACKED
from equilibrist.storage.versions import FileHeader

_UNMEASURED: Final = (
    "values",
    "best_response_values",
    "gains",
    "nash_conv",
    "exploitability",
    "rounding",
    "measure_name",
)
"""What a measurement would say, for which a best response would visit every history."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ImplicitResult(Result[PackedStrategy]):
    """A result of sampling on the rules of a game, without its tree.

    How good the strategy is was not measured, since a best response would visit every history:
    `evaluation` is None, and `values`, `gains` and `nash_conv` raise UnsupportedError.
    `play_duplicates` lets the strategy play against another. `Strategy.from_packed` puts it on the
    tree of a game that is small enough. Attributes that are not listed here are those of `Result`.

    Attributes:
        strategy: The average strategy; infosets that it lacks are played uniformly.
        details: What was drawn; None if the strategy was made by hand.
        num_players: Number of players.
        num_infosets: Infosets with a row in the table, which are those that were visited. The
            strategy lacks those that the average has not reached (`num_unplayed`).
        memory: Bytes that the table and all that grows with it may take.
        is_full: Whether the table reached that bound.
        bound_nash_conv: An estimate of an upper bound of NashConv, in payoff units
            (`ImplicitMCCFR.bound_nash_conv`); None where the regrets bound nothing.
        bound_cce_gap: An estimate of an upper bound of the coarse correlated gap, in payoff units;
            None where the regrets bound nothing.
        bound_unstored_share: The share of these bounds that comes from infosets without a row.
    """

    KIND: ClassVar[str] = PACKED
    _HOW_GOOD: ClassVar[str] = "see bound_nash_conv, or compare strategies with play_duplicates"

    details: SamplingDetails | None = None
    num_players: int = field()
    num_infosets: int = field()
    memory: int = 0
    is_full: bool = False
    bound_nash_conv: float | None = None
    bound_cce_gap: float | None = None
    bound_unstored_share: float = 0.0

    @property
    def stored(self) -> StoredStrategy:
        """Raises UnsupportedError: nobody has counted the histories and listed all infosets."""
        raise UnsupportedError(
            f"the strategy of {self.game} was found without a tree: it does not hold all infosets",
            option="strategy",
            given=self.game,
            remedy="put it on the compiled game with Strategy.from_packed(tree, result.strategy)",
        )

    def to_dict(self) -> dict[str, Any]:
        """The document that `solve --json` prints.

        Returns:
            Plain numbers, texts, lists and dictionaries with the keys of `Result.to_dict`, and
            bounds in payoff units; None for what was not measured.
        """
        drawn = sampling_document(self.details) or {}
        shared = drawn.pop("shared", False)
        executor, threads = drawn.pop("executor", "serial"), drawn.pop("threads", 1)
        return {
            **document(self, "game algorithm"),
            **drawn,
            "table_is_full": self.is_full,
            "memory": self.memory,
            "executor": executor,
            "threads": threads,
            "shared": shared,
            **document(self, "iterations seconds stopped_by"),
            **dict.fromkeys(_UNMEASURED),
            **document(self, "bound_nash_conv bound_cce_gap bound_unstored_share"),
            **document(self, "guarantee family abstraction actions notes num_players"),
            "num_nodes": None,
            "num_infosets": self.num_infosets,
            "num_sequences": None,
            "strategy": None,
            **document(self, "solution_file config trace"),
            "fingerprint": self.strategy.fingerprint,
            "versions": self.versions,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy to a file, with the document of `to_dict` as its `provenance`.

        Args:
            path: The file. An earlier strategy without a tree is replaced, but no file of another
                kind.

        Returns:
            The path. `solution_file` of this result stays as it is.

        Raises:
            OutputError: The file cannot be written; an earlier one then stays as it was.
        """
        provenance = {
            name: value for name, value in self.to_dict().items() if name != "solution_file"
        }
        return replace(self.strategy, provenance=provenance).save(path)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy as a table for other programs, infosets without a row left out.

        CSV and Parquet (extra `pandas`) have the columns player, infoset, action, probability, the
        first only where the infosets have names (`PackedStrategy.named_by`), and are written piece
        by piece; JSON is the document of `to_dict` with the strategy in it.

        Args:
            path: The file; its name ends in .csv, .json or .parquet. An earlier table is replaced,
                but no other file.

        Returns:
            The path.

        Raises:
            ConfigError: The name has another suffix.
            OutputError: The file cannot be written.
        """
        return self.strategy.named_rows.save(file_name("path", path), self.to_dict())

    @property
    def num_unplayed(self) -> int:
        """Infosets of the table that the average has not reached; they are played uniformly."""
        return self.num_infosets - self.strategy.num_infosets

    @classmethod
    def _read(cls, path: str | os.PathLike[str]) -> ImplicitResult:
        return read_implicit(path)

    def __repr__(self) -> str:
        return (
            f"ImplicitResult({self.game!r}, {self.algorithm!r}, iterations={self.iterations:,}, "
            f"infosets={self.num_infosets:,}, stopped_by={self.stopped_by!r})"
        )

    def _repr_html_(self) -> str:
        rows = [
            *run_rows(self.algorithm, self.iterations, self.stopped_by, self.seconds),
            ("infosets visited", f"{self.num_infosets:,}"),
            ("with an average", f"{self.strategy.num_infosets:,}"),
        ]
        texts = (self.guarantee, *self.notes)
        return figures_html(self.game, rows, "", texts) + self.strategy._repr_html_()


def read_implicit(path: str | os.PathLike[str]) -> ImplicitResult:
    """Read a strategy that was found without a tree; raises FileFormatError."""
    strategy = PackedStrategy.load(path)
    document = read_document(path, strategy.provenance)
    if document is None:
        return ImplicitResult(
            game=strategy.game,
            algorithm="given",
            iterations=0,
            seconds=0.0,
            stopped_by="exact",
            strategy=strategy,
            num_players=0,
            num_infosets=strategy.num_infosets,
            versions={},
            solution_file=Path(path),
        )
    return ImplicitResult(
        game=document.game,
        algorithm=document.algorithm,
        iterations=document.iterations,
        seconds=document.seconds,
        stopped_by=document.stopped_by,
        strategy=strategy,
        config=renamed_options(document.config),
        guarantee=document.guarantee,
        notes=tuple(document.notes),
        details=document.sampling,
        versions=document.versions,
        solution_file=Path(path),
        num_players=document.num_players,
        num_infosets=document.num_infosets,
        memory=document.memory,
        is_full=document.table_is_full,
        bound_nash_conv=document.bound_nash_conv,
        bound_cce_gap=document.bound_cce_gap,
        bound_unstored_share=document.bound_unstored_share,
    )


_SIGNS: Final = frozenset({"algorithm", "iterations"})
"""Keys by which a document is one of ours; users may write any other."""


class ImplicitDocument(FileHeader):
    """The keys of `ImplicitResult.to_dict` that say something; defaults are for early files."""

    model_config = ConfigDict(extra="ignore")

    game: str
    algorithm: str
    sampling: SamplingDetails
    """What was drawn; in the document its keys stand beside those of the run."""
    table_is_full: bool
    memory: int
    iterations: int
    seconds: float
    stopped_by: Annotated[StopReason, BeforeValidator(stop_reason_of_file)]
    bound_nash_conv: float | None = None
    bound_cce_gap: float | None = None
    bound_unstored_share: float = 0.0
    guarantee: str
    notes: list[str]
    num_players: int
    num_infosets: int
    config: dict[str, Any]
    versions: dict[str, str]


def read_document(
    path: str | os.PathLike[str], provenance: dict[str, Any]
) -> ImplicitDocument | None:
    """Read the run in a file's header; None if no solve wrote it. Raises FileFormatError."""
    if not provenance.keys() >= _SIGNS:
        return None
    names = provenance.keys() & {drawn.name for drawn in fields(SamplingDetails)}
    sampling = {name: provenance[name] for name in names}
    try:
        return ImplicitDocument.read({**provenance, "sampling": sampling})
    except ValidationError as error:
        raise damaged(path, "a whole strategy", error) from None
