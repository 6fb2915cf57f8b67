"""JSON in which no object has a key twice, of which Python would keep the last in silence."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any


def parse_json(text: str) -> Any:
    """Parse JSON.

    Args:
        text: The document.

    Returns:
        What it holds.

    Raises:
        JSONDecodeError: It is none, or an object in it has a key twice; the error has the place.
        RecursionError: It is nested too deep.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        by_key = dict(pairs)
        if len(by_key) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            key = next(key for key, count in counts.items() if count > 1)
            raise json.JSONDecodeError(f"The key {key!r} is there twice", text, _place(text, key))
        return by_key

    return json.loads(text, object_pairs_hook=unique)


def _place(text: str, key: str) -> int:
    """Where a key comes for the second time in a text; 0 where it is written with escapes."""
    found = [match.start() for match in re.finditer(rf"{re.escape(json.dumps(key))}\s*:", text)]
    return found[1] if len(found) > 1 else 0
