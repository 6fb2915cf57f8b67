"""Goofspiel, the game of pure strategy, for n players.

Everybody holds cards 1..n. In each round a prize worth 1..n points is shown, all bid one card at
once, and the single highest bid wins the prize; tied highest bids throw it away. The bids are
taken in turn, player 0 first, without anybody knowing the earlier ones of the round; the last
round, where nobody has a choice, plays itself.

Invented by Merrill Flood at Princeton in the 1930s; Sheldon M. Ross, "Goofspiel - the game of pure
strategy", Journal of Applied Probability 8, 1971. With `imp_info` the bids stay secret and only
the winner of each round is announced: Marc Lanctot, "Monte Carlo sampling and regret minimization
for equilibrium computation and decision-making in large extensive form games", PhD thesis 2013.

Infoset keys are the player and one part per round. With open bids a part lists all players' bids
(`0/4,2/1,3`), with secret ones one's own bid and `+` for won, `=` for a tie, `-` for lost, with the
winner's number where there are several others (`0/4+/1-2`). Where the order of the prizes is
random, each part starts with the prize, and the key ends with the prize to bid for:
`0/3:4,2/1:`. Players remember the order of their own bids (OpenSpiel's keys of the game with
open bids do not).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter
from equilibrist.parsing.call_text import format_spec

_OWN_BID = re.compile(r"\d+(?=[-+=])")
"""In a key of the game with secret bids: what only the player knows."""


class GoofspielState(NamedTuple):
    """A position: `bids` are those of this round so far, `keys` the players' infoset keys."""

    player: int
    bids: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    prizes: tuple[int, ...]
    prize: int
    """The prize to bid for; 0 while it is drawn."""
    points: tuple[int, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Goofspiel(NamedGame):
    """Goofspiel."""

    game_name: ClassVar[str] = "goofspiel"
    aliases: ClassVar[tuple[str, ...]] = ("gops",)
    summary: ClassVar[str] = "bid cards for prizes, all at once"

    cards: int = parameter("integer", 4, "cards in each hand, and prizes", minimum=2, maximum=99)
    players: int = parameter("integer", 2, "number of players", minimum=2, maximum=10)
    imp_info: bool = parameter("flag", False, "bids stay secret, only the winner is announced")
    points_order: str = parameter(
        "choice", "random", "order of the prizes", choices=("random", "descending", "ascending")
    )
    returns_type: str = parameter(
        "choice",
        "win_loss",
        "what is paid: 1 for the most points (shared) against the rest, the points less the "
        "average, or the points",
        choices=("win_loss", "point_difference", "total_points"),
    )
    _labels: dict[tuple[int, ...], tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def prepare(self) -> None:
        self.remember(_labels={})

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def sampled_as(self) -> str:
        """The name of the rules by which this game is sampled without a tree."""
        values = {
            "cards": self.cards,
            "players": self.players,
            "imp_info": int(self.imp_info),
            "order": ("descending", "random", "ascending").index(self.points_order) - 1,
            "returns": ("win_loss", "point_difference", "total_points").index(self.returns_type),
        }
        return format_spec("rules:goofspiel", values)

    def initial_state(self) -> GoofspielState:
        cards = tuple(range(1, self.cards + 1))
        return self._shown(
            hands=(cards,) * self.players,
            prizes=cards if self.points_order != "descending" else cards[::-1],
            points=(0,) * self.players,
            keys=tuple(str(player) for player in range(self.players)),
        )

    def player(self, state: GoofspielState, /) -> int:
        return state[0]

    def actions(self, state: GoofspielState, /) -> tuple[str, ...]:
        cards = state.prizes if state.player == CHANCE else state.hands[state.player]
        labels = self._labels.get(cards)
        if labels is None:
            labels = self._labels[cards] = tuple(str(card) for card in cards)
        return labels

    def chance(self, state: GoofspielState, /) -> tuple[float, ...]:
        count = len(state.prizes)
        return (1.0 / count,) * count

    def next(self, state: GoofspielState, action_index: int, /) -> GoofspielState:
        player, bids, hands, prizes, prize, points, keys = state
        if player == CHANCE:
            prize = prizes[action_index]
            prizes = prizes[:action_index] + prizes[action_index + 1 :]
            keys = tuple(f"{key}/{prize}:" for key in keys)
            return GoofspielState(0, (), hands, prizes, prize, points, keys)
        bids = (*bids, hands[player][action_index])
        if player + 1 < self.players:
            return GoofspielState(player + 1, bids, hands, prizes, prize, points, keys)
        winner = _winner(bids)
        if winner is not None:
            points = _with_added(points, winner, prize)
        hands = tuple(
            tuple(card for card in hand if card != bid)
            for hand, bid in zip(hands, bids, strict=True)
        )
        if len(hands[0]) == 1:
            return self._finished(hands, prizes, points)
        return self._shown(hands, prizes, points, self._longer_keys(keys, bids, winner))

    def _shown(
        self,
        hands: tuple[tuple[int, ...], ...],
        prizes: tuple[int, ...],
        points: tuple[int, ...],
        keys: tuple[str, ...],
    ) -> GoofspielState:
        """The start of a round: the next prize is shown, or to be drawn."""
        if self.points_order == "random":
            return GoofspielState(CHANCE, (), hands, prizes, 0, points, keys)
        return GoofspielState(0, (), hands, prizes[1:], prizes[0], points, keys)

    def _finished(
        self,
        hands: tuple[tuple[int, ...], ...],
        prizes: tuple[int, ...],
        points: tuple[int, ...],
    ) -> GoofspielState:
        """The end, after the last cards have been bid for the last prize."""
        winner = _winner(tuple(hand[0] for hand in hands))
        if winner is not None:
            points = _with_added(points, winner, prizes[0])
        return GoofspielState(TERMINAL, (), (), (), 0, points, ())

    def _longer_keys(
        self, keys: tuple[str, ...], bids: tuple[int, ...], winner: int | None
    ) -> tuple[str, ...]:
        slash = "" if self.points_order == "random" else "/"
        if not self.imp_info:
            part = slash + ",".join(str(bid) for bid in bids)
            return tuple(key + part for key in keys)
        lost = "-" if self.players == 2 else f"-{winner}"
        signs = ["=" if winner is None else "+" if p == winner else lost for p in range(len(bids))]
        return tuple(f"{k}{slash}{b}{s}" for k, b, s in zip(keys, bids, signs, strict=True))

    def payoffs(self, state: GoofspielState, /) -> tuple[float, ...]:
        points = state.points
        if self.returns_type == "total_points":
            return tuple(float(p) for p in points)
        if self.returns_type == "point_difference":
            mean = sum(points) / len(points)
            return tuple(p - mean for p in points)
        best = max(points)
        winners = points.count(best)
        losers = len(points) - winners
        if losers == 0:
            return (0.0,) * len(points)
        return tuple(1.0 / winners if p == best else -1.0 / losers for p in points)

    def infoset(self, state: GoofspielState, /) -> str:
        return state.keys[state.player]

    def public_state(self, state: GoofspielState, /) -> str:
        if state.player == TERMINAL:
            return ",".join(str(points) for points in state.points)
        key = state.keys[0][1:]
        return _OWN_BID.sub("", key) if self.imp_info else key

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        player, *parts = key.split("/")
        me, cards = int(player), range(1, self.cards + 1)
        if self.points_order == "random":
            rounds = [tuple(part.split(":")) for part in parts]
            prize = rounds.pop()[0]
        else:
            order = cards if self.points_order == "ascending" else cards[::-1]
            prize = str(order[len(parts)])
            rounds = [(str(points), bids) for points, bids in zip(order, parts, strict=False)]
        mine = [re.split("[-+=]", b)[0] if self.imp_info else b.split(",")[me] for _, b in rounds]
        legend = "yours, and + won, = tied, - lost" if self.imp_info else "bids in order of players"
        return (
            ("you are", f"player {me}"),
            ("prize", prize),
            ("your cards", " ".join(str(card) for card in cards if str(card) not in mine)),
            (f"so far ({legend})", "; ".join(f"{p}: {b}" for p, b in rounds) or "nothing"),
        )


def _winner(bids: tuple[int, ...]) -> int | None:
    best = max(bids)
    return bids.index(best) if bids.count(best) == 1 else None


def _with_added(points: tuple[int, ...], winner: int, prize: int) -> tuple[int, ...]:
    return (*points[:winner], points[winner] + prize, *points[winner + 1 :])
