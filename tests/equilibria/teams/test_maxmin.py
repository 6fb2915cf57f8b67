"""TMECor: published values, all joint plans of random games, and what the result promises."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from equilibrist.equilibria import team_maxmin
from equilibrist.equilibria.teams.joint_plans import JointPlans
from equilibrist.errors import ConfigError, RecallError, UnsupportedError
from equilibrist.evaluation import expected_values
from equilibrist.evaluation.reduced_form import reduced_normal_form
from equilibrist.game import CHANCE, TERMINAL
from equilibrist.game_loading import compile_game
from equilibrist.tree.compile import GameTree
from tests.refusals import refuses, unchecked
from tests.small_games import Written

KUHN = {0: 5 / 132, 1: 7 / 264, 2: -1 / 24}
"""Team value by seat of the adversary."""


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return compile_game("kuhn(players=3)")


@pytest.mark.parametrize("adversary", KUHN)
def test_three_player_kuhn(kuhn: GameTree, adversary: int) -> None:
    value = KUHN[adversary]
    found = team_maxmin(kuhn, adversary)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert 0.0 <= found.duality_gap <= 1e-7
    assert 2 <= found.support <= 8  # 3, 6 and 3 suffice; which vertex is found may differ
    assert found.support < found.columns
    assert found.team == tuple(p for p in range(3) if p != adversary)
    assert found.proofs >= 1
    assert found.constant_sum
    # Nobody on the adversary's side gains; the members' gains do not matter, they share payoffs.
    gap = found.device.gaps("nfcce")
    assert gap.players[adversary] == pytest.approx(0.0, abs=1e-9)
    assert sum(gap.values[p] for p in found.team) == pytest.approx(value, abs=1e-9)


def test_a_team_gets_at_least_what_it_has_in_equilibrium(kuhn: GameTree) -> None:
    """Szafron, Gibson and Sturtevant 2013: a family of equilibria, the values of each seat."""
    # By seat of the adversary, the most that the two others have in the family.
    payoffs = {0: (1 / 48, 1 / 32), 1: (1 / 48, 1 / 48), 2: (-5 / 96, -1 / 24)}
    for adversary, (least, most) in payoffs.items():
        value = team_maxmin(kuhn, adversary).value
        assert value >= most - 1e-9 >= least - 1e-9


class KuhnOfThree:
    """Three players, three cards: Kuhn poker with one card for each."""

    num_players = 3
    name = "kuhn of three"

    def initial_state(self) -> tuple[object, ...]:
        return ()

    def player(self, state: tuple[object, ...], /) -> int:
        if not state:
            return CHANCE
        line = str(state[1])
        first = line.find("b")
        ended = len(line) == (3 if first < 0 else first + 3)
        return TERMINAL if ended else len(line) % 3

    def actions(self, state: tuple[object, ...], /) -> tuple[str, ...]:
        return ("p", "b") if state else tuple("".join(d) for d in permutations("123"))

    def chance(self, state: tuple[object, ...], /) -> tuple[float, ...]:
        return (1 / 6,) * 6

    def next(self, state: tuple[object, ...], action_index: int, /) -> tuple[object, ...]:
        if not state:
            return (list(permutations((1, 2, 3)))[action_index], "")
        return (state[0], str(state[1]) + "pb"[action_index])

    def payoffs(self, state: tuple[object, ...], /) -> tuple[float, ...]:
        cards, line = state
        assert isinstance(cards, tuple)
        paid = [1.0, 1.0, 1.0]
        for k, move in enumerate(str(line)):
            paid[k % 3] += move == "b"
        staying = [p for p in range(3) if paid[p] == max(paid)]
        winner = max(staying, key=lambda p: cards[p])
        return tuple(sum(paid) * (p == winner) - paid[p] for p in range(3))

    def infoset(self, state: tuple[object, ...], /) -> str:
        cards, line = state
        assert isinstance(cards, tuple)
        return f"{cards[len(str(line)) % 3]}{line}"


def test_three_cards_are_worth_nothing() -> None:
    tree = compile_game(KuhnOfThree())
    for adversary in range(3):
        assert team_maxmin(tree, adversary).value == pytest.approx(0.0, abs=1e-9)


def _by_all_plans(tree: GameTree, *adversaries: int) -> float:
    payoffs = reduced_normal_form(tree).payoffs
    team = [p for p in range(tree.num_players) if p not in adversaries]
    table = np.transpose(payoffs[..., team].sum(axis=-1), [*team, *adversaries])
    table = table.reshape(np.prod(table.shape[: len(team)]), -1)
    count, answers = table.shape
    found = linprog(
        [0.0] * count + [-1.0],
        A_ub=np.append(-table.T, np.ones((answers, 1)), axis=1),
        b_ub=np.zeros(answers),
        A_eq=[[1.0] * count + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * count + [(None, None)],
    )
    return -float(found.fun)


@pytest.mark.parametrize(("seed", "adversary"), list(product(range(8), range(3))))
def test_random_games_against_all_joint_plans(seed: int, adversary: int) -> None:
    shape = "players=3,depth=4,branching=2,stop=0.05"
    tree = compile_game(f"random_tree(seed={seed},{shape},zero_sum={str(seed % 2 == 0).lower()})")
    found = team_maxmin(tree, adversary)
    assert found.value == pytest.approx(_by_all_plans(tree, adversary), abs=1e-6)
    assert found.duality_gap <= 1e-6
    assert found.constant_sum == (tree.constant_sum is not None)


def test_one_coin_is_worth_more_than_two() -> None:
    """Two win 1 each if they agree and the third guesses wrong: 1, or 1/2 by independent coins."""
    team = "[[[0,1],[0,0]],[[0,0],[1,0]]]"
    found = team_maxmin(
        compile_game(f"matrix(payoffs=[{team},{team},[[[0,-2],[0,0]],[[0,0],[-2,0]]]])"), 2
    )
    assert found.value == pytest.approx(1.0)
    assert found.weights == pytest.approx([0.5, 0.5])
    assert {tuple(part.values()) for plan in found.plans for part in plan} == {("0",), ("1",)}
    assert all(one["player 0"] == other["player 1"] for one, other in found.plans)


def test_three_against_one() -> None:
    tree = compile_game("random_tree(seed=5,players=4,depth=4,branching=2,stop=0.05)")
    for adversary in range(4):
        found = team_maxmin(tree, adversary)
        assert found.value == pytest.approx(_by_all_plans(tree, adversary), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_two_against_two(seed: int) -> None:
    tree = compile_game(f"random_tree(seed={seed},players=4,depth=4,branching=2,stop=0.05)")
    for adversaries in ((1, 3), (0, 1)):
        found = team_maxmin(tree, adversaries)
        value = _by_all_plans(tree, *adversaries)
        assert found.value == pytest.approx(value, abs=1e-6)
        assert found.value <= value + 1e-9
        assert found.bound >= value - 1e-9
        assert found.duality_gap <= 1e-6
        assert found.adversaries == adversaries
        other = team_maxmin(tree, found.team)
        assert other.value == pytest.approx(-value, abs=1e-6)
        assert sum(found.device.values[p] for p in found.team) == pytest.approx(value, abs=1e-6)


def test_what_local_search_misses_the_programme_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JointPlans, "search", lambda self, worth, level: False)
    proofs = []
    for seed in range(3):
        tree = compile_game(f"random_tree(seed={seed},players=4,depth=5,branching=2,stop=0.05)")
        for adversaries in ((3,), (1, 3)):
            found = team_maxmin(tree, adversaries)
            assert found.value == pytest.approx(_by_all_plans(tree, *adversaries), abs=1e-6)
            proofs.append(found.proofs)
    assert max(proofs) > 4


def test_teams_of_any_size() -> None:
    """All against one is the same, whichever way it is said; one against two is the other side."""
    tree = compile_game("random_tree(seed=5,players=3,depth=4,branching=2,stop=0.05)")
    assert team_maxmin(tree, (1,)).value == team_maxmin(tree, 1).value
    alone = team_maxmin(tree, (0, 2))
    assert alone.team == (1,)
    assert alone.value == pytest.approx(-team_maxmin(tree, 1).value, abs=1e-6)


def test_the_adversary_holds_the_team_to_its_value(kuhn: GameTree) -> None:
    """Against the adversary's strategy no single member does better, by independent code."""
    found = team_maxmin(kuhn, 2)
    profile = found.device.profile(0)
    assert sum(expected_values(profile)[:2]) == pytest.approx(found.value, abs=1e-9)


