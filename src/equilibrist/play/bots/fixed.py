"""Fixed opponents: simple rules that any player must beat, by name, at every table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from equilibrist.errors import ConfigError, UnknownNameError
from equilibrist.play.table import Table

_FOLDS: Final = ("fold",)
_CHECKS: Final = ("check",)
_CALLS: Final = ("call",)
_BETS: Final = ("bet", "raise")
_ALL_IN: Final = ("all-in",)


class Choice(NamedTuple):
    """The actions at a decision by what they do; numbers of actions, None where there is none."""

    fold: int | None
    passive: int | None
    """Check or call."""
    bets: tuple[int, ...]
    """Bets and raises, ascending; all-in is the last one."""

    @property
    def size(self) -> int:
        """How many actions."""
        return (self.fold is not None) + (self.passive is not None) + len(self.bets)


@dataclass(frozen=True)
class FixedRule:
    """A row of the registry.

    Attributes:
        name: As commands take it.
        doc: What it does, in a line.
        chosen: The actions that are taken, all equally often.
    """

    name: str
    doc: str
    chosen: Callable[[Choice], Sequence[int | None]]


def _first(*actions: int | None) -> tuple[int | None]:
    return (next((action for action in actions if action is not None), None),)


_ROWS = (
    FixedRule("fold", "folds to any bet, checks otherwise", lambda c: _first(c.fold, c.passive)),
    FixedRule("call", "checks and calls always", lambda c: _first(c.passive, c.fold)),
    FixedRule(
        "raise",
        "bets and raises always, by the smallest amount",
        lambda c: _first(*c.bets, c.passive, c.fold),
    ),
    FixedRule(
        "random",
        "folds, calls and raises at random: every legal kind of action equally often",
        lambda c: (c.fold, c.passive, *c.bets),
    ),
    FixedRule("all-in", "goes all-in always", lambda c: _first(*c.bets[::-1], c.passive, c.fold)),
)
FIXED: Final[dict[str, FixedRule]] = {row.name: row for row in _ROWS}
"""The fixed opponents by name."""


@dataclass(frozen=True)
class FixedAgent:
    """Plays one of the fixed opponents, at every table whose actions are named as in poker.

    Attributes:
        rule: `fold`, `call`, `raise`, `random` or `all-in`.
        name: What to call it; by default the rule.

    Raises:
        UnknownNameError: There is no such rule.
    """

    rule: str
    name: str = ""

    def __post_init__(self) -> None:
        if self.rule not in FIXED:
            raise UnknownNameError("opponent", f"{self.rule}", tuple(FIXED), option="rule")
        if not self.name:
            object.__setattr__(self, "name", self.rule)

    def mixture(self, table: Table, /) -> list[float]:
        """The probability of each action by the rule.

        Args:
            table: The hand, at this agent's turn.

        Returns:
            One probability per action of `table.actions`.

        Raises:
            ConfigError: No action folds, checks, calls, bets or raises.
        """
        return self.shares(read_choice(table.words), len(table.actions))

    def shares(self, choice: Choice, actions: int) -> list[float]:
        """The probability of each action.

        Args:
            choice: What they do.
            actions: How many there are.

        Returns:
            One probability per action. Of `random` fold, check or call, and all bets together are
            equally likely.
        """
        chosen = [action for action in FIXED[self.rule].chosen(choice) if action is not None]
        passive = [action for action in chosen if action not in choice.bets]
        bets = [action for action in chosen if action in choice.bets]
        kinds = len(passive) + bool(bets)
        shares = [0.0] * actions
        for action in passive:
            shares[action] = 1.0 / kinds
        for action in bets:
            shares[action] = 1.0 / (kinds * len(bets))
        return shares


def read_choice(words: Sequence[Sequence[str]]) -> Choice:
    """Tell what actions do from their names.

    Args:
        words: The names of each action; bets in ascending order.

    Returns:
        The actions by what they do.

    Raises:
        ConfigError: None of them has a name of poker.
    """
    kinds = [{word.lower().partition(" ")[0] for word in names} for names in words]

    def named(meant: Sequence[str]) -> list[int]:
        return [k for k, heads in enumerate(kinds) if heads & {*meant}]

    fold, passive = named(_FOLDS), named(_CHECKS) + named(_CALLS)
    bets = tuple(k for k in named(_BETS) if k not in passive) + tuple(named(_ALL_IN))
    if not fold and not passive and not bets:
        raise ConfigError(
            "a fixed opponent needs actions that are called fold, check, call, bet or raise",
            option="actions",
            given=", ".join(names[0] for names in words),
            remedy="let uniform play this game",
        )
    return Choice(fold[0] if fold else None, passive[0] if passive else None, bets)
