"""Drawings of small game trees: SVG, PNG or PDF with an own layout, or DOT for Graphviz."""

from __future__ import annotations

from equilibrist.drawing.dot import to_dot as to_dot
from equilibrist.drawing.figure import to_picture as to_picture
from equilibrist.drawing.outline import MAX_NODES as MAX_NODES
from equilibrist.drawing.outline import Outline as Outline
from equilibrist.drawing.outline import OutlineNode as OutlineNode
from equilibrist.drawing.outline import outline as outline
from equilibrist.drawing.svg import to_svg as to_svg
