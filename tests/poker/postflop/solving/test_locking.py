"""Spots with locks: the textbook iterate by iterate, closed forms, suits that change places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from equilibrist.errors import ConfigError
from equilibrist.poker import estimate, solve
from equilibrist.poker.betting.actions import line_text
from equilibrist.poker.betting.lines import parse_line
from equilibrist.poker.betting.public_tree import node_actions, node_line
from equilibrist.poker.cards.cards import card_name, parse_card
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.cards.isomorphism import CARD_IMAGES, COMBO_IMAGES
from equilibrist.poker.postflop.engine.engine import Engine
from equilibrist.poker.postflop.engine.holdem_game import holdem_game
from equilibrist.poker.postflop.solving.solver import SpotSolver
from equilibrist.poker.postflop.spot.fields import STORAGES, Storage
from equilibrist.poker.postflop.spot.lock import Lock
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.poker.ranges.range import Range
from equilibrist.reference.postflop import PublicCFR, Strategies, exploitability
from equilibrist.reference.public_game import ACTION, Place, PublicGame
from equilibrist.solvers.variants.registry import VARIANTS
from tests.poker.postflop.engine.engine_games import averages, run, vector_game
from tests.poker.postflop.engine.posed_games import KUHN, LEDUC
from tests.poker.postflop.engine.public_games import combos_of, public_game
from tests.poker.postflop.engine.test_engine import RIVER, TURN, assert_equal
from tests.poker.postflop.solution.made_up import result_of
from tests.poker.postflop.solution.solved import assert_as_the_reference, places
from tests.poker.postflop.solving.test_truth import ALIKE, after, permuted
from tests.refusals import refuses

CLOSED = Spot(
    board="2s3h4d6c7c", oop="AsAh,QsQh", ip="KsKh", pot=20, stack=10, bets="a", locks=["A: F 25%"]
)
LOCKS = [
    "B20: 76s,6s5s = Fold 10%, Call 20%; KK = Call 1; Fold 30%",
    "B20: Call 50%",
    "X-X|2c: AsAh = X 1; A 40%",
    "X-X|: AA,54s = X 20%; J9s = X .3, A .7",
]
"""Of TURN: whole nodes, single combos, a runout, and all that overlaps."""


def random_locks(game: PublicGame, seed: int) -> Strategies:
    """For half of the hands some actions, for others all of them, for some none.

    At every place, so that nobody does the same with all hands: then others would be indifferent,
    and rounding would decide.
    """
    drawn = np.random.default_rng(seed)
    locks: dict[Place, Any] = {}
    for place in places(game):
        node = place[0]
        if game.nodes.kind[node] == ACTION:
            actions = int(game.nodes.num_children[node])
            hands = len(game.hands[game.nodes.player[node]])
            fixed = drawn.dirichlet(np.full(actions, 0.5), hands).T
            free = drawn.random((actions, hands)) < 0.5
            free[:, drawn.random(hands) < 0.3] = False
            locks[place] = np.where(free, np.nan, fixed)
    return locks


def by_node(locks: Strategies) -> dict[int, Callable[[tuple[int, ...]], Any]]:
    """The same as the engine takes it."""
    shapes = {place[0]: table.shape for place, table in locks.items()}

    def of_node(node: int) -> Callable[[tuple[int, ...]], Any]:
        return lambda dealt: locks.get((node, dealt), np.full(shapes[node], np.nan))

    return {node: of_node(node) for node in shapes}


def locks_of(spot: Spot, game: PublicGame) -> Strategies:
    """The locks of a spot read hand by hand, the earlier one first."""
    tables: dict[Place, Any] = {}
    tree = holdem_game(spot).tree
    for node, dealt in places(game):
        if game.nodes.kind[node] != ACTION:
            continue
        line, player = line_text(node_line(tree, node)), int(game.nodes.player[node])
        options = [action.code for action in node_actions(tree, node)]
        table = np.full((len(options), len(game.hands[player])), np.nan)
        for h, combo in enumerate(combos_of(spot, player).tolist()):
            for entry in (
                entry
                for lock in spot.locks
                if line_text([part.actions for part in parse_line(lock.line)]) == line
                and all(
                    part.cards in ((), (card,))
                    for part, card in zip(parse_line(lock.line)[1:], dealt, strict=True)
                )
                for entry in lock.entries
                if Range(entry.hands).weights[combo]
            ):
                for action, share in entry.shares:
                    code = next(o for o in options if o.startswith(action.code))
                    table[options.index(code), h] = share
                break
        tables[node, dealt] = table
    return tables


def assert_as_the_textbook(
    engine: Engine, textbook: PublicCFR, variant: str, counts: list[int], weighted: bool = False
) -> None:
    locks = textbook.fixed
    for count in counts:
        engine.run(VARIANTS[variant].table(textbook.iteration + 1, count), weigh=weighted)
        textbook.run(count)
        average = textbook.average()
        assert_equal(averages(engine), average)
        measured = exploitability(textbook.game, average, locks)
        assert engine.mean_gain() == pytest.approx(measured, abs=1e-9)
        unlocked = exploitability(textbook.game, average)
        assert engine.mean_gain(unlocked=True) == pytest.approx(unlocked, abs=1e-9)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("variant", ["cfr+", "dcfr", "pcfr+"])
@pytest.mark.parametrize(("posed", "streets"), [(KUHN, 1), (LEDUC, 2)], ids=["kuhn", "leduc"])
def test_random_locks_in_kuhn_and_leduc(
    posed: Any, streets: int, variant: str, weighted: bool
) -> None:
    game = posed.public_game
    locks = random_locks(game, streets)
    vectors = replace(vector_game(game, streets, 2.0), locks=by_node(locks))
    predicts = VARIANTS[variant].prediction != 0
    engine = Engine(vectors, "float64", predicts=predicts)
    textbook = PublicCFR(game, VARIANTS[variant], weighted, locks)
    assert_as_the_textbook(engine, textbook, variant, [10, 10], weighted)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(("spot", "counts"), [(RIVER, [1, 4]), (TURN, [2])], ids=["river", "turn"])
@pytest.mark.parametrize("variant", ["dcfr", "pcfr+"])
def test_random_locks_in_spots(spot: Spot, counts: list[int], variant: str) -> None:
    game = public_game(spot)
    locks = random_locks(game, 5)
    vectors = replace(holdem_game(spot, isomorphism=False), locks=by_node(locks))
    engine = Engine(vectors, "float64", predicts=variant == "pcfr+")
    textbook = PublicCFR(game, VARIANTS[variant], locks=locks)
    assert_as_the_textbook(engine, textbook, variant, counts)


@pytest.mark.slow
def test_locks_of_a_spot_are_those_of_the_textbook() -> None:
    spot = TURN.replace(locks=LOCKS)
    game = public_game(spot)
    locks = locks_of(spot, game)
    engine = Engine(holdem_game(spot, isomorphism=False), "float64")
    assert_as_the_textbook(engine, PublicCFR(game, VARIANTS["dcfr"], locks=locks), "dcfr", [2])


@pytest.mark.parametrize("storage", STORAGES)
def test_a_closed_form(storage: Storage) -> None:
    """IP gives up a quarter: aces win 20 + 3/4 * 10, and queens lose if they bluff."""
    solution = after(CLOSED, 50, storage=storage)
    aces, queens, kings = map(parse_combo, ("AsAh", "QsQh", "KsKh"))
    root, facing = solution.at("").values, solution.at("A").values
    assert root.strategy[:, aces] == pytest.approx([0, 1], abs=1e-4)
    assert root.strategy[:, queens] == pytest.approx([1, 0], abs=1e-4)
    assert facing.strategy[:, kings] == pytest.approx([0.25, 0.75], abs=1e-6)
    assert root.ev[0, aces] == pytest.approx(27.5, abs=1e-3)
    assert root.ev[0, queens] == pytest.approx(0, abs=1e-3)
    assert root.ev[1, kings] == pytest.approx(6.25, abs=1e-3)
    assert solution.exploitability == pytest.approx(0, abs=1e-3)


def test_who_is_bound() -> None:
    """Kings lose 10 chips in half of the deals if they call, which they must three times of four:
    unlocked they gain 3.75, and OOP nothing."""
    solution = solve(CLOSED, target="0.0001%")
    assert solution.exploitability == pytest.approx(0, abs=2e-5)
    assert solution.unlocked_exploitability == pytest.approx(3.75 / 2, abs=1e-3)
    document = solution.to_dict()
    assert document["locks"] == ["A: Fold 0.25"]
    assert document["unlocked_exploitability_chips"] == pytest.approx(
        solution.unlocked_exploitability, abs=1e-6
    )
    free = solve(CLOSED.replace(locks=()), iterations=5)
    assert free.unlocked_exploitability is None
    assert free.to_dict()["locks"] == []


@pytest.mark.slow
def test_values_follow_from_the_strategies() -> None:
    spot = TURN.replace(locks=LOCKS)
    solver = SpotSolver(spot, storage="float64")
    solver.run(20)
    assert 0 < solver.mean_gain() < solver.mean_gain(unlocked=True)
    found = result_of(spot, solver.values, mean_gain=solver.mean_gain(unlocked=True))
    assert_as_the_reference(found, 1e-9)


def test_storage_makes_no_difference() -> None:
    spot = TURN.replace(locks=LOCKS)
    solutions = [after(spot, 300, storage=storage) for storage in STORAGES]
    for solution in solutions:
        assert solution.exploitability <= 0.004 * spot.pot
        for other in solutions:
            gains: list[Any] = [solution.exploitability, other.exploitability]
            within = 2 * max(gains)
            assert solution.ev == pytest.approx(other.ev, abs=within)


@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_threads_change_no_bit(storage: Storage) -> None:
    game = holdem_game(TURN.replace(locks=LOCKS))
    engines = [Engine(game, storage, threads=threads) for threads in (1, 3)]
    for engine in engines:
        run(engine, "dcfr", 7)
        assert engine.mean_gain() == engines[0].mean_gain()
    for ours, others in zip(*(engine.arena.arrays for engine in engines), strict=True):
        np.testing.assert_array_equal(ours, others)


SYMMETRIC = ["B35: KQs = Call 60%; 99 = Call 1", "X-X|: QQ = Check 30%", "X-X|Ah: X 1"]
"""Of ALIKE, where clubs and spades are: those locks leave them so."""


@pytest.mark.parametrize(
    ("locks", "stay"),
    [
        (SYMMETRIC, True),
        (["X-X|2c: X 1"], False),
        (["X-X|2c: X 1", "X-X|2s: X 1"], True),
        (["X-X|2c: X 1", "X-X|2s: X .9"], False),
        (["X-X|2c: QQ = X 1; JTs = X .2", "X-X|2s: JTs = X .2; QQ = X 1"], True),
        (["B35: KsQs = Call 1"], False),
        (["B35: KsQs,KcQc = Call 1"], True),
        (["B35: KsQs = Call 1", "B35: KQs = Call 1"], True),
        (["B35: KsQs = Call 1", "B35: KQs = Call .9"], False),
        (["X-X|2c: QhQd = X .5", "X-X|: X 1"], False),
        (["X-X|2c: QhQd = X 1", "X-X|: X 1"], True),
        (["X-X|: X 1", "X-X|2c: QhQd = X .5"], True),
        (["X-X|2c: QsQh = X 1", "X-X|2s: QcQh = X 1"], True),
        (["X-X|2c: QsQh = X 1", "X-X|2s: QsQh = X 1"], False),
        (["X-X|2h: KK,QsQh = X 1"], False),
    ],
)
def test_suits_change_places_where_the_locks_allow(locks: list[str], stay: bool) -> None:
    spot = ALIKE.replace(locks=locks)
    assert len(spot.symmetries) == (2 if stay else 1)
    alike, apart = estimate(ALIKE).entries, estimate(spot).entries
    assert (apart == alike) if stay else (apart > alike)


def test_suits_of_two_cards() -> None:
    flop = Spot(board="Td9d6h", oop="QQ", ip="99", pot=50, stack=10, bets="a")
    assert len(flop.symmetries) == 2
    for locks, count in (
        (["X-X|2c|X-X|3c: X 1"], 1),
        (["X-X|2c|X-X|3c: X 1", "X-X|2s|X-X|3s: X 1"], 2),
        (["X-X|2c|X-X|3c: X 1", "X-X|3s|X-X|2s: X 1"], 1),
        (["X-X|2c|X-X: X 1"], 1),
        (["X-X|2c|X-X|: X 1", "X-X|2s|X-X|: X 1"], 2),
        (["X-X|X-X|2c: X 1", "X-X|X-X|2s: X 1"], 2),
        (["X-X|X-X|2c: X 1", "X-X|2s|X-X|: X 1"], 1),
        (["X-X|X-X|: X 1"], 2),
    ):
        if locks == ["X-X|2c|X-X: X 1"]:
            with refuses(ConfigError, option="line"):
                flop.replace(locks=locks)
        else:
            assert len(flop.replace(locks=locks).symmetries) == count, locks


@pytest.mark.parametrize("locks", [SYMMETRIC, [*SYMMETRIC, "B35-C|2s: QsQh = X 1; X .5"]])
def test_isomorphism_changes_nothing(locks: list[str]) -> None:
    spot = ALIKE.replace(locks=locks)
    alone, together = (after(spot, 2, isomorphism=on) for on in (False, True))
    for line in ("", "X-X", "B35", "B35-C|2c", "B35-C|2s", "X-X|As|X", "X-X|Ah"):
        pairs = zip(alone.at(line).values, together.at(line).values, strict=True)
        for apart, alike in pairs:
            np.testing.assert_allclose(alike, apart, rtol=1e-4, atol=1e-3)
    alone, together = (after(spot, 300, isomorphism=on) for on in (False, True))
    gains: list[Any] = [alone.exploitability, together.exploitability]
    within = 2 * max(gains)
    assert within < 0.02 * spot.pot
    assert together.ev == pytest.approx(alone.ev, abs=within)


def permuted_lock(lock: Lock, number: int) -> Lock:
    """The lock after one of SUIT_PERMUTATIONS."""
    parts = parse_line(lock.line)
    cards = [CARD_IMAGES[number][list(part.cards)].tolist() for part in parts[1:]]
    hands = {}
    for entry in lock.entries:
        weights = np.empty(1326)
        weights[COMBO_IMAGES[number]] = Range(entry.hands).weights
        hands[str(Range.from_weights(weights))] = {str(a): share for a, share in entry.shares}
    return Lock(line_text([part.actions for part in parts], cards), hands)


@pytest.mark.parametrize("number", [5, 13, 22])
def test_suits_are_only_names(number: int) -> None:
    locks = [*SYMMETRIC, "B35-C|2s: QsQh = X 1; X .5"]
    spot, images = ALIKE.replace(locks=locks), COMBO_IMAGES[number]
    other = permuted(ALIKE, number)
    other = other.replace(locks=[permuted_lock(lock, number) for lock in spot.locks])
    solution, image = solve(spot, iterations=2), solve(other, iterations=2)
    assert image.ev == pytest.approx(solution.ev, abs=1e-3)
    for dealt in ("2c", "2s", "Ah", "Qs"):
        there = card_name(CARD_IMAGES[number][parse_card(dealt)])
        for line in ("B35-C|{}|X", "B35-C|{}", "X-X|{}"):
            before = solution.at(line.format(dealt)).values
            after_it = image.at(line.format(there)).values
            for here, expected in zip(after_it, before, strict=True):
                np.testing.assert_allclose(here[:, images], expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("line", ["", "B35", "X-X|2c", "B35-C|Ah|X"])
def test_what_is_played_is_locked(line: str) -> None:
    solution = solve(ALIKE, iterations=30)
    lock = solution.lock(line)
    spot = ALIKE.replace(locks=[lock])
    assert len(spot.symmetries) == (1 if line == "X-X|2c" else 2)
    assert Lock.parse(str(lock)) == lock
    played, again = solution.at(line).values, after(spot, 1).at(line).values
    np.testing.assert_allclose(again.strategy, played.strategy, atol=2e-4)
    held = ~np.isnan(played.strategy[0])
    (node,) = spot.locked_nodes
    fixed = node.fixed(solution.at(line).runout)
    assert (~np.isnan(fixed[0]) == held).all()
    assert fixed[:, held].sum(axis=0) == pytest.approx(1, abs=1e-12)


def test_the_rest_changes() -> None:
    """Whoever bluffs too much is called: IP's answer to a lock of OOP."""
    spot = Spot(board="Ts3h2h5c9s", oop="AA,QQ", ip="KK", pot=100, stack=100, bets="a")
    lock = solve(spot, target="0.01%").lock("")  # what is missing of a half costs its share
    again = solve(spot.replace(locks=[lock]), target="0.01%")
    assert again.ev == pytest.approx((75, 25), abs=0.1)
    bluffs = solve(spot.replace(locks=[": A 1"]), target="0.01%")
    assert bluffs.at("A").frequency["Call"] == pytest.approx(1, abs=1e-3)
    assert bluffs.ev == pytest.approx((50, 50), abs=0.01)


def test_nothing_can_be_locked_at_a_terminal_node() -> None:
    solution = solve(CLOSED, iterations=1)
    with refuses(ConfigError, option="line", given="X-X"):
        solution.lock("X-X")


def test_nothing_is_free_in_the_whole_tree() -> None:
    """Queens win 20 half of the time, aces always."""
    spot = CLOSED.replace(locks=[": AA = A 1; QQ = A .5", "X: X 1", "A: F 1", "X-A: C 1"])
    solution = solve(spot, iterations=1)
    assert solution.ev == pytest.approx((15, 5), abs=1e-3)
    assert solution.exploitability == pytest.approx(0, abs=1e-5)
