"""What locks fix at the places of a way."""

from __future__ import annotations

import pytest

from equilibrist.poker import Lock
from equilibrist.poker.postflop.solution.spot_strategy import way_to
from equilibrist.web.solutions.locks import locked_part, shown_locks
from equilibrist.web.solutions.nodes import way_documents
from tests.web.conftest import SPOT

LOCKS = (
    "B50: Fold 25%, Call 75%",
    "X: KK = Check 100%",
    "X-X|8h: frequency = Bet 50 30%",
    "X-X|8h|X: Check 40%",
    "X-B50-C|: AA = Check 1; QQ = Check 0",
)
LOCKED = SPOT.replace(locks=tuple(map(Lock.parse, LOCKS)))


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("", None),
        ("B50", "all hands"),
        ("X", "some hands"),
        ("X-X", None),
        ("X-X|8h", "frequency"),
        ("X-X|8d", None),
        ("X-X|8h|X", "all hands"),
        ("X-X|8h|B50", None),
        ("X-B50-C|2c", "all hands"),
        ("X-B50-C|Kd", "all hands"),
        ("X-B50", None),
    ],
)
def test_what_locks_fix(line: str, part: str | None) -> None:
    place = way_to(LOCKED, line)[-1]
    assert locked_part(LOCKED, place) == part
    assert locked_part(SPOT, place) is None


def test_the_way_says_where_it_is_locked() -> None:
    way = way_documents(way_to(LOCKED, "X-X|8h|X"), LOCKED)
    assert [place["locked"] for place in way] == [
        None, "some hands", None, "frequency", "all hands"
    ]  # fmt: skip


def test_locks_are_shown_with_a_name_for_the_root_and_in_percent() -> None:
    texts = [": Check 0.335, Bet 50 0.665", "X: Check 0.12345678, Bet 50 0.87654322", *LOCKS[2:]]
    spot = SPOT.replace(locks=tuple(map(Lock.parse, texts)))
    assert [*shown_locks(spot).values()] == [
        "Root: Check 33.5%, Bet 50 66.5%",
        "X: Check 12.345678%, Bet 50 87.654322%",
        "X-X|8h: the whole range = Bet 50 30%",
        "X-X|8h|X: Check 40%",
        "X-B50-C|: AA = Check 100%; QQ = Check 0%",
    ]
    assert [*map(Lock.parse, shown_locks(spot))] == [*spot.locks]
