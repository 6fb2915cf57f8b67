"""What an action abstraction costs: the least exploitable strategies, by linear programmes.

Both numbers depend on what is kept and how the rest is translated, not on which of many equilibria
an algorithm finds. True best responses in the full game measure the strategies that prove them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import block_diag, csr_array

from equilibrist.abstraction.abstraction import Abstraction
from equilibrist.abstraction.actions.action_abstraction import ActionAbstraction, checked_actions
from equilibrist.abstraction.actions.mappings import MAPPINGS
from equilibrist.abstraction.actions.translation import Translation
from equilibrist.abstraction.measures.numbers import Lifted, Measures
from equilibrist.abstraction.measures.plans import TwoPlayerGame
from equilibrist.abstraction.measures.programmes import Guaranteed, Opponent, best_guarantee
from equilibrist.errors import GameSpecError
from equilibrist.formatting.documents import document
from equilibrist.parsing.arguments import bad_argument
from equilibrist.strategy import Strategy
from equilibrist.typing import FloatArray


@dataclass(frozen=True)
class TranslationNumbers:
    """What one translation of an action abstraction costs.

    Attributes:
        mapping: The translation's name.
        equilibrium: The equilibrium of the restricted game that is least exploitable in the full
            one, when it is translated.
        representable: The least exploitable of all strategies of the restricted game.
    """

    mapping: str
    equilibrium: Lifted
    representable: Lifted


@dataclass(frozen=True)
class ActionNumbers:
    """What an action abstraction of a game of two players with constant sum is worth.

    Attributes:
        value: Player 0's value of the full game.
        restricted_value: Player 0's value of the game in which both have the kept actions only.
        translations: What each translation costs.
        missing: Translations that the game has no data for, with the reason.
    """

    value: float
    restricted_value: float
    translations: tuple[TranslationNumbers, ...]
    missing: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The numbers as a document.

        Returns:
            Names and what they are, without strategies, as `abstract --json` prints them.
        """
        return document(self)


def action_numbers(
    actions: ActionAbstraction, mappings: Sequence[str] | None = None
) -> ActionNumbers:
    """Compute what an action abstraction costs under several translations.

    Args:
        actions: What is kept, of a game of two players with constant sum.
        mappings: The translations: names, or functions of yours as `rules.py:translate`. By default
            all that have a name and that the game has data for: `missing` says which it has not.

    Returns:
        The numbers, with the strategies that prove them.

    Raises:
        UnsupportedError: The game is of another kind, has more than 5,000 sequences, or an action
            cannot be translated.
        GameSpecError: A translation that is asked for needs shares of the pot, which the game does
            not tell.
        RecallError: The game has imperfect recall.
        UnknownNameError: There is no such translation.
        ConfigError: `mappings` is a text.
    """
    checked_actions(actions)
    if isinstance(mappings, str):
        raise bad_argument("mappings", mappings, "a list of names")
    programmes = _Programmes(actions)
    translations, missing = [], {}
    for name in MAPPINGS if mappings is None else mappings:
        try:
            translations.append(programmes.numbers(Translation(actions, name)))
        except GameSpecError as error:
            if mappings is not None:
                raise
            missing[name] = str(error)
    return ActionNumbers(
        programmes.measures.value,
        programmes.measures.units((programmes.values[0] - programmes.values[1]) / 2),
        tuple(translations),
        missing,
    )


class _Programmes:
    """The linear programmes of one action abstraction, which translations share."""

    def __init__(self, actions: ActionAbstraction) -> None:
        self.actions = actions
        self.measures = Measures(actions.tree)
        small = actions.restricted
        restricted = TwoPlayerGame.of(small)
        identity = Abstraction.identity(small)
        plans = [restricted.plans(player, identity) for player in range(2)]
        self.plans = [player_plans for player_plans in plans if player_plans is not None]
        scale = restricted.scale / self.measures.game.scale
        self.inside: list[Opponent] = []
        for player in range(2):
            own, other = self.plans[player], self.plans[1 - player]
            payoff = csr_array(restricted.merged(own, other, player) * scale)
            self.inside.append(Opponent(other, payoff))
        best = [best_guarantee(self.plans[p], self.inside[p]) for p in range(2)]
        self.values = [guaranteed.value for guaranteed in best]
        self.eased = [guaranteed.value - self.measures.slack(guaranteed) for guaranteed in best]

    def numbers(self, translation: Translation) -> TranslationNumbers:
        """Two programmes for each player, and best responses to what they find."""
        worth: tuple[list[Guaranteed], list[Guaranteed]] = ([], [])
        behaviours: tuple[list[FloatArray], list[FloatArray]] = ([], [])
        for player, own in enumerate(self.plans):
            full = self._against_all(translation, player)
            floor = (self.inside[player], self.eased[player])
            for k, guaranteed in enumerate(
                (best_guarantee(own, full, floor), best_guarantee(own, full))
            ):
                worth[k].append(guaranteed)
                behaviours[k].append(own.behaviour(guaranteed.plan, guaranteed.least))
        small = self.actions.restricted
        equilibrium, representable = (
            self.measures.measured(
                translation.lift(Strategy(small, np.concatenate(behaviours[k]))), worth[k]
            )
            for k in range(2)
        )
        return TranslationNumbers(translation.name, equilibrium, representable)

    def _against_all(self, translation: Translation, player: int) -> Opponent:
        """The opponent who has all actions, against translated plans of `player`."""
        game, full = self.measures.game, self.measures.full
        owner = self.actions.tree.infoset_player
        counts = np.diff(self.actions.tree.action_offset)
        rows = np.flatnonzero(np.repeat(owner == player, counts))
        small = self.actions.restricted
        counts = np.diff(small.action_offset)
        columns = np.flatnonzero(np.repeat(small.infoset_player == player, counts))
        own = translation.matrix[rows][:, columns]
        lifting = block_diag([np.ones((1, 1)), own])
        payoff = game.merged(full[player], full[1 - player], player)
        return Opponent(full[1 - player], csr_array(lifting.T @ payoff))
