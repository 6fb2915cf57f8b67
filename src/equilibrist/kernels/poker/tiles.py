"""Rows of 8, 16 or 32 numbers as one Numba value, and transposition of 16 x 16 tiles.

Hands are processed sixteen at a time, terminal nodes thirty-two (or fewer, where fewer are left).
Numba unrolls loops of that length before LLVM's loop vectoriser sees them and disables the
straight-line vectoriser; longer loops are vectorised, but the remainder of each row of hands is
processed one by one, which took more time than all the rest. So the vectors are explicit here, and
only here; `benchmarks/poker/plain_loops.py` measures the gain.

The functions take float32 and float64. Multiplication and addition stay separate (no fused
multiply-add), so that results do not depend on the processor.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

from equilibrist.kernels import ENDS, FEW_ENDS, TILE

_ELEMENTS: dict[types.Type, ir.Type] = {
    types.float32: ir.FloatType(),
    types.float64: ir.DoubleType(),
    types.int16: ir.IntType(16),
}
_INT = ir.IntType(32)
_LOG_2 = 0.693359375
"""log(2) in 9 bits."""
_REST_OF_LOG_2 = -2.121944400546905827679e-4


class RowType(types.Type):
    """The Numba type of some numbers; it lives in registers only."""

    def __init__(self, dtype: types.Type, width: int) -> None:
        self.dtype = dtype
        self.width = width
        super().__init__(name=f"Row({dtype}, {width})")


@register_model(RowType)
class RowModel(models.PrimitiveModel):
    """A row is an LLVM vector."""

    def __init__(self, manager: Any, frontend_type: Any) -> None:
        vector = ir.VectorType(_ELEMENTS[frontend_type.dtype], frontend_type.width)
        super().__init__(manager, frontend_type, vector)


def _address(
    context: Any, builder: Any, array_type: Any, array: Any, index: Any, width: int = TILE
) -> Any:
    view = context.make_array(array_type)(context, builder, array)
    vector = ir.VectorType(_ELEMENTS[array_type.dtype], width)
    return builder.bitcast(builder.gep(view.data, [index]), vector.as_pointer())


def _loader(width: int) -> Any:
    def load(typing_context, array, index):
        def generate(context, builder, signature, arguments):
            address = _address(context, builder, signature.args[0], *arguments, width)
            return builder.load(address, align=array.dtype.bitwidth // 8)

        return RowType(array.dtype, width)(array, index), generate

    load.__doc__ = f"""array[index : index + {width}]."""
    return intrinsic(load)


load_row = _loader(TILE)
load_ends = _loader(ENDS)
load_few = _loader(FEW_ENDS)


@intrinsic
def in_16_bits(typing_context, array):
    """Whether an array holds 16-bit integers, known when a kernel is compiled."""

    def generate(context, builder, signature, arguments):
        return context.get_constant(types.boolean, array.dtype == types.int16)

    return types.boolean(array), generate


@intrinsic
def store_row(typing_context, array, index, row):
    """array[index : index + len(row)] = row; nothing for int16 arrays, which `store_rounded` fills.

    Numba compiles branches that are never taken, too.
    """

    def generate(context, builder, signature, arguments):
        if array.dtype == types.int16:
            return context.get_dummy_value()
        array_value, index_value, value = arguments
        array_type = signature.args[0]
        address = _address(context, builder, array_type, array_value, index_value, row.width)
        builder.store(value, address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, index, row), generate


@intrinsic
def load_stored(typing_context, array, index, factor):
    """array[index : index + 16], times `factor` if these are 16-bit integers."""

    def generate(context, builder, signature, arguments):
        array_value, index_value, scale = arguments
        address = _address(context, builder, signature.args[0], array_value, index_value)
        numbers = builder.load(address, align=array.dtype.bitwidth // 8)
        if array.dtype != types.int16:
            return numbers
        wide = builder.sext(numbers, ir.VectorType(_INT, TILE))
        return builder.fmul(builder.sitofp(wide, scale.type), scale)

    return factor(array, index, factor), generate


@intrinsic
def store_rounded(typing_context, array, index, row):
    """array[index : index + 16] = row, rounded, for an int16 array; nothing for others."""

    def generate(context, builder, signature, arguments):
        if array.dtype != types.int16:
            return context.get_dummy_value()
        array_value, index_value, value = arguments
        name = f"llvm.rint.v{TILE}f{row.dtype.bitwidth}"
        kind = ir.FunctionType(value.type, [value.type])
        rint = builder.module.declare_intrinsic(name, fnty=kind)
        whole = builder.fptosi(builder.call(rint, [value]), ir.VectorType(_INT, TILE))
        narrow = builder.trunc(whole, ir.VectorType(ir.IntType(16), TILE))
        address = _address(context, builder, signature.args[0], array_value, index_value)
        builder.store(narrow, address, align=2)
        return context.get_dummy_value()

    return types.void(array, index, row), generate


def _spread(builder: Any, number: Any, width: int) -> Any:
    """A vector of a number, `width` times."""
    vector = ir.VectorType(number.type, width)
    in_first_lane = builder.insert_element(
        ir.Constant(vector, ir.Undefined), number, ir.Constant(_INT, 0)
    )
    return builder.shuffle_vector(
        in_first_lane, in_first_lane, ir.Constant(ir.VectorType(_INT, width), [0] * width)
    )


@intrinsic
def fill_row(typing_context, number):
    """Sixteen times a number."""
    row = RowType(number, TILE)

    def generate(context, builder, signature, arguments):
        return _spread(builder, arguments[0], TILE)

    return row(number), generate


@intrinsic
def scaled_row(typing_context, row, number):
    """A row times a number."""

    def generate(context, builder, signature, arguments):
        vector, factor = arguments
        return builder.fmul(vector, _spread(builder, factor, row.width))

    return row(row, row.dtype), generate


def _pairwise(name: str, formula: str) -> Any:
    def combine(typing_context, a, b):
        def generate(context, builder, signature, arguments):
            return getattr(builder, name)(*arguments)

        return a(a, b), generate

    combine.__doc__ = f"""{formula}, number by number."""
    return intrinsic(combine)


add_rows = _pairwise("fadd", "a + b")
subtract_rows = _pairwise("fsub", "a - b")
multiply_rows = _pairwise("fmul", "a * b")
divide_rows = _pairwise("fdiv", "a / b")


@intrinsic
def sum_of_row(typing_context, row):
    """The sum of a row, halves added to each other."""

    def generate(context, builder, signature, arguments):
        halves, width = arguments[0], row.width
        while width > 1:
            width //= 2
            low, high = (
                builder.shuffle_vector(
                    halves,
                    halves,
                    ir.Constant(ir.VectorType(_INT, width), list(range(k, k + width))),
                )
                for k in (0, width)
            )
            halves = builder.fadd(low, high)
        return builder.extract_element(halves, ir.Constant(_INT, 0))

    return row.dtype(row), generate


def _converted(builder, value, dtype, wanted, width):
    """A vector of floats as floats of the other size."""
    if dtype == wanted:
        return value
    change = builder.fpext if wanted == types.float64 else builder.fptrunc
    return change(value, ir.VectorType(_ELEMENTS[wanted], width))


@intrinsic
def as_numbers_of(typing_context, row, like):
    """A row of float32 or float64 as the other row is."""

    def generate(context, builder, signature, arguments):
        return _converted(builder, arguments[0], row.dtype, like.dtype, row.width)

    return like(row, like), generate


@intrinsic
def where_number(typing_context, test, a, b):
    """Numbers of a where test is a number, of b where it is NaN."""

    def generate(context, builder, signature, arguments):
        tested, first, second = arguments
        return builder.select(builder.fcmp_ordered("ord", tested, tested), first, second)

    return a(test, a, b), generate


@intrinsic
def exp_row(typing_context, row):
    """The exponentials of a row of numbers from -80 to 80; NaN stays NaN.

    exp(x) = 2^n exp(r) with n the whole number nearest to x / log(2), and r = x - n log(2) at most
    log(2) / 2, for which some terms of the Taylor series are as good as rounding. log(2) is split,
    so that n times its first part is exact.
    """

    def generate(context, builder, signature, arguments):
        bits, number = row.dtype.bitwidth, arguments[0]
        mantissa, bias, terms = (23, 127, 7) if bits == 32 else (52, 1023, 13)
        vector = number.type

        def constant(figure: float) -> Any:
            return ir.Constant(vector, [figure] * row.width)

        kind = ir.FunctionType(vector, [vector])
        name = f"llvm.rint.v{row.width}f{bits}"
        rint = builder.module.declare_intrinsic(name, fnty=kind)
        whole = builder.call(rint, [builder.fmul(number, constant(1.0 / math.log(2.0)))])
        rest = builder.fsub(number, builder.fmul(whole, constant(_LOG_2)))
        rest = builder.fsub(rest, builder.fmul(whole, constant(_REST_OF_LOG_2)))
        series = constant(1.0 / math.factorial(terms))
        for power in range(terms - 1, -1, -1):
            series = builder.fmul(series, rest)
            series = builder.fadd(series, constant(1.0 / math.factorial(power)))
        exponents = builder.fptosi(whole, ir.VectorType(_INT, row.width))
        integers = ir.VectorType(ir.IntType(bits), row.width)
        if bits == 64:
            exponents = builder.sext(exponents, integers)
        exponents = builder.add(exponents, ir.Constant(integers, [bias] * row.width))
        exponents = builder.shl(exponents, ir.Constant(integers, [mantissa] * row.width))
        scaled = builder.fmul(series, builder.bitcast(exponents, vector))
        return builder.select(builder.fcmp_ordered("ord", number, number), scaled, number)

    return row(row), generate


class _Rows:
    """Sixteen rows of an array, `stride` apart from `place` on."""

    def __init__(self, context: Any, array_type: Any, array: Any, place: Any, stride: Any) -> None:
        self.context, self.array_type, self.array = context, array_type, array
        self.place, self.stride = place, stride

    def start(self, builder: Any, number: Any) -> Any:
        """The start of a row."""
        return builder.add(self.place, builder.mul(self.stride, number))

    def address(self, builder: Any, number: Any, column: Any = None, width: int = TILE) -> Any:
        """The address of a row, or of a part of it from a column on."""
        start = self.start(builder, number)
        if column is not None:
            start = builder.add(start, column)
        return _address(self.context, builder, self.array_type, self.array, start, width)


class _RankedRows(_Rows):
    """Rows of ENDS numbers from `lane` on, selected by ranks[first:]."""

    def __init__(
        self, context: Any, array_type: Any, array: Any, lane: Any, ranks_type: Any, ranks: Any,
        first: Any,
    ) -> None:  # fmt: skip
        super().__init__(context, array_type, array, lane, ir.Constant(lane.type, ENDS))
        self.ranks_type, self.ranks, self.first = ranks_type, ranks, first

    def start(self, builder: Any, number: Any) -> Any:
        """The start of the row of a hand."""
        view = self.context.make_array(self.ranks_type)(self.context, builder, self.ranks)
        rank = builder.load(builder.gep(view.data, [builder.add(self.first, number)]))
        return super().start(builder, builder.zext(rank, self.place.type))


class _PickedRows(_Rows):
    """Rows that begin `column` after picks[first:]."""

    def __init__(
        self, context: Any, array_type: Any, array: Any, picks_type: Any, picks: Any, first: Any,
        column: Any,
    ) -> None:  # fmt: skip
        super().__init__(context, array_type, array, column, None)
        self.picks_type, self.picks, self.first = picks_type, picks, first

    def start(self, builder: Any, number: Any) -> Any:
        """The start of a row."""
        view = self.context.make_array(self.picks_type)(self.context, builder, self.picks)
        pick = builder.load(builder.gep(view.data, [builder.add(self.first, number)]))
        return builder.add(pick, self.place)


def _transpose(builder, source, target, *, add=False):
    """target[j][i] = source[i][j] for 16 x 16 numbers, or += where `add`.

    Rows are added one after the other, so that a row may be a target twice.

    Four rounds exchange blocks of 1, 2, 4 and 8 between rows at that distance; where one side is
    float64, as float32. From float64 to float64, which is not time-critical, numbers are moved one
    by one, which compiles faster.
    """
    kinds = [rows.array_type.dtype for rows in (source, target)]
    sizes = [kind.bitwidth // 8 for kind in kinds]
    index = source.place.type
    if types.float32 not in kinds:
        end = ir.Constant(index, TILE)
        with cgutils.for_range(builder, end) as i, cgutils.for_range(builder, end) as j:
            number = builder.load(source.address(builder, i.index, j.index, 1), align=sizes[0])
            number = _converted(builder, number, *kinds, 1)
            goal = target.address(builder, j.index, i.index, 1)
            if add:
                number = builder.fadd(builder.load(goal, align=sizes[1]), number)
            builder.store(number, goal, align=sizes[1])
        return
    numbers = [ir.Constant(index, i) for i in range(TILE)]
    rows = [
        _converted(
            builder, builder.load(source.address(builder, i), align=sizes[0]), kinds[0],
            types.float32, TILE,
        )
        for i in numbers
    ]  # fmt: skip
    distance = 1
    while distance < TILE:
        for i in range(TILE):
            if not i & distance:
                j = i + distance
                low = [k if not k & distance else TILE + k - distance for k in range(TILE)]
                high = [k + distance if not k & distance else TILE + k for k in range(TILE)]
                rows[i], rows[j] = (
                    builder.shuffle_vector(
                        rows[i], rows[j], ir.Constant(ir.VectorType(_INT, TILE), mask)
                    )
                    for mask in (low, high)
                )
        distance *= 2
    for row, i in zip(rows, numbers, strict=True):
        goal = target.address(builder, i)
        wide = _converted(builder, row, types.float32, kinds[1], TILE)
        total = builder.fadd(builder.load(goal, align=sizes[1]), wide) if add else wide
        builder.store(total, goal, align=sizes[1])


@intrinsic
def transpose_by_rank(typing_context, source, place, stride, target, lane, ranks, first):
    """target[ranks[first + j], lane + i] = source[i, j] for 16 x 16 numbers.

    `place` and `stride` locate the rows of the source; those of the target have ENDS numbers.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        rows = _Rows(context, kinds[0], *arguments[:3])
        goals = _RankedRows(context, kinds[3], arguments[3], arguments[4], kinds[5], *arguments[5:])
        _transpose(builder, rows, goals)
        return context.get_dummy_value()

    return types.void(source, place, stride, target, lane, ranks, first), generate


