"""What commands print: results on standard output, everything else on standard error.

Plain text that survives a pipe; bold and colour only on terminals that want them. What users'
games call things is shown with its control characters escaped.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from contextvars import ContextVar
from shlex import quote
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO

from equilibrist.errors import OutputError
from equilibrist.formatting.escaping import (
    escape_control_chars,
    escape_lines,
    json_text,
    shorten,
)

if TYPE_CHECKING:
    from rich.text import Text

Align = Literal["left", "right"]


def wants_colour(stream: TextIO | None) -> bool:
    """Whether `stream` is a terminal, and neither NO_COLOR nor TERM=dumb says otherwise.

    It is None if the calling process closed the descriptor.
    """
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def styled(text: str, code: str, stream: TextIO) -> str:
    """`text` in an ANSI style where `stream` shows styles."""
    return f"\x1b[{code}m{text}\x1b[0m" if text and wants_colour(stream) else text


class ReaderGoneError(Exception):
    """The reader of standard output closed the pipe (`| head`)."""


_RESULTS: ContextVar[TextIO | None] = ContextVar("results", default=None)
_MATRIX: Final = re.compile(r"matrix\((?:[^()'\"]|'[^']*'|\"[^\"]*\")*\)")
_LONGEST_MATRIX: Final = 60
_SHORT_MATRIX: Final = 40
"""Characters of a matrix game's name that stay whole, and that are kept of longer ones."""
_IS_QUIET: ContextVar[bool] = ContextVar("is_quiet", default=False)
_NAMES: ContextVar[dict[str, str] | None] = ContextVar("names", default=None)


@contextmanager
def names_for_files() -> Iterator[None]:
    """Within it, `call` says how files are named in what people read."""
    token = _NAMES.set({})
    try:
        yield
    finally:
        _NAMES.reset(token)


def call(path: os.PathLike[str], name: str) -> None:
    """Show `name`, as the user typed it, wherever `path` stands in a text; not in documents."""
    if (names := _NAMES.get()) is not None:
        names[os.fspath(path)] = name


def called(text: str) -> str:
    """`text` with the names of files that have one (`call`) in place of their paths."""
    for path, name in (_NAMES.get() or {}).items():
        text = text.replace(path, name)
    return text


def _results() -> TextIO | None:
    return _RESULTS.get() or sys.stdout


@contextmanager
def results_alone() -> Iterator[None]:
    """Keep standard output for `show`; what else prints (a user's rules) goes to standard error."""
    token = _RESULTS.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _RESULTS.reset(token)


def show(text: str = "") -> None:
    """Print to standard output; raises ReaderGoneError, or OutputError on a full disk."""
    show_exactly(escape_lines(called(text)))


def show_exactly(text: str) -> None:
    """Print to standard output with every character as it is: data that other programs read."""
    stream = _results()
    if stream is not None:  # None when the descriptor was closed by the caller
        with _explained():
            stream.write(text + "\n")


def prompt(text: str) -> None:
    """Show `text` and leave the cursor behind it; raises as `show`."""
    stream = _results()
    if stream is not None:
        with _explained():
            stream.write(escape_control_chars(called(text)))
    flush()


def flush() -> None:
    """Send on what has been shown; raises as `show`."""
    stream = _results()
    if stream is not None:
        with _explained():
            stream.flush()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        _let_go_of(_results())
        raise ReaderGoneError from None
    except OSError as error:
        _let_go_of(_results())
        reason = error.strerror or error
        raise OutputError(
            f"cannot write to standard output: {reason}", "-", option="stdout", given=reason
        ) from None


