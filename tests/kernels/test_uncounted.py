"""Kernels that count no references."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equilibrist._jit import uncounted_kernel


def double(numbers):
    for i in range(numbers.shape[0]):
        numbers[i] *= 2


@pytest.mark.parametrize("known", [True, False])
def test_kernels_work_with_and_without_the_option(
    monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """It is not documented by Numba, and may go."""
    from numba.core.options import DefaultOptions

    if not known:
        monkeypatch.delattr(DefaultOptions, "_nrt")
    numbers = np.arange(4.0)
    kernel: Any = uncounted_kernel(double)
    kernel(numbers)
    assert numbers.tolist() == [0, 2, 4, 6]
    assert kernel.targetoptions.get("_nrt", True) is not known
