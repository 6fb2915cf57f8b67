"""Blueprints: strategies of whole hands of hold'em over card buckets, trained on sampled boards.

Names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "BlindStrategy": "equilibrist.poker.blueprint.evaluation.blind_response",
    "Blueprint": "equilibrist.poker.blueprint.policy",
    "BlueprintEvaluation": "equilibrist.poker.blueprint.evaluation.report",
    "CardResponse": "equilibrist.poker.blueprint.evaluation.card_response",
    "Discount": "equilibrist.poker.blueprint.training.trainer",
    "Exploiter": "equilibrist.poker.blueprint.evaluation.exploiter",
    "LocalResponse": "equilibrist.poker.blueprint.evaluation.local_response",
    "Pruning": "equilibrist.poker.blueprint.training.external",
    "Trainer": "equilibrist.poker.blueprint.training.trainer",
    "blind_response": "equilibrist.poker.blueprint.evaluation.blind_response",
    "card_response": "equilibrist.poker.blueprint.evaluation.card_response",
    "evaluate_blueprint": "equilibrist.poker.blueprint.evaluation.report",
    "exploit": "equilibrist.poker.blueprint.evaluation.exploiter",
    "local_response": "equilibrist.poker.blueprint.evaluation.local_response",
    "node_at": "equilibrist.poker.hands.tree_lines",
    "resume_blueprint": "equilibrist.poker.blueprint.training.train",
    "train_blueprint": "equilibrist.poker.blueprint.training.train",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.poker.blueprint.evaluation.blind_response import BlindStrategy as BlindStrategy
    from equilibrist.poker.blueprint.evaluation.blind_response import (
        blind_response as blind_response,
    )
    from equilibrist.poker.blueprint.evaluation.card_response import CardResponse as CardResponse
    from equilibrist.poker.blueprint.evaluation.card_response import card_response as card_response
    from equilibrist.poker.blueprint.evaluation.exploiter import Exploiter as Exploiter
    from equilibrist.poker.blueprint.evaluation.exploiter import exploit as exploit
    from equilibrist.poker.blueprint.evaluation.local_response import LocalResponse as LocalResponse
    from equilibrist.poker.blueprint.evaluation.local_response import (
        local_response as local_response,
    )
    from equilibrist.poker.blueprint.evaluation.report import (
        BlueprintEvaluation as BlueprintEvaluation,
    )
    from equilibrist.poker.blueprint.evaluation.report import (
        evaluate_blueprint as evaluate_blueprint,
    )
    from equilibrist.poker.blueprint.policy import Blueprint as Blueprint
    from equilibrist.poker.blueprint.training.external import Pruning as Pruning
    from equilibrist.poker.blueprint.training.train import resume_blueprint as resume_blueprint
    from equilibrist.poker.blueprint.training.train import train_blueprint as train_blueprint
    from equilibrist.poker.blueprint.training.trainer import Discount as Discount
    from equilibrist.poker.blueprint.training.trainer import Trainer as Trainer
    from equilibrist.poker.hands.tree_lines import node_at as node_at
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
