"""`ThreeSolution`: strategies of three players on a river, with every decision's hands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from pydantic import Field

from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import measure_text
from equilibrist.formatting.brief import brief_repr
from equilibrist.poker.cards.cards import card_names
from equilibrist.poker.cards.combos import NUM_COMBOS
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
from equilibrist.poker.postflop.spot.toml import parse_spot
from equilibrist.poker.three_players.forms import Form
from equilibrist.poker.three_players.game import OTHERS
from equilibrist.poker.three_players.profile import HandsAndGames, add_decisions, row_worth
from equilibrist.poker.three_players.profile import row_reach as reach_of_rows
from equilibrist.poker.three_players.solver import exact_forms
from equilibrist.poker.three_players.spot import SEAT_NAMES, ThreeSpot
from equilibrist.solvers.run.stopping import StopReason
from equilibrist.storage.archive import read_archive
from equilibrist.storage.damage import reading_content
from equilibrist.storage.kinds.file_kinds import THREE_SPOT
from equilibrist.typing import FloatArray

_STRATEGIES: Final = ("oop_strategy", "middle_strategy", "ip_strategy")
"""The names of the arrays in a file."""
_SUMS_TO_ONE: Final = 1e-9


class _Header(SolutionHeader):
    spot: str
    values: tuple[float, ...]
    gains: tuple[float, ...]
    algorithm: str
    iterations: int = Field(ge=0, le=2**53)
    seconds: float = Field(ge=0.0)
    stopped_by: StopReason
    target: float | None


@dataclass(frozen=True, eq=False)
class ThreeSolution(StoredSolution):
    """What CFR found on a river of three players. Amounts are chips.

    Attributes:
        spot: What was solved.
        values: What each seat wins, in the order of acting, net of what it puts in from the spot
            on; without rake they sum to the pot.
        gains: What each seat gains by an exact best response to the two others.
        algorithm: The variant of CFR.
        iterations: After how many iterations the strategies were the averages.
        seconds: How long the run took.
        stopped_by: What ended it.
        target: The sum of gains that would have ended it, in chips.
        strategies: For each seat float64[R, H]: the probability of each row's action with each hand
            of its range, see `poker.three_players.game`.
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
        return (
            f"Measured by exact best responses: one seat alone gains at most "
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
    def _reach(self) -> list[FloatArray]:
        """For each seat float64[R, H]: how often it brings its hands to each row."""
        laid_out = self.laid_out
        return [
            reach_of_rows(game, weights, strategy)
            for game, weights, strategy in zip(
                laid_out.games, laid_out.weights, self.strategies, strict=True
            )
        ]

    @cached_property
    def _worth(self) -> list[FloatArray]:
        """For each seat float64[R, H]: the value of each row, times the reach of the others."""
        worth, forms = [], exact_forms(self.laid_out)
        for seat, game in enumerate(self.laid_out.games):
            j, k = OTHERS[seat]
            rows = row_worth(game, forms(seat, self._reach[j], self._reach[k]))
            add_decisions(game, rows, self.strategies[seat])
            worth.append(rows)
        return worth

    @cached_property
    def _decisions(self) -> dict[str, tuple[int, int]]:
        """By line the seat that decides, and the number of its decision."""
        betting = self.spot.betting
        places = sorted(
            (int(node), seat, number)
            for seat, game in enumerate(self.laid_out.games)
            for number, node in enumerate(game.node)
        )
        return {betting.line(node): (seat, number) for node, seat, number in places}

    def lines(self) -> list[str]:
        """The lines that lead to the decisions.

        Returns:
            The lines, that of the root, which is empty, first.
        """
        return [*self._decisions]

    def nodes(self) -> list[Decision]:
        """All decisions, in the order of `lines`.

        Returns:
            The decisions.
        """
        return [self.at(line) for line in self._decisions]

    def at(self, line: str = "", board: str | Sequence[int] = "") -> Decision:
        """Look up a decision.

        Args:
            line: The actions before it, as `lines` has them: `X-B20-C`.
            board: The public cards, those of the spot; they may be left out.

        Returns:
            The decision, by combos, with EVs in chips: what the hand wins from there on, net of
            what it puts in from there on.

        Raises:
            ConfigError: No decision has this line, or the board is another one.
        """
        text, cards = part_line(written_line(line), board)
        if cards and cards != self.spot.cards:
            raise ConfigError(
                f"the board is {self.spot.board}, not {card_names(cards)}",
                option="board",
                given=card_names(cards),
                expected=self.spot.board,
                remedy="leave it out",
            )
        if text not in self._decisions:
            raise unknown_line(text, self.lines(), " of the river")
        seat, number = self._decisions[text]
        return self._decision(text, seat, number)

    def _decision(self, line: str, seat: int, number: int) -> Decision:
        laid_out, game = self.laid_out, self.laid_out.games[seat]
        rows = slice(game.first[number], game.first[number + 1])
        j, k = OTHERS[seat]
        reach_j, reach_k = (
            self._reach[other][row]
            for other, row in zip((j, k), game.opponents[number], strict=True)
        )
        value = laid_out.showdown.value
        pairs = value(Form.FF, seat, reach_j, reach_k)
        # A whole number where reach is 0 or 1: what is possible does not depend on rounding.
        counted = value(
            Form.FF, seat, (reach_j > 0).astype(np.float64), (reach_k > 0).astype(np.float64)
        )
        strategy, worth = self.strategies[seat][rows], self._worth[seat][rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            action_ev = np.where(counted > 0.5, worth / pairs, np.nan)
        dealt = laid_out.deals[seat] > 0
        reach = self._reach[seat][game.parent[number]]
        node = int(game.node[number])
        return Decision(
            line=line,
            seat=seat,
            seat_name=SEAT_NAMES[seat],
            street="river",
            actions=self.spot.betting.moves(node),
            combos=self._by_combo(seat, dealt.astype(np.float64), 0.0),
            reach=self._by_combo(seat, reach, 0.0),
            strategy=self._by_combo(seat, strategy, 0.0),
            ev=self._by_combo(seat, (strategy * action_ev).sum(axis=0), np.nan),
            action_ev=self._by_combo(seat, action_ev, np.nan),
            board=self.spot.cards,
            reached=float(reach @ pairs) / laid_out.total,
        )

    def _by_combo(self, seat: int, numbers: FloatArray, otherwise: float) -> FloatArray:
        """float64[..., 1326] of numbers for the hands of a seat."""
        spread = np.full((*numbers.shape[:-1], NUM_COMBOS), otherwise)
        spread[..., self.laid_out.hands[seat]] = numbers
        return spread

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
        """All decisions as CSV.

        Returns:
            A row for each decision, hand and action.
        """
        return decisions_csv(self.nodes())

    def _parts(self) -> StoredParts:
        arrays = dict(zip(_STRATEGIES, self.strategies, strict=True))
        return StoredParts(arrays, {"spot": self.spot.to_toml()})


def read_three(path: str | os.PathLike[str]) -> ThreeSolution:
    """Open a file with such a solution; raises FileFormatError."""
    raw, arrays = read_archive(path, THREE_SPOT)
    with reading_content(path, "a whole solution"):
        header = _Header.read(raw)
        spot = ThreeSpot(**parse_spot(header.spot))
        strategies = tuple(np.array(arrays[name], np.float64) for name in _STRATEGIES)
        _check(header, HandsAndGames.of(spot), strategies)
    return ThreeSolution(spot=spot, strategies=strategies, **fields_of(header, "spot"))


def _check(header: _Header, laid_out: HandsAndGames, strategies: Sequence[FloatArray]) -> None:
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
    for figures in (header.values, header.gains):
        if len(figures) != len(SEAT_NAMES) or not np.isfinite(figures).all():
            raise ValueError("there are not three finite values and gains")
