"""Hold'em: cards, ranges, equity, betting, and spots that are solved, saved and looked up.

Names are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "AllInTable": "equilibrist.poker.preflop.allin_table",
    "BatchReport": "equilibrist.poker.postflop.files.batch",
    "BettingRules": "equilibrist.poker.betting.rules",
    "Board": "equilibrist.poker.postflop.files.boards",
    "BucketPoint": "equilibrist.poker.preflop.exact.abstract.report",
    "BucketReport": "equilibrist.poker.preflop.exact.abstract.report",
    "CLASS_NAMES": "equilibrist.poker.cards.combos",
    "CardBuckets": "equilibrist.poker.buckets.card_buckets",
    "CheckDown": "equilibrist.poker.postflop.leaf_values.check_down",
    "ClassValues": "equilibrist.poker.decisions.strategy_grid",
    "Decision": "equilibrist.poker.decisions.decision",
    "EQUITY_AGAINST_RANDOM": "equilibrist.poker.cards.hand_ranking",
    "Equity": "equilibrist.poker.equities.equity",
    "EstimatedRun": "equilibrist.poker.postflop.estimate.runtime",
    "ExactStrategy": "equilibrist.poker.preflop.exact.strategy",
    "Examination": "equilibrist.poker.postflop.solving.examination",
    "ExaminationReport": "equilibrist.poker.postflop.files.examinations",
    "FixedStrategies": "equilibrist.poker.postflop.leaf_values.fixed_strategy",
    "Flop": "equilibrist.poker.cards.flops",
    "FlopSolution": "equilibrist.poker.preflop.exact.flops.solution",
    "Hand": "equilibrist.poker.hands.hand",
    "HandCount": "equilibrist.poker.preflop.game_size",
    "HandReport": "equilibrist.poker.buckets.hand_report",
    "HandSolution": "equilibrist.poker.decisions.solution",
    "HoldemGame": "equilibrist.poker.hands.game",
    "HoldemLeafValues": "equilibrist.poker.postflop.engine.leaves",
    "KeptBoards": "equilibrist.poker.postflop.files.kept_boards",
    "LeafSolver": "equilibrist.poker.postflop.solving.leaf_solver",
    "Leaves": "equilibrist.poker.postflop.engine.leaves",
    "Lock": "equilibrist.poker.postflop.spot.lock",
    "LockEntry": "equilibrist.poker.postflop.spot.lock",
    "LossDistribution": "equilibrist.poker.postflop.files.mistakes",
    "LossSummary": "equilibrist.poker.postflop.solving.examination",
    "MenuLoss": "equilibrist.poker.postflop.menus.study",
    "MenuStudy": "equilibrist.poker.postflop.menus.study",
    "MenuTranslation": "equilibrist.poker.preflop.exact.menu_translation",
    "MultiwayEquity": "equilibrist.poker.equities.multiway",
    "MultiwaySolution": "equilibrist.poker.preflop.multiway.solution",
    "Mistake": "equilibrist.poker.postflop.files.mistakes",
    "MistakeReport": "equilibrist.poker.postflop.files.mistakes",
    "NamedStrategist": "equilibrist.poker.postflop.files.strategists",
    "OMISSIONS": "equilibrist.poker.postflop.setups.set_up",
    "Omission": "equilibrist.poker.postflop.setups.set_up",
    "PRESETS": "equilibrist.poker.ranges.presets",
    "PostflopResult": "equilibrist.poker.postflop.solution.result",
    "PreflopSolution": "equilibrist.poker.preflop.exact.solution",
    "PushFold": "equilibrist.poker.preflop.push_fold.game",
    "PushFoldSolution": "equilibrist.poker.preflop.push_fold.solution",
    "Range": "equilibrist.poker.ranges.range",
    "RangeFolder": "equilibrist.poker.ranges.range_folders",
    "SeatLoss": "equilibrist.poker.postflop.solving.examination",
    "SeatMenus": "equilibrist.poker.postflop.menus.study",
    "SetUp": "equilibrist.poker.postflop.setups.set_up",
    "SolvedFlops": "equilibrist.poker.preflop.exact.flops.solved",
    "SolvedValue": "equilibrist.poker.postflop.solving.examination",
    "Spot": "equilibrist.poker.postflop.spot.spot",
    "SpotEvaluation": "equilibrist.poker.postflop.files.evaluation",
    "SpotSize": "equilibrist.poker.postflop.estimate.size",
    "SpotSolver": "equilibrist.poker.postflop.solving.solver",
    "SpotStrategy": "equilibrist.poker.postflop.solution.spot_strategy",
    "TableComparison": "equilibrist.poker.postflop.files.comparison",
    "ThreeNeeds": "equilibrist.poker.three_players.needs",
    "ThreeNode": "equilibrist.poker.three_players.node",
    "ThreeSolution": "equilibrist.poker.three_players.solution",
    "ThreeSpot": "equilibrist.poker.three_players.spot",
    "ThreeStarts": "equilibrist.poker.three_players.starts",
    "Thresholds": "equilibrist.poker.betting.bet_sizes",
    "TournamentValues": "equilibrist.poker.tournaments.values",
    "ValuesOfArrays": "equilibrist.poker.postflop.engine.leaves",
    "batch": "equilibrist.poker.postflop.files.batch",
    "bucket_report": "equilibrist.poker.preflop.exact.abstract.report",
    "build_card_buckets": "equilibrist.poker.buckets.build",
    "canonical_flop": "equilibrist.poker.cards.flops",
    "card_name": "equilibrist.poker.cards.cards",
    "card_names": "equilibrist.poker.cards.cards",
    "category": "equilibrist.poker.cards.evaluator",
    "class_combos": "equilibrist.poker.cards.combos",
    "combo_name": "equilibrist.poker.cards.combos",
    "combo_strengths": "equilibrist.poker.cards.evaluator",
    "compare_frequencies": "equilibrist.poker.postflop.files.comparison",
    "count_hand": "equilibrist.poker.preflop.game_size",
    "equity": "equilibrist.poker.equities.equity",
    "estimate": "equilibrist.poker.postflop.estimate.size",
    "evaluate_spot": "equilibrist.poker.postflop.files.evaluation",
    "examine": "equilibrist.poker.postflop.solving.examination",
    "examine_boards": "equilibrist.poker.postflop.files.examinations",
    "export": "equilibrist.poker.postflop.files.tree_export",
    "find_menus": "equilibrist.poker.postflop.menus.study",
    "flop_boards": "equilibrist.poker.postflop.files.boards",
    "flop_subset": "equilibrist.poker.cards.flops",
    "flops": "equilibrist.poker.cards.flops",
    "hand_report": "equilibrist.poker.buckets.hand_report",
    "hand_strength": "equilibrist.poker.cards.evaluator",
    "hand_strengths": "equilibrist.poker.cards.evaluator",
    "icm": "equilibrist.poker.tournaments.icm",
    "measure_mistakes": "equilibrist.poker.postflop.files.mistakes",
    "multiway_equity": "equilibrist.poker.equities.multiway",
    "parse_board": "equilibrist.poker.cards.cards",
    "parse_card": "equilibrist.poker.cards.cards",
    "parse_cards": "equilibrist.poker.cards.cards",
    "parse_combo": "equilibrist.poker.cards.combos",
    "push_fold": "equilibrist.poker.preflop.push_fold.solving",
    "read_boards": "equilibrist.poker.postflop.files.boards",
    "read_range_file": "equilibrist.poker.ranges.range_files",
    "read_range_folder": "equilibrist.poker.ranges.range_folders",
    "read_setup": "equilibrist.poker.postflop.setups.files",
    "resume": "equilibrist.poker.postflop.solving.spot_runs",
    "runouts": "equilibrist.poker.postflop.files.runout_report",
    "setup_text": "equilibrist.poker.postflop.setups.files",
    "smaller_spots": "equilibrist.poker.postflop.estimate.reductions",
    "solve": "equilibrist.poker.postflop.solving.spot_runs",
    "solve_multiway": "equilibrist.poker.preflop.multiway.solving",
    "solve_from_starts": "equilibrist.poker.three_players.solving",
    "solve_over_values": "equilibrist.poker.postflop.files.street_over_values",
    "solve_preflop": "equilibrist.poker.preflop.exact.solving",
    "solve_three": "equilibrist.poker.three_players.solving",
    "strategist_of_file": "equilibrist.poker.postflop.files.strategists",
    "strategist_over_values": "equilibrist.poker.postflop.files.strategists",
    "street_menus": "equilibrist.poker.betting.state",
    "three_needs": "equilibrist.poker.three_players.needs",
    "tournament_values": "equilibrist.poker.tournaments.values",
    "write_charts": "equilibrist.poker.preflop.push_fold.solution",
    "write_range_file": "equilibrist.poker.ranges.range_files",
    "write_setup": "equilibrist.poker.postflop.setups.files",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.poker.betting.bet_sizes import Thresholds as Thresholds
    from equilibrist.poker.betting.rules import BettingRules as BettingRules
    from equilibrist.poker.betting.state import street_menus as street_menus
    from equilibrist.poker.buckets.build import build_card_buckets as build_card_buckets
    from equilibrist.poker.buckets.card_buckets import CardBuckets as CardBuckets
    from equilibrist.poker.buckets.hand_report import HandReport as HandReport
    from equilibrist.poker.buckets.hand_report import hand_report as hand_report
    from equilibrist.poker.cards.cards import card_name as card_name
    from equilibrist.poker.cards.cards import card_names as card_names
    from equilibrist.poker.cards.cards import parse_board as parse_board
    from equilibrist.poker.cards.cards import parse_card as parse_card
    from equilibrist.poker.cards.cards import parse_cards as parse_cards
    from equilibrist.poker.cards.combos import CLASS_NAMES as CLASS_NAMES
    from equilibrist.poker.cards.combos import class_combos as class_combos
    from equilibrist.poker.cards.combos import combo_name as combo_name
    from equilibrist.poker.cards.combos import parse_combo as parse_combo
    from equilibrist.poker.cards.evaluator import category as category
    from equilibrist.poker.cards.evaluator import combo_strengths as combo_strengths
    from equilibrist.poker.cards.evaluator import hand_strength as hand_strength
    from equilibrist.poker.cards.evaluator import hand_strengths as hand_strengths
    from equilibrist.poker.cards.flops import Flop as Flop
    from equilibrist.poker.cards.flops import canonical_flop as canonical_flop
    from equilibrist.poker.cards.flops import flop_subset as flop_subset
    from equilibrist.poker.cards.flops import flops as flops
    from equilibrist.poker.cards.hand_ranking import EQUITY_AGAINST_RANDOM as EQUITY_AGAINST_RANDOM
    from equilibrist.poker.decisions.decision import Decision as Decision
    from equilibrist.poker.decisions.solution import HandSolution as HandSolution
    from equilibrist.poker.decisions.strategy_grid import ClassValues as ClassValues
    from equilibrist.poker.equities.equity import Equity as Equity
    from equilibrist.poker.equities.equity import equity as equity
    from equilibrist.poker.equities.multiway import MultiwayEquity as MultiwayEquity
    from equilibrist.poker.equities.multiway import multiway_equity as multiway_equity
    from equilibrist.poker.hands.game import HoldemGame as HoldemGame
    from equilibrist.poker.hands.hand import Hand as Hand
    from equilibrist.poker.postflop.engine.leaves import HoldemLeafValues as HoldemLeafValues
    from equilibrist.poker.postflop.engine.leaves import Leaves as Leaves
    from equilibrist.poker.postflop.engine.leaves import ValuesOfArrays as ValuesOfArrays
    from equilibrist.poker.postflop.estimate.reductions import smaller_spots as smaller_spots
    from equilibrist.poker.postflop.estimate.runtime import EstimatedRun as EstimatedRun
    from equilibrist.poker.postflop.estimate.size import SpotSize as SpotSize
    from equilibrist.poker.postflop.estimate.size import estimate as estimate
    from equilibrist.poker.postflop.files.batch import BatchReport as BatchReport
    from equilibrist.poker.postflop.files.batch import batch as batch
    from equilibrist.poker.postflop.files.boards import Board as Board
    from equilibrist.poker.postflop.files.boards import flop_boards as flop_boards
    from equilibrist.poker.postflop.files.boards import read_boards as read_boards
    from equilibrist.poker.postflop.files.comparison import TableComparison as TableComparison
    from equilibrist.poker.postflop.files.comparison import (
        compare_frequencies as compare_frequencies,
    )
    from equilibrist.poker.postflop.files.evaluation import SpotEvaluation as SpotEvaluation
    from equilibrist.poker.postflop.files.evaluation import evaluate_spot as evaluate_spot
    from equilibrist.poker.postflop.files.examinations import ExaminationReport as ExaminationReport
    from equilibrist.poker.postflop.files.examinations import examine_boards as examine_boards
    from equilibrist.poker.postflop.files.kept_boards import KeptBoards as KeptBoards
    from equilibrist.poker.postflop.files.mistakes import LossDistribution as LossDistribution
    from equilibrist.poker.postflop.files.mistakes import Mistake as Mistake
    from equilibrist.poker.postflop.files.mistakes import MistakeReport as MistakeReport
    from equilibrist.poker.postflop.files.mistakes import measure_mistakes as measure_mistakes
    from equilibrist.poker.postflop.files.runout_report import runouts as runouts
    from equilibrist.poker.postflop.files.strategists import NamedStrategist as NamedStrategist
    from equilibrist.poker.postflop.files.strategists import (
        strategist_of_file as strategist_of_file,
    )
    from equilibrist.poker.postflop.files.strategists import (
        strategist_over_values as strategist_over_values,
    )
    from equilibrist.poker.postflop.files.street_over_values import (
        solve_over_values as solve_over_values,
    )
    from equilibrist.poker.postflop.files.tree_export import export as export
    from equilibrist.poker.postflop.leaf_values.check_down import CheckDown as CheckDown
    from equilibrist.poker.postflop.leaf_values.fixed_strategy import (
        FixedStrategies as FixedStrategies,
    )
    from equilibrist.poker.postflop.menus.study import MenuLoss as MenuLoss
    from equilibrist.poker.postflop.menus.study import MenuStudy as MenuStudy
    from equilibrist.poker.postflop.menus.study import SeatMenus as SeatMenus
    from equilibrist.poker.postflop.menus.study import find_menus as find_menus
    from equilibrist.poker.postflop.setups.files import read_setup as read_setup
    from equilibrist.poker.postflop.setups.files import setup_text as setup_text
    from equilibrist.poker.postflop.setups.files import write_setup as write_setup
    from equilibrist.poker.postflop.setups.set_up import OMISSIONS as OMISSIONS
    from equilibrist.poker.postflop.setups.set_up import Omission as Omission
    from equilibrist.poker.postflop.setups.set_up import SetUp as SetUp
    from equilibrist.poker.postflop.solution.result import PostflopResult as PostflopResult
    from equilibrist.poker.postflop.solution.spot_strategy import SpotStrategy as SpotStrategy
    from equilibrist.poker.postflop.solving.examination import Examination as Examination
    from equilibrist.poker.postflop.solving.examination import LossSummary as LossSummary
    from equilibrist.poker.postflop.solving.examination import SeatLoss as SeatLoss
    from equilibrist.poker.postflop.solving.examination import SolvedValue as SolvedValue
    from equilibrist.poker.postflop.solving.examination import examine as examine
    from equilibrist.poker.postflop.solving.leaf_solver import LeafSolver as LeafSolver
    from equilibrist.poker.postflop.solving.solver import SpotSolver as SpotSolver
    from equilibrist.poker.postflop.solving.spot_runs import resume as resume
    from equilibrist.poker.postflop.solving.spot_runs import solve as solve
    from equilibrist.poker.postflop.spot.lock import Lock as Lock
    from equilibrist.poker.postflop.spot.lock import LockEntry as LockEntry
    from equilibrist.poker.postflop.spot.spot import Spot as Spot
    from equilibrist.poker.preflop.allin_table import AllInTable as AllInTable
    from equilibrist.poker.preflop.exact.abstract.report import BucketPoint as BucketPoint
    from equilibrist.poker.preflop.exact.abstract.report import BucketReport as BucketReport
    from equilibrist.poker.preflop.exact.abstract.report import bucket_report as bucket_report
    from equilibrist.poker.preflop.exact.flops.solution import FlopSolution as FlopSolution
    from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops as SolvedFlops
    from equilibrist.poker.preflop.exact.menu_translation import MenuTranslation as MenuTranslation
    from equilibrist.poker.preflop.exact.solution import PreflopSolution as PreflopSolution
    from equilibrist.poker.preflop.exact.solving import solve_preflop as solve_preflop
    from equilibrist.poker.preflop.exact.strategy import ExactStrategy as ExactStrategy
    from equilibrist.poker.preflop.game_size import HandCount as HandCount
    from equilibrist.poker.preflop.game_size import count_hand as count_hand
    from equilibrist.poker.preflop.multiway.solution import MultiwaySolution as MultiwaySolution
    from equilibrist.poker.preflop.multiway.solving import solve_multiway as solve_multiway
    from equilibrist.poker.preflop.push_fold.game import PushFold as PushFold
    from equilibrist.poker.preflop.push_fold.solution import PushFoldSolution as PushFoldSolution
    from equilibrist.poker.preflop.push_fold.solution import write_charts as write_charts
    from equilibrist.poker.preflop.push_fold.solving import push_fold as push_fold
    from equilibrist.poker.ranges.presets import PRESETS as PRESETS
    from equilibrist.poker.ranges.range import Range as Range
    from equilibrist.poker.ranges.range_files import read_range_file as read_range_file
    from equilibrist.poker.ranges.range_files import write_range_file as write_range_file
    from equilibrist.poker.ranges.range_folders import RangeFolder as RangeFolder
    from equilibrist.poker.ranges.range_folders import read_range_folder as read_range_folder
    from equilibrist.poker.three_players.needs import ThreeNeeds as ThreeNeeds
    from equilibrist.poker.three_players.needs import three_needs as three_needs
    from equilibrist.poker.three_players.node import ThreeNode as ThreeNode
    from equilibrist.poker.three_players.solution import ThreeSolution as ThreeSolution
    from equilibrist.poker.three_players.solving import solve_from_starts as solve_from_starts
    from equilibrist.poker.three_players.solving import solve_three as solve_three
    from equilibrist.poker.three_players.spot import ThreeSpot as ThreeSpot
    from equilibrist.poker.three_players.starts import ThreeStarts as ThreeStarts
    from equilibrist.poker.tournaments.icm import icm as icm
    from equilibrist.poker.tournaments.values import TournamentValues as TournamentValues
    from equilibrist.poker.tournaments.values import tournament_values as tournament_values
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
