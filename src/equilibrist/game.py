"""The Game protocol: seven methods and two attributes turn rules into a solvable game."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

CHANCE: Final = -1
"""`Game.player` returns this where chance moves."""
TERMINAL: Final = -2
"""`Game.player` returns this where the game is over."""

METHODS: Final = ("initial_state", "player", "actions", "chance", "next", "payoffs", "infoset")
"""What a game must have besides `name` and `num_players`."""

State = TypeVar("State", bound=Hashable)


def name_by_class(game: object) -> None:
    """Give a game without the attribute `name` that of its class, if it takes attributes."""
    with suppress(Exception):  # a property of the user's may raise anything
        if inspect.getattr_static(game, "name", None) is None:
            object.__setattr__(game, "name", type(game).__name__)  # frozen dataclasses, too


@runtime_checkable
class Game(Protocol[State]):
    """A finite extensive-form game.

    States are hashable values and are never mutated; `next` returns a new one.
    Players are numbered from 0. Actions are addressed by their index in `actions`.
    """

    @property
    def name(self) -> str:
        """The name of the game in output, for instance `kuhn(players=3)`; by default its class."""
        ...

    @property
    def num_players(self) -> int:
        """How many players, at least 1."""
        ...

    def initial_state(self) -> State:
        """The state before anything has happened.

        Returns:
            A state: a hashable value, which no method changes.
        """
        ...

    def player(self, state: State, /) -> int:
        """Whose turn it is.

        Args:
            state: Any state.

        Returns:
            0..num_players-1, `CHANCE` or `TERMINAL`.
        """
        ...

    def actions(self, state: State, /) -> Sequence[str]:
        """Labels of the legal actions, or of the outcomes at a chance node.

        All states of one infoset must have the same labels in the same order.

        Args:
            state: A state that is not terminal.

        Returns:
            The labels, which differ; at least one.
        """
        ...

    def chance(self, state: State, /) -> Sequence[float]:
        """The probability of each outcome at a chance node.

        Args:
            state: A state at which `player` is `CHANCE`.

        Returns:
            One probability per outcome, in the order of `actions`; they add up to 1.
        """
        ...

    def next(self, state: State, action_index: int, /) -> State:
        """The state after an action or a chance outcome.

        Args:
            state: A state that is not terminal; it must not be changed.
            action_index: The place of the action in `actions(state)`.

        Returns:
            A new state.
        """
        ...

    def payoffs(self, state: State, /) -> Sequence[float]:
        """The payoffs at the end.

        Args:
            state: A terminal state.

        Returns:
            One finite payoff per player.
        """
        ...

    def infoset(self, state: State, /) -> str:
        """All that the acting player knows.

        Args:
            state: A state at which a player moves.

        Returns:
            A key that no other player's infoset uses.
        """
        ...


@runtime_checkable
class PublicGame(Game[State], Protocol[State]):
    """A game that also defines public states, which public chance sampling needs."""

    def public_state(self, state: State, /) -> str:
        """All that every player knows.

        Chance is public where its outcomes lead to different keys, and private where they do not.

        Args:
            state: Any state, whoever moves.

        Returns:
            A key.
        """
        ...


@runtime_checkable
class ForgetfulGame(Game[State], Protocol[State]):
    """A game whose states drop what no longer matters, or what its players do not remember.

    Histories that lead to equal states share a node of its graph, which is what FSICFR works on.
    Strategies can be evaluated only with perfect recall: for that the game names another one.
    """

    def full_recall(self) -> Game[Any]:
        """The game with perfect recall that has, history by history, the moves of this one.

        An infoset of it must determine the infoset of this game.

        Returns:
            The game with perfect recall; all else is that of this game.
        """
        ...


_LOADED_FROM: Final = "_equilibrist_loaded_from"


def keep_source(game: object, text: str) -> None:
    """Keep with a game the text that loads it, if the game takes attributes."""
    with suppress(AttributeError, TypeError):
        object.__setattr__(game, _LOADED_FROM, text)


def source_of(game: object) -> str | None:
    """The text that loads a game of a file: `rules.py:MyGame(n=3)`; None if it is not known."""
    text = getattr(game, _LOADED_FROM, None)
    return text if isinstance(text, str) else None


DEFAULT_MAX_DEPTH: Final = 10_000
"""A line of play of more moves than this counts as endless, unless the caller says otherwise.

States that hold all moves so far cost the square of the depth: an endless game must be noticed
early."""

SUM_TOLERANCE: Final = 1e-9
"""Payoffs add up to a constant if their sum does up to this share of the largest among them."""
_SUM_ROUNDING: Final = 1e-15
"""What rounding adds, as a share of the largest payoff of the game."""


def is_constant_sum(lowest: float, highest: float, largest_payoff: float) -> bool:
    """Whether sums of all players' payoffs differ by rounding only.

    Each sum stands for what it may have been: half of `SUM_TOLERANCE` times the largest of its
    payoffs below it and above. The payoffs of one terminal say nothing of the sums at others, so
    that a penalty hides no difference between ordinary payoffs.

    Args:
        lowest: The least of what sums may have been at most.
        highest: The greatest of what they may have been at least.
        largest_payoff: The greatest absolute payoff of any player, in the same unit.

    Returns:
        Whether they may have been equal.
    """
    return highest - lowest <= _SUM_ROUNDING * largest_payoff
