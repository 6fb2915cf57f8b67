"""FSICFR through the front doors: `solve`, `compare` and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import equilibrist as eq
from equilibrist.abstraction import make_abstraction, merged_tree
from equilibrist.errors import (
    CheckpointError,
    ConfigError,
    MemoryBudgetError,
    RecallError,
    UnsupportedError,
)
from equilibrist.reference.response import best_response_value, expected_values
from equilibrist.results import StateGraphStats
from equilibrist.solvers.full_traversal.fsicfr import FSICFR
from equilibrist.tree.shared_states import share_states
from tests.refusals import check_error, refuses
from tests.solve_options import grouped


def test_the_strategy_is_given_and_measured_with_perfect_recall() -> None:
    result = eq.solve("liar_die(sides=4,memory=1)", "fsicfr", iterations=3_000, seed=3)
    solver = FSICFR("liar_die(sides=4,memory=1)", seed=3).run(3_000)
    wanted = solver.average_strategy()
    assert result.game == result.strategy.tree.name == "liar_die(sides=4)"
    assert result.strategy.probabilities.tobytes() == wanted.probabilities.tobytes()
    assert result.evaluation == eq.evaluate(wanted)
    assert result.details == StateGraphStats(
        "liar_die(sides=4,memory=1)", 86, 37, solver.nodes_touched, solver.histories, 3
    )
    assert "Solved as liar_die(sides=4,memory=1), 37 infosets" in result.notes[0]
    assert "1,873 histories in 86 states; an iteration visited 40 states" in result.notes[1]
    assert "there is no convergence guarantee" in result.guarantee
    last = eq.solve("liar_die(sides=4,memory=1)", "fsicfr", iterations=3_000, seed=3, output="last")
    assert last.strategy.probabilities.tobytes() == (
        solver.current_strategy().probabilities.tobytes()
    )


def test_perfect_recall_has_a_convergence_theorem() -> None:
    tree = eq.compile_game("kuhn")
    result = eq.solve(tree, "fsicfr", target=0.02)
    assert result.strategy.tree is tree
    assert result.stopped_by == "target"
    assert result.exploitability <= 0.02
    assert "approach a Nash equilibrium with probability" in result.guarantee
    dudo = eq.compile_game("dudo(sides=2)")
    assert eq.solve(dudo, "fsicfr", iterations=10).strategy.tree is dudo
    assert "1,000,000 iterations" in eq.solve("kuhn", "fsicfr", callbacks=lambda p: False).notes[0]


def test_a_broken_run_ends_with_the_same_bits(tmp_path: Path) -> None:
    spec, file = "dudo(sides=3,memory=1)", tmp_path / "c"
    eq.solve(spec, "fsicfr", iterations=700, files=eq.Files(checkpoint=file), seed=2)
    again = eq.solve(
        spec, "fsicfr", iterations=2_000, files=eq.Files(checkpoint=file, resume=True), seed=2
    )
    straight = eq.solve(spec, "fsicfr", iterations=2_000, seed=2)
    assert again.strategy.probabilities.tobytes() == straight.strategy.probabilities.tobytes()
    assert again.details == straight.details
    assert [p.measure for p in again.trace] == [p.measure for p in straight.trace]
    with refuses(
        CheckpointError,
        option="game",
        given="dudo(sides=3,memory=1)",
        expected="dudo(sides=3,memory=2)",
    ):
        eq.solve(
            "dudo(sides=3,memory=2)",
            "fsicfr",
            iterations=2_000,
            files=eq.Files(resume=file),
            seed=2,
        )
    with refuses(
        CheckpointError, option="game", given="dudo(sides=3,memory=1)", expected="dudo(sides=3)"
    ) as caught:
        eq.solve(
            "dudo(sides=3)",
            "cfr",
            sampling="chance",
            iterations=2_000,
            files=eq.Files(resume=file),
            seed=2,
        )
    algorithm, *_ = caught.value.others
    check_error(algorithm, CheckpointError, option="algorithm", given="fsicfr", expected="cfr")


def test_what_has_no_meaning_is_refused() -> None:
    for option in ({"sampler": "chance"}, {"alternating": True}, {"period": 5}):
        ((name, given),) = option.items()
        with refuses(ConfigError, option=name, given=given):
            eq.solve("kuhn", "fsicfr", **grouped(option))
    with refuses(ConfigError, option="algorithm", given="fsicfr(2)"):
        eq.solve("kuhn", "fsicfr(2)")
    uniform = eq.Strategy.uniform(eq.compile_game("kuhn"))
    with refuses(ConfigError, option="warm_start"):
        eq.solve("kuhn", "fsicfr", iterations=200, traversal=eq.Traversal(warm_start=uniform))
    with refuses(UnsupportedError, option="num_players", given=3, expected=2):
        eq.solve("kuhn(players=3)", "fsicfr", iterations=1)
    with refuses(MemoryBudgetError, option="max_histories", given=1000, histories=1024):
        eq.solve(
            "dudo(sides=4,memory=1)",
            "fsicfr",
            iterations=1,
            limits=eq.GameLimits(max_histories=1000),
        )


def test_it_is_compared(tmp_path: Path) -> None:
    comparison = eq.compare("kuhn", ["fsicfr", "cfr@chance"], iterations=400)
    assert [run.name for run in comparison.runs] == ["fsicfr", "cfr@chance"]
    assert comparison.runs[0].result.exploitability < 0.2


def test_histories_of_an_abstraction_share_states(tmp_path: Path) -> None:
    game = "liars_dice(sides=3)"
    result = eq.solve(game, "fsicfr", iterations=5_000, abstraction="memory(last=1)", seed=1)
    details = result.details
    assert isinstance(details, StateGraphStats)
    assert (details.infosets, details.states) == (36, 104)
    assert details.histories > 2 * details.nodes_touched
    assert result.num_infosets == 192
    assert result.abstraction is not None
    assert "no convergence theorem" in result.guarantee
    tree = eq.compile_game(game)
    merging = make_abstraction(tree, "memory(last=1)")
    merged = merged_tree(merging)
    alone = FSICFR(share_states(merged), seed=1, tree=merged).run(5_000).average_strategy()
    lifted = merging.lift(alone)
    assert result.strategy.probabilities.tobytes() == lifted.probabilities.tobytes()
    profile = {key: [*result.strategy[key].values()] for key in tree.infoset_keys}
    values = expected_values(tree.game, profile)
    best = [best_response_value(tree.game, profile, p) for p in (0, 1)]
    assert result.nash_conv == pytest.approx(sum(best) - sum(values), abs=1e-10)
    saved = tmp_path / "merged.checkpoint"
    options: dict[str, Any] = {"seed": 1, "abstraction": "memory(last=1)"}
    eq.solve(game, "fsicfr", iterations=700, **grouped(options, checkpoint=saved))
    again = eq.solve(game, "fsicfr", iterations=5_000, **grouped(options, resume=saved))
    assert again.strategy.probabilities.tobytes() == result.strategy.probabilities.tobytes()


def test_states_are_shared_without_loss_and_after_a_cut() -> None:
    game = "leduc(suit_isomorphism=true)"
    whole = eq.solve(game, "fsicfr", iterations=3_000, abstraction="none")
    assert "Nash equilibrium" in whole.guarantee
    cut = eq.solve(
        game, "fsicfr", iterations=3_000, abstraction=eq.GameAbstraction(drop_below=0.04)
    )
    assert isinstance(cut.details, StateGraphStats)
    assert cut.details.infosets == 198
    assert cut.nash_conv > whole.nash_conv


def test_players_who_forget_already_are_not_merged() -> None:
    for option in ({"abstraction": "none"}, {"drop_below": 0.1}):
        with refuses(ConfigError, option=next(iter(option))):
            eq.solve("dudo(sides=3,memory=1)", "fsicfr", iterations=9, **grouped(option))
    with refuses(UnsupportedError, option="num_players", given=3):
        eq.solve("kuhn(players=3)", "fsicfr", iterations=9, abstraction="none")
    with refuses(UnsupportedError, option="payoffs"):
        eq.solve("chicken", "fsicfr", iterations=9, abstraction="none")


def test_a_forgetful_game_without_its_full_recall_cannot_be_measured(tmp_path: Path) -> None:
    """The class solves it; `solve`, which measures, says what is missing."""
    file = tmp_path / "forgets.efg"
    lines = ['EFG 2 R "forgets" { "A" "B" }', 'p "" 1 1 "" { "L" "R" } 0']
    for first in range(2):
        lines.append('p "" 1 2 "" { "u" "d" } 0')
        lines += [f't "" {2 * first + k + 1} "" {{ {x} {-x} }}' for k, x in enumerate((first, 2))]
    file.write_text("\n".join(lines) + "\n")
    FSICFR(eq.load_game(str(file))).run(10)
    with pytest.raises(RecallError) as caught:
        eq.solve(str(file), "fsicfr", iterations=10)
    assert caught.value.remedy is not None
    assert "full_recall" in caught.value.remedy
    assert "ull traversal" not in caught.value.remedy
