"""The sequence form against the walk that it was built from."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
import pytest

from equilibrist.errors import UnsupportedError
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.kernels import LANES
from equilibrist.kernels.sequence_form.passes import push
from equilibrist.strategy import Strategy
from equilibrist.tree.compile import GameTree
from equilibrist.tree.walk.histories import CHANCE_MARK, TERMINAL_MARK
from tests.altered_games import Hooked, Jittered, Repaid, WithImpossibleChances
from tests.refusals import refuses


@numba.njit(error_model="numpy")
def compiled_push(arrays, player, reach, value):
    push(arrays, player, reach, value)


KUHN = load_game("kuhn")
GAMES = {
    "kuhn": KUHN,
    "kuhn, three players": load_game("kuhn(players=3)"),
    "leduc": load_game("leduc"),
    "leduc with thirds": Repaid(load_game("leduc"), 1 / 3),
    "jittered leduc": Jittered(load_game("leduc")),
    "large payoffs": Repaid(KUHN, 1e6, [0.125, 0.25]),
    "payoffs near 127 units": Repaid(KUHN, 63.0, 1.0),
    "payoffs past 127 units": Repaid(KUHN, 64.0, 1.0),
    "matrix": load_game("matrix(payoffs=[[1,2,3],[4,5,6.5]])"),
    "shapley": load_game("shapley"),
    "dice": load_game("liars_dice(sides=3)"),
    "one player": load_game("random_tree(seed=1,players=1,zero_sum=false)"),
    "two players": load_game("random_tree(seed=2,depth=7,branching=5,zero_sum=false)"),
    "three players": load_game("random_tree(seed=3,depth=7,players=3,zero_sum=false)"),
    "four players": load_game("random_tree(seed=4,depth=7,players=4,forced=0.5)"),
    "impossible": WithImpossibleChances(load_game("random_tree(seed=5,depth=6,chance=0.5)")),
    "nothing": load_game("random_tree(depth=0)"),
}


@cache
def tree_of(name: str) -> GameTree:
    return compile_game(GAMES[name])


def leaves_of(tree: GameTree) -> list[tuple[list[float], float, list[list[int]]]]:
    """(payoffs, chance probability, public action indices of each player) of every terminal."""
    w = tree.walk
    public = {key: i for i, key in enumerate(tree.infoset_keys)}
    first_probability = np.concatenate(([0], np.cumsum(w.chance_count)))
    chances = np.cumsum(w.infoset == CHANCE_MARK) - 1
    ends = np.cumsum(w.infoset == TERMINAL_MARK) - 1
    children = np.zeros(len(w.parent), dtype=np.int64)
    above: list[tuple[float, list[list[int]]]] = []
    found = []
    for node, parent in enumerate(w.parent.tolist()):
        probability = 1.0
        moves: list[list[int]] = [[] for _ in range(tree.num_players)]
        if parent >= 0:
            action = int(children[parent])
            children[parent] += 1
            probability, moves = above[parent]
            here = int(w.infoset[parent])
            if here == CHANCE_MARK:
                start = int(first_probability[chances[parent]])
                probability *= float(w.chance_probability[start + action])
            else:
                i = public[w.keys[here]]
                flat = int(tree.action_offset[i]) + action
                owner = int(w.owner[here])
                moves = [[*m, flat] if p == owner else m for p, m in enumerate(moves)]
        above.append((probability, moves))
        if w.infoset[node] == TERMINAL_MARK:
            found.append((w.payoff[ends[node]].tolist(), probability, moves))
    return found


def random_strategy(tree: GameTree, seed: int) -> Strategy:
    generator = np.random.default_rng(seed)
    rows = [
        generator.dirichlet(np.ones(len(a))) if len(a) > 1 else np.ones(1)
        for a in tree.action_labels
    ]
    return Strategy(tree, np.concatenate(rows) if rows else np.zeros(0))


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", GAMES)
def test_payoffs_reach_the_sequences_where_they_belong(name: str) -> None:
    """value[s] = sum over ends whose last own sequence is s of chance * others' reach * payoff."""
    tree = tree_of(name)
    form = tree.sequence_form
    strategy = random_strategy(tree, 1)
    public = strategy.probabilities
    reach = form.reach(form.to_engine(public))
    scale = max(abs(tree.min_payoff).max(), abs(tree.max_payoff).max(), 1.0)
    leaves = leaves_of(tree)
    for player in range(tree.num_players):
        value = form.scratch()
        compiled_push(form.arrays, player, reach, value)
        wanted = np.zeros(form.num_sequences)
        for payoffs, probability, moves in leaves:
            weight = probability
            for other, taken in enumerate(moves):
                if other != player:
                    weight *= float(np.prod(public[taken])) if taken else 1.0
            last = form.arrays.sequence_offset[player]
            if moves[player]:
                last = form.sequence_of_public[moves[player][-1]]
            wanted[last] += weight * payoffs[player]
        low, high = form.arrays.sequence_offset[player : player + 2]
        assert value[low:high] == pytest.approx(wanted[low:high], abs=1e-13 * scale)


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", GAMES)
def test_reach_is_the_product_of_own_moves(name: str) -> None:
    tree = tree_of(name)
    form = tree.sequence_form
    public = random_strategy(tree, 2).probabilities
    reach = form.reach(form.to_engine(public))
    for _, _, moves in leaves_of(tree):
        for player, taken in enumerate(moves):
            product = np.prod(public[taken]) if taken else 1.0
            last = form.sequence_of_public[taken[-1]] if taken else None
            empty = form.arrays.sequence_offset[player]
            assert reach[empty if last is None else last] == pytest.approx(product, rel=1e-12)
            for i, flat in enumerate(taken):
                infoset = int(np.searchsorted(tree.action_offset, flat, side="right")) - 1
                before = np.prod(public[taken[:i]])
                assert reach[form.public_parent[infoset]] == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_values_are_the_sum_over_ends(name: str) -> None:
    tree = tree_of(name)
    strategy = random_strategy(tree, 3)
    wanted = np.zeros(tree.num_players)
    for payoffs, probability, moves in leaves_of(tree):
        taken = [flat for own in moves for flat in own]
        wanted += np.array(payoffs) * probability * np.prod(strategy.probabilities[taken])
    scale = max(abs(tree.min_payoff).max(), abs(tree.max_payoff).max(), 1.0)
    assert evaluate(strategy).values == pytest.approx(wanted, abs=1e-12 * scale)


