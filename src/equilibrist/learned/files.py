"""Files of networks: safetensors with a header that says what each network is, and of what game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import (
    EquilibristError,
    FileFormatError,
    MismatchError,
    UnsupportedError,
)
from equilibrist.learned.network import Network
from equilibrist.parsing.arguments import file_name
from equilibrist.results import Result
from equilibrist.storage.archive import read_archive, write_archive
from equilibrist.storage.versions import FileHeader, versions

_WEIGHTS: Final = "weights."
_TABLE: Final = "table."


class Architecture(FileHeader):
    """The shape of a network."""

    sizes: list[int]
    activation: str


class NetworkHeader(FileHeader):
    """What a file of networks says beside their weights."""

    networks: dict[str, Architecture]
    features: str
    """Name and version of what the networks read."""
    game: str
    fingerprint: str
    """Of the compiled game; empty for networks of no one game."""
    unit: str | dict[str, str]
    """What outputs are in, such as `pot`; by the name of a network where they differ."""
    losses: dict[str, float]
    made: dict[str, Any]
    """How they were made, for people: algorithm, iterations, seed."""
    versions: dict[str, str]


@dataclass(frozen=True, eq=False, kw_only=True)
class NetworkFile:
    """Networks as files hold them.

    Attributes:
        networks: The networks by name.
        features: Name and version of what they read, as "infoset-keys/1".
        game: Name of the game.
        fingerprint: That of the compiled game; empty for networks of no one game.
        unit: What their outputs are in; by the name of a network where they differ.
        losses: Losses by name.
        made: How they were made, for people.
        tables: Further arrays by name.
        versions: The packages that wrote it.
        path: Where it was read; None if it was not.
    """

    networks: Mapping[str, Network]
    features: str
    game: str
    fingerprint: str
    unit: str | Mapping[str, str]
    losses: Mapping[str, float] = field(default_factory=dict)
    made: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=versions)
    path: Path | None = None

    def save(self, path: str | os.PathLike[str], kind: str) -> Path:
        """Write a file, atomically; an existing one is replaced only if it is of the same kind.

        Args:
            path: The file.
            kind: The kind of the file, a row of `storage.kinds.file_kinds.KINDS`.

        Returns:
            The file.

        Raises:
            OutputError: It cannot be written, or another file is there.
        """
        header = NetworkHeader(
            networks={
                name: Architecture(sizes=[*network.sizes], activation=network.activation)
                for name, network in self.networks.items()
            },
            features=self.features,
            game=self.game,
            fingerprint=self.fingerprint,
            unit=self.unit if isinstance(self.unit, str) else dict(self.unit),
            losses=dict(self.losses),
            made=dict(self.made),
            versions=dict(self.versions),
        )
        arrays: dict[str, NDArray[Any]] = {
            f"{_WEIGHTS}{name}": network.weights for name, network in self.networks.items()
        }
        arrays |= {f"{_TABLE}{name}": array for name, array in self.tables.items()}
        return write_archive(path, kind, header.model_dump(), arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str], kind: str) -> NetworkFile:
        """Read a file.

        Args:
            path: The file.
            kind: The kind that it must be of.

        Returns:
            The networks.

        Raises:
            FileFormatError: It is damaged, foreign, of another kind or of a newer format.
        """
        file = file_name("path", path)
        raw, arrays = read_archive(file, kind)
        try:
            header = NetworkHeader.read(raw)
            networks = {
                name: Network(tuple(shape.sizes), arrays[f"{_WEIGHTS}{name}"], shape.activation)
                for name, shape in header.networks.items()
            }
        except (ValueError, KeyError, EquilibristError) as error:
            raise FileFormatError(
                f"{file} is damaged: {error}",
                file,
                option="header",
                remedy="use an earlier copy, or make the file again",
            ) from None
        tables = {
            name.removeprefix(_TABLE): np.asarray(array)
            for name, array in arrays.items()
            if name.startswith(_TABLE)
        }
        return cls(
            networks=networks,
            features=header.features,
            game=header.game,
            fingerprint=header.fingerprint,
            unit=header.unit,
            losses=header.losses,
            made=header.made,
            tables=tables,
            versions=header.versions,
            path=file,
        )

    @classmethod
    def of(cls, result: Result[Any]) -> NetworkFile:
        """The networks that a result was trained with.

        Args:
            result: The result, of `train` or of a file.

        Returns:
            The networks.

        Raises:
            UnsupportedError: It was found without networks.
        """
        stored = result.networks
        if stored is None:
            raise UnsupportedError(
                f"{result.algorithm} on {result.game} trained no networks",
                option="networks",
                given=result.algorithm,
                remedy="give a result of `train`",
            )
        return cls(
            networks={
                name: Network(tuple(sizes), stored.weights[name], stored.activation)
                for name, sizes in stored.sizes.items()
            },
            features=stored.features,
            game=result.game,
            fingerprint=result.stored.fingerprint,
            unit=stored.unit,
            losses=stored.losses,
            made={"algorithm": result.algorithm, "iterations": result.iterations},
            versions=result.versions,
            path=result.solution_file,
        )

    def to_dict(self) -> dict[str, Any]:
        """Make a document of all but the weights and tables.

        Returns:
            Texts, numbers and lists.
        """
        activations = dict.fromkeys(network.activation for network in self.networks.values())
        return {
            "game": self.game,
            "features": self.features,
            "unit": self.unit if isinstance(self.unit, str) else dict(self.unit),
            "sizes": {name: [*network.sizes] for name, network in self.networks.items()},
            "activation": ", ".join(activations),
            "losses": dict(self.losses),
            "made": dict(self.made),
            "versions": dict(self.versions),
        }

    def check(
        self,
        *,
        features: str | None = None,
        game: str | None = None,
        fingerprint: str | None = None,
        unit: str | None = None,
        inputs: int | None = None,
        outputs: int | None = None,
    ) -> None:
        """Refuse networks that were made for something else.

        Args:
            features: The features that are there, as "infoset-keys/1".
            game: The name of the game at hand, for the message.
            fingerprint: The fingerprint of the game at hand.
            unit: The unit that is wanted.
            inputs: The number of inputs that each network must have.
            outputs: The number of outputs that each must have.

        Raises:
            MismatchError: Something differs; the error names both.
        """
        where = "these networks are" if self.path is None else f"the networks of {self.path} are"
        if fingerprint is not None and fingerprint != self.fingerprint:
            other = f"{game}" if game != self.game else f"{game} with other rules"
            raise self._mismatch(
                "game", self.game, other, f"{where} of {self.game}, not of {other}"
            )
        if features is not None and features != self.features:
            words = f"{where} made for the features {self.features}, not for {features}"
            raise self._mismatch("features", self.features, features, words)
        if unit is not None and unit != self.unit:
            words = f"{where} in units of {self.unit}, not of {unit}"
            raise self._mismatch("unit", self.unit, unit, words)
        for name, network in self.networks.items():
            sides = (("inputs", network.inputs, inputs), ("outputs", network.outputs, outputs))
            for option, has, wanted in sides:
                if wanted is not None and has != wanted:
                    words = f"{where} of another shape: {name} has {has:,} {option}, not {wanted:,}"
                    raise self._mismatch(option, has, wanted, words)

    def _mismatch(self, option: str, given: object, expected: object, words: str) -> MismatchError:
        return MismatchError(
            words,
            option=option,
            given=given,
            expected=expected,
            remedy="train networks for it, or give those that were trained for it",
        )
