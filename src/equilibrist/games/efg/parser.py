"""Gambit's format of extensive games (.efg), read strictly: every error has its line and column.

The format is that of Gambit's documentation, "The extensive game (.efg) file format". As in older
files, commas between payoffs are optional, and so is everything that an earlier mention of an
infoset, a chance event or an outcome has given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.efg.cursor import Cursor


class Move(NamedTuple):
    """An infoset, or a chance event: `number` as in the file, `place` of its first mention."""

    number: int
    name: str
    labels: tuple[str, ...]
    odds: tuple[Fraction, ...]
    place: int


class Outcome(NamedTuple):
    """Payoffs added for all players; `place` of its first mention."""

    name: str
    payoffs: tuple[Fraction, ...]
    place: int


@dataclass
class EfgNode:
    """A history: the player to move, the move (None at the end), payoffs so far, and children."""

    player: int
    move: Move | None
    payoffs: tuple[Fraction, ...]
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class EfgFile:
    """The content of a file; `nodes` in its order, the root first."""

    title: str
    comment: str
    players: tuple[str, ...]
    nodes: Sequence[EfgNode]


def parse_efg(text: str, path: str) -> EfgFile:
    """The game in the text of the file at `path`.

    Raises GameSpecError with line and column for any violation of the format.
    """
    return _Parser(text, path).read()


class _Parser(Cursor):
    """A cursor over the text, and the definitions read so far."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.moves: dict[tuple[int, int], Move] = {}
        self.outcomes: dict[int, Outcome] = {}

    def read(self) -> EfgFile:
        title = self.opening("EFG", "2")
        comment = self.quoted("a comment") if self.peek() == '"' else ""
        nodes = self.nodes()
        if self.peek():
            self.fail(
                "expected the end of the file: every branch of the tree has ended",
                remedy="remove what follows, or give the node above more actions",
            )
        return EfgFile(title, comment, self.players, nodes)

    def nodes(self) -> list[EfgNode]:
        nodes: list[EfgNode] = []
        nothing = (Fraction(0),) * len(self.players)
        open_branches: list[tuple[int, int]] = [(-1, 1)]  # node, children still to come
        while open_branches:
            above, missing = open_branches.pop()
            if not missing:
                continue
            open_branches.append((above, missing - 1))
            node = self.node(nodes[above].payoffs if above >= 0 else nothing)
            if above >= 0:
                nodes[above].children.append(len(nodes))
            if node.move is not None:
                open_branches.append((len(nodes), len(node.move.labels)))
            nodes.append(node)
        return nodes

    def node(self, gathered: tuple[Fraction, ...]) -> EfgNode:
        if not self.peek():
            self.fail(
                "the file ends before every branch of the tree has; expected a node",
                remedy="add the nodes that are missing, each on a line of its own",
            )
        wanted = "a node: c (chance), p (player) or t (end)"
        kind = self.word(wanted)
        if kind not in ("c", "p", "t"):
            self.fail(
                f"expected {wanted}, got {kind}",
                self.last,
                remedy="begin the line of the node with c, p or t",
            )
        self.quoted("the name of the node in quotes")
        player, move = TERMINAL, None
        if kind == "c":
            player, move = CHANCE, self.move(CHANCE)
        elif kind == "p":
            wanted = f"a player from 1 to {len(self.players)}"
            player = self.integer(wanted) - 1
            if not 0 <= player < len(self.players):
                self.fail(
                    f"expected {wanted}, got {player + 1}",
                    self.last,
                    remedy="correct it, or name that player in braces behind the title",
                )
            move = self.move(player)
        outcome = self.outcome()
        payoffs = tuple(a + b for a, b in zip(gathered, outcome, strict=True))
        return EfgNode(player, move, payoffs)

    def move(self, player: int) -> Move:
        number = self.integer(f"the number of {'an event' if player == CHANCE else 'an infoset'}")
        owner = f"infoset {number} of player {player + 1}"
        what = f"chance event {number}" if player == CHANCE else owner
        start = self.at
        known = self.moves.get((player, number))
        name = self.quoted("its name") if self.peek() == '"' else None
        if self.peek() != "{":
            if known is None:
                self.fail(
                    f"{what} is new: expected its name and its actions in braces",
                    remedy="name the actions where the number stands first",
                )
            labels, odds = known.labels, known.odds
        elif player == CHANCE:
            labels, odds = self.events()
        else:
            labels, odds = tuple(self.texts("the names of the actions")), ()
        if not labels:
            self.fail(
                f"{what} has no actions; expected at least one",
                start,
                remedy="name an action in the braces",
            )
        move = Move(number, name or "", labels, odds, start)
        if known is None:
            self.moves[player, number] = move
            return move
        if (labels, odds) != (known.labels, known.odds) or name not in (None, "", known.name):
            self.fail(
                f"{what} differs from its definition in line {self.line(known.place)}",
                start,
                remedy="repeat that definition, or give the number only",
            )
        return known

    def events(self) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
        """Outcomes of chance and their probabilities, which may be rounded decimals."""
        self.mark("{", "the outcomes of chance in braces")
        start = self.at
        labels: list[str] = []
        odds: list[Fraction] = []
        rounded = Fraction(0)
        while self.peek() != "}":
            labels.append(self.quoted("an outcome's name in quotes, or }"))
            self.skip_comma()
            written, value = self.number("its probability, such as 1/3 or 0.25")
            if value < 0:
                self.fail(
                    f"the probability {written} is negative",
                    self.last,
                    remedy="give numbers from 0 to 1",
                )
            rounded += _half_a_digit(written)
            odds.append(value)
            self.skip_comma()
        self.at += 1
        total = sum(odds, Fraction(0))
        if odds and (abs(total - 1) > rounded or not total):
            self.fail(
                f"these probabilities add up to {float(total):.9g}; expected 1",
                start,
                remedy="correct one of them; thirds can be written as 1/3",
            )
        return tuple(labels), tuple(p / total for p in odds)

    def outcome(self) -> tuple[Fraction, ...]:
        number = self.integer("the number of an outcome, 0 for none")
        start = self.at
        known = self.outcomes.get(number)
        name = self.quoted("its name") if self.peek() == '"' else None
        if self.peek() != "{":
            if number == 0 and name is None:
                return (Fraction(0),) * len(self.players)
            if known is None or name not in (None, "", known.name):
                self.fail(
                    f"outcome {number} is new: expected its payoffs in braces",
                    remedy="give the payoffs where the number stands first",
                )
            return known.payoffs
        if number == 0:
            self.fail("outcome 0 means no outcome and has no payoffs", remedy="use another number")
        outcome = Outcome(name or "", self.payoffs(), start)
        if known is None:
            self.outcomes[number] = outcome
        elif outcome.payoffs != known.payoffs or name not in (None, "", known.name):
            self.fail(
                f"outcome {number} differs from its definition in line {self.line(known.place)}",
                start,
                remedy="repeat that definition, or give the number only",
            )
        return outcome.payoffs


def _half_a_digit(written: str) -> Fraction:
    """The rounding error of a decimal; 0 with fewer than three digits after the point."""
    decimals = len(written.partition(".")[2])
    if decimals < 3 or not written.replace(".", "").isdigit():
        return Fraction(0)
    return Fraction(1, 2 * 10**decimals)