@pytest.mark.parametrize("name", GAMES)
def test_the_way_to_engine_order_and_back(name: str) -> None:
    tree = tree_of(name)
    form = tree.sequence_form
    public = random_strategy(tree, 4).probabilities
    assert np.array_equal(form.to_public(form.to_engine(public)), public)
    engine = form.to_engine(public)
    empty = form.arrays.sequence_offset[:-1]
    assert set(engine[empty].tolist()) == {1.0}
    choices = sum(len(a) for a in tree.action_labels if len(a) > 1)
    played = np.unique(form.sequence_of_public[~form.public_forced])
    assert len(played) == choices
    assert form.num_sequences >= choices + tree.num_players
    forced = [len(a) == 1 for a in tree.action_labels for _ in a]
    assert form.public_forced.tolist() == forced
    assert np.array_equal(form.to_public(form.uniform()), Strategy.uniform(tree).probabilities)
    assert len(form.scratch()) >= form.num_sequences


@pytest.mark.parametrize("name", GAMES)
def test_groups_cover_every_choice_once(name: str) -> None:
    tree = tree_of(name)
    form = tree.sequence_form
    for player in range(tree.num_players):
        low, high = form.arrays.sequence_offset[player : player + 2].tolist()
        seen = [low]
        for parent, own in form.infosets_of(player):
            assert low <= parent < min(own)  # parents come first
            seen += own
        assert len(seen) == len(set(seen))
        assert max(seen) < high
        public = [i for i, p in enumerate(tree.infoset_player) if p == player]
        rows = {
            (int(form.public_parent[i]), *form.sequence_of_public[tree.actions_of(i)].tolist())
            for i in public
            if len(tree.action_labels[i]) > 1
        }
        assert rows == {(parent, *own) for parent, own in form.infosets_of(player)}


