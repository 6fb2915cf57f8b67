"""Games of OpenSpiel by its own names, `openspiel:NAME(...)` (extra `openspiel`).

Marc Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019
(arXiv:1908.09453).

Games with simultaneous moves are played turn by turn if requested as OpenSpiel's
`turn_based_simultaneous_game(game=...)`: no player sees the choices of the others in the same
round.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from equilibrist.errors import ConfigError, GameSpecError, UnknownNameError
from equilibrist.game import CHANCE, TERMINAL

_SHARED_KEYS = re.compile(r"\b(phantom_ttt|latent_ttt)\b")
"""Games whose information states do not name their player."""
_CALLED = re.compile(r"(\w+)\(")
"""Games within a game: `game=matrix_rps()`."""
_OWNER = re.compile(r"^(\[P\d+\]|player=\d+ move=)")


def import_pyspiel() -> Any:
    """The module `pyspiel`; ConfigError that names the extra if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        raise ConfigError(
            "games of OpenSpiel need the package open-spiel, which is not installed",
            option="package",
            given="open-spiel",
            remedy='pip install "equilibrist[openspiel]"',
        ) from None
    return pyspiel


class OpenSpielState:
    """A history of an OpenSpiel game, immutable; equal to another one with the same moves."""

    __slots__ = ("spiel",)

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel

    def __hash__(self) -> int:
        return hash(self.spiel.history_str())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielState):
            return NotImplemented
        return bool(self.spiel.history() == other.spiel.history())

    def __repr__(self) -> str:
        return f"OpenSpielState({self.spiel.history_str()})"


@dataclass(frozen=True, eq=False)
class OpenSpielGame:
    """A game of OpenSpiel as a `Game`.

    Actions and outcomes have the names that `action_to_string` gives, in the order of
    `legal_actions`; an action that shares its name is numbered. The key of an
    infoset is its `information_state_string`; in games of perfect information without such a text
    it is the whole history, and with simultaneous moves the history before the present round.

    Attributes:
        spiel: The `pyspiel.Game`.

    Raises:
        GameSpecError: For games that no tree can hold: simultaneous moves that are not played turn
            by turn, mean-field games, chance that is sampled and not listed, and imperfect
            information without information states.
    """

    spiel: Any
    _perfect: bool = field(init=False, repr=False)
    _shared: bool = field(init=False, repr=False)
    _unwrapped: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pyspiel = import_pyspiel()
        if not isinstance(self.spiel, pyspiel.Game):
            raise GameSpecError(
                f"a pyspiel.Game was expected, given: {self.spiel!r:.80}",
                option="game",
                given=self.spiel,
                expected="a pyspiel.Game",
            )
        _refuse_simultaneous(pyspiel, self.spiel)
        unwrapped = _unwrapped(pyspiel, self.spiel)
        kind = unwrapped.get_type()
        _refuse_what_has_no_tree(pyspiel, kind)
        perfect = not kind.provides_information_state_string
        object.__setattr__(self, "_unwrapped", unwrapped)
        object.__setattr__(self, "_perfect", perfect)
        nameless = perfect and kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        shared = nameless or _SHARED_KEYS.search(str(self.spiel)) is not None
        object.__setattr__(self, "_shared", shared)

    @property
    def name(self) -> str:
        """`openspiel:` and what OpenSpiel writes, without empty brackets at the end."""
        return f"openspiel:{str(self.spiel).removesuffix('()')}"

    @property
    def num_players(self) -> int:
        """The number of players."""
        return int(self.spiel.num_players())

    def initial_state(self) -> OpenSpielState:
        return OpenSpielState(self.spiel.new_initial_state())

    def player(self, state: OpenSpielState, /) -> int:
        spiel = state.spiel
        if spiel.is_terminal():
            return TERMINAL
        return CHANCE if spiel.is_chance_node() else int(spiel.current_player())

    def actions(self, state: OpenSpielState, /) -> tuple[str, ...]:
        spiel = state.spiel
        player, legal = spiel.current_player(), spiel.legal_actions()
        labels = tuple(spiel.action_to_string(player, action) for action in legal)
        if len(set(labels)) == len(labels):
            return labels
        return tuple(f"{label} #{action}" for label, action in zip(labels, legal, strict=True))

    def chance(self, state: OpenSpielState, /) -> tuple[float, ...]:
        odds = dict(state.spiel.chance_outcomes())
        return tuple(odds[action] for action in state.spiel.legal_actions())

    def next(self, state: OpenSpielState, action_index: int, /) -> OpenSpielState:
        spiel = state.spiel
        return OpenSpielState(spiel.child(spiel.legal_actions()[action_index]))

    def payoffs(self, state: OpenSpielState, /) -> tuple[float, ...]:
        return tuple(state.spiel.returns())

    def infoset(self, state: OpenSpielState, /) -> str:
        spiel = state.spiel
        if not self._perfect:
            key = str(spiel.information_state_string())
        elif self._unwrapped is self.spiel:
            key = str(spiel.history_str())
        else:
            key = ", ".join(str(move) for move in self._before_the_round(spiel.history()))
        return f"player {spiel.current_player()}: {key}" if self._shared else key

    def _before_the_round(self, moves: Sequence[int]) -> Sequence[int]:
        """The first of `moves`, one per turn, up to the last whole round of simultaneous moves."""
        state, done = self._unwrapped.new_initial_state(), 0
        while done < len(moves):
            movers = [state.current_player()]
            if state.is_simultaneous_node():
                movers = [p for p in range(self.num_players) if state.legal_actions(p)]
            if done + len(movers) > len(moves):
                break
            chosen = dict(zip(movers, moves[done:], strict=False))
            if state.is_simultaneous_node():
                state.apply_actions([chosen.get(p, 0) for p in range(self.num_players)])
            else:
                state.apply_action(moves[done])
            done += len(movers)
        return moves[:done]

    def describe(self, state: OpenSpielState, /) -> tuple[tuple[str, str], ...]:
        """The observation of the player to move, else their information state, else all moves."""
        spiel = state.spiel
        player, kind = spiel.current_player(), self.spiel.get_type()
        facts = [("you are", f"player {player}")]
        if (
            kind.information == kind.Information.PERFECT_INFORMATION
            and self._unwrapped is self.spiel
        ):
            return (*facts, ("so far", _moves(spiel)), *_lines("position", str(spiel)))
        if kind.provides_observation_string:
            return (*facts, *_lines("you see", spiel.observation_string(player)))
        return (*facts, *_lines("you know", self.infoset(state)))

    def action_words(self, key: str, labels: Sequence[str], /) -> tuple[tuple[str, ...], ...]:
        """The labels, preferably without the player's number that some games put before them."""
        return tuple((_OWNER.sub("", label) or label, label) for label in labels)


