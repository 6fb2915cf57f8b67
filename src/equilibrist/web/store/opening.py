"""Opening files of any kind that the browser shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from equilibrist.errors import FileFormatError

if TYPE_CHECKING:
    from equilibrist.poker.blueprint.policy import Blueprint
    from equilibrist.poker.preflop.exact.solution import PreflopSolution
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution

    ChartFile = PushFoldSolution | PreflopSolution | MultiwaySolution | Blueprint

CHARTS: Final = ("push-fold-solution", "preflop-solution", "multiway-solution", "blueprint")
"""The kinds of files that have charts of hands before the flop."""
SOLUTIONS: Final = ("solution", "packed-strategy", "spot-solution")
"""The kinds of files that are solutions of games and spots."""
PLAYED: Final = (*SOLUTIONS, *CHARTS)
"""The kinds of files that are played against."""


def open_solution(path: Path) -> Any:
    """What a file holds: a result, or charts; raises FileFormatError."""
    from equilibrist.solving.files import load_result
    from equilibrist.storage.archive import kind_of

    kind = kind_of(path)
    return open_charts(path, kind) if kind in CHARTS else load_result(path)


def open_charts(path: Path, kind: str) -> ChartFile:
    """Open a file of one of the kinds `CHARTS`; raises FileFormatError."""
    if kind == "push-fold-solution":
        from equilibrist.poker.preflop.push_fold.files import load_push_fold

        return load_push_fold(path)
    if kind == "preflop-solution":
        from equilibrist.poker.preflop.exact.files import load_preflop

        return load_preflop(path)
    if kind == "multiway-solution":
        from equilibrist.poker.preflop.multiway.files import load_multiway

        return load_multiway(path)
    from equilibrist.poker.blueprint.policy import Blueprint

    try:
        return Blueprint.load(path)
    except FileFormatError as error:
        if error.option == "cards":  # a page takes no file of card buckets
            error.with_remedy(
                f"put the file of that name with which it was trained into {path.parent}, and "
                "open the page again"
            )
        raise
