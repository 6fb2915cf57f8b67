"""Small trees from textbooks and papers, written down node by node."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, cast

from equilibrist.game import CHANCE, TERMINAL
from equilibrist.games.parameters import NamedGame, parameter

TreeState = tuple[int, ...]
"""The indices of the moves so far."""


class Node(NamedTuple):
    """A history: who moves (`CHANCE` for chance), the infoset, and what follows on each move.

    An item of `below` is another node, or the payoffs. `odds` are those of chance.
    """

    player: int
    key: str
    labels: tuple[str, ...]
    below: tuple[Any, ...]
    odds: tuple[float, ...] = ()


@dataclass(frozen=True)
class _WrittenTree(NamedGame):
    """A game given by its first node; a subclass says `tree`, and how many players if not two."""

    _root: Node = field(init=False, repr=False, compare=False)

    def tree(self) -> Node:
        """The first node."""
        raise NotImplementedError

    def prepare(self) -> None:
        self.remember(_root=self.tree())

    def _at(self, state: TreeState) -> Any:
        node: Any = self._root
        for move in state:
            node = node.below[move]
        return node

    @property
    def num_players(self) -> int:
        return 2

    def initial_state(self) -> TreeState:
        return ()

    def player(self, state: TreeState, /) -> int:
        node = self._at(state)
        return node.player if isinstance(node, Node) else TERMINAL

    def actions(self, state: TreeState, /) -> tuple[str, ...]:
        labels: tuple[str, ...] = self._at(state).labels
        return labels

    def chance(self, state: TreeState, /) -> tuple[float, ...]:
        odds: tuple[float, ...] = self._at(state).odds
        return odds

    def next(self, state: TreeState, action_index: int, /) -> TreeState:
        return (*state, action_index)

    def payoffs(self, state: TreeState, /) -> tuple[float, ...]:
        return cast("tuple[float, ...]", self._at(state))

    def infoset(self, state: TreeState, /) -> str:
        key: str = self._at(state).key
        return key


@dataclass(frozen=True)
class Signalling(_WrittenTree):
    """A good or bad student sends a signal that costs nothing; a professor accepts or refuses.

    Bernhard von Stengel and Françoise Forges, "Extensive-form correlated equilibrium: definition
    and computational complexity", Mathematics of Operations Research 33, 2008, figure 1. Every
    correlated equilibrium pays (0, 6); extensive-form correlated equilibria pay up to (3.5, 6.5).
    """

    game_name: ClassVar[str] = "signalling"
    aliases: ClassVar[tuple[str, ...]] = ("signaling",)
    summary: ClassVar[str] = "a student's signal to a professor, general sum"

    def tree(self) -> Node:
        """The first node: chance picks the student's type."""

        def student(kind: str, accepted: tuple[float, float]) -> Node:
            heard = [
                Node(1, f"hears {signal}", ("accept", "refuse"), (accepted, (0.0, 6.0)))
                for signal in "XY"
            ]
            return Node(0, kind, ("X", "Y"), tuple(heard))

        below = (student("good", (4.0, 10.0)), student("bad", (6.0, 0.0)))
        return Node(CHANCE, "", ("good", "bad"), below, (0.5, 0.5))


@dataclass(frozen=True)
class ExtendedShapley(_WrittenTree):
    """Shapley's game, in which the row player also says whether the other plays rock.

    Dustin Morrill et al., "Hindsight and sequential rationality of correlated play", AAAI 2021. A
    right guess pays 0.003 for rock and 0.001 for the others. CFR's play does not approach the
    extensive-form correlated equilibria of this game.
    """

    game_name: ClassVar[str] = "extended_shapley"
    aliases: ClassVar[tuple[str, ...]] = ("extended_shapleys",)
    summary: ClassVar[str] = "Shapley's game with a guess after one's own choice"

    def tree(self) -> Node:
        """The first node: the row player's choice."""
        hands = ("rock", "paper", "scissors")

        def column(mine: int, guess: int) -> Node:
            ends = []
            for theirs in range(3):
                right = (theirs == 0) == (guess == 0)
                bonus = (0.003, 0.001)[guess] if right else 0.0
                won, lost = (mine - theirs) % 3 == 1, (theirs - mine) % 3 == 1
                ends.append((float(won) + bonus, float(lost)))
            return Node(1, "column", hands, tuple(ends))

        rows = [
            Node(0, f"after {hand}", ("rock", "other"), (column(mine, 0), column(mine, 1)))
            for mine, hand in enumerate(hands)
        ]
        return Node(0, "row", hands, tuple(rows))


