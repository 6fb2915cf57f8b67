"""Algorithms: variants of CFR as data, and the drivers that run them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "AlgorithmInfo": "equilibrist.solvers.catalogue",
    "CFR": "equilibrist.solvers.full_traversal.cfr",
    "CFRBR": "equilibrist.solvers.full_traversal.best_response_solvers",
    "Choice": "equilibrist.reference.sampling.choices",
    "EFR": "equilibrist.solvers.full_traversal.efr",
    "FSICFR": "equilibrist.solvers.full_traversal.fsicfr",
    "HistoryCFR": "equilibrist.solvers.full_traversal.history_cfr",
    "ImplicitMCCFR": "equilibrist.solvers.implicit.mccfr",
    "IterativeSolver": "equilibrist.solvers.run.solver",
    "LinearSolution": "equilibrist.solvers.matrix.lp",
    "LocalRule": "equilibrist.solvers.variants.local_rule",
    "MCCFR": "equilibrist.solvers.sampling.mccfr",
    "MatchingResult": "equilibrist.solvers.matrix.matching_result",
    "MixedCFR": "equilibrist.solvers.full_traversal.mixed_play",
    "Mixture": "equilibrist.solvers.full_traversal.mixing",
    "NoDiscount": "equilibrist.solvers.variants.schedules",
    "NodeView": "equilibrist.reference.sampling.choices",
    "NormalForm": "equilibrist.solvers.matrix.normal_form",
    "OwnSampler": "equilibrist.solvers.sampling.own",
    "PartialCFR": "equilibrist.solvers.pruning.partial",
    "PowerAverage": "equilibrist.solvers.variants.schedules",
    "PowerDiscount": "equilibrist.solvers.variants.schedules",
    "PrunedCFR": "equilibrist.solvers.pruning.pruned_cfr",
    "RegretMatching": "equilibrist.solvers.matrix.regret_matching",
    "SamplerInfo": "equilibrist.solvers.catalogue",
    "Trembles": "equilibrist.solvers.full_traversal.mixing",
    "Variant": "equilibrist.solvers.variants.variant",
    "XFP": "equilibrist.solvers.full_traversal.best_response_solvers",
    "SamplerReport": "equilibrist.solvers.sampling.expectation",
    "algorithm_info": "equilibrist.solvers.catalogue",
    "check_sampler": "equilibrist.solvers.sampling.expectation",
    "get_variant": "equilibrist.solvers.variants.registry",
    "list_algorithms": "equilibrist.solvers.catalogue",
    "list_samplers": "equilibrist.solvers.catalogue",
    "read_normal_form": "equilibrist.solvers.matrix.normal_form",
    "sampler_info": "equilibrist.solvers.catalogue",
    "solve_lp": "equilibrist.solvers.matrix.lp",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.reference.sampling.choices import Choice as Choice
    from equilibrist.reference.sampling.choices import NodeView as NodeView
    from equilibrist.solvers.catalogue import AlgorithmInfo as AlgorithmInfo
    from equilibrist.solvers.catalogue import SamplerInfo as SamplerInfo
    from equilibrist.solvers.catalogue import algorithm_info as algorithm_info
    from equilibrist.solvers.catalogue import list_algorithms as list_algorithms
    from equilibrist.solvers.catalogue import list_samplers as list_samplers
    from equilibrist.solvers.catalogue import sampler_info as sampler_info
    from equilibrist.solvers.full_traversal.best_response_solvers import CFRBR as CFRBR
    from equilibrist.solvers.full_traversal.best_response_solvers import XFP as XFP
    from equilibrist.solvers.full_traversal.cfr import CFR as CFR
    from equilibrist.solvers.full_traversal.efr import EFR as EFR
    from equilibrist.solvers.full_traversal.fsicfr import FSICFR as FSICFR
    from equilibrist.solvers.full_traversal.history_cfr import HistoryCFR as HistoryCFR
    from equilibrist.solvers.full_traversal.mixed_play import MixedCFR as MixedCFR
    from equilibrist.solvers.full_traversal.mixing import Mixture as Mixture
    from equilibrist.solvers.full_traversal.mixing import Trembles as Trembles
    from equilibrist.solvers.implicit.mccfr import ImplicitMCCFR as ImplicitMCCFR
    from equilibrist.solvers.matrix.lp import LinearSolution as LinearSolution
    from equilibrist.solvers.matrix.lp import solve_lp as solve_lp
    from equilibrist.solvers.matrix.matching_result import MatchingResult as MatchingResult
    from equilibrist.solvers.matrix.normal_form import NormalForm as NormalForm
    from equilibrist.solvers.matrix.normal_form import read_normal_form as read_normal_form
    from equilibrist.solvers.matrix.regret_matching import RegretMatching as RegretMatching
    from equilibrist.solvers.pruning.partial import PartialCFR as PartialCFR
    from equilibrist.solvers.pruning.pruned_cfr import PrunedCFR as PrunedCFR
    from equilibrist.solvers.run.solver import IterativeSolver as IterativeSolver
    from equilibrist.solvers.sampling.expectation import SamplerReport as SamplerReport
    from equilibrist.solvers.sampling.expectation import check_sampler as check_sampler
    from equilibrist.solvers.sampling.mccfr import MCCFR as MCCFR
    from equilibrist.solvers.sampling.own import OwnSampler as OwnSampler
    from equilibrist.solvers.variants.local_rule import LocalRule as LocalRule
    from equilibrist.solvers.variants.registry import get_variant as get_variant
    from equilibrist.solvers.variants.schedules import NoDiscount as NoDiscount
    from equilibrist.solvers.variants.schedules import PowerAverage as PowerAverage
    from equilibrist.solvers.variants.schedules import PowerDiscount as PowerDiscount
    from equilibrist.solvers.variants.variant import Variant as Variant
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