def _let_go_of(stream: TextIO | None) -> None:
    """Send what is still buffered nowhere, so that the interpreter can end quietly."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def heading(text: str) -> None:
    """Print a line to standard output, in bold on a terminal; large payoff tables are cut off."""
    stream = _results()
    if stream is not None:
        text = _MATRIX.sub(_short_name, escape_control_chars(called(text)))
        show_exactly(styled(text, "1", stream))


def _short_name(matched: re.Match[str]) -> str:
    """The name of a matrix game as a title: its payoffs cut off where they take much of a line."""
    text = matched[0]
    return text if len(text) <= _LONGEST_MATRIX else f"{text[:_SHORT_MATRIX]}...)"


def note(text: str) -> None:
    """Print to standard error; if that fails it is ignored, so that no result is lost."""
    _note_exactly(escape_lines(called(text)))


def typed(file: os.PathLike[str] | str) -> str:
    """Quote a file or another word for a suggestion, as the user typed it (`call`)."""
    return quote(called(os.fspath(file)))


@contextmanager
def quietly() -> Iterator[None]:
    """Within it, `suggest` prints nothing, and no progress is shown."""
    token = _IS_QUIET.set(True)
    try:
        yield
    finally:
        _IS_QUIET.reset(token)


def is_quiet() -> bool:
    """Whether nothing but results and what went wrong is wanted (`quietly`)."""
    return _IS_QUIET.get()


def suggest(*commands: str) -> None:
    """Print what may be typed next to standard error, a command a line."""
    if is_quiet():
        return
    lead = "Next: "
    for command in commands:
        note(f"{lead}{command}")
        lead = " " * len(lead)


def _note_exactly(text: str) -> None:
    if sys.stderr is not None:
        try:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
        except OSError:
            _let_go_of(sys.stderr)


def complain(message: str) -> None:
    """Print an error message to standard error, beginning `error:`."""
    if sys.stderr is not None:
        text = escape_lines(shorten(called(message)))
        _note_exactly(styled("error:", "1;31", sys.stderr) + " " + text)


def show_json(document: Any) -> None:
    """Print one JSON document, on one line, to standard output; NaN is refused."""
    show_exactly(json_text(document))


def show_facts(
    pairs: Sequence[tuple[str, str]], indent: str = "  ", width: int | None = None
) -> None:
    """Print names and what they are, aligned; pairs whose fact is empty are left out."""
    if width is None:
        width = max((len(name) for name, _ in pairs), default=0)
    for name, fact in pairs:
        if fact:
            lines = _folded(escape_control_chars(called(fact)), len(indent) + width + 2)
            show(f"{indent}{name:<{width}}  {lines[0]}")
            for line in lines[1:]:
                show(" " * (len(indent) + width + 2) + line)


def show_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: Sequence[Align] | None = None,
    *,
    indent: str = "  ",
    fold: bool = False,
) -> None:
    """Print aligned columns under a bold heading; no cell is ever cut.

    Without `align` the first column is flush left and all others flush right. With `fold` the
    last column is wrapped to the width of the terminal.
    """
    lines = table_lines(columns, rows, align, indent=indent, fold=fold)
    heading(lines[0])
    for line in lines[1:]:
        show(line)


def table_lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    align: Sequence[Align] | None = None,
    *,
    indent: str = "  ",
    fold: bool = False,
) -> list[str]:
    """The lines of `show_table`, the heading first."""
    sides = align or first_left(len(columns))
    columns, *rows = [
        [escape_control_chars(called(cell)) for cell in row] for row in (columns, *rows)
    ]
    widths = [max([len(columns[i]), *(len(row[i]) for row in rows)]) for i in range(len(columns))]
    before = len(indent) + sum(widths[:-1]) + 2 * (len(widths) - 1)
    lines = []
    for cells in (columns, *rows):
        last = _folded(cells[-1], before) if fold else [cells[-1]]
        whole = [*cells[:-1], last[0]]
        padded = [
            cell.rjust(width) if side == "right" else cell.ljust(width)
            for cell, width, side in zip(whole, widths, sides, strict=True)
        ]
        lines.append((indent + "  ".join(padded)).rstrip())
        lines += [" " * before + line for line in last[1:]]
    return lines


def show_grid(grid: str | Text) -> None:
    """Print a 13x13 grid, plain or in colours; where it does not fit say how wide it is."""
    lines = (grid if isinstance(grid, str) else grid.plain).splitlines()
    grid_width = max(map(len, lines[:14]))
    if grid_width > (width := terminal_width()):
        show(f"the grid is left out: it is {grid_width} columns wide, and there are {width}")
    elif isinstance(grid, str):
        show(grid)
    else:
        from rich.console import Console

        console = Console(force_terminal=True, highlight=False, width=200)
        with console.capture() as captured:
            console.print(grid, end="")
        show_exactly(captured.get())


def first_left(count: int) -> list[Align]:
    """The first of `count` columns flush left, the others flush right."""
    sides: list[Align] = ["right"] * count
    sides[0] = "left"
    return sides


def _folded(text: str, before: int) -> list[str]:
    """`text` in lines that fit to the right of `before` columns; one line in a pipe."""
    width = terminal_width() - before
    if width < 20 or len(text) <= width:
        return [text]
    import textwrap

    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def terminal_width() -> int:
    """The width of the terminal in columns; a million in a pipe, unless COLUMNS says otherwise."""
    if sys.stdout is None or not (sys.stdout.isatty() or os.environ.get("COLUMNS")):
        return 1_000_000
    return shutil.get_terminal_size().columns
