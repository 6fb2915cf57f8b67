"""Spots with short decks: values against linear programmes of the same games, cards, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, LineSyntaxError, UnsupportedError
from equilibrist.play import SpotGame
from equilibrist.poker import Spot, equity, estimate, export, solve
from equilibrist.poker.cards.cards import parse_board
from equilibrist.poker.cards.combos import combo_name, parse_combo
from equilibrist.poker.cards.decks import SHORT_DECKS
from equilibrist.poker.cards.hand_kinds import DRAWS, MADE_HANDS, hand_kinds
from equilibrist.poker.postflop.files.runout_report import runout_rows
from equilibrist.poker.postflop.solving.leaf_solver import check_over_values
from tests.refusals import refuses

TURN: dict[str, Any] = {
    "board": "9h8h6cAd",
    "oop": "AsKs,QhJh,Th7h,6s6d,22",
    "ip": "AcKc,TsTc,8s7s,KhQd,A5s",
    "pot": 10,
    "stack": 20,
    "bets": "a",
}


@pytest.mark.parametrize("deck", ["short", "short-trips"])
def test_a_turn_is_worth_what_a_linear_programme_says(deck: str) -> None:
    spot = Spot(**TURN, deck=deck)
    found = solve(spot, iterations=200, threads=1)
    exact = eq.solve(SpotGame(spot), algorithm="lp").evaluation.values
    assert found.exploitability < 0.01
    assert found.at("").totals.ev == pytest.approx(exact, abs=0.02)
    shares = equity(spot.oop, spot.ip, spot.board, deck=deck)
    assert found.at("").totals.equity == pytest.approx((shares.oop, shares.ip))


def test_a_flop_deals_the_cards_of_its_deck() -> None:
    spot = Spot(**{**TURN, "board": "9h8h6c", "bets": ""}, deck="short")
    found = solve(spot, iterations=2, threads=1)
    rows = runout_rows(found, "X-X")
    assert len(rows) == 33
    assert {row["card"][0] for row in rows} == set("6789TJQKA")
    assert sum(row["frequency"] for row in rows) == pytest.approx(1)
    shares = equity(spot.oop, spot.ip, spot.board, deck="short")
    assert found.at("").totals.equity == pytest.approx((shares.oop, shares.ip))
    assert found.at("").totals.ev == pytest.approx((10 * shares.oop, 10 * shares.ip))
    assert estimate(spot).streets[1].all_boards == 33
    assert [combo_name(k) for k in np.flatnonzero(spot.ranges[1].weights).tolist()][:1] == ["8s7s"]


def test_lines_deal_no_card_that_the_deck_lacks(tmp_path: Path) -> None:
    spot = Spot(**TURN, deck="short")
    found = solve(spot, iterations=1, threads=1)
    for look in (found.at, found.strategy.__getitem__):
        with refuses(LineSyntaxError, option="line", given="5d"):
            look("X-X|5d|X")
    with refuses(LineSyntaxError, option="line", given="2c"):
        export(found, tmp_path / "tree.csv", line="X-X|2c")
    with refuses(LineSyntaxError, option="line", given="2c"):
        spot.replace(locks=["X-X|2c: Check 100%"])


def test_the_key_is_kept_in_files_and_subgames() -> None:
    spot = Spot(**TURN, deck="Six plus")
    assert spot.deck == "short"
    assert 'deck = "short"' in spot.to_toml()
    assert "deck" not in Spot(**TURN).to_toml()
    assert spot.replace(pot=20).whole_deck == SHORT_DECKS["short"]


def test_hands_are_called_as_the_ranking_has_them() -> None:
    kinds = hand_kinds(parse_board("9h8h7cAd"), SHORT_DECKS["short"])
    made = {t: MADE_HANDS[kinds.made[parse_combo(t)]] for t in ("Th6h", "As6d", "9d9s", "AsAh")}
    assert made == {"Th6h": "straight", "As6d": "straight", "9d9s": "set", "AsAh": "set"}
    assert DRAWS[kinds.draw[parse_combo("ThJs")]] == "no draw"  # J T 9 8 7 is made
    assert MADE_HANDS[kinds.made[parse_combo("6h6s")]] == "straight"  # A6789
    assert DRAWS[kinds.draw[parse_combo("ThKd")]] == "gutshot"  # with a six the board has A6789
    assert kinds.made[parse_combo("5h5s")] == -1


@pytest.mark.parametrize(
    ("keys", "option"),
    [
        ({"board": "9h8h2c"}, "board"),
        ({"oop": "22-55"}, "oop"),
        ({"deck": "long"}, "deck"),
        ({"deck": "T"}, "board"),
    ],
)
def test_what_a_deck_refuses(keys: dict[str, str], option: str) -> None:
    with refuses(ConfigError, option=option):
        Spot(**{**TURN, "deck": "short", **keys})


def test_values_of_52_cards_are_refused() -> None:
    with refuses(UnsupportedError, option="deck"):
        check_over_values(Spot(**TURN, deck="short"))
