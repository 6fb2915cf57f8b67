"""`solve --sampler` and `samplers`, as a user types them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from equilibrist.cli.text.progress import progress_texts
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    EquilibristError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.evaluation import Evaluation
from equilibrist.progress import Progress
from equilibrist.solvers.implicit.samplers import WITHOUT_TREE
from equilibrist.solvers.sampling.averaging import SEPARATE_AVERAGES
from equilibrist.solvers.sampling.registry import sampler_parameters
from equilibrist.solvers.sampling.samplers import SAMPLERS
from tests.cli.command import Shell


def test_a_sampled_solve_says_what_was_drawn(shell: Shell) -> None:
    ran = shell("solve kuhn --sampler external --iterations 5000 --seed 3 --quiet").ok()
    assert "5,000 iterations of cfr with external sampling" in ran.out
    assert "stochastic averaging, seed 3." in ran.out
    assert "histories visited" in ran.out
    assert "Solution saved as `last`" in ran.out
    assert "exploitability" in shell("evaluate last").ok().out


def test_the_document_has_the_sampler_and_the_parameters(shell: Shell) -> None:
    line = (
        "solve leduc -s average-strategy(epsilon=0.1,tau=2,beta=3) --averaging full "
        "--averaging-every 7 --algorithm lcfr --period 5 --iterations 40 --json --quiet"
    )
    document = shell(line).ok().json
    assert document["sampler"] == "average-strategy(epsilon=0.1,tau=2.0,beta=3.0)"
    assert (document["averaging"], document["averaging_every"]) == ("full", 7)
    assert (document["period"], document["seed"], document["iterations"]) == (5, 0, 40)
    assert document["nodes_touched"] > 40
    given = "average-strategy(epsilon=0.1,tau=2,beta=3)"
    again = shell(line.replace(given, document["sampler"])).ok().json
    assert again["strategy"] == document["strategy"]


def test_baseline_and_prune_are_parameters_of_the_sampler(shell: Shell) -> None:
    line = "solve kuhn -s external(baseline=learned,prune=20) --iterations 900 --json --quiet"
    document = shell(line).ok().json
    assert document["sampler"] == "external(baseline=learned,prune=20.0)"
    again = shell(f"solve kuhn -s '{document['sampler']}' --iterations 900 --json --quiet")
    assert again.ok().json["strategy"] == document["strategy"]


def test_checkpoint_and_resume(shell: Shell) -> None:
    options = "--sampler robust(k=2) --seed 1 --quiet --json"
    whole = shell(f"solve kuhn {options} --iterations 900").ok().json
    shell(f"solve kuhn {options} --iterations 401 --checkpoint run.ckpt").ok()
    resumed = shell(f"solve kuhn {options} --iterations 900 --resume run.ckpt").ok().json
    assert resumed["strategy"] == whole["strategy"]
    assert resumed["nodes_touched"] == whole["nodes_touched"]
    shell("solve kuhn --sampler robust(k=1) --seed 1 --iterations 999 --resume run.ckpt").refused(
        CheckpointError, path="run.ckpt"
    )


def test_last_plot_and_out(shell: Shell) -> None:
    shell(
        "solve kuhn --sampler outcome --iterations 3000 --output last --plot p.svg --out s.st -q"
    ).ok()
    assert Path("p.svg").stat().st_size > 1000
    assert Path("s.st").exists()


@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        ("--sampler outcome(prune=300)", ConfigError, dict(option="prune")),
        ("--sampler chance(baseline=learned)", ConfigError, dict(option="baseline")),
        ("--sampler external(prune=-300)", ConfigError, dict(option="prune", given=-300.0)),
        ("--sampler outcome(baseline=exact)", ConfigError, dict(option="baseline", given="exact")),
        (
            "--sampler externl",
            UnknownNameError,
            dict(option="sampler", name="externl", suggestions=("external",)),
        ),
        ("--sampler external(epsilon=0.3)", ConfigError, dict(option="epsilon")),
        ("--sampler outcome(epsilon=0)", ConfigError, dict(option="epsilon", given=0.0)),
        (
            "--sampler external --algorithm cfr+",
            ConfigError,
            dict(option="algorithm", given="cfr+"),
        ),
        (
            "--sampler external --algorithm lp",
            ConfigError,
            dict(option="sampler", given="external"),
        ),
        ("--sampler external --simultaneous", ConfigError, dict(option="alternating", given=False)),
        ("--sampler external --averaging x", ConfigError, dict(option="averaging", given="x")),
        (
            "--sampler external --averaging-every 0",
            ConfigError,
            dict(option="averaging_every", given="0"),
        ),
        ("--averaging walk", ConfigError, dict(option="averaging", given="walk")),
        ("--period 5", ConfigError, dict(option="period", given=5)),
        ("--sampler external --period 5", ConfigError, dict(option="period", given=5)),
        ("--sampler external --shared-table", ConfigError, dict(option="shared")),
        ("--shared-table", ConfigError, dict(option="shared", given=True)),
        ("--averaging-every=3", ConfigError, dict(option="averaging_every", given=3)),
        ("--algorithm lp -n 5", ConfigError, dict(option="iterations", given=5)),
        ("--sampler outcome(epsilon=3)", ConfigError, dict(option="epsilon", given=3)),
    ],
)
def test_what_makes_no_sense_is_refused(
    shell: Shell, options: str, kind: type[EquilibristError], fields: dict[str, Any]
) -> None:
    shell(f"solve kuhn {options}").refused(kind, **fields)


def test_games_that_do_not_say_what_is_public(shell: Shell) -> None:
    shell("solve rps --sampler public-chance").refused(ConfigError, option="public_state")
    shell("solve goofspiel(cards=3) --sampler public-chance --iterations 100 -q").ok()


def test_samplers_are_listed(shell: Shell) -> None:
    out = shell("samplers").ok().out
    documents = shell("samplers --json").ok().json
    assert [d["name"] for d in documents] == list(SAMPLERS)
    for document in documents:
        assert document["summary"] in out
        assert f"use: {document['when']}" in out
        assert document["when"]
    free = [d["name"] for d in documents if d["needs_no_tree"]]
    assert f"without a tree:  {', '.join(free)}" in out


@pytest.mark.parametrize("name", SAMPLERS)
def test_one_sampler_in_detail(shell: Shell, name: str) -> None:
    out = " ".join(shell(f"samplers {name}").ok().out.split())
    for parameter in sampler_parameters(name):
        assert f"{parameter.name}={parameter.default}" in out
    for average in (*SAMPLERS[name].averagings, *SEPARATE_AVERAGES):
        assert average in out
    assert ("large rules without a tree" in out) == (name in {s.name for s in WITHOUT_TREE})
    formulas = SAMPLERS[name].formulas  # type: ignore[attr-defined]
    assert {*formulas.parameters} == {p.name for p in sampler_parameters(name)}
    assert {*formulas.averages} == {*SAMPLERS[name].averagings}
    for text in (formulas.own, formulas.weight, formulas.regret, *formulas.parameters.values()):
        assert text in out
    assert shell(f"samplers {name} --json").ok().json["name"] == name


def test_an_unknown_sampler(shell: Shell) -> None:
    shell("samplers outcom").refused(
        UnknownNameError, option="sampler", name="outcom", suggestions=("outcome",)
    )


def test_the_live_line_counts_trajectories_and_nodes() -> None:
    evaluation = Evaluation((0.0, 0.0), (0.1, 0.1), (0.1, 0.1), 0.2, 0.1)
    progress = Progress(
        algorithm="cfr",
        iteration=1000,
        seconds=1.0,
        iterations_per_second=5e5,
        eta_seconds=3.0,
        evaluation=evaluation,
        measured_at=900,
        trajectories_per_second=1e6,
        nodes_touched=123456,
        table_bytes=4096,
    )
    texts = progress_texts(progress)
    assert "1,000,000 trajectories/s  123,456 nodes  tables 4.1 kB" in texts[0]
    assert "nodes" not in texts[1]
    assert "trajectories/s" in texts[1]


def test_several_seeds_are_measured_and_the_first_is_saved(shell: Shell, folder: Path) -> None:
    ran = shell("solve kuhn -s external -n 500 --seed 4 --seeds 3 --out first").ok()
    alone = [
        shell(f"solve kuhn -s external -n 500 --seed {seed} --json").ok().json for seed in (4, 5, 6)
    ]
    ends = sorted(document["exploitability"] for document in alone)
    assert "3 seeds, 4 to 6: median exploitability " in ran.out
    assert "range of 3 runs" in ran.out
    assert shell("export first - --format json").ok().out.count(f"{alone[0]['nash_conv']!r}")
    found = shell("solve kuhn -s external -n 500 --seed 4 --seeds 3 --json").ok().json
    spread = found["seeds"]["measure"]
    assert [spread["low"], spread["median"], spread["high"]] == ends
    assert [run["seed"] for run in found["seeds"]["runs"]] == [4, 5, 6]
    assert found["exploitability"] == alone[0]["exploitability"]
    assert "seeds" not in alone[0]


def test_several_seeds_have_equal_times(shell: Shell) -> None:
    found = shell("solve kuhn -s external --seeds 2 --time 0.1 --json").ok().json
    assert min(run["seconds"] for run in found["seeds"]["runs"]) > 0.05


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ("kuhn --seeds 3", 3),
        ("kuhn -s external --seeds 3 --checkpoint run", 3),
        ('"rules:liars_dice(sides=2)" -s external --seeds 3 --no-explicit-tree', 3),
    ],
)
def test_seeds_that_make_no_sense(arguments: str, given: int, shell: Shell) -> None:
    shell(f"solve {arguments} -n 5").refused(ConfigError, option="--seeds", given=given)


def test_rules_are_compiled_for_several_seeds(shell: Shell) -> None:
    line = 'solve "rules:liars_dice(sides=2)" -s external -n 50 --seeds 2'
    assert "2 seeds, 0 to 1" in shell(line).ok().out
    shell(f"{line} --max-histories 10").refused(MemoryBudgetError)
