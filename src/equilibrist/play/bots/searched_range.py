"""The range of a bot that thinks, in hands against a local best response.

What a bot does with all its hands follows from the public line, so that it is found once for each
line of a board, however many hands come there. A search goes by what it solved before in the same
hand: each line has a search of its own, which goes on from that of the line before.

Bets off the menu are mapped by draws that belong to the board. A local best response sees what they
were once it has bet, which no opponent can: it is a lower bound only where nothing was mapped.
Before it bets it weighs the answers over all that the bet may be taken for. What the bot itself
meant by a bet is kept, as it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from equilibrist.play.bots.holdem import HoldemMind, WholePlay
from equilibrist.play.bots.requests import HandMemory, Request
from equilibrist.poker.betting.actions import Action, Kind, line_text
from equilibrist.poker.blueprint.evaluation.dealt_board import DealtBoard
from equilibrist.poker.blueprint.evaluation.played_range import BetAnswers, RangeAction
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.decisions.searching import Search
from equilibrist.poker.hands.betting import raised
from equilibrist.poker.hands.rules import HoldemRules
from equilibrist.poker.hands.state import DECISION, HandState
from equilibrist.typing import BoolArray, FloatArray

_DRAWN: Final = -1
"""In place of the number of a reading: bets are taken for what is drawn."""


class _Past(NamedTuple):
    """What a bot did in a hand so far, and the search that goes on from there."""

    reach: FloatArray
    rows: Mapping[str, FloatArray]
    meant: Mapping[str, Action]
    search: Search


class _Decided(NamedTuple):
    """What a bot does at a line, and its search afterwards."""

    play: WholePlay
    search: Search


class SearchedRanges:
    """Makes the ranges of a bot that thinks, board by board; see `local_response`.

    Args:
        blueprint: What the bot plays.
        search: Its search; it is copied, and stays as it is.
        seconds: The most time of a search at a decision.
        seed: The seed of what the bot draws.

    Attributes:
        told: How many decisions were asked for that the blueprint plays, as all before the flop,
            and that the search plays. A decision counts once, whatever its last bet is taken for;
            as searched, if it is for any of that.
        mapped: How many of them lie behind a bet that was mapped by a draw.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        search: Search,
        *,
        seconds: float | None = None,
        seed: int = 0,
    ) -> None:
        """Make no range yet; the class describes the arguments."""
        self._blueprint, self._search = blueprint, search
        self._mind = HoldemMind([blueprint], search)
        self._seconds, self._seed = seconds, seed
        self._numbers = count(1)
        self.told = [0, 0]
        self.mapped = 0

    def __call__(self, board: DealtBoard) -> Callable[[int], SearchedRange]:
        """Make what makes the range of a seat on a board."""
        at = _Board(
            owner=self,
            mind=self._mind,
            cards=board.cards,
            seconds=self._seconds,
            seed=self._seed,
            number=next(self._numbers),
        )
        past = _Past(np.ones(NUM_COMBOS), {}, {}, self._search)
        rules = self._blueprint.hand.rules
        return lambda seat: SearchedRange(at, rules, seat, past)


