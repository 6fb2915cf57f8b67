"""Texts that name action abstractions: `bets=1,3`, `without=raise`, `0:bets=50%;1:all`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from equilibrist.abstraction.actions.action_abstraction import ActionAbstraction
from equilibrist.abstraction.actions.sizes import BetSizes, split_label
from equilibrist.abstraction.key_meaning import facts_of_key
from equilibrist.abstraction.source import infosets_of
from equilibrist.abstraction.spec import part_of_each_seat
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.formatting.escaping import repr_short
from equilibrist.parsing.arguments import bad_argument
from equilibrist.parsing.user_code import failure_text, load_function, pass_interrupts
from equilibrist.tree.compile import GameTree, checked_tree
from equilibrist.typing import BoolArray

_USER = re.compile(r"\s*(?P<path>[^;]*?\.py)\s*:\s*(?P<name>\w+)\s*")
_EXPECTED: Final = (
    "sizes as in bets=1,3, labels=check,bet 1 or without=bet 2, rules.py:keep, or all"
)
_PIECE = re.compile(
    r'\s*(?:(?P<name>[^",=]+?)\s*=)?\s*'
    r'(?:"(?P<quoted>[^"]*)"|(?P<plain>[^",]*?))\s*(?P<end>,|$)'
)
"""A value, in quotes or not, with the name of a clause if it begins one."""
_NUMBER = re.compile(r"(?P<size>\d+(?:\.\d+)?)(?P<percent>%?)")
_CLOSE: Final = 1e-9
"""Share by which two sizes may differ and be one."""

Keep = Callable[[str, int, dict[str, Any]], Iterable[str] | None]
"""A user's function: (key, player, facts) -> labels of what is kept, or None for all."""


def make_action_abstraction(
    tree: GameTree, actions: str | Keep | ActionAbstraction
) -> ActionAbstraction:
    """The action abstraction of a game that a text names.

    Args:
        tree: The compiled game.
        actions: What is kept, for all players: `all`; `bets=1,3`, of the actions with a size those
            with one of these (numbers as labels have them, or `50%` for shares of the pot), and all
            actions without a size; `raise=4`, the same for labels that begin with that word;
            `labels=check,bet 1`, these alone; `without=bet 2`, all others; several of these with
            commas between; a label that has a comma or an equals sign stands in double quotes;
            `rules.py:keep`, a function `keep(key, player, facts)` that returns labels, or None for
            all. Or one for each seat: `0:bets=1,3;1:all`. Or the function itself. An
            ActionAbstraction of this game is returned as it is.

    Returns:
        The action abstraction.

    Raises:
        ConfigError: The text cannot be read, names a size that no action has, or an infoset
            would keep no action.
        UnknownNameError: It names a label that no action has, or a word that begins none.
        GameSpecError: Shares of the pot are given, and the game does not say what they are.
        MismatchError: An ActionAbstraction of another game is given.
    """
    checked_tree(tree)
    if isinstance(actions, ActionAbstraction):
        if actions.tree is not tree and actions.tree.fingerprint != tree.fingerprint:
            raise MismatchError(
                f"this is an action abstraction of {actions.tree.name}, not of {tree.name}",
                option="actions",
                given=actions.tree.name,
                expected=tree.name,
            )
        return actions
    kept = np.ones(int(tree.action_offset[-1]), dtype=bool)
    if callable(actions):
        name = getattr(actions, "__name__", "given")
        for player in range(tree.num_players):
            _keep_by_function(tree, player, actions, name, kept)
        return ActionAbstraction(tree, kept, name=name)
    if not isinstance(actions, str):
        raise bad_argument("actions", actions, _EXPECTED)
    parts = part_of_each_seat(
        actions, tree.num_players, option="actions", example="0:bets=1,3", nothing="all"
    )
    sizes = BetSizes(tree)
    for part in dict.fromkeys(parts):
        players = [player for player, own in enumerate(parts) if own == part]
        user = _USER.fullmatch(part)
        if user is not None:
            path, name = user["path"].strip(), user["name"]
            keep = load_function(path, name, "actions", "a function keep(key, player, facts)")
            for player in players:
                _keep_by_function(tree, player, keep, f"{path}:{name}", kept)
        elif part.strip() != "all":
            infosets = [i for player in players for i in infosets_of(tree, player).tolist()]
            for name, values in _clauses(part, actions):
                _keep_by_clause(sizes, infosets, name, values, kept)
    return ActionAbstraction(tree, kept, name=actions.strip())


def _clauses(part: str, text: str) -> list[tuple[str, list[str]]]:
    """`bets=1,3,without=fold` as names with their values, which may be in double quotes."""
    clauses: list[tuple[str, list[str]]] = []
    place, goes_on = 0, True
    while goes_on:
        piece = _PIECE.match(part, place)
        if (
            piece is None
            or not (piece["name"] or clauses)
            or not (piece["quoted"] or piece["plain"])
        ):
            raise bad_argument("actions", part, _EXPECTED, place=text)
        if piece["name"]:
            clauses.append((piece["name"].strip(), []))
        clauses[-1][1].append(piece["quoted"] or piece["plain"])
        place, goes_on = piece.end(), piece["end"] == ","
    return clauses


