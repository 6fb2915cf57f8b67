"""`inspect` of networks: what they are of, their layers, features and losses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, FileFormatError
from equilibrist.learned.algorithms.registry import get_neural
from equilibrist.learned.files import NetworkFile
from equilibrist.learned.holdem_values import HoldemValues
from equilibrist.learned.holdem_values.features import FEATURES, num_inputs, num_outputs
from equilibrist.learned.network import new_network
from equilibrist.learned.training import stored_networks
from equilibrist.learned.values import ValueNetwork, ValueStates
from equilibrist.storage.kinds.file_kinds import HOLDEM_CHECKPOINT
from tests.cli.command import Shell
from tests.search.trunks import search_game


@pytest.fixture
def networks(folder: Path) -> Path:
    """A solution with networks, and value networks of a game and of a street."""
    tree = eq.compile_game("kuhn")
    solver = get_neural("sd-cfr(width=8,depth=1)").solver(tree)
    solver.losses["regrets.0"] = 0.25
    stored = stored_networks(solver)
    replace(eq.Result.of(solver.average_strategy()), networks=stored).save("net.safetensors")
    states = ValueStates.of(search_game("kuhn"))
    sizes = (states.num_inputs, 8, sum(states.num_hands))
    network = new_network(sizes, 1, zero_output=False)
    ValueNetwork(states, network, {"huber": 0.5}, {"depth": 1}).save("kuhn.safetensors")
    network = new_network((num_inputs("river"), 4, num_outputs("river")), 1, zero_output=False)
    HoldemValues("river", network, {"rows": 9, "losses": {"huber": 0.5}}).save("river.safetensors")
    NetworkFile(
        networks={"network": network, "best": network},
        features=FEATURES,
        game="hold'em",
        fingerprint="",
        unit="pot",
        made={"step": 70, "identity": {"folder": "x"}},
    ).save("river.ckpt", HOLDEM_CHECKPOINT)
    return folder


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize(
    ("file", "kind", "game", "losses"),
    [
        ("kuhn.safetensors", "value-network", "kuhn", {"huber": 0.5}),
        ("river.safetensors", "holdem-value-network", "hold'em", {"huber": 0.5}),
        ("river.ckpt", "holdem-value-checkpoint", "hold'em", {}),
    ],
)
def test_files_of_networks_say_what_they_are(
    shell: Shell, file: str, kind: str, game: str, losses: dict[str, float]
) -> None:
    facts = shell(f"inspect {file} --json").ok().json
    assert (facts["kind"], facts["game"], facts["losses"]) == (kind, game, losses)
    assert facts["activation"] == "relu"
    text = shell(f"inspect {file}").ok().out
    assert facts["features"] in text
    for name, sizes in facts["sizes"].items():
        assert "-".join(map(str, sizes)) in text
        assert name in text
    for options in ("--match x", "--values", "key", "--line X"):
        shell(f"inspect {file} {options}").refused(ConfigError)


@pytest.mark.slow
@pytest.mark.usefixtures("networks")
def test_what_is_suggested_takes_the_network(shell: Shell) -> None:
    shown = shell("inspect kuhn.safetensors").ok()
    line = (shown.out + shown.err).partition("Next: equilibrist ")[2].strip()
    assert line == "resolve kuhn --values kuhn.safetensors"
    shell(f"{line} --depth 1 --iterations 2 --tables 1 --exact 2").ok()


@pytest.mark.usefixtures("networks")
def test_a_solution_says_which_networks_it_was_trained_with(shell: Shell) -> None:
    text = shell("inspect net.safetensors").ok().out
    facts = shell("inspect net.safetensors --json").ok().json["networks"]
    assert facts["losses"] == {"regrets 0": 0.25}
    assert facts["unit"] == {"regrets 0": "advantages", "regrets 1": "advantages"}
    for word in (facts["features"], "advantages", "regrets 0 0.25"):
        assert word in text
    shell("solve kuhn -n 5 -q --out plain.safetensors").ok()
    assert "networks" not in shell("inspect plain.safetensors --json").ok().json


@pytest.mark.usefixtures("networks")
def test_damaged_networks_are_refused(shell: Shell) -> None:
    content = Path("river.safetensors").read_bytes()
    Path("river.safetensors").write_bytes(content[:-40])
    shell("inspect river.safetensors").refused(FileFormatError)
