"""How good a strategy of a compiled game is, as it is and with a search: every figure is exact.

A search that is played online is the strategy that solving all subgames beforehand gives, so that
best responses, local ones and matches are those against what is really played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.evaluation import Evaluation, evaluate, exploitability, local_best_response
from equilibrist.evaluation.local_response import PASSIVE
from equilibrist.play.match import ExactMatch, match_exactly
from equilibrist.search.online import OnlineSearch
from equilibrist.search.public_tree import PublicTree
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree
from equilibrist.typing import BoolArray, Int64Array

FOLD: Final = "fold"
GAME_PROVES: Final = {
    "exploitability": "what the best opponent wins on average over both seats: exact, by true best "
    "responses",
    "lbr": "a lower bound of exploitability, never above it; at most 0 proves nothing",
    "match": "which of both wins from the other, exactly; nothing about other opponents",
}
"""What each figure of a report on a compiled game proves."""


@dataclass(frozen=True)
class GameFigures:
    """How good a strategy of two players with constant sum is, in payoff units.

    Attributes:
        evaluation: Its values, and true best responses.
        lbr: What local best responses gain, the mean of both seats, by what they may do: `fc` to
            fold and call, `all` to bet, too, from the first street or a later one on (`fc:2`).
            Empty where actions are not those of poker.
    """

    evaluation: Evaluation
    lbr: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """The figures for JSON.

        Returns:
            Plain values.
        """
        return {
            "exploitability": self.evaluation.exploitability,
            "evaluation": self.evaluation.to_dict(),
            "lbr": dict(self.lbr),
        }


@dataclass(frozen=True)
class GameBotFigures:
    """How good a bot of a compiled game is.

    Attributes:
        blueprint: The strategy as it is.
        search: What is played with the search; None without one.
        match: The search against its blueprint, in payoff units per hand; None without a search.
        solves: Subgames that were solved, each for one seat.
    """

    blueprint: GameFigures
    search: GameFigures | None = None
    match: ExactMatch | None = None
    solves: int = 0


def evaluate_game_bot(
    strategy: Strategy, search: OnlineSearch | None = None, *, lbr: bool = True
) -> GameBotFigures:
    """Measure a bot of a compiled game.

    Args:
        strategy: The strategy.
        search: A search from it; None for the strategy alone.
        lbr: Whether local best responses are valued.

    Returns:
        The figures.

    Raises:
        UnsupportedError: There are not two players, or the sum of payoffs varies.
        ConfigError: The rules do not say what is public.
        RecallError: The game has imperfect recall.
    """
    exploitability(checked_strategy(strategy))  # or it says why there is none
    own = _figures(strategy, lbr=lbr)
    if search is None:
        return GameBotFigures(own)
    played = search.offline(completion=False).strategy
    return GameBotFigures(
        own, _figures(played, lbr=lbr), match_exactly(played, strategy), search.solves
    )


def local_gains(strategy: Strategy) -> dict[str, float]:
    """What local best responses gain, by what they may do; see `GameFigures.lbr`.

    Args:
        strategy: The profile.

    Returns:
        The gains; none where an infoset has no passive action.
    """
    tree = strategy.tree
    street = streets_of(PublicTree.of(tree))
    starts = np.repeat(street, np.diff(tree.action_offset))
    gains = dict[str, float]()
    for first in range(int(street.max()) + 1):
        for name, allowed in (("fc", _named(tree, (FOLD, *PASSIVE))), ("all", None)):
            among = starts >= first
            if allowed is not None:
                among &= allowed
            try:
                found = [local_best_response(strategy, seat, among=among) for seat in (0, 1)]
            except ConfigError as error:
                if error.option != "passive":
                    raise
                return {}
            word = name if not first else f"{name}:{first + 1}"
            gains[word] = sum(response.gain for response in found) / 2
    return gains


def streets_of(public: PublicTree) -> Int64Array:
    """int64[I]: how many public events of chance lie above each infoset.

    Args:
        public: The public tree.
    """
    count = np.zeros(len(public), np.int64)
    for node, above in enumerate(public.parent.tolist()):
        count[node] = (0 if above < 0 else count[above]) + public.deals[node]
    street: Int64Array = count[public.node_of_infoset]
    return street


def _figures(strategy: Strategy, *, lbr: bool) -> GameFigures:
    return GameFigures(evaluate(strategy), local_gains(strategy) if lbr else {})


def _named(tree: GameTree, labels: Sequence[str]) -> BoolArray:
    """bool[Q]: which actions have one of these labels."""
    return np.array([label in labels for row in tree.action_labels for label in row], np.bool_)
