"""Playing: one hand at a table, agents, sessions of people and agents, a coach, matches, logs.

Nothing here prints or reads: a terminal, a notebook or a browser drives a `Session` by what it
returns.
"""

from __future__ import annotations

from equilibrist.play.agents import Agent, PackedAgent, Person, StrategyAgent, UniformAgent
from equilibrist.play.aivat import Aivat
from equilibrist.play.coach import Advice, Coach
from equilibrist.play.hand_log import HandLog, LoggedSession, read_log
from equilibrist.play.match import ExactMatch, match_by_deals, match_exactly
from equilibrist.play.score import Score
from equilibrist.play.session import HandRecord, Session, Turn
from equilibrist.play.table import Move, Table
from equilibrist.play.words import action_words

__all__ = [
    "Advice",
    "Agent",
    "Aivat",
    "Coach",
    "ExactMatch",
    "HandLog",
    "HandRecord",
    "LoggedSession",
    "Move",
    "PackedAgent",
    "Person",
    "Score",
    "Session",
    "StrategyAgent",
    "Table",
    "Turn",
    "UniformAgent",
    "action_words",
    "match_by_deals",
    "match_exactly",
    "read_log",
]
