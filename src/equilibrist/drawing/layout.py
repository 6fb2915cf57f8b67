"""The layout of a drawn game tree: layered, tidy, without overlaps.

Subtrees are packed from left to right as closely as their outlines allow, parents are centred over
their children (after Reingold and Tilford, Tidier drawings of trees, 1981). Decisions
of an infoset at the same depth share one line; it is a separate track where it would otherwise
cross an unrelated node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from equilibrist.drawing.outline import Outline
from equilibrist.formatting.escaping import escape_control_chars

CHARACTER = 6.3
"""Width of an average character at the font size of labels, in pixels."""
RADIUS = 12.0
_LEVEL_GAP = 84.0
_TRACK_GAP = 30.0
GAP = 10.0
LABEL_AT = 0.6
"""The position of a label on its edge: 0 at the parent, 1 at the child."""


@dataclass(frozen=True)
class Layout:
    """The centre of each node, and the size of the whole, in pixels."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    width: float
    height: float


def edge_label(action: str, probability: float | None) -> list[str]:
    """The lines of the label of an edge: the action, and below it the probability."""
    shown = escape_control_chars(action)
    if probability is None:
        return [shown]
    return [shown, f"{probability:.3f}".rstrip("0").rstrip(".")]


def text_width(lines: Sequence[str]) -> float:
    """Width of the longest line, in pixels."""
    return CHARACTER * max((len(line) for line in lines), default=0)


def payoff_text(payoff: float) -> str:
    """The text of a payoff below a leaf."""
    return f"{payoff:.4g}".replace("-", "\N{MINUS SIGN}")


def lay_out(outline: Outline) -> Layout:
    """Place all nodes of `outline`."""
    x = _across(outline)
    y = _down(outline, x)
    left = min(xi - _extent(outline, i)[0] for i, xi in enumerate(x))
    right = max(xi + _extent(outline, i)[1] for i, xi in enumerate(x))
    below = 14.0 * max(1, outline.num_players) + 16.0
    return Layout(tuple(xi - left for xi in x), tuple(y), right - left, max(y) + below)


def _extent(outline: Outline, index: int) -> tuple[float, float]:
    """The extent of a node and its texts to the left and to the right of its centre."""
    node = outline.nodes[index]
    label = text_width(edge_label(node.action, node.probability)) / (2 * LABEL_AT)
    if node.kind == "terminal":
        half = max(text_width([payoff_text(p) for p in node.payoffs]) / 2, label)
        return half, half
    right = RADIUS + (4 + text_width([escape_control_chars(node.infoset)]) if node.infoset else 0.0)
    return max(RADIUS, label), max(right, label)


def _across(outline: Outline) -> list[float]:
    """Horizontal positions: post-order, packing the children of each node by their contours."""
    children = outline.children
    offset = [0.0] * len(outline.nodes)  # from the parent
    contours: list[tuple[list[float], list[float]]] = [([], []) for _ in outline.nodes]
    for i in range(len(outline.nodes) - 1, -1, -1):
        lefts: list[float] = []
        rights: list[float] = []
        places: list[float] = []
        for child in children[i]:
            child_left, child_right = contours[child]
            shift = max(
                (r + GAP - low for r, low in zip(rights, child_left, strict=False)), default=0.0
            )
            places.append(shift)
            moved_left = [v + shift for v in child_left]
            moved_right = [v + shift for v in child_right]
            lefts += moved_left[len(lefts) :]
            rights = moved_right + rights[len(moved_right) :]
            contours[child] = ([], [])
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[i], places, strict=True):
            offset[child] = place - middle
        before, after = _extent(outline, i)
        contours[i] = (
            [-before, *(v - middle for v in lefts)],
            [after, *(v - middle for v in rights)],
        )
    x = [0.0] * len(outline.nodes)
    for i, node in enumerate(outline.nodes[1:], start=1):
        x[i] = x[node.parent] + offset[i]
    return x


def _down(outline: Outline, x: Sequence[float]) -> list[float]:
    """Vertical positions: a level per depth, with a track per infoset where lines would cross."""
    groups: dict[int, dict[str | int, list[int]]] = {}
    for i, node in enumerate(outline.nodes):
        key = node.infoset if node.kind == "decision" else i
        groups.setdefault(node.depth, {}).setdefault(key, []).append(i)
    y = [0.0] * len(outline.nodes)
    top = RADIUS + 4
    for depth in sorted(groups):
        members = sorted(groups[depth].values(), key=lambda group: min(x[i] for i in group))
        tracks: list[float] = []  # the right end of what stands on each track
        for group in members:
            low = min(x[i] - _extent(outline, i)[0] for i in group)
            high = max(x[i] + _extent(outline, i)[1] for i in group)
            track = next((t for t, end in enumerate(tracks) if end < low), len(tracks))
            if track == len(tracks):
                tracks.append(high)
            else:
                tracks[track] = high
            for i in group:
                y[i] = top + track * _TRACK_GAP
        top += (len(tracks) - 1) * _TRACK_GAP + _LEVEL_GAP
    return y
