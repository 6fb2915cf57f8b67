"""What everybody knows at each history: the public states of a walk, replayed by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from equilibrist.errors import ConfigError
from equilibrist.formatting.brief import brief_repr
from equilibrist.game import Game, PublicGame
from equilibrist.parsing.user_code import pass_interrupts
from equilibrist.rules.game import RulesGame
from equilibrist.tree.walk.answers import WrongAnswerError, read_key
from equilibrist.tree.walk.histories import Walk, action_path, history_labels
from equilibrist.tree.walk.protocol import says_what_is_public
from equilibrist.tree.walk.user_errors import user_error
from equilibrist.typing import Int32Array


@dataclass(frozen=True)
class PublicStates:
    """The public state of every history.

    Attributes:
        number: int32[N], in the preorder of the walk: the index of its text.
        texts: The public states as the rules write them, by first visit.
    """

    number: Int32Array
    texts: tuple[str, ...]

    def __repr__(self) -> str:
        return brief_repr(self)


def says_nothing_public(game: Game[Any], need: str, otherwise: str = "") -> ConfigError:
    """The error for a game that does not say what is public.

    Args:
        game: The game.
        need: What needs to know it and why, as in "public-chance sampling draws what everybody
            sees".
        otherwise: What to do instead of writing the method, as in "use chance sampling".
    """
    way = "method public_state(state)"
    if isinstance(game, RulesGame):
        way = "function public_state(g, s, out)"
    return ConfigError(
        f"{need}, and {game.name} does not say what that is",
        option="public_state",
        remedy=f"give its rules a {way}" + (f", or {otherwise}" if otherwise else ""),
    )


def read_public_states(game: Game[Any], walk: Walk) -> PublicStates:
    """Play all histories of a walk again, and ask what is public at each.

    The walk may have fewer actions than the rules; those it has are found by their labels.

    Raises:
        ConfigError: The game does not say what is public.
        GameError: Its rules raise, or a public state is no text.
    """
    if not says_what_is_public(game):
        raise says_nothing_public(game, "public states are what everybody sees")
    replay = _Replay(cast("PublicGame[Any]", game), walk)
    try:
        replay.run()
    except WrongAnswerError as wrong:
        raise wrong.at(replay.history()) from None
    except BaseException as error:
        pass_interrupts(error)
        raise user_error(game, "public_state", replay.history(), error) from None
    replay.number.flags.writeable = False
    return PublicStates(replay.number, tuple(replay.texts))


class _Replay:
    """A second run of the rules over the histories of a walk, in its order."""

    def __init__(self, game: PublicGame[Any], walk: Walk) -> None:
        self.game, self.walk = game, walk
        self.node = 0
        self.number = np.empty(len(walk.parent), dtype=np.int32)
        self.texts: dict[str, int] = {}
        self.places: list[Sequence[int] | None] = [None] * len(walk.labels)

    def run(self) -> None:
        successor, public_state = self.game.next, self.game.public_state
        infoset, texts, number = self.walk.infoset.tolist(), self.texts, self.number
        # The path to the present history: its nodes, their states, how often each was left.
        nodes: list[int] = []
        states: list[Any] = []
        left: list[int] = []
        for node, above in enumerate(self.walk.parent.tolist()):
            self.node = node
            if above < 0:
                state = self.game.initial_state()
            else:
                while nodes[-1] != above:
                    nodes.pop()
                    states.pop()
                    left.pop()
                state, action = states[-1], left[-1]
                left[-1] += 1
                if infoset[above] >= 0:
                    action = self.places_of(infoset[above], state)[action]
                state = successor(state, action)
            nodes.append(node)
            states.append(state)
            left.append(0)
            key = public_state(state)
            if type(key) is not str:
                key = read_key(key, "public_state()")
            number[node] = texts.setdefault(key, len(texts))

    def places_of(self, infoset: int, state: Any) -> Sequence[int]:
        """Where the rules have the actions of an infoset; the same at all of its histories."""
        places = self.places[infoset]
        if places is None:
            legal, labels = self.game.actions(state), self.walk.labels[infoset]
            places = range(len(labels))
            if len(legal) != len(labels):
                known = [str(label) for label in legal]
                places = [known.index(label) for label in labels]
            self.places[infoset] = places
        return places

    def history(self) -> tuple[str, ...]:
        return history_labels(self.game, action_path(self.walk.parent, self.node))
