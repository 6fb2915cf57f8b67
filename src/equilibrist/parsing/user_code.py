"""Loads and runs Python files of users, and reports their failures as such.

When a user's rules raise, what helps is the user's own line. `failure_text` keeps the frames of
the user's files and leaves ours (and the standard library's) out.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple, TypeVar, Unpack

from equilibrist.errors import ConfigError, EquilibristError, Fields
from equilibrist.parsing.call_text import check_names

Made = TypeVar("Made")
_BARE: Final = re.compile(r"(?P<path>[^()]*\.py)\s*:?\s*(\(.*\))?", re.DOTALL)
"""A file without the name of what is meant in it."""
_MAX_FRAMES = 3
"""The innermost frames shown of a failure; deeper recursions are cut there."""

_EMPTY = inspect.Parameter.empty
_PACKAGE = Path(__file__).parents[1]
_OURS = tuple({str(p) + os.sep for p in (_PACKAGE, _PACKAGE.resolve())})
_LIBRARY_FOLDERS = [Path(sysconfig.get_path(key)) for key in ("stdlib", "purelib", "platlib")]
_LIBRARIES = tuple({str(p) + os.sep for f in _LIBRARY_FOLDERS for p in (f, f.resolve())})


def failure_text(error: BaseException) -> str:
    """The exception's type and text, then the user's own frames, innermost last.

    Frames of Equilibrist are never shown; frames of libraries only if no other is left.
    """
    return "\n".join([_one_line(error), *user_lines(error)])


def user_lines(error: BaseException) -> list[str]:
    """The user's own frames in an exception's traceback, a line each, innermost last.

    Args:
        error: The exception.

    Returns:
        The lines, indented; of libraries only if there are no others, of Equilibrist never.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        source = (error.text or linecache.getline(error.filename, error.lineno)).strip()
        return [_frame_line(error.filename, error.lineno, "", source)]
    lines = []
    linecache.checkcache()
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_ours(f.filename)]
    own = [f for f in frames if not _is_library(f.filename)] or frames[-1:]
    if len(own) > _MAX_FRAMES:
        lines.append(f"  ... {len(own) - _MAX_FRAMES} outer frames of yours left out")
    lines += [
        _frame_line(f.filename, f.lineno or 0, f.name, f.line or "") for f in own[-_MAX_FRAMES:]
    ]
    return lines


def line_of(function: object) -> str | None:
    """Where a function of the user's begins.

    Args:
        function: The function or method.

    Returns:
        `path:line`; None if it is no function of Python's.
    """
    plain: Any = getattr(function, "__func__", function)
    code = getattr(inspect.unwrap(plain), "__code__", None)
    return None if code is None else f"{_shown_path(code.co_filename)}:{code.co_firstlineno}"


def pass_interrupts(error: BaseException) -> None:
    """Raise an interrupt again; whatever else a user's code raises is an error of that code.

    asyncio.CancelledError and GeneratorExit are no subclasses of Exception either.
    """
    if isinstance(error, KeyboardInterrupt):
        raise error


def load_object(path: str, name: str, fail: Callable[..., EquilibristError]) -> object:
    """Run the Python file at `path` and return its attribute `name`.

    The file runs afresh at every call, and its folder is importable while it runs.
    Raises what `fail(message, **fields)` builds if the file is missing, raises, or lacks the
    attribute.
    """
    module = _run_file(path, fail)
    try:
        return getattr(module, name)
    except AttributeError:
        raise fail(
            f"{path} has no attribute {name!r}",
            option=name,
            place=path,
            remedy=_what_it_has(path, name, module),
        ) from None


def load_function(path: str, name: str, option: str, expected: str) -> Callable[..., Any]:
    """A user's function, for an option that names a function in a file; the file is run.

    Args:
        path: The file.
        name: The function's name.
        option: The option, which errors name.
        expected: What is expected, such as `a function keep(key, player, facts)`.

    Raises:
        ConfigError: If the file is missing or raises, lacks the name, or if that is no function.
    """

    def fail(message: str, **fields: Unpack[Fields]) -> ConfigError:
        return ConfigError(message, **(fields | {"option": option}))

    loaded = load_object(path, name, fail)
    if not callable(loaded):
        label = f"{path}:{name}"
        raise ConfigError(
            f"{label} is an object of type {type(loaded).__name__}",
            option=option,
            given=loaded,
            expected=expected,
            place=label,
        )
    return loaded


