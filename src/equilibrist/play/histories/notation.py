"""What all hand histories share: PokerKit's notation, and the replay that checks every action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from equilibrist.errors import ConfigError, UnsupportedError
from equilibrist.formatting.escaping import escape_control_chars
from equilibrist.play.table import Move
from equilibrist.poker.betting.actions import Action, Kind
from equilibrist.poker.cards.combos import combo_name

ActionCodes: TypeAlias = Iterator[str]
"""Actions as PHH writes them, one by one; each is replayed before the next is asked for."""
CALL: Final = "cc"
"""A check, or a call."""


def import_notation() -> Any:
    """The module `pokerkit.notation`; ConfigError that names the extra if it is missing."""
    try:
        from pokerkit import notation
    except ImportError as error:
        raise ConfigError(
            f"hand histories need {error.name}, which is not installed",
            option="package",
            given=error.name,
            remedy='pip install "equilibrist[phh]"',
        ) from None
    return notation


def replayed(about: Mapping[str, Any], actions_from: Callable[[Any], ActionCodes]) -> Any:
    """A history whose actions PokerKit has replayed.

    Args:
        about: The fields apart from the actions.
        actions_from: From PokerKit's state of the hand, the actions.

    Returns:
        A `pokerkit.HandHistory`.

    Raises:
        UnsupportedError: PokerKit does not allow an action.
    """
    notation = import_notation()
    state = notation.HandHistory(**about, actions=[]).create_state()
    actions = []
    for action in actions_from(state):
        if state.can_burn_card():
            state.burn_card("??")
        try:
            notation.parse_action(state, action)
        except ValueError as error:
            raise UnsupportedError(
                f"PokerKit does not allow {action!r}: {error}",
                option="record",
                given=action,
                remedy="write this hand as JSON lines",
            ) from None
        actions.append(action)
    return notation.HandHistory(**about, actions=actions)


def action_code(action: Action, total: object) -> str:
    """An action as PHH writes it; a bet or raise is to `total` on the street."""
    if action.kind is Kind.FOLD:
        return "f"
    return f"cbr {total}" if action.amount else CALL


def remark(move: Move, per_chip: int = 1) -> str:
    """The comment behind an action: its EV loss, in units of which `per_chip` are one chip."""
    return f" # EV loss {per_chip * move.ev_loss:.4g}" if move.ev_loss else ""


def shown(state: Any, combos: Sequence[int]) -> ActionCodes:
    """The hands of `combos`, p1's first, in the order of the rules where a showdown is due."""
    while state.showdown_index is not None:
        place = state.showdown_index
        yield f"p{place + 1} sm {combo_name(combos[place])}"


def plain(text: str) -> str:
    """A name without what the strings of a PHH file cannot hold."""
    return escape_control_chars(text).replace("'''", "''")


def numbered(number: int, history: Any) -> str:
    """A hand as a table of a file of several.

    Args:
        number: Its number in the file, from 1.
        history: The hand, a `pokerkit.HandHistory`.

    Returns:
        The text in TOML.
    """
    return f"[{number}]\n{history.dumps()}\n"
