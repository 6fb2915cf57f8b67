"""The picture of the packages in docs/images, drawn from their imports, and the layers as text.

    python docs/architecture_picture.py     # writes the picture and the layers in CONTRIBUTING.md

Rows are the layers of the contract in pyproject.toml, from the top down; entries of one layer that
import each other take a row each. An arrow that follows from others is left out: where A imports B
and B imports C, none is drawn from A to C.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.import_graph import (
    PACKAGE,
    ROOT,
    Imports,
    Layers,
    arrows,
    layers,
    modules_of,
    reachable,
    read_imports,
    subpackages,
)

PICTURE = ROOT / "docs" / "images" / "architecture.svg"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
BLOCK = re.compile(r"(?<=\*\*Layers\.\*\*)(.*?```text\n).*?(?=```)", re.DOTALL)
"""In CONTRIBUTING.md: from the heading to the layers, and the layers."""
MARGIN, GAP, BETWEEN, LANE = 20.0, 16.0, 44.0, 10.0
"""Around everything, between boxes, between rows, and the width of an arrow that passes a row."""
LINE, CHARACTER, PADDING = 15.0, 6.6, 9.0
WRAPPED = 34
"""Characters of a line in a box."""
NO_BREAK = "\N{NO-BREAK SPACE}"
SWEEPS = 60
STRAIGHT = 4.0
"""How much more a lane pulls at its neighbours than a box does: long arrows become straight."""
STYLE = (
    "text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:11px;fill:#222}"
    ".title{font-size:15px;font-weight:bold}.name{font-weight:bold}.small{fill:#555}"
    ".edge{stroke:#888;fill:none;stroke-width:1.1}"
    ".package{fill:#E8F1F8;stroke:#0072B2}.module{fill:#fff;stroke:#888}"
)
HEAD = (
    '<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6.5" refY="3.5" orient="auto">'
    '<path d="M0 0.5L7 3.5L0 6.5z" fill="#888"/></marker></defs>'
)


@dataclass
class Node:
    """A box in a row, or the place where an arrow passes the row (without lines of text)."""

    key: str
    lines: tuple[str, ...]
    whole: bool
    """Whether it is a package."""
    x: float = 0.0
    """Of its middle."""

    @property
    def width(self) -> float:
        """In pixels; a guess, since fonts differ."""
        if not self.lines:
            return LANE
        return CHARACTER * max(len(line) for line in self.lines) + 2 * PADDING

    @property
    def height(self) -> float:
        """In pixels."""
        return LINE * len(self.lines) + PADDING if self.lines else 0.0


def needed(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The arrows without those that follow from others."""
    return {
        start: ends - {far for near in ends for far in reachable(graph, near)}
        for start, ends in graph.items()
    }


