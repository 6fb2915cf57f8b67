"""The tree of a solution as a file for other programs."""

from __future__ import annotations

import os
from collections.abc import Callable

from equilibrist.parsing.arguments import function, instance
from equilibrist.poker.postflop.solution.result import PostflopResult
from equilibrist.poker.postflop.solution.tree_files.plan import ExportPlan
from equilibrist.poker.postflop.solution.tree_files.tree_filter import NodeFilter
from equilibrist.poker.postflop.solution.tree_files.writing import write_nodes
from equilibrist.poker.ranges.range import Range


def export(
    solution: PostflopResult,
    path: str | os.PathLike[str],
    *,
    line: str = "",
    streets: str | None = None,
    hands: Range | str | None = None,
    all_runouts: bool = False,
    ends: bool = False,
    on_board: Callable[[int, int], None] | None = None,
    on_plan: Callable[[ExportPlan], None] | None = None,
) -> int:
    """Write the tree of a solution to a file, a node at a time, whole or not at all.

    Figures are rounded to six decimals, weights of hands to six significant digits, or in Parquet
    not at all.

    Args:
        solution: The solution.
        path: The file; its name ends in .json, .jsonl, .csv or .parquet (extra `pandas`).
        line: Write only the node of this line and those after it; cards that it leaves out are left
            open.
        streets: Write only these streets, such as `turn,river`.
        hands: Write only these hands, a range.
        all_runouts: Write every runout. By default one is written of those that are suit images of
            each other, with how many it stands for.
        ends: Also write nodes where nobody acts.
        on_board: Called before each board with how many are done, and of how many.
        on_plan: Called before the file is written with the nodes, boards, bytes and seconds that it
            will take; bytes and seconds are extrapolated from some of the boards: of many a
            hundredth, for Parquet a tenth.

    Returns:
        How many nodes were written.

    Raises:
        LineSyntaxError: The line cannot be read or played.
        RangeSyntaxError: The range cannot be read.
        ConfigError: Another argument is wrong, or nothing is left to write.
        OutputError: The file cannot be written.
    """
    spot = instance("solution", solution, PostflopResult, "a PostflopResult of poker.solve").spot
    choice = NodeFilter(spot, line, streets, hands, all_runouts=all_runouts, ends=ends)
    if on_board is not None:
        function("on_board", on_board)
    if on_plan is not None:
        function("on_plan", on_plan)
    return export_tree(solution, path, choice, on_board, on_plan)


def export_tree(
    solution: PostflopResult,
    path: str | os.PathLike[str],
    choice: NodeFilter,
    on_board: Callable[[int, int], None] | None = None,
    on_plan: Callable[[ExportPlan], None] | None = None,
) -> int:
    """Write the selected nodes and hands atomically; returns the number of nodes.

    `on_board` is called with the number of boards done and the total, and `on_plan` before. Raises
    ConfigError for another ending than SUFFIXES, and OutputError.
    """
    return write_nodes(solution.nodes, solution.facts, path, choice, on_board, on_plan)
