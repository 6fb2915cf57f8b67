"""The columns that a walk of the rules records, and the names of histories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from equilibrist.formatting.brief import brief_repr
from equilibrist.game import Game
from equilibrist.parsing.user_code import pass_interrupts
from equilibrist.typing import FloatArray, Int8Array, Int32Array

TERMINAL_MARK = -1
"""In the infoset column: a terminal node."""
CHANCE_MARK = -2
"""In the infoset column: a chance node."""


@dataclass(frozen=True)
class Walk:
    """Read-only columns of all N histories in depth-first preorder, children in action order.

    parent: int32[N], -1 at the root. infoset: int32[N], ids in order of first visit, or
    TERMINAL_MARK or CHANCE_MARK. chance_count: int32, outcomes per chance node in preorder;
    chance_probability: float64, their probabilities one after the other.
    payoff: float64[L, P] of the terminals in preorder. keys, owner (int8[I]) and labels
    describe the I infosets.

    public_event: int32, per outcome what everybody sees of it; event_state: int32, per such event
    the public state before it. Both are numbers by first visit, and None where the game does not
    say what is public.
    """

    parent: Int32Array
    infoset: Int32Array
    chance_count: Int32Array
    chance_probability: FloatArray
    payoff: FloatArray
    keys: list[str]
    owner: Int8Array
    labels: list[tuple[str, ...]]
    num_players: int
    public_event: Int32Array | None = None
    event_state: Int32Array | None = None

    def __repr__(self) -> str:
        return brief_repr(self)

    def possible_payoffs(self) -> FloatArray:
        """The payoffs of the terminals that chance lets be reached, float64[<= L, P]."""
        if self.chance_probability.all():
            return self.payoff
        impossible = np.zeros(len(self.parent), dtype=np.bool_)
        outcomes = np.flatnonzero(self.infoset[self.parent[1:]] == CHANCE_MARK) + 1
        outcomes = outcomes[np.argsort(self.parent[outcomes], kind="stable")]
        impossible[outcomes] = self.chance_probability == 0.0
        above = np.maximum(self.parent, 0)
        while above.any():  # pointer jumping: twice as many ancestors are covered each time
            impossible |= impossible[above]
            above = above[above]
        return cast("FloatArray", self.payoff[~impossible[self.infoset == TERMINAL_MARK]])


def action_path(parent: Sequence[int] | Int32Array, node: int) -> list[int]:
    """Action indices from the root to `node`; `parent` is the preorder column of a walk."""
    chain = [node]
    while (above := int(parent[chain[-1]])) >= 0:
        chain.append(above)
    # Up to `node` in preorder, a node on the path has only its elder children and the child on
    # the path itself, so its count of children gives the action taken.
    parents = np.array(parent[1 : node + 1], dtype=np.int32)
    children = np.bincount(parents, minlength=node + 1)
    return [int(children[above]) - 1 for above in reversed(chain[1:])]


def history_labels(game: Game[Any], path: Sequence[int]) -> tuple[str, ...]:
    """The labels of the actions with these indices, played from the initial state.

    Where the rules give no label (they may be what is broken), the index stands for it. Rules
    that play on no longer give the labels so far: an error that is on its way must arrive.
    """
    labels: list[str] = []
    try:
        state = game.initial_state()
        for action in path:
            labels.append(_label(game, state, action))
            state = game.next(state, action)
    except BaseException as error:
        pass_interrupts(error)
    return tuple(labels)


def _label(game: Game[Any], state: Any, action: int) -> str:
    try:
        return str(game.actions(state)[action])
    except BaseException as error:
        pass_interrupts(error)
        return f"#{action}"


class Walked(int):
    """The number of histories walked so far, as `on_walk` receives it.

    Attributes:
        estimate: The estimated number of all of them; None until that is estimated, infinite
            where it cannot be.
    """

    estimate: float | None

    @classmethod
    def of(cls, histories: int, estimate: float | None) -> Walked:
        """The count with the estimate."""
        walked = cls(histories)
        walked.estimate = estimate
        return walked
