"""The words that a game has for its infosets and actions, for display.

A game may define methods beyond those that solving needs. `infoset_facts(key)` describes an infoset
as (name, value) pairs; it receives the key alone, so it cannot reveal more than the player knows.
A game whose keys do not say enough may define `describe(state)` instead, for the player to act, and
must describe equal infosets alike. `action_words(key, labels)` gives the names of each action, the
best first: facing a bet, Kuhn poker calls `pass` fold and `bet` call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from equilibrist.game import Game
from equilibrist.parsing.arguments import bad_argument, instance, several
from equilibrist.tree.walk.answers import read_facts, read_words
from equilibrist.tree.walk.user_errors import asked

Facts = tuple[tuple[str, str], ...]
Words = tuple[tuple[str, ...], ...]


def facts_of(game: Game[Any], state: Any, key: str, history: Sequence[str] = ()) -> Facts:
    """An infoset in words.

    Args:
        game: The game.
        state: A state at which a player moves.
        key: The key of its infoset.
        history: The labels that led there, for the message.

    Returns:
        (name, value) pairs; () for games that have none.

    Raises:
        GameError: If the game's method does not return such pairs.
    """
    _check_game(game)
    by_key = getattr(game, "infoset_facts", None)
    if callable(by_key):
        return _facts(game, "infoset_facts", lambda: by_key(key), history)
    by_state = getattr(game, "describe", None)
    if callable(by_state):
        return _facts(game, "describe", lambda: by_state(state), history)
    return ()


def shown_facts(facts: Facts, names: Mapping[str, str]) -> Facts:
    """An infoset in words, in which the own card is called as it is shown.

    Args:
        facts: Those of `facts_of`, such as ("your card", "1 (J)").
        names: Those of `shown_names`.

    Returns:
        The pairs; ("your card", "J") in place of that one.
    """
    cards = {name: text.partition(" (")[0] for name, text in facts if name == "your card"}
    return tuple((name, names.get(cards.get(name, ""), text)) for name, text in facts)


def _check_game(game: object) -> None:
    if not callable(getattr(game, "infoset", None)):
        raise bad_argument("game", game, "a game", remedy="load_game makes one of its name")


def action_words(
    game: Game[Any], key: str, labels: Sequence[str], history: Sequence[str] = ()
) -> Words:
    """The words for each action at an infoset, the preferred first, its label always among them.

    A word that two actions share stands for neither.

    Args:
        game: The game.
        key: The key of the infoset.
        labels: The labels of its actions.
        history: The labels that led there, for the message.

    Returns:
        One tuple of words per action.

    Raises:
        GameError: If the game's method does not return texts for each action.
    """
    _check_game(game)
    for label in several("labels", labels, "the labels of actions"):
        instance("labels", label, str, "the labels of actions")
    named = getattr(game, "action_words", None)
    if not callable(named):
        return tuple((label,) for label in labels)
    answered = asked(
        game,
        lambda: history,
        "action_words",
        lambda: named(key, tuple(labels)),
        lambda answer: read_words(answer, len(labels)),
    )
    rows = [dict.fromkeys((*row, label)) for row, label in zip(answered, labels, strict=True)]
    uses = Counter(word for row in rows for word in row)
    return tuple(
        tuple(word for word in row if word == label or (word and uses[word] == 1))
        for row, label in zip(rows, labels, strict=True)
    )


def _facts(game: Game[Any], method: str, call: Callable[[], Any], history: Sequence[str]) -> Facts:
    facts: Facts = asked(
        game, lambda: history, method, call, lambda a: read_facts(a, f"{method}()")
    )
    return facts
