"""Spots: what keys mean."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import pytest

import equilibrist as eq
from equilibrist.poker.betting.bet_sizes import Thresholds
from equilibrist.poker.betting.state import street_menus
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from tests.poker.postflop.spot.spots import FLOP, SMALL, TURN


def options(spot: Spot, line: str) -> str:
    rules = spot.rules()
    return ", ".join(map(str, rules.actions(rules.follow(line)[0])))


def test_the_turn_spot() -> None:
    spot = Spot(**TURN, donks="||50%")
    assert options(spot, "") == "Check, Bet 120, Bet 216, All-in 900"
    assert options(spot, "B120") == "Fold, Call, Raise 300"
    assert options(spot, "X-B120-C|2c") == "Check, Bet 220"
    assert [int((each.weights > 0).sum()) for each in spot.ranges] == [167, 250]
    assert (spot.first_street, len(spot.cards)) == (1, 4)


def test_the_flop_spot() -> None:
    spot = Spot(**FLOP)
    assert options(spot, "") == "Check, Bet 120"
    assert options(spot, "B120") == "Fold, Call, Raise 300"
    assert options(spot, "X-B120-C|Qc") == "Check, Bet 264"  # all-in is 1.77 pots
    assert options(spot, "X-B120-R300-C|Qc") == "Check, All-in 600"
    assert spot.first_street == 0


def test_every_key_reaches_the_rules() -> None:
    rules = Spot(
        **SMALL,
        bets="a|20%|30%",
        oop_bets="40%",
        ip_raises="3x",
        raises="2x",
        donks="|70%|",
        add_all_in="150%",
        force_all_in=0.15,
        merge="7%",
        raise_cap=2,
        min_bet=3,
        rake="2.5%",
        rake_cap=10,
        added_lines=["B33"],
        removed_lines=("X-A",),
    ).rules()
    assert rules.menus == (
        street_menus("40%", "2x", "|70%|"),
        street_menus("a|20%|30%", "3x"),
    )
    assert rules.thresholds == Thresholds(1.5, 0.15, 0.07)
    assert (rules.raise_cap, rules.min_bet, rules.rake_rate, rules.rake_cap) == (2, 3, 0.025, 10.0)
    assert (rules.added, rules.removed) == (("B33",), ("X-A",))
    other = Spot(**SMALL, bets="10%", oop_raises="none", ip_bets="a", raises="2x").rules()
    assert other.menus == (street_menus("10%"), street_menus("a", "2x"))
    both = Spot(**SMALL, bets="10%|20%|30%", raises="2x").rules()
    assert both.menus == (street_menus("10%|20%|30%", "2x"),) * 2


def test_the_keys_are_described() -> None:
    fields = Spot.model_fields
    assert list(SPOT_KEYS) == list(fields)
    assert all(fields[key].description == text for key, text in SPOT_KEYS.items())
    assert Spot.model_json_schema()["properties"]["oop"]["type"] == "string"


def test_a_spot_is_a_value() -> None:
    spot = eq.poker.Spot(**TURN)
    again = Spot(**TURN | {"board": "[Td 9d 6h Qc]", "oop": Range(TURN["oop"]), "merge": "10%"})
    assert spot == again
    assert hash(spot) == hash(again)
    assert pickle.loads(pickle.dumps(spot)) == spot
    assert spot != Spot(**TURN | {"pot": 201})
    with pytest.raises(ValueError, match="frozen"):
        spot.pot = 3


def test_lists_of_streets_that_are_past_may_stay() -> None:
    river = Spot(**TURN | {"board": "Td9d6hQc2s", "bets": "52%|55%|70%", "raises": "a|none|3x"})
    assert options(river, "") == "Check, Bet 140"
    one = Spot(**TURN | {"board": "Td9d6hQc2s", "oop_bets": "none|none|a", "bets": "50%||50%"})
    assert options(one, "X") == "Check, Bet 100"


def test_shares_of_more_than_the_pot() -> None:
    thresholds = Spot(**TURN | {"add_all_in": 15, "force_all_in": "150%", "merge": 1})
    assert thresholds.rules().thresholds == Thresholds(15.0, 1.5, 1.0)


def test_raises_over_added_bets_are_used() -> None:
    assert options(Spot(**SMALL, raises="2x", added_lines=["B10"]), "B10") == "Fold, Call, Raise 20"


@pytest.mark.parametrize("cap", [3, "3", Decimal(3), Fraction(3)])
def test_a_cap_of_rake_is_given_as_amounts_are(cap: object) -> None:
    assert Spot(**TURN | {"rake": "5%", "rake_cap": cap}).rake_cap == 3.0
