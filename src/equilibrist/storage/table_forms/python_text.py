"""Tables that a text in Python writes down, read without running it.

Lists, tuples, dicts and arrays are values, also behind names, with signs, sums, products and
transposes of them. A game of Nashpy, QuantEcon, pygambit or OpenSpiel that is made of such arrays
is an object with the keys `payoffs` and, if it names actions, `labels`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

_ARRAYS: Final = frozenset(
    ("array", "asarray", "matrix", "Matrix", "mat", "list", "tuple", "tensor")
)
"""What makes an array or the like of a list."""
_SAME: Final = frozenset(("tolist", "copy", "astype", "toarray", "to_numpy"))
"""Methods that give an array with the same numbers."""
_GAMES: Final = frozenset(("Game", "NormalFormGame", "from_arrays", "create_matrix_game"))
"""What makes a game of arrays."""
_NUMBERS: Final = frozenset(
    ("float", "float16", "float32", "float64", "int", "int32", "int64", "round")
)
"""What makes a number of another."""
_DICTS: Final = frozenset(("OrderedDict", "Counter", "dict", "defaultdict"))
_DEFAULT: Final = re.compile(r"(?<=defaultdict\()\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")
"""What a defaultdict prints of how it makes values."""
_FRACTIONS: Final = frozenset(("Fraction", "Rational"))
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MOST_DIGITS: Final = 300
"""Products of longer numbers are not calculated."""


class ObjectPairs(dict[str, Any]):
    """A JSON object that remembers a key it was given twice, of which a dict keeps the last."""

    twice: str | None = None

    @classmethod
    def of(cls, pairs: list[tuple[str, Any]]) -> ObjectPairs:
        """The object with these keys and values; `twice` is the first key that comes twice."""
        pairs_by_key = cls(pairs)
        if len(pairs_by_key) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            pairs_by_key.twice = next(key for key, count in counts.items() if count > 1)
        return pairs_by_key


class WrittenTuple(list[Any]):
    """A tuple of Python, which is a cell where lists are rows."""


class PythonTextError(ValueError):
    """What is no table, and its offset in the text."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.offset = offset


class _PlayerTable(list[Any]):
    """A player's payoffs by own action first, as QuantEcon has them."""


def python_value(text: str) -> Any:
    """The table in a text, or all of several in one: dicts joined, two tables of payoffs listed.

    Raises:
        PythonTextError: It is more than tables, or none.
        SyntaxError: It is not Python.
    """
    text = _DEFAULT.sub(lambda match: "0".ljust(len(match[0])), text)
    lead = len(text) - len(text.lstrip())
    module = ast.parse(text[lead:])
    reader = _Reader()
    for statement in module.body:
        try:
            reader.read(statement)
        except PythonTextError as error:
            error.offset += lead
            raise
        except _UnknownError as error:
            line, column = error.node.lineno, error.node.col_offset
            lines = text[lead:].splitlines(keepends=True)
            offset = lead + sum(map(len, lines[: line - 1])) + column
            raise PythonTextError(error.problem, offset) from None
    return reader.result()


class _UnknownError(Exception):
    """A part of a text that is no table."""

    def __init__(self, problem: str, node: ast.stmt | ast.expr) -> None:
        super().__init__(problem)
        self.problem = problem
        self.node = node


