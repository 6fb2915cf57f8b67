"""Chance sampling, of all chance or of blocks of it, and public chance sampling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from equilibrist.reference.game_walk import Node
from equilibrist.reference.sampling.chance import chance_nodes, event_probabilities
from equilibrist.reference.sampling.choices import Choice, Choose, NodeView
from equilibrist.solvers.sampling.formulas import (
    OWN_REACH,
    PRUNE,
    WEIGHTED,
    SamplerFormulas,
)
from equilibrist.solvers.sampling.sampler import FitsAll, Kernel, Scratch, Setup, Tables
from equilibrist.solvers.sampling.variance_reduction import checked_prune, floor, on_tree, pruning
from equilibrist.solvers.variants.variant import Variant
from equilibrist.tree.block_text import read_blocks
from equilibrist.tree.compile import GameTree
from equilibrist.tree.forms.chance import ChanceEvents, as_if_all_were_public
from equilibrist.tree.forms.history_tree import HistoryTree
from equilibrist.tree.walk.public_states import says_nothing_public


@dataclass(frozen=True)
class Chance(FitsAll):
    """Chance draws one outcome wherever it moves, all actions of all players are walked.

    Its average adds own reach times strategy where the player itself decides. No player draws, so
    that nothing of how they play enters: right on average for any number of players. `prune` is as
    in external sampling.

    `blocks` says what is drawn: `player:0` is what player 0 sees of chance, and all that they do
    not see is walked; `FILE.py:function` names the events, and outcomes of one name are walked
    together.
    """

    name: ClassVar[str] = "chance"
    summary: ClassVar[str] = "samples chance, traverses all actions of all players"
    paper: ClassVar[str] = (
        "Zinkevich, Johanson, Bowling, Piccione: Regret Minimization in Games with Incomplete "
        "Information. NIPS 2007"
    )
    when: ClassVar[str] = "much chance and few player actions; the lowest variance per iteration"
    averagings: ClassVar[tuple[str, ...]] = ("own-reach",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="all: q(a) = 1",
        others="players: all; chance: one outcome with its probability, or one block of outcomes",
        weight="w(h) = pi_-i(h) / q(h): the other players' part, as q(h) = pi_c(h)",
        estimate=WEIGHTED,
        regret="R(a) += w(h) (u(a) - u(h))",
        averages={"own-reach": OWN_REACH},
        parameters={
            "prune": PRUNE,
            "blocks": (
                "draw blocks of outcomes and walk all of a block: player:0 for what player 0 sees "
                "of chance, or FILE.py:function; none by default"
            ),
        },
    )

    prune: float | None = None
    blocks: str | None = None

    def __post_init__(self) -> None:
        """Check the parameters; raises ConfigError."""
        object.__setattr__(self, "prune", checked_prune(self.prune))
        if self.blocks is not None:
            read_blocks(self.blocks)

    def check(self, tree: GameTree, variant: Variant) -> None:
        """ConfigError for blocks that the game does not have."""
        if self.blocks is not None:
            read_blocks(self.blocks).check(tree)

    def lay_out(self, tree: GameTree) -> HistoryTree:
        """The tree, with the blocks in place of what everybody sees of chance."""
        if self.blocks is None:
            return tree.history_tree
        return replace(tree.history_tree, public_chance=read_blocks(self.blocks).events(tree))

    def choose(self, node: NodeView) -> Choice:
        """One outcome of chance, all actions of all players.

        Args:
            node: The history.

        Returns:
            The choice.
        """
        return node.one() if node.is_chance else node.all()

    def kernel(self, scratch: Scratch) -> tuple[Kernel, Setup]:
        """The kernel that draws all outcomes of chance, without pruning, and its setup."""
        from equilibrist.kernels.sampling.chance import ChanceSetup, chance_sampling

        return chance_sampling, ChanceSetup(
            weight=0.0,
            walked=scratch.whole_level(),
            own_reach=scratch.level(),
            others_reach=scratch.level(),
            strategy=scratch.rows(),
            utility=scratch.rows(),
            width=scratch.width,
        )

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1; an own visit adds own reach times strategy."""
        arrays = tables.tree.arrays
        if self.blocks is not None:
            blocks = tables.tree.public_chance
            assert blocks is not None
            _sample_events(tables, blocks, self.prune, start, count, weight)
            return
        if self.prune is not None:
            public = tables.once(
                "public", lambda: as_if_all_were_public(arrays.node, arrays.chance_cumulative)
            )
            _sample_events(tables, public, self.prune, start, count, weight)
            return
        from equilibrist.kernels.traversal.steps import Delayed

        nodes = len(arrays.node)
        visited, used = np.empty(nodes, dtype=np.int32), np.zeros(2, dtype=np.int64)
        play = tables.play()._replace(delayed=Delayed(np.zeros(nodes), visited, used))
        kernel, setup = self.kernel(tables.scratch())
        tables.run(kernel, setup._replace(weight=weight), start, count, play)


