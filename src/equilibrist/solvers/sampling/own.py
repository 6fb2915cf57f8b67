"""Samplers of one's own: a class that says what is drawn; the walk and its weights are ours."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Final, cast

from equilibrist.errors import ConfigError
from equilibrist.game import TERMINAL
from equilibrist.parsing.user_code import failure_text, line_of, pass_interrupts, user_lines
from equilibrist.reference.draws import Draws
from equilibrist.reference.game_walk import Node
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling.addition import Addition, Profile, TablesByInfoset
from equilibrist.reference.sampling.choices import Choice, NodeView
from equilibrist.solvers.sampling.formulas import WEIGHTED_SAMPLER, SamplerFormulas
from equilibrist.solvers.sampling.own_mistakes import refuse_addition, refuse_class
from equilibrist.solvers.sampling.plain_tree import PlainTree, plain_tree
from equilibrist.solvers.sampling.sampler import FitsAll, PlainSampler, Tables
from equilibrist.tree.compile import GameTree

if TYPE_CHECKING:
    from equilibrist.tree.forms.history_tree import HistoryTree
    from equilibrist.typing import FloatArray

_PROBED: Final = 1_000
"""Histories whose choices make up the digest of a sampler."""
AVERAGINGS: Final = ("stochastic", "own-reach")
"""The averages of own samplers: where the others decide, or where the traverser does."""


class OwnSampler(FitsAll):
    """Base of samplers of your own; `choose` says what is drawn, and by default is external.

    Regrets and averages are weighted by the walk, with the probabilities that `choose` gives, and
    so are right on average, whatever these are. `choose` must give the same answer whenever it is
    asked about the same history with the same numbers. It runs in Python: some hundred times slower
    than samplers that come with Equilibrist.

    To sample in a way that `choose` cannot say, override `traverse`; then the weights are yours,
    and `equilibrist check` says whether they are right.
    """

    name: ClassVar[str] = ""
    """What results call it; the name of the class, if empty."""
    summary: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    when: ClassVar[str] = "of your own"
    averagings: ClassVar[tuple[str, ...]] = AVERAGINGS
    formulas: ClassVar[SamplerFormulas] = WEIGHTED_SAMPLER
    """What `samplers` prints; set your own, if you override `traverse`."""
    average_share: ClassVar[str] = "chance"

    spec: str = ""
    """The text that loaded it, such as `my.py:MySampler(share=0.5)`; empty for one made in
    Python."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        if not vars(cls).get("name"):
            cls.name = cls.__name__
        if not vars(cls).get("summary"):
            written = (vars(cls).get("__doc__") or "").strip().partition("\n")[0]
            cls.summary = written or "a sampler of your own"
        names: object = cls.averagings
        if not isinstance(names, tuple) or not names or not {*names} <= {*AVERAGINGS}:
            raise ConfigError(
                option="averagings",
                given=names,
                expected=f"{AVERAGINGS!r}, or one of them in a tuple",
                place=cls.__name__,
            )

    def lay_out(self, tree: GameTree) -> HistoryTree:
        """Make the nodes that the walk visits.

        Args:
            tree: The compiled game.

        Returns:
            Its tree, with nodes as objects.

        Raises:
            ConfigError: It is too large for them.
        """
        return plain_tree(tree)

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations, each a traversal per player.

        Args:
            tables: What is read and updated.
            start: The first iteration, from 1.
            count: How many iterations.
            averaging: One of `averagings`.
            weight: What an iteration counts in the average; with 0 that is left alone.

        Raises:
            ConfigError: What the class does raises, or cannot be weighted.
        """
        tree = cast("PlainTree", tables.tree)
        players = tree.arrays.payoff.shape[1]
        for iteration in range(start, start + count):
            source = random.Random((int(tables.key) << 64) | iteration)
            for traverser in range(players):
                added = traverse_plainly(
                    self,
                    tree.root,
                    traverser,
                    _Lazily(tables.regret, tree, match=True),
                    _Quickly(source),
                    TablesByInfoset(
                        _Lazily(tables.regret, tree),
                        _Lazily(tables.strategy_sum, tree),
                        iteration,
                    ),
                    averaging=averaging,
                    record=False,
                )
                tables.touched[0] += added.visited
                for infoset, row in added.regret.items():
                    tables.regret[tree.actions[infoset]] += row
                if weight:
                    for infoset, row in added.strategy_sum.items():
                        tables.strategy_sum[tree.actions[infoset]] += [weight * x for x in row]


def traverse_plainly(
    sampler: PlainSampler,
    root: Node,
    traverser: int,
    profile: Profile,
    draws: Draws,
    tables: TablesByInfoset,
    *,
    averaging: str | None = None,
    record: bool = True,
) -> Addition:
    """Run `traverse` of a sampler; failures of one's own are told as those of the user's file.

    Args:
        sampler: The sampler.
        root: The initial history.
        traverser: Whose regrets are added.
        profile: What everybody plays.
        draws: Where all draws come from.
        tables: Cumulative regrets and strategy sums as the traversal begins.
        averaging: One of the sampler's averagings, by default the first.
        record: Whether the steps are kept.

    Returns:
        What the traversal adds.

    Raises:
        ConfigError: A sampler of one's own raises, or returns no `Addition`.
    """
    average = sampler.averagings[0] if averaging is None else averaging
    if not isinstance(sampler, OwnSampler):
        return sampler.traverse(
            root, traverser, profile, draws, tables, averaging=average, record=record
        )
    label = sampler.spec or sampler.name
    try:
        added: object = sampler.traverse(
            root, traverser, profile, draws, tables, averaging=average, record=record
        )
    except ConfigError as error:
        lines = user_lines(error)
        if not lines and type(sampler).traverse is FitsAll.traverse:
            lines = [f"  {line_of(sampler.choose)}, in choose"]
        told = ConfigError(
            "\n".join([f"{label}: {error}", *lines]),
            option=error.option,
            given=error.given,
            expected=error.expected,
            place=error.place,
        )
        told.remedy = error.remedy  # which the text has
        raise told from None
    except BaseException as error:
        pass_interrupts(error)
        refuse_class(sampler)
        raise ConfigError(
            f"{label} raised while it sampled: {failure_text(error)}",
            option="sampler",
            given=type(error).__name__,
            place=label,
        ) from None
    return refuse_addition(sampler, added, profile)


def choices_digest(sampler: OwnSampler, histories: HistoryTree) -> str:
    """SHA-256 over what is drawn at the first histories of a game, by uniform play.

    It says whether the sampler still does the same, whatever else has changed in its file.
    """
    tree = cast("PlainTree", histories)
    digest = hashlib.sha256()
    players = range(tree.arrays.payoff.shape[1])
    for node in islice(_decisions(tree.root), _PROBED):
        for traverser in players:
            count = len(node.children)
            uniform = node.chance or [1.0 / count] * count
            zeros = () if node.chance else (0.0,) * count
            view = NodeView(
                player=node.player,
                traverser=traverser,
                strategy=uniform,
                infoset=node.infoset,
                actions=node.actions,
                history=node.history,
                regret=zeros,
                strategy_sum=zeros,
            )
            try:
                choice: object = sampler.choose(view)
            except BaseException as error:  # the first iteration says it, with its place
                pass_interrupts(error)
                choice = type(error).__name__
            if type(choice) is not Choice:
                choice = type(choice).__name__
            digest.update(f"{choice!r}\n".encode())
    return digest.hexdigest()


class _Lazily(dict[str, tuple[float, ...]]):
    """Rows of a flat table by infoset, read when they are first asked for."""

    def __init__(self, table: FloatArray, tree: PlainTree, *, match: bool = False) -> None:
        """`match`: whether a row is what regret matching makes of the regrets."""
        super().__init__()
        self._table, self._actions, self._match = table, tree.actions, match

    def __missing__(self, infoset: str) -> tuple[float, ...]:
        row: list[float] = self._table[self._actions[infoset]].tolist()
        if self._match:
            row = regret_matching(row)
        self[infoset] = kept = tuple(row)  # which `choose` cannot change
        return kept


def _decisions(root: Node) -> Iterator[Node]:
    """All histories that are not the end, in preorder."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.player != TERMINAL:
            yield node
            waiting += reversed(node.children)


class _Quickly:
    """Draws from Python's generator, without tables of cumulative probabilities."""

    def __init__(self, source: random.Random) -> None:
        self._next = source.random

    def outcome(self, probabilities: Sequence[float]) -> int:
        """The number of a child, by one random number."""
        x, last = self._next(), 0
        for k, p in enumerate(probabilities):
            if p > 0.0:
                x -= p
                last = k
                if x < 0.0:
                    return k
        return last  # what rounding leaves

    def action(self, probabilities: Sequence[float]) -> int:
        """The number of an action, in the same way."""
        return self.outcome(probabilities)
