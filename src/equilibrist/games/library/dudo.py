"""Dudo for two players: one round, with a limited memory of bids.

Both roll in secret. In turn each claims a number of dice and a rank (`2x5`: at least two fives
among all dice), always above the claim before, or says `dudo`: then all dice are shown, and whoever
was wrong pays 1 to the other. Ones are wild: they count for every rank. A claim of n ones stands
between 2n - 1 dice of the highest rank and 2n twos.

With `memory` m the players remember the last m claims only: the states of this game forget the
others, so that lines of claims with the same end meet in one state.

Todd W. Neller and Steven Hnath, "Approximating Optimal Dudo Play with Fixed-Strategy Iteration
Counterfactual Regret Minimization", Advances in Computer Games 2011. In theirs the loser loses dice
and the next round begins; here there is one round. With one die each it is `liars_dice` under other
names.

Infoset keys are the player's dice in rising order and the claims: `3`, `3/1x2/2x5`; where claims
are forgotten, the player stands before them: `1:3/2x5`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

DudoState = tuple[int, tuple[Any, ...], tuple[int, ...]]
"""Who acts, the numbers of the hands rolled so far, and the numbers of the remembered claims.

At the end the hands are replaced by the payoffs, and no claims are left.
"""

_DUDO = "dudo"


@dataclass(frozen=True)
class Dudo(NamedGame):
    """Dudo."""

    game_name: ClassVar[str] = "dudo"
    summary: ClassVar[str] = "Dudo for two, one round, ones wild, with a bid memory"

    dice: int | tuple[int, ...] = parameter(
        "integers", 1, "dice of each player, or a list of both", minimum=1, maximum=10
    )
    sides: int = parameter("integer", 6, "faces of a die", minimum=2, maximum=20)
    memory: int = parameter(
        "integer", None, "how many claims are remembered", minimum=1, default_text="all claims"
    )
    _claims: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _actions: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _hands: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _odds: tuple[tuple[float, ...], ...] = field(init=False, repr=False, compare=False)
    _counted: tuple[tuple[tuple[int, ...], ...], ...] = field(init=False, repr=False, compare=False)
    _bids: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def filled_in(self) -> dict[str, Any]:
        return {"memory": sum(self._counts()) * self.sides}

    def _counts(self) -> tuple[int, ...]:
        """The dice of each player."""
        counts = (self.dice, self.dice) if isinstance(self.dice, int) else self.dice
        if len(counts) != 2:
            raise self.refuse("dice", self.dice, "an integer, or a list of 2, one for each player")
        return counts

    def prepare(self) -> None:
        counts = self._counts()
        bids = sorted(
            ((number, rank) for number in range(1, sum(counts) + 1) for rank in self._ranks()),
            key=self._strength,
        )
        claims = tuple(f"{number}x{rank}" for number, rank in bids)
        rolls = [list(combinations_with_replacement(self._ranks(), n)) for n in counts]
        separator = "" if self.sides < 10 else "."
        self.remember(
            dice=counts[0] if counts[0] == counts[1] else counts,
            memory=min(self.memory, len(claims)),
            _claims=claims,
            # The last row, index -1, is for the first claim.
            _actions=(*((*claims[c + 1 :], _DUDO) for c in range(len(claims))), claims),
            _hands=tuple(tuple(separator.join(map(str, r)) for r in hands) for hands in rolls),
            _odds=tuple(tuple(self._chance_of(r) for r in hands) for hands in rolls),
            _counted=tuple(tuple(self._counts_of(r) for r in hands) for hands in rolls),
            _bids=tuple(bids),
        )

    def _ranks(self) -> range:
        return range(1, self.sides + 1)

    def _strength(self, bid: tuple[int, int]) -> tuple[int, int]:
        number, rank = bid
        return (2 * number - 1, self.sides + 1) if rank == 1 else bid

    def _chance_of(self, roll: tuple[int, ...]) -> float:
        ways = math.factorial(len(roll))
        for times in Counter(roll).values():
            ways //= math.factorial(times)
        return ways / float(self.sides ** len(roll))

    def _counts_of(self, roll: tuple[int, ...]) -> tuple[int, ...]:
        """Count the dice for each rank; those of index 0 count for none."""
        return (0, *(sum(die in (1, rank) for die in roll) for rank in self._ranks()))

    @property
    def num_players(self) -> int:
        return 2

    def full_recall(self) -> Dudo:
        """Dudo with this game's dice, played by those who remember all claims."""
        return Dudo(dice=self.dice, sides=self.sides)

    def initial_state(self) -> DudoState:
        return (CHANCE, (), ())

    def player(self, state: DudoState, /) -> int:
        return state[0]

    def actions(self, state: DudoState, /) -> tuple[str, ...]:
        player, hands, claims = state
        if player == CHANCE:
            return self._hands[len(hands)]
        return self._actions[claims[-1] if claims else -1]

    def chance(self, state: DudoState, /) -> tuple[float, ...]:
        return self._odds[len(state[1])]

    def next(self, state: DudoState, action_index: int, /) -> DudoState:
        player, hands, claims = state
        if player == CHANCE:
            return (CHANCE if not hands else 0, (*hands, action_index), ())
        claim = (claims[-1] + 1 if claims else 0) + action_index
        if claim < len(self._claims):
            return (1 - player, hands, (*claims, claim)[-self.memory :])
        number, rank = self._bids[claims[-1]]
        matching = sum(self._counted[p][hand][rank] for p, hand in enumerate(hands))
        won = 1.0 if matching < number else -1.0
        return (TERMINAL, (won, -won) if player == 0 else (-won, won), ())

    def payoffs(self, state: DudoState, /) -> tuple[float, ...]:
        return state[1]

    def infoset(self, state: DudoState, /) -> str:
        player, hands, claims = state
        who = f"{player}:" if self.memory < len(self._claims) else ""
        return who + self._hands[player][hands[player]] + self._claims_text(claims)

    def public_state(self, state: DudoState, /) -> str:
        return "?" * len(state[1]) + self._claims_text(state[2])

    def _claims_text(self, claims: tuple[int, ...]) -> str:
        return "".join("/" + self._claims[claim] for claim in claims)

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        hand, *claims = key.rpartition(":")[2].split("/")
        dice = hand.split(".") if self.sides >= 10 else list(hand)
        remembered = "claims" if self.memory == len(self._claims) else "claims remembered"
        return (
            ("your dice", " ".join(dice)),
            (remembered, ", ".join(claims) or "none yet"),
            ("all dice", f"{sum(self._counts())}; ones are wild: they count for every rank"),
        )
