"""Reading what was uploaded, in a process of its own: only what is whole gets into the library.

Solutions are safetensors files: numbers and a header of JSON, which nothing executes. Games are
text; what is parsed is left beside the file, so that the server has not to do it again. Neither is
ever unpickled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.library.kinds import SAVED, load
from equilibrist.storage.kinds.file_kinds import BLUEPRINT, CHARTS, SOLUTION
from equilibrist.web.store.parsed import TREE, write_parsed
from equilibrist.web.workers.order import ReadOrder

_KINDS: Final = tuple(kind for kind in SAVED if kind != BLUEPRINT)
"""The kinds of solutions that are uploaded."""


def read(order: ReadOrder) -> dict[str, Any]:
    """Read a file; raises the error of one that is not what it should be."""
    path = Path(order.path)
    return _game(path, order.memory) if order.kind == "game" else _solution(path)


def _solution(path: Path) -> dict[str, Any]:
    from equilibrist.library.saving import default_stem
    from equilibrist.storage.archive import kind_of, open_archive
    from equilibrist.storage.mapped_archive import MappedArchive

    kind = kind_of(path)
    if kind == BLUEPRINT:
        raise FileFormatError(
            "a blueprint is not uploaded, since it needs the file of its card buckets",
            "the upload",
            option="format",
            given=kind,
            expected=", ".join(_KINDS),
            remedy="start the server with it, where both files are: equilibrist serve FILE",
        )
    if kind is None:
        open_archive(path, SOLUTION)  # which says what is wrong with it
    if kind not in _KINDS:
        raise FileFormatError(
            "the file is not a solution of Equilibrist",
            "the upload",
            option="format",
            given=kind,
            expected=", ".join(_KINDS),
            remedy="upload what `equilibrist solve --out FILE` has written",
        )
    MappedArchive(path, kind).check()
    result = load(path)
    if kind in CHARTS:
        return {"kind": kind, "stem": kind}
    return {"kind": kind, "stem": default_stem(result.game, result.algorithm)}


def _game(path: Path, memory: int) -> dict[str, Any]:
    from equilibrist.games.efg.game import load_efg
    from equilibrist.library.game_facts import SIZE_LIMIT, sizes_of
    from equilibrist.library.limits import Limits

    game = load_efg(str(path))
    sizes, tree = sizes_of(game, Limits(SIZE_LIMIT, memory=memory))
    write_parsed(path.with_suffix(TREE), game.file)
    document = {"name": f"efg:{path}", "sizes": sizes}
    fingerprint = None if tree is None else tree.fingerprint
    return {"kind": "game", "document": document, "fingerprint": fingerprint}
