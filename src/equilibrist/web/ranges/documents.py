"""Ranges as documents: read from text in any dialect, written in one, and by name."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from equilibrist.errors import EquilibristError, UnknownNameError
from equilibrist.web.errors import WebError
from equilibrist.web.ranges.answers import (
    RangeDocument,
    RangeList,
    RangePreset,
    RangeSetDocument,
    RangeText,
)
from equilibrist.web.services import Services

if TYPE_CHECKING:
    from collections.abc import Mapping

    from equilibrist.poker.ranges.range import Range

_LONGEST = 100_000
_REMEMBERED = 4000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def read_range(text: str, dialect: str | None = None) -> Range:
    """Read a range.

    Args:
        text: The range.
        dialect: The notation; None to detect it.

    Raises:
        WebError: The text is too long.
        EquilibristError: What `Range` raises.
    """
    from equilibrist.poker.ranges.range import Range

    if len(text) > _LONGEST:
        raise WebError(
            f"the range has {len(text):,} characters; expected at most {_LONGEST:,}",
            option="text",
            given=len(text),
            expected=_LONGEST,
        )
    return Range(text, dialect or None)


def range_document(hand_range: Range) -> RangeDocument:
    """The canonical text of a range, its combos, and the weights of the grid and of the combos."""
    from equilibrist.poker.cards.combos import NUM_COMBOS

    return {
        "range": str(hand_range),
        "combos": hand_range.num_combos,
        "share": hand_range.num_combos / NUM_COMBOS,
        "grid": hand_range.class_weights.tolist(),
        "weights": hand_range.weights.tolist(),
    }


@lru_cache(_REMEMBERED)
def thumbnail(text: str) -> str:
    """The weights of the 169 hand classes as digits to base 36, z for a weight of 1.

    Args:
        text: The range, in any notation.

    Returns:
        A digit for each class, by the rows of the grid; all 0 where the text cannot be read.
    """
    try:
        weights = read_range(text).class_weights.ravel()
    except EquilibristError:
        return _DIGITS[0] * 169
    return "".join(_DIGITS[round(35 * weight)] for weight in weights.tolist())


def range_items(ranges: Mapping[str, str]) -> list[dict[str, str]]:
    """List ranges with what lists show of each.

    Args:
        ranges: Texts by name.

    Returns:
        For each range `name`, `title`, the beginning of its text, and `weights`, its thumbnail.
    """
    return [
        {"name": name, "title": text[:300], "weights": thumbnail(text)}
        for name, text in ranges.items()
    ]


def range_texts(hand_range: Range, dialect: str) -> RangeText:
    """Write a range in the notation of a program.

    Args:
        hand_range: The range.
        dialect: The notation, one of `dialects()`.

    Raises:
        EquilibristError: What `Range.to` raises.
    """
    try:
        return {"dialect": dialect, "text": hand_range.to(dialect)}
    except UnknownNameError as error:
        error.option = "to"  # as the request calls it
        raise


@cache
def presets() -> list[RangePreset]:
    """The presets, as `equilibrist range --presets` prints them, and all hands."""
    from equilibrist.poker.ranges.presets import PRESETS, RANDOM
    from equilibrist.poker.ranges.range import Range

    named = {name: preset.rule for name, preset in PRESETS.items()} | {RANDOM: "all hands"}
    ranges = {name: Range(name) for name in named}
    return [
        {
            "name": name,
            "rule": named[name],
            "range": str(hand_range),
            "combos": hand_range.num_combos,
            "weights": thumbnail(name),
        }
        for name, hand_range in ranges.items()
    ]


@cache
def solved_ranges() -> list[RangeSetDocument]:
    """The ranges of blueprints that come with Equilibrist."""
    from equilibrist.library.blueprint_ranges import range_sets
    from equilibrist.poker.ranges.range import Range

    return [
        {
            "name": found.name,
            "hand": found.hand,
            "seats": list(found.seats),
            "stack": found.stack,
            "method": found.method,
            "buckets": found.buckets,
            "samples": found.samples,
            "minutes": found.minutes,
            "gain_mbb": found.gain_mbb,
            "gain_interval_mbb": list(found.gain_interval_mbb),
            "gains_mbb": list(found.gains_mbb),
            "ranges": [
                {
                    "seat": row.seat,
                    "line": row.line,
                    "action": row.action,
                    "range": str(Range(row.text)),
                    "combos": Range(row.text).num_combos,
                    "weights": thumbnail(row.text),
                }
                for row in found.ranges
            ],
        }
        for found in range_sets()
    ]


@cache
def ranking() -> list[int]:
    """The 169 hand classes, best first, as their places in the grid read by rows."""
    from equilibrist.poker.cards.combos import CLASS_NAMES
    from equilibrist.poker.cards.hand_ranking import top_classes

    return [CLASS_NAMES.index(name) for name in top_classes(1.0)]


@cache
def dialects() -> list[str]:
    """The names of the dialects."""
    from equilibrist.poker.ranges.dialects import DIALECTS

    return list(DIALECTS)


def ranges_document(services: Services) -> RangeList:
    """All that can be named: presets and own ranges with small pictures, dialects, ranking."""
    own = services.ranges.all().items()
    return {
        "presets": presets(),
        "solved": solved_ranges(),
        "own": [{"name": name, "range": text, "weights": thumbnail(text)} for name, text in own],
        "dialects": dialects(),
        "ranking": ranking(),
    }


def range_of_weights(weights: list[float]) -> str:
    """The canonical text of 1,326 weights; raises ConfigError for what is none."""
    from equilibrist.poker.ranges.range import Range

    return str(Range.from_weights(weights))
