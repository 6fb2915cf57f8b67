"""What makes spots fit: every suggestion counted again, the order, the refusals."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.formatting.amounts import bytes_text
from equilibrist.poker import estimate
from equilibrist.poker.postflop.estimate import reductions
from equilibrist.poker.postflop.estimate.reductions import (
    Reduction,
    ReductionStep,
    check_fits,
    smaller_spots,
)
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.spot.spots import FLOP, TURN
from tests.refusals import refuses, unchecked

OWN = TURN | {"oop_bets": "30%, 60%|50%, 60%|70%", "donks": "||20%, 50%", "raise_cap": 3}
"""Both players have 60% on the turn, but only one has each of the others."""


def found_for(keys: dict[str, Any], share: float, **options: Any) -> tuple[Spot, list[Reduction]]:
    """What makes a spot fit into a share of its bytes."""
    spot = Spot(**keys)
    limit = int(share * estimate(spot).memory_bytes())
    found = list(smaller_spots(spot, limit, **options))
    for each in found:
        again = spot.replace(**each.keys)
        size = estimate(again)
        assert again == each.spot
        assert each.num_bytes <= limit
        assert each.num_bytes == size.memory_bytes(each.storage)
    return spot, found


@pytest.mark.by_default(3)
@pytest.mark.parametrize("keys", [TURN, OWN, FLOP])
@pytest.mark.parametrize("share", [0.95, 0.8, 0.6])
def test_single_changes(keys: dict[str, Any], share: float) -> None:
    spot, found = found_for(keys, share)
    storage, *others = found
    assert (storage.changes, storage.storage, storage.spot) == (("16-bit storage",), "int16", spot)
    assert others or share == 0.6
    assert all(len(each.changes) == 1 and each.storage == "float32" for each in others)
    assert len({each.changes for each in found}) == len(found)
    assert all(more.num_bytes >= less.num_bytes for more, less in pairwise(others))


def test_every_kind_of_change() -> None:
    keys = OWN | {"force_all_in": 0.1, "merge": 0, "stack": 2000}
    found = found_for(keys, 0.9999)[1]
    texts = {each.changes[0]: each.keys for each in found}
    steps = {each.changes[0]: each.steps for each in found}
    for text, step in (
        ("no 60% bet on the turn", ReductionStep("bet", "60%", "turn")),
        ("no 60% bet on the turn in position", ReductionStep("bet", "60%", "turn", "ip")),
        ("no 20% donk bet on the river", ReductionStep("donk", "20%", "river")),
        ("no 2.5x raise on the river", ReductionStep("raise", "2.5x", "river")),
        ("at most 1 raise on a street", ReductionStep("raise-cap", figure=1)),
        ("sizes merged that are within 20%", ReductionStep("merge", figure=0.2)),
    ):
        assert steps[text] == (step,)
    assert texts["no 60% bet on the turn"] == {
        "oop_bets": "30%, 60%|50%|70%",
        "bets": "60%, e, a|e, a|60%, e, a",
    }
    assert texts["no 60% bet on the turn in position"] == {"bets": "60%, e, a|e, a|60%, e, a"}
    assert texts["no 50% bet on the turn out of position"] == {"oop_bets": "30%, 60%|60%|70%"}
    assert "no 50% bet on the turn in position" not in texts
    assert texts["no 20% donk bet on the river"] == {"donks": "||50%"}
    assert texts["no 2.5x raise on the river"] == {"raises": "2.5x|2.5x|none"}
    assert texts["at most 1 raise on a street"] == {"raise_cap": 1}
    assert texts["at most 2 raises on a street"] == {"raise_cap": 2}
    assert texts["all-in where a call leaves at most 20% of the pot"] == {"force_all_in": 0.2}
    assert texts["sizes merged that are within 20%"] == {"merge": 0.2}
    # What makes no difference, or the betting of a street, is not offered.
    assert not any("on the flop" in text or "70%" in text for text in texts)
    assert "at most 3 raises on a street" not in texts
    assert "all-in where a call leaves at most 10% of the pot" not in texts


def test_a_bet_beside_all_in_goes_with_its_raises_and_the_only_raise_alone() -> None:
    keys = TURN | {"board": "Td9d6hQc2s", "bets": "50%, a", "raises": "60%", "force_all_in": 0}
    texts = {each.changes[0]: each.keys for each in found_for(keys, 0.9999)[1]}
    assert texts["no 60% raise on the river"] == {"raises": "none"}
    given = texts["no 50% bet on the river"]
    fewer = {"bets": "50%, a|50%, a|a"}
    assert given == fewer | {"raises": "", "oop_raises": None, "ip_raises": None}
    assert estimate(Spot(**keys).replace(**given)).streets[0].betting_nodes == 4


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.4, 0.2, 0.1])
def test_changes_together(share: float) -> None:
    spot, found = found_for(TURN, share)
    (only,) = found
    assert only.changes[0] == "16-bit storage"
    assert len(only.changes) > 1
    assert only.steps[0].code == "storage"
    assert len(only.steps) == len(only.changes)
    assert only.storage == "int16"
    size = estimate(spot)
    assert size.memory_bytes("int16") > share * size.memory_bytes()  # one change does not suffice


def test_stored_in_16_bits_already() -> None:
    spot = Spot(**TURN)
    limit = int(0.9 * estimate(spot).memory_bytes("int16"))
    found = list(smaller_spots(spot, limit, "int16"))
    assert found[0].changes != ("16-bit storage",)
    assert all(each.storage == "int16" and each.num_bytes <= limit for each in found)


def test_lines_that_no_longer_exist() -> None:
    """Without 60% there is no X-B120 to take away: the spot would be refused, so it is left out."""
    texts = [each.changes for each in found_for(TURN | {"removed_lines": ["X-B120"]}, 0.95)[1]]
    assert ("no 60% bet on the turn",) not in texts
    assert ("no e bet on the turn",) in texts


def test_nothing_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_for(TURN, 1e-4)[1] == []
    assert found_for(TURN | {"bets": "", "raises": ""}, 0.4)[1] == []
    monkeypatch.setattr(reductions, "_MOST_STATES", 100)
    assert found_for(TURN, 0.9)[1] == []


def test_a_spot_that_fits_is_sized() -> None:
    spot = Spot(**TURN)
    size = estimate(spot)
    assert check_fits(spot) == check_fits(spot, size.memory_bytes()) == size
    assert check_fits(spot, size.memory_bytes("int16"), "int16") == size
    with pytest.raises(MemoryBudgetError):
        check_fits(spot, size.memory_bytes() - 1)
    with pytest.raises(MemoryBudgetError):
        check_fits(spot, size.memory_bytes("int16") - 1, "int16")


def test_a_tree_of_40_gb_is_refused() -> None:
    huge = Spot(**FLOP | {"stack": 5000, "bets": "33%, 75%, 150%", "raises": "50%, 100%"})
    size = estimate(huge)
    with pytest.raises(MemoryBudgetError) as caught:
        check_fits(huge, 30 * 10**9)
    assert caught.value.histories == size.action_nodes
    for street in size.streets:
        assert f"{street.street} {bytes_text(street.float32_bytes)}" in str(caught.value)
    assert (caught.value.given, caught.value.expected) == (30 * 10**9, size.memory_bytes())
    half = bytes_text(size.memory_bytes("int16"))
    assert str(caught.value.remedy).endswith(f": 16-bit storage, {half} (-50 %)")
    beside = bytes_text(size.overhead.total(1))
    assert f"tables and working memory {beside}), which exceeds" in str(caught.value)


def test_the_message_names_what_is_left_out() -> None:
    spot = Spot(**TURN)
    size = estimate(spot)
    limit = int(0.7 * size.memory_bytes("int16"))
    least = next(smaller_spots(spot, limit, "int16"))
    before = size.memory_bytes("int16")
    saved = f"({100 * least.num_bytes / before - 100:.0f} %)"
    with refuses(MemoryBudgetError, option="memory") as caught:
        check_fits(spot, limit, "int16")
    assert saved in str(caught.value.remedy)
    with refuses(MemoryBudgetError, option="memory"):
        check_fits(spot, size.float32_bytes // 10)
    with refuses(MemoryBudgetError, option="memory"):
        check_fits(spot, 1000)


def test_a_variant_that_predicts_and_threads_take_more() -> None:
    spot = Spot(**TURN)
    size = estimate(spot)
    need = size.memory_bytes("int16", predicts=True, threads=2)
    given: dict[str, Any] = {"storage": "int16", "predicts": True, "threads": 2}
    assert check_fits(spot, need, **given) == size
    with pytest.raises(MemoryBudgetError) as caught:
        check_fits(spot, need - 1, **given)
    river = size.streets[-1].solver_state_bytes("int16", predicts=True)
    assert f"river {bytes_text(river)}, tables" in str(caught.value)
    for found in smaller_spots(spot, need - 1, **given):
        assert found.num_bytes == estimate(found.spot).memory_bytes(
            "int16", predicts=True, threads=2
        )


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ((0,), dict(option="memory", given=0)),
        ((1e9,), dict(option="memory", given=1000000000.0)),
        ((10**9, "int8"), dict(option="storage", given="int8")),
    ],
)
def test_bad_arguments(arguments: tuple[Any, ...], fields: dict[str, Any]) -> None:
    with refuses(ConfigError, **fields):
        check_fits(Spot(**TURN), *arguments)
    with refuses(ConfigError, option="threads", given="2"):
        check_fits(Spot(**TURN), threads=unchecked("2"))


def test_other_values_of_keys() -> None:
    spot = Spot(**TURN)
    assert spot.cards  # what is cached must not be taken over
    other = spot.replace(board="Td9d6h", pot=100)
    assert (other.cards, other.pot, other.stack) == (spot.cards[:3], 100, 900)
    assert other.replace(board=TURN["board"], pot=200) == spot
    with refuses(ConfigError, option="pot", given=0):
        spot.replace(pot=0)