@dataclass(frozen=True)
class PublicChance(FitsAll):
    """Public chance events are drawn, the same for all private hands; all else is enumerated.

    For games that say what is public (`PublicGame`). Where nothing of chance is, each iteration is
    one of CFR. The average and `prune` are as in chance sampling.
    """

    name: ClassVar[str] = "public-chance"
    summary: ClassVar[str] = "samples public chance, traverses all private hands and all actions"
    paper: ClassVar[str] = (
        "Johanson, Bard, Lanctot, Gibson, Bowling: Efficient Nash Equilibrium Approximation "
        "through Monte Carlo Counterfactual Regret Minimization. AAMAS 2012"
    )
    when: ClassVar[str] = "much public chance and few private hands"
    averagings: ClassVar[tuple[str, ...]] = ("own-reach",)
    formulas: ClassVar[SamplerFormulas] = SamplerFormulas(
        own="all: q(a) = 1",
        others=(
            "players: all; chance: one public event per public state, with its mean probability "
            "over the chance nodes there, and all outcomes of it"
        ),
        weight="w(h) = pi_-i(h) / q(h)",
        estimate=WEIGHTED,
        regret="R(a) += w(h) (u(a) - u(h))",
        averages={"own-reach": OWN_REACH},
        parameters={"prune": PRUNE},
    )
    average_share: ClassVar[str] = "own"

    prune: float | None = None

    def __post_init__(self) -> None:
        """Check the parameter; raises ConfigError."""
        object.__setattr__(self, "prune", checked_prune(self.prune))

    def check(self, tree: GameTree, variant: Variant) -> None:
        """ConfigError for a game that does not say what is public."""
        if tree.history_tree.public_chance is None:
            raise says_nothing_public(
                tree.game,
                "public-chance sampling draws what everybody sees",
                "use chance sampling",
            )

    def chooser(self, root: Node) -> Choose:
        """Give what decides during one traversal: one public event per public state.

        Args:
            root: The initial history.

        Returns:
            What is asked at every history that is not the end.
        """
        odds, deals = event_probabilities(root), chance_nodes(root)

        def choose(node: NodeView) -> Choice:
            if not node.is_chance:
                return node.all()
            deal = deals[tuple(node.history)]
            events = [child.public for child in deal.children]
            return node.blocks(events, odds[deal.public], shared=deal.public)

        return choose

    def run(self, tables: Tables, start: int, count: int, averaging: str, weight: float) -> None:
        """Run iterations start .. start+count-1; an own visit adds own reach times strategy."""
        public = tables.tree.public_chance
        assert public is not None
        _sample_events(tables, public, self.prune, start, count, weight)


def _sample_events(
    tables: Tables,
    public: ChanceEvents,
    prune: float | None,
    start: int,
    count: int,
    weight: float,
) -> None:
    """Draw public events, and walk all else but for what is pruned."""
    from equilibrist.kernels.sampling.public_chance import PublicChanceSetup, public_chance_sampling

    scratch, states = tables.scratch(), len(public.first) - 1
    setup = PublicChanceSetup(
        public=public,
        weight=weight,
        pruning=on_tree(pruning(prune, scratch), tables),
        floor=floor(prune),
        walked=scratch.whole_level(),
        own_reach=scratch.level(),
        others_reach=scratch.level(),
        value_so_far=scratch.level(),
        strategy=scratch.rows(),
        utility=scratch.rows(),
        instant=np.zeros_like(tables.regret),
        visited=np.empty(len(tables.tree.arrays.node), dtype=np.int32),
        drawn=np.zeros(states, dtype=np.int64),
        drawn_in=np.zeros(states, dtype=np.int64),
        traversals=np.zeros(1, dtype=np.int64),
        width=scratch.width,
    )
    tables.run(public_chance_sampling, setup, start, count)
