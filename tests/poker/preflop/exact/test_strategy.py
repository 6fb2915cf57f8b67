"""Strategies of all streets: kept, saved, read in parts, looked up, combined, measured."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from equilibrist import load_result
from equilibrist.errors import ConfigError, FileFormatError, MismatchError, NotationError
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import COMBO_MASKS, parse_combo
from equilibrist.poker.hands.hand import Hand
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.preflop.exact.boards import strengths_on
from equilibrist.poker.preflop.exact.flops.solved import SolvedFlops
from equilibrist.poker.preflop.exact.game import ExactGame
from equilibrist.poker.preflop.exact.number_layout import matched
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.exact.solver import ExactSolver
from equilibrist.poker.preflop.exact.solving import solve_preflop
from equilibrist.poker.preflop.exact.strategy import ExactStrategy, MappedNumbers, kept_bytes
from tests.refusals import refuses, unchecked

CUT = Hand.named("royal(stack=6,deck=Q)")
TURN = Hand(stack=3, blinds="1/2", bets="a", raises="a", board="1/1", deck="K")
solve = partial(solve_preflop, threads=1, progress=False)


@pytest.fixture(scope="module")
def solution() -> PreflopSolution:
    return solve(CUT, iterations=60, keep_flops=16)


def test_what_is_kept_costs_hardly_anything(solution: PreflopSolution) -> None:
    again = solution.measure_again(1)
    assert again.exploitability is not None
    assert 1000 * again.exploitability == pytest.approx(solution.exploitability, abs=0.01)
    exact = solve(CUT, iterations=60, keep_flops=32)
    again = exact.measure_again(1)
    assert 1000 * again.exploitability == pytest.approx(exact.exploitability, rel=1e-5)
    assert again.values == pytest.approx(exact.values, rel=1e-6)


def test_the_size_is_known_beforehand(solution: PreflopSolution) -> None:
    assert solution.kept is not None
    for bits in (16, 32):
        assert kept_bytes(solution.game, bits) * 16 == solution.kept.num_bytes * bits
    assert solution.facts()["kept_bytes"] == solution.kept.num_bytes


@pytest.mark.parametrize("hand", [CUT, TURN], ids=lambda hand: hand.name)
def test_strategies_are_those_of_the_solver_on_every_board(hand: Hand) -> None:
    solver = ExactSolver(ExactGame.of(hand), threads=1).run(7)
    engine = solver.engine
    for bits, error in ((16, 1e-4), (32, 1e-6)):
        kept = ExactStrategy.of(solver.game, engine.layout, engine.totals, bits)
        for board in range(len(engine.table.cards)):
            street = int(engine.table.street[board])
            for node, decision in engine.layout.decisions.items():
                if decision.street == street:
                    wanted = matched(engine.numbers_at(engine.totals, board, node))
                    found = kept.probabilities(node, board)
                    assert found == pytest.approx(wanted, abs=error)
    solver.close()


def test_a_file_is_read_where_it_is_looked_into(solution: PreflopSolution, tmp_path: Path) -> None:
    path = solution.save(tmp_path / "hand.safetensors")
    loaded = load_result(path)
    assert isinstance(loaded, PreflopSolution)
    assert loaded.kept is not None
    assert isinstance(loaded.kept.numbers[0], MappedNumbers)
    for line in ("", "R4"):
        assert loaded.at(line).strategy.tolist() == solution.at(line).strategy.tolist()
    there, here = loaded.at("R4-C|AsKsQs|X"), solution.at("R4-C|X", "AsKsQs")
    assert there.strategy.tolist() == here.strategy.tolist()
    assert there.reach.tolist() == here.reach.tolist()
    assert loaded.measure_again(1).exploitability == solution.measure_again(1).exploitability
    copy = pickle.loads(pickle.dumps(loaded))
    assert copy.at("R4-C|AsKsQs|X").strategy.tolist() == here.strategy.tolist()
    again = loaded.save(tmp_path / "again.safetensors")
    assert again.read_bytes() == path.read_bytes()


def test_decisions_on_flops_are_by_combo(solution: PreflopSolution) -> None:
    decision = solution.at("R4-C|X", "AsKsQs")
    assert (decision.street, decision.seat_name) == ("flop", "small blind")
    blocked, free = parse_combo("AsAh"), parse_combo("AhAd")
    assert decision.combos[blocked] == decision.reach[blocked] == 0
    assert decision.strategy[:, free].sum() == pytest.approx(1)
    # Other names of the suits: the same strategy, at the hand with the same names.
    other = solution.at("R4-C|X", "AdKdQd")
    assert other.strategy[:, parse_combo("AhAs")] == pytest.approx(decision.strategy[:, free])
    assert solution.at("R4-C", parse_cards("AsKsQs")).seat_name == "big blind"
    raised = solution.at().strategy[2]
    assert decision.reach[free] == pytest.approx(raised[0], abs=1e-4)  # the small blind raised to 4


def test_combined_strategies_are_measured_in_the_whole_game(solution: PreflopSolution) -> None:
    kept = solution.kept
    assert kept is not None
    rough = solve(CUT, iterations=5, keep_flops=16).kept
    assert rough is not None
    good, bad = kept.measure(1), rough.measure(1)
    mixed = kept.with_seat(1, rough).measure(1)
    # A best response goes by the other seat's strategy alone.
    assert mixed.best_values == (bad.best_values[0], good.best_values[1])
    same = kept.with_seat(0, kept).with_seat(1, kept).measure(1)
    assert same.values == good.values


def test_hands_on_flops_are_valued_by_what_is_kept(solution: PreflopSolution) -> None:
    flops = SolvedFlops(solution, memory=1000)  # nothing is solved
    board, line = parse_cards("AsKhQs"), "R4-C|A2"
    tree, combo = solution.tree, parse_combo("AhKd")
    facing = flops.at(line, board)
    assert facing.codes == ("F", "C")
    raiser = flops.at(line.removesuffix("-A2").removesuffix("A2"), board)
    reach = raiser.reach * raiser.strategy[raiser.codes.index("A2")]
    met = (COMBO_MASKS & COMBO_MASKS[combo]) == 0
    strength = strengths_on(board)
    signs = np.sign(strength[combo] - strength) * met
    wanted = [-4 / 2, 6 / 2 * float(signs @ reach) / float(met @ reach)]
    values = flops.action_values(line, board, combo)
    assert values == pytest.approx(wanted, abs=1e-9)
    first = flops.action_values("R4-C|", board, combo)
    assert first is not None
    assert tree.num_children[node_at(tree, "R4-C")] == len(first)


def test_a_strategy_can_be_put_together(solution: PreflopSolution) -> None:
    kept = solution.kept
    assert kept is not None
    copy = ExactStrategy.empty(solution.game, kept.layout, 16)
    layout = kept.layout
    for seat in (0, 1):
        for board in range(len(layout.table.cards)):
            numbers = kept.numbers[seat][layout.span(board, seat)]
            copy.put(seat, board, layout.by_slot(numbers, board, seat))
    for seat in (0, 1):
        assert np.array_equal(copy.numbers[seat][:], kept.numbers[seat][:])


def test_what_is_refused(solution: PreflopSolution, tmp_path: Path) -> None:
    with refuses(ConfigError, option="keep_flops", given=8):
        solve(CUT, iterations=1, keep_flops=8)
    bare = solve(CUT, iterations=1)
    assert bare.facts()["kept_bytes"] == 0
    with refuses(ConfigError, option="keep_flops"):
        bare.measure_again(1)
    with refuses(ConfigError, option="line"):
        bare.at("R4-C|X")
    with refuses(NotationError, option="line"):
        solution.at("R4-C|X-R9", "AsKsQs")
    with refuses(ConfigError, option="board", given=0):
        solution.at("R4-C|X")
    with refuses(ConfigError, option="board"):
        solution.at("", "AsKsQs")
    assert solution.kept is not None
    other = solve(Hand.named("royal(stack=5,deck=Q)"), iterations=1, keep_flops=16).kept
    with refuses(MismatchError, option="other"):
        solution.kept.with_seat(0, unchecked(other))
    with refuses(ConfigError, option="seat"):
        solution.kept.with_seat(2, solution.kept)
    path = solution.save(tmp_path / "hand.safetensors")
    damaged = bytearray(path.read_bytes())
    damaged[-1000] ^= 1
    path.write_bytes(damaged)
    with refuses(FileFormatError, option="checksum"):
        load_result(path)
