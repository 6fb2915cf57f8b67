"""One hand of a game in progress: immutable, every move returns a new table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError, EquilibristError, UnknownNameError
from equilibrist.formatting.brief import brief
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.parsing.arguments import bad_argument, instance, several, whole_number
from equilibrist.play.words import Facts, Words, action_words, facts_of
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.tree.walk.answers import (
    read_key,
    read_labels,
    read_num_players,
    read_payoffs,
    read_player,
    read_probabilities,
)
from equilibrist.tree.walk.protocol import complete_rules
from equilibrist.tree.walk.user_errors import asked


@dataclass(frozen=True)
class Move:
    """One move of a hand: the legal actions, and the one that was taken.

    Attributes:
        player: 0..P-1, or CHANCE.
        infoset: The key of the infoset; None at a chance node.
        actions: The labels.
        index: The action that was taken.
        probabilities: Those that the action was drawn by, one per action; None where a person
            chose.
        ev_loss: What the choice cost by a coach, in payoff units; None without a coach.
    """

    player: int
    infoset: str | None
    actions: tuple[str, ...]
    index: int
    probabilities: tuple[float, ...] | None = None
    ev_loss: float | None = None

    def __repr__(self) -> str:
        drawn = "" if self.probabilities is None else f", p={self.probabilities[self.index]:.4g}"
        lost = "" if self.ev_loss is None else f", ev_loss={self.ev_loss:.4g}"
        return (
            f"Move(player={self.player}, infoset={self.infoset!r}, action={self.action!r} of "
            f"{brief(self.actions)}{drawn}{lost})"
        )

    @property
    def action(self) -> str:
        """The label of the action, or of chance's outcome."""
        return self.actions[self.index]


