"""Transposition of 16 x 16 tiles between rows of hands and rows of lanes."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE
from equilibrist.kernels.poker.tiles import as_numbers_of, load_row

_HALF: Final = TILE // 2
_INT = ir.IntType(32)


@intrinsic
def transpose_tile(typing_context, source, place, stride, target, goal, goal_stride):
    """target[goal + j * goal_stride + i] = source[place + i * stride + j] for i, j below 16.

    In four blocks of 8 x 8, whose rows fit into the registers of most processors; float64, which
    is not time-critical, number by number.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        data = [context.make_array(kinds[k])(context, builder, arguments[k]).data for k in (0, 3)]
        if types.float64 in (kinds[0].dtype, kinds[3].dtype):
            _by_number(builder, data, arguments)
        else:
            for i in (0, _HALF):
                for j in (0, _HALF):
                    _block(builder, data, arguments, i, j)
        return context.get_dummy_value()

    return types.void(source, place, stride, target, goal, goal_stride), generate


def _start(builder: Any, place: Any, stride: Any, row: Any, column: Any) -> Any:
    if isinstance(row, int):
        row, column = (ir.Constant(place.type, number) for number in (row, column))
    return builder.add(builder.add(place, builder.mul(stride, row)), column)


def _block(builder: Any, data: list[Any], arguments: Any, i: int, j: int) -> None:
    """Transpose the block from row i and column j on."""
    vector = ir.VectorType(ir.FloatType(), _HALF).as_pointer()
    rows = []
    for k in range(_HALF):
        start = _start(builder, arguments[1], arguments[2], i + k, j)
        address = builder.bitcast(builder.gep(data[0], [start]), vector)
        rows.append(builder.load(address, align=4))
    distance = 1
    while distance < _HALF:
        for k in range(_HALF):
            if not k & distance:
                other = k + distance
                low = [n if not n & distance else _HALF + n - distance for n in range(_HALF)]
                high = [n + distance if not n & distance else _HALF + n for n in range(_HALF)]
                rows[k], rows[other] = (
                    builder.shuffle_vector(
                        rows[k], rows[other], ir.Constant(ir.VectorType(_INT, _HALF), mask)
                    )
                    for mask in (low, high)
                )
        distance *= 2
    for k, row in enumerate(rows):
        start = _start(builder, arguments[4], arguments[5], j + k, i)
        address = builder.bitcast(builder.gep(data[1], [start]), vector)
        builder.store(row, address, align=4)


def _by_number(builder: Any, data: list[Any], arguments: Any) -> None:
    end = ir.Constant(arguments[1].type, TILE)
    with cgutils.for_range(builder, end) as i, cgutils.for_range(builder, end) as j:
        start = _start(builder, arguments[1], arguments[2], i.index, j.index)
        number = builder.load(builder.gep(data[0], [start]))
        goal = _start(builder, arguments[4], arguments[5], j.index, i.index)
        builder.store(number, builder.gep(data[1], [goal]))


@inner_kernel
def load_like(array, index, like):
    """array[index : index + 16] as numbers of the type of the row `like`."""
    return as_numbers_of(load_row(array, index), like)
