"""CFR is the sampler whose only block is Q = {Z}, all terminal histories at once.

Lanctot, Waugh, Zinkevich, Bowling (NIPS 2009), section 3: a sampler draws one block of terminals;
with a single block nothing is left to chance, and its regrets are CFR's, iterate by iterate.
"""

from __future__ import annotations

import pytest

from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.reference.cfr import ReferenceCFR
from equilibrist.reference.matching import regret_matching
from equilibrist.reference.sampling import chance_sampling
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.solvers.sampling.mccfr import MCCFR
from equilibrist.solvers.variants.registry import get_variant
from tests.solvers.sampling.exact_expectation import SPECS, expected_addition, walk_of

WITHOUT_CHANCE = (
    "rock_paper_scissors",
    "goofspiel(cards=3,imp_info=true,points_order=descending)",
    "goofspiel(cards=3,players=3,imp_info=true,points_order=descending)",
    "random_tree(seed=5,depth=6,chance=0)",
    "random_tree(seed=6,players=3,depth=6,chance=0,zero_sum=false)",
)


@pytest.mark.by_default(3)
@pytest.mark.parametrize("variant", ["cfr", "lcfr", "dcfr"])
@pytest.mark.parametrize("spec", WITHOUT_CHANCE)
def test_without_chance_chance_sampling_is_cfr(spec: str, variant: str) -> None:
    """Its block is {Z}, as no player ever draws; a period of one iteration discounts as CFR."""
    tree = compile_game(load_game(spec))
    full = CFR(tree, variant, alternating=True)
    sampled = MCCFR(tree, variant, sampler="chance", averaging="own-reach", period=1, seed=1)
    for _ in range(25):
        full.run(1)
        regret = sampled.run(1).state.regret
        for i, row in enumerate(full.regrets().values()):
            assert regret[tree.actions_of(i)].tolist() == pytest.approx([*row.values()], abs=1e-12)
        found, wanted = (s.average_strategy().probabilities for s in (sampled, full))
        assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_all_blocks_at_once_are_cfr(spec: str) -> None:
    """With chance: all that chance may draw, each block with its probability, is one block."""
    game = walk_of(spec)
    full = ReferenceCFR(game, get_variant("cfr"))
    regret = {key: [0.0] * len(infoset.actions) for key, infoset in game.infosets.items()}
    for _ in range(10):
        for player in range(game.num_players):
            profile = {key: regret_matching(row) for key, row in regret.items()}
            added, _, total = expected_addition(
                lambda draws, player=player, profile=profile: chance_sampling(
                    game.root, player, profile, draws
                )
            )
            assert total == pytest.approx(1.0, abs=1e-12)
            for key, row in added.items():
                regret[key] = [x + y for x, y in zip(regret[key], row, strict=True)]
        full.run(1)
        for key, row in full.regret.items():
            assert regret[key] == pytest.approx(row, abs=1e-12)
