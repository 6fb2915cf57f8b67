"""Google-style docstrings: the arguments, results and exceptions that they describe."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from textwrap import dedent
from typing import Any

SECTION = re.compile(
    r"^(Args|Attributes|Returns|Raises|Yields|Example|Examples|Note|Source):$", re.MULTILINE
)
ENTRY = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \(.*?\))?: ", re.MULTILINE)


def sections(docstring: str) -> dict[str, str]:
    """The text of each section of a docstring."""
    parts = SECTION.split(inspect.cleandoc(docstring))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(docstring: str, *titles: str) -> set[str]:
    """The names that sections of a docstring describe, in lines such as `seed: A number`."""
    found = sections(docstring)
    entries = [name for title in titles for name in ENTRY.findall(found.get(title, ""))]
    return {name.lstrip("*") for names in entries for name in names.split(", ")}


def parameters(function: Any) -> list[str]:
    """The parameters that a caller gives."""
    names = list(inspect.signature(function).parameters)
    return [name for name in names if name not in {"self", "cls"} and not name.startswith("_")]


def undescribed(function: Any) -> list[str]:
    """What the docstring of a function or a class leaves out.

    That is parameters, the section `Returns` (or `Yields`) of a function that returns something,
    and exceptions that its own body raises. The fields of a class may stand under `Attributes` in
    place of `Args`, or have docstrings of their own, inherited ones where the class is that has
    them.
    """
    written = inspect.getdoc(function) or ""
    if inspect.isclass(function):
        own = function.__init__.__doc__ if "__init__" in vars(function) else ""
        known = described(own or "", "Args") | fields_with_docstrings(function)
        for base in inspect.getmro(function)[:-1]:
            known |= described(base.__doc__ or "", "Args", "Attributes")
        made = vars(function).get("__post_init__" if is_dataclass(function) else "__init__")
        named = sections(written).get("Raises", "") + sections(own or "").get("Raises", "")
        lacking = _unnamed(made, named) if inspect.isfunction(made) else []
    else:
        known = described(written, "Args")
        lacking = _undescribed_outcomes(function, sections(written))
    return [name for name in parameters(function) if name not in known] + lacking


def _undescribed_outcomes(function: Any, written: dict[str, str]) -> list[str]:
    returned = inspect.get_annotations(function).get("return")
    lacking = (
        []
        if returned in (None, "None", "NoReturn") or {"Returns", "Yields"} & set(written)
        else ["Returns"]
    )
    return lacking + _unnamed(function, written.get("Raises", ""))


def _unnamed(function: Any, written: str) -> list[str]:
    named = re.findall(r"\w+", written)
    return sorted({f"Raises {name}" for name in raised(function) if name not in named})


def raised(function: Any) -> Iterator[str]:
    """The exceptions in `raise` statements of a function's own body.

    A helper that makes the exception counts by the class that it is annotated to return.
    Exceptions that the same function catches do not count, nor do those that it passes on.
    """
    module = sys.modules[function.__module__]
    owner = getattr(module, function.__qualname__.split(".")[0], None)
    (body,) = ast.parse(dedent(inspect.getsource(function))).body
    for statement in _raises(body):
        made = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        if isinstance(made, ast.Attribute):
            maker = getattr(owner, made.attr, None)
        else:
            maker = getattr(module, ast.unparse(made), None) if made else None
        if inspect.isfunction(maker):
            yield str(inspect.get_annotations(maker)["return"])
        elif made is not None and ast.unparse(made)[0].isupper():
            yield ast.unparse(made)


def _raises(node: ast.AST) -> Iterator[ast.Raise]:
    if isinstance(node, ast.Raise):
        yield node
    if isinstance(node, ast.Try):
        caught = " ".join(ast.unparse(h.type) for h in node.handlers if h.type)
        inside = [each for part in node.body for each in _raises(part)]
        yield from (r for r in inside if r.exc and ast.unparse(r.exc).split("(")[0] not in caught)
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Try) and child in node.body:
            continue
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _raises(child)


def fields_with_docstrings(kind: type) -> set[str]:
    """The fields that a text follows in the source of a class."""
    (body,) = (node.body for node in ast.parse(dedent(inspect.getsource(kind))).body)  # type: ignore[attr-defined]
    return {
        field.target.id
        for field, text in zip(body, body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }


def methods(kind: type) -> Iterator[tuple[str, Any]]:
    """The public methods that a class of ours defines or inherits from one of ours."""
    for name, value in inspect.getmembers_static(kind):
        function = getattr(value, "__func__", value)
        ours = str(getattr(function, "__module__", "")).startswith("equilibrist")
        if ours and inspect.isfunction(function) and not name.startswith("_"):
            yield name, function
