"""Blueprints: strategies of whole hands of hold'em over card buckets, trained on sampled boards.

Names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "AbstractGame": "equilibrist.blueprint.abstract_game",
    "AbstractSize": "equilibrist.blueprint.abstract_game",
    "Blueprint": "equilibrist.blueprint.policy",
    "Discount": "equilibrist.blueprint.discount",
    "ExternalTrainer": "equilibrist.blueprint.external",
    "FlopStart": "equilibrist.blueprint.spots",
    "PreflopNode": "equilibrist.blueprint.preflop_grids",
    "Pruning": "equilibrist.blueprint.external",
    "Trainer": "equilibrist.blueprint.trainer",
    "TrainingProgress": "equilibrist.blueprint.run",
    "Workers": "equilibrist.blueprint.workers",
    "abstract_size": "equilibrist.blueprint.abstract_game",
    "flop_start": "equilibrist.blueprint.spots",
    "node_at": "equilibrist.blueprint.lines",
    "preflop_nodes": "equilibrist.blueprint.preflop_grids",
    "ranges_at": "equilibrist.blueprint.lines",
    "resume_blueprint": "equilibrist.blueprint.training",
    "train_blueprint": "equilibrist.blueprint.training",
    "write_preflop": "equilibrist.blueprint.preflop_grids",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.blueprint.abstract_game import AbstractGame as AbstractGame
    from equilibrist.blueprint.abstract_game import AbstractSize as AbstractSize
    from equilibrist.blueprint.abstract_game import abstract_size as abstract_size
    from equilibrist.blueprint.discount import Discount as Discount
    from equilibrist.blueprint.external import ExternalTrainer as ExternalTrainer
    from equilibrist.blueprint.external import Pruning as Pruning
    from equilibrist.blueprint.lines import node_at as node_at
    from equilibrist.blueprint.lines import ranges_at as ranges_at
    from equilibrist.blueprint.policy import Blueprint as Blueprint
    from equilibrist.blueprint.preflop_grids import PreflopNode as PreflopNode
    from equilibrist.blueprint.preflop_grids import preflop_nodes as preflop_nodes
    from equilibrist.blueprint.preflop_grids import write_preflop as write_preflop
    from equilibrist.blueprint.run import TrainingProgress as TrainingProgress
    from equilibrist.blueprint.spots import FlopStart as FlopStart
    from equilibrist.blueprint.spots import flop_start as flop_start
    from equilibrist.blueprint.trainer import Trainer as Trainer
    from equilibrist.blueprint.training import resume_blueprint as resume_blueprint
    from equilibrist.blueprint.training import train_blueprint as train_blueprint
    from equilibrist.blueprint.workers import Workers as Workers
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
