"""Choices between the numbers of rows: the larger ones, and those where a test holds.

None of them drops a number that is not one: a NaN that a maximum hides is missing from a measure.
"""

from __future__ import annotations

from llvmlite import ir
from numba.extending import intrinsic

_INT = ir.IntType(32)
NORMAL = {32: 2.0**-126, 64: 2.0**-1022}
"""The smallest numbers of full precision, by bits; one over them is finite."""


@intrinsic
def larger_rows(typing_context, a, b):
    """The larger numbers of two rows; NaN where `a` is NaN, so `b` must not be: a bound, say.

    It is one instruction; where either may be NaN there is `larger_or_nan`.
    """

    def generate(context, builder, signature, arguments):
        first, second = arguments
        return builder.select(builder.fcmp_ordered(">", second, first), second, first)

    return a(a, b), generate


@intrinsic
def larger_or_nan(typing_context, a, b):
    """The larger numbers of two rows; NaN where either is NaN."""

    def generate(context, builder, signature, arguments):
        first, second = arguments
        larger = builder.select(builder.fcmp_ordered(">", first, second), first, second)
        return builder.select(builder.fcmp_unordered("uno", first, first), first, larger)

    return a(a, b), generate


@intrinsic
def larger_size(typing_context, most, row):
    """The larger of `most`, which is neither negative nor minus 0, and the magnitudes of a row.

    NaN counts as larger than all others, as its bits do: they are compared as whole numbers.
    """

    def generate(context, builder, signature, arguments):
        bits = row.dtype.bitwidth
        whole = ir.VectorType(ir.IntType(bits), row.width)
        known, magnitude = (builder.bitcast(argument, whole) for argument in arguments)
        magnitude = builder.and_(magnitude, ir.Constant(whole, [2 ** (bits - 1) - 1] * row.width))
        larger = builder.select(builder.icmp_unsigned(">", magnitude, known), magnitude, known)
        return builder.bitcast(larger, arguments[0].type)

    return most(most, row), generate


@intrinsic
def where_tiny(typing_context, test, a, b):
    """Numbers of a where test is below `NORMAL` of its type, of b elsewhere, where it is NaN too.

    One over such a number may leave the floating-point range.
    """

    def generate(context, builder, signature, arguments):
        tested, first, second = arguments
        least = ir.Constant(tested.type, [NORMAL[test.dtype.bitwidth]] * test.width)
        return builder.select(builder.fcmp_ordered("<", tested, least), first, second)

    return a(test, a, b), generate


@intrinsic
def where_positive(typing_context, test, a, b):
    """Numbers of a where test > 0, of b elsewhere."""

    def generate(context, builder, signature, arguments):
        tested, first, second = arguments
        zero = ir.Constant(tested.type, [0.0] * test.width)
        return builder.select(builder.fcmp_ordered(">", tested, zero), first, second)

    return a(test, a, b), generate


@intrinsic
def where_equal(typing_context, left, right, a, b):
    """Numbers of a where left == right, of b elsewhere."""

    def generate(context, builder, signature, arguments):
        first_compared, second_compared, first, second = arguments
        return builder.select(
            builder.fcmp_ordered("==", first_compared, second_compared), first, second
        )

    return a(left, right, a, b), generate


@intrinsic
def largest(typing_context, row):
    """The largest of a row of magnitudes, as `larger_size` has them; NaN if any is.

    Halves are compared with each other: one number after the other took 6 % of a turn in 16 bits.
    """

    def generate(context, builder, signature, arguments):
        whole = ir.IntType(row.dtype.bitwidth)
        magnitudes, width = (
            builder.bitcast(arguments[0], ir.VectorType(whole, row.width)),
            row.width,
        )
        while width > 1:
            width //= 2
            low, high = (
                builder.shuffle_vector(
                    magnitudes,
                    magnitudes,
                    ir.Constant(ir.VectorType(_INT, width), list(range(k, k + width))),
                )
                for k in (0, width)
            )
            magnitudes = builder.select(builder.icmp_unsigned(">", high, low), high, low)
        number = builder.extract_element(magnitudes, ir.Constant(_INT, 0))
        return builder.bitcast(number, arguments[0].type.element)

    return row.dtype(row), generate
