"""Kuhn poker for n players.

Every player antes and gets one card of a deck of distinct cards. In turn, each passes or bets
until somebody bets; then each of the others, in turn, passes (folds) or bets (calls), once. The
highest card among those who bet wins the pot; if nobody bet, the highest card of all.

Harold W. Kuhn, "A simplified two-person poker", 1950; for n players Nick Abou Risk and Duane
Szafron, "Using counterfactual regret minimization to create competitive multiplayer poker
agents", AAMAS 2010.

Infoset keys are the player's card, numbered from 1, and the letters of the actions so far, as
the textbooks write them: `1`, `1b`, `1p`, `1pb`. Pass is also check and fold, bet is also call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.library.kuhn_notation import Row, in_our_notation
from equilibrist.games.parameters import NamedGame, parameter

KuhnState = tuple[tuple[int, ...], str]
"""The cards dealt so far, by player, and the letters of the actions so far."""

_ACTIONS = ("pass", "bet")
_WORDS = ((("pass", "check"), ("bet",)), (("fold", "pass"), ("call", "bet")))
"""What people call the actions: before a bet, and facing one."""


class _Line(NamedTuple):
    """A betting line: who acts, where the two actions lead, and at its end who paid what."""

    player: int
    children: tuple[str, ...]
    bettors: tuple[int, ...]


@dataclass(frozen=True)
class Kuhn(NamedGame):
    """Kuhn poker.

    Attributes:
        players: How many players, 2 to 10.
        cards: Size of the deck, one suit; one more than players by default.
        ante: Chips that each player antes.
        bet: Chips of a bet.
    """

    game_name: ClassVar[str] = "kuhn"
    aliases: ClassVar[tuple[str, ...]] = ("kuhn_poker",)
    summary: ClassVar[str] = "Kuhn poker: one card each, one bet"

    players: int = parameter("integer", 2, "number of players", minimum=2, maximum=10)
    cards: int = parameter(
        "integer",
        None,
        "size of the deck, one suit",
        minimum=3,
        maximum=1000,
        default_text="players + 1",
    )
    ante: float = parameter("number", 1, "chips each player antes", minimum=0)
    bet: float = parameter("number", 1, "chips of a bet", minimum=0)
    _lines: dict[str, _Line] = field(init=False, repr=False, compare=False)
    _labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def filled_in(self) -> dict[str, Any]:
        """The default size of the deck, which depends on the number of players.

        Returns:
            {"cards": the number of players + 1}.
        """
        return {"cards": self.players + 1}

    def prepare(self) -> None:
        """Check the size of the deck and lay out the betting lines.

        Raises:
            GameSpecError: The deck has fewer than players + 1 cards.
        """
        if self.cards < self.players + 1:
            raise self.refuse(
                "cards", self.cards, f"at least {self.players + 1} with {self.players} players"
            )
        self.remember(_lines={})
        self._add_lines("", ())
        self.remember(_labels=tuple(str(card) for card in range(self.cards + 1)))

    def _add_lines(self, line: str, bettors: tuple[int, ...]) -> None:
        first_bet = line.find("b")
        over = len(line) == self.players if first_bet < 0 else len(line) == self.players + first_bet
        actor = len(line) % self.players
        if over:
            self._lines[line] = _Line(TERMINAL, (), bettors)
            return
        self._lines[line] = _Line(actor, (line + "p", line + "b"), bettors)
        self._add_lines(line + "p", bettors)
        self._add_lines(line + "b", (*bettors, actor))

    @property
    def num_players(self) -> int:
        return self.players

    def initial_state(self) -> KuhnState:
        return ((), "")

    def player(self, state: KuhnState, /) -> int:
        return self._lines[state[1]].player if len(state[0]) == self.players else CHANCE

    def actions(self, state: KuhnState, /) -> tuple[str, ...]:
        dealt = state[0]
        if len(dealt) == self.players:
            return _ACTIONS
        return tuple(self._labels[card] for card in range(1, self.cards + 1) if card not in dealt)

    def chance(self, state: KuhnState, /) -> tuple[float, ...]:
        left = self.cards - len(state[0])
        return (1.0 / left,) * left

    def next(self, state: KuhnState, action_index: int, /) -> KuhnState:
        dealt, line = state
        if len(dealt) == self.players:
            return (dealt, self._lines[line].children[action_index])
        card = action_index + 1
        for other in sorted(dealt):
            card += card >= other
        return ((*dealt, card), line)

    def payoffs(self, state: KuhnState, /) -> tuple[float, ...]:
        dealt, line = state
        bettors = self._lines[line].bettors
        winner = max(bettors or range(self.players), key=dealt.__getitem__)
        result = [-float(self.ante)] * self.players
        for player in bettors:
            result[player] -= self.bet
        result[winner] += self.ante * self.players + self.bet * len(bettors)
        return tuple(result)

    def infoset(self, state: KuhnState, /) -> str:
        dealt, line = state
        return self._labels[dealt[len(line) % self.players]] + line

    def public_state(self, state: KuhnState, /) -> str:
        dealt, line = state
        return "?" * len(dealt) + line

    def infoset_facts(self, key: str, /) -> Sequence[tuple[str, str]]:
        """What the player knows, as (name, what it is) pairs."""
        card = key.rstrip("pb")
        line = key[len(card) :]
        name = {"1": " (J)", "2": " (Q)", "3": " (K)"}.get(card, "") if self.cards == 3 else ""
        pot = self.ante * self.players + self.bet * line.count("b")
        words = [_WORDS["b" in line[:i]][letter == "b"][0] for i, letter in enumerate(line)]
        return (
            ("your card", card + name),
            ("pot", f"{pot:g}"),
            ("moves", ", ".join(words) or "none yet"),
        )

    def key_parts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """The key taken apart: (hand or move; text) in the order of play.

        Args:
            key: The key of an infoset.

        Returns:
            (kind, text) pairs.
        """
        card = key.rstrip("pb")
        return (("hand", card), *(("move", letter) for letter in key[len(card) :]))

    def rank_names(self) -> tuple[tuple[str, ...], ...]:
        """The names of each card, the lowest first; with three cards they are J, Q and K, too.

        Returns:
            The names of each rank, its number first.
        """
        letters = "JQK" if self.cards == 3 else ""
        cards = [self._labels[card] for card in range(1, self.cards + 1)]
        return tuple((card, *letters[i : i + 1]) for i, card in enumerate(cards))

    def shown_names(self) -> dict[str, str]:
        """What people read for outcomes and infosets: with three cards J, Q and K for 1, 2 and 3.

        Returns:
            {text of the game: text that is shown}.
        """
        lines = [line for line, found in self._lines.items() if found.player != TERMINAL]
        return {
            card + line: letter + line
            for card, *letters in self.rank_names()
            for letter in letters
            for line in lines
        }

    def action_words(self, key: str, labels: Sequence[str], /) -> Sequence[tuple[str, ...]]:
        """List what people call each action, the best word first."""
        return _WORDS["b" in key]

    def in_our_names(
        self, table: Mapping[str, Row], known: Mapping[str, Sequence[str]]
    ) -> dict[str, Row]:
        """A table of a strategy in another notation of the literature, in this game's names.

        Args:
            table: The rows of the table by infoset, in any of the notations.
            known: The labels of the actions by infoset, in this game's names.

        Returns:
            The rows by infoset, in this game's names.
        """
        return in_our_notation(table, known)
