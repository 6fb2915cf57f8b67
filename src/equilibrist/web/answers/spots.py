"""What a spot needs to be solved."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

Storage = Literal["float32", "int16", "float64"]


class StreetNeeds(TypedDict):
    """The size of one street of a spot."""

    street: str
    boards: int
    all_boards: int
    betting_nodes: int
    action_nodes: int
    entries: int
    float32_bytes: int


class ReductionStep(TypedDict):
    """A change of a spot: `bet`, `raise` and `donk` leave out a size on a street, of a player.

    `figure` is the raise cap, or a share of the pot.
    """

    code: Literal[
        "storage", "bet", "raise", "donk", "raise-cap", "force-all-in", "merge", "no-folded"
    ]
    size: str | None
    street: str | None
    seat: str | None
    figure: float | None


class ReducedSpot(TypedDict):
    """Changes that make a spot fit, as sentences and as codes, and the bytes that it takes then."""

    changes: list[str]
    steps: list[ReductionStep]
    keys: dict[str, Any]
    storage: Storage
    num_bytes: int


class SpotEstimate(TypedDict):
    """What a spot needs, as `equilibrist postflop estimate --json` prints it."""

    board: str
    pot: float
    stack: float
    hands: list[int]
    symmetries: int
    action_nodes: int
    entries: int
    float32_bytes: int
    int16_bytes: int
    streets: list[StreetNeeds]
    limit_bytes: int
    reductions: list[ReducedSpot]
    target: str
    threads: int
    storage: Storage
    iterations: int
    seconds: float
    folded_seconds: float
    memory_bytes: dict[str, int]
    most_bytes: int
    predicts: bool
    responds: bool
    fits: bool


class ThreeEstimate(TypedDict):
    """What a spot of three needs, as `equilibrist postflop estimate --json` prints it.

    `stacks`, `hands` and `decisions` are by seat, in the order of acting.
    """

    board: str
    pot: float
    stacks: list[float]
    hands: list[int]
    nodes: int
    decisions: list[int]
    memory_bytes: int
    limit_bytes: int
    fits: bool
    target: str
    iterations: int
    threads: int
    seconds: float
