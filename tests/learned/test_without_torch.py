"""PyTorch is loaded when a network is fitted, and at no other time."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import numpy as np
sys.modules["torch"] = None  # any import of it fails

import equilibrist
from equilibrist.learned.features import infoset_features
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.fit import fit_network
from equilibrist.learned.network import new_network
from equilibrist.learned.regressors import NetworkRegressor, TableRegressor

tree = equilibrist.compile_game("kuhn")
features = infoset_features(tree)
network = new_network((features.inputs.shape[1], 8, features.outputs), 1, zero_output=False)
file = NetworkFile(
    networks={"both": network}, features=features.name, game=tree.name,
    fingerprint=tree.fingerprint, unit="advantages",
)
file.save(sys.argv[1], "networks-of-a-test")
again = NetworkFile.load(sys.argv[1], "networks-of-a-test")
again.check(features=features.name, game=tree.name, fingerprint=tree.fingerprint)
print(again.networks["both"].predict(features.inputs).shape)

from dataclasses import replace
from equilibrist.cli.main import run
from equilibrist.learned.algorithms.deep_cfr import SingleDeepCFR
from equilibrist.learned.training import stored_networks

solver = SingleDeepCFR(width=8, depth=1).solver(tree)
result = replace(equilibrist.Result.of(solver.average_strategy()), networks=stored_networks(solver))
result.save(sys.argv[2])
found = equilibrist.load_result(sys.argv[2])
print(sorted(NetworkFile.of(found).networks), f"{found.exploitability:.4f}")
for line in ("evaluate {} --json", "play {} --seats ai,ai --hands 5 --quiet"):
    print(run(line.format(sys.argv[2]).split()), file=sys.stderr)
"""


@pytest.mark.slow
def test_networks_are_stored_and_evaluated_without_it(tmp_path):
    line = [sys.executable, "-W", "error", "-c", SCRIPT, str(tmp_path / "net.safetensors")]
    line.append(str(tmp_path / "solution.safetensors"))
    done = subprocess.run(line, capture_output=True, text=True, timeout=100)
    assert done.stderr.split() == ["0", "0"]
    shape, networks = done.stdout.splitlines()[:2]
    assert shape == "(12, 2)"
    assert networks == "['regrets 0', 'regrets 1'] 0.4583"
