"""Transposition of 16 x 16 tiles between rows of hands and rows of lanes."""

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic

from equilibrist._jit import inner_kernel
from equilibrist.kernels.poker.tiles import _Rows, _transpose, as_numbers_of, load_row


@intrinsic
def transpose_tile(typing_context, source, place, stride, target, goal, goal_stride):
    """target[goal + j * goal_stride + i] = source[place + i * stride + j] for i, j below 16."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        rows = _Rows(context, kinds[0], *arguments[:3])
        goals = _Rows(context, kinds[3], *arguments[3:])
        _transpose(builder, rows, goals)
        return context.get_dummy_value()

    return types.void(source, place, stride, target, goal, goal_stride), generate


@inner_kernel
def load_like(array, index, like):
    """array[index : index + 16] as numbers of the type of the row `like`."""
    return as_numbers_of(load_row(array, index), like)
