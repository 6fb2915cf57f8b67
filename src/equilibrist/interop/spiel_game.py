"""Games as OpenSpiel games: `SpielGame` is a `pyspiel.Game`, its states `pyspiel.State`s.

OpenSpiel's Python algorithms run on them, and those in C++ that only call methods of states.
Importing this module needs OpenSpiel (extra `openspiel`) and raises ConfigError without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.games.openspiel import import_pyspiel

pyspiel = import_pyspiel()


@dataclass(frozen=True)
class Bounds:
    """The bounds that OpenSpiel requires of a game; payoffs in the game's unit.

    `utility_sum` is what payoffs add up to everywhere, None if that varies; no history has more
    than `max_moves` moves.
    """

    max_actions: int
    max_outcomes: int
    min_payoff: float
    max_payoff: float
    utility_sum: float | None
    max_moves: int


class Position:
    """A state of the `Game`, and what its rules say of it, asked once.

    OpenSpiel asks for the same facts at every visit of a history, several times.
    """

    __slots__ = (
        "_actions",
        "_chance",
        "_following",
        "_key",
        "_payoffs",
        "player",
        "rules",
        "value",
    )

    def __init__(self, rules: Game[Any], value: Any, *, keeps: bool) -> None:
        """A position at a state of the rules; with `keeps` those that follow are made once."""
        self.rules = rules
        self.value = value
        player = rules.player(value)
        special = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
        self.player = int(special.get(player, player))
        self._actions: list[str] | None = None
        self._chance: list[tuple[int, float]] | None = None
        self._key: str | None = None
        self._payoffs: list[float] | None = None
        self._following: dict[int, Position] | None = {} if keeps else None

    def __deepcopy__(self, memo: Any) -> Position:
        return self  # nothing of it changes

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.player == int(pyspiel.PlayerId.TERMINAL)

    def actions(self) -> list[str]:
        """The labels."""
        if self._actions is None:
            self._actions = list(self.rules.actions(self.value))
        return self._actions

    def chance(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        if self._chance is None:
            self._chance = list(enumerate(self.rules.chance(self.value)))
        return self._chance

    def key(self) -> str:
        """The infoset."""
        if self._key is None:
            self._key = self.rules.infoset(self.value)
        return self._key

    def payoffs(self) -> list[float]:
        """What the players get, zeros before the end."""
        if self._payoffs is None:
            paid = (
                self.rules.payoffs(self.value)
                if self.is_terminal
                else self.rules.num_players * [0.0]
            )
            self._payoffs = [float(payoff) for payoff in paid]
        return self._payoffs

    def after(self, action: int) -> Position:
        """The position that an action leads to."""
        kept = self._following
        if kept is None:
            return Position(self.rules, self.rules.next(self.value, action), keeps=False)
        if action not in kept:
            kept[action] = Position(self.rules, self.rules.next(self.value, action), keeps=True)
        return kept[action]


class SpielGame(pyspiel.Game):  # type: ignore[misc,name-defined]
    """A `Game` (`rules`) for OpenSpiel. Actions are numbered as in `Game.actions`."""

    def __init__(self, rules: Game[Any], bounds: Bounds, *, keeps: bool = True) -> None:
        """The game of some rules; with `keeps` each history is worked out once, and kept."""
        self.rules = rules
        self.root = Position(rules, rules.initial_state(), keeps=keeps)
        utilities = pyspiel.GameType.Utility
        utility = utilities.GENERAL_SUM
        if bounds.utility_sum is not None:
            utility = utilities.CONSTANT_SUM if bounds.utility_sum else utilities.ZERO_SUM
        modes = pyspiel.GameType.ChanceMode
        kind = pyspiel.GameType(
            short_name="equilibrist",
            long_name=rules.name,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=modes.EXPLICIT_STOCHASTIC if bounds.max_outcomes else modes.DETERMINISTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utility,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=rules.num_players,
            min_num_players=rules.num_players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=bounds.max_actions,
            max_chance_outcomes=bounds.max_outcomes,
            num_players=rules.num_players,
            min_utility=bounds.min_payoff,
            max_utility=bounds.max_payoff,
            utility_sum=bounds.utility_sum,
            max_game_length=bounds.max_moves,
        )
        super().__init__(kind, info, {})

    def __deepcopy__(self, memo: Any) -> SpielGame:
        return self  # OpenSpiel clones states by copying all they hold

    def new_initial_state(self) -> SpielState:
        """The state before anything has happened."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What gives the information states."""
        return SpielObserver()


class SpielState(pyspiel.State):  # type: ignore[misc,name-defined]
    """A history, with the methods of `pyspiel.State`; `value` is the state of the `Game`."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.game = game
        self.position = game.root

    @property
    def rules(self) -> Game[Any]:
        """The `Game` that is played."""
        return self.game.rules

    @property
    def value(self) -> Any:
        """The state of the `Game`."""
        return self.position.value

    def current_player(self) -> int:
        """Who moves, in OpenSpiel's numbers."""
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.position.actions())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability."""
        return self.position.chance()

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.actions()[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_terminal

    def returns(self) -> list[float]:
        """The payoffs at the end, zeros before it."""
        return self.position.payoffs()

    def __str__(self) -> str:
        return str(self.value)


class SpielObserver:
    """Information states, of the player to move only."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Does nothing: there is no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        """The key of the infoset; ValueError for a player who is not to move."""
        if player != state.current_player():
            raise ValueError("only the player to move has an information state here")
        return state.position.key()
