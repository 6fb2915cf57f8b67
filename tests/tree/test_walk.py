"""The walk over the rules: its columns, and the error for each way in which rules can be wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from equilibrist.errors import (
    EquilibristError,
    GameError,
    GameSpecError,
    MemoryBudgetError,
    UnsupportedError,
)
from equilibrist.games import load_game
from equilibrist.tree import budget
from equilibrist.tree.compile import compile_game
from equilibrist.tree.estimate import knuth_estimate
from equilibrist.tree.histories import CHANCE_MARK, TERMINAL_MARK, action_path, history_labels
from equilibrist.tree.walk import walk_game
from tests.altered_games import Hooked
from tests.small_games import Chain, Endless, Written

COIN = ("chance", {("heads", 0.25): (1.0, -1.0), ("tails", 0.75): (0.0, 0.0)})
MATCH = (0, "first", {"left": (1, "second", {"x": (1.0, -1.0), "y": (0.0, 0.0)}), "right": COIN})


def kuhn(**methods):
    return Hooked(load_game("kuhn"), **methods)


def deciding(labels):
    """Actions of Kuhn poker that are `labels` wherever a player decides."""
    plain = load_game("kuhn")
    return lambda state: plain.actions(state) if len(state[0]) < 2 else labels


def test_columns_of_a_small_game() -> None:
    w = walk_game(Written(MATCH, 2))
    assert w.parent.tolist() == [-1, 0, 1, 1, 0, 4, 4]
    t = TERMINAL_MARK
    assert w.infoset.tolist() == [0, 1, t, t, CHANCE_MARK, t, t]
    assert w.chance_count.tolist() == [2]
    assert w.chance_probability.tolist() == [0.25, 0.75]
    assert w.payoff.tolist() == [[1.0, -1.0], [0.0, 0.0], [1.0, -1.0], [0.0, 0.0]]
    assert w.keys == ["first", "second"]
    assert w.owner.tolist() == [0, 1]
    assert w.labels == [("left", "right"), ("x", "y")]
    assert w.num_players == 2


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "random_tree(seed=4,depth=7,chance=0.4)"])
def test_every_node_can_be_reached_again_by_its_path(spec: str) -> None:
    game = load_game(spec)
    w = walk_game(game)
    generator = np.random.default_rng(0)
    leaves = np.cumsum(w.infoset == TERMINAL_MARK) - 1
    for node in generator.integers(0, len(w.parent), 50).tolist():
        path = action_path(w.parent, node)
        state = game.initial_state()
        for action in path:
            state = game.next(state, action)
        if w.infoset[node] >= 0:
            assert game.infoset(state) == w.keys[w.infoset[node]]
            assert game.player(state) == w.owner[w.infoset[node]]
        elif w.infoset[node] == TERMINAL_MARK:
            assert list(game.payoffs(state)) == w.payoff[leaves[node]].tolist()
        assert len(history_labels(game, path)) == len(path)


def test_history_labels_name_the_moves() -> None:
    game = load_game("kuhn")
    w = walk_game(game)
    bettor = w.infoset.tolist().index(w.keys.index("1pb"))
    assert history_labels(game, action_path(w.parent, bettor)) == ("1", "2", "pass", "bet")


def test_progress_is_told_the_count() -> None:
    seen: list[int] = []
    walk_game(load_game("leduc(ranks=5)"), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 55361


# --- rules that contradict the protocol -----------------------------------------------------


CONTRADICTIONS = {
    "too few payoffs": (
        dict(payoffs=lambda s: (1.0,)),
        r"payoffs\(\) gave 1 numbers for 2 players",
    ),
    "too many payoffs": (
        dict(payoffs=lambda s: (1.0, 0.0, -1.0)),
        r"payoffs\(\) gave 3 numbers for 2 players",
    ),
    "payoffs without a length": (dict(payoffs=lambda s: 1.0), "unusable value"),
    "payoffs that are text": (dict(payoffs=lambda s: ("1", "-1")), "unusable value"),
    "a player beyond the last": (
        dict(player=lambda s: 2 if len(s[0]) == 2 else -1),
        r"player\(\) gave 2",
    ),
    "a player that is no number": (dict(player=lambda s: None), "unusable value"),
    "a player below the marks": (dict(player=lambda s: -3), r"player\(\) gave -3"),
    "keys that are no text": (dict(infoset=lambda s: 7), r"infoset\(\) gave 7 of type int"),
    "one key for both players": (dict(infoset=lambda s: "same"), "belongs to player"),
    "no actions": (dict(actions=deciding(())), "has no actions"),
    "one text as actions": (dict(actions=deciding("pb")), "expected a tuple of str"),
    "numbers as actions": (dict(actions=deciding((0, 1))), "expected a tuple of str"),
    "two actions of one name": (dict(actions=deciding(("bet", "bet"))), "two actions of one name"),
    "too few probabilities": (
        dict(chance=lambda s: (0.5, 0.5)),
        r"chance\(\) gave 2 probabilities for 3 outcomes",
    ),
    "too many probabilities": (
        dict(chance=lambda s: (0.25,) * 4),
        r"chance\(\) gave 4 probabilities for 3 outcomes",
    ),
    "keys that are half a character": (dict(infoset=lambda s: "\udc80"), "surrogate"),
    "labels that are half a character": (
        dict(actions=lambda s: ("1", "2", "\ud800") if not s[0] else ("1", "2")),
        "surrogate",
    ),
    "no outcomes": (dict(chance=lambda s: ()), "gave no outcomes"),
    "probabilities below 1": (dict(chance=lambda s: (0.3,) * 3), "add up to 1"),
    "negative probabilities": (dict(chance=lambda s: (1.5, -0.5, 0.0)), "at least 0"),
    "probabilities that are not": (dict(chance=lambda s: (math.nan, 0.5, 0.5)), "add up to 1"),
    "infinite probabilities": (dict(chance=lambda s: (math.inf,) * 3), "add up to 1"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions_are_named(name: str) -> None:
    methods, message = CONTRADICTIONS[name]
    with pytest.raises(GameError, match=message):
        compile_game(kuhn(**methods))


def test_the_place_of_a_contradiction_is_given() -> None:
    plain = load_game("kuhn")
    wrong = kuhn(payoffs=lambda s: (0.0,) if s == ((3, 1), "bp") else plain.payoffs(s))
    with pytest.raises(GameError) as caught:
        compile_game(wrong)
    assert caught.value.history == ("3", "1", "bet", "pass")
    assert "3 > 1 > bet > pass" in str(caught.value)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_payoffs_must_be_finite(bad: float) -> None:
    plain = load_game("kuhn")
    wrong = kuhn(payoffs=lambda s: (bad, 0.0) if s == ((2, 3), "pp") else plain.payoffs(s))
    with pytest.raises(GameError, match="every payoff must be finite") as caught:
        compile_game(wrong)
    assert caught.value.history == ("2", "3", "pass", "pass")


def test_actions_must_not_depend_on_what_is_hidden() -> None:
    def actions(state):
        dealt, _ = state
        if len(dealt) < 2:
            return plain.actions(state)
        return ("pass", "bet") if dealt[1] != 3 else ("pass", "raise")

    plain = load_game("kuhn")
    with pytest.raises(GameError, match=r"infoset '1' has actions \['pass', 'raise'\]") as caught:
        compile_game(kuhn(actions=actions))
    assert caught.value.history == ("1", "3")


@pytest.mark.parametrize("count", [0, -1, 128, 2.0, "2", None])
def test_numbers_of_players(count) -> None:
    game = kuhn()
    game.num_players = count
    with pytest.raises(GameError, match="num_players is"):
        compile_game(game)


def test_lists_will_do_for_tuples() -> None:
    plain = load_game("kuhn")
    game = kuhn(
        actions=lambda s: list(plain.actions(s)),
        payoffs=lambda s: list(plain.payoffs(s)),
        chance=lambda s: np.array(plain.chance(s)),
    )
    assert compile_game(game).action_labels == compile_game(plain).action_labels


# --- rules that raise -------------------------------------------------------------------------

RAISING = """
class Rules:
    name, num_players = "raising", 1

    def __init__(self, method):
        self.method = method

    def fail(self, name, depth):
        if self.method == name and depth == 2:
            return {}["no such thing"]

    def initial_state(self):
        self.fail("initial_state", 2)
        return ()

    def player(self, s):
        self.fail("player", len(s))
        return -2 if len(s) == 3 else -1 if len(s) == 1 else 0

    def actions(self, s):
        self.fail("actions", len(s))
        return ("left", "right")

    def chance(self, s):
        self.fail("chance", len(s) + 1)
        return (0.5, 0.5)

    def next(self, s, a):
        self.fail("next", len(s))
        return (*s, a)

    def payoffs(self, s):
        self.fail("payoffs", len(s) - 1)
        return (1.0,)

    def infoset(self, s):
        self.fail("infoset", len(s))
        return str(s)
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "rules.py").write_text(RAISING)
    monkeypatch.chdir(tmp_path)
    scope: dict[str, type] = {}
    exec(compile(RAISING, str(tmp_path / "rules.py"), "exec"), scope)
    return scope["Rules"]