def rows_of(order: Layers, graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The entries that are there, layer by layer, so that every arrow runs down."""
    found = []
    for row in order.rows:
        left = [entry for entry in row if entry in graph]
        while left:
            free = [one for one in left if not any(one in graph[other] for other in left)]
            if not free:
                raise ValueError(f"a circle in one layer: {', '.join(left)}")
            found.append(free)
            left = [entry for entry in left if entry not in free]
    return found


def box(imports: Imports, entry: str) -> Node:
    """A package with its modules and subpackages, or a module."""
    name = entry.rpartition(".")[2]
    below = list(subpackages(imports, entry))
    if entry not in {module.rpartition(".")[0] for module in imports}:
        return Node(entry, (name,), whole=False)
    inner = ", ".join(counted(imports, one) for one in below)
    return Node(entry, (counted(imports, entry), *wrap(inner, WRAPPED)), whole=True)


def counted(imports: Imports, entry: str) -> str:
    """The name of a package with its modules, in one word that is not broken."""
    return f"{entry.rpartition('.')[2]}{NO_BREAK}{modules_of(imports, entry)}"


@dataclass
class Drawing:
    """Nodes row by row, and arrows from each row to the next."""

    rows: list[list[Node]]
    steps: list[list[tuple[Node, Node]]]


def lay_out(imports: Imports, order: Layers) -> Drawing:
    """Boxes in rows with lanes for arrows between them; equal imports give equal drawings."""
    graph = arrows(imports, order.folder)
    graph = {start: ends for start, ends in graph.items() if start != order.folder}
    placed = rows_of(order, graph)
    level = {entry: k for k, row in enumerate(placed) for entry in row}
    rows = [[box(imports, entry) for entry in row] for row in placed]
    node_of = {node.key: node for row in rows for node in row}
    steps: list[list[tuple[Node, Node]]] = [[] for _ in rows]
    wanted = needed({start: ends & set(level) for start, ends in graph.items() if start in level})
    for end, depth in level.items():  # one lane for all arrows that go on to the same box
        starts = [start for start in level if end in wanted[start]]
        last = node_of[end]
        for k in range(depth - 1, -1, -1):
            for start in (start for start in starts if level[start] == k):
                steps[k].append((node_of[start], last))
            if min([level[start] for start in starts], default=depth) >= k:
                break
            lane = Node(f"{end} {k}", (), whole=False)
            rows[k].append(lane)
            steps[k].append((lane, last))
            last = lane
    drawing = Drawing(rows, steps)
    _arrange(drawing)
    return drawing


def _arrange(drawing: Drawing) -> None:
    """Order the nodes of each row after their neighbours, then move them towards these."""
    above: dict[str, list[Node]] = {}
    below: dict[str, list[Node]] = {}
    for step in drawing.steps:
        for start, end in step:
            below.setdefault(start.key, []).append(end)
            above.setdefault(end.key, []).append(start)
    for row in drawing.rows:
        _pack(row)
    best, fewest = [list(row) for row in drawing.rows], _crossings(drawing)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in drawing.rows if down else drawing.rows[::-1]:
            near = above if down else below
            row.sort(key=lambda node: (_middle(near.get(node.key, []), node.x), node.key))
            _pack(row)
        crossed = _crossings(drawing)
        if crossed < fewest:
            best, fewest = [list(row) for row in drawing.rows], crossed
    drawing.rows[:] = best
    for row in drawing.rows:
        _pack(row)
    for sweep in range(SWEEPS):
        for row in drawing.rows if sweep % 2 else drawing.rows[::-1]:
            _move(row, [above.get(node.key, []) + below.get(node.key, []) for node in row])


def _middle(nodes: Sequence[Node], otherwise: float) -> float:
    return sum(node.x for node in nodes) / len(nodes) if nodes else otherwise


def _pack(row: Sequence[Node]) -> None:
    """Side by side, with the middle at zero."""
    x = -(sum(node.width for node in row) + GAP * (len(row) - 1)) / 2
    for node in row:
        node.x = x + node.width / 2
        x += node.width + GAP


def _move(row: Sequence[Node], near: Sequence[Sequence[Node]]) -> None:
    """Towards the middle of their neighbours as far as their order and the gaps allow."""
    wanted = []
    for node, nodes in zip(row, near, strict=True):
        pull = [(STRAIGHT ** ((not node.lines) + (not other.lines)), other.x) for other in nodes]
        whole = sum(weight for weight, _ in pull)
        wanted.append(sum(weight * x for weight, x in pull) / whole if pull else node.x)
    left, right = list(wanted), list(wanted)
    for k in range(1, len(row)):
        least = (row[k - 1].width + row[k].width) / 2 + GAP
        left[k] = max(left[k], left[k - 1] + least)
    for k in range(len(row) - 2, -1, -1):
        least = (row[k + 1].width + row[k].width) / 2 + GAP
        right[k] = min(right[k], right[k + 1] - least)
    for node, low, high in zip(row, left, right, strict=True):
        node.x = (low + high) / 2


def _crossings(drawing: Drawing) -> int:
    found = 0
    for step in drawing.steps:
        ends = [(start.x, end.x) for start, end in step]
        found += sum(
            (a[0] - b[0]) * (a[1] - b[1]) < 0 for i, a in enumerate(ends) for b in ends[:i]
        )
    return found


def picture(imports: Imports, order: Layers) -> str:
    """The drawing as the text of an SVG file."""
    drawing = lay_out(imports, order)
    nodes = [node for row in drawing.rows for node in row]
    low = min(node.x - node.width / 2 for node in nodes) - MARGIN
    width = max(node.x + node.width / 2 for node in nodes) + MARGIN - low
    tops, y = [], MARGIN + 2.4 * LINE
    for row in drawing.rows:
        tops.append(y)
        y += max(node.height for node in row) + BETWEEN
    height = y - BETWEEN + MARGIN
    size = f'width="{width:.0f}" height="{height:.0f}"'
    title = f"{order.folder}: {modules_of(imports, order.folder)} modules"
    box_size = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    under = MARGIN + 6 + 1.4 * LINE
    told = "Numbers: modules. Arrows: imports, without those that follow from others."
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box_size} role="img">',
        f"<title>The packages of {order.folder} and their imports</title>",
        f"<style>{STYLE}</style>",
        HEAD,
        f'<rect {size} fill="#fff"/>',
        f'<text class="title" x="{MARGIN}" y="{MARGIN + 6}">{title}</text>',
        f'<text class="small" x="{MARGIN}" y="{under:.1f}">{told}</text>',
        f'<g transform="translate({-low:.1f} 0)">',
        *_edges(drawing, tops),
        *(part for row, top in zip(drawing.rows, tops, strict=True) for part in _boxes(row, top)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _edges(drawing: Drawing, tops: Sequence[float]) -> Iterator[str]:
    for k, step in enumerate(drawing.steps):
        floor = tops[k] + max(node.height for node in drawing.rows[k])
        leaving, coming = _ports(step)
        for i, (start, end) in enumerate(step):
            x, to = leaving[i], coming[i]
            bottom = tops[k] + start.height
            path = f"M{x:.1f} {bottom:.1f}V{floor:.1f}"
            middle = (floor + tops[k + 1]) / 2
            path += f"C{x:.1f} {middle:.1f} {to:.1f} {middle:.1f} {to:.1f} {tops[k + 1]:.1f}"
            head = ' marker-end="url(#head)"' if end.lines else ""
            yield f'<path class="edge" d="{path}"{head}/>'


def _ports(step: Sequence[tuple[Node, Node]]) -> tuple[dict[int, float], dict[int, float]]:
    """Where each arrow leaves its start, and where it comes to its end, side by side."""
    leaving: dict[int, float] = {}
    coming: dict[int, float] = {}
    for found, own, other in ((leaving, 0, 1), (coming, 1, 0)):
        for node in {pair[own].key: pair[own] for pair in step}.values():
            mine = [i for i, pair in enumerate(step) if pair[own] is node]
            mine.sort(key=lambda i: (step[i][other].x, step[i][other].key))
            for place, i in enumerate(mine):
                share = (place + 1) / (len(mine) + 1) - 0.5
                spread = min(node.width - 2 * PADDING, 28.0 * len(mine))
                found[i] = node.x + (share * spread if node.lines else 0.0)
    return leaving, coming


def _boxes(row: Sequence[Node], top: float) -> Iterator[str]:
    for node in row:
        if not node.lines:
            continue
        kind = "package" if node.whole else "module"
        yield (
            f'<rect class="{kind}" x="{node.x - node.width / 2:.1f}" y="{top:.1f}" '
            f'width="{node.width:.1f}" height="{node.height:.1f}" rx="4"/>'
        )
        for k, line in enumerate(node.lines):
            look = "small" if k else "name"
            y = top + LINE * (k + 1)
            yield (
                f'<text class="{look}" x="{node.x:.1f}" y="{y:.1f}" text-anchor="middle">'
                f"{escape(line)}</text>"
            )


def layers_text(order: Layers) -> str:
    """The layers as CONTRIBUTING.md has them: one a line, the highest first."""
    return "".join(f"{row}\n" for row in order.text)


def contributing(text: str, order: Layers) -> str:
    """CONTRIBUTING.md with the layers of the contract."""
    return BLOCK.sub(lambda found: found[1] + layers_text(order), text)


if __name__ == "__main__":
    ORDER = layers()[PACKAGE]
    PICTURE.write_text(picture(read_imports(), ORDER), "utf-8")
    CONTRIBUTING.write_text(contributing(CONTRIBUTING.read_text("utf-8"), ORDER), "utf-8")