@dataclass
class _Board:
    """What a bot does on a board, line by line."""

    owner: SearchedRanges
    mind: HoldemMind
    cards: Sequence[int]
    seconds: float | None
    seed: int
    number: int
    decided: dict[tuple[int, str, int], _Decided] = field(default_factory=dict)
    counted: dict[tuple[int, str], tuple[bool, bool]] = field(default_factory=dict)
    """By seat and line, whether any reading was searched, and whether any bet was mapped."""

    def at(self, state: HandState, board_size: Sequence[int], past: _Past) -> _Decided:
        """What is done at a state.

        Args:
            state: The state, at which the bot acts.
            board_size: How many public cards there are on each street.
            past: What it did before.
        """
        return self._decide(self._request(state, board_size, past), state.player, _DRAWN, past)

    def answers(
        self, state: HandState, board_size: Sequence[int], past: _Past
    ) -> list[tuple[float, WholePlay]]:
        """What is done at a state for each bet of the strategy that the last one may be taken for.

        Args:
            state: The state, at which the bot acts.
            board_size: How many public cards there are on each street.
            past: What it did before.

        Returns:
            The probability of each, and the play.
        """
        whole = self._request(state, board_size, past)
        readings = self.mind.readings(whole)
        if len(readings) == 1:
            return [(1.0, self._decide(whole, state.player, _DRAWN, past).play)]
        return [
            (share, self._decide(request, state.player, number, past).play)
            for number, (share, request) in enumerate(readings)
        ]

    def _request(self, state: HandState, board_size: Sequence[int], past: _Past) -> Request:
        streets = range(1, state.street + 1)
        dealt = [
            sorted(self.cards[board_size[street - 1] : board_size[street]], reverse=True)
            for street in streets
        ]
        memory = HandMemory(self.seed, self.number, dict(past.meant), dict(past.rows))
        line = line_text(state.line, dealt)
        return Request(self._any_hand, line, None, self.seconds, None, memory)

    def _decide(self, request: Request, player: int, reading: int, past: _Past) -> _Decided:
        """What is done, found once; `reading` is the number of what the last bet is taken for."""
        key = player, request.line, reading
        if key not in self.decided:
            mind = copy(self.mind)
            mind.search = copy(past.search)
            play = mind.decide_for_all(replace(request, began=perf_counter()))
            self._count(play, player, request.line)
            self.decided[key] = _Decided(play, mind.search)
        return self.decided[key]

    def _count(self, play: WholePlay, player: int, line: str) -> None:
        """Count a decision once, however many readings of the last bet there are."""
        key = player, line
        before = self.counted.get(key)
        if before is not None:
            self.owner.told[before[0]] -= 1
            self.owner.mapped -= before[1]
        else:
            before = False, False
        now = before[0] or play.is_searched, before[1] or play.is_mapped
        self.owner.told[now[0]] += 1
        self.owner.mapped += now[1]
        self.counted[key] = now

    @property
    def _any_hand(self) -> str:
        """A hand that is not on the board: what all do does not depend on it."""
        return card_names([card for card in range(51, -1, -1) if card not in self.cards][:2])


class SearchedRange:
    """The range of a bot that thinks, in one hand; see `PlayedRange`.

    Args:
        board: What the bot does on the board.
        rules: The rules of the hand.
        seat: The seat of the bot.
        past: What it did before: nothing.
    """

    def __init__(self, board: _Board, rules: HoldemRules, seat: int, past: _Past) -> None:
        """Begin a hand; the class describes the arguments."""
        self._board, self._rules, self._seat, self._past = board, rules, seat, past
        self._sizes = np.cumsum(rules.board).tolist()
        self._decided: _Decided | None = None
        self._rows: dict[RangeAction, tuple[Action, FloatArray]] = {}

    def reach(self) -> FloatArray:
        """float64[1326]; see `PlayedRange`."""
        return self._past.reach

    def weights(self, state: HandState, dealt: BoolArray) -> dict[RangeAction, float]:
        """Weigh what it may do; see `PlayedRange`."""
        self._decided = self._board.at(state, self._sizes, self._past)
        play = self._decided.play
        self._rows = {
            self._range_action(action): (action, row)
            for action, row in zip(play.actions, play.strategy, strict=True)
        }
        reach = self._past.reach * dealt
        return {action: float(reach @ row) for action, (_, row) in self._rows.items()}

    def acts(self, action: RangeAction, dealt: BoolArray) -> None:
        """Follow its own action; see `PlayedRange`."""
        assert self._decided is not None
        taken, row = self._rows[action]
        key = f"{self._decided.play.line} {taken.code}"
        past, meant = self._past, self._decided.play.meant
        self._past = _Past(
            reach=past.reach * row,
            rows={**past.rows, key: row},
            meant={**past.meant, key: meant[taken]} if taken in meant else past.meant,
            search=self._decided.search,
        )

    def faces_passive(self, state: HandState) -> None:
        """Follow a check or call, of which the next state tells; see `PlayedRange`."""

    def faces_bet(self, state: HandState, total: int) -> None:
        """Follow a bet, of which the next state tells; see `PlayedRange`."""

    def answers(
        self, state: HandState, totals: Sequence[int], seen: BoolArray, equity: FloatArray
    ) -> list[BetAnswers]:
        """Weigh its answers; see `PlayedRange`."""
        reach, weighed = self._past.reach * seen, []
        for total in totals:
            after = raised(self._rules, state, total)
            fold = np.zeros(NUM_COMBOS)
            if after.kind == DECISION:
                for share, play in self._board.answers(after, self._sizes, self._past):
                    for action, row in zip(play.actions, play.strategy, strict=True):
                        if action.kind is Kind.FOLD:
                            fold += share * row
            stays = reach * (1.0 - fold)
            weighed.append(
                BetAnswers(float(reach @ fold), float(stays.sum()), float(stays @ equity))
            )
        return weighed

    def _range_action(self, action: Action) -> RangeAction:
        if action.kind in (Kind.FOLD, Kind.CHECK, Kind.CALL):
            return action.kind, 0
        return Kind.BET, self._rules.scale.units(float(action.amount))