LINES = {"player": 17, "actions": 21, "chance": 25, "next": 29, "payoffs": 33, "infoset": 37}


@pytest.mark.parametrize("method", LINES)
def test_users_exceptions_come_with_their_own_frame(method: str, rules) -> None:
    with pytest.raises(GameError) as caught:
        compile_game(rules(method))
    text = str(caught.value)
    assert f"Rules.{method} raised KeyError: 'no such thing'" in text
    assert f"rules.py:{LINES[method]}, in {method}" in text
    assert "rules.py:10, in fail" in text
    assert "equilibrist/tree" not in text
    moves = {"chance": 1, "payoffs": 3}.get(method, 2)
    assert len(caught.value.history) == moves


def test_exceptions_in_the_initial_state(rules) -> None:
    with pytest.raises(GameError, match=r"Rules\.initial_state raised KeyError") as caught:
        compile_game(rules("initial_state"))
    assert caught.value.history == ()


def test_rules_may_refuse_in_our_words() -> None:
    def payoffs(state):
        raise UnsupportedError("not for this hand")

    with pytest.raises(EquilibristError, match="not for this hand"):
        compile_game(kuhn(payoffs=payoffs))


def test_labels_that_are_missing_are_replaced_by_numbers() -> None:
    def actions(state):
        if len(state[0]) < 2:
            raise SystemExit("no labels here")
        return ("pass", "bet")

    assert history_labels(kuhn(actions=actions), (0, 0, 1)) == ("#0", "#0", "bet")