@intrinsic
def transpose_back(typing_context, source, lane, ranks, first, target, place, stride):
    """target[i, j] = source[ranks[first + j], lane + i] for 16 x 16 numbers."""

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        rows = _RankedRows(context, kinds[0], arguments[0], arguments[1], kinds[2], *arguments[2:4])
        goals = _Rows(context, kinds[4], *arguments[4:])
        _transpose(builder, rows, goals)
        return context.get_dummy_value()

    return types.void(source, lane, ranks, first, target, place, stride), generate


@intrinsic
def transpose_picked(typing_context, source, picks, place, column, target, lane, ranks, first):
    """target[ranks[first + j], lane + i] = source[picks[place + i] + column + j], 16 x 16 numbers.

    Rows of the target have ENDS numbers.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        rows = _PickedRows(context, kinds[0], arguments[0], kinds[1], *arguments[1:4])
        goals = _RankedRows(context, kinds[4], *arguments[4:6], kinds[6], *arguments[6:])
        _transpose(builder, rows, goals)
        return context.get_dummy_value()

    return types.void(source, picks, place, column, target, lane, ranks, first), generate


@intrinsic
def add_picked(typing_context, source, lane, ranks, first, target, picks, place, column):
    """target[picks[place + i] + column + j] += source[ranks[first + j], lane + i], 16 x 16 numbers.

    Picks may be equal.
    """

    def generate(context, builder, signature, arguments):
        kinds = signature.args
        rows = _RankedRows(context, kinds[0], arguments[0], arguments[1], kinds[2], *arguments[2:4])
        goals = _PickedRows(context, kinds[4], arguments[4], kinds[5], *arguments[5:])
        _transpose(builder, rows, goals, add=True)
        return context.get_dummy_value()

    return types.void(source, lane, ranks, first, target, picks, place, column), generate


@intrinsic
def put_between(typing_context, row, other, begin, end):
    """Numbers of `other` from `begin` up to `end`, of `row` elsewhere.

    Both may be outside the row; `end` is not before `begin`.
    """

    def generate(context, builder, signature, arguments):
        numbers, others, first, last = arguments
        whole = ir.VectorType(_INT, row.width)
        start, stop = (builder.trunc(bound, _INT) for bound in (first, last))
        # One unsigned comparison: positions before `begin` wrap to large numbers.
        places = builder.sub(
            ir.Constant(whole, list(range(row.width))), _spread(builder, start, row.width)
        )
        length = _spread(builder, builder.sub(stop, start), row.width)
        inside = builder.icmp_unsigned("<", places, length)
        return builder.select(inside, others, numbers)

    return row(row, row, types.int64, types.int64), generate
