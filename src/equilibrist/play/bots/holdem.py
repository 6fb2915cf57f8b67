"""How a bot decides in hold'em: by a solution at the mapped place, by a search, or safely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import log
from typing import Any, Final, NamedTuple

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.parsing.arguments import bad_argument
from equilibrist.play.bots.answers import BotAnswer, DecidedBy, Depth
from equilibrist.play.bots.betting import Betting, Options, betting_of
from equilibrist.play.bots.fallback import Situation, safe_action
from equilibrist.play.bots.legal import LegalActions
from equilibrist.play.bots.lines import PlayedLine, read_played
from equilibrist.play.bots.requests import HandMemory, Request
from equilibrist.play.bots.translation import Translated, back, translate
from equilibrist.play.hands.game import HandGame
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.solutions.reading import Place, Reader, reader_of
from equilibrist.play.spots.game import SpotGame
from equilibrist.play.table import drawn_index
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.combos import NUM_COMBOS, dealt_hands
from equilibrist.poker.decisions.searching import Search, Searched, SearchState
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.typing import FloatArray

_SAME_DEPTH: Final = 1e-9
_TWO: Final = 2
_MOST_TABLES: Final = 8
"""Tables whose betting a bot keeps."""


class WholePlay(NamedTuple):
    """What a bot does at a decision with all hands."""

    line: str
    """The line, as lines are written."""
    actions: tuple[Action, ...]
    """Legal actions of the table."""
    strategy: FloatArray
    """float64[A, 1326]: how often a hand takes each action; columns of hands that do not come here
    may be 0."""
    meant: dict[Action, Action]
    """The action of the strategy that each of `actions` stands for, of those that all hands take it
    for the one taken most; empty where the strategy is not what is played."""
    is_searched: bool
    """Whether a search found it."""
    is_mapped: bool
    """Whether a bet before it was mapped to one that the strategy has, by a draw."""


class _Played:
    """A solution, with the betting of its hand.

    Args:
        solution: The solution.
    """

    def __init__(self, solution: HandSolution) -> None:
        self.reader: Reader = reader_of(solution)
        self.solution: HandSolution = self.reader.solution
        self.betting = betting_of(self.reader.game)


class HoldemMind:
    """Decides by solutions of hold'em, each for its own stacks.

    Args:
        solutions: The solutions, of hands with the same seats.
        search: What thinks about decisions; None for none.
    """

    def __init__(self, solutions: Sequence[HandSolution], search: Search | None) -> None:
        """Go by solutions; the class describes the arguments."""
        self._all = tuple(map(_Played, solutions))
        self.search = search
        self._tables: dict[Any, Betting] = {}  # the one that was met last at the end
        seats = {played.betting.seats for played in self._all}
        if len(seats) > 1:
            raise MismatchError(
                f"the strategies have {' and '.join(map(str, sorted(seats)))} seats",
                option="strategy",
                given=max(seats),
                expected=min(seats),
                remedy="give strategies of hands with the same seats",
            )

    @property
    def first(self) -> HandSolution:
        """The first solution."""
        return self._all[0].solution

    @property
    def game(self) -> Any:
        """The game of the first solution."""
        return self._all[0].reader.game

    def decide(self, request: Request) -> BotAnswer:
        """Answer a question."""
        decision = self._decision(request)
        searched = self._searched(decision, request)
        answer = None if searched is None else decision.by_search(searched)
        if answer is None:
            decision.keeps_rows = self.search is not None
            answer = decision.by_blueprint()
        return answer

    def decide_for_all(self, request: Request) -> WholePlay:
        """Say what all hands do at a decision; the hand of the question does not matter.

        Args:
            request: The question. Its memory has the rows of all own actions in the line, and what
                they stood for; nothing is added.

        Returns:
            The play of the search, or of the strategy where it has none; where the strategy has no
            place there, what the bot does without one.
        """
        decision = self._decision(request)
        return decision.for_all(self._searched(decision, request))

    def readings(self, request: Request) -> list[tuple[float, Request]]:
        """Put a question once for each bet of the strategy that the last action may be taken for.

        Args:
            request: The question.

        Returns:
            Each with its probability; the question itself with 1 where nothing is drawn.
        """
        decision = self._decision(request)
        shares = decision.last_mapping
        if len(shares) < _TWO:
            return [(1.0, request)]
        last, memory = decision.played.actions[-1], request.memory
        key = f"{last.where} {last.action.code}"
        return [
            (share, replace(request, memory=replace(memory, meant={**memory.meant, key: action})))
            for action, share in shares.items()
        ]

    def _decision(self, request: Request) -> _Decision:
        """The decision that a question is about."""
        table = self._table(request.table)
        played = read_played(table, request.hole_cards, request.line)
        strategy, depth = self._nearest(table, played.seat)
        legal = LegalActions(table, played.state, request.legal_actions)
        memory = request.memory
        place = translate(played, table, strategy.betting, memory.mapping_draw, memory.meant)
        return _Decision(table, played, strategy, place, depth, legal, memory)

    def _searched(self, decision: _Decision, request: Request) -> Searched | None:
        """What the search found; None where there is none, or it has no answer."""
        if self.search is None:
            return None
        played = decision.played
        return self.search.search(
            decision.search_state(request.table),
            played.combo,
            decision.ranges(),
            request.seconds_left,
            request.memory.search_draw(len(played.actions)),
        )

    def _table(self, hand: Any) -> Betting:
        """The betting at the table; ConfigError for a hand that the strategy does not fit."""
        if hand is None:
            return self._all[0].betting
        table = self._tables.pop(hand, None)
        if table is None:
            table = self._new_table(hand)
            if len(self._tables) == _MOST_TABLES:
                del self._tables[next(iter(self._tables))]
        self._tables[hand] = table
        return table

    def _new_table(self, hand: Any) -> Betting:
        """The betting at a table that is not kept; ConfigError as `_table`."""
        first = self._all[0].betting
        own = self._all[0].reader.game
        if isinstance(hand, Spot) and isinstance(own, SpotGame):
            if hand.board != own.spot.board:
                raise bad_argument("table", hand.board, f"a spot on {own.spot.board}")
            table = betting_of(SpotGame(hand))
        elif isinstance(hand, Hand) and isinstance(own, HandGame):
            table = betting_of(HandGame(hand))
        else:
            raise bad_argument("table", hand, f"a hand such as {own.name}")
        if table.seats != first.seats:
            raise bad_argument("table", table.seats, f"a hand of {first.seats} seats")
        return table

    def _nearest(self, table: Betting, seat: int) -> tuple[_Played, Depth | None]:
        """The solution whose stacks are nearest to those at the table, and both if they differ."""
        there = table.depth(seat)

        def distance(played: _Played) -> float:
            return abs(log(played.betting.depth(seat) / there))

        best = min(self._all, key=distance)
        differs = distance(best) > _SAME_DEPTH
        return best, Depth(there, best.betting.depth(seat)) if differs else None


class _Decision:
    """A decision of a hand at a table, and its place in a strategy."""

    def __init__(
        self,
        table: Betting,
        played: PlayedLine,
        strategy: _Played,
        place: Translated,
        depth: Depth | None,
        legal: LegalActions,
        memory: HandMemory,
    ) -> None:
        self.table, self.played, self.strategy = table, played, strategy
        self.translated, self.depth, self.legal, self.memory = place, depth, legal, memory
        self.keeps_rows = False
        self._options = table.options(played.state)

    @property
    def place(self) -> Place | None:
        """The place of the strategy; None if it has none."""
        if self.translated.state is None:
            return None
        size = self.table.board_size[self.table.street(self.played.state)]
        return self.strategy.reader.place(self.translated.state, self.played.board[:size])

    @property
    def last_mapping(self) -> dict[Action, float]:
        """What the last action may be taken for, with probabilities; empty if it is not mapped."""
        steps, played = self.translated.steps, self.played.actions
        if not self.translated.mapped or len(steps) < len(played):
            return {}
        mapped, menu = self.translated.mapped[-1], self.strategy.betting.menu(steps[-1].state)
        if mapped.where != played[-1].where:
            return {}
        return {menu[k]: share for k, share in mapped.bet.shares.items() if share > 0.0}

    def by_blueprint(self) -> BotAnswer:
        """Play the strategy, or safely where it has nothing."""
        place, reader = self.place, self.strategy.reader
        mixture = None if place is None else reader.mixture(place, self.played.combo)
        if place is None or mixture is None:
            return self._safely(place)
        menu = self.strategy.betting.menu(self.translated.state)
        at_table = [self._at_table(action) for action in menu]
        shares = dict[Action, float]()
        for action, share in zip(at_table, mixture, strict=True):
            shares[action] = shares.get(action, 0.0) + share
        answer, drawn = self._answer(shares, DecidedBy.BLUEPRINT)
        key = f"{self.played.text} {drawn.code}"
        same = [k for k, action in enumerate(at_table) if self.legal.nearest(action) == drawn]
        self.memory.meant[key] = menu[max(same, key=lambda k: mixture[k])]
        if self.keeps_rows:
            self.memory.rows[key] = reader.strategy(place)[same].sum(axis=0)
        return answer

    def by_search(self, searched: Searched) -> BotAnswer | None:
        """Play what a search found; None if it knows nothing of the hand."""
        column = searched.strategy[:, self.played.combo]
        if not column.sum() > 0.0:
            return None
        shares = dict(zip(searched.actions, column.tolist(), strict=True))
        answer, drawn = self._answer(shares, DecidedBy.SEARCH, searched.note)
        same = [k for k, a in enumerate(searched.actions) if self.legal.nearest(a) == drawn]
        key = f"{self.played.text} {drawn.code}"
        self.memory.rows[key] = searched.strategy[same].sum(axis=0)
        return answer

    def for_all(self, searched: Searched | None) -> WholePlay:
        """What all hands do."""
        place = self.place
        menu: Sequence[Action] = ()
        if searched is not None:
            actions, strategy = searched.actions, searched.strategy
        elif place is not None:
            menu = self.strategy.betting.menu(self.translated.state)
            actions = tuple(map(self._at_table, menu))
            strategy = self.strategy.reader.strategy(place)
        else:
            actions, strategy = self._options.passive, self._safe_rows()
        rows = dict[Action, FloatArray]()
        numbers = dict[Action, list[int]]()
        for number, (action, row) in enumerate(zip(actions, strategy, strict=True)):
            taken = self.legal.nearest(action)
            rows[taken] = rows[taken] + row if taken in rows else np.asarray(row, np.float64)
            numbers.setdefault(taken, []).append(number)
        meant = {
            taken: menu[max(same, key=lambda number: float(strategy[number].sum()))]
            for taken, same in numbers.items()
            if menu
        }
        return WholePlay(
            line=self.played.text,
            actions=(*rows,),
            strategy=np.stack([*rows.values()]),
            meant=meant,
            is_searched=searched is not None,
            is_mapped=bool(self.translated.mapped),
        )

    def search_state(self, hand: Any) -> SearchState:
        """What a search is told."""
        strategy, place = self.strategy, self.place
        menu = strategy.betting.menu(self.translated.state) if place is not None else ()
        considered = dict.fromkeys([*self._options.passive, *map(self._at_table, menu)])
        return SearchState(
            hand=strategy.solution.hand if hand is None else hand,
            line=self.played.text,
            board=self.played.board,
            seat=self.played.seat,
            actions=tuple(considered),
            solution=strategy.solution,
            blueprint_line=None if place is None else place.line,
        )

    def ranges(self) -> FloatArray:
        """float64[S, 1326]: how often each seat brings each hand here, as it was played."""
        board = self.played.board
        game = self.strategy.reader.game
        dealt = dealt_hands(board, self.table.lowest_rank).astype(np.float64)
        ranges = np.tile(dealt, (self.table.seats, 1))
        if isinstance(game, SpotGame | ThreeGame):
            ranges *= np.array([held.weights for held in game.spot.ranges])
        known = {
            before.where: self.memory.rows.get(f"{before.where} {before.action.code}")
            for before in self.played.actions
        }
        for step, before in zip(self.translated.steps, self.played.actions, strict=False):
            row = known[before.where] if step.seat == self.played.seat else None
            if row is None:
                place = self.strategy.reader.place(step.state, step.board)
                row = self.strategy.reader.strategy(place)[step.taken]
            ranges[step.seat] *= row
        return ranges

    @cached_property
    def _strategy_options(self) -> Options:
        return self.strategy.betting.options(self.translated.state)

    def _at_table(self, action: Action) -> Action:
        """An action of the strategy as one of the table."""
        is_deeper = self.depth is not None and self.depth.table > self.depth.strategy
        kind, total = back(action, self._strategy_options, self._options, is_deeper=is_deeper)
        written = Action(kind) if total is None else Action(Kind.BET, total)
        return self.table.read(self.played.state, written)

    def _safely(self, place: Place | None) -> BotAnswer:
        """Check, else call by pot odds, else fold."""
        ranges = np.zeros((self.table.seats, NUM_COMBOS))
        if len(self._options.passive) > 1:
            ranges = self.ranges()
        action, why = safe_action(self._options, self._situation(self.played.combo, ranges))
        if place is None:
            what = f"the strategy has nothing after {self.translated.lost_at or 'the deal'}"
        else:
            what = f"the strategy says nothing of this hand after {place.where or 'the deal'}"
        answer, _ = self._answer({action: 1.0}, DecidedBy.FALLBACK, f"{what}: {why}")
        return answer

    def _safe_rows(self) -> FloatArray:
        """float64[A, 1326]: what `_safely` does with each hand that comes here."""
        passive, ranges = self._options.passive, self.ranges()
        if len(passive) == 1:
            return np.ones((1, NUM_COMBOS))
        rows = np.zeros((len(passive), NUM_COMBOS))
        for combo in np.flatnonzero(ranges[self.played.seat]).tolist():
            action, _ = safe_action(self._options, self._situation(combo, ranges))
            rows[passive.index(action), combo] = 1.0
        return rows

    def _situation(self, combo: int, ranges: FloatArray) -> Situation:
        """What is known with a hand where nothing is known of the strategy."""
        state, own, board = self.played.state, self.played.seat, self.played.board
        seats = range(self.table.seats)
        return Situation(
            combo=combo,
            board=board,
            to_come=self.table.board_size[-1] - len(board),
            lowest_rank=self.table.lowest_rank,
            ranking=self.table.ranking,
            opponents=[
                ranges[seat] for seat in seats if seat != own and self.table.is_in(state, seat)
            ],
        )

    def _answer(
        self, shares: dict[Action, float], decided_by: DecidedBy, note: str = ""
    ) -> tuple[BotAnswer, Action]:
        """Draw an action, and say all about it."""
        mixture = self.legal.mixture(shares)
        generator = self.memory.action_draw(len(self.played.actions))
        drawn = [*mixture][drawn_index([*mixture.values()], generator)]
        place = self.place
        answer = BotAnswer(
            action=self.legal.label(drawn),
            mixture={self.legal.label(action): share for action, share in mixture.items()},
            decided_by=decided_by,
            mapped=self.translated.mapped,
            strategy_line=None if place is None else place.where,
            depth=self.depth,
            note=note,
        )
        return answer, drawn
