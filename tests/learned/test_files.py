"""Files of networks."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.errors import FileFormatError, MismatchError
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.network import new_network
from tests.refusals import refuses

KIND = "networks-of-a-test"


@pytest.fixture
def saved():
    return NetworkFile(
        networks={"player 0": new_network((4, 8, 2), 1, zero_output=False)},
        features="infoset-keys/1",
        game="kuhn",
        fingerprint="abc",
        unit="advantages",
        losses={"player 0": 0.25},
        made={"algorithm": "sd-cfr", "iterations": 3},
        tables={"strategy": np.linspace(0.0, 1.0, 5)},
    )


def test_a_file_gives_back_what_was_saved(saved, tmp_path):
    path = saved.save(tmp_path / "net.safetensors", KIND)
    found = NetworkFile.load(path, KIND)
    x = np.ones((1, 4))
    assert np.array_equal(
        found.networks["player 0"].predict(x), saved.networks["player 0"].predict(x)
    )
    for name in ("features", "game", "fingerprint", "unit", "losses", "made"):
        assert getattr(found, name) == getattr(saved, name)
    assert found.tables["strategy"].tolist() == saved.tables["strategy"].tolist()
    with refuses(FileFormatError, given=KIND, expected="networks-of-another"):
        NetworkFile.load(path, "networks-of-another")


def test_networks_of_something_else_are_refused_with_both_named(saved):
    saved.check(features="infoset-keys/1", game="kuhn", fingerprint="abc", unit="advantages")
    with refuses(MismatchError, option="game", given="kuhn", expected="leduc"):
        saved.check(game="leduc", fingerprint="def")
    with refuses(MismatchError, option="game", given="kuhn", expected="kuhn with other rules"):
        saved.check(game="kuhn", fingerprint="def")
    with refuses(MismatchError, option="features", given="infoset-keys/1", expected="x/2"):
        saved.check(features="x/2")
    with refuses(MismatchError, option="unit", given="advantages", expected="pot"):
        saved.check(unit="pot")
    with refuses(MismatchError, option="inputs", given=4, expected=5):
        saved.check(inputs=5, outputs=2)


def test_a_file_whose_weights_do_not_fit_is_damaged(saved, tmp_path):
    from equilibrist.storage.archive import read_archive, write_archive

    path = saved.save(tmp_path / "net.safetensors", KIND)
    header, _ = read_archive(path, KIND)
    for damage in ({"weights.player 0": np.zeros(3, dtype=np.float32)}, {}):
        write_archive(path, KIND, header, damage)
        with refuses(FileFormatError, option="header"):
            NetworkFile.load(path, KIND)