@dataclass(frozen=True)
class Table:
    """A hand in progress: the game, its present state, and the moves that led there.

    What one player may know is `infoset` and `facts`, which depend on nothing else, at that
    player's turn. Answers of the rules are checked: GameError says where they are wrong.

    Attributes:
        game: The game.
        state: Its present state.
        moves: All moves so far, chance included.
        num_players: How many players.
    """

    game: Game[Any]
    state: Any
    moves: tuple[Move, ...]
    num_players: int
    player: int
    """Who acts: 0..P-1, CHANCE, or TERMINAL where the hand is over."""
    actions: tuple[str, ...]
    """The labels of the legal actions, or of chance's outcomes; () when the hand is over."""

    def __repr__(self) -> str:
        name = getattr(self.game, "name", type(self.game).__name__)
        return (
            f"Table(game={brief(name)}, moves={brief('-'.join(self._history))}, "
            f"player={self.player}, actions={brief(self.actions)})"
        )

    @classmethod
    def start(cls, game: Game[Any]) -> Table:
        """A new hand, before anything has happened.

        Args:
            game: The game.

        Returns:
            The table.

        Raises:
            GameSpecError: `game` is not a game.
        """
        rules = complete_rules(game)
        players = asked(rules, tuple, "num_players", lambda: rules.num_players, read_num_players)
        state = asked(rules, tuple, "initial_state", rules.initial_state)
        return cls._at(rules, state, (), players)

    @classmethod
    def _at(cls, game: Game[Any], state: Any, moves: tuple[Move, ...], players: int) -> Table:
        def history() -> list[str]:
            return [move.action for move in moves]

        player: int = asked(
            game, history, "player", lambda: game.player(state), lambda a: read_player(a, players)
        )
        labels: tuple[str, ...] = ()
        if player != TERMINAL:
            labels = asked(
                game,
                history,
                "actions",
                lambda: game.actions(state),
                lambda a: read_labels(a, distinct=player != CHANCE),
            )
        return cls(game, state, moves, players, player, labels)

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.player == TERMINAL

    @cached_property
    def infoset(self) -> str:
        """The infoset key of the player to act; ConfigError if no player acts."""
        if self.player < 0:
            raise bad_argument("table", self.moves, "a table at which a player acts")
        return self._ask("infoset", lambda: self.game.infoset(self.state), read_key)  # type: ignore[no-any-return]

    @property
    def chance(self) -> tuple[float, ...]:
        """The probability of each outcome of chance; ConfigError if chance does not act."""
        if self.player != CHANCE:
            raise bad_argument("table", self.moves, "a table at which chance acts")
        return self._ask(  # type: ignore[no-any-return]
            "chance",
            lambda: self.game.chance(self.state),
            lambda a: read_probabilities(a, self.actions),
        )

    @property
    def payoffs(self) -> tuple[float, ...]:
        """The payoff of each player, in payoff units; ConfigError before the hand is over."""
        if not self.over:
            raise bad_argument("table", self.moves, "a table whose hand is over")
        return self._ask(  # type: ignore[no-any-return]
            "payoffs",
            lambda: self.game.payoffs(self.state),
            lambda a: read_payoffs(a, self.num_players),
        )

    @property
    def facts(self) -> Facts:
        """The infoset in words, as (name, value) pairs; () if the game describes none."""
        return facts_of(self.game, self.state, self.infoset, self._history)

    @cached_property
    def words(self) -> Words:
        """The names of each of `actions`, the preferred one first; its label is among them."""
        return action_words(self.game, self.infoset, self.actions, self._history)

    def play(
        self,
        action: int | str,
        probabilities: Sequence[float] | None = None,
        ev_loss: float | None = None,
    ) -> Table:
        """The table after an action.

        Args:
            action: Its index, its label, or another word for it.
            probabilities: Those that it was drawn by, for the record.
            ev_loss: What it cost by a coach, for the record.

        Returns:
            A new table.

        Raises:
            UnknownNameError: If no legal action is called this.
            ConfigError: If there is no such action, several outcomes of chance are called this, or
                the hand is over.
        """
        if self.over:
            raise bad_argument("action", action, "no action, since the hand is over")
        if isinstance(action, str):
            index = self._called(action)
        else:
            index = whole_number("action", action, 0, len(self.actions) - 1)
        key = None if self.player == CHANCE else self.infoset
        drawn = None if probabilities is None else tuple(map(float, probabilities))
        move = Move(self.player, key, self.actions, index, drawn, ev_loss)
        state = self._ask("next", lambda: self.game.next(self.state, index))
        return Table._at(self.game, state, (*self.moves, move), self.num_players)

    def draw(self, probabilities: Sequence[float], generator: np.random.Generator) -> Table:
        """The table after an action that is drawn.

        Args:
            probabilities: One per action.
            generator: A generator of NumPy.

        Returns:
            A new table.

        Raises:
            ConfigError: There are more or fewer probabilities than actions, or `generator` is none.
        """
        instance("generator", generator, np.random.Generator, "a generator of NumPy")
        count = len(self.actions)
        values = several("probabilities", probabilities, f"{count} probabilities")
        if len(values) != count:
            raise bad_argument("probabilities", values, f"{count} probabilities")
        return self.play(drawn_index(probabilities, generator), probabilities)

    def _called(self, word: str) -> int:
        """The index of the action with this label, else of the one with this name."""
        if (count := self.actions.count(word)) > 1:
            raise ConfigError(
                f"{count} outcomes of chance are called {word!r} here",
                option="action",
                given=word,
                expected="an outcome that no other is called like",
                remedy="give the index of one, from 0",
            )
        if word in self.actions:
            return self.actions.index(word)
        if self.player == CHANCE:
            return self._dealt(word)
        for index, words in enumerate(self.words if self.player >= 0 else ()):
            if word in words:
                return index
        raise UnknownNameError("action", word, self.actions)

    def _dealt(self, word: str) -> int:
        """The index of the outcome of chance with these cards, in any order and spelling."""
        wanted, shown = dealt_cards(word), dealt_cards(self.actions[0])
        if shown is None:  # of a game without cards, or with others
            raise UnknownNameError("action", word, self.actions)
        for index, label in enumerate(self.actions if wanted else ()):
            if dealt_cards(label) == wanted:
                return index
        raise UnknownNameError(
            "action",
            word,
            (),  # the nearest names would be other cards
            f"(labels are like {self.actions[0]!r}, with cards that are left)",
        )

    @property
    def _history(self) -> list[str]:
        return [move.action for move in self.moves]

    def _ask(
        self, method: str, call: Callable[[], Any], read: Callable[[Any], Any] | None = None
    ) -> Any:
        return asked(self.game, lambda: self._history, method, call, read)


def dealt_cards(label: str) -> tuple[str, frozenset[int]] | None:
    """Who or what gets which cards by a label of chance; None for another label.

    Args:
        label: Such as `SB AhKh`, `turn 8h` or `Td 9d 6h`.

    Returns:
        What stands before the cards, in lower case, and the cards.
    """
    first, *others = label.split() or [""]
    for who, cards in (("", label), (first.lower(), " ".join(others))):
        with suppress(EquilibristError):
            numbers = frozenset(parse_cards(cards))
            if numbers:
                return who, numbers
    return None


def drawn_index(probabilities: Sequence[float], generator: np.random.Generator) -> int:
    """Draw an index from `probabilities`, which sum to about 1; never one of probability 0.

    Args:
        probabilities: At least one of them positive.
        generator: A generator of NumPy; one number is drawn.

    Returns:
        The index.
    """
    sums = list(accumulate(probabilities))
    level = generator.random() * sums[-1]
    last = 0
    for index, (total, probability) in enumerate(zip(sums, probabilities, strict=True)):
        if probability > 0.0:
            if level < total:
                return index
            last = index
    return last  # rounding left the sum below the level
