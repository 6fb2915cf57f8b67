"""Conversion of games and strategies to and from pygambit (extra `gambit`).

Gambit's files need no pygambit: `game.efg` is loaded by its name. Games are converted both ways as
the text of such a file, so that Gambit renames and rounds here as it does in files.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from equilibrist.errors import ConfigError, GameSpecError, MismatchError
from equilibrist.game import TERMINAL, Game
from equilibrist.games.efg.cursor import TEXT
from equilibrist.games.efg.game import EfgGame
from equilibrist.games.efg.parser import EfgFile, parse_efg
from equilibrist.games.efg.writer import efg_text
from equilibrist.parsing.arguments import bad_argument
from equilibrist.strategy import Strategy, checked_strategy
from equilibrist.tree.compile import GameTree, checked_tree


@dataclass(frozen=True, eq=False)
class GambitGame(EfgGame):
    """A game of pygambit, as it was when it was converted.

    Attributes:
        path: The title of the game.
        file: Its tree, as an .efg file describes it.
        gambit: The `pygambit.Game`.
    """

    gambit: Any

    @property
    def name(self) -> str:
        """`gambit:` and the title; no name to load it by, since Gambit's games have none."""
        return f"gambit:{self.title}"


def _import_pygambit() -> Any:
    """The module `pygambit`; ConfigError that names the extra if it is not installed."""
    try:
        import pygambit
    except ImportError:
        raise ConfigError(
            "games in Gambit need the package pygambit, which is not installed",
            option="package",
            given="pygambit",
            remedy=(
                'pip install "equilibrist[gambit]" (.efg files are read and written without it)'
            ),
        ) from None
    return pygambit


def from_gambit(game: Any) -> GambitGame:
    """Convert a Gambit game with a tree to a `Game`, which `compile_game` compiles.

    Infosets and actions have the names that they would have in an .efg file (`EfgGame`).

    Args:
        game: A `pygambit.Game`.

    Returns:
        The game, with the original in its attribute `gambit`.

    Raises:
        ConfigError: Without pygambit, or for anything else.
        GameSpecError: If the game has no tree.
    """
    if not isinstance(game, _import_pygambit().Game):
        raise bad_argument("game", game, "a pygambit.Game")
    file = _file_of(game)
    return GambitGame(file.title, file, game)


def to_gambit(tree: GameTree) -> Any:
    """Convert the game of `tree` to a Gambit game; one that came from Gambit is returned itself.

    Line breaks and runs of spaces in names become one space: Gambit allows no others.

    Args:
        tree: A compiled game.

    Returns:
        A `pygambit.Game`.

    Raises:
        ConfigError: Without pygambit, or for anything but a compiled game.
        GameSpecError: If Gambit cannot hold a name of the game.
    """
    rules = checked_tree(tree).game
    pygambit = _import_pygambit()
    if isinstance(rules, GambitGame):
        return rules.gambit
    try:
        return pygambit.read_efg(io.StringIO(gambit_text(rules)))
    except ValueError as error:
        raise GameSpecError(
            f"Gambit cannot hold {tree.name}: {error}",
            tree.name,
            option="game",
            given=tree.name,
            remedy="rename players, actions or infosets",
        ) from None


def gambit_text(rules: Game[Any]) -> str:
    """A game as an .efg file that Gambit reads: line breaks and runs of spaces are one space.

    Args:
        rules: The game.

    Returns:
        The text.

    Raises:
        ConfigError: Without pygambit, which is to read it.
        GameSpecError: If the format cannot hold a name.
    """
    _import_pygambit()
    return TEXT.sub(lambda quoted: f'"{" ".join(quoted[1].split())}"', efg_text(rules))


def to_profile(strategy: Strategy) -> Any:
    """Convert a strategy to a mixed behaviour profile of `to_gambit(strategy.tree)`.

    Args:
        strategy: A strategy.

    Returns:
        A `pygambit.MixedBehaviorProfile`.

    Raises:
        ConfigError: Without pygambit, or for anything but a strategy.
        MismatchError: If the game was changed in Gambit meanwhile.
    """
    tree = checked_strategy(strategy).tree
    game = to_gambit(tree)
    rows = [
        [strategy.probabilities[tree.actions_of(i)].tolist() for i in infosets]
        for infosets in _numbered(tree, _file_of(game))
    ]
    return game.mixed_behavior_profile(rows)


