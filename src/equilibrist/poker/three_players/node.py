"""`ThreeNode`: a point of the betting of three players, with all that a solution says of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.formatting.amounts import chips, measure_text, percent
from equilibrist.parsing.arguments import whole_number
from equilibrist.poker.betting.actions import Action, line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import card_mask, card_names
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, NUM_COMBOS, disjoint, without_cards
from equilibrist.poker.decisions.decision import LEAST_ARRIVING, Decision, off_path
from equilibrist.poker.decisions.strategy_grid import ClassValues
from equilibrist.poker.hands.state import DECISION, FOLDED
from equilibrist.poker.hands.tree_lines import node_at, path_to
from equilibrist.poker.ranges.range import Range
from equilibrist.poker.three_players.spot import SEAT_NAMES
from equilibrist.typing import BoolArray, FloatArray, Int64Array

if TYPE_CHECKING:
    from equilibrist.poker.three_players.solution import ThreeSolution

_SIDE: Final = 13
_SEATS: Final = len(SEAT_NAMES)


class ThreeNode:
    """A point of the betting of three players, at a decision or where nobody acts.

    Args:
        solution: The solution.
        line: The actions and cards before it, such as `X-B20-C`.

    Attributes:
        solution: The solution.
        runout: The cards that were dealt since the root.

    Raises:
        LineSyntaxError: The line cannot be read, or has cards where none are dealt.
        NotationError: An action is not offered.
    """

    def __init__(self, solution: ThreeSolution, line: str = "") -> None:
        """Go to a line; the class describes the arguments."""
        self.solution = solution
        parts = parse_line(line)
        self.runout = tuple(card for part in parts for card in part.cards)
        self._tree = solution.spot.betting
        self._node = node_at(self._tree, line_text([part.actions for part in parts]))
        if len(self.runout) > int(self._tree.street[self._node]):
            raise LineSyntaxError(
                f"no card is dealt after {self._written(self._node)[0] or 'the start'}",
                line,
                max(line.find("|"), 0),
                option="line",
                given=line,
                remedy="leave the cards out",
            )
        ends = parse_line(self._written(self._node)[0])
        for part, own in zip(parts[:-1], ends, strict=False):  # bars may be left out
            if len(part.actions) != len(own.actions):
                raise LineSyntaxError(
                    "a bar stands where no street ends",
                    line,
                    max(line.find("|"), 0),
                    option="line",
                    given=line,
                    remedy=f"write {self.line}",
                )

    @property
    def line(self) -> str:
        """The line, cards included; empty at the root."""
        return self._line_of(self._node)

    @property
    def line_before(self) -> str | None:
        """The line without its last action or card; None at the root."""
        streets = [part.actions for part in parse_line(self.line)]
        cards = [[card] for card in self.runout]
        if streets[-1]:
            return line_text([*streets[:-1], streets[-1][:-1]], cards)
        return line_text(streets[:-1], cards[:-1]) if len(streets) > 1 else None

    @property
    def board(self) -> str:
        """The cards on the board, in the order of dealing."""
        return card_names(self._cards)

    @property
    def deals_a_card(self) -> bool:
        """Whether the next card of the board is dealt here."""
        return int(self._tree.street[self._node]) > len(self.runout)

    @property
    def player(self) -> int | None:
        """The seat to act; None where nobody acts."""
        is_decision = self._tree.kind[self._node] == DECISION and not self.deals_a_card
        return int(self._tree.player[self._node]) if is_decision else None

    @property
    def what(self) -> str:
        """The seat to act in words, or what happens where nobody acts."""
        if self.player is not None:
            return f"{SEAT_NAMES[self.player]} acts"
        if self.deals_a_card:
            return "a card comes"
        if self._tree.kind[self._node] == FOLDED:
            return f"{SEAT_NAMES[[*map(self.is_live, range(_SEATS))].index(True)]} wins the pot"
        return "showdown"

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the seat to act may do; empty where nobody acts."""
        return () if self.player is None else self._tree.moves(self._node)

    @property
    def next_lines(self) -> dict[str, str]:
        """The line that each action leads to, by its name; empty if nobody acts."""
        streets = [part.actions for part in parse_line(self.line)]
        cards = [[card] for card in self.runout]
        return {
            str(action): line_text([*streets[:-1], (*streets[-1], action)], cards)
            for action in self.actions
        }

    @property
    def pot(self) -> float:
        """All chips in the middle; without an uncalled bet where the betting is over."""
        return self._chips(int(self._tree.stake[self._node].sum()))

    @property
    def stacks(self) -> tuple[float, ...]:
        """The chips that each seat has behind."""
        rules = self.solution.spot.rules
        stakes = self._tree.stake[self._node].tolist()
        return tuple(
            self._chips(stack - stake) for stack, stake in zip(rules.stacks, stakes, strict=True)
        )

    def ev_text(self, ev: float) -> str:
        """An EV for people, `-` for NaN.

        Args:
            ev: The EV, in chips.

        Returns:
            The number alone.
        """
        return chips(ev, self.pot)

    @property
    def to_call(self) -> float:
        """What the seat to act adds to call; 0 where nobody acts."""
        if self.player is None:
            return 0
        dead = self.solution.spot.dead_money
        paid = [
            stake - own
            for stake, own in zip(self._tree.stake[self._node].tolist(), dead, strict=True)
        ]
        facing = self._chips(max(paid) - paid[self.player])
        return min(facing, self.stacks[self.player])

    def is_live(self, seat: int) -> bool:
        """Whether a seat has not folded.

        Args:
            seat: Its number.

        Returns:
            True also for a seat that is all-in.
        """
        return bool(int(self._tree.live[self._node]) >> self._checked(seat) & 1)

    @cached_property
    def decision(self) -> Decision:
        """What the hands of the seat to act do, by combo; raises ConfigError if nobody acts."""
        if self.player is None:
            raise ConfigError(
                f"no player acts after {self.line or 'the start'} ({self.what})",
                option="line",
                given=self.line,
                remedy="give a line after which a player acts",
            )
        return self.solution.at(self.line)

    @cached_property
    def ranges(self) -> FloatArray:
        """float64[3, 1326]: how often each seat brings each hand here, folded seats included."""
        left = without_cards(card_mask(self._cards))
        ranges = np.stack([range_.weights * left for range_ in self.solution.spot.ranges])
        for before, taken in path_to(self._tree, self._node):
            decision = self.solution.at(self._line_of(before))
            ranges[decision.seat] = decision.reach * decision.strategy[taken] * left
        return ranges

    def range_of(self, seat: int) -> Range:
        """The range with which a seat gets here.

        Args:
            seat: Its number.

        Returns:
            The range; that of a seat that has folded is what it folded.
        """
        return Range.from_weights(self.ranges[self._checked(seat)])

    def combos(self, seat: int) -> Int64Array:
        """The hands that a seat may hold here.

        Args:
            seat: Its number.

        Returns:
            int64[n], numbers of combos, AsAh first.
        """
        return np.flatnonzero(self.matchups(seat))[::-1]

    def matchups(self, seat: int) -> FloatArray:
        """How often each hand of a seat is here: with the pairs of hands that it leaves others.

        Args:
            seat: Its number.

        Returns:
            float64[1326], in proportion.
        """
        return _matchups(np.roll(self.ranges, -self._checked(seat), axis=0))

    @cached_property
    def reached(self) -> float:
        """How often play gets here; after cards, given these cards."""
        if self.player is not None and self.decision.reached is not None:
            return self.decision.reached
        left = without_cards(card_mask(self._cards))
        dealt = np.stack([range_.weights * left for range_ in self.solution.spot.ranges])
        return float(self.matchups(0).sum() / _matchups(dealt).sum())

    def arrives(self, seat: int) -> BoolArray:
        """The hands that a seat brings here at least once in 10,000 times that it is dealt them.

        Args:
            seat: Its number.

        Returns:
            bool[1326].
        """
        dealt = self.solution.spot.ranges[self._checked(seat)].weights
        here: BoolArray = (dealt > 0.0) & (self.ranges[seat] >= LEAST_ARRIVING * dealt)
        return here

    @property
    def absent(self) -> tuple[str, ...]:
        """The seats of which no hand comes here as often as once in 10,000 times.

        What is played here has then no place in equilibrium.
        """
        return tuple(name for seat, name in enumerate(SEAT_NAMES) if not self.arrives(seat).any())

    @property
    def is_reached(self) -> bool:
        """Whether play gets here: whether all seats bring hands."""
        return not self.absent

    @property
    def frequency(self) -> dict[str, float]:
        """How often each action is taken by the hands that get here; NaN where none does."""
        if self.player is None:
            return {}
        is_held = self.ranges[self.player].any()
        shares = self.decision.frequencies if is_held else [np.nan] * len(self.actions)
        return {str(a): float(share) for a, share in zip(self.actions, shares, strict=True)}

    @property
    def ev_by_action(self) -> dict[str, float]:
        """In chips, the mean EV of each action over the hands that take it; NaN without any."""
        if self.player is None:
            return {}
        decision, weights = self.decision, self.matchups(self.player)
        assert decision.action_ev is not None
        means = []
        for shares, evs in zip(decision.strategy, decision.action_ev, strict=True):
            taken = np.where(np.isfinite(evs), weights * shares, 0.0)
            total = float(taken.sum())
            means.append(float(taken @ np.nan_to_num(evs)) / total if total > 0.0 else np.nan)
        return {str(a): mean for a, mean in zip(self.actions, means, strict=True)}

    def classes(self, seat: int) -> ClassValues:
        """The hands of a seat by hand class, as arrays on the 13x13 grid.

        Args:
            seat: Its number.

        Returns:
            Weight, EV and strategy of each class; equities are NaN. A class that does not get here
            has no strategy, so that its cell is empty.
        """
        grid, classes = (_SIDE, _SIDE), _SIDE**2
        left = without_cards(card_mask(self._cards))
        held = np.bincount(CLASS_OF_COMBO, self.ranges[self._checked(seat)], classes)
        counts = np.maximum(np.bincount(CLASS_OF_COMBO, left, classes), 1.0)
        weight = (held / counts).reshape(grid)
        nothing = np.full(grid, np.nan)
        if seat != self.player:
            none = np.empty((0, *grid))
            return ClassValues(weight, nothing, nothing, none, none)
        decision = self.decision.by_class()
        assert decision.ev is not None
        assert decision.action_ev is not None
        arrives = np.bincount(CLASS_OF_COMBO, self.arrives(seat), classes) > 0
        shape = (len(self.actions), *grid)
        return ClassValues(
            weight,
            nothing,
            np.where(arrives, decision.ev, np.nan).reshape(grid),
            np.where(arrives, decision.strategy, np.nan).reshape(shape),
            np.where(arrives, decision.action_ev, np.nan).reshape(shape),
        )

    def summary(self) -> list[str]:
        """The place, the three seats, and the actions with frequency, EV and next line.

        Returns:
            The lines of the text, which `print(node)` shows, too.
        """
        spot, solution = self.solution.spot, self.solution
        to_call = f", {self.to_call:,} to call" if self.to_call else ""
        often = f"; reached in {percent(self.reached, 2)}" if self.is_reached else ""
        lines = [
            f"{self.line or 'root'}: {self.what}{often}",
            f"{self.board}, pot {self.pot:,}{to_call}",
            off_path(self.absent),
            f"{'':<13}{'behind':>9} {'combos':>8} {'EV of spot':>11} {'could gain':>11}",
        ]
        for seat, name in enumerate(SEAT_NAMES):
            does = "folded" if not self.is_live(seat) else "acts" if seat == self.player else ""
            shown = f"{name} ({does})" if does else name
            lines.append(
                f"{shown:<13}{self.stacks[seat]:>9,} {float(self.ranges[seat].sum()):>8,.1f} "
                f"{chips(solution.values[seat], spot.pot):>11} "
                f"{measure_text(solution.gains[seat]):>11}"
            )
        if self.player is not None:
            width = max(9, *(len(str(action)) for action in self.actions))
            lines += ["", f"{'action':<{width}}  frequency          EV  line"]
            evs = self.ev_by_action
            lines += [
                f"{action:<{width}}  {percent(share, 1):>9} {chips(evs[action], spot.pot):>11}  "
                f"{self.next_lines[action]}"
                for action, share in self.frequency.items()
            ]
        return lines

    def __str__(self) -> str:
        return "\n".join(self.summary())

    def __repr__(self) -> str:
        return f"<ThreeNode {self.line or 'root'}: {self.what} on {self.board}, pot {self.pot}>"

    @property
    def _cards(self) -> tuple[int, ...]:
        return (*self.solution.spot.cards, *self.runout)

    def _chips(self, units: int) -> float:
        return self.solution.spot.scale.chips(units)

    def _checked(self, seat: int) -> int:
        return whole_number("seat", seat, 0, _SEATS - 1)

    def _written(self, node: int) -> tuple[str, int]:
        """The line of a node without cards, and the number of its street."""
        return self._tree.line(node).rstrip("|"), int(self._tree.street[node])

    def _line_of(self, node: int) -> str:
        """The line of a node on the way, with the cards that have been dealt there."""
        line, street = self._written(node)
        streets = [part.actions for part in parse_line(line)]
        cards = [[card] for card in self.runout[:street]]
        streets += [()] * (len(cards) + 1 - len(streets))
        return line_text(streets, cards)


def _matchups(ranges: FloatArray) -> FloatArray:
    """float64[1326]: of the first of ranges, float64[3, 1326], with the pairs that are left."""
    held, first, second = (np.flatnonzero(weights) for weights in ranges)
    left = (disjoint(held, first) * ranges[1, first]) @ disjoint(first, second)
    weights: FloatArray = np.zeros(NUM_COMBOS)
    weights[held] = ranges[0, held] * (left * disjoint(held, second) @ ranges[2, second])
    return weights
