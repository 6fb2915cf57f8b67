"""Limits of options of sampling, apart from it, so that reading them imports nothing else."""

from __future__ import annotations

from typing import Final

MOST_EVERY: Final = 10**9
"""The longest wait between two averages: the number of walks must fit the integers of kernels."""
