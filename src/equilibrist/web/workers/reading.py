"""Reading what was uploaded, in a process of its own: only what is whole gets into the library.

Solutions are safetensors files: numbers and a header of JSON, which nothing executes. Games are
text; what is parsed is left beside the file, so that the server has not to do it again. Neither is
ever unpickled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from equilibrist.errors import FileFormatError
from equilibrist.library.kinds import SHOWN, load
from equilibrist.storage.archive import file_kind, open_archive
from equilibrist.storage.kinds.file_kinds import (
    BINARY,
    BLUEPRINT,
    CHARTS,
    GAME,
    KINDS,
    NORMAL_FORM,
    PAYOFFS,
    RANGES,
    SOLUTION,
    SPOT,
    TEXT,
    THREE_SPOT,
    words_of,
)
from equilibrist.storage.mapped_archive import MappedArchive
from equilibrist.web.store.parsed import TREE, write_parsed
from equilibrist.web.workers.order import ReadOrder

_KINDS: Final = tuple(kind for kind in SHOWN if kind != BLUEPRINT)
"""The kinds of solutions that are uploaded."""
EFG: Final = ".efg"
"""The suffix of games as they are kept."""
_GAMES: Final = (GAME, TEXT, PAYOFFS, NORMAL_FORM)
"""The kinds of files of which the reader of games says what is wrong with them."""
_LONGEST: Final = 200
"""Characters of the title of a game, and of the name of a player, that are listed."""
_REMEDIES: Final = {
    SPOT: "give it a name that ends in .toml, and import it on the page /spot",
    RANGES: "give it a name that ends in .json, and import it on the page /spot, among the ranges",
    BLUEPRINT: "start the server with it, where the file of its card buckets is, too: "
    "`equilibrist serve FILE`",
    GAME: "upload it under a name that ends in .efg",
    **dict.fromkeys(_KINDS, "upload it under a name that ends in .safetensors"),
}
"""What a browser does with a file that was uploaded as something else."""


def read(order: ReadOrder) -> dict[str, Any]:
    """Read a file; raises the error of one that is not what it should be."""
    path = Path(order.path)
    kind = file_kind(path)
    if order.kind == "game":
        if kind is not None and kind not in _GAMES:
            raise _another_kind(kind, "a game", (GAME,))
        return _game(path, order.memory)
    if kind is None:
        open_archive(path, SOLUTION)  # which says what is wrong with it
    if kind not in _KINDS:
        raise _another_kind(kind or BINARY, "a solution that can be uploaded", _KINDS)
    return _solution(path, kind)


def _another_kind(kind: str, wanted: str, kinds: tuple[str, ...]) -> FileFormatError:
    """The error of a file that holds something else than its name says."""
    row = KINDS.get(kind)
    remedy = _REMEDIES.get(kind)
    if remedy is None and row is not None and row.command:
        remedy = f"take it on the command line: `equilibrist {' '.join(row.command)}`"
    return FileFormatError(
        f"the file is {words_of(kind)}, not {wanted}",
        "the file",
        option="file",
        given=kind,
        expected=", ".join(kinds),
        remedy=remedy or (row.remedy if row is not None else None) or "give another file",
    )


def _solution(path: Path, kind: str) -> dict[str, Any]:
    from equilibrist.library.saving import default_stem

    MappedArchive(path, kind).check()
    result = load(path)
    if kind in CHARTS:
        return {"kind": kind, "stem": kind}
    if kind == THREE_SPOT:
        return {"kind": kind, "stem": f"{result.spot.board}-three"}
    return {"kind": kind, "stem": default_stem(result.game, result.algorithm)}


def _game(path: Path, memory: int) -> dict[str, Any]:
    from equilibrist.games.efg.game import load_efg
    from equilibrist.library.game_facts import SIZE_LIMIT, sizes_of
    from equilibrist.library.limits import Limits

    if path.suffix != EFG:
        path = _as_efg(path)
    game = load_efg(str(path))
    sizes, tree = sizes_of(game, Limits(SIZE_LIMIT, memory=memory))
    write_parsed(path.with_suffix(TREE), game.file)
    document = {
        "name": f"efg:{path}",
        "title": game.title[:_LONGEST],
        "player_names": [name[:_LONGEST] for name in game.player_names],
        "sizes": sizes,
    }
    fingerprint = None if tree is None else tree.fingerprint
    return {"kind": "game", "document": document, "fingerprint": fingerprint}


def _as_efg(path: Path) -> Path:
    """Write the game of a payoff table beside it, and give the path."""
    from dataclasses import replace

    from equilibrist.games.efg.writer import efg_text
    from equilibrist.games.payoffs import load_payoffs

    game = load_payoffs(str(path))
    if game.title == game.path:  # which is no name that anybody gave
        game = replace(game, title="")
    efg = path.with_suffix(EFG)
    efg.write_text(efg_text(game), "utf-8")
    return efg
