"""From infosets at a table to decisions of a solution of hold'em."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equilibrist.errors import ConfigError, NotationError
from equilibrist.play.hands.game import HandGame, TableState
from equilibrist.play.hands.push_fold import PushFoldGame
from equilibrist.play.hands.three import ThreeGame
from equilibrist.play.spots.game import SpotGame, read_infoset
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.blueprint.policy import Blueprint
from equilibrist.poker.cards.cards import card_mask
from equilibrist.poker.cards.combos import NUM_COMBOS, without_cards
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.solution import HandSolution
from equilibrist.poker.hands.betting import after, deal, start
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.state import HandState
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.push_fold.game import PushFold
from equilibrist.poker.three_players.spot import ThreeSpot
from equilibrist.typing import BoolArray, FloatArray

_REMEMBERED: Final = 256
"""Decisions that are kept in memory, about 30 kB each."""


class Place(NamedTuple):
    """A decision as a table knows it."""

    line: str
    """The actions before it, as `HandSolution.at` takes them."""
    board: tuple[int, ...]
    """The public cards, unless the line has them."""
    where: str
    """The line as ranges name it."""
    betting: Any
    """The state of the betting there."""


class Step(NamedTuple):
    """A decision on the way to another."""

    place: Place
    taken: int
    """The number of the action that was taken."""


class Infoset(NamedTuple):
    """What the key of an infoset says."""

    combo: int
    place: Place


class Reader:
    """Finds the decisions of a solution for the infosets of its game.

    Args:
        solution: The solution.
        game: The game of its hand.
    """

    game: Any

    def __init__(self, solution: HandSolution, game: Any) -> None:
        self.solution: Any = solution
        self.game = game
        self._look_up = lru_cache(_REMEMBERED)(
            lambda line, board: solution.at(line, board).decision
        )

    def _decision_at(self, line: str, board: tuple[int, ...]) -> Decision:
        decision: Decision = self.solution.at(line, board).decision
        return decision

    def decision(self, place: Place) -> Decision:
        """Look the decision at a place up; raises what `HandSolution.at` raises."""
        return self._look_up(place.line, place.board)

    def actions(self, place: Place) -> tuple[Action, ...]:
        """The actions at a place, in the order of the decision's."""
        return self.decision(place).actions

    def mixture(self, place: Place, combo: int) -> tuple[float, ...] | None:
        """The probabilities with a hand; None where the solution says nothing of it."""
        return self.decision(place).mixture(combo)

    def strategy(self, place: Place) -> FloatArray:
        """float64[A, 1326]: the probabilities with every hand; 0 where nothing is said of it."""
        decision = self.decision(place)
        return decision.over_combos(decision.strategy)

    def labels(self, place: Place) -> tuple[str, ...]:
        """The labels of the actions at a place, as the game has them."""
        return tuple(action.code for action in self.actions(place))

    def dealt(self, seat: int) -> FloatArray:
        """float64[1326]: how often a seat is dealt each hand, against any other of the deck."""
        return np.ones(NUM_COMBOS)

    def left_by_folded(self, place: Place, combo: int) -> FloatArray:
        """float64[1326]: by how much each other hand is likelier beside hands that folded.

        Args:
            place: A decision.
            combo: The hand of the player who wants to know.

        Returns:
            The share of the folded hands that both leave; 1 without folded ranges.
        """
        return np.ones(NUM_COMBOS)

    def left_to_others(self, decision: Decision) -> BoolArray:
        """bool[1326]: the hands that the public cards of a decision leave to any seat."""
        return decision.over_combos(decision.combos) > 0

    def infoset(self, key: str) -> Infoset:
        """The hand and the decision of an infoset; raises ConfigError and LineSyntaxError."""
        combo, (_, board, betting) = self.game.at(key)
        return Infoset(combo, self.place(betting, board))

    def steps(self, place: Place) -> Iterator[Step]:
        """The decisions before one; raises NotationError for actions that are not offered."""
        game = self.game
        state = start(game.rules)
        for number, street in enumerate(place.betting.line):
            state = deal(game.rules, state) if number else state
            for action in street:
                offered = game.legal(TableState((), (), state))
                if action not in offered:
                    raise _not_offered(state, action, offered)
                yield Step(self.place(state, place.board), offered.index(action))
                state = after(game.rules, state, action)

    def place(self, betting: HandState, board: tuple[int, ...] = ()) -> Place:
        """The place of a state of the betting."""
        where = f"{betting}"
        return Place(where, board[: self.game.street_ends[betting.street]], where, betting)


class BlueprintReader(Reader):
    """Blueprints tell what one hand does without the ranges of all."""

    def actions(self, place: Place) -> tuple[Action, ...]:
        """The actions of the table are those of the tree."""
        return self.game.legal(TableState((), (), place.betting))  # type: ignore[no-any-return]

    def mixture(self, place: Place, combo: int) -> tuple[float, ...] | None:
        """The probabilities with a hand; None where the solution says nothing of it."""
        shares = self._probabilities(place.line, place.board)[:, combo].astype(np.float64)
        total = float(shares.sum())
        return tuple((shares / total).tolist()) if total > 0.0 else None

    def strategy(self, place: Place) -> FloatArray:
        """float64[A, 1326]: the probabilities with every hand; 0 where nothing is said of it."""
        return self._probabilities(place.line, place.board).astype(np.float64)

    def _probabilities(self, line: str, board: tuple[int, ...]) -> NDArray[np.float32]:
        node = self._nodes.get(line)
        if node is None:
            node = self._nodes[line] = node_at(self.solution.tree, line)
        return self.solution.probabilities(node, board)  # type: ignore[no-any-return]

    @cached_property
    def _nodes(self) -> dict[str, int]:
        return {}