class _Reader:
    """What the statements up to here have written down."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.tables: list[Any] = []
        self.texts: list[list[str]] = []
        self.game: ObjectPairs | None = None

    def read(self, statement: ast.stmt) -> None:
        """Take a statement over; raises _UnknownError for what may change a table."""
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                module = getattr(statement, "module", None) or names[0].name
                if module.partition(".")[0] == "equilibrist":
                    raise _UnknownError("it makes a game of its own", statement)
            case ast.Pass() | ast.Assert():
                pass
            case ast.For(body=body) if all(isinstance(line, ast.Expr) for line in body):
                pass
            case ast.Expr(value=value):
                self.read_expression(value)
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value)
            case _:
                raise _UnknownError("it is more than a table", statement)

    def read_expression(self, node: ast.expr) -> None:
        """A table that has no name; prints and texts are passed over."""
        is_call = isinstance(node, ast.Call)
        if is_call and _called(node) not in _GAMES | _ARRAYS | _DICTS:
            return
        if isinstance(node, ast.Constant | ast.Name | ast.Attribute):
            return
        self.keep(self.value(node))

    def assign(self, target: ast.expr, node: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(node, ast.Tuple):
            for name, part in zip(target.elts, node.elts, strict=False):
                self.assign(name, part)
            return
        try:
            value = self.value(node)
        except _UnknownError:
            if self.game is not None:  # such as its equilibria
                return
            raise
        if not isinstance(target, ast.Name):
            raise _UnknownError("it is more than a table", target)
        self.names[target.id] = value
        self.keep(value)

    def keep(self, value: Any) -> None:
        """Count a value among the tables, if it is one."""
        if isinstance(value, _Game):
            self.game = value.document
        elif isinstance(value, _PlayerTable):
            return
        elif isinstance(value, list) and value and all(isinstance(text, str) for text in value):
            self.texts.append(value)
        elif isinstance(value, list | ObjectPairs):
            self.tables.append(value)

    def result(self) -> Any:
        """What all statements together write down."""
        if self.game is not None:
            return self.game
        tables = self.tables
        value: Any = None
        if len(tables) == 1:
            value = tables[0]
        elif tables and all(isinstance(table, ObjectPairs) for table in tables):
            joined = ObjectPairs.of([pair for table in tables for pair in table.items()])
            joined.twice = next((table.twice for table in tables if table.twice), joined.twice)
            return joined
        elif len(tables) == 2 and all(isinstance(table, list) for table in tables):
            value = tables
        else:
            raise PythonTextError("it has no table, or several of several kinds", 0)
        table = value[0] if len(tables) == 2 else value
        if isinstance(table, list) and [len(names) for names in self.texts] == _size(table):
            return ObjectPairs.of([("payoffs", value), ("labels", self.texts)])
        return value

    def value(self, node: ast.expr) -> Any:
        """The value of an expression; raises _UnknownError for what is not written down."""
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as constant):
                return constant
            case ast.List(elts=elements):
                return [self.value(element) for element in elements]
            case ast.Tuple(elts=elements):
                return WrittenTuple(self.value(element) for element in elements)
            case ast.Dict(keys=keys, values=values):
                texts = [self.key(key, node) for key in keys]
                return ObjectPairs.of(list(zip(texts, map(self.value, values), strict=True)))
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.calculated(operator.mul, -1, self.value(operand), node)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                calculate = _OPERATORS[type(op)]
                return self.calculated(calculate, self.value(left), self.value(right), node)
            case ast.Attribute(value=array, attr="T"):
                return _transposed(self.value(array), node)
            case ast.Call():
                return self.call(node)
        raise _UnknownError(f"{ast.unparse(node):.40} is no number, list or table", node)

    def key(self, node: ast.expr | None, owner: ast.expr) -> str:
        """A key as text; names that stand for nothing known are texts themselves."""
        if node is None:
            raise _UnknownError("a dict with ** is no table", owner)
        if isinstance(node, ast.Tuple):
            return str(tuple(self.part(element) for element in node.elts))
        part = self.part(node)
        return part if isinstance(part, str) else str(part)

    def part(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            value = self.names.get(node.id, node.id)
            return value if isinstance(value, str | int) else node.id
        if isinstance(node, ast.Attribute):
            return node.attr
        try:
            return ast.literal_eval(node)
        except ValueError:
            raise _UnknownError(f"{ast.unparse(node):.40} is no key", node) from None

    def call(self, node: ast.Call) -> Any:
        name = _called(node)
        if isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if name in _SAME:
                return self.value(owner)
            if name == "transpose" and not node.args:
                return _transposed(self.value(owner), node)
        arguments = [*node.args]
        if name in _GAMES:
            return _Game(self.game_of(name, [self.value(a) for a in arguments], node))
        if len(arguments) == 1 and name == "Player":
            return _PlayerTable(self.value(arguments[0]))
        if arguments and name in _NUMBERS:
            return self.value(arguments[0])
        if arguments and name in _DICTS:
            return self.dict_of(arguments[-1])
        if arguments and name in _ARRAYS:
            return self.value(arguments[0])
        if len(arguments) == 1 and name == "transpose":
            return _transposed(self.value(arguments[0]), node)
        if len(arguments) == 2 and name in _FRACTIONS:
            above, below = map(self.value, arguments)
            return self.calculated(operator.truediv, above, below, node)
        raise _UnknownError(f"{ast.unparse(node.func):.40}(...) is not run", node)

    def dict_of(self, node: ast.expr) -> Any:
        """What a dict is made of: another one, or pairs."""
        if not isinstance(node, ast.List):
            return self.value(node)
        pairs = [pair.elts for pair in node.elts if isinstance(pair, ast.Tuple | ast.List)]
        if len(pairs) < len(node.elts) or any(len(pair) != 2 for pair in pairs):
            raise _UnknownError("a dict is made of pairs", node)
        return ObjectPairs.of([(self.key(k, node), self.value(v)) for k, v in pairs])

    def game_of(self, name: str, arguments: list[Any], node: ast.Call) -> ObjectPairs:
        """The document of a game that is made of arrays."""
        if len(arguments) == 1 and isinstance(arguments[0], list):
            players = arguments[0]
            if players and all(isinstance(table, _PlayerTable) for table in players):
                arguments = players
        if arguments and all(isinstance(table, _PlayerTable) for table in arguments):
            if len(arguments) != 2:
                raise _UnknownError("players' arrays of more than two players are not read", node)
            return ObjectPairs(payoffs=[[*arguments[0]], _transposed([*arguments[1]], node)])
        tables = [table for table in arguments if isinstance(table, list)]
        labels = []
        if len(tables) == 4 and all(isinstance(text, str) for text in (*tables[0], *tables[1])):
            labels, tables = tables[:2], tables[2:]
        if len(tables) == 1 and name == "NormalFormGame" and _depth(tables[0]) == 2:
            tables.append(_transposed(tables[0], node))  # of a symmetric game
        if not tables or any(not isinstance(row, list) for table in tables for row in table):
            raise _UnknownError("a game of something else than arrays is not read", node)
        document = ObjectPairs(payoffs=tables if len(tables) > 1 else tables[0])
        if labels:
            document["labels"] = labels
        return document

    def calculated(
        self, calculate: Callable[[Any, Any], Any], left: Any, right: Any, node: ast.expr
    ) -> Any:
        """The result for numbers, and for arrays number by number."""
        if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            pairs = zip(left, right, strict=True)
            return [self.calculated(calculate, *pair, node) for pair in pairs]
        if isinstance(left, list) and not isinstance(right, list):
            return [self.calculated(calculate, part, right, node) for part in left]
        if isinstance(right, list) and not isinstance(left, list):
            return [self.calculated(calculate, left, part, node) for part in right]
        if all(isinstance(x, int | float) and abs(x) < 10.0**_MOST_DIGITS for x in (left, right)):
            try:
                return calculate(left, right)
            except ArithmeticError:
                pass
        raise _UnknownError(f"{ast.unparse(node):.40} is not calculated", node)


class _Game:
    """A game that a text makes of arrays."""

    def __init__(self, document: ObjectPairs) -> None:
        self.document = document


def _called(node: ast.expr) -> str:
    """The last part of the name of what a call calls."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _transposed(table: Any, node: ast.expr) -> list[list[Any]]:
    size = _size(table)
    if len(size) < 2 or any(not isinstance(row, list) or len(row) != size[1] for row in table):
        raise _UnknownError("only an array of rows and columns is transposed", node)
    return [list(column) for column in zip(*table, strict=True)]


def _size(table: Any) -> list[int]:
    """How many rows and columns a table has."""
    if not isinstance(table, list) or not table or not isinstance(table[0], list):
        return []
    return [len(table), len(table[0])]


def _depth(value: Any) -> int:
    """How deep lists are nested, by the first of each."""
    return 1 + _depth(value[0]) if isinstance(value, list) and value else 0