def test_the_mixture_is_of_pure_plans(kuhn: GameTree) -> None:
    found = team_maxmin(kuhn, 1)
    for member in found.team:
        infosets = np.flatnonzero(kuhn.infoset_player == member)
        own = np.concatenate([np.arange(*kuhn.action_offset[i : i + 2]) for i in infosets])
        assert np.isin(found.device.strategies[:, own], (0.0, 1.0)).all()
    assert found.device.weights.sum() == pytest.approx(1.0)
    assert len(found.plans) == found.support
    for row, plan in zip(found.device.strategies, found.plans, strict=True):
        for part in plan:
            for key, action in part.items():
                i = kuhn.index(key)
                taken = row[kuhn.actions_of(i)][kuhn.action_labels[i].index(action)]
                assert taken == 1.0


def test_the_seed_does_not_change_the_value(kuhn: GameTree) -> None:
    values = [team_maxmin(kuhn, 2, seed=seed).value for seed in (1, 2)]
    assert values == pytest.approx([-1 / 24] * 2, abs=1e-9)


def test_what_is_refused(kuhn: GameTree, monkeypatch: pytest.MonkeyPatch) -> None:
    with refuses(UnsupportedError, option="players", given=2, expected=3):
        team_maxmin(compile_game("kuhn"), 0)
    with refuses(ConfigError, option="adversary", given=3):
        team_maxmin(kuhn, 3)
    with refuses(ConfigError, option="adversary", given=[1, 1]):
        team_maxmin(kuhn, (1, 1))
    with refuses(ConfigError, option="adversary", given=[0, 1, 2]):
        team_maxmin(kuhn, (0, 1, 2))
    with refuses(ConfigError, option="adversary", given=[]):
        team_maxmin(kuhn, ())
    with refuses(ConfigError, option="tree", given="kuhn"):
        team_maxmin(unchecked("kuhn"), 0)
    forgets = compile_game("random_tree(seed=1,players=3,imperfect_recall=true,branching=3)")
    with pytest.raises(RecallError):
        team_maxmin(forgets, 0)
    monkeypatch.setattr("equilibrist.evaluation.coalitions.LARGEST", 100)
    with refuses(UnsupportedError, option="combinations", given=132, expected=100):
        team_maxmin(kuhn, 0)


@pytest.mark.parametrize("adversary", [2, (0, 1)])
def test_where_only_zeros_are_met_less_than_a_penalty_is_still_earned(
    adversary: int | tuple[int, ...],
) -> None:
    """Joint plans that are found first earn 0; what others earn beside a penalty is 2 and 6."""
    far = 1e9
    left = {"l": (2, "z", {"p": (1.0, -1.0, 0.0), "q": (-1.0, 1.0, 0.0)})}
    left["r"] = (2, "z", {"p": (-far, 0.0, far), "q": (3.0, -1.0, -2.0)})
    right = {"l": (2, "z", {"p": (3.0, 3.0, -6.0), "q": (-far, -2.0, far + 2.0)})}
    right["r"] = (2, "z", {"p": (-far, -2.0, far + 2.0), "q": (-far, -1.0, far + 1.0)})
    root = (0, "x", {"u": (1, "y", left), "d": (1, "y", right)})
    result = team_maxmin(compile_game(Written(root, 3)), adversary)
    assert result.value == pytest.approx(0.0, abs=1e-6)
    assert result.bound == pytest.approx(0.0, abs=1e-6)
