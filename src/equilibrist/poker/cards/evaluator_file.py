"""The lookup tables of hand strengths on disk, in the folder of compiled kernels.

They are kept as kernels are: in a folder named after a module and its import closure, so that an
edit of what builds them misses the file. A damaged file is built again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from equilibrist._jit import module_folder
from equilibrist.errors import OutputError
from equilibrist.storage.atomic import write_bytes
from equilibrist.typing import Int32Array, UInt16Array

_BUILDER: Final = "equilibrist.poker.cards.evaluator_tables"
_NUMBERS: Final = np.dtype("<i4")
_STRENGTHS: Final = np.dtype("<u2")
_DIGEST: Final = hashlib.sha256().digest_size
_SIZES: Final = 3 * np.dtype("<i8").itemsize


class PackedStrengths(NamedTuple):
    """The tables of `StrengthTables` that take long to build."""

    offset: Int32Array
    rank_strength: UInt16Array
    flush_strength: UInt16Array


def kept(cards: int, ranking: str = "standard") -> PackedStrengths | None:
    """The tables for hands of that many cards; None if no undamaged file has them."""
    file = _file(cards, ranking)
    if file is None:
        return None
    try:
        return _decoded(file.read_bytes())
    except OSError:
        return None


def keep(cards: int, tables: PackedStrengths, ranking: str = "standard") -> None:
    """Write them, atomically; a disk that refuses costs only building them again."""
    file = _file(cards, ranking)
    if file is not None:
        with suppress(OSError, OutputError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, _encoded(tables))


def _file(cards: int, ranking: str) -> Path | None:
    folder = module_folder(_BUILDER)
    name = f"strengths-{cards}" if ranking == "standard" else f"strengths-{ranking}-{cards}"
    return None if folder is None else folder / f"{name}.bin"


def _encoded(tables: PackedStrengths) -> bytes:
    """A SHA-256, the lengths of the arrays, and the arrays."""
    lengths = np.array([len(table) for table in tables], "<i8")
    parts = [lengths, tables.offset.astype(_NUMBERS)]
    parts += [table.astype(_STRENGTHS) for table in tables[1:]]
    content = b"".join(part.tobytes() for part in parts)
    return hashlib.sha256(content).digest() + content


def _decoded(data: bytes) -> PackedStrengths | None:
    digest, content = data[:_DIGEST], data[_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        return None
    offsets, ranks, _ = np.frombuffer(content[:_SIZES], "<i8").tolist()
    strengths = np.frombuffer(content, _STRENGTHS, offset=_SIZES + offsets * _NUMBERS.itemsize)
    return PackedStrengths(  # copies, which may be written to as those that were built
        np.frombuffer(content, _NUMBERS, offsets, _SIZES).astype(np.int32),
        strengths[:ranks].astype(np.uint16),
        strengths[ranks:].astype(np.uint16),
    )
