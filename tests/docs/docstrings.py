"""Google-style docstrings: which arguments and attributes they describe."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
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
    """Parameters of a function or a class that its docstring leaves out.

    The fields of a class may stand under `Attributes` in place of `Args`, or have docstrings of
    their own, inherited ones where the class is that has them.
    """
    written = inspect.getdoc(function) or ""
    if inspect.isclass(function):
        own = function.__init__.__doc__ if "__init__" in vars(function) else ""
        known = described(own or "", "Args") | fields_with_docstrings(function)
        for base in inspect.getmro(function)[:-1]:
            known |= described(base.__doc__ or "", "Args", "Attributes")
    else:
        known = described(written, "Args")
    return [name for name in parameters(function) if name not in known]


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
