"""Patterns over keys of infosets and names of public nodes: only `*` and `?` are special."""

from __future__ import annotations

import fnmatch
import re


def key_pattern(*patterns: str) -> re.Pattern[str]:
    """Compile patterns in which `*` stands for any text and `?` for one character.

    All other characters stand for themselves, brackets too, which keys may have.

    Args:
        patterns: The patterns, of which a key has to fit one.

    Returns:
        A regular expression whose `match` accepts whole keys only.
    """
    # fnmatch, which knows character classes, reads `[[]` as a bracket.
    return re.compile("|".join(fnmatch.translate(text.replace("[", "[[]")) for text in patterns))
