"""One history of a game, as somebody who walks its tree sees it: chance and all cards open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from equilibrist.errors import ConfigError, EquilibristError, GameError, UnknownNameError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.game import CHANCE, TERMINAL, Game
from equilibrist.parsing.user_code import failure_text, pass_interrupts
from equilibrist.tree.history_values import HistoryValues

Mixtures: TypeAlias = Callable[[str, Sequence[str]], Sequence[float] | None]
"""From an infoset and the labels of its actions, a probability for each; None if not known."""


@dataclass(frozen=True)
class Step:
    """A way on from a history.

    Attributes:
        label: The action, or the outcome of chance.
        probability: How likely it is there; None where no strategy says.
        values: What each player earns after it on average, in payoff units; None if not known.
    """

    label: str
    probability: float | None
    values: tuple[float, ...] | None


@dataclass(frozen=True)
class Passed:
    """A history on the way, and what was done there.

    Attributes:
        kind: Who decided: `chance` or `decision`.
        player: Who decided; -1 for chance.
        infoset: What the player knew; empty for chance.
        label: What was chosen.
        probability: How likely it was; None where no strategy says.
    """

    kind: Literal["chance", "decision"]
    player: int
    infoset: str
    label: str
    probability: float | None


@dataclass(frozen=True)
class HistoryView:
    """A history.

    Attributes:
        kind: Who moves: `chance`, a player (`decision`), or nobody (`terminal`).
        player: Who moves; -1 for chance and at the end.
        infoset: What the player knows; empty for chance and at the end.
        passed: How it came about, from the beginning.
        steps: The ways on; none at the end.
        reach: How likely the history is, chance included; None where no strategy says.
        chance_reach: The product of the probabilities of chance on the way.
        values: What each player earns from here on average; the payoffs at the end; None if
            not known.
    """

    kind: Literal["chance", "decision", "terminal"]
    player: int
    infoset: str
    passed: tuple[Passed, ...]
    steps: tuple[Step, ...]
    reach: float | None
    chance_reach: float
    values: tuple[float, ...] | None


def view_history(
    game: Game[Any],
    labels: Sequence[str],
    mixtures: Mixtures,
    values: HistoryValues | None = None,
) -> HistoryView:
    """Follow actions and outcomes of chance from the beginning, and look at where they lead.

    Only the histories on the way are visited, so that the game may be of any size.

    Args:
        game: The rules.
        labels: What is done, from the beginning.
        mixtures: What players do.
        values: The worth of all histories, where the game is small enough.

    Returns:
        The history.

    Raises:
        UnknownNameError: A label is not possible where it stands.
        ConfigError: The game is over before the labels are.
        GameError: The rules raise.
    """
    walker = _Walker(game, mixtures, values)
    try:
        for label in labels:
            walker.go(label)
        return walker.view()
    except EquilibristError:
        raise
    except BaseException as error:
        pass_interrupts(error)
        raise GameError(
            f"{game.name}: its rules raised {failure_text(error)}\n ",
            [step.label for step in walker.passed],
            kind="exception",
            given=type(error).__name__,
        ) from error


class _Here(NamedTuple):
    """A history: who moves (TERMINAL and CHANCE included), what they know, and the ways on.

    `ways` are the labels of actions or outcomes, with their probabilities where they are known.
    """

    player: int
    infoset: str
    ways: list[tuple[str, float | None]]


class _Walker:
    """Where somebody is on the way through a game."""

    def __init__(self, game: Game[Any], mixtures: Mixtures, values: HistoryValues | None) -> None:
        self._game, self._mixtures, self._values = game, mixtures, values
        self._state = game.initial_state()
        self._position = 0
        self._reach: float | None = 1.0
        self._chance = 1.0
        self.passed: list[Passed] = []

    def go(self, label: str) -> None:
        """Take a step."""
        player, key, named = self._here()
        before = " > ".join(escape_control_chars(step.label) for step in self.passed)
        if player == TERMINAL:
            raise ConfigError(
                f"{self._game.name} is over after {before or 'the beginning'}; "
                f"{escape_control_chars(label)!r} cannot follow it",
                option="history",
                given=label,
                place=before,
            )
        number = next((k for k, (name, _) in enumerate(named) if name == label), None)
        if number is None:
            raise UnknownNameError(
                "move", label, [name for name, _ in named], f"(after {before or 'the beginning'})"
            )
        share = named[number][1]
        if player == CHANCE:
            assert share is not None
            self._chance *= share
        self._reach = None if self._reach is None or share is None else self._reach * share
        kind: Literal["chance", "decision"] = "chance" if player == CHANCE else "decision"
        self.passed.append(Passed(kind, max(player, -1), key, label, share))
        self._state = self._game.next(self._state, number)
        if self._values is not None:
            self._position = self._values.child(self._position, number)

    def view(self) -> HistoryView:
        """The view of the present history."""
        player, key, named = self._here()
        values = self._worth(self._position)
        if player == TERMINAL:
            values = tuple(float(x) for x in self._game.payoffs(self._state))
        steps = tuple(
            Step(label, share, self._below(number)) for number, (label, share) in enumerate(named)
        )
        return HistoryView(
            kind={CHANCE: "chance", TERMINAL: "terminal"}.get(player, "decision"),  # type: ignore[arg-type]
            player=max(player, -1),
            infoset=key,
            passed=tuple(self.passed),
            steps=steps,
            reach=self._reach,
            chance_reach=self._chance,
            values=values,
        )

    def _here(self) -> _Here:
        """Ask the game about the present history."""
        game, state = self._game, self._state
        player = game.player(state)
        if player == TERMINAL:
            return _Here(player, "", [])
        labels = [str(label) for label in game.actions(state)]
        if player == CHANCE:
            odds = map(float, game.chance(state))
            return _Here(player, "", list(zip(labels, odds, strict=True)))
        key = game.infoset(state)
        row = self._mixtures(key, labels)
        shares: Sequence[float | None] = [None] * len(labels) if row is None else list(row)
        return _Here(player, key, list(zip(labels, shares, strict=True)))

    def _worth(self, position: int) -> tuple[float, ...] | None:
        return None if self._values is None else tuple(self._values.of(position).tolist())

    def _below(self, number: int) -> tuple[float, ...] | None:
        if self._values is None:
            return None
        return self._worth(self._values.child(self._position, number))
