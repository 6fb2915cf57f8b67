"""Runs on whole hands before they are started: forms, estimates, card buckets."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from equilibrist.web.answers.answer import Refused
from equilibrist.web.answers.jobs import HandKindName


class CardBucketsFacts(TypedDict):
    """Card buckets of the library: buckets by street, and the size of their file."""

    name: str
    buckets: list[int]
    num_bytes: int


class HandEstimate(TypedDict):
    """What a run on whole hands needs: bytes, and seconds where its limits say how long it takes.

    `counts` say how large what is solved is: `seats`, `deals`, ...; `limit_bytes` is the memory
    that the server has, `refusal` what is wrong where it is less, with what would fit.
    """

    kind: HandKindName
    memory_bytes: int
    disk_bytes: int
    seconds: float | None
    counts: dict[str, int]
    limit_bytes: int
    fits: bool
    refusal: Refused | None
    has_checkpoints: bool


class HandField(TypedDict):
    """A field of a form: an option of the command, and whether it says what is solved, or how.

    Of `is_main` are those that a form asks first; defaults are empty where there are none.
    """

    name: str
    part: Literal["keys", "options"]
    kind: str
    help: str
    default: str
    choices: list[str]
    is_main: bool


class HandForm(TypedDict):
    """A kind of runs on whole hands, and the fields of its form."""

    kind: HandKindName
    fields: list[HandField]
