"""Payoff tables in the markup of LaTeX, MediaWiki and HTML, as lines of cells."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

_LATEX: Final = re.compile(
    r"\\begin\{(?P<name>(?:tabular[x*]?|array|[pbBvV]?matrix|smallmatrix|game)\*?)\}"
    r"(?P<body>.*?)\\end\{(?P=name)\}",
    re.DOTALL,
)
_COLUMNS: Final = re.compile(
    r"\s*(?:\{\d+\}){2}(?:\[[^\]]*\])*|\s*(?:\[\w\]\s*)?\{(?:[^{}]|\{[^{}]*\})*\}"
)
"""What a tabular says of its columns, and a game of its size and players."""
_RULES: Final = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|centering|displaystyle|left|right|quad|[,;!])(?![a-z])|"
    r"\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^}]*\}|\\multicolumn\{\d+\}\{[^}]*\}|"
    r"\\multirow\{[^}]*\}\{[^}]*\}|\\(?:text|math)(?:bf|it|rm|sf|tt|normal)?(?=\{)|\\emph(?=\{)|\$"
)
_WRAPPED: Final = re.compile(r"\{([^{}]*)\}")
_WIKI: Final = re.compile(r"^\s*\{\|", re.MULTILINE)
_STYLE: Final = re.compile(r"(?:\s*[\w-]+\s*=\s*(?:\"[^\"]*\"|\w+))+\s*\|(?!\|)")
"""How a cell of MediaWiki looks, before what it holds."""
_HTML: Final = re.compile(r"<table\b", re.IGNORECASE)

Lines = list[tuple[int, str]]


def lines_of_markup(text: str) -> Lines | None:
    """The lines of tables in markup with their numbers, cells apart by tabs; None without a table.

    An empty line stands between two tables.
    """
    if _LATEX.search(text):
        return _latex(text)
    if _WIKI.match(text):
        return _wiki(text)
    if _HTML.search(text):
        reader = _Table()
        reader.feed(text)
        return reader.lines
    return None


def _latex(text: str) -> Lines:
    text = re.sub(r"(?<!\\)%[^\n]*", "", text)
    lines: Lines = []
    for table in _LATEX.finditer(text):
        body = table["body"]
        at = table.start("body")
        if "matrix" not in table["name"] and (columns := _COLUMNS.match(body)) is not None:
            at += columns.end()
            body = body[columns.end() :]
        if lines:
            lines.append((text.count("\n", 0, at) + 1, ""))
        for row in re.split(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline", body):
            shown = _RULES.sub(lambda match: " " * len(match[0]), row)
            filled = at + len(shown) - len(shown.lstrip())
            at += len(row) + 2
            cells = [_plain(cell) for cell in re.split(r"(?<!\\)&", row)]
            if any(cells):
                lines.append((text.count("\n", 0, filled) + 1, "\t".join(cells)))
    return lines


def _plain(cell: str) -> str:
    """What a cell of LaTeX shows."""
    cell = _RULES.sub(" ", re.sub(r"\\([%$&#_])", r"\1", _RULES.sub(" ", cell))).replace("~", " ")
    while _WRAPPED.search(cell):
        cell = _WRAPPED.sub(r"\1", cell)
    return " ".join(cell.split())


def _wiki(text: str) -> Lines:
    lines: Lines = []
    cells: list[str] = []
    begin = 1

    def close() -> None:
        if any(cells):
            lines.append((begin, "\t".join(cells)))
        cells.clear()

    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line.startswith(("|-", "|}", "{|", "|+")):
            close()
            if line.startswith("|}"):
                lines.append((number, ""))
        elif line[:1] in ("|", "!"):
            if not cells:
                begin = number
            parts = re.split(r"\|\||!!", line[1:])
            cells.extend(_STYLE.sub("", part).strip().strip("'").strip() for part in parts)
    close()
    return lines


class _Table(HTMLParser):
    """The rows of tables in HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Lines = []
        self._cells: list[str] | None = None
        self._begin = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._cells = []
            self._begin = self.getpos()[0]
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append("")
        elif tag == "table" and self.lines:
            self.lines.append((self.getpos()[0], ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self._cells is not None:
            cells = [" ".join(cell.split()) for cell in self._cells]
            if any(cells):
                self.lines.append((self._begin, "\t".join(cells)))
            self._cells = None

    def handle_data(self, data: str) -> None:
        if self._cells:
            self._cells[-1] += data
