"""The table of means, which stands for a perfect fit."""

from __future__ import annotations

import numpy as np

from equilibrist.learned.regressors import Regressor, TableRegressor
from equilibrist.learned.rows import Rows


def test_a_table_predicts_the_weighted_means_of_infosets():
    rows = Rows(10, 2, key=0)
    target = np.array([[1.0, 0.0], [4.0, 3.0], [9.0, 9.0]])
    rows.add(np.array([0, 0, 2]), target, np.array([2.0, 1.0, 5.0]), 1)
    table = TableRegressor(4, 2)
    assert isinstance(table, Regressor)
    assert table.predict(np.arange(4)).tolist() == [[0.0, 0.0]] * 4
    assert not table.knows(np.arange(4)).any()
    report = table.fit(rows, 0)
    assert table.predict(np.arange(4)).tolist() == [[2.0, 1.0], [0, 0], [9.0, 9.0], [0, 0]]
    assert table.knows(np.arange(4)).tolist() == [True, False, True, False]
    # Squares of (1, 1) twice and of (2, 2) once, over a weight of 8.
    assert np.isclose(report.losses[-1], (2 * 2.0 + 8.0) / 8.0)
