"""Kernels of three players' forms, compared with the forms in plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from equilibrist.errors import ConfigError
from equilibrist.kernels.poker.three_ranges import FormLines
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.three_players.form_values import evaluate, evaluate_forms, working_memory
from equilibrist.poker.three_players.forms import Form, Showdown
from equilibrist.poker.three_players.tables import Tables
from equilibrist.typing import Int32Array
from tests.poker.three_players.test_forms import BOARDS, all_hands, drawn_hands

WITHIN = {np.float32: 1e-5, np.float64: 1e-13}
FEW_CARDS = "AcAdAhKdKh2s3s4s5s"


class Given:
    """A board with three ranges, and the reach of all seats on some lines."""

    def __init__(
        self, board: str, hands: Sequence[Int32Array], lines: int, dtype: Any = np.float64
    ) -> None:
        cards, rng = parse_cards(board), np.random.default_rng(8)
        self.hands, self.lines = hands, lines
        self.showdown, self.tables = Showdown(cards, hands), Tables(cards, hands)
        self.reach = []
        for held, width in zip(hands, self.tables.widths, strict=True):
            rows = np.full((lines, width), 7, dtype)  # what pads a row is not read
            rows[:, : len(held)] = rng.random((lines, len(held))) * (rng.random(len(held)) < 0.8)
            self.reach.append(rows)
        self.pots = rng.random(lines).astype(dtype) + 1

    def others(self, seat: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Reach of j and of k."""
        j, k = (rows for other, rows in enumerate(self.reach) if other != seat)
        return j, k

    def evaluated(self, form: Form, seat: int) -> NDArray[Any]:
        """[lines, width of the seat], by the kernels."""
        out = np.zeros((self.lines, self.tables.widths[seat]), self.pots.dtype)
        evaluate(self.tables, seat, form, *self.others(seat), self.pots, out)
        return out

    def expected(self, form: Form, seat: int, line: int, others: Any = None) -> NDArray[Any]:
        """float64[hands], by the plain forms, of a pot of 1."""
        others = self.others(seat) if others is None else others
        ranges = [held for other, held in enumerate(self.hands) if other != seat]
        j, k = (rows[line, : len(held)] for rows, held in zip(others, ranges, strict=True))
        return self.showdown.value(form, seat, j.astype(np.float64), k.astype(np.float64))


def assert_same(given: Given, form: Form, seat: int, lines: Sequence[int], within: float) -> None:
    """The values of a form on some lines are those of the plain form."""
    found, hands = given.evaluated(form, seat), len(given.hands[seat])
    for line in lines:
        expected = given.pots[line] * given.expected(form, seat, line)
        atol = within * np.abs(expected).max()
        np.testing.assert_allclose(found[line, :hands], expected, rtol=0, atol=atol)
    assert not found[:, hands:].any()


@pytest.mark.parametrize("dtype", WITHIN)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("cards", ["", FEW_CARDS])
def test_all_forms_of_all_seats(board: str, cards: str, dtype: Any) -> None:
    """Seventeen lines need a second tile of sixteen."""
    left = [cards[n : n + 2] for n in range(0, len(cards), 2) if cards[n : n + 2] not in board]
    given = Given(board, drawn_hands(board, (48, 33, 70), 2, "".join(left)), 17, dtype)
    for form in Form:
        for seat in range(3):
            assert_same(given, form, seat, (0, 9, 16), WITHIN[dtype])


@pytest.mark.parametrize("dtype", WITHIN)
@pytest.mark.parametrize(("form", "seat"), [(Form.FF, 0), (Form.MA, 1), (Form.AM, 2), (Form.MM, 1)])
def test_ranges_of_all_hands(form: Form, seat: int, dtype: Any) -> None:
    given = Given(BOARDS[3], [all_hands(BOARDS[3])] * 3, 33, dtype)
    assert_same(given, form, seat, (0, 32), WITHIN[dtype])


@pytest.mark.parametrize("lines", [1, 16, 32, 70])
def test_any_number_of_lines(lines: int) -> None:
    given = Given(BOARDS[4], drawn_hands(BOARDS[4], (20, 60, 40), 3), lines)
    for form in Form:
        assert_same(given, form, 1, range(lines), 1e-13)


def test_lines_that_an_opponent_does_not_reach() -> None:
    """They are left out: what is added comes from the others, and nothing if there are none."""
    given = Given(BOARDS[2], drawn_hands(BOARDS[2], (20, 60, 40), 3), 90)
    j, k = given.others(0)
    j[5:45, :60] = 0
    k[70:, :40] = 0
    for form in Form:
        found = given.evaluated(form, 0)
        assert not found[5:45].any()
        assert not found[70:].any()
        assert_same(given, form, 0, (0, 4, 45, 69), 1e-13)
    j[:] = 0
    assert not given.evaluated(Form.MM, 0).any()


