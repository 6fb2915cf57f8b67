"""Record strategies of the plain recursion after 1, 5 and 15 iterations, as tables to read.

One file per variant in `iterates/`, one table per game and order of updates. Every number is the
shortest decimal that gives the same bits back. Run it only when results are meant to change:
python -m tests.golden.record
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.game_walk import walk
from equilibrist.solvers.variants.registry import VARIANTS

FOLDER = Path(__file__).with_name("iterates")
GAMES = ("kuhn", "random_tree(seed=3,depth=7,zero_sum=false)")
STOPS = (1, 5, 15)
HORIZON = 20
ORDERS = {"alternating": True, "simultaneous": False}
HEADINGS = ["infoset", "action", *(f"{name} {t}" for t in STOPS for name in ("average", "next"))]
WIDTHS = (30, 8, *[23] * 6)


def cases() -> list[tuple[str, str, str]]:
    """(game, variant, order) of every recorded run."""
    return [(game, name, order) for game in GAMES for name in VARIANTS for order in ORDERS]


def iterates(game: str, name: str, order: str) -> np.ndarray:
    """float64[3, 2, number of actions]: average and next strategy at each stop.

    Infosets stand in the order of the recursion's first visits.
    """
    solver = ReferenceCFR(walk(load_game(game)), VARIANTS[name], ORDERS[order], HORIZON)
    rows = []
    for stop in STOPS:
        solver.run(stop - solver.iteration)
        pair = solver.average_strategy(), solver.strategy
        rows.append([[x for key in solver.game.infosets for x in table[key]] for table in pair])
    return np.array(rows)


def path_of(variant: str) -> Path:
    return FOLDER / f"{variant}.txt"


def table(game: str, order: str, strategies: np.ndarray) -> str:
    """Strategies as `iterates` gives them, one line per action."""
    lines = [f"{game}, {order}", _line(HEADINGS)]
    actions = (
        (key, action)
        for key, infoset in walk(load_game(game)).infosets.items()
        for action in infoset.actions
    )
    columns = strategies.reshape(-1, strategies.shape[-1]).T.tolist()
    for names, numbers in zip(actions, columns, strict=True):
        lines.append(_line([*names, *map(repr, numbers)]))
    return "\n".join(lines) + "\n"


def tables(text: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """(game, order, strategies) of every table of a file."""
    for part in text.split("\n\n"):
        title, _, *lines = part.strip().splitlines()
        game, order = title.rsplit(", ", 1)
        numbers = [[float(cell) for cell in line.split()[-2 * len(STOPS) :]] for line in lines]
        yield game, order, np.array(numbers).T.reshape(len(STOPS), 2, len(lines))


def _line(cells: list[str]) -> str:
    return "".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def record() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for variant in VARIANTS:
        runs = [(game, order) for game, name, order in cases() if name == variant]
        parts = [table(game, order, iterates(game, variant, order)) for game, order in runs]
        path_of(variant).write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    record()
