"""Eight float64 lanes as one Numba value, so that a row of payoffs is one vector instruction.

Numba leaves LLVM's straight-line vectoriser off, and loops of eight are unrolled before the
loop vectoriser sees them; these four intrinsics say what is meant. Multiplication and addition
stay separate (no fused multiply-add), so that results do not depend on the processor.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, register_model

from equilibrist.kernels import LANES

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


class LanesType(types.Type):
    """The Numba type of eight float64 lanes; it lives in registers only."""

    def __init__(self) -> None:
        super().__init__(name="Lanes8")


_lanes = LanesType()


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    """Lanes are an LLVM vector."""

    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, _VECTOR)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    view = context.make_array(array_type)(context, builder, array)
    return builder.gep(view.data, [index])


@intrinsic
def zero_lanes(typing_context):
    """Eight zeros."""

    def generate(context, builder, signature, arguments):
        return ir.Constant(_VECTOR, [0.0] * LANES)

    return _lanes(), generate


@intrinsic
def load_lanes(typing_context, array, index):
    """array[index : index + 8], for a float64 array."""

    def generate(context, builder, signature, arguments):
        array_type = signature.args[0]
        address = _address(context, builder, array_type, *arguments)
        return builder.load(builder.bitcast(address, _VECTOR.as_pointer()), align=8)

    return _lanes(array, index), generate


@intrinsic
def store_lanes(typing_context, array, index, lanes):
    """array[index : index + 8] = lanes, for a float64 array."""

    def generate(context, builder, signature, arguments):
        array_value, index_value, value = arguments
        address = _address(context, builder, signature.args[0], array_value, index_value)
        builder.store(value, builder.bitcast(address, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(array, index, lanes), generate


@intrinsic
def add_product(typing_context, total, factor, lanes):
    """Return total + factor * lanes, with a float64 factor for all lanes."""

    def generate(context, builder, signature, arguments):
        total_value, factor_value, lanes_value = arguments
        first = ir.Constant(ir.IntType(32), 0)
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        single = builder.insert_element(undefined, factor_value, first)
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        spread = builder.shuffle_vector(single, undefined, mask)
        return builder.fadd(total_value, builder.fmul(spread, lanes_value))

    return _lanes(total, types.float64, lanes), generate
