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
    "Bot": "equilibrist.play.bots.bot",
    "BotAnswer": "equilibrist.play.bots.answers",
    "Coach": "equilibrist.play.coach",
    "Drill": "equilibrist.play.drill",
    "ExactMatch": "equilibrist.play.match",
    "FixedAgent": "equilibrist.play.bots.fixed",
    "Grade": "equilibrist.play.grades",
    "Grades": "equilibrist.play.grades",
    "HandGame": "equilibrist.play.hands.game",
    "HandLog": "equilibrist.play.hand_log",
    "HandRecord": "equilibrist.play.session",
    "Judgement": "equilibrist.play.grades",
    "LoggedSession": "equilibrist.play.logged_hands",
    "MediatedAgent": "equilibrist.play.mediator",
    "Mediator": "equilibrist.play.mediator",
    "NestedHands": "equilibrist.play.nested_hands",
    "Move": "equilibrist.play.table",
    "Person": "equilibrist.play.agents",
    "PhhLog": "equilibrist.play.histories.log",
    "Question": "equilibrist.play.drill",
    "Score": "equilibrist.play.score",
    "Session": "equilibrist.play.session",
    "SolutionAgent": "equilibrist.play.solutions.players",
    "SolutionCoach": "equilibrist.play.solutions.players",
    "SpotGame": "equilibrist.play.spots.game",
    "StrategyAgent": "equilibrist.play.agents",
    "Table": "equilibrist.play.table",
    "ThreeGame": "equilibrist.play.hands.three",
    "UniformAgent": "equilibrist.play.agents",
    "action_words": "equilibrist.play.words",
    "game_drill": "equilibrist.play.drill",
    "hand_history": "equilibrist.play.histories.log",
    "judge": "equilibrist.play.grades",
    "match_by_deals": "equilibrist.play.match",
    "match_exactly": "equilibrist.play.match",
    "play_nested": "equilibrist.play.nested_hands",
    "read_log": "equilibrist.play.hand_log",
    "spot_drill": "equilibrist.play.drill",
    "three_drill": "equilibrist.play.drill",
}

__all__ = [*_PUBLIC]

if TYPE_CHECKING:  # type checkers see what __getattr__ gives
    from equilibrist.play.agents import Agent as Agent
    from equilibrist.play.agents import Person as Person
    from equilibrist.play.agents import StrategyAgent as StrategyAgent
    from equilibrist.play.agents import UniformAgent as UniformAgent
    from equilibrist.play.aivat import Aivat as Aivat
    from equilibrist.play.bots.answers import BotAnswer as BotAnswer
    from equilibrist.play.bots.bot import Bot as Bot
    from equilibrist.play.bots.fixed import FixedAgent as FixedAgent
    from equilibrist.play.coach import Advice as Advice
    from equilibrist.play.coach import Adviser as Adviser
    from equilibrist.play.coach import Coach as Coach
    from equilibrist.play.drill import Drill as Drill
    from equilibrist.play.drill import Question as Question
    from equilibrist.play.drill import game_drill as game_drill
    from equilibrist.play.drill import spot_drill as spot_drill
    from equilibrist.play.drill import three_drill as three_drill
    from equilibrist.play.grades import Grade as Grade
    from equilibrist.play.grades import Grades as Grades
    from equilibrist.play.grades import Judgement as Judgement
    from equilibrist.play.grades import judge as judge
    from equilibrist.play.hand_log import HandLog as HandLog
    from equilibrist.play.hand_log import read_log as read_log
    from equilibrist.play.hands.game import HandGame as HandGame
    from equilibrist.play.hands.three import ThreeGame as ThreeGame
    from equilibrist.play.histories.log import PhhLog as PhhLog
    from equilibrist.play.histories.log import hand_history as hand_history
    from equilibrist.play.logged_hands import LoggedSession as LoggedSession
    from equilibrist.play.match import ExactMatch as ExactMatch
    from equilibrist.play.match import match_by_deals as match_by_deals
    from equilibrist.play.match import match_exactly as match_exactly
    from equilibrist.play.mediator import MediatedAgent as MediatedAgent
    from equilibrist.play.mediator import Mediator as Mediator
    from equilibrist.play.nested_hands import NestedHands as NestedHands
    from equilibrist.play.nested_hands import play_nested as play_nested
    from equilibrist.play.score import Score as Score
    from equilibrist.play.session import HandRecord as HandRecord
    from equilibrist.play.session import Session as Session
    from equilibrist.play.solutions.players import SolutionAgent as SolutionAgent
    from equilibrist.play.solutions.players import SolutionCoach as SolutionCoach
    from equilibrist.play.spots.game import SpotGame as SpotGame
    from equilibrist.play.table import Move as Move
    from equilibrist.play.table import Table as Table
    from equilibrist.play.words import action_words as action_words
else:
    __getattr__, __dir__ = lazy_names(__name__, _PUBLIC)