def call_user(
    make: Callable[..., Any],
    label: str,
    parameters: Mapping[str, object],
    fail: Callable[..., EquilibristError],
) -> Any:
    """Call a user's class or function with these parameters.

    `label` is `file.py:Name`. Raises UnknownNameError for a parameter it does not have, and what
    `fail(message, **fields)` builds if it lacks one or raises.
    """
    declared = named_parameters(make)
    if declared is not None:
        anything = any(p.kind is p.VAR_KEYWORD for p in declared.values())
        known = [name for name, p in declared.items() if p.kind is not p.VAR_KEYWORD]
        if not anything:
            check_names(label, parameters, known)
        missing = [n for n in known if declared[n].default is _EMPTY and n not in parameters]
        if missing:
            written = ",".join(f"{name}=..." for name in missing)
            raise fail(
                f"{label} needs parameters",
                option=missing[0],
                remedy=f"write {label}({written})",
            )
    try:
        return make(**parameters)
    except BaseException as error:
        pass_interrupts(error)
        values = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        call = f"{label.rpartition(':')[2]}({values})"
        raise fail(
            f"{label} raised when called as {call}: {failure_text(error)}",
            option=label.rpartition(":")[2],
            given=type(error).__name__,
            expected="a call that returns",
        ) from None


class Meant(NamedTuple):
    """What the name in a user's file should be: for errors.

    Attributes:
        noun: What it is called.
        expected: What the name may be, with its article.
        result: What a class or a function must return.
    """

    noun: str
    expected: str
    result: str


def refuse_bare_file(spec: str, option: str, noun: str, example: str) -> None:
    """ConfigError for a text that names a Python file and nothing in it."""
    bare = _BARE.fullmatch(spec)
    if bare is not None:
        path = bare["path"]
        refuse_unreadable(path, ConfigError)
        names = public_names(path)
        name = names[0] if len(names) == 1 else "Name" if names else example
        raise ConfigError(
            f"{path} defines {', '.join(names) or 'nothing'}",
            option=option,
            given=spec,
            remedy=f"name the {noun} that is meant, as {path}:{name}",
        )


def build_object(
    loaded: object,
    path: str,
    name: str,
    parameters: Mapping[str, object],
    kinds: tuple[type[Made], ...],
    meant: Meant,
) -> tuple[Made, dict[str, object]]:
    """Take an object of a user's file, or make it: call its class, or a function that returns it.

    Args:
        loaded: What the file has under that name.
        path: The file.
        name: The name.
        parameters: Those of the call, as given.
        kinds: The classes of which the object must be one.
        meant: What is expected, for errors.

    Returns:
        The object, and the parameters of the call that differ from their defaults, in the order in
        which they are declared.

    Raises:
        ConfigError: The object is another one, or the call raises; and what `call_user` raises.
    """
    label = f"{path}:{name}"
    if isinstance(loaded, kinds):
        refuse_parameters(label, meant.noun, parameters, ConfigError)
        return loaded, {}
    if not callable(loaded):
        raise ConfigError(
            f"{label} is an object of type {type(loaded).__name__}; expected {meant.expected}",
            option=name,
            given=loaded,
            expected=meant.expected,
        )
    declared = named_parameters(loaded) or {}
    ordered = {key: parameters[key] for key in (*declared, *parameters) if key in parameters}
    made = call_user(loaded, label, ordered, ConfigError)
    if not isinstance(made, kinds):
        raise ConfigError(
            f"{label}({', '.join(ordered)}) gave an object of type {type(made).__name__}; "
            f"expected {meant.result}",
            option=name,
            expected=meant.result,
            given=made,
        )
    changed = {
        key: plain_number(value)
        for key, value in ordered.items()
        if not _is_default(value, declared.get(key))
    }
    return made, changed


def _is_default(value: object, parameter: inspect.Parameter | None) -> bool:
    default = None if parameter is None else parameter.default
    return isinstance(default, bool | int | float | str | list) and value == default


