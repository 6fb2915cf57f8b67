"""Ranges as texts, by name, and in files."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class RangePreset(TypedDict):
    """A range that comes with Equilibrist; `weights` as of `OwnRange`."""

    name: str
    rule: str
    range: str
    combos: float
    weights: str


class NamedRange(TypedDict):
    """A range that the user has saved."""

    name: str
    range: str


class OwnRange(NamedRange):
    """A range that the user has saved, and a small picture of it.

    `weights` has a digit to base 36 for each of the 169 hand classes, by the rows of the grid from
    AA on: z for a weight of 1.
    """

    weights: str


class BlueprintRangeDocument(TypedDict):
    """The hands with which a seat, its number, takes an action after a line; `weights` as above.

    Line and action are as in lines: empty, `R3`; `C`, `A20`.
    """

    seat: int
    line: str
    action: str
    range: str
    combos: float
    weights: str


class RangeSetDocument(TypedDict):
    """Ranges of a hand that was solved before, which come with Equilibrist, and how.

    `gain_mbb` is what is gained against them on average over the seats, in thousandths of a big
    blind per hand, with its 95 % interval: by exploiters of a `blueprint`, a lower bound; by best
    responses where `multiway` has solved the hand, whose `gains_mbb` are those of each seat.
    `samples` are boards with two seats, deals with more.
    """

    name: str
    hand: str
    seats: list[str]
    stack: float
    method: Literal["blueprint", "multiway"]
    buckets: str
    samples: int
    minutes: int
    gain_mbb: float
    gain_interval_mbb: list[float]
    gains_mbb: list[float]
    ranges: list[BlueprintRangeDocument]


class RangeList(TypedDict):
    """All that can be named: presets, ranges of blueprints, the user's own ranges, dialects.

    `ranking` has the 169 hand classes, best first, as their places in the grid read by rows.
    """

    presets: list[RangePreset]
    solved: list[RangeSetDocument]
    own: list[OwnRange]
    dialects: list[str]
    ranking: list[int]


class RangeDocument(TypedDict):
    """The canonical text of a range, its combos, and its weights by hand class and by combo."""

    range: str
    combos: float
    share: float
    grid: list[list[float]]
    weights: list[float]


class RangeText(TypedDict):
    """A range in a dialect."""

    dialect: str
    text: str


class RangeNames(TypedDict):
    """The names of ranges."""

    names: list[str]


class RangeFileEntry(TypedDict):
    """A range in a file, or a folder of them."""

    path: list[str]
    isGroup: bool
    value: NotRequired[str]


class RangeFile(TypedDict):
    """The user's own ranges as a file."""

    version: int
    name: str
    data: list[RangeFileEntry]
