"""Leduc hold'em for n players.

Everybody antes and gets one card; after a round of bets one card is turned up for all, and a
second, dearer round follows. A pair with the board wins, else the highest card; equal hands
split the pot. A round allows `raise_cap` raises (a first bet counts as one); a player may fold
only when facing a raise. In the second round the first player still in acts first. With a `stack`
a raise is one of the pot, counted after a call, or goes all-in; whoever is all-in acts no more.

Finnegan Southey, Michael Bowling, Bryce Larson, Carmelo Piccione, Neil Burch, Darse Billings and
Chris Rayner, "Bayes' bluff: opponent modelling in poker", UAI 2005.

Infoset keys are the player's card, `:` and the letters of the first round (f, c, r, a), `/` and the
board, `:` and the letters of the second round: `Js`, `Js:r`, `Js:rc/Kh`, `Js:rc/Kh:r`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, cast

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter
from equilibrist.parsing.call_text import format_spec

LeducState = tuple[tuple[int, ...], str]
"""Cards dealt so far (one per player, then the board), and the betting letters so far.

The letters are `-` while private cards are dealt; the rounds are separated by `/`.
"""

_DEAL = "-"
_RANKS = "23456789TJQKA"
_SUITS = "shdc"
_WORDS = {"f": "fold", "c": "call", "r": "raise", "a": "all-in"}
_UNFACED = {"call": "check", "raise": "bet"}
"""What people call the actions of who faces no bet."""


class _Line(NamedTuple):
    """A betting line: who acts, what may be done, where it leads, and the chips so far."""

    player: int
    actions: tuple[str, ...]
    children: tuple[str, ...]
    first_round: str
    second_round: str
    paid: tuple[float, ...]
    live: tuple[int, ...]
    raises: int
    to_act: int
    """How many players must still act before the round is over."""
    results: dict[tuple[int, ...], tuple[float, ...]]
    """Payoffs by set of winners, computed on demand."""


@dataclass(frozen=True)
class Leduc(NamedGame):
    """Leduc hold'em."""

    game_name: ClassVar[str] = "leduc"
    aliases: ClassVar[tuple[str, ...]] = ("leduc_poker", "leduc_holdem")
    summary: ClassVar[str] = "Leduc hold'em: one private card, one board card, two betting rounds"

    players: int = parameter("integer", 2, "number of players", minimum=2, maximum=10)
    ranks: int = parameter(
        "integer", None, "ranks in the deck", minimum=1, maximum=13, default_text="players + 1"
    )
    suits: int = parameter("integer", 2, "suits in the deck", minimum=1, maximum=4)
    ante: float = parameter("number", 1, "chips each player antes", minimum=0)
    bets: tuple[float, float] = parameter("list", (2, 4), "chips of a raise in each round")
    stack: float | None = parameter(
        "number",
        None,
        "chips of each player, of which raises are the pot or all; `bets` mean nothing then",
        minimum=0,
        default_text="no limit",
    )
    raise_cap: int = parameter("integer", 2, "raises allowed in a round", minimum=0, maximum=20)
    suit_isomorphism: bool = parameter(
        "flag", False, "remove the suits, which have no strategic effect"
    )
    _lines: _Lines = field(init=False, repr=False, compare=False)
    _labels: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _ranks: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _board_labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def filled_in(self) -> dict[str, Any]:
        return {"ranks": self.players + 1}

    def prepare(self) -> None:
        if self.ranks * self.suits <= self.players:
            raise self.refuse(
                "ranks",
                self.ranks,
                f"such that ranks * suits exceeds the number of players ({self.players})",
            )
        if self.stack is not None and self.stack <= self.ante:
            raise self.refuse("stack", self.stack, f"more than the ante ({self.ante:g})")
        top = len(_RANKS) - (self.ranks < len(_RANKS))  # short decks end with the king
        ranks = _RANKS[top - self.ranks : top]
        suits = [""] if self.suit_isomorphism else list(_SUITS[: self.suits])
        labels = tuple(rank + suit for rank in ranks for suit in suits)
        self.remember(
            bets=self._checked_bets(),
            _labels=labels,
            _ranks=tuple(card // len(suits) for card in range(len(labels))),
            _board_labels=tuple("/" + label for label in labels),
            _lines=_Lines(self),
        )

    def _checked_bets(self) -> tuple[float, float]:
        expected = "two positive numbers, such as [2,4]"
        bets: list[float] = []
        for value in self.bets:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise self.refuse("bets", self.bets, expected)
            if not 0 < value < float("inf"):
                raise self.refuse("bets", self.bets, expected)
            bets.append(int(value) if value == int(value) else value)
        if len(bets) != 2:
            raise self.refuse("bets", self.bets, expected)
        return (bets[0], bets[1])

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def sampled_as(self) -> str | None:
        """The name of the rules by which this game is sampled without a tree.

        None with a stack, or if an amount is not in whole chips, which those rules do not have.
        """
        if self.stack is not None:
            return None
        chips = (self.ante, *self.bets)
        if any(amount != int(amount) for amount in chips):
            return None
        values = {"players": self.players, "ranks": self.ranks, "suits": self.suits}
        names = ("ante", "bet", "second_bet")
        values |= dict(zip(names, map(int, chips), strict=True))
        return format_spec("rules:leduc", values | {"raise_cap": self.raise_cap})

    def initial_state(self) -> LeducState:
        return ((), _DEAL)

    def player(self, state: LeducState, /) -> int:
        return self._lines[state[1]].player

    def actions(self, state: LeducState, /) -> tuple[str, ...]:
        line = self._lines[state[1]]
        if line.player == CHANCE:
            return tuple(self._labels[card] for card in self._undealt(state[0]))
        return line.actions

    def chance(self, state: LeducState, /) -> tuple[float, ...]:
        dealt = state[0]
        left = self.ranks * self.suits - len(dealt)
        if not self.suit_isomorphism:
            return (1.0 / left,) * left
        return tuple((self.suits - dealt.count(card)) / left for card in self._undealt(dealt))

    def _undealt(self, dealt: tuple[int, ...]) -> list[int]:
        copies = self.suits if self.suit_isomorphism else 1
        return [card for card in range(len(self._labels)) if dealt.count(card) < copies]

    def next(self, state: LeducState, action_index: int, /) -> LeducState:
        dealt, letters = state
        line = self._lines[letters]
        if line.player != CHANCE:
            return (dealt, line.children[action_index])
        cards = (*dealt, self._undealt(dealt)[action_index])
        if letters != _DEAL:
            return (cards, letters + "/")
        return (cards, "" if len(cards) == self.players else _DEAL)

    def payoffs(self, state: LeducState, /) -> tuple[float, ...]:
        dealt, letters = state
        line = self._lines[letters]
        winners = line.live
        if len(winners) > 1:
            winners = self._best(dealt, winners)
        result = line.results.get(winners)
        if result is None:
            result = line.results[winners] = _shared(line.paid, winners)
        return result

    def _best(self, dealt: tuple[int, ...], live: tuple[int, ...]) -> tuple[int, ...]:
        """The players with the best hand: a pair with the board, else the highest rank."""
        ranks = self._ranks
        board = ranks[dealt[-1]]
        paired = tuple(player for player in live if ranks[dealt[player]] == board)
        if paired:
            return paired
        best = max(ranks[dealt[player]] for player in live)
        return tuple(player for player in live if ranks[dealt[player]] == best)

    def infoset(self, state: LeducState, /) -> str:
        dealt, letters = state
        line = self._lines[letters]
        key = self._labels[dealt[line.player]] + line.first_round
        if len(dealt) == self.players:
            return key
        return key + self._board_labels[dealt[-1]] + line.second_round

    def public_state(self, state: LeducState, /) -> str:
        dealt, letters = state
        first, _, second = letters.partition("/")
        key = "?" * min(len(dealt), self.players) + ":" + first
        if len(dealt) <= self.players:
            return key
        return f"{key}{self._board_labels[dealt[-1]]}:{second}"

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        hand, _, rest = key.partition("/")
        card, _, first = hand.partition(":")
        board, _, second = rest.partition(":")
        line = self._line_at(key)
        to_call = max(line.paid) - line.paid[line.player]
        facts = [("your card", card), ("round 1", _spelt(first))]
        if board:
            facts += [("board", board), ("round 2", _spelt(second))]
        return (*facts, ("pot", f"{sum(line.paid):g}"), ("to call", f"{to_call:g}"))

    def key_parts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """The key taken apart: (hand, board or move; text) in the order of play."""
        hand, _, rest = key.partition("/")
        card, _, first = hand.partition(":")
        board, _, second = rest.partition(":")
        parts = [("hand", card), *(("move", letter) for letter in first)]
        if board:
            parts += [("board", board), *(("move", letter) for letter in second)]
        return tuple(parts)

    def rank_names(self) -> tuple[tuple[str, ...], ...]:
        """The names of each rank, the lowest first: the rank, then its cards."""
        names: list[list[str]] = [[] for _ in range(self.ranks)]
        for label, rank in zip(self._labels, self._ranks, strict=True):
            names[rank].append(label)
        return tuple((cards[0][0], *cards) for cards in names)

    def action_words(self, key: str, labels: Sequence[str], /) -> tuple[tuple[str, ...], ...]:
        """List what people call each action, the best word first."""
        line = self._line_at(key)
        faced = line.paid[line.player] < max(line.paid)
        return tuple(
            (label,) if faced or label not in _UNFACED else (_UNFACED[label], label)
            for label in line.actions
        )

    def _line_at(self, key: str) -> _Line:
        hand, _, rest = key.partition("/")
        first, second = (part.partition(":")[2] for part in (hand, rest))
        return self._lines[f"{first}/{second}" if rest else first]


def _spelt(letters: str) -> str:
    """The moves of a round; a call of nothing is a check, the first raise is a bet."""
    words = [_WORDS[letter] for letter in letters]
    bet = next((k for k, letter in enumerate(letters) if letter in "ra"), len(letters))
    words[: bet + 1] = [_UNFACED.get(word, word) for word in words[: bet + 1]]
    return ", ".join(words) or "none yet"


class _Lines(dict[str, _Line]):
    """The betting lines by their letters, found on first use from the line one letter shorter."""

    def __init__(self, game: Leduc) -> None:
        super().__init__()
        self._game = game
        players = game.players
        everybody = tuple(range(players))
        antes = (game.ante,) * players
        self[_DEAL] = _Line(
            player=CHANCE,
            actions=(),
            children=(),
            first_round="",
            second_round="",
            paid=antes,
            live=everybody,
            raises=0,
            to_act=0,
            results={},
        )
        self[""] = self._acting("", 0, antes, everybody, 0, players)

    def __missing__(self, letters: str) -> _Line:
        before = self[letters[:-1]]
        line = self._after(before, letters)
        self[letters] = line
        return line

    def _after(self, before: _Line, letters: str) -> _Line:
        if letters[-1] == "/":
            live = before.live
            if max(before.paid) == self._game.stack:  # nobody has chips left to bet
                return self._closed(letters, TERMINAL, before.paid, live)
            return self._acting(letters, live[0], before.paid, live, 0, len(live))
        actor, paid, live = before.player, list(before.paid), before.live
        raises, to_act = before.raises, before.to_act - 1
        if letters[-1] == "f":
            live = tuple(p for p in live if p != actor)
        else:
            paid[actor] = max(before.paid)
            if letters[-1] == "a":
                paid[actor] = cast("float", self._game.stack)
            elif letters[-1] == "r":
                limited = self._game.stack is None
                paid[actor] += self._game.bets["/" in letters] if limited else sum(paid)
            if letters[-1] in "ra":
                raises, to_act = raises + 1, len(live) - 1
        chips = tuple(paid)
        if len(live) == 1:
            return self._closed(letters, TERMINAL, chips, live)
        if to_act == 0:
            return self._closed(letters, TERMINAL if "/" in letters else CHANCE, chips, live)
        actor = next((p for p in live if p > actor), live[0])
        return self._acting(letters, actor, chips, live, raises, to_act)

    def _acting(
        self,
        letters: str,
        actor: int,
        paid: tuple[float, ...],
        live: tuple[int, ...],
        raises: int,
        to_act: int,
    ) -> _Line:
        legal = ("f" if paid[actor] < max(paid) else "") + "c"
        if raises < self._game.raise_cap:
            legal += self._raises(actor, paid)
        first, _, second = letters.partition("/")
        return _Line(
            player=actor,
            actions=tuple(_WORDS[letter] for letter in legal),
            children=tuple(letters + letter for letter in legal),
            first_round=":" + first if first else "",
            second_round=":" + second if second else "",
            paid=paid,
            live=live,
            raises=raises,
            to_act=to_act,
            results={},
        )

    def _raises(self, actor: int, paid: tuple[float, ...]) -> str:
        """The letters of the raises that a player has the chips for."""
        stack, to_match = self._game.stack, max(paid)
        if stack is None:
            return "r"
        pot = sum(paid) + to_match - paid[actor]
        return ("r" if to_match + pot < stack else "") + ("a" if to_match < stack else "")

    def _closed(
        self, letters: str, player: int, paid: tuple[float, ...], live: tuple[int, ...]
    ) -> _Line:
        return _Line(
            player=player,
            actions=(),
            children=(),
            first_round="",
            second_round="",
            paid=paid,
            live=live,
            raises=0,
            to_act=0,
            results={},
        )


def _shared(paid: tuple[float, ...], winners: tuple[int, ...]) -> tuple[float, ...]:
    """Each player's net gain at the end if the winners share the pot."""
    share = sum(paid) / len(winners)
    return tuple(
        share - chips if player in winners else -float(chips) for player, chips in enumerate(paid)
    )