def forgetful(method: str, calls: int) -> Hooked:
    """Kuhn poker with a method that raises SystemExit from so many calls on."""
    right, left = getattr(load_game("kuhn"), method), iter(range(calls))

    def answer(*arguments):
        if next(left, None) is None:
            raise SystemExit("no more")
        return right(*arguments)

    return kuhn(**{method: answer})


@pytest.mark.parametrize("calls", range(4))
@pytest.mark.parametrize("method", ["next", "actions", "player", "infoset", "payoffs", "chance"])
def test_methods_that_fail_at_last_are_reported(method: str, calls: int) -> None:
    """The walk replays the rules to name the place; they may fail there again."""
    with pytest.raises(GameError, match="raised SystemExit: no more"):
        compile_game(forgetful(method, calls))


def test_an_initial_state_that_fails_when_asked_again_hides_no_error() -> None:
    game = forgetful("initial_state", 1)
    game.payoffs = lambda state: (1.0,)
    with pytest.raises(GameError, match="gave 1 numbers") as caught:
        compile_game(game)
    assert caught.value.history == ()


def test_labels_end_where_the_rules_play_on_no_longer() -> None:
    assert history_labels(forgetful("next", 2), (0, 0, 1, 1)) == ("1", "2", "bet")


# --- games that are too large or never end ----------------------------------------------------


