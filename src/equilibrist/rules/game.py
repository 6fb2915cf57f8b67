"""Rules modules as games: small ones compile to a tree, are solved on it and measured exactly."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from equilibrist.errors import MismatchError
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.rules.module import Rules, load_rules
from equilibrist.typing import Int64Array

RulesState = tuple[int, ...]
"""The integers of the state."""


@dataclass(frozen=True, eq=False)
class RulesGame:
    """A `Game` that plays by rules, with their own functions, not compiled.

    Infosets have the names that `text` of the rules gives, else their two numbers in hexadecimals;
    actions those of `label`, else their numbers.

    Args:
        rules: The rules.
    """

    rules: Rules

    @property
    def name(self) -> str:
        """The name of the rules."""
        return self.rules.name

    @property
    def num_players(self) -> int:
        """How many players."""
        return self.rules.num_players

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the name of the rules, which are loaded again: their module cannot be."""
        return _unpickled, (self.rules.name, self.rules.identity)

    def initial_state(self) -> RulesState:
        """The state before anything has happened.

        Returns:
            The integers of the state.
        """
        s = np.zeros(self.rules.state_size, dtype=np.int64)
        self.ask("start", s)
        return tuple(s.tolist())

    def player(self, state: RulesState, /) -> int:
        """Whose turn it is.

        Args:
            state: A state.

        Returns:
            A player's number, or `CHANCE` or `TERMINAL`.
        """
        return int(self.ask("player", _array(state)))

    def actions(self, state: RulesState, /) -> tuple[str, ...]:
        """Labels of the actions, or of the outcomes of chance.

        Args:
            state: A state that is not terminal.

        Returns:
            The labels in order.
        """
        s = _array(state)
        count = int(self.ask("num_actions", s))
        if not self.rules.has("label"):
            return tuple(map(str, range(count)))
        return tuple(self.ask("label", s, a) for a in range(count))

    def chance(self, state: RulesState, /) -> tuple[float, ...]:
        """The probability of each outcome.

        Args:
            state: A state at which chance moves.

        Returns:
            Probabilities in the order of `actions`.
        """
        s = _array(state)
        count = int(self.ask("num_actions", s))
        if not self.rules.has("probability"):
            return (1.0 / count,) * count
        return tuple(float(self.ask("probability", s, a)) for a in range(count))

    def next(self, state: RulesState, action_index: int, /) -> RulesState:
        """The state after the action with this number.

        Args:
            state: A state that is not terminal.
            action_index: The position of the action in `actions`.

        Returns:
            The next state; `state` stays as it is.
        """
        s = _array(state)
        self.ask("apply", s, action_index)
        return tuple(s.tolist())

    def payoffs(self, state: RulesState, /) -> tuple[float, ...]:
        """Each player's payoff at the end.

        Args:
            state: A terminal state.

        Returns:
            One payoff per player.
        """
        s = _array(state)
        return tuple(float(self.ask("payoff", s, p)) for p in range(self.num_players))

    def infoset(self, state: RulesState, /) -> str:
        """The name of the mover's infoset.

        Args:
            state: A state at which a player moves.

        Returns:
            The name of the infoset.
        """
        if self.rules.has("text"):
            text: str = self.ask("text", _array(state))
            return text
        high, low = self.packed(state)
        return f"{high:x}.{low:x}"

    def describe(self, state: RulesState, /) -> tuple[tuple[str, str], ...]:
        """What the mover knows, in words.

        Whether equal infosets are described alike is up to the rules; `check_game` looks.

        Args:
            state: A state at which a player moves.

        Returns:
            Pairs of a name and what it is; () where the rules have no `describe`.
        """
        if not self.rules.has("describe"):
            return ()
        pairs: tuple[tuple[str, str], ...] = self.ask("describe", _array(state))
        return pairs

    def packed(self, state: RulesState, function: str = "key") -> tuple[int, int]:
        """The mover's infoset as the rules pack it.

        Args:
            state: A state at which a player moves.
            function: Another function that packs something, such as `public_state`.

        Returns:
            The two halves of the key.
        """
        out = np.zeros(2, dtype=np.uint64)
        self.ask(function, _array(state), out)
        return int(out[0]), int(out[1])

    def ask(self, name: str, s: Int64Array, *arguments: Any) -> Any:
        """Call one of the rules' functions on a state.

        Args:
            name: The function.
            s: int64[state_size], a state; some functions change it.
            arguments: Further arguments.

        Returns:
            Its result.

        Raises:
            GameError: If it raises.
        """
        return self.rules.function(name)(self.rules.g, s, *arguments)

    def packed_keys(self) -> dict[str, tuple[int, int]]:
        """The packed key of every infoset; the whole game is walked.

        Returns:
            {infoset: (high, low)}, the two 64-bit numbers of its key.
        """
        keys: dict[str, tuple[int, int]] = {}
        waiting = [self.initial_state()]
        while waiting:
            state = waiting.pop()
            player = self.player(state)
            if player == TERMINAL:
                continue
            if player >= 0:
                keys[self.infoset(state)] = self.packed(state)
            waiting += [self.next(state, a) for a in range(len(self.actions(state)))]
        return keys


class PublicRulesGame(RulesGame):
    """Rules that also define public states: a `PublicGame`."""

    def public_state(self, state: RulesState, /) -> str:
        """All that every player knows, as its two numbers in hexadecimals.

        Args:
            state: A state.

        Returns:
            The name of the public state.
        """
        high, low = self.packed(state, "public_state")
        return f"{high:x}.{low:x}"


def rules_game(rules: Rules) -> RulesGame:
    """The rules as a game, which says what is public if they do."""
    return (PublicRulesGame if rules.has("public_state") else RulesGame)(rules)


def _unpickled(name: str, identity: str) -> RulesGame:
    """The game of rules that have not changed since; MismatchError if they have."""
    rules = load_rules(name)
    if rules.identity != identity:
        raise MismatchError(
            f"the rules {name} have changed since the game was pickled",
            option="game",
            given=name,
            remedy="solve the game again",
        )
    return rules_game(rules)


def _array(state: RulesState) -> Int64Array:
    return np.array(state, dtype=np.int64)


_PLAYOUTS: Final = 500
_MOVES: Final = 20_000
"""Moves of all playouts together: what they take is bounded for long games too."""


def payoff_ranges(rules: Rules) -> tuple[float, ...]:
    """By player the largest payoff less the smallest in random playouts, always the same ones.

    The true ranges are at least as large. With two players and a constant sum no NashConv exceeds
    the range of one of them, and with any number no coarse correlated gap the sum of all. Infinite
    for rules that raise, of which other functions say more: a result must not be lost over them.
    """
    try:
        return _seen_ranges(RulesGame(rules))
    except Exception:
        return (math.inf,) * rules.num_players


def _seen_ranges(game: RulesGame) -> tuple[float, ...]:
    generator, left = random.Random(0), _MOVES
    seen: list[tuple[float, ...]] = []
    while left > 0 and len(seen) < _PLAYOUTS:
        state = game.initial_state()
        while (mover := game.player(state)) != TERMINAL:
            if mover == CHANCE:
                weights = game.chance(state)
                action = generator.choices(range(len(weights)), weights)[0]
            else:
                action = generator.randrange(len(game.actions(state)))
            state, left = game.next(state, action), left - 1
        seen.append(game.payoffs(state))
    return tuple(max(column) - min(column) for column in zip(*seen, strict=True))