class PushFoldReader(Reader):
    """Lines of push or fold have a letter for each seat; a table says what is put in."""

    game: PushFoldGame

    def actions(self, place: Place) -> tuple[Action, ...]:
        """Fold, and all-in or call, as the table offers them."""
        return self.game.legal(TableState((), (), place.betting))

    def place(self, betting: HandState, board: tuple[int, ...] = ()) -> Place:
        """The place of a state of the betting."""
        codes = [action.code for action in betting.line[0]]
        letters = "-".join("F" if code == "F" else "A" for code in codes)
        return Place(letters, (), f"{betting}", betting)


class SpotReader(Reader):
    """Lines of spots have their cards, and labels are words."""

    game: SpotGame

    def labels(self, place: Place) -> tuple[str, ...]:
        """The actions in words."""
        return tuple(map(str, self.actions(place)))

    def infoset(self, key: str) -> Infoset:
        """The hand and the decision of an infoset; raises ConfigError."""
        combo, line = read_infoset(key)
        return Infoset(combo, Place(line, (), line, None))

    def place(self, betting: BettingState, board: tuple[int, ...] = ()) -> Place:  # type: ignore[override]
        """The place of a state of the betting."""
        runout = board[len(self.game.spot.cards) :]
        line = line_text(betting.line, [[card] for card in runout])
        return Place(line, (), line, None)

    def left_by_folded(self, place: Place, combo: int) -> FloatArray:
        """The share of the folded hands that a hand and each other hand leave on the board."""
        bunching = self.game.spot.bunching
        if bunching is None:
            return super().left_by_folded(place, combo)
        from equilibrist.poker.postflop.solution.spot_strategy import follow_line

        spot = self.game.spot
        board = (*spot.cards, *follow_line(spot, place.line)[1])
        free = np.flatnonzero(without_cards(card_mask((*spot.whole_deck.absent, *board))))
        shares = np.zeros(NUM_COMBOS)
        shares[free] = bunching.pairs(board, np.array([combo], np.int32), free)[0]
        return shares

    def steps(self, place: Place) -> Iterator[Step]:
        """The decisions before one; raises LineSyntaxError for lines that cannot be played."""
        from equilibrist.poker.postflop.solution.spot_strategy import way_to

        way = way_to(self.game.spot, place.line)
        for earlier, then in zip(way, way[1:], strict=False):
            if earlier.player is not None:
                taken = [*earlier.next_lines.values()].index(then.line)
                yield Step(Place(earlier.line, (), earlier.line, None), taken)


class ThreeReader(Reader):
    """Spots of three seats: hands come from ranges, and lines have the cards of their streets."""

    game: ThreeGame

    def dealt(self, seat: int) -> FloatArray:
        """float64[1326]: the weights of the range of a seat."""
        return self.game.spot.ranges[seat].weights

    def left_to_others(self, decision: Decision) -> BoolArray:
        """bool[1326]: the hands that the board leaves; the decision has those of one range."""
        return without_cards(card_mask(decision.board))

    def place(self, betting: HandState, board: tuple[int, ...] = ()) -> Place:
        """The place of a state of the betting."""
        runout = board[len(self.game.cards) : self.game.street_ends[betting.street]]
        line = line_text(betting.line, [[card] for card in runout])
        return Place(line, (), line, betting)

    def steps(self, place: Place) -> Iterator[Step]:
        """The decisions before one; raises NotationError for actions that are not offered."""
        cards = tuple(card for part in parse_line(place.line) for card in part.cards)
        return super().steps(place._replace(board=(*self.game.cards, *cards)))


def reader_of(solution: Any) -> Reader:
    """Make the reader that finds the decisions of a solution.

    Args:
        solution: The solution. The flops of an exact one are solved when they come.

    Returns:
        The reader.

    Raises:
        ConfigError: It is no solution of hold'em, or it has amounts that hands at a table do not
            have.
        MemoryBudgetError: A flop of the hand is too large to be solved.
    """
    if isinstance(solution, PreflopSolution) and solution.game.final_street:
        solution = SolvedFlops(solution)
    hand = getattr(solution, "hand", None)
    if isinstance(hand, Spot):
        return SpotReader(solution, SpotGame(hand))
    if isinstance(hand, ThreeSpot):
        return ThreeReader(solution, ThreeGame(hand))
    if isinstance(hand, PushFold):
        return PushFoldReader(solution, PushFoldGame(hand))
    if isinstance(solution, Blueprint):
        return BlueprintReader(solution, HandGame(solution.hand))
    if isinstance(hand, Hand) and hasattr(solution, "at"):
        return Reader(solution, HandGame(hand))
    raise ConfigError(
        "this is no solution of hold'em",
        option="solution",
        given=type(solution).__name__,
        expected="a solution of a spot, of a hand or of push or fold, or a blueprint",
        remedy="give what a solver gives, or what a file of its holds",
    )


def solution_game(solution: HandSolution) -> Any:
    """Make the game that a solution of hold'em is of.

    Args:
        solution: The solution.

    Returns:
        A `SpotGame`, a `ThreeGame` or a `HandGame`.

    Raises:
        ConfigError: It is none, or it has amounts that hands at a table do not have.
    """
    return reader_of(solution).game


def _not_offered(state: HandState, action: Action, offered: tuple[Action, ...]) -> NotationError:
    codes = ", ".join(other.code for other in offered)
    return NotationError(
        f"{action.code} is not offered after {f'{state}' or 'the deal'}; offered: {codes}",
        f"{state}-{action.code}",
        0,
        option="line",
        given=action.code,
        expected=codes,
        remedy="give one of the actions that are offered",
    )
