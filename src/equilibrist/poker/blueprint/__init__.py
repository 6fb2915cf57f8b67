"""Blueprints: strategies of whole hands of hold'em over card buckets, trained on sampled boards.

Names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "AbstractGame": "equilibrist.poker.blueprint.abstract_game",
    "AbstractSize": "equilibrist.poker.blueprint.abstract_game",
    "BlindStrategy": "equilibrist.poker.blueprint.evaluation.blind_response",
    "Blueprint": "equilibrist.poker.blueprint.policy",
    "BlueprintEvaluation": "equilibrist.poker.blueprint.evaluation.report",
    "CardResponse": "equilibrist.poker.blueprint.evaluation.card_response",
    "Discount": "equilibrist.poker.blueprint.training.trainer",
    "Exploiter": "equilibrist.poker.blueprint.evaluation.exploiter",
    "ExternalTrainer": "equilibrist.poker.blueprint.training.external",
    "FlopStart": "equilibrist.poker.blueprint.spots",
    "Litmus": "equilibrist.poker.blueprint.evaluation.litmus",
    "LocalResponse": "equilibrist.poker.blueprint.evaluation.local_response",
    "LocalSetting": "equilibrist.poker.blueprint.evaluation.local_response",
    "NodeValuer": "equilibrist.poker.blueprint.evaluation.node_values",
    "Pruning": "equilibrist.poker.blueprint.training.external",
    "SampledValuer": "equilibrist.poker.blueprint.evaluation.sampled_values",
    "Trainer": "equilibrist.poker.blueprint.training.trainer",
    "Workers": "equilibrist.poker.blueprint.training.rounds",
    "abstract_size": "equilibrist.poker.blueprint.abstract_game",
    "blind_response": "equilibrist.poker.blueprint.evaluation.blind_response",
    "card_response": "equilibrist.poker.blueprint.evaluation.card_response",
    "evaluate_blueprint": "equilibrist.poker.blueprint.evaluation.report",
    "exploit": "equilibrist.poker.blueprint.evaluation.exploiter",
    "flop_start": "equilibrist.poker.blueprint.spots",
    "local_response": "equilibrist.poker.blueprint.evaluation.local_response",
    "node_at": "equilibrist.poker.hands.tree_lines",
    "ranges_at": "equilibrist.poker.blueprint.policy",
    "resume_blueprint": "equilibrist.poker.blueprint.training.train",
    "train_blueprint": "equilibrist.poker.blueprint.training.train",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.poker.blueprint.abstract_game import AbstractGame as AbstractGame
    from equilibrist.poker.blueprint.abstract_game import AbstractSize as AbstractSize
    from equilibrist.poker.blueprint.abstract_game import abstract_size as abstract_size
    from equilibrist.poker.blueprint.evaluation.blind_response import BlindStrategy as BlindStrategy
    from equilibrist.poker.blueprint.evaluation.blind_response import (
        blind_response as blind_response,
    )
    from equilibrist.poker.blueprint.evaluation.card_response import CardResponse as CardResponse
    from equilibrist.poker.blueprint.evaluation.card_response import card_response as card_response
    from equilibrist.poker.blueprint.evaluation.exploiter import Exploiter as Exploiter
    from equilibrist.poker.blueprint.evaluation.exploiter import exploit as exploit
    from equilibrist.poker.blueprint.evaluation.litmus import Litmus as Litmus
    from equilibrist.poker.blueprint.evaluation.local_response import LocalResponse as LocalResponse
    from equilibrist.poker.blueprint.evaluation.local_response import LocalSetting as LocalSetting
    from equilibrist.poker.blueprint.evaluation.local_response import (
        local_response as local_response,
    )
    from equilibrist.poker.blueprint.evaluation.node_values import NodeValuer as NodeValuer
    from equilibrist.poker.blueprint.evaluation.report import (
        BlueprintEvaluation as BlueprintEvaluation,
    )
    from equilibrist.poker.blueprint.evaluation.report import (
        evaluate_blueprint as evaluate_blueprint,
    )
    from equilibrist.poker.blueprint.evaluation.sampled_values import SampledValuer as SampledValuer
    from equilibrist.poker.blueprint.policy import Blueprint as Blueprint
    from equilibrist.poker.blueprint.policy import ranges_at as ranges_at
    from equilibrist.poker.blueprint.spots import FlopStart as FlopStart
    from equilibrist.poker.blueprint.spots import flop_start as flop_start
    from equilibrist.poker.blueprint.training.external import ExternalTrainer as ExternalTrainer
    from equilibrist.poker.blueprint.training.external import Pruning as Pruning
    from equilibrist.poker.blueprint.training.rounds import Workers as Workers
    from equilibrist.poker.blueprint.training.train import resume_blueprint as resume_blueprint
    from equilibrist.poker.blueprint.training.train import train_blueprint as train_blueprint
    from equilibrist.poker.blueprint.training.trainer import Discount as Discount
    from equilibrist.poker.blueprint.training.trainer import Trainer as Trainer
    from equilibrist.poker.hands.tree_lines import node_at as node_at
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