def test_folds_on_the_turn() -> None:
    """There are 48 cards, as many as the sums have rows."""
    board = "AsKd7h2c"
    given = Given(board, [all_hands(board), *drawn_hands(board, (300, 200), 4)], 3)
    for seat in range(3):
        assert_same(given, Form.FF, seat, (0, 2), 1e-13)


def test_one_hand_each() -> None:
    given = Given(BOARDS[0], drawn_hands(BOARDS[0], (1, 1, 1), 3), 2)
    for form in Form:
        assert_same(given, form, 2, range(2), 1e-13)


def test_forms_add_to_the_rows_that_are_picked() -> None:
    """Several forms of one line, as side pots have them, of a row twice in a tile, too."""
    given = Given(BOARDS[2], drawn_hands(BOARDS[2], (50, 40, 30), 5), 6)
    begin, rows = np.array([0, 2, 3, 3, 7]), np.array([4, 4, 0, 2, 5, 5, 2], np.int32)
    row_k, row_out = np.flip(rows).copy(), np.array([1, 1, 0, 1, 3, 1, 3], np.int32)
    pots = np.array([2, -1, 3, 0.5, 1, 4, 8])
    out = np.full((4, given.tables.widths[0]), 10.0)
    j, k = given.others(0)
    memory = working_memory(given.tables.widths, np.float64)
    evaluate_forms(given.tables, 0, FormLines(begin, rows, row_k, row_out, pots), j, k, out, memory)
    expected = np.full((4, 50), 10.0)
    forms = [Form.FF, Form.FF, Form.MA, Form.MM, Form.MM, Form.MM, Form.MM]
    for form, of_j, of_k, to, pot in zip(forms, rows, row_k, row_out, pots, strict=True):
        picked = j[of_j : of_j + 1], k[of_k : of_k + 1]
        expected[to] += pot * given.expected(form, 0, 0, picked)
    np.testing.assert_allclose(out[:, :50], expected, rtol=1e-12, atol=1e-10)


@pytest.mark.slow
def test_sums_may_be_finer_than_reach() -> None:
    """For measuring: reach is float32, sums and values are float64."""
    given = Given(BOARDS[0], drawn_hands(BOARDS[0], (40, 50, 60), 6), 3, np.float32)
    out = np.zeros((3, given.tables.widths[2]))
    evaluate(given.tables, 2, Form.MM, *given.others(2), np.ones(3), out)
    expected = given.expected(Form.MM, 2, 1)
    np.testing.assert_allclose(out[1, :60], expected, rtol=1e-12, atol=1e-10)


def test_opponents_change_places() -> None:
    hands = drawn_hands(BOARDS[5], (30, 60, 45), 7)
    given = Given(BOARDS[5], hands, 4)
    swapped = Given(BOARDS[5], [hands[0], hands[2], hands[1]], 4)
    swapped.reach, swapped.pots = [given.reach[0], given.reach[2], given.reach[1]], given.pots
    assert np.array_equal(given.evaluated(Form.MA, 0), swapped.evaluated(Form.AM, 0))
    for form in (Form.FF, Form.MM):
        there = swapped.evaluated(form, 0)
        np.testing.assert_allclose(given.evaluated(form, 0), there, rtol=1e-12, atol=1e-10)


def test_deals_are_the_same_from_each_seat() -> None:
    given = Given(BOARDS[2], drawn_hands(BOARDS[2], (200, 300, 250), 9), 2)
    deals, shares = (
        [
            (given.evaluated(form, seat)[1, : len(held)] * given.reach[seat][1, : len(held)]).sum()
            for seat, held in enumerate(given.hands)
        ]
        for form in (Form.FF, Form.MM)
    )
    assert deals == pytest.approx([deals[0]] * 3, rel=1e-13)
    assert sum(shares) == pytest.approx(deals[0], rel=1e-13)


def test_tables_refuse_hands_that_cannot_be_held() -> None:
    good = all_hands(BOARDS[0])
    with pytest.raises(ConfigError) as raised:
        Tables(parse_cards(BOARDS[0]), [good, good, np.append(good, good[0])])
    assert raised.value.place == "seat 2"


def test_rows_of_another_width_are_refused() -> None:
    """Nothing is written, not to a copy either, which is what rows in another order would be."""
    given = Given(BOARDS[0], drawn_hands(BOARDS[0], (20, 40, 60), 5), 4)
    j, k = given.others(0)
    out = np.zeros((4, given.tables.widths[0]))
    for reach_k, values, name in ((k[:, 1:], out, "reach_k"), (k, np.asfortranarray(out), "out")):
        with pytest.raises(ConfigError) as raised:
            evaluate(given.tables, 0, Form.FF, j, reach_k, given.pots, values)
        assert raised.value.option == name
