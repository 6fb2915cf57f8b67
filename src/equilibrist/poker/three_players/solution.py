"""`ThreeSolution`: strategies of three players of a spot, with every decision's hands."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from equilibrist.errors import ConfigError, LineSyntaxError
from equilibrist.formatting.amounts import counted, measure_text
from equilibrist.formatting.brief import brief_repr
from equilibrist.parsing.arguments import instance
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.cards.cards import NUM_CARDS, card_names
from equilibrist.poker.cards.combos import NUM_COMBOS
from equilibrist.poker.cards.isomorphism import COMBO_IMAGES, fixing, representative
from equilibrist.poker.decisions.decision import Decision
from equilibrist.poker.decisions.files import (
    SolutionHeader,
    StoredParts,
    StoredSolution,
    fields_of,
)
from equilibrist.poker.decisions.solution import (
    decisions_csv,
    part_line,
    unknown_line,
    written_line,
)
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.resolved_locks import strategy_lock
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.poker.three_players.forms import Form, Showdown
from equilibrist.poker.three_players.game import OTHERS, SeatGame
from equilibrist.poker.three_players.locks import place_of_line
from equilibrist.poker.three_players.profile import (
    Forms,
    HandsAndGames,
    add_decisions,
    in_proportion,
    row_reach,
    row_worth,
)
from equilibrist.poker.three_players.solver import Valuer, add_rivers, exact_forms, widened
from equilibrist.poker.three_players.spot import SEAT_NAMES, ThreeSpot
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from equilibrist.typing import FloatArray, Int32Array

_STRATEGIES: Final = ("oop_strategy", "middle_strategy", "ip_strategy")
"""The names of the arrays in a file."""
_RIVERS: Final = ("oop_river", "middle_river", "ip_river")
_LATER: Final = ((), _RIVERS, ("oop_turn", "middle_turn", "ip_turn", *_RIVERS))
"""The names of those of the streets after the first, by how many there are."""
_WORTH: Final = ("oop_worth", "middle_worth", "ip_worth")
"""The names of those of `worth`, which only flops have."""
_STREETS: Final = {3: "flop", 4: "turn", 5: "river"}
"""By the cards of the board the street."""
_LEAST_LEFT: Final = 1e-10
"""A hand has an EV if it leaves this share of all pairs of opponents' hands, by weight: the EV is
right to some 1e-5 of the pot then."""
_SUMS_TO_ONE: Final = 1e-9
_MOST_BOARDS: Final = 4
"""Boards of the next street whose values are kept."""


_RIVER: Final = 5
_CONTESTED: Final = {
    (True, True): Form.MM,
    (True, False): Form.MA,
    (False, True): Form.AM,
    (False, False): Form.FF,
}
"""By whether opponents j and k contest the pot, its share."""


class SeatFigures(NamedTuple):
    """What the seats win from a decision on, on average over the deals that get there.

    Attributes:
        deals: The weight of those deals, given the public cards.
        equity: By seat the share of the pot without further betting; 0 for one that has folded.
        ev: By seat, in chips, net of what it puts in from there on.
    """

    deals: float
    equity: tuple[float, ...]
    ev: tuple[float, ...]


class _Header(SolutionHeader):
    spot: str
    values: tuple[float, ...]
    gains: tuple[float, ...]
    algorithm: str
    iterations: int = Field(ge=0, le=2**53)
    seconds: float = Field(ge=0.0)
    stopped_by: StopReason
    target: float | None
    unlocked_gains: tuple[float, ...] | None = None
    frequency_error: float | None = None
    tremble: float | None = None


@dataclass(frozen=True, eq=False)
class ThreeSolution(StoredSolution):
    """What CFR found for a spot of three players. Amounts are chips.

    Attributes:
        spot: What was solved.
        values: What each seat wins, in the order of acting, net of what it puts in from the spot
            on; without rake they sum to the pot.
        gains: What each seat gains by an exact best response to the two others, bound by its locks.
        algorithm: The variant of CFR.
        iterations: After how many iterations the strategies were the averages.
        seconds: How long the run took.
        stopped_by: What ended it.
        target: The sum of gains that would have ended it, in chips.
        strategies: For each seat float64[R, H]: the probability of each row's action on the first
            street with each hand of its range, see `poker.three_players.game`.
        later: For each seat float[B, R, W]: the strategy sums of the street after it, on the boards
            of `laid_out.runouts`, in proportion to which actions are taken; none on a river. Of a
            flop these of the turns, and then for each seat float[B, R - N, W], those of the rivers
            of `laid_out.rivers`, without the N rows that are entered.
        unlocked_gains: What each seat gains that is not bound by its locks; None without locks.
        frequency_error: By how much a locked frequency is missed, as a share of the range: the
            largest over the nodes; None without such locks.
        tremble: The least probability of every action in the run; None without trembles. Gains are
            those in the spot without them.
        worth: Of a flop for each seat float64[R, H]: the value of each row of the flop, times the
            reach of the others, which takes a pass over all boards; else none.
    """

    KIND: ClassVar[str] = THREE_SPOT
    HEADER: ClassVar[type[SolutionHeader]] = _Header

    spot: ThreeSpot
    values: tuple[float, ...]
    gains: tuple[float, ...]
    algorithm: str
    iterations: int
    seconds: float
    stopped_by: StopReason
    target: float | None
    strategies: tuple[FloatArray, ...] = field(repr=False)
    later: tuple[NDArray[Any], ...] = field(default=(), repr=False)
    unlocked_gains: tuple[float, ...] | None = None
    frequency_error: float | None = None
    tremble: float | None = None
    worth: tuple[FloatArray, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return brief_repr(self)

    @property
    def hand(self) -> ThreeSpot:
        """What was solved."""
        return self.spot

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, in the order of acting."""
        return SEAT_NAMES

    @property
    def nash_conv(self) -> float:
        """The sum of what the three seats gain by best responses, in chips."""
        return sum(self.gains)

    @property
    def nash_conv_percent(self) -> float:
        """`nash_conv` in percent of the pot."""
        return 100.0 * self.nash_conv / self.spot.pot

    @property
    def measure(self) -> float:
        """`nash_conv`."""
        return self.nash_conv

    @property
    def guarantee(self) -> str:
        """How good the strategies are, how that is known, and what is not."""
        bound = " that keep the locks" if self.spot.locks else ""
        return (
            f"Measured by exact best responses{bound}: one seat alone gains at most "
            f"{measure_text(max(self.gains))} chips, the three together "
            f"{measure_text(self.nash_conv)} ({self.nash_conv_percent:.3g}% of the pot). That "
            "makes it an approximate Nash equilibrium, of which there may be several with other "
            "values. With three players there is no exploitability: a seat that plays its part is "
            "not sure of its value, since the two others can lower it, by mistake or together. "
            "That CFR gets here is not proved for three players, only measured."
        )

    @cached_property
    def laid_out(self) -> HandsAndGames:
        """The hands and games of the spot."""
        return HandsAndGames.of(self.spot)

    @cached_property
    def _first(self) -> _Played:
        """What is played on the first street, and what it is worth."""
        laid_out = self.laid_out
        return _Played(
            board=self.spot.cards,
            hands=laid_out.hands,
            games=laid_out.games,
            strategies=self.strategies,
            reach=[
                row_reach(game, weights, rows)
                for game, weights, rows in zip(
                    laid_out.games, laid_out.weights, self.strategies, strict=True
                )
            ],
            value=self._first_worth,
        )

    def _first_worth(self) -> Sequence[FloatArray]:
        """What the rows of the first street are worth."""
        if self.worth:
            return self.worth
        valuer = Valuer(self.laid_out)
        played = [
            widened(rows, width)
            for rows, width in zip(self.strategies, valuer.tables.widths, strict=True)
        ]
        reach, worth = valuer.reach(played), list[FloatArray]()
        for seat, held in enumerate(self.laid_out.hands):
            rows, _ = valuer.worth(seat, played, reach, self.later)
            worth.append(rows[:, : len(held)])
        return worth

    def _on(self, path: tuple[int, ...]) -> _Played:
        """What is played after cards, and what it is worth.

        Args:
            path: The number of the board on each street after the first.
        """
        if not path:
            return self._first
        if path not in self._boards:
            laid_out, street, number = self.laid_out, len(path) - 1, path[-1]
            before = self._on(path[:-1])
            runouts = laid_out.rivers[path[0]] if street else laid_out.runouts
            games, hands, board = laid_out.later[street], runouts.hands[number], runouts.boards
            place = int(laid_out.river_begins[path[0]]) + number if street else number
            strategies, reach = list[FloatArray](), list[FloatArray]()
            for seat, (game, held) in enumerate(zip(games, hands, strict=True)):
                weights = self.later[len(games) * street + seat][place][:, : len(held)]
                strategies.append(in_proportion(game, weights))
                columns = np.searchsorted(before.hands[seat], held)
                entered = before.reach[seat][game.entry][:, columns]
                reach.append(row_reach(game, entered, strategies[seat]))
            if len(self._boards) >= _MOST_BOARDS:
                self._boards.clear()
            self._boards[path] = played = _Played(
                board=board[number],
                hands=hands,
                games=games,
                strategies=strategies,
                reach=reach,
                value=lambda: self._worth_on(path, played),
            )
        return self._boards[path]

    def _worth_on(self, path: tuple[int, ...], played: _Played) -> Sequence[FloatArray]:
        """What the rows of a later street are worth."""
        worth = list[FloatArray]()
        for seat, game in enumerate(played.games):
            j, k = OTHERS[seat]
            worth.append(row_worth(game, played.forms(seat, played.reach[j], played.reach[k])))
        if len(path) < len(self.laid_out.later):
            begin, end = self.laid_out.river_begins[path[0] : path[0] + 2]
            weights = [rows[begin:end] for rows in self.later[len(played.games) :]]
            add_rivers(self.laid_out, path[0], weights, played.reach, worth)
        for game, strategy, rows in zip(played.games, played.strategies, worth, strict=True):
            add_decisions(game, rows, strategy)
        return worth

    @cached_property
    def _boards(self) -> dict[tuple[int, ...], _Played]:
        """The boards of later streets that were looked up last, by the numbers of their cards."""
        return {}

    @cached_property
    def _decisions(self) -> dict[str, _Place]:
        """The decisions by their lines without cards."""
        betting, laid_out = self.spot.betting, self.laid_out
        places = sorted(
            (int(node), street, seat, number)
            for street, games in enumerate((laid_out.games, *laid_out.later))
            for seat, game in enumerate(games)
            for number, node in enumerate(game.node)
        )
        return {betting.line(node): _Place(*place) for node, *place in places}

    def lines(self) -> list[str]:
        """The lines that lead to the decisions of the first street.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [line for line, place in self._decisions.items() if not place.street]

    def nodes(self) -> list[Decision]:
        """The decisions of the first street, in the order of `lines`.

        Returns:
            The decisions.
        """
        return [self.at(line) for line in self.lines()]

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision.

        Args:
            line: The actions before it: `X-B20-C`, and after the first street the cards, too:
                `X-X-X|7c|B20`.
            board: The public cards, those of the spot first, if the line has none: `X-X-X|B20`;
                those of the spot may be left out where no card is dealt.

        Returns:
            The decision, by combos, with EVs in chips: what the hand wins from there on, net of
            what it puts in from there on. `reached` is how often play gets there with these cards.

        Raises:
            ConfigError: No decision has this line, its card is missing, or the board is another
                one.
        """
        return self._decision(*self._found(line, board))

    def seat_figures(self, line: str = "", board: str | Sequence[int] = "") -> SeatFigures:
        """What all seats win from a decision on, together with how often play gets there.

        Args:
            line: As for `at`.
            board: As for `at`.

        Returns:
            The figures of each seat. Seats that have folded win nothing.

        Raises:
            ConfigError: As from `at`; or two cards of the board are to come, or one in a spot that
                begins on the flop.
        """
        _, place, played, _, _ = self._found(line, board)
        if self.laid_out.rivers and place.street < len(self.laid_out.later):
            raise ConfigError(
                f"equities and EVs of all seats are counted on the rivers of a flop alone, and "
                f"{line or 'the root'} is on the {self._street(place.street)}",
                option="line",
                given=line or "the root",
                remedy="give a line of the river, or solve a spot that begins on the turn",
            )
        game, (j, k) = played.games[place.seat], OTHERS[place.seat]
        row = dict(zip((j, k), game.opponents[place.number].tolist(), strict=True))
        row[place.seat] = int(game.parent[place.number])
        reach = [
            _from_row(own, row[seat], played.reach[seat]) for seat, own in enumerate(played.games)
        ]
        come = [rows[row[seat]] for seat, rows in enumerate(reach)]
        live = int(self.spot.betting.live[game.node[place.number]])
        evs, equities, deals = [], [], 0.0
        # It holds the lists of all rivers, and is let go with them.
        valuer = None if place.street or not self.later else Valuer(self.laid_out)
        for seat in range(len(SEAT_NAMES)):
            first, second = OTHERS[seat]
            deals = float(come[seat] @ played.pairs(seat, come[first], come[second]))
            if not live >> seat & 1 or not deals:
                evs.append(0.0 if deals else math.nan)
                equities.append(0.0 if deals else math.nan)
                continue
            own = played.games[seat]
            if valuer is None:
                worth = row_worth(own, played.forms(seat, *_two(reach, seat)))
                add_decisions(own, worth, played.strategies[seat])
            else:
                worth = self._worth_from(valuer, seat, reach)
            charged = _charge(own, row[seat], row[first], row[second])
            evs.append(float(come[seat] @ worth[row[seat]]) / deals + charged)
            equities.append(self._equity(played, seat, come, live))
        return SeatFigures(deals, tuple(equities), tuple(evs))

    def _found(
        self, line: str, board: str | Sequence[int]
    ) -> tuple[str, _Place, _Played, Int32Array | None, tuple[int, ...]]:
        """Where a decision stands: its line with cards, place, board, images and public cards."""
        text, cards = part_line(instance("line", line, str, "text, such as 'X-B20-C'"), board)
        text, given = self._as_offered(text), cards
        if board and cards:
            if set(cards[: len(self.spot.cards)]) != set(self.spot.cards):
                raise ConfigError(
                    f"the board is {self.spot.board}, not {card_names(cards)}",
                    option="board",
                    given=card_names(cards),
                    expected=self.spot.board,
                    remedy="leave it out",
                )
            cards = cards[len(self.spot.cards) :]
        if text not in self._decisions:
            typed = line if cards else text
            raise unknown_line(typed, self.lines(), f" of the {self._street(0)}")
        place = self._decisions[text]
        if len(cards) != place.street:
            raise self._cards_missing(text, place.street, cards, given)
        if not cards:
            return text, place, self._first, None, self.spot.cards
        path, images = self._path(cards)
        parts = [part.actions for part in parse_line(text)]
        line_of_cards = line_text(parts, [[card] for card in cards])
        dealt = (*self.spot.cards, *cards)
        return line_of_cards, place, self._on(path), images, dealt

    def _as_offered(self, text: str) -> str:
        """A line without cards as decisions have it; one that cannot be played as it is."""
        with suppress(LineSyntaxError):
            return line_text(place_of_line(self.spot.betting, text).line)
        return written_line(text)

    def _cards_missing(
        self, line: str, wanted: int, cards: Sequence[int], given: Sequence[int]
    ) -> ConfigError:
        """The error for a line with too few cards, or too many."""
        free = [card for card in range(NUM_CARDS) if card not in self.spot.cards][:wanted]
        parts = [part.actions for part in parse_line(line)]
        written = line_text(parts, [[card] for card in free])
        return ConfigError(
            f"{line} is a decision of the {self._street(wanted)}, and the cards dealt after "
            f"{self.spot.board} are {card_names(cards) or 'missing'}",
            option="board",
            given=card_names(given),
            expected=counted(wanted, "card"),
            remedy=f"put {'the card' if wanted == 1 else 'a card'} behind "
            f"{'the' if wanted == 1 else 'each'} bar, as in {written}"
            if wanted
            else "leave them out",
        )

    def _path(self, cards: Sequence[int]) -> tuple[tuple[int, ...], Int32Array]:
        """The numbers of the boards that are solved in place of those with cards, and hands there.

        Returns:
            The number of the board on each street, and int32[1326]: the combo as which each plays.
        """
        laid_out, path = self.laid_out, list[int]()
        for place, card in enumerate(cards):
            if card in (*self.spot.cards, *cards[:place]):
                raise ConfigError(
                    f"{card_names([card])} is on the board "
                    f"{card_names((*self.spot.cards, *cards[:place]))} already",
                    option="board",
                    given=card_names([card]),
                    remedy="give another card",
                )
            solved, images = representative(self.spot.cards, laid_out.group, cards[: place + 1])
            runouts = laid_out.rivers[path[0]] if place else laid_out.runouts
            number, _ = runouts.find(solved[-1])
            if number < 0:
                raise ConfigError(
                    f"{card_names([card])} is never dealt: a range has no hand without it",
                    option="board",
                    given=card_names([card]),
                    remedy="give another card",
                )
            path.append(number)
        return tuple(path), images

    def _worth_from(self, valuer: Valuer, seat: int, reach: Sequence[FloatArray]) -> FloatArray:
        """`Valuer.worth` on the first street of a turn, for this reach of the others."""
        widths = valuer.tables.widths
        wide = [widened(rows, width) for rows, width in zip(reach, widths, strict=True)]
        played = [widened(rows, width) for rows, width in zip(self.strategies, widths, strict=True)]
        worth = valuer.worth(seat, played, wide, self.later)[0]
        return worth[:, : len(self.laid_out.hands[seat])]

    def _equity(self, played: _Played, seat: int, come: Sequence[FloatArray], live: int) -> float:
        """The share of the pot that a live seat wins without further betting."""
        kind = _CONTESTED[bool(live >> OTHERS[seat][0] & 1), bool(live >> OTHERS[seat][1] & 1)]
        if len(played.board) == _RIVER:
            first, second = (come[other] for other in OTHERS[seat])
            share = come[seat] @ played.showdown.value(kind, seat, first, second)
            return float(share / (come[seat] @ played.pairs(seat, first, second)))
        runouts, won, met = self.laid_out.runouts, 0.0, 0.0
        copies = np.bincount(runouts.image, minlength=runouts.count)
        for number, (board, hands) in enumerate(zip(runouts.boards, runouts.hands, strict=True)):
            left = [
                weights[np.searchsorted(whole, held)]
                for weights, whole, held in zip(come, self.laid_out.hands, hands, strict=True)
            ]
            first, second = (left[other] for other in OTHERS[seat])
            showdown = Showdown(board, hands)
            won += copies[number] * float(left[seat] @ showdown.value(kind, seat, first, second))
            pairs = showdown.value(Form.FF, seat, first, second)
            met += copies[number] * float(left[seat] @ pairs)
        return won / met

    def _street(self, number: int) -> str:
        """The name of a street, from the first on."""
        return _STREETS[len(self.spot.cards) + number]

    def _decision(
        self,
        line: str,
        place: _Place,
        played: _Played,
        images: Int32Array | None,
        board: tuple[int, ...],
    ) -> Decision:
        """A decision on a board, whose combos play as `images` on the one that was solved."""
        seat, game = place.seat, played.games[place.seat]
        rows = slice(game.first[place.number], game.first[place.number + 1])
        j, k = OTHERS[seat]
        reach_j, reach_k = (
            played.reach[other][row]
            for other, row in zip((j, k), game.opponents[place.number], strict=True)
        )
        pairs = played.pairs(seat, reach_j, reach_k)
        # A whole number where reach is 0 or 1: what is possible does not depend on rounding.
        possible = played.pairs(seat, _any(reach_j), _any(reach_k)) > 0.5
        # Sums over cards are taken away from sums over all: what is left of them may be rounding.
        possible &= pairs > _LEAST_LEFT * reach_j.sum() * reach_k.sum()
        strategy, worth = played.strategies[seat][rows], played.worth[seat][rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            action_ev = np.where(possible, worth / pairs, np.nan)
        ranges = [
            self.laid_out.weights[other][np.searchsorted(self.laid_out.hands[other], held)]
            for other, held in enumerate(played.hands)
        ]
        dealt = played.pairs(seat, _any(ranges[j]), _any(ranges[k])) > 0.5
        total = float(ranges[seat] @ played.pairs(seat, ranges[j], ranges[k]))
        reach = played.reach[seat][game.parent[place.number]]

        def by_combo(numbers: FloatArray, otherwise: float) -> FloatArray:
            spread = np.full((*numbers.shape[:-1], NUM_COMBOS), otherwise)
            spread[..., played.hands[seat]] = numbers
            return spread if images is None else spread[..., images]

        return Decision(
            line=line,
            seat=seat,
            seat_name=SEAT_NAMES[seat],
            street=self._street(place.street),
            actions=self.spot.betting.moves(int(game.node[place.number])),
            combos=by_combo(dealt.astype(np.float64), 0.0),
            reach=by_combo(reach, 0.0),
            strategy=by_combo(strategy, 0.0),
            ev=by_combo((strategy * action_ev).sum(axis=0), np.nan),
            action_ev=by_combo(action_ev, np.nan),
            board=board,
            reached=float(reach @ pairs) / total,
        )

    def lock(self, line: str = "") -> Lock:
        """Fix what is played at a decision, for every hand, to six decimals; for `ThreeSpot.locks`.

        After the turn the lock holds on the river card of the line alone. Hands that are suit
        images of each other get their mean, so that they remain images.

        Args:
            line: The actions before the decision, and the river card.

        Returns:
            The lock.

        Raises:
            ConfigError: As from `at`; or the spot begins on the flop, and has no locks.
        """
        if self.laid_out.rivers:
            raise ConfigError(
                "a flop with three ranges is solved without locks",
                option="locks",
                given=line or "the root",
                remedy="solve a spot that begins on the turn",
            )
        decision = self.at(line)
        group = self.laid_out.group
        for card in decision.board[len(self.spot.cards) :]:
            group = fixing(group, card)
        played = np.where(decision.combos > 0.0, decision.strategy, np.nan)
        mean = np.mean([played[:, COMBO_IMAGES[number]] for number in group], axis=0)
        return strategy_lock(decision.line, decision.actions, mean)

    def facts(self) -> dict[str, Any]:
        """Say what was solved, how, and how good it is, without the decisions.

        Returns:
            Values and gains by seat, their sum, and how the run went.
        """
        return {
            "spot": self.spot.to_toml(),
            "seats": list(self.seats),
            "values": dict(zip(self.seats, self.values, strict=True)),
            "gains": dict(zip(self.seats, self.gains, strict=True)),
            "nash_conv": self.nash_conv,
            "nash_conv_percent": self.nash_conv_percent,
            "guarantee": self.guarantee,
            "algorithm": self.algorithm,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped_by": self.stopped_by,
            "target": self.target,
            "locks": [str(lock) for lock in self.spot.locks],
            "unlocked_gains": None
            if self.unlocked_gains is None
            else dict(zip(self.seats, self.unlocked_gains, strict=True)),
            "frequency_error": self.frequency_error,
            "tremble": self.tremble,
        }

    def to_dict(self, line: str = "") -> dict[str, Any]:
        """The solution for JSON.

        Args:
            line: The decision to include.

        Returns:
            `facts`, and the decision as `node`.
        """
        return {**self.facts(), "node": self.at(line).to_dict()}

    def to_csv(self) -> str:
        """The decisions of the first street as CSV.

        Returns:
            A row for each decision, hand and action.
        """
        return decisions_csv(self.nodes())

    def _parts(self) -> StoredParts:
        arrays = dict(zip(_STRATEGIES, self.strategies, strict=True))
        arrays |= dict(zip(_LATER[self.spot.num_streets - 1], self.later, strict=True))
        arrays |= dict(zip(_WORTH, self.worth, strict=False))
        return StoredParts(arrays, {"spot": self.spot.to_toml()})


def read_three(path: str | os.PathLike[str]) -> ThreeSolution:
    """Open a file with such a solution; raises FileFormatError."""
    raw, arrays = read_archive(path, THREE_SPOT)
    with reading_content(path, "a whole solution"):
        header = _Header.read(raw)
        spot = ThreeSpot(**parse_spot(header.spot))
        strategies = tuple(np.array(arrays[name], np.float64) for name in _STRATEGIES)
        laid_out = HandsAndGames.of(spot)
        later = tuple(arrays[name] for name in _LATER[len(laid_out.later)])
        names = _WORTH if laid_out.rivers else ()
        worth = tuple(np.array(arrays[name], np.float64) for name in names)
        _check(header, laid_out, strategies, later, worth)
    fields = fields_of(header, "spot")
    return ThreeSolution(spot=spot, strategies=strategies, later=later, worth=worth, **fields)


class _Place(NamedTuple):
    """Where a decision stands."""

    street: int
    """The number of its street, from the first on."""
    seat: int
    """Who decides."""
    number: int
    """The number of the decision in the game of that seat."""


@dataclass(frozen=True, eq=False)
class _Played:
    """What three seats play on a board, and what it is worth, in float64.

    Attributes:
        board: Its cards.
        hands: For each seat int32[n], its combos there.
        games: The game of each seat.
        strategies: For each seat float64[R, n].
        reach: For each seat float64[R, n]: how often it brings its hands to each row.
        value: What gives `worth`.
    """

    board: tuple[int, ...]
    hands: tuple[Int32Array, ...]
    games: tuple[SeatGame, ...]
    strategies: Sequence[FloatArray]
    reach: Sequence[FloatArray]
    value: Callable[[], Sequence[FloatArray]]

    @cached_property
    def worth(self) -> Sequence[FloatArray]:
        """For each seat float64[R, n]: the value of each row, times the reach of the others."""
        return self.value()

    @cached_property
    def forms(self) -> Forms:
        """Evaluates the forms of a seat there."""
        return exact_forms(self.board, self.hands, self.games)

    def pairs(self, seat: int, weights_j: FloatArray, weights_k: FloatArray) -> FloatArray:
        """float64[n]: the weight of the pairs of opponents' hands that each hand leaves."""
        return self.showdown.value(Form.FF, seat, weights_j, weights_k)

    @cached_property
    def showdown(self) -> Showdown:
        """The forms one by one."""
        return Showdown(self.board, self.hands)


def _from_row(game: SeatGame, row: int, reach: FloatArray) -> FloatArray:
    """The reach of a seat by lines through one of its rows alone.

    Args:
        game: Its game.
        row: The row.
        reach: float64[R, n], by all lines.
    """
    through = np.zeros(game.num_rows, np.bool_)
    through[row] = True
    for d in range(game.num_decisions):
        if through[game.parent[d]]:
            through[game.first[d] : game.first[d + 1]] = True
    return np.where(through[:, None], reach, 0.0)


def _charge(game: SeatGame, row: int, row_j: int, row_k: int) -> float:
    """The chips that the last action of a seat put in, if no opponent has acted since.

    Its row is charged for them where the opponents have these rows, at which no hand ends.
    """
    forms = game.form[game.start[row] : game.start[row + 1]]
    terms = game.coefficient[game.start[row] : game.start[row + 1]]
    there = (game.kind[forms] == Form.FF) & (game.rows[forms] == (row_j, row_k)).all(axis=1)
    return -float(terms[there].sum())


def _two(rows: Sequence[FloatArray], seat: int) -> tuple[FloatArray, FloatArray]:
    """What the opponents of a seat have."""
    j, k = OTHERS[seat]
    return rows[j], rows[k]


def _any(weights: FloatArray) -> FloatArray:
    """1 where there is any weight, else 0."""
    return (weights > 0).astype(np.float64)


def _check(
    header: _Header,
    laid_out: HandsAndGames,
    strategies: Sequence[FloatArray],
    later: Sequence[NDArray[Any]],
    worth: Sequence[FloatArray],
) -> None:
    """Raise ValueError where the parts are not those of the spot."""
    for name, game, held, strategy in zip(
        _STRATEGIES, laid_out.games, laid_out.hands, strategies, strict=True
    ):
        if strategy.shape != (game.num_rows, len(held)) or not (strategy >= 0.0).all():
            raise ValueError(f"{name} is not {game.num_rows} rows of {len(held)} probabilities")
        if game.num_decisions:
            sums = np.add.reduceat(strategy, game.first[:-1], axis=0)
            if not (np.abs(sums - 1.0) < _SUMS_TO_ONE).all():
                raise ValueError(f"the probabilities of {name} do not sum to 1")
    for name, shape, weights in zip(
        _LATER[len(laid_out.later)], laid_out.later_shapes, later, strict=True
    ):
        if weights.shape != shape or weights.dtype not in (np.float32, np.float64):
            raise ValueError(f"{name} is not {shape} weights")
        for rows in weights:  # by board: of a flop they take most of the memory
            if not (np.isfinite(rows) & (rows >= 0.0)).all():
                raise ValueError(f"{name} has weights that are negative or infinite")
    for name, strategy, rows in zip(_WORTH, strategies, worth, strict=False):
        if rows.shape != strategy.shape or not np.isfinite(rows).all():
            raise ValueError(f"{name} is not a finite value for each probability")
    unlocked = header.gains if header.unlocked_gains is None else header.unlocked_gains
    for figures in (header.values, header.gains, unlocked):
        if len(figures) != len(SEAT_NAMES) or not np.isfinite(figures).all():
            raise ValueError("there are not three finite values and gains")
