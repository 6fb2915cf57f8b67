"""Small game trees as pictures: SVG with a layout of our own, or DOT for Graphviz."""

from __future__ import annotations

from equilibrist.drawing.dot import to_dot
from equilibrist.drawing.outline import MAX_NODES, Outline, OutlineNode, outline
from equilibrist.drawing.svg import to_svg

__all__ = ["MAX_NODES", "Outline", "OutlineNode", "outline", "to_dot", "to_svg"]
