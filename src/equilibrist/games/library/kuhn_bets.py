"""Kuhn poker for two players with bets of several sizes.

Both players ante 1 and get one card of a deck of distinct cards. Player 0 checks or bets, and after
a check player 1 checks or bets. A bet, of one of the sizes, is called or folded to; the higher card
wins what was not folded. With the single size 1 this is Kuhn poker. Small, and with several bets,
it shows what is lost where a strategy knows only some of them: a bet that it lacks must be
translated to one that it has.

Harold W. Kuhn, "A simplified two-person poker", 1950; on the translation of bets Sam Ganzfried and
Tuomas Sandholm, "Action translation in extensive-form games with large action spaces: axioms,
paradoxes, and the pseudo-harmonic mapping", IJCAI 2013.

Infoset keys are the player's card, numbered from 1, and after a colon what was done: `k` for a
check, `b2` for a bet of 2: `1`, `1:k`, `1:b2`, `1:kb2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

KuhnBetsState = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards by player, and the actions so far, by their place among those that were possible."""

_ANTE = 1
_POT = 2 * _ANTE
_FACING = ("fold", "call")


@dataclass(frozen=True)
class KuhnBets(NamedGame):
    """Kuhn poker with bets of several sizes.

    Attributes:
        cards: Size of the deck, one suit.
        sizes: The sizes of bets, in chips; the pot is 2.
    """

    game_name: ClassVar[str] = "kuhn_bets"
    summary: ClassVar[str] = "Kuhn poker with bets of several sizes"

    cards: int = parameter("integer", 3, "size of the deck, one suit", minimum=2, maximum=1000)
    sizes: int | tuple[int, ...] = parameter(
        "integers", (1, 2, 3), "sizes of bets, in chips; the pot is 2", minimum=1, maximum=10**6
    )
    _bets: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _opening: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _labels: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def prepare(self) -> None:
        """Put the sizes in order.

        Raises:
            GameSpecError: A size is given twice.
        """
        sizes = self.sizes if isinstance(self.sizes, tuple) else (self.sizes,)
        bets = tuple(sorted(set(sizes)))
        if len(bets) != len(sizes):
            raise self.refuse("sizes", sizes, "a list without repetition")
        self.remember(
            sizes=bets,
            _bets=bets,
            _opening=("check", *(f"bet {size}" for size in bets)),
            _labels=tuple(str(card) for card in range(self.cards + 1)),
        )

    @property
    def num_players(self) -> int:
        return 2

    def initial_state(self) -> KuhnBetsState:
        return ((), ())

    def player(self, state: KuhnBetsState, /) -> int:
        dealt, moves = state
        if len(dealt) < 2:
            return CHANCE
        over = len(moves) - _checks(moves) == 2 or moves == (0, 0)
        return TERMINAL if over else len(moves) % 2

    def actions(self, state: KuhnBetsState, /) -> tuple[str, ...]:
        dealt, moves = state
        if len(dealt) < 2:
            return tuple(self._labels[c] for c in range(1, self.cards + 1) if c not in dealt)
        return _FACING if moves and moves[-1] else self._opening

    def chance(self, state: KuhnBetsState, /) -> tuple[float, ...]:
        left = self.cards - len(state[0])
        return (1.0 / left,) * left

    def next(self, state: KuhnBetsState, action_index: int, /) -> KuhnBetsState:
        dealt, moves = state
        if len(dealt) == 2:
            return (dealt, (*moves, action_index))
        card = action_index + 1
        card += bool(dealt) and card >= dealt[0]
        return ((*dealt, card), moves)

    def payoffs(self, state: KuhnBetsState, /) -> tuple[float, ...]:
        dealt, moves = state
        winner, stake = int(dealt[1] > dealt[0]), float(_ANTE)
        if moves != (0, 0):
            bettor = _checks(moves)
            if moves[-1]:
                stake += self._bets[moves[bettor] - 1]
            else:
                winner = bettor
        return (stake, -stake) if winner == 0 else (-stake, stake)

    def infoset(self, state: KuhnBetsState, /) -> str:
        dealt, moves = state
        line = "".join(f"b{self._bets[move - 1]}" if move else "k" for move in moves)
        return self._labels[dealt[len(moves) % 2]] + (":" + line if line else "")

    def public_state(self, state: KuhnBetsState, /) -> str:
        return "?" * len(state[0]) + ".".join(map(str, state[1]))

    def infoset_facts(self, key: str, /) -> Sequence[tuple[str, str]]:
        """What the player knows, as (name, what it is) pairs; `pot` is what lies in it."""
        card, _, line = key.partition(":")
        bet = line.partition("b")[2]
        words = ["check"] * line.startswith("k") + [f"bet {bet}"] * bool(bet)
        return (
            ("your card", card),
            ("pot", str(_POT + int(bet or 0))),
            ("moves", ", ".join(words) or "none yet"),
        )

    def key_parts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """The key taken apart: (hand or move; text) in the order of play.

        Args:
            key: The key of an infoset.

        Returns:
            (kind, text) pairs.
        """
        card, _, line = key.partition(":")
        bet = line.lstrip("k")
        moves = ["k"] * (len(line) - len(bet)) + [bet] * bool(bet)
        return (("hand", card), *(("move", move) for move in moves))

    def rank_names(self) -> tuple[tuple[str, ...], ...]:
        """The names of each card, the lowest first; with three cards they are J, Q and K, too.

        Returns:
            The names of each rank, its number first.
        """
        letters = "JQK" if self.cards == 3 else ""
        return tuple(
            (label, *letters[i : i + 1]) for i, label in enumerate(self._labels[1 : self.cards + 1])
        )

    def shown_names(self) -> dict[str, str]:
        """What people read for outcomes and infosets: with three cards J, Q and K for 1, 2 and 3.

        Returns:
            {text of the game: text that is shown}.
        """
        bets = [f"b{size}" for size in self._bets]
        lines = ["", ":k", *(f":{checks}{bet}" for checks in ("", "k") for bet in bets)]
        return {
            card + line: letter + line
            for card, *letters in self.rank_names()
            for letter in letters
            for line in lines
        }


def _checks(moves: tuple[int, ...]) -> int:
    """Count the checks that come first; the bettor's number, if there is one."""
    return int(bool(moves) and moves[0] == 0)
