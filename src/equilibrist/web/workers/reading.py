"""Reading what was uploaded, in a process of its own: only what is whole gets into the library.

Solutions are safetensors files: numbers and a header of JSON, which nothing executes. Games are
text; what is parsed is left beside the file, so that the server has not to do it again. Neither is
ever unpickled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.web.store.parsed import TREE, write_parsed
from equilibrist.web.workers.order import ReadOrder

SOLUTIONS: Final = ("solution", "packed-strategy", "spot-solution")
"""The kinds of files that are solutions."""


def read(order: ReadOrder) -> dict[str, Any]:
    """What the file is; raises the error of a file that is not what it should be."""
    path = Path(order.path)
    return _game(path, order.memory) if order.kind == "game" else _solution(path)


def _solution(path: Path) -> dict[str, Any]:
    from equilibrist.cli.stored.saving import default_stem
    from equilibrist.solving.files import load_result
    from equilibrist.storage.archive import kind_of
    from equilibrist.storage.mapped_archive import MappedArchive

    kind = kind_of(path)
    if kind not in SOLUTIONS:
        raise FileFormatError(
            "the file is not a solution of Equilibrist",
            "the upload",
            option="format",
            given=kind,
            expected=", ".join(SOLUTIONS),
            remedy="upload what `equilibrist solve --out FILE` has written",
        )
    MappedArchive(path, kind).check()
    result = load_result(path)
    return {"kind": kind, "stem": default_stem(result.game, result.algorithm)}


def _game(path: Path, memory: int) -> dict[str, Any]:
    from equilibrist.cli.commands.games.games import SIZE_LIMIT, game_document
    from equilibrist.cli.inputs.walking import Limits
    from equilibrist.games.efg.game import load_efg

    limits = Limits(SIZE_LIMIT, memory=memory)
    document = game_document(f"efg:{path}", limits, quiet=True)
    write_parsed(path.with_suffix(TREE), load_efg(str(path)).file)
    return {"kind": "game", "document": document}
