"""The all-in table on disk, in the folder of compiled kernels.

It is kept as kernels are: in a folder named after a module and its import closure, so that an edit
of what counts it misses the file. A damaged file is counted again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from equilibrist._jit import module_folder
from equilibrist.errors import OutputError
from equilibrist.poker.cards.combos import NUM_CLASSES
from equilibrist.storage.atomic import write_bytes
from equilibrist.typing import Int64Array

_BUILDER: Final = "equilibrist.poker.preflop.allin_counts"
_WINS: Final = np.dtype("<i8")
_DIGEST: Final = hashlib.sha256().digest_size


def kept_wins() -> Int64Array | None:
    """int64[169, 169]: the wins of `class_wins`; None if no undamaged file has them."""
    file = _file()
    if file is None:
        return None
    try:
        data = file.read_bytes()
    except OSError:
        return None
    digest, content = data[:_DIGEST], data[_DIGEST:]
    whole = len(content) == NUM_CLASSES**2 * _WINS.itemsize
    if not whole or hashlib.sha256(content).digest() != digest:
        return None
    return np.frombuffer(content, _WINS).astype(np.int64).reshape(NUM_CLASSES, NUM_CLASSES)


def keep_wins(wins: Int64Array) -> None:
    """Write them, atomically; a disk that refuses costs only counting them again."""
    file = _file()
    if file is not None:
        content = wins.astype(_WINS).tobytes()
        with suppress(OSError, OutputError):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(file, hashlib.sha256(content).digest() + content)


def _file() -> Path | None:
    folder = module_folder(_BUILDER)
    return None if folder is None else folder / "allin-wins.bin"
