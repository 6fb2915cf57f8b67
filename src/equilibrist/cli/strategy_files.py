"""Strategies written for other programs (CSV, JSON) and for us (solutions)."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from equilibrist.cli.output import json_text as document_text
from equilibrist.errors import ConfigError

if TYPE_CHECKING:
    from equilibrist.solution import Solution
    from equilibrist.strategy import Strategy

FORMATS = (".csv", ".json")


def csv_text(solution: Solution) -> str:
    """Columns player, infoset, action, probability; probabilities with all their digits."""
    buffer = io.StringIO()
    # Python 3.11 leaves a lone carriage return unquoted, and no reader takes that.
    texts = (*solution.infoset_keys, *(x for labels in solution.action_labels for x in labels))
    odd = any("\r" in text for text in texts)
    quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL
    writer = csv.writer(buffer, lineterminator="\n", quoting=quoting)
    writer.writerow(["player", "infoset", "action", "probability"])
    players = solution.infoset_player.tolist()
    values = iter(solution.probabilities.tolist())
    for player, key, labels in zip(
        players, solution.infoset_keys, solution.action_labels, strict=True
    ):
        writer.writerows([player, key, label, next(values)] for label in labels)
    return buffer.getvalue()


def json_text(solution: Solution, file: Path | None = None) -> str:
    """The document that `solve --json` prints, indented."""
    return document_text(solution.to_dict(file), indent=1) + "\n"


def check_target(path: Path, source: Path, kind: str) -> None:
    """Refuse to write over the file that is read, or a `kind` over a table that is not ours."""
    if path.exists() and source.exists() and path.samefile(source):
        raise ConfigError(f"{path} is the file that is read; give another name to write to")
    if not path.is_file() or kind not in FORMATS:
        return
    with path.open("rb") as file:
        start = file.read(64).replace(b'"', b"").split()
    ours = b"player,infoset,action,probability" if kind == ".csv" else b"{"
    if start and start[0] != ours:
        raise ConfigError(
            f"{path} exists and is not a strategy of ours; give another name, or remove it"
        )


def check_strategy_file(path: Path) -> None:
    """Refuse now what `write_strategy` could not write; ConfigError or OutputError."""
    from equilibrist.archive import check_writable
    from equilibrist.solution import KIND

    suffix = path.suffix.lower()
    if suffix not in {*FORMATS, ".safetensors"}:
        raise ConfigError(
            f"{path}: the name says the format; end it in .csv, .json or .safetensors"
        )
    check_writable(path, KIND if suffix == ".safetensors" else None)


def write_strategy(strategy: Strategy, path: Path, made_by: str) -> None:
    """Evaluate a strategy and write it in the format that the suffix of `path` names.

    `made_by` stands in the place of the algorithm. Raises OutputError.
    """
    solution = solution_of(strategy, made_by)
    if path.suffix.lower() == ".safetensors":
        solution.save(path)
    else:
        write_table(solution, path)


def write_table(solution: Solution, path: Path) -> None:
    """Write CSV or JSON, by the suffix of `path`; OutputError."""
    from equilibrist.archive import write_bytes

    text = csv_text(solution) if path.suffix.lower() == ".csv" else json_text(solution)
    write_bytes(path, text.encode("utf-8"))


def solution_of(strategy: Strategy, made_by: str) -> Solution:
    """A Solution that holds `strategy` and its evaluation, though no solve led to it."""
    from equilibrist.evaluation import evaluate
    from equilibrist.solution import Solution
    from equilibrist.solving.versions import versions

    tree = strategy.tree
    found = evaluate(strategy)
    return Solution(
        game=tree.name,
        algorithm=made_by,
        iterations=0,
        seconds=0.0,
        stopped_by="exact",
        values=found.values,
        best_response_values=found.best_response_values,
        gains=found.gains,
        nash_conv=found.nash_conv,
        exploitability=found.exploitability,
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
