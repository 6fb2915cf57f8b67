"""Blueprints: strategies of whole hands of hold'em over card buckets, trained on sampled boards.

Names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "AbstractGame": "equilibrist.blueprint.abstract_game",
    "AbstractSize": "equilibrist.blueprint.abstract_game",
    "BlindStrategy": "equilibrist.blueprint.evaluation.blind_response",
    "Blueprint": "equilibrist.blueprint.policy",
    "BlueprintEvaluation": "equilibrist.blueprint.evaluation.report",
    "BlueprintNode": "equilibrist.blueprint.preflop_grids",
    "CardResponse": "equilibrist.blueprint.evaluation.card_response",
    "Discount": "equilibrist.blueprint.training.discount",
    "Exploiter": "equilibrist.blueprint.evaluation.exploiter",
    "ExternalTrainer": "equilibrist.blueprint.training.external",
    "FlopStart": "equilibrist.blueprint.spots",
    "Litmus": "equilibrist.blueprint.evaluation.litmus",
    "LocalResponse": "equilibrist.blueprint.evaluation.local_response",
    "LocalSetting": "equilibrist.blueprint.evaluation.local_response",
    "NodeValuer": "equilibrist.blueprint.evaluation.node_values",
    "Pruning": "equilibrist.blueprint.training.external",
    "SampledValuer": "equilibrist.blueprint.evaluation.sampled_values",
    "Trainer": "equilibrist.blueprint.training.trainer",
    "TrainingProgress": "equilibrist.blueprint.training.run",
    "Workers": "equilibrist.blueprint.training.workers",
    "abstract_size": "equilibrist.blueprint.abstract_game",
    "blind_response": "equilibrist.blueprint.evaluation.blind_response",
    "card_response": "equilibrist.blueprint.evaluation.card_response",
    "draw_node": "equilibrist.blueprint.pictures",
    "evaluate_blueprint": "equilibrist.blueprint.evaluation.report",
    "exploit": "equilibrist.blueprint.evaluation.exploiter",
    "flop_start": "equilibrist.blueprint.spots",
    "local_response": "equilibrist.blueprint.evaluation.local_response",
    "node_at": "equilibrist.poker.holdem.tree_lines",
    "preflop_nodes": "equilibrist.blueprint.preflop_grids",
    "ranges_at": "equilibrist.blueprint.lines",
    "resume_blueprint": "equilibrist.blueprint.training.train",
    "train_blueprint": "equilibrist.blueprint.training.train",
    "write_preflop": "equilibrist.blueprint.preflop_grids",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.blueprint.abstract_game import AbstractGame as AbstractGame
    from equilibrist.blueprint.abstract_game import AbstractSize as AbstractSize
    from equilibrist.blueprint.abstract_game import abstract_size as abstract_size
    from equilibrist.blueprint.evaluation.blind_response import BlindStrategy as BlindStrategy
    from equilibrist.blueprint.evaluation.blind_response import blind_response as blind_response
    from equilibrist.blueprint.evaluation.card_response import CardResponse as CardResponse
    from equilibrist.blueprint.evaluation.card_response import card_response as card_response
    from equilibrist.blueprint.evaluation.exploiter import Exploiter as Exploiter
    from equilibrist.blueprint.evaluation.exploiter import exploit as exploit
    from equilibrist.blueprint.evaluation.litmus import Litmus as Litmus
    from equilibrist.blueprint.evaluation.local_response import LocalResponse as LocalResponse
    from equilibrist.blueprint.evaluation.local_response import LocalSetting as LocalSetting
    from equilibrist.blueprint.evaluation.local_response import local_response as local_response
    from equilibrist.blueprint.evaluation.node_values import NodeValuer as NodeValuer
    from equilibrist.blueprint.evaluation.report import BlueprintEvaluation as BlueprintEvaluation
    from equilibrist.blueprint.evaluation.report import evaluate_blueprint as evaluate_blueprint
    from equilibrist.blueprint.evaluation.sampled_values import SampledValuer as SampledValuer
    from equilibrist.blueprint.lines import ranges_at as ranges_at
    from equilibrist.blueprint.pictures import draw_node as draw_node
    from equilibrist.blueprint.policy import Blueprint as Blueprint
    from equilibrist.blueprint.preflop_grids import BlueprintNode as BlueprintNode
    from equilibrist.blueprint.preflop_grids import preflop_nodes as preflop_nodes
    from equilibrist.blueprint.preflop_grids import write_preflop as write_preflop
    from equilibrist.blueprint.spots import FlopStart as FlopStart
    from equilibrist.blueprint.spots import flop_start as flop_start
    from equilibrist.blueprint.training.discount import Discount as Discount
    from equilibrist.blueprint.training.external import ExternalTrainer as ExternalTrainer
    from equilibrist.blueprint.training.external import Pruning as Pruning
    from equilibrist.blueprint.training.run import TrainingProgress as TrainingProgress
    from equilibrist.blueprint.training.train import resume_blueprint as resume_blueprint
    from equilibrist.blueprint.training.train import train_blueprint as train_blueprint
    from equilibrist.blueprint.training.trainer import Trainer as Trainer
    from equilibrist.blueprint.training.workers import Workers as Workers
    from equilibrist.poker.holdem.tree_lines import node_at as node_at
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
