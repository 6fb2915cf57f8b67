"""A drawn game tree in Graphviz's DOT language."""

from __future__ import annotations

from collections.abc import Iterator

from equilibrist.drawing.layout import edge_label, payoff_text
from equilibrist.drawing.outline import Outline
from equilibrist.drawing.svg import colour
from equilibrist.formatting.escaping import escape_control_chars


def to_dot(outline: Outline) -> str:
    """Write the drawing as the text of a DOT file, which `dot -Tsvg` renders."""
    title = outline.game + (f" after {', '.join(outline.start)}" if outline.start else "")
    parts = [
        f"digraph {_quoted(outline.game)} {{",
        f'  graph [ordering=out, fontname="sans-serif", labelloc=t, label={_quoted(title)}];',
        '  node [fontname="sans-serif", fontsize=11];',
        '  edge [fontname="sans-serif", fontsize=10, arrowhead=none, color="#888888"];',
        *_nodes(outline),
        *_edges(outline),
        *_infosets(outline),
        "}",
    ]
    return "\n".join(parts) + "\n"


def _quoted(*lines: str) -> str:
    """A DOT string of these lines. Graphviz resolves entities (`&lt;`) in labels."""
    shown = "\n".join(map(escape_control_chars, lines)).replace("&", "&amp;")
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _nodes(outline: Outline) -> Iterator[str]:
    for i, node in enumerate(outline.nodes):
        if node.kind == "chance":
            yield f'  n{i} [shape=diamond, label="", width=0.3, height=0.3];'
        elif node.kind == "decision":
            yield (
                f"  n{i} [shape=ellipse, label={_quoted(f'{node.player}: {node.infoset}')}, "
                f'color="{colour(node.player)}", fontcolor="{colour(node.player)}"];'
            )
        else:
            payoffs = _quoted(*(payoff_text(p) for p in node.payoffs))
            yield f"  n{i} [shape=plaintext, label={payoffs}];"


def _edges(outline: Outline) -> Iterator[str]:
    for i, node in enumerate(outline.nodes[1:], start=1):
        label = _quoted(*edge_label(node.action, node.probability))
        yield f"  n{node.parent} -> n{i} [label={label}];"


def _infosets(outline: Outline) -> Iterator[str]:
    """Dashed lines that join an infoset without moving its nodes."""
    for members in outline.infosets.values():
        player = outline.nodes[members[0]].player
        for a, b in zip(members, members[1:], strict=False):
            yield (
                f'  n{a} -> n{b} [style=dashed, constraint=false, color="{colour(player)}", '
                f"label={_quoted('')}];"
            )
