"""Ask for memory before it is read: the next rows while one is worked on."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from equilibrist._jit import inner_kernel
from equilibrist.kernels import TILE

_BYTE = ir.IntType(8).as_pointer()
_INT = ir.IntType(32)
_READ, _DATA = (ir.Constant(_INT, k) for k in (0, 1))
_ALL_LEVELS, _SECOND_LEVEL = (ir.Constant(_INT, k) for k in (3, 2))


@intrinsic
def prefetch_row(typing_context, table, row):
    """Start loading table[row], for a two-dimensional array in C order."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = builder.extract_value(view.shape, 1)
        _load(builder, builder.gep(view.data, [builder.mul(arguments[1], width)]))
        return context.get_dummy_value()

    return types.void(table, row), generate


@intrinsic
def prefetch_number(typing_context, numbers, place):
    """Start loading numbers[place], for an array of one dimension without gaps."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        _load(builder, builder.gep(view.data, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(numbers, place), generate


@intrinsic
def address_of(typing_context, numbers, place):
    """Where numbers[place] is in memory, for an array of one dimension without gaps."""

    def generate(context, builder, signature, arguments):
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [arguments[1]])
        return builder.ptrtoint(pointer, context.get_value_type(types.uintp))

    return types.uintp(numbers, place), generate


@intrinsic
def bytes_of_row(typing_context, numbers):
    """Bytes of TILE numbers of an array, known when a kernel is compiled."""

    def generate(context, builder, signature, arguments):
        return context.get_constant(types.uintp, TILE * numbers.dtype.bitwidth // 8)

    return types.uintp(numbers), generate


@intrinsic
def prefetch_address(typing_context, address):
    """Start loading what is at an address, into the second-level cache."""

    def generate(context, builder, signature, arguments):
        _load(builder, builder.inttoptr(arguments[0], _BYTE), _SECOND_LEVEL)
        return context.get_dummy_value()

    return types.void(address), generate


def _load(builder, pointer, level=_ALL_LEVELS):
    kind = ir.FunctionType(ir.VoidType(), [_BYTE, _INT, _INT, _INT])
    load = builder.module.declare_intrinsic("llvm.prefetch", [_BYTE], kind)
    builder.call(load, [builder.bitcast(pointer, _BYTE), _READ, level, _DATA])


@inner_kernel
def prefetch_children(node, first, count):
    """Start loading the first and the last of `count` neighbouring rows, a cache line each."""
    prefetch_row(node, first)
    prefetch_row(node, first + count - np.uintp(1))
