"""Which files a table may replace: tables of Equilibrist, and no other file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from equilibrist.errors import OutputError
from equilibrist.storage.frames import is_strategy_in_parquet

_STARTS: Final = {
    ".csv": re.compile(
        rb"player,infoset,action,probability|infoset,action,probability|plan"
        rb"|stacks,seat,against,hand,combos,frequency,gain"
        rb"|line,seat,hand,combos,reach,action,frequency(?:,ev,action_ev)?"
    ),
    ".json": re.compile(rb"{"),
    ".efg": re.compile(rb"EFG"),
    ".nfg": re.compile(rb"NFG"),
    ".txt": re.compile(rb"[A-Z][\d.]*(?:-[A-Z][\d.]*)*"),
}
"""The first word of files that may be replaced, without quotation marks; of .txt a line of play."""
_CALLED: Final = {".parquet": "a strategy", ".efg": "a game", ".nfg": "a game"}


def check_replaceable(path: Path, kind: str) -> None:
    """OutputError if a table of `kind` would replace a file that is not a table of Equilibrist."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        head = file.read(400).replace(b'"', b"")
    start = head.split()
    ours = (
        is_strategy_in_parquet(path)
        if kind == ".parquet"
        else bool(start) and _STARTS[kind].fullmatch(start[0]) is not None
    )
    if kind == ".txt":
        ours = ours and head.startswith(start[0] + b"\t")
    if start and not ours:
        raise OutputError(
            f"{path} exists and is not {_CALLED.get(kind, 'a strategy file of Equilibrist')}",
            path,
            option="file",
            given=path.name,
            remedy="give another name, or remove it",
        )
