"""AIVAT for hands of a solved spot, from the EVs that the solution has for every hand.

Neil Burch et al., "AIVAT", AAAI 2018; see `aivat`. Seen by a person with a known hand, whatever the
opponent holds and draws, and every card, is chance with known probabilities: the opponent plays the
solution. The value of a point of the hand is the EV of the person's hand there, if both follow the
solution. Deals, cards and the opponent's actions then have corrections that cancel all but

    EV of the spot + sum over the person's choices of (EV of the action - EV of the hand),

and at the end the mean over the hands which the opponent may hold is the EV itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from equilibrist.errors import MismatchError
from equilibrist.play.agents import Agent, Person
from equilibrist.play.solutions.players import SolutionCoach
from equilibrist.play.spots.game import read_infoset
from equilibrist.play.table import Move
from equilibrist.poker.postflop.solution.result import PostflopResult


class SpotAivat:
    """AIVAT estimates for a person who plays against the solution of a spot.

    Where the solution has no EVs, the estimate ends: what the hand earned from there on is taken as
    it was. The other seat is given what is left of both payoffs.

    Args:
        solution: What the opponent plays.
    """

    def __init__(self, solution: PostflopResult) -> None:
        """Go by a solution; the class describes the argument."""
        self.solution = solution
        self._coach = SolutionCoach(solution)

    def check(self, game: str, seats: Sequence[Person | Agent]) -> None:
        """Check that one person plays against the solution.

        Args:
            game: The name of the game.
            seats: The seats of the session.

        Raises:
            MismatchError: If not.
        """
        plays = [getattr(seat, "solution", None) is self.solution for seat in seats]
        if game != self.solution.game or len(plays) != 2 or sum(plays) != 1:
            raise MismatchError(
                "AIVAT of a spot needs one seat that plays its solution, and another",
                option="values",
                given=[seat.name for seat in seats],
                expected="a Bot or SolutionAgent of this solution, and one opponent",
            )
        self._person = plays.index(False)

    def by_seat(
        self, places: tuple[int, ...], moves: Sequence[Move], payoffs: Sequence[float]
    ) -> tuple[float, ...]:
        """The estimates of a hand.

        Args:
            places: `places[p]` sat as player p.
            moves: All moves.
            payoffs: By player, in chips.

        Returns:
            By seat, in chips.
        """
        player = places.index(self._person)
        mine = self._estimate(player, moves, payoffs[player])
        by_seat = [0.0, 0.0]
        by_seat[self._person], by_seat[1 - self._person] = mine, math.fsum(payoffs) - mine
        return tuple(by_seat)

    def _estimate(self, player: int, moves: Sequence[Move], payoff: float) -> float:
        """The AIVAT estimate of the hand by the choices of `player`."""
        parts, foreseen = [self.solution.ev[player]], math.nan
        for move in moves:
            if move.player != player or move.infoset is None:
                continue
            advice = self._coach.advise(move.infoset, move.index)
            if advice.values is None or not advice.mixture:
                if len(parts) == 1:
                    return payoff
                parts.append(payoff - foreseen)
                break
            chosen = advice.values[move.index]
            mean = math.fsum(map(math.prod, zip(advice.values, advice.mixture, strict=True)))
            parts.append(chosen - mean)
            foreseen = chosen - self._paid(player, move.infoset)
        return math.fsum(parts)

    def _paid(self, player: int, infoset: str) -> float:
        """The chips that a player has paid since the root."""
        spot = self.solution.spot
        rules = spot.rules()
        state = rules.follow(read_infoset(infoset)[1], spot.cards).state
        behind = rules.all_in(state) - state.bets[player]
        return rules.stack - state.scale.chips(behind)
