"""The kinds of files that users have: recognised by what they hold, and by their suffixes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

SOLUTION: Final = "solution"
PACKED: Final = "packed-strategy"
SPOT_SOLUTION: Final = "spot-solution"
CHECKPOINT: Final = "checkpoint"
TREELESS_CHECKPOINT: Final = "treeless-checkpoint"
SPOT_CHECKPOINT: Final = "spot-checkpoint"
PREFLOP_SOLUTION: Final = "preflop-solution"
PREFLOP_CHECKPOINT: Final = "preflop-checkpoint"
BLUEPRINT: Final = "blueprint"
BLUEPRINT_CHECKPOINT: Final = "blueprint-checkpoint"
PUSH_FOLD: Final = "push-fold-solution"
MULTIWAY: Final = "multiway-solution"
SAMPLED_CHECKPOINT: Final = "sampled-checkpoint"
DEVICE: Final = "device"
CARDS: Final = "card-buckets"
CARDS_STAGE: Final = "card-buckets-stage"
SPOT: Final = "spot"
TABLE: Final = "table"
GAME: Final = "game"
RANGES: Final = "ranges"
HANDS: Final = "hands"

CHARTS: Final = (PUSH_FOLD, MULTIWAY)
CHECKPOINTS: Final = (
    CHECKPOINT,
    TREELESS_CHECKPOINT,
    SPOT_CHECKPOINT,
    PREFLOP_CHECKPOINT,
    SAMPLED_CHECKPOINT,
    BLUEPRINT_CHECKPOINT,
)
WORDS: Final = {
    SPOT: "a spot that is not solved yet",
    TABLE: "a table of a strategy",
    GAME: "a game",
    RANGES: "a file of ranges",
    HANDS: "a log of hands",
}
"""What kinds are called that are no archives."""
_BY_SUFFIX: Final = {
    ".py": GAME,
    ".efg": GAME,
    ".toml": SPOT,
    ".csv": TABLE,
    ".json": TABLE,
    ".parquet": TABLE,
    ".txt": RANGES,
}
_HEAD: Final = 200
"""Bytes at the beginning of a text, which say what it is."""
_HANDS: Final = re.compile(rb'\s*\{\s*"format"\s*:\s*"equilibrist-hands"')
_RANGES: Final = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"name"\s*:\s*"ranges"')


def file_kind(path: Path) -> str | None:
    """The kind of an existing file; None if it is none of ours, or no file."""
    from equilibrist.storage.archive import kind_of

    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except (OSError, ValueError):
        return None
    if _HANDS.match(head):
        return HANDS
    if _RANGES.match(head):
        return RANGES
    suffix = path.suffix.lower()
    return _BY_SUFFIX[suffix] if suffix in _BY_SUFFIX else kind_of(path)


def words_of(kind: str) -> str:
    """What a kind is called in messages."""
    from equilibrist.storage.archive import KINDS

    return WORDS.get(kind) or KINDS.get(kind) or f"a {kind}"
