"""Which files a table or a picture may replace: one of Equilibrist's of its form, and no other."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from equilibrist.errors import OutputError
from equilibrist.parsing.arguments import file_name
from equilibrist.storage.atomic import failures, resolved, write_bytes
from equilibrist.storage.frames import is_strategy_in_parquet

_MARK: Final = "Equilibrist"
"""What our pictures name as their maker; the patterns below look for it."""
_HEAD: Final = 4096
"""Bytes at the beginning of a file, which say whether it is ours."""
_STARTS: Final = {
    ".csv": re.compile(
        rb"(?:player,infoset,action,probability|infoset,action,probability"
        rb"|plan 0(?:,plan \d+)*(?:,payoff \d+)+"
        rb"|stacks,seat,against,hand,combos,frequency,gain"
        rb"|hand,player,position,street,cards,board,line,played,best,loss,[a-z_,]+"
        rb"|line,seat,hand,combos,reach,action,frequency(?:,ev,action_ev)?)\r?(?:\n|\Z)"
    ),
    ".json": re.compile(
        rb"\{\n ?(?:game: [^\n]*,\s{1,2}(?:algorithm|strategy|measure|actions): "
        rb"|game: \{\n  stacks: "
        rb"|hand: [^\n]*,\n (?:buckets|flops|seats): )"
    ),
    ".efg": re.compile(rb"EFG \d+ [RD]\s"),
    ".nfg": re.compile(rb"NFG \d+ [RD]\s"),
    ".txt": re.compile(
        rb"[^\t\n,;|]*[A-Z][^\t\n,;|]*\t"
        rb"(?:[2-9TJQKA]{2}[so]?[-+,:\n]|(?:[2-9TJQKA][cdhs]){2}[-+,:\n]|\r?\n)"
    ),
    ".svg": re.compile(
        rb"<svg xmlns=http://www\.w3\.org/2000/svg [^>]* role=img>"
        rb"|<\?xml .{,4000}<dc:title>Equilibrist</dc:title>",
        re.DOTALL,
    ),
    ".png": re.compile(rb"\x89PNG.{,100}Software\0Equilibrist", re.DOTALL),
    ".pdf": re.compile(rb"%PDF"),
    ".dot": re.compile(rb"digraph[^\n]*\{\n  graph \[ordering=out, "),
}
"""How files begin that may be replaced, without quotation marks.

Tables have one of our headers as their whole first line, .txt a line of play or the title of a
chart and a range behind it, JSON documents an indentation by at most one space and two first keys
of ours.
"""
_STARTS[".gv"] = _STARTS[".dot"]
_PICTURES: Final = (".svg", ".png", ".pdf", ".dot", ".gv")
_CALLED: Final = {
    ".parquet": "a strategy",
    ".efg": "a game",
    ".nfg": "a game",
    **dict.fromkeys(_PICTURES, "a picture of Equilibrist"),
}


def check_replaceable(path: Path, kind: str, option: str = "file") -> None:
    """OutputError if a table or picture of `kind` would replace a file that is not one of ours."""
    target = resolved(path)
    with failures(target):
        if target.is_file() and target.stat().st_size and not _is_ours(target, kind):
            raise foreign_file(path, _CALLED.get(kind, "a strategy file of Equilibrist"), option)


def foreign_file(path: Path, wanted: str, option: str = "file") -> OutputError:
    """The error for a file that would be lost, as it is not what is written.

    Args:
        path: The file.
        wanted: What may be replaced, with an article.
        option: What names the file.

    Returns:
        The error.
    """
    return OutputError(
        f"{path} exists and is not {wanted}; it is left as it was",
        path,
        option=option,
        given=path.name,
        remedy="give another name, or remove it",
    )


def write_picture(path: str | os.PathLike[str], content: bytes, option: str = "file") -> None:
    """Write a picture of the form that the name ends in, whole or not at all; OutputError."""
    file = file_name("path", path)
    check_replaceable(file, file.suffix.lower(), option)
    write_bytes(file, content)


def picture_metadata(kind: str) -> dict[str, str | None]:
    """What Matplotlib writes into a picture: that it is ours, and no date.

    Args:
        kind: `svg`, `png` or `pdf`.
    """
    if kind == "png":
        return {"Software": _MARK}
    return {"Creator": _MARK, "Date" if kind == "svg" else "CreationDate": None}


def _is_ours(path: Path, kind: str) -> bool:
    if kind == ".parquet":
        return is_strategy_in_parquet(path)
    with path.open("rb") as file:
        head = file.read(_HEAD).replace(b'"', b"").lstrip()
    if not head:
        return True
    if _STARTS[kind].match(head) is None:
        return False
    return kind != ".pdf" or b"/Creator (Equilibrist)" in path.read_bytes()
