"""Solution files: a header that describes a strategy, and arrays with its infosets."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator

from equilibrist.evaluation.correlation import Gap
from equilibrist.evaluation.response import Evaluation
from equilibrist.results.details import PerturbedPlay, PrunedTraversals, SamplingDetails
from equilibrist.results.infoset_arrays import infoset_arrays, read_infosets
from equilibrist.results.stored_abstraction import StoredAbstraction
from equilibrist.results.stored_actions import StoredActions
from equilibrist.results.stored_networks import StoredNetworks
from equilibrist.results.stored_strategy import StoredStrategy
from equilibrist.solvers.run.stopping import StopReason, stop_reason_of_file
from equilibrist.solvers.run.trace import TraceRow
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.damage import damaged
from equilibrist.storage.kinds.file_kinds import SOLUTION
from equilibrist.storage.versions import FileHeader


class AbstractionHeader(FileHeader):
    """What the header says of an abstraction; the map itself is an array."""

    name: str
    recall: list[str]
    num_infosets: int


class ActionsHeader(FileHeader):
    """What the header says of actions that were left out; the rest are arrays."""

    name: str
    translate: str
    num_actions: int


class NetworksHeader(FileHeader):
    """What the header says of networks that were trained; their weights are arrays."""

    features: str
    unit: dict[str, str]
    sizes: dict[str, list[int]]
    activation: str
    losses: dict[str, float]


class Header(FileHeader):
    """What stands in the JSON header: everything but the infosets."""

    game: str
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: Annotated[StopReason, BeforeValidator(stop_reason_of_file)]
    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    gains: tuple[float, ...]
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
    sampling: SamplingDetails | None = None
    pruning: PrunedTraversals | None = None
    perturbed: PerturbedPlay | None = None
    target: float | None = None
    rounding: float = 0.0
    gap: Gap | None = None
    abstraction: AbstractionHeader | None = None
    actions: ActionsHeader | None = None
    loaded_from: str | None = None
    networks: NetworksHeader | None = None

    @property
    def details(self) -> SamplingDetails | PrunedTraversals | PerturbedPlay | None:
        """What was drawn, what pruned traversals visited, or the perturbed game."""
        return self.sampling or self.perturbed or self.pruning

    @property
    def evaluation(self) -> Evaluation:
        """What was measured."""
        return Evaluation(**{field.name: getattr(self, field.name) for field in fields(Evaluation)})


def write_solution(
    path: str | os.PathLike[str],
    header: Mapping[str, Any],
    strategy: StoredStrategy,
    abstraction: StoredAbstraction | None = None,
    actions: StoredActions | None = None,
    networks: StoredNetworks | None = None,
) -> Path:
    """Write a solution file, atomically, and return its path.

    `header` has the fields of `Header`; `abstraction` is the map of the infosets, `actions`
    what was kept of the actions, `networks` what was trained. Replaces a solution,
    but no file of another kind. Raises OutputError.
    """
    arrays = infoset_arrays(
        strategy.keys, strategy.players, strategy.labels, strategy.probabilities
    )
    if abstraction is not None:
        arrays |= abstraction.arrays()
    if actions is not None:
        arrays |= actions.arrays()
    if networks is not None:
        arrays |= networks.arrays()
    fields = {name: header[name] for name in Header.model_fields}
    return write_archive(path, SOLUTION, fields, arrays)


def renamed_options(config: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a file keeps, under today's names: early ones are `time`, `simultaneous`."""
    options = dict(config)
    if "time" in options:
        options["seconds"] = options.pop("time")
    if "simultaneous" in options:
        options["alternating"] = False if options.pop("simultaneous") else None
    return options


class SolutionContent(NamedTuple):
    """What a solution file holds.

    Attributes:
        header: Everything but the arrays.
        strategy: The strategy, without a tree.
        abstraction: The map of infosets; None where none were merged on purpose.
        actions: The actions that were kept; None for all.
        networks: The networks that were trained; None without any.
    """

    header: Header
    strategy: StoredStrategy
    abstraction: StoredAbstraction | None
    actions: StoredActions | None
    networks: StoredNetworks | None


def read_solution_file(
    path: str | os.PathLike[str],
) -> SolutionContent:
    """Read a solution file, and check it.

    Raises FileFormatError if it is damaged, foreign, of another kind or of a newer format.
    """
    raw, arrays = read_archive(path, SOLUTION)
    try:
        json.dumps(raw, allow_nan=False)  # no NaN, infinities or endless digits
        header = Header.read(raw)
        strategy = StoredStrategy(
            game=header.game,
            fingerprint=header.fingerprint,
            num_players=len(header.values),
            num_nodes=header.num_nodes,
            num_sequences=header.num_sequences,
            loaded_from=header.loaded_from,
            **read_infosets(arrays, len(header.values)),
        )
        header_abstraction = header.abstraction
        abstraction = (
            None
            if header_abstraction is None
            else StoredAbstraction.read(
                header_abstraction.model_dump(), arrays, strategy.num_infosets
            )
        )
        header_actions = header.actions
        actions = (
            None
            if header_actions is None
            else StoredActions.read(header_actions.model_dump(), arrays, strategy.offset)
        )
        networks = (
            None
            if header.networks is None
            else StoredNetworks.read(header.networks.model_dump(), arrays)
        )
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        raise damaged(path, "a whole solution", error) from None
    return SolutionContent(header, strategy, abstraction, actions, networks)
