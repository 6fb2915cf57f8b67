"""Solution: what a solve found, as a file that is readable without the game's rules."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from equilibrist.errors import FileFormatError, MismatchError, UnknownNameError
from equilibrist.parsing.arguments import bad_argument, file_name
from equilibrist.solution_arrays import infoset_arrays, read_infosets
from equilibrist.solvers.run.trace import HasMeasure, TracePoint, TraceRow, rows_as_tuples
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.frames import make_frame
from equilibrist.storage.tables import (
    csv_text,
    document_text,
    refuse_table_name,
    table_kind,
    write_frame_file,
    write_table_file,
)
from equilibrist.storage.versions import versions
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import FloatArray, Int8Array

if TYPE_CHECKING:
    from equilibrist.evaluation import Evaluation

KIND = "solution"


class _Sampling(BaseModel):
    """What a sampler's run says of itself (`solving.result.Sampling`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    sampler: str
    averaging: str
    averaging_every: int | None
    period: int
    seed: int
    nodes_touched: int
    table_bytes: int
    executor: str = "serial"
    threads: int = 1
    shared: bool = False


class _Header(BaseModel):
    """What stands in the JSON header: everything but the infosets."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    game: str
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: str
    values: list[float]
    best_response_values: list[float]
    gains: list[float]
    nash_conv: float
    exploitability: float | None
    guarantee: str
    notes: list[str]
    family: dict[str, Any] | None
    num_nodes: int
    num_sequences: int
    fingerprint: str
    config: dict[str, Any]
    versions: dict[str, str]
    trace: list[TraceRow]
    sampling: _Sampling | None = None


@dataclass(frozen=True, eq=False)
class Solution(HasMeasure):
    """A strategy for all players, how good it is, and how it was made.

    `probabilities` (float64[Q]) holds the actions of infoset i from the sum of the lengths of
    `action_labels` before i on; `infoset_player` is int8[I]. Values, gains, `nash_conv` and
    `exploitability` are in the game's payoff units, `seconds` is the time spent solving.
    """

    game: str
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: str
    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    gains: tuple[float, ...]
    nash_conv: float
    exploitability: float | None
    guarantee: str
    notes: tuple[str, ...]
    family: dict[str, Any] | None
    num_nodes: int
    num_sequences: int
    fingerprint: str
    config: dict[str, Any]
    versions: dict[str, str]
    trace: tuple[TracePoint, ...]
    infoset_keys: tuple[str, ...]
    infoset_player: Int8Array
    action_labels: tuple[tuple[str, ...], ...]
    probabilities: FloatArray
    sampling: dict[str, Any] | None = None
    """What was drawn, if anything: sampler, averaging, seed, nodes_touched and more."""

    @classmethod
    def of(
        cls, strategy: Strategy, algorithm: str = "given", evaluation: Evaluation | None = None
    ) -> Solution:
        """`strategy` with its evaluation, though no solve led to it.

        `algorithm` says where it comes from, in any words. `evaluation` is made here unless the
        caller has it already. Raises ConfigError for what is no strategy, RecallError.
        """
        tree = checked_strategy(strategy).tree
        if not isinstance(algorithm, str):
            raise bad_argument("algorithm", algorithm, "a text")
        if evaluation is None:
            from equilibrist.evaluation import evaluate

            evaluation = evaluate(strategy)
        return cls(
            game=tree.name,
            algorithm=algorithm,
            iterations=0,
            seconds=0.0,
            stopped_by="exact",
            values=evaluation.values,
            best_response_values=evaluation.best_response_values,
            gains=evaluation.gains,
            nash_conv=evaluation.nash_conv,
            exploitability=evaluation.exploitability,
            guarantee="Values and gains were measured by true best responses in the full game.",
            notes=(),
            family=None,
            num_nodes=tree.num_nodes,
            num_sequences=tree.num_sequences,
            fingerprint=tree.fingerprint,
            config={},
            versions=versions(),
            trace=(),
            infoset_keys=tree.infoset_keys,
            infoset_player=tree.infoset_player,
            action_labels=tree.action_labels,
            probabilities=strategy.probabilities,
        )

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.values)

    @property
    def num_infosets(self) -> int:
        """Number of infosets of all players."""
        return len(self.infoset_keys)

    @property
    def table(self) -> dict[str, dict[str, float]]:
        """{infoset: {action: probability}}, infosets by player, then by first visit."""
        rows = {}
        values = self.probabilities.tolist()
        start = 0
        for key, labels in zip(self.infoset_keys, self.action_labels, strict=True):
            end = start + len(labels)
            rows[key] = dict(zip(labels, values[start:end], strict=True))
            start = end
        return rows

    def __getitem__(self, key: str) -> dict[str, float]:
        if not isinstance(key, str):
            raise bad_argument("infoset", key, f"the key of an infoset of {self.game}, a text")
        try:
            i = self.infoset_keys.index(key)
        except ValueError:
            kind = f"infoset of {self.game}"
            raise UnknownNameError(kind, key, self.infoset_keys[:5000]) from None
        start = sum(len(labels) for labels in self.action_labels[:i])
        labels = self.action_labels[i]
        row = self.probabilities[start : start + len(labels)].tolist()
        return dict(zip(labels, row, strict=True))

    def strategy(self, tree: GameTree) -> Strategy:
        """The strategy as an object of `tree`; MismatchError if that is another game."""
        if checked_tree(tree).fingerprint != self.fingerprint:
            same = "; its name is the same, but its rules are not" if tree.name == self.game else ""
            raise MismatchError(
                f"this is a solution of {self.game}, not of {tree.name}{same}. To carry the "
                f"probabilities over by name, use Strategy.from_dict(tree, solution.table)",
                option="game",
                given=self.game,
                expected=tree.name,
            )
        return Strategy(tree, self.probabilities)

    def to_dict(self, solution_file: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The document that `--json` prints: plain numbers, lists and dictionaries."""
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            **(self.sampling or {}),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "values": list(self.values),
            "best_response_values": list(self.best_response_values),
            "gains": list(self.gains),
            "nash_conv": self.nash_conv,
            "exploitability": self.exploitability,
            "measure_name": self.measure_name,
            "guarantee": self.guarantee,
            "family": self.family,
            "notes": list(self.notes),
            "num_players": self.num_players,
            "num_nodes": self.num_nodes,
            "num_infosets": self.num_infosets,
            "num_sequences": self.num_sequences,
            "strategy": self.table,
            "solution_file": None
            if solution_file is None
            else str(file_name("solution_file", solution_file)),
            "config": self.config,
            "trace": [
                {
                    "iteration": p.iteration,
                    "seconds": p.seconds,
                    "nash_conv": p.nash_conv,
                    "exploitability": p.exploitability,
                    "values": list(p.values),
                }
                for p in self.trace
            ],
            "fingerprint": self.fingerprint,
            "versions": self.versions,
        }

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the solution to `path`, atomically, and return it.

        Replaces a solution, but no file of another kind. Raises OutputError.
        """
        header = {name: getattr(self, name) for name in _Header.model_fields if name != "trace"}
        header["trace"] = [point.row for point in self.trace]
        arrays = infoset_arrays(
            self.infoset_keys, self.infoset_player, self.action_labels, self.probabilities
        )
        refuse_table_name(file_name("path", path))
        write_archive(path, KIND, header, arrays)
        return Path(path)

    def table_text(self, kind: str, solution_file: str | os.PathLike[str] | None = None) -> str:
        """The strategy as a table of `kind`: `.csv`, or `.json`, the document of `to_dict`."""
        if kind == ".json":
            return document_text(self.to_dict(solution_file))
        players, values = self.infoset_player.tolist(), self.probabilities.tolist()
        return csv_text(self.infoset_keys, players, self.action_labels, values)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy as CSV, JSON or Parquet, by the suffix of `path`; return the path.

        CSV and Parquet (extra `pandas`) have the columns player, infoset, action, probability;
        JSON is the document of `to_dict`. All keep every digit, and `Strategy.from_file` reads
        them. Replaces an
        earlier table, but no other file. Raises ConfigError for another suffix, OutputError.
        """
        target = file_name("path", path)
        kind = table_kind(target)
        if kind == ".parquet":
            keys, players = self.infoset_keys, self.infoset_player.tolist()
            labels = self.action_labels
            write_frame_file(
                target, make_frame(self.game, keys, players, labels, self.probabilities.tolist())
            )
        else:
            write_table_file(target, kind, self.table_text(kind))
        return target

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Solution:
        """Read a solution file; FileFormatError if it is damaged, foreign or of a newer format."""
        raw, arrays = read_archive(path, KIND)
        try:
            header = _Header.model_validate(_finite(rows_as_tuples(raw)))
            trace = tuple(map(TracePoint.from_row, header.trace))
            infosets = read_infosets(arrays, len(header.values))
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            raise FileFormatError(
                f"{path} is not a whole solution: {error}", path, option="content"
            ) from None
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in ((f, getattr(header, f)) for f in _Header.model_fields)
        }
        given["trace"] = trace
        given["sampling"] = None if header.sampling is None else header.sampling.model_dump()
        assert {*given, *infosets} == {f.name for f in fields(cls)}
        return cls(**given, **infosets)

    def __repr__(self) -> str:
        return (
            f"Solution({self.game!r}, {self.algorithm!r}, iterations={self.iterations:,}, "
            f"{self.measure_name}={self.measure:.3g})"
        )


def _finite(raw: dict[str, Any]) -> dict[str, Any]:
    """`raw`, if it can be printed as JSON again; ValueError for NaN, infinities, endless digits."""
    json.dumps(raw, allow_nan=False)
    return raw
