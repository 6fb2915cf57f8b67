"""Rows out of whole streets: subgames of their spot; hands that nobody holds count for nothing."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.learned.holdem_values import shard as shards
from equilibrist.learned.holdem_values import solved_streets
from equilibrist.learned.holdem_values.features import knot_targets
from equilibrist.learned.holdem_values.hand_grid import BoardHands
from equilibrist.learned.holdem_values.labels import label
from equilibrist.learned.holdem_values.shard import DatasetPlan, DatasetRows, make_shard
from equilibrist.learned.holdem_values.situations import Situation, canonical_board
from equilibrist.learned.holdem_values.training import value_errors
from tests.refusals import refuses

PLAN = DatasetPlan("river", bets="a", raises="", target="0.1%", whole_streets=True)


@pytest.fixture(autouse=True)
def _small_spots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved_streets, "_ENTERED", ((6_000, 0.03),))
    monkeypatch.setattr(shards, "STREET_ROWS", 20)


def made(number: int, rows: int) -> DatasetRows:
    shard = make_shard(PLAN, number, rows)
    assert shard is not None
    return shard


def test_rows_are_subgames_of_a_solved_spot() -> None:
    rows = made(0, 20)
    fewer = made(0, 3)
    for name, part in fewer._asdict().items():
        assert np.array_equal(part, getattr(rows, name)[:3], equal_nan=True)
    assert {*rows.source.tolist()} == {solved_streets.STREET}
    assert (rows.pot >= 12_000).all()
    assert (rows.stack > 0).all()
    known = np.isfinite(rows.values)
    assert np.array_equal(known, rows.ranges > 0)
    for row, cards in enumerate(rows.board.tolist()):
        assert canonical_board(np.array(cards))[0] == tuple(cards)
        assert abs(np.nansum(rows.ranges[row] * rows.values[row])) < 1e-5
    board = BoardHands(tuple(rows.board[0].tolist()))
    nobody_bets = rows.ranges[0, ::-1] @ board.check_down.T
    np.testing.assert_allclose(rows.check_down[0], np.where(known[0], nobody_bets, 0.0), atol=1e-5)
    ranges = np.zeros((2, 1326))
    ranges[:, board.hands] = rows.ranges[0]
    situation = Situation(board.cards, rows.pot[0], rows.stack[0], ranges, solved_streets.STREET)
    again = label(situation, PLAN.menu, "0.1%").values[0, board.hands]
    mean = np.nansum(rows.ranges[0, 0] * rows.values[0, 0])
    assert mean == pytest.approx(rows.ranges[0, 0] @ again, abs=0.01)


def test_hands_without_values_count_for_nothing() -> None:
    rows = made(1, 1)
    board = BoardHands(tuple(rows.board[0].tolist()))
    known = np.isfinite(rows.values[0])
    targets, held = knot_targets(board, rows.ranges[0], rows.values[0], rows.check_down[0])
    assert np.isfinite(targets).all()
    assert held.any()
    predicted = np.where(known, rows.values[0] + np.float32(0.25), np.float32(9.0))[None]
    errors = value_errors(predicted, rows.values, rows.ranges, rows.stack / rows.pot)
    assert errors.huber == pytest.approx(0.25**2 / 2, rel=1e-3)
    assert errors.weighted == pytest.approx(0.25, rel=1e-3)
    np.testing.assert_allclose(errors.by_decile, 0.25, rtol=1e-3)


def test_settings_of_bets_are_read() -> None:
    assert DatasetPlan("turn", add_all_in="150%").menu["add_all_in"] == 1.5
    with refuses(ConfigError, option="merge", given="much"):
        DatasetPlan("turn", merge="much")
