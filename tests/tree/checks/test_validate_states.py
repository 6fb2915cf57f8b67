"""check_game on states that change, cannot be compared, come back or never end."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from equilibrist.game import DEFAULT_MAX_DEPTH
from equilibrist.game_loading import check_game
from tests.tree.checks.broken_rules import Coin, broken, first


def test_unhashable_states() -> None:
    problem = first(broken(next=lambda self, s, a: [*s, a]), "unhashable")
    assert problem.history == ("heads",)
    assert "type list is not hashable" in problem.message


@dataclass
class Box:
    """A state that can be changed, and hashes its content."""

    moves: list[int] = field(default_factory=list)

    def __hash__(self) -> int:
        return hash(tuple(self.moves))

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: int) -> int:
        return self.moves[index]


def test_states_that_are_changed() -> None:
    def same_object(self: Any, state: Any, action: int) -> Any:
        state.moves.append(action)
        return state

    problem = first(broken(initial_state=lambda self: Box(), next=same_object), "mutated")
    assert "'heads' gave back the very object it was given" in problem.message
    assert problem.history == ()

    def shared_list(self: Any, state: Any, action: int) -> Any:
        state.moves.append(action)
        return Box([*state.moves[:-1], action])

    problem = first(broken(initial_state=lambda self: Box(), next=shared_list), "mutated")
    assert "hash changed" in problem.message


def test_answers_that_change() -> None:
    def random_player(self: Any, state: Any) -> Any:
        return next(coins) % 2 if len(state) == 1 else Coin.player(self, state)

    coins = itertools.count()
    problem = first(broken(player=random_player), "random")
    assert problem.history == ("heads",)
    assert "player() gave 0, and 1 when asked again" in problem.message

    keys = itertools.count()
    problem = first(broken(infoset=lambda self, s: f"{len(s)} {next(keys)}"), "random")
    assert "infoset() gave '1 0'" in problem.message

    values = itertools.count()
    problem = first(broken(payoffs=lambda self, s: (next(values), 0.0)), "random")
    assert "payoffs() gave (0.0, 0.0), and (1, 0.0)" in problem.message

    moves = itertools.count()
    problem = first(
        broken(next=lambda self, s, a: (*s, a, next(moves))[: len(s) + 2][-3:]), "random"
    )
    assert "next() for 'heads' gave two states that are not equal" in problem.message

    starts = itertools.count()
    problem = first(broken(initial_state=lambda self: (next(starts),)[:1]), "random")
    assert "initial_state() gave two states" in problem.message


class Plain:
    """A state without equality."""

    def __init__(self, moves: tuple[int, ...] = ()) -> None:
        self.moves = moves

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: int) -> int:
        return self.moves[index]


def test_states_without_equality() -> None:
    game = broken(initial_state=lambda self: Plain(), next=lambda self, s, a: Plain((*s.moves, a)))
    assert "objects of a plain class are never equal" in first(game, "random").remedy


def test_a_loop_names_where_the_state_was() -> None:
    class Cycle(Coin):
        def player(self, state: Any) -> Any:
            return 0

        def actions(self, state: Any) -> Any:
            return ("on",)

        def initial_state(self) -> Any:
            return "start"

        def next(self, state: Any, action: int) -> Any:
            return {"start": "a", "a": "b", "b": "a"}[state]

        def infoset(self, state: Any) -> Any:
            return f"at {state}"

    report = check_game(Cycle())
    (problem,) = report.problems
    assert (problem.kind, problem.history) == ("loop", ("on", "on", "on"))
    assert "it is the same as at on, so" in problem.message
    assert report.num_terminals == 0


def test_a_game_that_never_ends() -> None:
    class Counting(Coin):
        def player(self, state: Any) -> Any:
            return 0

        def actions(self, state: Any) -> Any:
            return ("up", "twice")

        def initial_state(self) -> Any:
            return 0

        def next(self, state: Any, action: int) -> Any:
            return state + 1 + action

        def infoset(self, state: Any) -> Any:
            return f"at {state}"

    report = check_game(Counting())
    assert set(report.problem_counts) >= {"endless"}
    problem = next(p for p in report.problems if p.kind == "endless")
    assert len(problem.history) == DEFAULT_MAX_DEPTH + 1
    assert not report.complete