@dataclass(frozen=True)
class GreenwaldSarfati(_WrittenTree):
    """Two games in which the row player moves twice, with the column player in between.

    Amy Greenwald and Alessandro Sarfati, after whom OpenSpiel (2021) names its two examples: a
    device that no single deviation breaks but a trigger does, and one that is an extensive-form
    correlated equilibrium but no correlated equilibrium.

    Attributes:
        example: 1 or 2.
    """

    game_name: ClassVar[str] = "greenwald_sarfati"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "two examples that tell concepts of correlation apart"

    example: int = parameter("integer", 1, "which of the two", minimum=1, maximum=2)

    def tree(self) -> Node:
        """The first node: the row player goes left or right."""
        right_a, refused_a, refused_b = (
            ((3.0, 0.0), (3.0, 1.0), (0.0, 2.0))
            if self.example == 1
            else ((0.0, 0.0), (0.0, 2.0), (2.0, 2.0))
        )

        def last(side: str, *ends: tuple[float, float]) -> Node:
            return Node(0, side, ("l", "r"), ends)

        left = (last("left", (2.0, 2.0), refused_a), last("left", (2.0, 2.0), refused_b))
        right = (last("right", (0.0, 0.0), right_a), last("right", (0.0, 0.0), (3.0, 0.0)))
        columns = tuple(Node(1, "column", ("A", "B"), below) for below in (left, right))
        return Node(0, "row", ("L", "R"), columns)


@dataclass(frozen=True)
class OutsideOption(_WrittenTree):
    """The battle of the sexes, which player 0 may stay out of for a payoff of 2.

    Elon Kohlberg and Jean-François Mertens, "On the strategic stability of equilibria",
    Econometrica 54, 1986. Who enters says that they expect more than 2: forward induction.
    """

    game_name: ClassVar[str] = "outside_option"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "battle of the sexes with an outside option: forward induction"

    def tree(self) -> Node:
        """The first node: player 0 stays out or enters."""
        ends = {"B": ((3.0, 1.0), (0.0, 0.0)), "S": ((0.0, 0.0), (1.0, 3.0))}
        answers = tuple(Node(1, "column", ("B", "S"), ends[own]) for own in ("B", "S"))
        inside = Node(0, "row", ("B", "S"), answers)
        return Node(0, "first", ("Out", "In"), ((2.0, 2.0), inside))


@dataclass(frozen=True)
class EntryDeterrence(_WrittenTree):
    """A challenger stays out of a market or enters it; a chain store then shares it or fights.

    Reinhard Selten, "The chain store paradox", Theory and Decision 9, 1978. Two equilibria: enter
    and share, found by backward induction, and out against a threat to fight that is not credible.
    """

    game_name: ClassVar[str] = "entry_deterrence"
    aliases: ClassVar[tuple[str, ...]] = ("chain_store", "market_entry")
    summary: ClassVar[str] = "market entry: a threat that is not credible"

    def tree(self) -> Node:
        """The first node: the challenger's choice."""
        store = Node(1, "store", ("share", "fight"), ((2.0, 2.0), (0.0, 0.0)))
        return Node(0, "challenger", ("out", "enter"), ((1.0, 5.0), store))


