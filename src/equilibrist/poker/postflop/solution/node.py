"""A node of a solved spot: arrays, tables, JSON documents and text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.formatting.amounts import percent
from equilibrist.parsing.arguments import bad_argument
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.betting.state import BettingState
from equilibrist.poker.cards.cards import NUM_CARDS, card_mask, card_name, parse_cards
from equilibrist.poker.cards.combos import combo_name, without_cards
from equilibrist.poker.decisions import strategy_grid
from equilibrist.poker.decisions.decision import LEAST_ARRIVING, Decision, off_path
from equilibrist.poker.decisions.strategy_grid import ClassValues
from equilibrist.poker.postflop.solution.node_aggregates import (
    NodeMeans,
    NodeValues,
    Totals,
    action_evs,
    class_values,
    ev_digits,
    frequencies,
    json_number,
    json_numbers,
    node_means,
    realisation,
    totals,
    totals_document,
    weight_digits,
)
from equilibrist.poker.postflop.solution.node_place import NodePlace, seat_number
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.ranges import grid as range_grid
from equilibrist.poker.ranges.range import Range
from equilibrist.storage.frames import import_pandas
from equilibrist.typing import BoolArray, FloatArray, Int32Array

if TYPE_CHECKING:
    import pandas


class Node(NodePlace):
    """A point of the betting on a board, with what was solved there.

    `PostflopResult.at` makes them. Everything can be read as arrays and dictionaries; the
    properties that are DataFrames need the extra `pandas`. Frequencies and totals are by matchups,
    that is by how often a hand is there when play comes to the node, unless their name says by
    combos. A `player` is `oop` or `ip`, or their numbers, 0 and 1; ConfigError for anything else.

    Args:
        board: The cards at the root.
        state: The state of the betting.
        look_up: Gives the node after a line with cards, for the steps to other nodes.

    Attributes:
        values: The figures of all hands, as arrays.
        actions: What the player who acts may do; empty where nobody acts.
        runout: The cards that were dealt since the root.
        resolved: In chips, the mean gain to which the street was re-solved, because the file of the
            solution does not keep it; None otherwise. Without rake it is the exploitability.
        measure_name: What that is called: `exploitability` or `mean gain`.
        whole: The largest weight of a hand of each player at the root.
        prize_pool: In play for prizes the sum of the payouts: EVs are then expected prizes, and
            there is no EQR. None where they are in chips.
    """

    def __init__(
        self,
        board: tuple[int, ...],
        state: BettingState,
        runout: tuple[int, ...],
        actions: tuple[Action, ...],
        values: NodeValues,
        resolved: float | None = None,
        measure_name: str = "exploitability",
        look_up: Callable[[str], Node] | None = None,
        whole: tuple[float, float] = (1.0, 1.0),
        prize_pool: float | None = None,
    ) -> None:
        super().__init__(board, state, runout, actions)
        self._look_up = look_up
        self.values = values
        self.resolved = resolved
        self.measure_name = measure_name
        self.whole = whole
        self.prize_pool = prize_pool

    def play(self, action: Action | str) -> Node:
        """The node after an action of the player to act.

        Args:
            action: One of `actions`, its name (`"Bet 94"`) or its code (`"B94"`), in any case.

        Returns:
            The next node.

        Raises:
            UnknownNameError: The player cannot do that here.
            ConfigError: No player acts, or the node has no solution to look others up in.
        """
        self._who_acts()
        wanted = str(action).lower()
        for offered in self.actions:
            if wanted in (str(offered).lower(), offered.code.lower()):
                return self._other(self.next_lines[str(offered)])
        names = [str(offered) for offered in self.actions]
        raise UnknownNameError("action here", str(action), names, option="action")

    def deal(self, card: str) -> Node:
        """The node after the next card of the board.

        Args:
            card: The card, such as `"8h"`.

        Returns:
            The next node.

        Raises:
            LineSyntaxError: It is on the board already, or none is dealt here.
            CardSyntaxError: It is no card.
            ConfigError: It is not one card, or the node has no solution to look others up in.
        """
        if len(parse_cards(card)) != 1:
            raise bad_argument("card", card, "one card, such as '8h'")
        return self._other(f"{self.line}|{card}")

    @property
    def children(self) -> dict[str, Node]:
        """The node after each action, by its name; empty if no player acts (`deal` a card)."""
        return {name: self._other(line) for name, line in self.next_lines.items()}

    @property
    def parent(self) -> Node | None:
        """The node before the last action or card; None at the root."""
        before = self.line_before
        return None if before is None else self._other(before)

    @property
    def decision(self) -> Decision:
        """What the hands of the player to act do, by combo; raises ConfigError if nobody acts."""
        player, values = self._who_acts(), self.values
        return Decision(
            line=self.line,
            seat=player,
            seat_name=SEATS[player].upper(),
            street=self.street,
            actions=self.actions,
            combos=without_cards(card_mask(self._cards)).astype(np.float64),
            reach=values.weight[player],
            strategy=np.nan_to_num(values.strategy),
            ev=values.ev[player],
            action_ev=values.action_ev,
            board=self._cards,
        )

    @cached_property
    def totals(self) -> Totals:
        """Equity, EV and EQR of both players."""
        return totals(self.values, self.of)

    @property
    def frequency(self) -> dict[str, float]:
        """The frequency of each action, by matchups; NaN if the node is never reached."""
        return self._frequency(by_combos=False)

    @property
    def frequency_by_combos(self) -> dict[str, float]:
        """The frequency of each action by combos: each hand counts with its weight alone."""
        return self._frequency(by_combos=True)

    @property
    def ev_by_action(self) -> dict[str, float]:
        """In chips, the EV of each action: the mean over the hands that take it, by matchups.

        As in `values.action_ev` both players follow their average strategies afterwards. NaN for
        actions that no hand takes.
        """
        if self.player is None:
            return {}
        evs = action_evs(self.values, self.player).tolist()
        return {str(a): ev for a, ev in zip(self.actions, evs, strict=True)}

    def range_of(self, player: int | str) -> Range:
        """The range with which a player reaches the node; its text can be pasted as a range.

        Args:
            player: `oop` or `ip`, or 0 out of position, 1 in position.

        Returns:
            The hands that the board leaves, weighted by the range at the root and by the
            probability that the player takes the actions of the line.

        Raises:
            ConfigError: There is no such player.
        """
        player = seat_number(player)
        return Range.from_weights(self.values.weight[player])

    def combos(self, player: int | str) -> Int32Array:
        """The hands that a player holds here.

        Args:
            player: `oop` or `ip`, or 0 out of position, 1 in position.

        Returns:
            int32[n], numbers of combos, AsAh first.

        Raises:
            ConfigError: There is no such player.
        """
        player = seat_number(player)
        return np.flatnonzero(self.values.weight[player])[::-1].astype(np.int32)

    def realised(self, player: int | str) -> FloatArray:
        """The equity realisation (EQR) of a player's hands.

        Args:
            player: `oop` or `ip`, or 0 out of position, 1 in position.

        Returns:
            float64[1326], NaN without equity.

        Raises:
            ConfigError: There is no such player.
        """
        player = seat_number(player)
        return realisation(self.values.ev[player], self.values.equity[player], self.of)

    def classes(self, player: int | str, *, by_combos: bool = False) -> ClassValues:
        """The hands of a player by hand class, as arrays on the 13x13 grid.

        Args:
            player: `oop` or `ip`, or 0 out of position, 1 in position.
            by_combos: Whether combos count by their weights, not by matchups.

        Returns:
            Weight, equity, EV and strategy of each class.

        Raises:
            ConfigError: There is no such player.
        """
        player = seat_number(player)
        acts = player == self.player
        return class_values(self.values, player, self._cards, acts=acts, by_combos=by_combos)

    def hands_of(self, player: int | str) -> pandas.DataFrame:
        """Weight, equity, EV and EQR of each hand of a player; if they act, each action as well.

        Args:
            player: `oop` or `ip`, or 0 out of position, 1 in position.

        Returns:
            A DataFrame with a row per hand. For each action of the player a column such as `Bet 30`
            holds the probability, and `Bet 30 ev` the EV of the action. EVs are in chips, or in
            prizes.

        Raises:
            ConfigError: There is no such player, or pandas is not installed.
        """
        player = seat_number(player)
        held = self.combos(player)
        columns = {
            "weight": self.values.weight[player],
            "equity": self.values.equity[player],
            "ev": self.values.ev[player],
            "eqr": self.realised(player),
        }
        if player == self.player:
            columns |= {
                str(a): row for a, row in zip(self.actions, self.values.strategy, strict=True)
            }
            columns |= {
                f"{a} ev": row for a, row in zip(self.actions, self.values.action_ev, strict=True)
            }
        return _frame({name: column[held] for name, column in columns.items()}, held)

    @property
    def hands(self) -> pandas.DataFrame:
        """The hands of the player to act; raises ConfigError if no player acts."""
        return self.hands_of(self._who_acts())

    @property
    def strategy(self) -> pandas.DataFrame:
        """A row for each hand of the player to act, a column for each action."""
        player = self._who_acts()
        return self.hands_of(player)[[str(action) for action in self.actions]]

    @property
    def action_ev(self) -> pandas.DataFrame:
        """The EV of each action in chips, in the same layout as `strategy`."""
        player = self._who_acts()
        table = self.hands_of(player)[[f"{action} ev" for action in self.actions]]
        return table.set_axis([str(action) for action in self.actions], axis=1)

    @property
    def equity(self) -> pandas.DataFrame:
        """A row for each hand held by a player, columns `oop` and `ip`, NaN where not held."""
        return self._both(self.values.equity)

    @property
    def ev(self) -> pandas.DataFrame:
        """EV in chips, in the same layout as `equity`."""
        return self._both(self.values.ev)

    def to_dict(self, only: BoolArray | None = None) -> dict[str, Any]:
        """The node as a JSON document: numbers are rounded, None stands for NaN.

        `hands` are those of the player to act, with their strategy and the EV of each action in the
        order of `actions`, or of OOP if no player acts; `other_hands` are those of the other
        player. Hands that are not held or are blocked by the board are left out.

        Args:
            only: bool[1326], the hands to include; None for all.

        Returns:
            Plain numbers, texts, lists and dictionaries; amounts are in chips, frequencies and
            equities are shares.
        """
        return node_document(self, self.values, self.resolution, only)

    @property
    def resolution(self) -> dict[str, float | None]:
        """`resolved` for a JSON document, by its keys there; with rake no exploitability."""
        constant_sum = self.measure_name == "exploitability"
        if self.prize_pool is not None:
            return {"resolved_mean_gain_prizes": self.resolved}
        return {
            "resolved_exploitability_chips": self.resolved if constant_sum else None,
            "resolved_mean_gain_chips": self.resolved,
        }

    def totals_document(self) -> dict[str, list[float | None]]:
        """`equity`, `ev` and `eqr` of both players for a JSON document.

        Returns:
            Each a list of two numbers, OOP first: `equity` as a share, `ev` in chips, `eqr` as a
            ratio; None where the total is undefined.
        """
        return totals_document(self.totals, self.scale)

    def __str__(self) -> str:
        return "\n".join(self.summary())

    def summary(self, *, by_combos: bool = False) -> list[str]:
        """The place, both players' totals, and the actions with frequency, EV and next line.

        Args:
            by_combos: Whether combos count by their weights, not by matchups.

        Returns:
            The lines of the text, which `print(node)` shows, too.
        """
        resolved = ""
        if self.resolved is not None:
            gain = f"{self.resolved:.3g} {self.unit_words}"
            resolved = f"not in the file: re-solved, {self.measure_name} {gain}"
        absent = off_path([seat.upper() for seat in self.absent])
        note = "; ".join(filter(None, (resolved, absent)))
        means = node_means(self.values, self.player, self.of)
        return summary(self, means, note, by_combos=by_combos)

    @property
    def absent(self) -> tuple[str, ...]:
        """The seats of which no hand comes here as often as once in 10,000 times.

        What is played here has then no place in equilibrium, unless the spot was solved with
        trembles or logit responses.
        """
        most = self.values.weight.max(axis=1)
        return tuple(
            seat
            for seat, here, whole in zip(SEATS, most, self.whole, strict=True)
            if here < LEAST_ARRIVING * whole
        )

    def __repr__(self) -> str:
        return f"<Node {self.line or 'root'}: {self.what} on {self.board}, pot {self.pot}>"

    def to_svg(self) -> str:
        """The grid of the player to act as an SVG file.

        Returns:
            The text of the file.

        Raises:
            ConfigError: No player acts.
        """
        return strategy_grid.svg(self.classes(self._who_acts()), self.actions, self.title)

    def _repr_html_(self) -> str:
        if self.player is not None:
            text = None
            if self.prize_pool is not None:

                def text(ev: float) -> str:
                    return f"{self.ev_text(ev)} in prizes"

            classes = self.classes(self.player)
            grid = strategy_grid.html(classes, self.actions, self.pot, text)
        else:
            ranges = (range_grid.html(self.classes(player).weight) for player in (0, 1))
            titled = (
                f'<td style="padding:0 12px 0 0">{seat.upper()}{grid}</td>'
                for seat, grid in zip(SEATS, ranges, strict=True)
            )
            grid = f"<table><tr>{''.join(titled)}</tr></table>"
        return f'<div><pre style="line-height:1.3">{escape(str(self))}</pre>{grid}</div>'

    def _frequency(self, *, by_combos: bool) -> dict[str, float]:
        if self.player is None:
            return {}
        shares = frequencies(self.values, self.player, by_combos=by_combos).tolist()
        return {str(a): share for a, share in zip(self.actions, shares, strict=True)}

    def _other(self, line: str) -> Node:
        if self._look_up is None:
            raise bad_argument("node", self, "one of a solution: result.at(line)")
        return self._look_up(line)

    def _who_acts(self) -> int:
        if self.player is None:
            place = self.line or "the root"
            raise ConfigError(
                f"no player acts after {place} ({self.what})",
                option="line",
                given=place,
                remedy="use hands_of(0) or hands_of(1)",
            )
        return self.player

    def _both(self, figures: FloatArray) -> pandas.DataFrame:
        held = np.flatnonzero(self.values.weight.any(axis=0))[::-1].astype(np.int32)
        shown = np.where(self.values.weight > 0, figures, np.nan)[:, held]
        return _frame(dict(zip(SEATS, shown, strict=True)), held)


def _frame(columns: dict[str, FloatArray], combos: Int32Array) -> pandas.DataFrame:
    index = [combo_name(combo) for combo in combos.tolist()]
    return import_pandas().DataFrame(columns, index=index)


def node_document(
    place: NodePlace,
    values: NodeValues,
    resolution: dict[str, float | None],
    only: BoolArray | None,
) -> dict[str, Any]:
    """The document of a node; `only`, bool[1326], selects hands, None all."""
    first = place.player or 0
    means = node_means(values, place.player, place.of)
    return {
        **without_hands(place, resolution, means),
        "hands": _hands(values, first, only, place.scale, with_strategy=True),
        "other_hands": _hands(values, 1 - first, only, place.scale),
    }


def without_hands(
    place: NodePlace, resolution: dict[str, float | None], means: NodeMeans
) -> dict[str, Any]:
    """The document of a node without its hands; `means` are its `node_means`."""
    return {
        "line": place.line,
        "board": place.board,
        "street": place.street,
        **({} if place.prize_pool is None else {"unit": "prizes"}),
        "pot": place.pot,
        "player": place.player,
        "actions": [str(action) for action in place.actions],
        "codes": [action.code for action in place.actions],
        **resolution,
        "frequency": [*map(json_number, means.frequency)],
        "frequency_by_combos": [*map(json_number, means.frequency_by_combos)],
        "action_ev": [json_number(ev, ev_digits(place.scale)) for ev in means.action_ev],
        **totals_document(means.totals, place.scale),
    }


def _hands(
    values: NodeValues,
    player: int,
    only: BoolArray | None,
    pot: float,
    *,
    with_strategy: bool = False,
) -> dict[str, dict[str, Any]]:
    """Weight, equity, EV and optionally the strategy of each hand, from aces down."""
    digits = ev_digits(pot)
    combos = np.flatnonzero(values.weight[player])[::-1]
    if only is not None:
        combos = combos[only[combos]]
    columns: dict[str, list[Any]] = {
        "weight": [*map(weight_digits, values.weight[player, combos].tolist())],
        "equity": json_numbers(values.equity[player, combos]),
        "ev": json_numbers(values.ev[player, combos], digits),
    }
    if with_strategy:
        columns["strategy"] = json_numbers(values.strategy[:, combos].T)
        columns["action_ev"] = json_numbers(values.action_ev[:, combos].T, digits)
    rows = zip(*columns.values(), strict=True)
    names = map(combo_name, combos.tolist())
    return {
        name: dict(zip(columns, row, strict=True)) for name, row in zip(names, rows, strict=True)
    }


def summary(place: NodePlace, means: NodeMeans, note: str, *, by_combos: bool) -> list[str]:
    """The lines of the summary; frequencies by matchups, unless `by_combos`.

    `means` are the `node_means` of the node; `note` is said below its place, if not empty.
    """
    to_call = f", {place.to_call:,} to call" if place.to_call else ""
    lines = [
        f"{place.line or 'root'}: {place.what}",
        f"{place.street} {place.board}, pot {place.pot:,}{to_call}",
        *([note] if note else []),
        "",
    ]
    totals = [
        (percent(equity, 2), place.ev_text(ev), percent(eqr, 1))
        for equity, ev, eqr in zip(*means.totals, strict=True)
    ]
    wide = [
        max(least, *map(len, texts))
        for least, texts in zip((8, 11, 8), zip(*totals, strict=True), strict=True)
    ]
    for seat, row in zip(("", *SEATS), (("equity", "EV", "EQR"), *totals), strict=True):
        acts = " (acts)" if place.player is not None and seat == SEATS[place.player] else ""
        figures = " ".join(f"{text:>{width}}" for text, width in zip(row, wide, strict=True))
        lines.append(f"{seat.upper() + acts:<10}{figures}")
    if place.player is not None:
        frequency = means.frequency_by_combos if by_combos else means.frequency
        width = max(9, *(len(str(action)) for action in place.actions))
        how = f"frequency ({'by combos' if by_combos else 'adjusted for card removal'})"
        lines += ["", f"{'action':<{width}}  {how}{'EV':>12}  line"]
        rows = zip(place.next_lines.items(), frequency, means.action_ev, strict=True)
        lines += [
            f"{action:<{width}}  {percent(share, 1):>{len(how)}} {place.ev_text(ev):>11}  {line}"
            for (action, line), share, ev in rows
        ]
    elif place.deals_a_card:
        free = max(set(range(NUM_CARDS)).difference(parse_cards(place.board)))
        lines += ["", f"next line: {place.line}|{card_name(free)}, or with any other card"]
    return lines
