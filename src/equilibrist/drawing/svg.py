"""A drawn game tree as SVG: players in colours, diamonds for chance, dashed lines for infosets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from equilibrist.drawing.layout import (
    LABEL_AT,
    RADIUS,
    Layout,
    edge_label,
    lay_out,
    payoff_text,
)
from equilibrist.drawing.outline import Outline
from equilibrist.formatting.escaping import escape_control_chars

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7A6A00", "#56B4E9", "#8A3FFC", "#A2191F")
"""One per player, distinct for colour-blind readers (after Okabe and Ito)."""
MARGIN = 24.0
"""Around the drawing, in pixels."""
HEADER = 46.0
"""The height of title and legend."""
_STYLE = (
    "text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:11px;fill:#222}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
    ".edge{stroke:#888;fill:none}.set{fill:none;stroke-width:1.6;stroke-dasharray:5 4}"
)


def colour(player: int) -> str:
    """The colour of a player."""
    return COLOURS[player % len(COLOURS)]


def to_svg(outline: Outline) -> str:
    """Write the drawing as the text of an SVG file; equal outlines give equal texts."""
    layout = lay_out(outline)
    legend = list(_legend(outline))
    width = max(layout.width, legend_width(outline)) + 2 * MARGIN
    height = layout.height + HEADER + 2 * MARGIN
    left = (width - layout.width) / 2
    size = f'width="{width:.0f}" height="{height:.0f}"'
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">',
        f"<title>{_shown(title(outline))}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect {size} fill="#fff"/>',
        *legend,
        f'<g transform="translate({left:.1f} {HEADER + MARGIN:.1f})">',
        *_infosets(outline, layout),
        *_edges(outline, layout),
        *_nodes(outline, layout),
        *_edge_labels(outline, layout),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _shown(text: str) -> str:
    return escape(escape_control_chars(text))


def title(outline: Outline) -> str:
    """The game, and where in it the drawing begins."""
    place = f" after {', '.join(outline.start)}" if outline.start else ""
    return escape_control_chars(f"{outline.game}{place}")


def legend_width(outline: Outline) -> float:
    """The width that title and legend need."""
    named = 84.0 * outline.num_players + 290.0
    return max(named, 8.0 * len(title(outline)))


def _legend(outline: Outline) -> Iterator[str]:
    yield (
        f'<text x="{MARGIN}" y="{MARGIN + 4}" style="font-size:15px;font-weight:bold">'
        f"{_shown(title(outline))}</text>"
    )
    x, y = MARGIN + 6, MARGIN + 26
    for player in range(outline.num_players):
        yield f'<circle cx="{x}" cy="{y - 4}" r="6" fill="{colour(player)}"/>'
        yield f'<text x="{x + 11}" y="{y}">player {player}</text>'
        x += 84
    yield _diamond(x, y - 4, 7)
    yield f'<text x="{x + 12}" y="{y}">chance</text>'
    x += 74
    yield f'<path class="set" stroke="#444" d="M{x} {y - 4}h26"/>'
    yield f'<text x="{x + 33}" y="{y}">one infoset: not told apart</text>'


def _diamond(x: float, y: float, r: float) -> str:
    return f'<path d="M{x:.1f} {y - r:.1f}l{r} {r}l{-r} {r}l{-r} {-r}z" fill="#eee" stroke="#666"/>'


def _edges(outline: Outline, layout: Layout) -> Iterator[str]:
    for i, node in enumerate(outline.nodes[1:], start=1):
        weight = 1.3 if node.probability is None else 0.7 + 2.3 * node.probability
        dim = ' opacity="0.45"' if node.probability == 0.0 else ""
        yield (
            f'<path class="edge" stroke-width="{weight:.2f}"{dim} '
            f'd="M{layout.x[node.parent]:.1f} {layout.y[node.parent]:.1f}'
            f'L{layout.x[i]:.1f} {layout.y[i]:.1f}"/>'
        )


def _edge_labels(outline: Outline, layout: Layout) -> Iterator[str]:
    for i, node in enumerate(outline.nodes[1:], start=1):
        x = (1 - LABEL_AT) * layout.x[node.parent] + LABEL_AT * layout.x[i]
        y = (1 - LABEL_AT) * layout.y[node.parent] + LABEL_AT * layout.y[i]
        yield _lines(x, y, edge_label(node.action, node.probability), "middle")


def _lines(x: float, y: float, lines: Sequence[str], anchor: str, fills: Sequence[str] = ()) -> str:
    spans = "".join(
        f'<tspan x="{x:.1f}" dy="{0 if k == 0 else 12}"'
        + (f' fill="{fills[k]}"' if fills else "")
        + f">{_shown(line)}</tspan>"
        for k, line in enumerate(lines)
    )
    return f'<text class="halo" y="{y:.1f}" text-anchor="{anchor}">{spans}</text>'


def _infosets(outline: Outline, layout: Layout) -> Iterator[str]:
    """Dashed lines between neighbours of one infoset, curved where their depths differ."""
    for key, members in outline.infosets.items():
        player = outline.nodes[members[0]].player
        order = sorted(members, key=lambda i: (outline.nodes[i].depth, layout.x[i]))
        for a, b in zip(order, order[1:], strict=False):
            path = f"M{layout.x[a]:.1f} {layout.y[a]:.1f}"
            if layout.y[a] == layout.y[b]:
                path += f"L{layout.x[b]:.1f} {layout.y[b]:.1f}"
            else:
                bend = (layout.x[a] + layout.x[b]) / 2 + 40
                middle = (layout.y[a] + layout.y[b]) / 2
                path += f"Q{bend:.1f} {middle:.1f} {layout.x[b]:.1f} {layout.y[b]:.1f}"
            yield (
                f'<path class="set" stroke="{colour(player)}" d="{path}">'
                f"<title>infoset {_shown(key)}</title></path>"
            )


def _nodes(outline: Outline, layout: Layout) -> Iterator[str]:
    for i, node in enumerate(outline.nodes):
        x, y = layout.x[i], layout.y[i]
        if node.kind == "chance":
            yield _diamond(x, y, RADIUS)
        elif node.kind == "decision":
            yield (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{colour(node.player)}">'
                f"<title>player {node.player}, infoset {_shown(node.infoset)}</title></circle>"
                f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" '
                f'style="fill:#fff;font-weight:bold">{node.player}</text>'
            )
            yield _lines(x + RADIUS + 4, y + 4, [node.infoset], "start", [colour(node.player)])
        else:
            fills = [colour(p) for p in range(len(node.payoffs))]
            texts = [payoff_text(p) for p in node.payoffs]
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#444"/>'
            yield _lines(x, y + 16, texts, "middle", fills)
