"""Liar's dice for n players, one round.

Everybody rolls in secret. In turn each bids a quantity and a face (`2-5`: at least two fives
among all dice), always higher than the bid before: more dice, or as many of a higher face. Or
they call the last bidder a liar, and all dice are shown. Dice with the highest face are wild and
count as any face. Whoever was wrong pays 1 to whoever was right; other players get nothing.

The two-player game is OpenSpiel's `liars_dice` with `bidding_rule=reset-face`: Marc Lanctot et
al., "OpenSpiel: a framework for reinforcement learning in games", 2019.

Infoset keys are the player's dice in rising order and the bids so far: `3`, `3/1-2`, `25/1-3/2-5`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter
from equilibrist.parsing.call_text import format_spec

LiarsDiceState = tuple[int, tuple[Any, ...], int, str]
"""Who acts, the dice, the index of the last bid (-1: none), and the bids so far.

The dice are faces in order of rolling until all have been rolled, then one text per player. At
the end the dice are replaced by the payoffs.
"""

_LIAR = "liar"


@dataclass(frozen=True)
class LiarsDice(NamedGame):
    """Liar's dice."""

    game_name: ClassVar[str] = "liars_dice"
    aliases: ClassVar[tuple[str, ...]] = ("liarsdice", "bluff")
    summary: ClassVar[str] = "liar's dice, one round, highest face wild"

    players: int = parameter("integer", 2, "number of players", minimum=2, maximum=10)
    dice: int | tuple[int, ...] = parameter(
        "integers", 1, "dice of each player, or a list with each player's", minimum=1, maximum=10
    )
    sides: int = parameter("integer", 6, "faces of a die", minimum=2, maximum=100)
    _counts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _faces: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _odds: tuple[float, ...] = field(init=False, repr=False, compare=False)
    _actions: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _suffixes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _hands: dict[tuple[int, ...], str] = field(init=False, repr=False, compare=False)
    _truth: dict[tuple[tuple[str, ...], int], bool] = field(init=False, repr=False, compare=False)
    _results: tuple[tuple[tuple[float, ...], ...], ...] = field(
        init=False, repr=False, compare=False
    )

    def prepare(self) -> None:
        counts = (self.dice,) * self.players if isinstance(self.dice, int) else self.dice
        if len(counts) != self.players:
            raise self.refuse(
                "dice", self.dice, f"an integer, or a list of {self.players}, one for each player"
            )
        quantities = range(1, sum(counts) + 1)
        bids = [f"{q}-{face}" for q in quantities for face in range(1, self.sides + 1)]
        after = [(*bids[last + 1 :], _LIAR) for last in range(len(bids))]
        self.remember(
            dice=counts[0] if len(set(counts)) == 1 else counts,
            _counts=counts,
            _faces=tuple(str(face) for face in range(1, self.sides + 1)),
            _odds=(1.0 / self.sides,) * self.sides,
            _actions=(*after, tuple(bids)),  # the last row, index -1, is for the first bid
            _suffixes=tuple("/" + bid for bid in bids),
            _hands={},
            _truth={},
            _results=tuple(
                tuple(self._result(caller, true) for true in (False, True))
                for caller in range(self.players)
            ),
        )

    def _result(self, caller: int, true: bool) -> tuple[float, ...]:
        payoffs = [0.0] * self.players
        payoffs[caller] = -1.0 if true else 1.0
        payoffs[caller - 1] = -payoffs[caller]
        return tuple(payoffs)

    @property
    def num_players(self) -> int:
        return self.players

    @property
    def sampled_as(self) -> str | None:
        """The name of the rules by which this game is sampled without a tree.

        None if the players have different numbers of dice.
        """
        if not isinstance(self.dice, int):
            return None
        values = {"players": self.players, "dice": self.dice, "sides": self.sides}
        return format_spec("rules:liars_dice", values)

    def initial_state(self) -> LiarsDiceState:
        return (CHANCE, (), -1, "")

    def player(self, state: LiarsDiceState, /) -> int:
        return state[0]

    def actions(self, state: LiarsDiceState, /) -> tuple[str, ...]:
        return self._faces if state[0] == CHANCE else self._actions[state[2]]

    def chance(self, state: LiarsDiceState, /) -> tuple[float, ...]:
        return self._odds

    def next(self, state: LiarsDiceState, action_index: int, /) -> LiarsDiceState:
        player, dice, last, bids = state
        if player == CHANCE:
            return self._rolled((*dice, action_index + 1))
        bid = last + 1 + action_index
        if bid == len(self._suffixes):
            truth = self._truth.get((dice, last))
            if truth is None:
                truth = self._truth[dice, last] = self._is_true(dice, last)
            return (TERMINAL, self._results[player][truth], last, bids)
        following = player + 1 if player + 1 < self.players else 0
        return (following, dice, bid, bids + self._suffixes[bid])

    def _rolled(self, faces: tuple[int, ...]) -> LiarsDiceState:
        if len(faces) < sum(self._counts):
            return (CHANCE, faces, -1, "")
        hands: list[str] = []
        start = 0
        for count in self._counts:
            hands.append(self._hand(faces[start : start + count]))
            start += count
        return (0, tuple(hands), -1, "")

    def _hand(self, faces: tuple[int, ...]) -> str:
        """The dice as text; one object per hand, so that long trees share it."""
        text = ("" if self.sides < 10 else ".").join(str(face) for face in sorted(faces))
        return self._hands.setdefault(tuple(sorted(faces)), text)

    def _is_true(self, hands: tuple[str, ...], bid: int) -> bool:
        quantity, face = divmod(bid, self.sides)
        texts = [hand if self.sides < 10 else hand.split(".") for hand in hands]
        dice = [int(die) for text in texts for die in text]
        counted = sum(die == face + 1 or die == self.sides for die in dice)
        return counted >= quantity + 1

    def payoffs(self, state: LiarsDiceState, /) -> tuple[float, ...]:
        return state[1]

    def infoset(self, state: LiarsDiceState, /) -> str:
        hand: str = state[1][state[0]]
        return hand + state[3]

    def public_state(self, state: LiarsDiceState, /) -> str:
        rolled = len(state[1]) if state[0] == CHANCE else sum(self._counts)
        return "?" * rolled + state[3]

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        hand, *bids = key.split("/")
        dice = hand.split(".") if self.sides >= 10 else list(hand)
        wild = f"{self.sides} is wild: it counts as any face"
        return (
            ("your dice", " ".join(dice)),
            ("bids", ", ".join(bids) or "none yet"),
            ("all dice", f"{sum(self._counts)}; {wild}"),
        )

    def key_parts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """The key taken apart: (hand or move; text), each die and then each bid."""
        hand, *bids = key.split("/")
        dice = hand.split(".") if self.sides >= 10 else list(hand)
        return (*(("hand", die) for die in dice), *(("move", bid) for bid in bids))

    def rank_names(self) -> tuple[tuple[str, ...], ...]:
        """The names of each face, the lowest first."""
        return tuple((face,) for face in self._faces)
