"""Compiled games: the walk of the rules, its checks, and the arrays that solvers read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "GameReport": "equilibrist.tree.checks.report",
    "GameTree": "equilibrist.tree.compile",
    "HistoryTree": "equilibrist.tree.forms.history_tree",
    "Problem": "equilibrist.tree.checks.report",
    "SequenceForm": "equilibrist.tree.forms.sequence_form",
    "StateGraph": "equilibrist.tree.state_graph",
    "share_states": "equilibrist.tree.shared_states",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.tree.checks.report import GameReport as GameReport
    from equilibrist.tree.checks.report import Problem as Problem
    from equilibrist.tree.compile import GameTree as GameTree
    from equilibrist.tree.forms.history_tree import HistoryTree as HistoryTree
    from equilibrist.tree.forms.sequence_form import SequenceForm as SequenceForm
    from equilibrist.tree.shared_states import share_states as share_states
    from equilibrist.tree.state_graph import StateGraph as StateGraph
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
