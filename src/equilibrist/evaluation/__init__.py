"""How good a strategy is: values, best responses, gains, NashConv, exploitability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "BestResponse": "equilibrist.evaluation.response",
    "DominatedAction": "equilibrist.evaluation.domination",
    "DominatedPlan": "equilibrist.evaluation.plan_domination",
    "DominatedSequence": "equilibrist.evaluation.sequence_domination",
    "Domination": "equilibrist.evaluation.domination",
    "Estimate": "equilibrist.evaluation.duplicates",
    "Evaluation": "equilibrist.evaluation.response",
    "FamilyReport": "equilibrist.evaluation.families",
    "InfosetValues": "equilibrist.evaluation.infosets",
    "LocalBestResponse": "equilibrist.evaluation.local_response",
    "Match": "equilibrist.evaluation.duplicates",
    "PlanDomination": "equilibrist.evaluation.plan_domination",
    "SequenceDomination": "equilibrist.evaluation.sequence_domination",
    "best_response": "equilibrist.evaluation.response",
    "describe": "equilibrist.evaluation.families",
    "dominated_actions": "equilibrist.evaluation.domination",
    "dominated_plans": "equilibrist.evaluation.plan_domination",
    "dominated_sequences": "equilibrist.evaluation.sequence_domination",
    "evaluate": "equilibrist.evaluation.response",
    "evaluate_behaviour": "equilibrist.evaluation.response",
    "expected_values": "equilibrist.evaluation.response",
    "exploitability": "equilibrist.evaluation.response",
    "infoset_reach": "equilibrist.evaluation.infosets",
    "infoset_values": "equilibrist.evaluation.infosets",
    "local_best_response": "equilibrist.evaluation.local_response",
    "nash_conv": "equilibrist.evaluation.response",
    "play_duplicates": "equilibrist.evaluation.duplicates",
    "reduced_normal_form": "equilibrist.evaluation.reduced_form",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.evaluation.domination import DominatedAction as DominatedAction
    from equilibrist.evaluation.domination import Domination as Domination
    from equilibrist.evaluation.domination import dominated_actions as dominated_actions
    from equilibrist.evaluation.duplicates import Estimate as Estimate
    from equilibrist.evaluation.duplicates import Match as Match
    from equilibrist.evaluation.duplicates import play_duplicates as play_duplicates
    from equilibrist.evaluation.families import FamilyReport as FamilyReport
    from equilibrist.evaluation.families import describe as describe
    from equilibrist.evaluation.infosets import InfosetValues as InfosetValues
    from equilibrist.evaluation.infosets import infoset_reach as infoset_reach
    from equilibrist.evaluation.infosets import infoset_values as infoset_values
    from equilibrist.evaluation.local_response import LocalBestResponse as LocalBestResponse
    from equilibrist.evaluation.local_response import local_best_response as local_best_response
    from equilibrist.evaluation.plan_domination import DominatedPlan as DominatedPlan
    from equilibrist.evaluation.plan_domination import PlanDomination as PlanDomination
    from equilibrist.evaluation.plan_domination import dominated_plans as dominated_plans
    from equilibrist.evaluation.reduced_form import reduced_normal_form as reduced_normal_form
    from equilibrist.evaluation.response import BestResponse as BestResponse
    from equilibrist.evaluation.response import Evaluation as Evaluation
    from equilibrist.evaluation.response import best_response as best_response
    from equilibrist.evaluation.response import evaluate as evaluate
    from equilibrist.evaluation.response import evaluate_behaviour as evaluate_behaviour
    from equilibrist.evaluation.response import expected_values as expected_values
    from equilibrist.evaluation.response import exploitability as exploitability
    from equilibrist.evaluation.response import nash_conv as nash_conv
    from equilibrist.evaluation.sequence_domination import DominatedSequence as DominatedSequence
    from equilibrist.evaluation.sequence_domination import SequenceDomination as SequenceDomination
    from equilibrist.evaluation.sequence_domination import (
        dominated_sequences as dominated_sequences,
    )
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
