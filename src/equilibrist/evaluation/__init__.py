"""How good a strategy is: values, best responses, gains, NashConv, exploitability."""

from __future__ import annotations

from equilibrist.evaluation.domination import DominatedAction, Domination, dominated_actions
from equilibrist.evaluation.duplicates import Estimate, Match, play_duplicates
from equilibrist.evaluation.families import FamilyReport, describe
from equilibrist.evaluation.response import (
    BestResponse,
    Evaluation,
    best_response,
    evaluate,
    evaluate_behaviour,
    expected_values,
    exploitability,
    nash_conv,
)

__all__ = [
    "BestResponse",
    "DominatedAction",
    "Domination",
    "Estimate",
    "Evaluation",
    "FamilyReport",
    "Match",
    "best_response",
    "describe",
    "dominated_actions",
    "evaluate",
    "evaluate_behaviour",
    "expected_values",
    "exploitability",
    "nash_conv",
    "play_duplicates",
]