def _keep_by_clause(
    sizes: BetSizes, infosets: list[int], name: str, values: list[str], kept: BoolArray
) -> None:
    """Remove from `kept`, bool[Q], what a clause does not keep of the actions at infosets."""
    tree = sizes.tree
    if name in ("labels", "without"):
        known = sorted({label for i in infosets for label in tree.action_labels[i]})
        for value in values:
            if value not in known:
                raise UnknownNameError("action", value, known, option="actions")
        for i in infosets:
            listed = np.array([label in values for label in tree.action_labels[i]])
            kept[tree.actions_of(i)] &= listed if name == "labels" else ~listed
        return
    _keep_by_size(sizes, infosets, name, values, kept)


def _keep_by_size(
    sizes: BetSizes, infosets: list[int], name: str, values: list[str], kept: BoolArray
) -> None:
    tree = sizes.tree
    known = {split_label(label)[0] for i in infosets for label in tree.action_labels[i]}
    if name != "bets" and name not in known:
        words = ("bets", "labels", "without", *sorted(known))
        raise UnknownNameError("word", name, words, option="actions")
    wanted = [_size(value, f"{name}={','.join(values)}") for value in values]
    if len({percent for _, percent in wanted}) > 1:
        raise bad_argument("actions", ",".join(values), "numbers, or shares of the pot, not both")
    shares = wanted[0][1]
    used = [False] * len(wanted)
    seen: set[float] = set()
    for i in infosets:
        infoset_sizes = sizes.shares(i, "actions") if shares else sizes.plain(i)
        start = int(tree.action_offset[i])
        for k, size in enumerate(infoset_sizes):
            verb = split_label(tree.action_labels[i][k])[0]
            if size is None or (name != "bets" and verb != name):
                continue
            seen.add(size)
            same = [
                abs(size - wanted_size) <= _CLOSE * max(1.0, wanted_size)
                for wanted_size, _ in wanted
            ]
            used = [old or new for old, new in zip(used, same, strict=True)]
            kept[start + k] &= any(same)
    if not all(used):
        missing = values[used.index(False)]
        raise ConfigError(
            f"no action has the size {missing}: {_sizes_text(seen, shares)}",
            option="actions",
            given=missing,
            expected=_sizes_text(seen, shares),
            place=f"{name}={','.join(values)}",
            remedy="sizes are the numbers at the end of labels, as of `bet 2`, or shares of the "
            "pot, as in 50%; actions without a size are named by labels= or without=",
        )


def _size(value: str, place: str) -> tuple[float, bool]:
    """A size, and whether it is a share of the pot."""
    match = _NUMBER.fullmatch(value)
    if match is None:
        raise bad_argument("actions", value, "a size, as 2, or as 50% of the pot", place=place)
    percent = bool(match["percent"])
    return float(match["size"]) / (100.0 if percent else 1.0), percent


def _sizes_text(seen: set[float], shares: bool) -> str:
    if not seen:
        return "there are no sizes"
    shown = sorted(seen)[:12]
    texts = [f"{size:.4g}" if not shares else f"{100 * size:.4g}%" for size in shown]
    more = f" and {len(seen) - 12} more" if len(seen) > 12 else ""
    return "there are " + ", ".join(dict.fromkeys(texts)) + more


def _keep_by_function(tree: GameTree, player: int, keep: Keep, label: str, kept: BoolArray) -> None:
    """Remove from `kept`, bool[Q], what a user's function does not keep of a player's actions."""
    for i in infosets_of(tree, player).tolist():
        key, labels = tree.infoset_keys[i], tree.action_labels[i]
        answer: Any = None
        try:
            answer = keep(key, player, facts_of_key(tree, i))
            if answer is None:
                continue
            kept_labels = set(labels if answer is None else answer)
        except BaseException as error:
            pass_interrupts(error)
            raise ConfigError(
                f"{label} failed at infoset {key!r}: {failure_text(error)}",
                option="actions",
                given=type(error).__name__,
                expected="labels of actions, or None for all",
                place=f"infoset {key!r}",
                remedy="correct the function",
            ) from None
        if isinstance(answer, str) or not kept_labels <= set(labels):
            raise ConfigError(
                f"{label} gave {repr_short(answer)} at infoset {key!r}, where the actions are "
                f"{', '.join(labels)}",
                option="actions",
                given=answer,
                expected="a list of labels of these actions, or None for all",
                place=f"infoset {key!r}",
                remedy="return labels out of facts['actions']",
            )
        kept[tree.actions_of(i)] &= np.array([action in kept_labels for action in labels])
