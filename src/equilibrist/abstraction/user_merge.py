"""Abstractions that users write: `merge(key, player, facts)` in a Python file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from equilibrist.abstraction.arguments import Arguments
from equilibrist.abstraction.key_meaning import facts_of_key
from equilibrist.abstraction.source import Keys, infosets_of
from equilibrist.errors import ConfigError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.user_code import failure_text, load_function, pass_interrupts
from equilibrist.tree.compile import GameTree


def merge_of(path: str, name: str) -> Keys:
    """The source that a user's function is; the file is run: it is the user's own program.

    Raises ConfigError if the file is missing or raises, lacks the name, or if that is no function.
    """
    expected = "a function merge(key, player, facts) that returns the abstract key"
    function, label = load_function(path, name, "abstraction", expected), f"{path}:{name}"

    def keys(tree: GameTree, player: int, arguments: Arguments) -> Sequence[str]:
        if arguments.text:
            raise arguments.refuse(arguments.text, "no arguments: a function takes none")
        return _asked(tree, player, function, label)

    return keys


def _asked(tree: GameTree, player: int, merge: Callable[..., Any], label: str) -> list[str]:
    answers: list[str] = []
    for infoset in infosets_of(tree, player).tolist():
        key = tree.infoset_keys[infoset]
        facts = facts_of_key(tree, infoset)
        try:
            answer = merge(key, player, facts)
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"{label} raised at infoset {key!r}: {failure_text(error)}",
                option="abstraction",
                given=type(error).__name__,
                place=f"infoset {key!r}",
                expected="an abstract key",
            ) from None
        if answer is None:
            answer = key
        if not isinstance(answer, str):
            raise ConfigError(
                f"{label} gave {repr_short(answer)} at infoset {key!r}",
                option="abstraction",
                given=answer,
                expected="a text, or None to leave the infoset as it is",
                place=f"infoset {key!r}",
                remedy="return the abstract key as a text, or None to leave the infoset as it is",
            )
        answers.append(str(answer))
    return answers
