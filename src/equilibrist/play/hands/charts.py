"""The agent that plays charts of hand classes, and the ranges and the coach that go by them.

Charts are the solutions of push or fold, and hands of two to six seats whose betting ends before
the flop: at every decision they say what each class of hands does.
"""

from __future__ import annotations

import numpy as np

from equilibrist.parsing.arguments import whole_number
from equilibrist.play.coach import Advice
from equilibrist.play.hands.by_hand import mixture_of, mixture_over_range
from equilibrist.play.hands.chart_policies import (
    ChartPolicy,
    Charts,
    PushFoldPolicy,
    chart_policy,
    decisions_of,
)
from equilibrist.play.hands.game import HandGame, TableState
from equilibrist.play.hands.playouts import Playouts
from equilibrist.play.range_mixtures import RangeMixture
from equilibrist.play.table import Table
from equilibrist.poker.betting.actions import Action
from equilibrist.poker.cards.combos import COMBO_MASKS, dealt_hands
from equilibrist.poker.hands.state import HandState


def chart_game(solution: Charts) -> HandGame:
    """The hand that charts are of, as a game.

    Args:
        solution: The solution of push or fold, or of a hand of several seats.

    Returns:
        The game.

    Raises:
        ConfigError: The solution has amounts that hands at a table do not have.
    """
    return chart_policy(solution).game


class ChartAgent:
    """Plays charts of hand classes.

    Args:
        solution: The solution of push or fold, or of a hand of several seats.
        name: What to call it.

    Attributes:
        solution: The solution.
        name: What to call it.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
    """

    def __init__(self, solution: Charts, name: str = "AI") -> None:
        """Play charts; the class describes the arguments."""
        self._policy = chart_policy(solution)
        self.solution, self.name = solution, name

    def mixture(self, table: Table, /) -> list[float]:
        """The probabilities of the charts with the hand of the seat to act.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            ConfigError: The charts have no such decision.
        """
        combo, (_, _, betting) = self._policy.game.at(table.infoset)
        return list(_mixture(self._policy, betting, combo))


class ChartRanges:
    """Ranges of opponents who play charts.

    An opponent's hands at a decision have the weights of its range there, without those that share
    a card with the player's own hand.

    Args:
        solution: The solution of push or fold, or of a hand of several seats.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
    """

    def __init__(self, solution: Charts) -> None:
        """Go by charts; the class describes the argument."""
        self._policy = chart_policy(solution)

    def mixtures(self, infoset: str, /) -> tuple[RangeMixture, ...]:
        """What the opponents did in the hand so far, as the player of an infoset may know it.

        Args:
            infoset: The key of the player's infoset, such as `AhKh:F-F-A10`.

        Returns:
            One mixture per decision of an opponent, the first decision first.

        Raises:
            ConfigError: The key has another form, or the charts have no such decision.
        """
        policy = self._policy
        game, classes = policy.game, policy.classes
        combo, (_, _, betting) = game.at(infoset)
        free = dealt_hands((), game.rules.lowest_rank) & (COMBO_MASKS & COMBO_MASKS[combo] == 0)
        weights = [free.astype(np.float64) for _ in range(game.num_players)]
        found, line = [], list[Action]()
        for state, taken in decisions_of(game, betting):
            seat, actions = state.player, game.legal(TableState((), (), state))
            by_hand = policy.strategy(state)[:, classes]
            if seat != betting.player:
                where = "-".join(action.code for action in line)
                found.append(
                    mixture_over_range(seat, where, actions, taken, by_hand, weights[seat])
                )
            weights[seat] *= by_hand[taken]
            line.append(actions[taken])
        return tuple(found)


class ChartCoach:
    """Judges choices by charts of hand classes.

    The values of an `Advice` are what the actions win, against the stack before posting, if all
    seats follow the charts afterwards and the others hold what the charts bring there. For push or
    fold of two seats they are those of the solution, exact against the ranges of the charts. Else
    they are estimated on deals that are drawn, with 95 % intervals.

    Args:
        solution: The solution of push or fold, or of a hand of several seats.
        seed: The seed of the deals.

    Raises:
        ConfigError: `solution` is none, or has amounts that hands at a table do not have.
    """

    def __init__(self, solution: Charts, seed: int = 0) -> None:
        """Go by charts; the class describes the arguments."""
        self._policy = chart_policy(solution)
        self.solution = solution
        self._playouts = Playouts(self._policy, seed)

    @property
    def is_exact(self) -> bool:
        """Whether the values are exact, against the ranges of the charts."""
        return isinstance(self._policy, PushFoldPolicy) and self._policy.game.num_players == 2

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        """What a choice is worth, and what others would have been.

        Args:
            infoset: The key of the infoset, such as `AhKh:A10`.
            chosen: The number of the action.

        Returns:
            The values of all actions there, and the probabilities of the charts.

        Raises:
            ConfigError: The key has another form, or there is no such action or decision.
        """
        policy = self._policy
        combo, (_, _, betting) = policy.game.at(infoset)
        actions = tuple(each.code for each in policy.game.legal(TableState((), (), betting)))
        whole_number("chosen", chosen, 0, len(actions) - 1)
        mixture = _mixture(policy, betting, combo)
        if isinstance(policy, PushFoldPolicy) and self.is_exact:
            exact = policy.values(betting, combo)
            return Advice(infoset, actions, chosen, exact, mixture)
        found = self._playouts.values(betting, combo)
        if found is None:
            return Advice(infoset, actions, chosen, None, mixture)
        return Advice(infoset, actions, chosen, found.means, mixture, found.half_widths)


def _mixture(policy: ChartPolicy, betting: HandState, combo: int) -> tuple[float, ...]:
    """The probabilities of the actions of a hand at a decision."""
    return mixture_of(policy.strategy(betting)[:, policy.classes[combo]])
