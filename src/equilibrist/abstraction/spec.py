"""Texts that name abstractions: `cards(JQ.K)`, `rules.py:merge`, `0:memory(last=2);1:none`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from equilibrist.abstraction.abstraction import Abstraction, checked_abstraction
from equilibrist.abstraction.arguments import Arguments
from equilibrist.abstraction.source import Keys, get_source, infosets_of
from equilibrist.errors import ConfigError
from equilibrist.formatting.amounts import counted
from equilibrist.parsing.arguments import bad_argument
from equilibrist.tree.compile import GameTree, checked_tree

_CALL = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s*(\((?P<text>[^()]*)\))?\s*")
_USER = re.compile(r"\s*(?P<path>[^;]*?\.py)\s*:\s*(?P<name>\w+)\s*(\((?P<text>[^()]*)\))?\s*")
_EXPECTED = "a source such as cards(JQ.K), or several as 0:cards(JQ.K);1:none"


@dataclass(frozen=True)
class SourceCall:
    """A source with its arguments; `path` is that of a user's file."""

    name: str
    arguments: Arguments
    path: str = ""

    @property
    def keys(self) -> Keys:
        """The function that makes the keys; raises as `get_source`."""
        if not self.path:
            return get_source(self.name).keys
        from equilibrist.abstraction.user_merge import merge_of

        return merge_of(self.path, self.name)


def parse_abstraction(text: str, num_players: int) -> tuple[SourceCall, ...]:
    """The source for each player; a seat that is left out has `none`.

    Raises:
        ConfigError: The text cannot be read, names a seat twice or one that the game lacks.
        UnknownNameError: There is no source of that name.
    """
    if not isinstance(text, str):
        raise bad_argument("abstraction", text, _EXPECTED)
    parts = part_of_each_seat(
        text, num_players, option="abstraction", example="0:cards(JQ.K)", nothing="none"
    )
    return tuple(_call(part, text) for part in parts)


def _call(part: str, text: str) -> SourceCall:
    user = _USER.fullmatch(part)
    if user is not None:
        label = f"{user['path']}:{user['name']}"
        return SourceCall(user["name"], Arguments(label, user["text"] or ""), user["path"])
    match = _CALL.fullmatch(part)
    if match is None:
        raise bad_argument("abstraction", part, _EXPECTED, place=text)
    source = get_source(match["name"])
    return SourceCall(source.name, Arguments(source.name, match["text"] or "", source.form))


def make_abstraction(tree: GameTree, abstraction: str | Abstraction) -> Abstraction:
    """The abstraction of a game that a text names.

    Args:
        tree: The compiled game.
        abstraction: A source with its arguments, for all players: `none`, `cards(JQ.K)`,
            `cards(JQ.K,pair)`, `buckets(2)`, `memory(last=2)`, `auto(2)`, `symmetry`,
            `rules.py:merge`; or one for each seat: `0:cards(JQ.K);1:none`. An
            Abstraction of this game is returned as it is.

    Returns:
        The abstraction.

    Raises:
        ConfigError: The text cannot be read, the game does not say what its keys mean, or infosets
            of different players, or with different actions, would be merged.
        UnknownNameError: There is no source of that name.
        MismatchError: An Abstraction of another game is given.
    """
    if isinstance(abstraction, Abstraction):
        return checked_abstraction(abstraction, tree)
    calls = parse_abstraction(abstraction, checked_tree(tree).num_players)
    keys_by_player = [_keys_of(tree, player, call) for player, call in enumerate(calls)]
    owners: dict[str, set[int]] = {}
    for player, names in enumerate(keys_by_player):
        for name in names:
            owners.setdefault(name, set()).add(player)
    keys = [
        name if len(owners[name]) == 1 else f"{name} (seat {player})"
        for player, names in enumerate(keys_by_player)
        for name in names
    ]
    return Abstraction.from_keys(tree, keys, name=abstraction.strip())


def _keys_of(tree: GameTree, player: int, call: SourceCall) -> Sequence[str]:
    """The abstract keys of one player's infosets, in public order."""
    keys = call.keys(tree, player, call.arguments)
    expected = len(infosets_of(tree, player))
    if len(keys) != expected:
        raise ConfigError(
            f"{call.name} gave {counted(len(keys), 'key')} for the "
            f"{counted(expected, 'infoset')} of player {player}",
            option="abstraction",
            given=len(keys),
            expected=expected,
        )
    return keys


_SEAT = re.compile(r"\s*(?P<seat>\d+)\s*:\s*(?P<rest>.*)", re.DOTALL)


def part_of_each_seat(
    text: str, num_players: int, *, option: str, example: str, nothing: str
) -> tuple[str, ...]:
    """The part for each player: the whole text, where it names no seats.

    A seat that is left out has `nothing`. Raises ConfigError for `option` where a seat is missing
    before a part (`example` shows one), is named twice, or is none of the game's.
    """
    parts = text.split(";")
    seats = [_SEAT.fullmatch(part) for part in parts]
    if len(parts) == 1 and seats[0] is None:
        return (text,) * num_players
    by_seat: dict[int, str] = {}
    for part, seat in zip(parts, seats, strict=True):
        if seat is None:
            raise bad_argument(option, part, f"a seat before each source: {example}")
        number = int(seat["seat"]) if len(seat["seat"]) < 10 else num_players
        if number >= num_players or number in by_seat:
            seats_text = f"0 to {num_players - 1}"
            raise bad_argument(
                option, part, f"each seat at most once; the game has seats {seats_text}"
            )
        by_seat[number] = seat["rest"]
    return tuple(by_seat.get(player, nothing) for player in range(num_players))
