"""Playing: hands at a table, agents, sessions of people and agents, a coach, matches, logs.

Nothing here prints or reads input: a terminal, a notebook or a web page drives a `Session`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from equilibrist._lazy_names import lazy_names

_PUBLIC = {
    "Advice": "equilibrist.play.coach",
    "Adviser": "equilibrist.play.coach",
    "Agent": "equilibrist.play.agents",
    "Aivat": "equilibrist.play.aivat",
    "Answer": "equilibrist.play.drill",
    "BetLimits": "equilibrist.play.bets",
    "Coach": "equilibrist.play.coach",
    "Drill": "equilibrist.play.drill",
    "ExactMatch": "equilibrist.play.match",
    "Grade": "equilibrist.play.grades",
    "Grades": "equilibrist.play.grades",
    "HandGame": "equilibrist.play.hands.game",
    "HandLog": "equilibrist.play.hand_log",
    "HandRecord": "equilibrist.play.session",
    "Judgement": "equilibrist.play.grades",
    "LoggedHand": "equilibrist.play.logged_hands",
    "LoggedSession": "equilibrist.play.logged_hands",
    "MappedBet": "equilibrist.play.bets",
    "MediatedAgent": "equilibrist.play.mediator",
    "Mediator": "equilibrist.play.mediator",
    "Move": "equilibrist.play.table",
    "PackedAgent": "equilibrist.play.agents",
    "Person": "equilibrist.play.agents",
    "PhhLog": "equilibrist.play.histories.log",
    "Question": "equilibrist.play.drill",
    "RangeMixture": "equilibrist.play.range_mixtures",
    "Ranges": "equilibrist.play.range_mixtures",
    "Score": "equilibrist.play.score",
    "Session": "equilibrist.play.session",
    "SolutionAgent": "equilibrist.play.solutions.players",
    "SolutionCoach": "equilibrist.play.solutions.players",
    "SolutionRanges": "equilibrist.play.solutions.players",
    "SpotAivat": "equilibrist.play.solutions.aivat",
    "SpotGame": "equilibrist.play.spots.game",
    "Stake": "equilibrist.play.grades",
    "StrategyAgent": "equilibrist.play.agents",
    "StrategyRanges": "equilibrist.play.range_mixtures",
    "Table": "equilibrist.play.table",
    "Turn": "equilibrist.play.session",
    "UniformAgent": "equilibrist.play.agents",
    "action_words": "equilibrist.play.words",
    "bet_limits": "equilibrist.play.spots.bets",
    "facts_of": "equilibrist.play.words",
    "game_drill": "equilibrist.play.drill",
    "hand_history": "equilibrist.play.histories.log",
    "judge": "equilibrist.play.grades",
    "map_bet": "equilibrist.play.spots.bets",
    "mapped_within": "equilibrist.play.bets",
    "match_by_deals": "equilibrist.play.match",
    "match_exactly": "equilibrist.play.match",
    "read_log": "equilibrist.play.hand_log",
    "solution_game": "equilibrist.play.solutions.reading",
    "spot_drill": "equilibrist.play.drill",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.play.agents import Agent as Agent
    from equilibrist.play.agents import PackedAgent as PackedAgent
    from equilibrist.play.agents import Person as Person
    from equilibrist.play.agents import StrategyAgent as StrategyAgent
    from equilibrist.play.agents import UniformAgent as UniformAgent
    from equilibrist.play.aivat import Aivat as Aivat
    from equilibrist.play.bets import BetLimits as BetLimits
    from equilibrist.play.bets import MappedBet as MappedBet
    from equilibrist.play.bets import mapped_within as mapped_within
    from equilibrist.play.coach import Advice as Advice
    from equilibrist.play.coach import Adviser as Adviser
    from equilibrist.play.coach import Coach as Coach
    from equilibrist.play.drill import Answer as Answer
    from equilibrist.play.drill import Drill as Drill
    from equilibrist.play.drill import Question as Question
    from equilibrist.play.drill import game_drill as game_drill
    from equilibrist.play.drill import spot_drill as spot_drill
    from equilibrist.play.grades import Grade as Grade
    from equilibrist.play.grades import Grades as Grades
    from equilibrist.play.grades import Judgement as Judgement
    from equilibrist.play.grades import Stake as Stake
    from equilibrist.play.grades import judge as judge
    from equilibrist.play.hand_log import HandLog as HandLog
    from equilibrist.play.hand_log import read_log as read_log
    from equilibrist.play.hands.game import HandGame as HandGame
    from equilibrist.play.histories.log import PhhLog as PhhLog
    from equilibrist.play.histories.log import hand_history as hand_history
    from equilibrist.play.logged_hands import LoggedHand as LoggedHand
    from equilibrist.play.logged_hands import LoggedSession as LoggedSession
    from equilibrist.play.match import ExactMatch as ExactMatch
    from equilibrist.play.match import match_by_deals as match_by_deals
    from equilibrist.play.match import match_exactly as match_exactly
    from equilibrist.play.mediator import MediatedAgent as MediatedAgent
    from equilibrist.play.mediator import Mediator as Mediator
    from equilibrist.play.range_mixtures import RangeMixture as RangeMixture
    from equilibrist.play.range_mixtures import Ranges as Ranges
    from equilibrist.play.range_mixtures import StrategyRanges as StrategyRanges
    from equilibrist.play.score import Score as Score
    from equilibrist.play.session import HandRecord as HandRecord
    from equilibrist.play.session import Session as Session
    from equilibrist.play.session import Turn as Turn
    from equilibrist.play.solutions.aivat import SpotAivat as SpotAivat
    from equilibrist.play.solutions.players import SolutionAgent as SolutionAgent
    from equilibrist.play.solutions.players import SolutionCoach as SolutionCoach
    from equilibrist.play.solutions.players import SolutionRanges as SolutionRanges
    from equilibrist.play.solutions.reading import solution_game as solution_game
    from equilibrist.play.spots.bets import bet_limits as bet_limits
    from equilibrist.play.spots.bets import map_bet as map_bet
    from equilibrist.play.spots.game import SpotGame as SpotGame
    from equilibrist.play.table import Move as Move
    from equilibrist.play.table import Table as Table
    from equilibrist.play.words import action_words as action_words
    from equilibrist.play.words import facts_of as facts_of
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
