"""Sizes that have no effect: spots warn of them."""

from __future__ import annotations

import tomllib
from typing import Any, cast

import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import solve
from equilibrist.poker.postflop.spot.spot import Spot
from tests.poker.postflop.spot.spots import SMALL
from tests.refusals import refuses


@pytest.mark.parametrize(
    "changes",
    [
        {"bets": "none", "raises": "2x"},
        {"bets": "a", "raises": "2x"},
        {"bets": "50%||a", "raises": "||2x"},
        {"bets": "none|none|50%", "raises": "|2x|"},
        {"bets": "50%", "raises": "2x", "raise_cap": 0},
    ],
)
def test_raises_that_cannot_act_are_warned_of(changes: dict[str, Any]) -> None:
    spot = Spot(**SMALL, **changes)
    (text,) = spot.warnings
    assert text.startswith("raises have no effect")
    assert spot.betting.num_nodes == spot.replace(raises="").betting.num_nodes
    assert not Spot(**SMALL, bets="50%", raises="2x").warnings


PEER: dict[str, Any] = dict(
    board="Ts3h2h5c9s", oop="AA,QQ,JJ", ip="KK,TT", pot=100, stack=100, add_all_in="150%"
)


@pytest.mark.parametrize(
    ("sizes", "as_written", "filled", "lists"),
    [
        # EV out of position: of an independent solver, which adds all-in to empty lists
        ({"bets": "50%"}, 22.22, 17.78, ["oop raises on the river", "ip raises on the river"]),
        ({}, 22.22, 16.67, ["oop bets on the river", "ip bets on the river"]),
    ],
)
def test_all_in_where_there_are_no_sizes(
    sizes: dict[str, Any], as_written: float, filled: float, lists: list[str]
) -> None:
    spot = Spot(**PEER, **sizes)
    (text,) = spot.warnings
    assert all(each in text for each in lists)
    with pytest.warns(UserWarning, match="add_all_in adds nothing to empty lists"):
        solution = solve(spot, target="0.02%")
    assert solution.ev == pytest.approx((as_written, 100 - as_written), abs=0.05)
    other = spot.replace(all_in_without_sizes=True)
    assert not other.warnings
    solution = solve(other, target="0.02%")
    assert solution.ev == pytest.approx((filled, 100 - filled), abs=0.05)
    by_hand = spot.replace(bets=sizes.get("bets", "a"), raises="a")
    assert other.betting.num_nodes == by_hand.betting.num_nodes
    assert Spot(**tomllib.loads(other.to_toml())) == other


def test_nothing_is_said_where_no_all_in_would_be_added() -> None:
    deep = {**PEER, "stack": 100_000}
    assert not Spot(**deep, bets="50%").warnings
    assert not Spot(**{**PEER, "add_all_in": 0}, bets="50%").warnings
    assert not Spot(**PEER, bets="50%", raises="a").warnings
    with refuses(ConfigError, option="all_in_without_sizes", given=3):
        Spot(**PEER, all_in_without_sizes=cast("Any", 3))