def load_openspiel_game(text: str) -> OpenSpielGame:
    """The game that OpenSpiel's own string names, such as `leduc_poker(players=3)`.

    Raises ConfigError without OpenSpiel, UnknownNameError for a game or parameter it does not
    have, GameSpecError for what it cannot load and for what `OpenSpielGame` refuses.
    """
    pyspiel = import_pyspiel()
    name = text.partition("(")[0].strip()
    known = _known_names(pyspiel, {name, *_CALLED.findall(text)})
    if name not in known:
        hint = "(pyspiel.registered_names() lists them all)"
        raise UnknownNameError("game of OpenSpiel", name, known, hint)
    try:
        with _no_noise():
            spiel = pyspiel.load_game(text)
    except Exception as error:  # most are SpielErrors, a file's name left out is an IndexError
        reason = " ".join(str(error).split())
        raise GameSpecError(
            f"OpenSpiel cannot load {text!r}: {reason}",
            text,
            option="game",
            given=text,
        ) from None
    return OpenSpielGame(spiel)


def _known_names(pyspiel: Any, wanted: Set[str]) -> list[str]:
    """All games of OpenSpiel; those in Python only where not all of `wanted` are in C++.

    OpenSpiel registers its games in Python when they are imported, which takes 0.3 s. The meaning
    of a name and the suggestions must not depend on whether other code has imported them.
    """
    if not wanted <= set(pyspiel.registered_names()):
        with contextlib.suppress(ImportError):
            importlib.import_module("open_spiel.python.games")
    return sorted(pyspiel.registered_names())


def _unwrapped(pyspiel: Any, spiel: Any) -> Any:
    """The game of simultaneous moves that `spiel` plays turn by turn, else `spiel` itself."""
    if spiel.get_type().short_name != "turn_based_simultaneous_game":
        return spiel
    parameters = dict(spiel.get_parameters()["game"])
    return pyspiel.load_game(parameters.pop("name"), parameters)


def _moves(spiel: Any) -> str:
    """All moves of a history in words."""
    named = []
    earlier = spiel.get_game().new_initial_state()
    for action in spiel.history():
        named.append(earlier.action_to_string(earlier.current_player(), action))
        earlier.apply_action(action)
    return ", ".join(named) or "nothing"


def _lines(name: str, text: str) -> list[tuple[str, str]]:
    """A text as facts, line by line."""
    lines = text.rstrip().split("\n")
    return [(name if number == 0 else "", line.rstrip()) for number, line in enumerate(lines)]


def _refuse_simultaneous(pyspiel: Any, spiel: Any) -> None:
    """Raise a GameSpecError that says how to play the moves turn by turn."""
    if spiel.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        named = str(spiel) if "(" in str(spiel) else f"{spiel}()"
        raise GameSpecError(
            f"openspiel:{named} has simultaneous moves",
            option="game",
            given=str(spiel),
            remedy=(
                "to play it turn by turn, without seeing the others' choices of "
                "the round, write "
                f"openspiel:turn_based_simultaneous_game(game={named})"
            ),
        )


def _refuse_what_has_no_tree(pyspiel: Any, kind: Any) -> None:
    """Raise GameSpecError for the types of games that the adapter cannot play."""
    name = kind.short_name
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise GameSpecError(
            f"openspiel:{name} is a mean-field game; only games of sequential or simultaneous "
            f"moves can be solved here",
            option="game",
            given=name,
            expected="sequential or simultaneous moves",
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameSpecError(
            f"openspiel:{name} samples its chance outcomes and does not list them, "
            "so it has no finite tree",
            option="game",
            given=name,
            remedy="choose a game whose chance is explicit",
        )
    hidden = kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION
    if hidden and not kind.provides_information_state_string:
        raise GameSpecError(
            f"openspiel:{name} has imperfect information and no information states "
            "(information_state_string), so that nobody can say what its players know",
            option="game",
            given=name,
            remedy="choose a game that has them",
        )


@contextlib.contextmanager
def _no_noise() -> Iterator[None]:
    """OpenSpiel prints its errors before it raises them: once is enough."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
