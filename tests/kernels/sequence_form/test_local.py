"""The local update: compiled, interpreted, and as the three lines that define a variant."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from equilibrist.kernels.sequence_form import local_update as local
from equilibrist.solvers.variants.registry import VARIANTS

COMPILED = {
    kernel: numba.njit(error_model="numpy")(kernel)
    for kernel in (local.update_pair_group, local.update_triple_group, local.update_group)
}
SIZE = 5
FIRST = 3
"""The group stands in the middle of longer arrays; nothing around it may change."""


class Group:
    """A random group with exact zeros, negative regrets, and rows that are zero altogether."""

    def __init__(self, actions: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        length = FIRST + SIZE * actions + 2
        self.actions = actions
        self.regret = generator.normal(size=length) * generator.integers(0, 2, length)
        self.strategy_sum = generator.random(length) * generator.integers(0, 2, length)
        self.reach = generator.random(length) * generator.integers(0, 2, length)
        self.value = generator.normal(size=length)
        weights = generator.random((actions, SIZE)) + 0.01
        self.behaviour = np.ones(length)
        self.block(self.behaviour)[:] = weights / weights.sum(axis=0)
        self.block(self.value)[:, 0] = self.block(self.regret)[:, 0] = 0.0
        self.block(self.regret)[:, 1] = -1.0
        self.out_value = np.full(SIZE, np.nan)
        self.total = np.full(SIZE, np.nan)

    def block(self, array: np.ndarray) -> np.ndarray:
        """[actions, SIZE] view of the group's part."""
        return array[FIRST : FIRST + SIZE * self.actions].reshape(self.actions, SIZE)

    def arrays(self) -> list[np.ndarray]:
        return [self.regret, self.behaviour, self.strategy_sum, self.out_value]

    def update(self, kernel, row: np.ndarray, interpreted: bool = False) -> None:
        shared = (row, self.regret, self.behaviour, self.strategy_sum, self.reach, self.value)
        place = (np.uintp(FIRST), np.uintp(SIZE))
        call = kernel if interpreted else COMPILED[kernel]
        if kernel is local.update_group:
            call(*place, np.uintp(self.actions), *shared, self.out_value, self.total)
        else:
            call(*place, *shared, self.out_value)


def kernels_for(actions: int) -> list[Any]:
    special = {2: [local.update_pair_group], 3: [local.update_triple_group]}
    return [*special.get(actions, []), local.update_group]


def coefficient_rows() -> dict[str, np.ndarray]:
    rows = {
        f"{name} @{t}": variant.table(t, 1, 40)[0]
        for name, variant in VARIANTS.items()
        for t in (1, 2, 40)
    }
    return rows | {"odd": np.array([0.9, 0.4, -0.3, 0.8, 0.6, 0.7, 2.5])}


ROWS = coefficient_rows()


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("actions", [2, 3, 4, 9])
def test_the_update_is_what_the_three_lines_say(actions: int, name: str) -> None:
    positive, negative, floor, lookahead, prediction, decay, weight = ROWS[name]
    for kernel in kernels_for(actions):
        group, before = Group(actions, 1), Group(actions, 1)
        group.update(kernel, ROWS[name])
        R, S, sigma, value, reach = (
            before.block(a)
            for a in (
                before.regret,
                before.strategy_sum,
                before.behaviour,
                before.value,
                before.reach,
            )
        )
        v = (sigma * value).sum(axis=0)
        r = value - v
        R = np.maximum(np.where(R > 0, positive, negative) * R + r, floor)
        S = decay * S + weight * reach
        x = np.maximum(lookahead * R + prediction * r, 0.0)
        total = x.sum(axis=0)
        sigma = np.where(total > 0, x / np.where(total > 0, total, 1.0), 1.0 / actions)
        assert group.block(group.regret) == pytest.approx(R, abs=1e-14)
        assert group.block(group.strategy_sum) == pytest.approx(S, abs=1e-14)
        assert group.block(group.behaviour) == pytest.approx(sigma, abs=1e-13)
        assert group.out_value == pytest.approx(v, abs=1e-14)
        outside = np.ones(len(group.regret), dtype=bool)
        outside[FIRST : FIRST + SIZE * actions] = False
        for changed, kept in zip(group.arrays()[:3], before.arrays()[:3], strict=True):
            assert np.array_equal(changed[outside], kept[outside])


@pytest.mark.slow
@pytest.mark.parametrize("actions", [2, 3, 4])
def test_compiled_and_interpreted_give_the_same_bits(actions: int) -> None:
    for kernel in kernels_for(actions):
        for name in ("dcfr @40", "pdcfr+ @2", "odd"):
            compiled, interpreted = Group(actions, 2), Group(actions, 2)
            compiled.update(kernel, ROWS[name])
            interpreted.update(kernel, ROWS[name], interpreted=True)
            for one, other in zip(compiled.arrays(), interpreted.arrays(), strict=True):
                assert one.tobytes() == other.tobytes()


def test_rows_stay_distributions() -> None:
    """Also where regrets are as small as double precision has them."""
    for scale in (1e-300, 1e-320, 1e300):
        for actions in (2, 3, 5):
            for kernel in kernels_for(actions):
                group = Group(actions, 3)
                group.regret *= scale
                group.value *= scale
                group.update(kernel, ROWS["cfr+ @2"])
                rows = group.block(group.behaviour)
                assert (rows >= 0).all()
                assert rows.sum(axis=0) == pytest.approx(np.ones(SIZE), abs=1e-12)


def test_an_infinite_floor_is_no_floor() -> None:
    group = Group(2, 4)
    group.regret *= -1e6
    group.update(local.update_pair_group, VARIANTS["cfr"].table(2, 1)[0])
    assert group.block(group.regret).min() < -1e5
