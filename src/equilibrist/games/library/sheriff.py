"""Sheriff: a smuggler, a bribe, and a sheriff who may inspect.

The smuggler loads a number of illegal items, unseen. Then, for some rounds, they offer a bribe and
the sheriff says whether they would let the cargo pass. Only the last round counts. If the cargo
passes, the smuggler gets the value of the items less the bribe, which the sheriff gets. If it is
inspected, the smuggler pays a penalty per item to the sheriff; if there are none, the sheriff pays
compensation to the smuggler.

Gabriele Farina, Chun Kai Ling, Fei Fang and Tuomas Sandholm, "Correlation in extensive-form games:
saddle-point formulation and benchmarks", NeurIPS 2019, after the board game of Sheriff of
Nottingham.

Infoset keys are `smuggler` or `sheriff`, the smuggler's items (`/2`), and what was said, round by
round: `smuggler/2:1n`, `sheriff:1n3`. Answers are `n` for an inspection and `y` for letting pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from equilibrist.game import TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

SheriffState = tuple[int, ...]
"""Items, then bribe and answer (0 pass, 1 inspect) in turn."""


@dataclass(frozen=True)
class Sheriff(NamedGame):
    """The bargaining game of smuggler (player 0) and sheriff (player 1).

    Attributes:
        bribe: The largest bribe.
        items: The most items that can be loaded.
        rounds: Rounds of bargaining.
        value: What an item is worth to the smuggler.
        penalty: What the smuggler pays per item found.
        compensation: What the sheriff pays for an inspection that finds nothing.
    """

    game_name: ClassVar[str] = "sheriff"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "a smuggler bargains with a sheriff over a bribe, general sum"

    bribe: int = parameter("integer", 3, "the largest bribe", minimum=0, maximum=9)
    items: int = parameter("integer", 3, "the most items", minimum=1, maximum=99)
    rounds: int = parameter("integer", 2, "rounds of bargaining", minimum=1, maximum=20)
    value: float = parameter("number", 1, "what an item is worth to the smuggler", minimum=0)
    penalty: float = parameter("number", 2, "what the smuggler pays per item found", minimum=0)
    compensation: float = parameter(
        "number", 3, "what the sheriff pays for finding nothing", minimum=0
    )
    _cargo: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _bribes: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def prepare(self) -> None:
        self.remember(
            _cargo=tuple(f"load {count}" for count in range(self.items + 1)),
            _bribes=tuple(f"offer {coins}" for coins in range(self.bribe + 1)),
        )

    @property
    def num_players(self) -> int:
        return 2

    def initial_state(self) -> SheriffState:
        return ()

    def player(self, state: SheriffState, /) -> int:
        if len(state) == 1 + 2 * self.rounds:
            return TERMINAL
        return 1 if state and len(state) % 2 == 0 else 0

    def actions(self, state: SheriffState, /) -> tuple[str, ...]:
        if not state:
            return self._cargo
        return self._bribes if len(state) % 2 else ("pass", "inspect")

    def chance(self, state: SheriffState, /) -> tuple[float, ...]:
        return ()

    def next(self, state: SheriffState, action_index: int, /) -> SheriffState:
        return (*state, action_index)

    def payoffs(self, state: SheriffState, /) -> tuple[float, ...]:
        items, bribe, inspected = state[0], state[-2], state[-1]
        if not inspected:
            return (items * self.value - bribe, float(bribe))
        payment = items * self.penalty if items else -self.compensation
        return (-payment, payment)

    def infoset(self, state: SheriffState, /) -> str:
        talk = "".join(
            str(move) if turn % 2 == 0 else "yn"[move] for turn, move in enumerate(state[1:])
        )
        if not state:
            return "smuggler"
        return f"sheriff:{talk}" if len(state) % 2 == 0 else f"smuggler/{state[0]}:{talk}"

    def infoset_facts(self, key: str, /) -> tuple[tuple[str, str], ...]:
        """What the player knows, as (name, what it is) pairs."""
        who, _, talk = key.partition(":")
        name, _, items = who.partition("/")
        facts: list[tuple[str, Any]] = [("you are", f"the {name}")]
        if items:
            facts.append(("your items", items))
        rounds = [
            f"offer {talk[k]}{_ANSWERS.get(talk[k + 1 : k + 2], '')}"
            for k in range(0, len(talk), 2)
        ]
        facts.append(("so far", "; ".join(rounds) or "nothing"))
        return tuple(facts)


_ANSWERS = {"n": ", would inspect", "y": ", would let pass"}