@pytest.mark.by_default(1)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "matrix", "dice", "two players", "impossible"])
def test_the_payoff_matrix(name: str) -> None:
    tree = tree_of(name)
    form = tree.sequence_form
    rows, columns, values = form.payoff_entries()
    sizes = np.diff(form.arrays.sequence_offset)
    matrix = np.zeros(sizes)
    np.add.at(matrix, (rows, columns), values)
    reach = form.reach(form.to_engine(random_strategy(tree, 5).probabilities))
    value = reach[: sizes[0]] @ matrix @ reach[sizes[0] :]
    assert value == pytest.approx(evaluate(random_strategy(tree, 5)).values[0], abs=1e-12)
    wanted = np.zeros(sizes)
    for payoffs, probability, (one, other) in leaves_of(tree):
        row = form.sequence_of_public[one[-1]] if one else 0
        column = form.sequence_of_public[other[-1]] - sizes[0] if other else 0
        wanted[row, column] += probability * payoffs[0]
    assert matrix == pytest.approx(wanted, abs=1e-13)


def test_a_payoff_matrix_needs_two_players() -> None:
    with refuses(UnsupportedError, option="num_players", given=3, expected=2):
        tree_of("three players").sequence_form.payoff_entries()


def test_large_groups_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small blocks must give the same strategy as large ones."""
    from equilibrist.solvers.full_traversal.cfr import CFR
    from equilibrist.tree.forms import layout

    game = GAMES["jittered leduc"]
    plain = CFR(compile_game(game), "cfr+").run(30)
    monkeypatch.setattr(layout, "GROUP_LIMIT", 16)
    split = CFR(compile_game(game), "cfr+").run(30)
    groups = [len(s.tree.sequence_form.arrays.group_size) for s in (plain, split)]
    assert groups[1] > groups[0]
    difference = plain.average_strategy().probabilities - split.average_strategy().probabilities
    assert abs(difference).max() < 1e-9


def test_large_groups_are_whole_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filling up moves no play: the same strategy comes out, bit for bit."""
    from equilibrist.solvers.full_traversal.cfr import CFR
    from equilibrist.tree.forms import layout

    game = GAMES["jittered leduc"]
    filled = CFR(compile_game(game), "cfr+").run(30)
    a = filled.tree.sequence_form.arrays
    large = a.group_size >= layout.FILLED_FROM
    assert large.any()
    assert not (a.group_size[large] % LANES).any()
    assert not (a.group_first_sequence[large] % LANES).any()
    monkeypatch.setattr(layout, "FILLED_FROM", 10**9)
    bare = CFR(compile_game(game), "cfr+").run(30)
    form, choices = bare.tree.sequence_form, sum(len(x) for x in bare.tree.action_labels)
    assert form.num_sequences == choices - form.public_forced.sum() + form.num_players
    assert form.num_sequences < filled.tree.sequence_form.num_sequences
    one, other = (s.average_strategy().probabilities for s in (filled, bare))
    assert np.array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leduc", "three players", "jittered leduc"])
def test_wide_and_narrow_cells_say_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from equilibrist.solvers.full_traversal.cfr import CFR
    from equilibrist.tree.forms import payoff_cells

    narrow = CFR(compile_game(GAMES[name]), "dcfr").run(10)
    monkeypatch.setattr(payoff_cells, "NARROW", 0)
    wide = CFR(compile_game(GAMES[name]), "dcfr").run(10)
    forms = [s.tree.sequence_form for s in (narrow, wide)]
    assert [f.arrays.cell.dtype for f in forms] == [np.uint32, np.uint64]
    one, other = (s.average_strategy().probabilities for s in (narrow, wide))
    assert np.array_equal(one, other)
    if forms[0].num_players == 2:
        for a, b in zip(*(f.payoff_entries() for f in forms), strict=True):
            assert np.array_equal(a, b)


def test_arrays_do_not_depend_on_names() -> None:
    renamed = Hooked(KUHN, infoset=lambda s: "any " + KUHN.infoset(s))
    one, other = tree_of("kuhn").sequence_form, compile_game(renamed).sequence_form
    for a, b in zip(one.arrays, other.arrays, strict=True):
        assert np.array_equal(a, b)
        assert a.dtype == b.dtype
