"""`solve --sampler` and `samplers`, as a user types them."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.cli.text.progress import progress_texts
from equilibrist.evaluation import Evaluation
from equilibrist.solvers.implicit.samplers import WITHOUT_TREE
from equilibrist.solvers.sampling.averaging import TAKEN_APART
from equilibrist.solvers.sampling.registry import sampler_parameters
from equilibrist.solvers.sampling.samplers import SAMPLERS
from equilibrist.solving import Progress
from tests.cli.command import Shell


def test_a_sampled_solve_says_what_was_drawn(shell: Shell) -> None:
    ran = shell("solve kuhn --sampler external --iterations 5000 --seed 3 --quiet").ok()
    assert "5,000 iterations of cfr with external sampling" in ran.out
    assert "stochastic averaging, seed 3." in ran.out
    assert "histories visited" in ran.out
    assert "Solution saved to kuhn-external-cfr.safetensors" in ran.out
    assert "exploitability" in shell("evaluate kuhn-external-cfr.safetensors").ok().out


def test_the_document_has_the_sampler_and_the_parameters(shell: Shell) -> None:
    line = (
        "solve leduc -s average-strategy --epsilon 0.1 --tau 2 --beta 3 --averaging full "
        "--averaging-every 7 --algorithm lcfr --period 5 --iterations 40 --json --quiet"
    )
    document = shell(line).ok().json
    assert document["sampler"] == "average-strategy(epsilon=0.1,tau=2.0,beta=3.0)"
    assert (document["averaging"], document["averaging_every"]) == ("full", 7)
    assert (document["period"], document["seed"], document["iterations"]) == (5, 0, 40)
    assert document["nodes_touched"] > 40
    again = (
        shell(
            line.replace("-s average-strategy --epsilon 0.1 --tau 2 --beta 3", "-s '{}'").format(
                document["sampler"]
            )
        )
        .ok()
        .json
    )
    assert again["strategy"] == document["strategy"]


def test_baseline_and_prune_are_parameters_of_the_sampler(shell: Shell) -> None:
    line = "solve kuhn -s external --baseline learned --prune 20 --iterations 900 --json --quiet"
    document = shell(line).ok().json
    assert document["sampler"] == "external(baseline=learned,prune=20.0)"
    again = shell(f"solve kuhn -s '{document['sampler']}' --iterations 900 --json --quiet")
    assert again.ok().json["strategy"] == document["strategy"]


def test_checkpoint_and_resume(shell: Shell) -> None:
    options = "--sampler robust --k 2 --seed 1 --quiet --json"
    whole = shell(f"solve kuhn {options} --iterations 900").ok().json
    shell(f"solve kuhn {options} --iterations 401 --checkpoint run.ckpt").ok()
    resumed = shell(f"solve kuhn {options} --iterations 900 --resume run.ckpt").ok().json
    assert resumed["strategy"] == whole["strategy"]
    assert resumed["nodes_touched"] == whole["nodes_touched"]
    shell("solve kuhn --sampler robust --k 1 --seed 1 --iterations 999 --resume run.ckpt").refused(
        "its sampler is robust(k=2), not robust"
    )


def test_last_plot_and_out(shell: Shell) -> None:
    shell(
        "solve kuhn --sampler outcome --iterations 3000 --output last --plot p.svg --out s.st -q"
    ).ok()
    assert Path("p.svg").stat().st_size > 1000
    assert Path("s.st").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--sampler outcome --prune 300", "prune has no meaning with outcome sampling"),
        ("--sampler chance --baseline learned", "as with external, outcome"),
        ("--sampler external --prune -300", "prune is -300"),
        ("--sampler outcome --baseline exact", "one of none, learned, oracle"),
        ("--prune 300", "prune has no meaning with full passes"),
        ("--sampler externl", "did you mean 'external'"),
        ("--sampler external --epsilon 0.3", "epsilon has no meaning with external sampling"),
        ("--sampler outcome --epsilon 0", "epsilon is 0"),
        ("--sampler external --algorithm cfr+", "use cfr, lcfr or dcfr"),
        ("--sampler external --algorithm lp", "sampler has no meaning with lp"),
        ("--sampler external --simultaneous", "simultaneous has no meaning"),
        ("--sampler external --averaging x", "choose stochastic, walk, full, snapshots"),
        ("--sampler external --averaging-every 0", "'0'"),
        ("--epsilon 0.3", "epsilon has no meaning with full passes"),
        ("--averaging walk", "averaging has no meaning with full passes"),
        ("--period 5", "--period has no meaning with full passes"),
        ("--sampler external --period 5", "--period has no meaning with cfr, which discounts"),
        ("--sampler external --shared-table", "--shared-table has no meaning with one thread"),
        ("--shared-table", "--shared-table has no meaning with full passes"),
        ("--averaging-every=3", "--averaging-every has no meaning with full passes"),
        ("--algorithm lp -n 5", "--iterations has no meaning with lp"),
        ("--sampler outcome(epsilon=3)", "error: epsilon is 3; expected"),
    ],
)
def test_what_makes_no_sense_is_refused(shell: Shell, options: str, said: str) -> None:
    shell(f"solve kuhn {options}").refused(said)


def test_games_that_do_not_say_what_is_public(shell: Shell) -> None:
    shell("solve rps --sampler public-chance").refused("or use chance sampling")
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
    for average in (*SAMPLERS[name].averagings, *TAKEN_APART):
        assert average in out
    assert ("large rules without a tree" in out) == (name in {s.name for s in WITHOUT_TREE})
    assert shell(f"samplers {name} --json").ok().json["name"] == name


def test_an_unknown_sampler(shell: Shell) -> None:
    shell("samplers outcom").refused("did you mean 'outcome'")


def test_the_live_line_counts_trajectories_and_nodes() -> None:
    evaluation = Evaluation((0.0, 0.0), (0.1, 0.1), (0.1, 0.1), 0.2, 0.1)
    progress = Progress(1000, 1.0, evaluation, 900, 5e5, 3.0, None, 123456, 4096)
    texts = progress_texts(progress)
    assert "1,000,000 trajectories/s  123,456 nodes  tables 4.1 kB" in texts[0]
    assert "nodes" not in texts[1]
    assert "trajectories/s" in texts[1]
