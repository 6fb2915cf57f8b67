"""The report of `check_game`: problems with their histories, and the sizes of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from equilibrist.errors import GameError, RecallError, shortened
from equilibrist.formatting.amounts import counted, counted_histories
from equilibrist.formatting.escaping import escape_control_chars


@dataclass(frozen=True)
class Problem:
    """One thing wrong with the rules.

    Attributes:
        kind: A key of `KINDS`.
        history: The labels of the actions that lead there.
        message: What was found and what was expected.
        remedy: What to do.
        infoset: The key of the infoset concerned, if any.
    """

    kind: str
    history: tuple[str, ...]
    message: str
    remedy: str
    infoset: str = ""

    def __str__(self) -> str:
        place = (
            " > ".join(map(escape_control_chars, shortened(self.history))) or "the initial state"
        )
        message = self.message.replace("\n", "\n   ")
        return f"{self.kind}: {message}\n   history: {place}\n   remedy: {self.remedy}"


@dataclass(frozen=True)
class GameReport:
    """The result of `check_game`.

    Sizes count what was enumerated; with `complete` false, that is part of the game.

    Attributes:
        name: The game.
        num_players: How many players.
        problems: The first few problems of each kind.
        num_histories: Histories, terminal ones included.
        num_terminals: Terminal histories.
        num_infosets: Infosets of all players.
        num_sequences: Sequences of all players, each with its empty one.
        depth: Moves of the longest history.
        perfect_recall: Whether no player ever forgets, in the histories that were enumerated.
        constant_sum: The sum of all players' payoffs, or None if it varies.
        complete: Whether all of the game was enumerated; else the enumeration stopped at its limit
            and the rest was only sampled.
        problem_counts: How often each kind of problem occurred.
        notes: What is legal, but may not be meant: a player who never observes a chance outcome.
            Empty where there are problems, and for a game that was not enumerated whole.
    """

    name: str
    num_players: int
    problems: tuple[Problem, ...]
    num_histories: int
    num_terminals: int
    num_infosets: int
    num_sequences: int
    depth: int
    perfect_recall: bool
    constant_sum: float | None
    complete: bool
    problem_counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def is_constant_sum(self) -> bool:
        """Whether the players' payoffs add up to the same number at every terminal history."""
        return self.constant_sum is not None

    def raise_if_bad(self) -> None:
        """Raise the first problem as an error; do nothing if there is none.

        Raises:
            RecallError: The first problem is imperfect recall.
            GameError: It is another problem.
        """
        if self.ok:
            return
        first = self.problems[0]
        message = f"{self.name}: {first.message}"
        remedy = first.remedy
        others = sum(self.problem_counts.values()) - 1
        if others > 0:
            remedy += f" (and {others} more; print the report of check_game)"
        if first.kind == "recall":
            raise RecallError(message, first.infoset, first.history, remedy=remedy)
        raise GameError(message, first.history, kind=first.kind, remedy=remedy)

    def __str__(self) -> str:
        lines = [self._sizes()]
        if self.ok:
            seen = "" if self.complete else " in the part that was walked"
            lines.append(f"no problem found{seen}")
            return "\n".join([*lines, *(f"note: {text}" for text in self.notes)])
        total = sum(self.problem_counts.values())
        lines.append(f"{total} problem{'s' * (total != 1)} found")
        shown: dict[str, int] = {}
        for number, problem in enumerate(self.problems, start=1):
            lines.append(f"{number}. {problem}")
            shown[problem.kind] = shown.get(problem.kind, 0) + 1
            more = self.problem_counts[problem.kind] - shown[problem.kind]
            if more and shown[problem.kind] == sum(p.kind == problem.kind for p in self.problems):
                lines.append(f"   (and {more} more of this kind)")
        return "\n".join(lines)

    def _sizes(self) -> str:
        count = "" if self.complete else "more than "
        recall = "perfect recall" if self.perfect_recall else "imperfect recall"
        total = "" if self.constant_sum is None else f" {self.constant_sum:g}"
        sums = f", constant sum{total}" if self.is_constant_sum else ", general sum"
        if self.constant_sum is None and not self.num_terminals:
            sums = ""  # no payoffs were seen
        return (
            f"{escape_control_chars(self.name)}: {counted(self.num_players, 'player')}, "
            f"{count}{counted_histories(self.num_histories)}, "
            f"{self.num_terminals:,} terminal, {counted(self.num_infosets, 'infoset')}, "
            f"{counted(self.num_sequences, 'sequence')}, depth {self.depth}, {recall}{sums}"
        )


KINDS: Mapping[str, str] = {
    "exception": "a method of the game raised",
    "players": "num_players, or who acts, is not a player",
    "labels": "action labels are missing, not texts, or not distinct",
    "probabilities": "chance probabilities do not fit the outcomes or do not add up to 1",
    "payoffs": "payoffs are missing, too many, not finite, or too large",
    "key": "the key of an infoset, or of a public state, is not a text",
    "actions": "histories of one infoset have different actions",
    "owners": "an infoset belongs to two players",
    "public": "a player who is to move does not know what is said to be public",
    "recall": "a player forgets what it knew or did",
    "unhashable": "a state is not hashable",
    "mutated": "a state changed while the methods were called",
    "random": "a method gives different answers to the same question",
    "loop": "a state comes back on its own path, so that the game never ends",
    "endless": "a history is too long to end",
    "start": "start() of a rules module does not set the whole state",
    "sizes": "a rules module has more actions than it says",
    "packing": "a packed key of a rules module does not stand for what the player knows",
    "words": "describe() of a rules module says more than a player knows, or gives no pairs",
    "compiling": "compiled rules cannot be made, or play otherwise than Python does",
}
"""Every kind of problem, in words."""