def from_profile(tree: GameTree, profile: Any) -> Strategy:
    """Convert a mixed behaviour profile of pygambit to a strategy on `tree`, the same game.

    Infosets that the profile leaves undefined, as some of Gambit's solvers do for unreachable ones,
    are played uniformly.

    Args:
        tree: The compiled game.
        profile: A `pygambit.MixedBehaviorProfile`.

    Returns:
        The strategy.

    Raises:
        ConfigError: For anything but such a profile.
        MismatchError: If the profile is one of another game.
    """
    if not isinstance(profile, _import_pygambit().MixedBehaviorProfile):
        expected = "a mixed behaviour profile of pygambit (of mixed strategies: .as_behavior())"
        raise bad_argument("profile", profile, expected)
    checked_tree(tree)
    return from_rows(tree, _file_of(profile.game), _rows(profile))


def from_rows(tree: GameTree, file: EfgFile, rows: Iterable[Sequence[Any]]) -> Strategy:
    """A strategy from the probabilities of a profile in Gambit's order.

    Args:
        tree: The compiled game.
        file: The same game as Gambit writes and numbers it.
        rows: A probability per action, infoset by infoset, player after player.

    Returns:
        The strategy, uniform where rows are zeros.

    Raises:
        MismatchError: The file is of another game.
    """
    values = np.zeros(int(tree.action_offset[-1]))
    infosets = [i for numbered in _numbered(tree, file) for i in numbered]
    for infoset, row in zip(infosets, rows, strict=True):
        played = np.array(row, dtype=np.float64)
        values[tree.actions_of(infoset)] = played if played.any() else 1.0 / len(played)
    return Strategy(tree, values)


def _file_of(game: Any) -> EfgFile:
    try:
        text = game.to_efg()
    except Exception as error:  # an OSError in some versions
        raise GameSpecError(
            f"the game {game.title!r} cannot be written as .efg ({error}): games in Gambit need a "
            f"tree, not a table of payoffs",
            option="game",
            given=game.title,
            remedy="write it as a file (.nfg) and solve that",
        ) from None
    return parse_efg(text, f"the game {game.title!r}")


def _rows(profile: Any) -> Iterator[list[Any]]:
    """Probabilities by infoset, player after player, in Gambit's order."""
    if hasattr(profile, "mixed_actions"):  # pygambit 16
        actions = [action for _, action in profile.mixed_actions()]
    else:
        actions = [action for player in profile.game.players for _, action in profile[player]]
    for action in actions:
        yield [probability for _, probability in action]


def _numbered(tree: GameTree, file: EfgFile) -> list[list[int]]:
    """For each player the infosets of `tree`, in the order in which Gambit numbers those of `file`.

    Both trees are walked side by side; MismatchError where they differ.
    """
    rules = tree.game
    infoset_of: dict[tuple[int, int], int] = {}
    waiting = [(rules.initial_state(), 0)]
    same = True
    while waiting and same:
        state, number = waiting.pop()
        player, node = rules.player(state), file.nodes[number]
        count = 0 if player == TERMINAL else len(rules.actions(state))
        same = player == node.player and count == len(node.children)
        if player >= 0 and same and node.move is not None:
            infoset = tree.index(rules.infoset(state))
            same = infoset_of.setdefault((player, node.move.number), infoset) == infoset
        waiting += [(rules.next(state, a), node.children[a]) for a in range(count) if same]
    if not same or len(infoset_of) != tree.num_infosets:
        raise MismatchError(
            f"the game {file.title!r} in Gambit is not {tree.name}",
            option="game",
            given=file.title,
            expected=tree.name,
            remedy="take to_gambit of this tree, or from_gambit of that game",
        )
    return [
        [infoset_of[key] for key in sorted(infoset_of) if key[0] == p]
        for p in range(rules.num_players)
    ]
