"""The reservoir of training rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from equilibrist.errors import CheckpointError, MismatchError
from equilibrist.kernels.primitives.rng import advance, stream, uniform
from equilibrist.learned.rows import LastRows, Rows, counted_uniform
from tests.refusals import refuses


def add(rows, first, count):
    """Rows whose infoset is their number."""
    numbers = np.arange(first, first + count)
    rows.add(numbers, np.stack([numbers, -numbers], axis=1), numbers * 0.5, first)


def contents(rows):
    return {name: array.tolist() for name, array in rows.arrays().items()}


def test_all_rows_are_kept_while_there_is_room():
    rows = Rows(10, 2, key=1)
    add(rows, 0, 3)
    add(rows, 3, 4)
    assert len(rows) == rows.seen == 7
    assert rows.infoset.tolist() == [*range(7)]
    assert rows.target[5].tolist() == [5.0, -5.0]
    assert rows.weight[5] == 2.5
    assert rows.iteration.tolist() == [0, 0, 0, 3, 3, 3, 3]


def test_what_is_kept_does_not_depend_on_how_rows_were_added():
    whole, parts = Rows(50, 2, key=7), Rows(50, 2, key=7)
    add(whole, 0, 900)
    for first in range(0, 900, 9):
        numbers = np.arange(first, first + 9)
        parts.add(numbers, np.stack([numbers, -numbers], axis=1), numbers * 0.5, 0)
    assert contents(whole) == contents(parts)
    assert len({*whole.infoset.tolist()}) == 50
    assert (whole.target[:, 0] == whole.infoset).all()


def test_every_row_is_kept_with_equal_probability():
    # 400 keys keep 20 of 200 rows each: 40 times on average, with a deviation of 6.
    kept = np.zeros(200)
    for key in range(400):
        rows = Rows(20, 1, key=key)
        rows.add(np.arange(200), np.zeros((200, 1)), 1.0, 0)
        kept[rows.infoset] += 1
    assert kept.sum() == 8000
    assert np.abs(kept.reshape(10, 20).mean(axis=1) - 40).max() < 5
    assert 4.5 < kept.std() < 7.5


def test_a_copy_goes_on_with_the_same_bits():
    rows, copy = Rows(30, 2, key=3), Rows(30, 2, key=3)
    add(rows, 0, 100)
    copy.restore(rows.arrays("v0."), "v0.")
    add(rows, 100, 50)
    add(copy, 100, 50)
    assert contents(rows) == contents(copy)


def test_merged_rows_are_the_weighted_means_of_infosets():
    rows = Rows(10, 2, key=0, dtype=np.float64)
    target = np.array([[1.0, 0.0], [9.0, 9.0], [4.0, 3.0]])
    rows.add(np.array([3, 5, 3]), target, np.array([2.0, 1.0, 1.0]), 1)
    merged = rows.merged()
    assert merged.infoset.tolist() == [3, 5]
    assert merged.weight.tolist() == [3.0, 1.0]
    assert merged.target.tolist() == [[2.0, 1.0], [9.0, 9.0]]


def test_the_last_rows_are_kept_in_their_order():
    class Pairs(NamedTuple):
        number: np.ndarray
        square: np.ndarray

    rows, copy = (LastRows(Pairs(*np.zeros((2, 0))), 3) for _ in range(2))
    for numbers in ([1.0, 2.0], [3.0, 4.0]):
        rows.add(Pairs(np.array(numbers), np.array(numbers) ** 2))
    copy.restore(rows.arrays("v0."), "v0.")
    for kept in (rows, copy):
        assert [column.tolist() for column in kept.columns] == [[2.0, 3.0, 4.0], [4.0, 9.0, 16.0]]
    with refuses(CheckpointError, option="v0.square"):
        copy.restore({"v0.number": np.zeros(1)}, "v0.")


def test_rows_that_do_not_fit_are_refused():
    rows = Rows(30, 2, key=3)
    with refuses(MismatchError, option="target", given=(1, 3), expected=(1, 2)):
        rows.add(np.zeros(1, dtype=np.int64), np.zeros((1, 3)), 1.0, 0)
    add(rows, 0, 10)
    with refuses(CheckpointError, option="rows"):
        Rows(5, 2, key=3).restore(rows.arrays())
    with refuses(CheckpointError, option="rows"):
        rows.restore({})


def test_counted_numbers_are_those_of_the_kernels():
    numbers = np.arange(5, dtype=np.uint64)
    with np.errstate(over="ignore"):
        state = [stream(np.uint64(9), number) for number in numbers]
        assert counted_uniform(9, numbers).tolist() == [uniform(advance(s)) for s in state]