@dataclass(frozen=True)
class Centipede(_WrittenTree):
    """Two players in turn take the larger of two piles, or pass, which doubles both.

    Robert W. Rosenthal, "Games of perfect information, predatory pricing and the chain-store
    paradox", Journal of Economic Theory 25, 1981; piles of 4 and 1 as in Richard D. McKelvey and
    Thomas R. Palfrey, "An experimental study of the centipede game", Econometrica 60, 1992, in
    tenths of a dollar. In every equilibrium the first player takes at once.

    Attributes:
        moves: How many decisions there are at most.
    """

    game_name: ClassVar[str] = "centipede"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "centipede: take now, or pass a growing sum on"

    moves: int = parameter("integer", 4, "decisions at most", minimum=1, maximum=40)

    def tree(self) -> Node:
        """The first node; the tree is made from its end."""

        def shared(move: int) -> tuple[float, float]:
            large, small = 4.0 * 2**move, 1.0 * 2**move
            return (large, small) if move % 2 == 0 else (small, large)

        below: Any = shared(self.moves)
        for move in reversed(range(self.moves)):
            below = Node(move % 2, f"move {move + 1}", ("take", "pass"), (shared(move), below))
        return cast("Node", below)


@dataclass(frozen=True)
class Ultimatum(_WrittenTree):
    """One player offers a part of a sum; the other takes it, or both get nothing.

    Werner Güth, Rolf Schmittberger and Bernd Schwarze, "An experimental analysis of ultimatum
    bargaining", Journal of Economic Behavior and Organization 3, 1982. Every split is an
    equilibrium outcome; by backward induction 0 or 1 is offered and taken.

    Attributes:
        pie: What is divided, in whole units.
    """

    game_name: ClassVar[str] = "ultimatum"
    aliases: ClassVar[tuple[str, ...]] = ("ultimatum_game",)
    summary: ClassVar[str] = "the ultimatum game: an offer to take or leave"

    pie: int = parameter("integer", 10, "what is divided, in whole units", minimum=1, maximum=1000)

    def tree(self) -> Node:
        """The first node: the offer."""
        answers = tuple(
            Node(
                1,
                f"offered {offer}",
                ("accept", "reject"),
                ((float(self.pie - offer), float(offer)), (0.0, 0.0)),
            )
            for offer in range(self.pie + 1)
        )
        labels = tuple(str(offer) for offer in range(self.pie + 1))
        return Node(0, "proposer", labels, answers)


@dataclass(frozen=True)
class Chsh(_WrittenTree):
    """Player 0 stops or bets that two others, who see one random bit each, fail at CHSH.

    John F. Clauser, Michael A. Horne, Abner Shimony and Richard A. Holt, "Proposed experiment to
    test local hidden-variable theories", Physical Review Letters 23, 1969. The others succeed if
    their answers differ exactly when both bits are 1, which they can do for at most 3 of 4 pairs of
    bits. Betting pays 1 if they fail and -0.2 if they succeed: at least 0.1, against 0 for
    stopping. Somebody who knew both bits would always succeed.
    """

    game_name: ClassVar[str] = "chsh"
    aliases: ClassVar[tuple[str, ...]] = ()
    summary: ClassVar[str] = "three players: a bet against two who cannot share what they see"

    @property
    def num_players(self) -> int:
        return 3

    def tree(self) -> Node:
        """The first node: chance draws the two bits."""

        def third(x: int, y: int, answer: int) -> Node:
            differ = x == y == 1
            ends = tuple(
                (-0.2, 0.0, 0.0) if (answer != b) == differ else (1.0, 0.0, 0.0) for b in (0, 1)
            )
            return Node(2, f"other sees {y}", ("0", "1"), ends)

        def first(x: int, y: int) -> Node:
            second = Node(1, f"one sees {x}", ("0", "1"), (third(x, y, 0), third(x, y, 1)))
            return Node(0, "bet", ("stop", "bet"), ((0.0, 0.0, 0.0), second))

        pairs = tuple((x, y) for x in (0, 1) for y in (0, 1))
        below = tuple(first(x, y) for x, y in pairs)
        return Node(CHANCE, "", tuple(f"{x}{y}" for x, y in pairs), below, (0.25,) * 4)