def test_the_limit_of_histories() -> None:
    with pytest.raises(MemoryBudgetError, match="limit of 1,000 histories") as caught:
        compile_game(load_game("leduc"), max_histories=1000)
    error = caught.value
    assert error.histories > 1000
    assert error.estimate == pytest.approx(9457, rel=0.5)
    assert "Knuth estimate" in str(error)
    assert "--max-histories" in str(error)


def test_a_limit_that_is_just_met() -> None:
    assert compile_game(load_game("kuhn"), max_histories=58).num_nodes == 58
    with pytest.raises(MemoryBudgetError) as caught:
        compile_game(load_game("kuhn"), max_histories=57)
    assert "kuhn has 58 histories, which passes the limit of 57 histories. Raise" in str(
        caught.value
    )
    assert (caught.value.histories, caught.value.estimate) == (58, 58.0)


def test_a_limit_below_the_whole_says_over() -> None:
    with pytest.raises(MemoryBudgetError, match="leduc has over 1,024 histories"):
        compile_game(load_game("leduc"), max_histories=1000)


def test_an_estimate_that_is_not_finite_is_none() -> None:
    with pytest.raises(MemoryBudgetError) as caught:
        compile_game(Hooked(Endless(), actions=lambda s: ("on",)), max_histories=100)
    assert caught.value.estimate is None
    assert "estimate" not in str(caught.value)


def test_the_memory_budget_stops_a_large_game_early(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    with pytest.raises(MemoryBudgetError, match=r"memory budget of 0\.01 GiB") as caught:
        compile_game(load_game("leduc(ranks=13,suits=4)"), memory=1 << 23, progress=seen.append)
    assert caught.value.histories == seen[-1] < 300_000
    assert caught.value.estimate > 1e6
    monkeypatch.setattr(budget, "default_memory", lambda: 1 << 10)
    with pytest.raises(MemoryBudgetError):
        compile_game(load_game("kuhn"))


def test_running_out_of_memory_is_one_clear_error() -> None:
    def payoffs(state):
        raise MemoryError

    with pytest.raises(MemoryBudgetError, match="out of memory after"):
        compile_game(kuhn(payoffs=payoffs))


@pytest.mark.parametrize(("period", "before"), [(1, 0), (7, 100)])
def test_a_loop_is_found(period: int, before: int) -> None:
    with pytest.raises(GameError, match="a loop") as caught:
        compile_game(Endless(period, before))
    assert caught.value.history == ("on",) * (before + period)


def test_a_game_without_end_is_found_without_a_repeated_state() -> None:
    """It must not take until the memory is full."""
    with pytest.raises(GameError, match="has not ended") as caught:
        compile_game(Endless())
    assert 10_000 < len(caught.value.history) < 20_000
    assert len(str(caught.value)) < 2000


def test_deep_games_are_no_loops() -> None:
    tree = compile_game(Chain(5000))
    assert tree.num_nodes == 10001
    assert tree.depth == 5000


def test_the_estimate_of_a_regular_tree_is_exact() -> None:
    nodes = (1.0,)
    for level in range(6):
        nodes = (0, f"level {level}", {"a": nodes, "b": nodes, "c": nodes})
    assert knuth_estimate(Written(nodes, 1)) == sum(3**k for k in range(7))


def test_the_estimate_is_unbiased() -> None:
    game = load_game("random_tree(seed=5,depth=8)")
    count = compile_game(game).num_nodes
    assert knuth_estimate(game, probes=20_000) == pytest.approx(count, rel=0.1)


def test_the_estimate_gives_up_on_endless_games() -> None:
    assert knuth_estimate(Endless(), probes=50, depth_limit=3) == math.inf


def test_bad_parameters_are_not_the_walks_business() -> None:
    with pytest.raises(GameSpecError):
        load_game("kuhn(players=1)")
