"""What a log of walks holds is what the kernels of samplers add to regrets."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.game_loading import compile_game
from equilibrist.kernels.traversal.status import DONE
from equilibrist.learned import walks
from equilibrist.learned.features import infoset_features
from equilibrist.learned.walks import WalkLog
from equilibrist.solvers.sampling.external import External
from equilibrist.solvers.sampling.outcome import Outcome
from equilibrist.solvers.sampling.sampler import Tables


@pytest.mark.slow
@pytest.mark.parametrize("sampler", [External(), Outcome(epsilon=0.5)])
def test_a_log_holds_what_the_kernel_adds_to_frozen_regrets(sampler):
    tree = compile_game("leduc")
    features, key = infoset_features(tree), np.uint64(3)
    regret = np.random.default_rng(1).standard_normal(int(tree.action_offset[-1]))
    walked = WalkLog(tree, features, sampler, key).run(regret, 0, 1, 1)
    copy, others = regret.copy(), np.zeros_like(regret)
    tables = Tables(tree.history_tree, key, copy, others)
    kernel, setup = sampler.kernel(tables.scratch())
    play = tables.play()._replace(traversals=1)
    progress = np.array([1, 0, 0, 0], dtype=np.int64)
    assert kernel(setup._replace(weight=1.0), play, 1, key, progress) == DONE
    gained = np.zeros(features.mask.shape)
    np.add.at(gained, walked.infoset, walked.scale[:, None] * walked.regret)
    assert np.allclose(features.to_actions(gained), copy - regret, rtol=0, atol=1e-12)
    assert np.any(copy != regret)
    if isinstance(sampler, External):
        assert np.array_equal(walked.others, others)


def test_a_log_without_room_grows_and_changes_nothing(monkeypatch):
    tree = compile_game("leduc")
    log = WalkLog(tree, infoset_features(tree), External(), np.uint64(5))
    random = np.random.default_rng(1)
    regret = random.standard_normal(int(tree.action_offset[-1]))
    roomy = log.run(regret, 1, 3, 40)
    monkeypatch.setattr(walks, "_FIRST_VISITS", 1)
    tight = log.run(regret, 1, 3, 40)
    assert len(roomy.infoset) > 40
    for first, second in zip(roomy, tight, strict=True):
        assert np.array_equal(np.asarray(first), np.asarray(second))