def plain_number(value: object) -> object:
    """2.0 as 2, so that both give what is called with it one name."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if isinstance(value, float) and whole else value


def named_parameters(make: Callable[..., Any]) -> dict[str, inspect.Parameter] | None:
    """The parameters that can be given by name, in order; None if Python does not report them."""
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):
        return None
    unnamed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
    return {name: p for name, p in parameters.items() if p.kind not in unnamed}


def refuse_parameters(
    label: str,
    what: str,
    parameters: Collection[str],
    fail: Callable[..., EquilibristError],
) -> None:
    """Raise what `fail(message, **fields)` builds if an object without parameters is given some."""
    if parameters:
        raise fail(
            f"{label} is a finished {what} and takes no parameters",
            option=next(iter(parameters)),
            remedy=f"leave out {', '.join(parameters)}",
        )


def public_names(path: str) -> tuple[str, ...]:
    """Classes, functions and variables defined at the top of a Python file, without running it."""
    names: list[str] = []
    for node in _top_level(path):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return tuple(name for name in names if not name.startswith("_"))


def names_with_methods(path: str, methods: Collection[str], library: str) -> tuple[str, ...]:
    """Classes at the top of a Python file that look like what is meant, and their instances.

    That is: classes that define one of `methods`, or inherit from such a class or from one that
    was imported from the package `library` or below it. The file is not run.
    """
    names: dict[str, None] = {}
    meant: set[str] = set()
    for node in _top_level(path):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{library}."):
            meant.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef):
            defined = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if defined & set(methods) or meant & {_last_name(base) for base in node.bases}:
                names[node.name] = None
                meant.add(node.name)
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and _last_name(node.value.func) in meant
        ):
            names |= {t.id: None for t in node.targets if isinstance(t, ast.Name)}
    return tuple(name for name in names if not name.startswith("_"))


def _top_level(path: str) -> list[ast.stmt]:
    """The statements of a Python file; none if it cannot be read."""
    try:
        return ast.parse(Path(path).expanduser().read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []


def _last_name(node: ast.expr) -> str:
    """`Name` of `Name` and of `module.Name`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _compiled(source: bytes, path: str) -> CodeType:
    """The code of a file; SyntaxError, also where older Pythons raise ValueError for null bytes."""
    try:
        return compile(source, path, "exec")
    except ValueError as error:
        raise SyntaxError(str(error)) from None


def _run_file(path: str, fail: Callable[..., EquilibristError]) -> ModuleType:
    file = _existing(path, fail)
    resolved = str(file.resolve())
    digest = hashlib.sha256(resolved.encode()).hexdigest()[:12]
    module = ModuleType(f"_equilibrist_user_{digest}_{file.stem}")
    module.__file__ = resolved
    # dataclasses and pickle look a class's module up in sys.modules.
    sys.modules[module.__name__] = module
    folder = str(file.resolve().parent)
    sys.path.insert(0, folder)
    try:
        exec(_compiled(file.read_bytes(), resolved), module.__dict__)  # noqa: S102
    except BaseException as error:
        pass_interrupts(error)
        del sys.modules[module.__name__]
        raise _not_loaded(path, error, fail) from None
    finally:
        if folder in sys.path:
            sys.path.remove(folder)
    return module


def refuse_unreadable(path: str, fail: Callable[..., EquilibristError]) -> None:
    """Refuse a file that is missing, or that Python cannot read; it is not run.

    Args:
        path: The file.
        fail: Makes the error, from a message and fields.

    Raises:
        EquilibristError: What `fail` makes.
    """
    file = _existing(path, fail)
    try:
        _compiled(file.read_bytes(), str(file.resolve()))
    except BaseException as error:
        pass_interrupts(error)
        raise _not_loaded(path, error, fail) from None


def _existing(path: str, fail: Callable[..., EquilibristError]) -> Path:
    """The file of that path, if it is one."""
    file = Path(path).expanduser()
    if not os.path.isfile(file):  # noqa: PTH113 - no error
        what = "is not a file" if os.path.exists(file) else "does not exist"  # noqa: PTH110
        raise fail(
            f"the file {path!r} {what}",
            option="file",
            given=path,
            remedy=f"give the path from the current folder, {Path.cwd()}",
        )
    return file


def _not_loaded(
    path: str, error: BaseException, fail: Callable[..., EquilibristError]
) -> EquilibristError:
    return fail(
        f"{path} raised while it was loaded: {failure_text(error)}",
        option="file",
        given=type(error).__name__,
        place=path,
        expected="a file that Python runs",
    )


def _what_it_has(path: str, name: str, module: ModuleType) -> str:
    known = public_names(path) or tuple(n for n in vars(module) if not n.startswith("_"))
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(repr(c) for c in close) + "?"
    if known:
        return "it defines " + ", ".join(known[:20])
    return "it defines nothing at all"


def _one_line(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:  # a user's exception may fail to print itself
        text = "(its text cannot be shown)"
    kind = type(error).__name__
    return f"{kind}: {text}" if text else kind


def _frame_line(filename: str, line: int, function: str, source: str) -> str:
    place = f"  {_shown_path(filename)}:{line}"
    if function and function != "<module>":
        place += f", in {function}"
    return f"{place}: {source.strip()}" if source.strip() else place


def _shown_path(filename: str) -> str:
    """The path from the current folder where the file is below it, else the whole path."""
    try:
        return str(Path(filename).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return filename


def is_from_a_library(filename: str) -> bool:
    """Whether a file is of Equilibrist or of a library, and not the user's."""
    return _is_ours(filename) or _is_library(filename)


def _is_ours(filename: str) -> bool:
    return filename.startswith(_OURS)


def _is_library(filename: str) -> bool:
    return filename.startswith("<frozen") or filename.startswith(_LIBRARIES)
