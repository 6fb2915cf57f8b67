"""Public trees: nodes by lines of public states, roots by name, and rules that hide too little."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import ConfigError, GameError
from equilibrist.search import PublicTree, SearchGame, Subgames, find_roots
from equilibrist.tree.walk.histories import TERMINAL_MARK
from tests.small_games import Written

LEDUC = "leduc(suit_isomorphism=true)"


@pytest.mark.parametrize(
    "game", ["kuhn", "leduc", "liars_dice(sides=3)", "goofspiel(cards=4)", "dudo(sides=3)"]
)
def test_nodes_are_lines_of_public_states(game: str) -> None:
    """Node by node, from the rules themselves."""
    tree = eq.compile_game(game)
    public = PublicTree.of(tree)
    rules: Any = tree.game
    seen = 0
    place = np.argsort(public.levels.node)  # the position of each history of the walk
    lines: list[tuple[str, ...]] = []
    states: list[Any] = []
    children = np.bincount(tree.walk.parent[1:], minlength=tree.num_nodes)
    taken = [0] * tree.num_nodes
    for node, above in enumerate(tree.walk.parent.tolist()):
        if above < 0:
            states.append(rules.initial_state())
            lines.append((rules.public_state(states[0]),))
        else:
            states.append(rules.next(states[above], taken[above]))
            taken[above] += 1
            text = rules.public_state(states[node])
            lines.append(lines[above] if text == lines[above][-1] else (*lines[above], text))
        number = int(public.node_of[place[node]])
        assert public.line(number) == lines[node]
        seen = max(seen, number)
    assert taken == children.tolist()
    assert len(set(lines)) == len(public) == seen + 1


def test_a_node_says_who_moves_in_it() -> None:
    public = PublicTree.of(eq.compile_game(LEDUC))
    node = public[public.names.index("??:cr")]
    assert node.line == (":-", "?:-", "??:", "??:c", "??:cr")
    assert node.players == (0,)
    assert not node.chance
    assert len(node.infosets) == 3
    assert node.num_histories == node.num_roots == 9
    assert [public.names[child] for child in node.children] == ["??:crf", "??:crc", "??:crr"]
    assert public[node.parent].name == "??:c"
    before_the_board = public[public.names.index("??:cc")]
    assert before_the_board.players == ()
    assert before_the_board.chance


def test_roots_by_events_names_and_patterns() -> None:
    public = PublicTree.of(eq.compile_game(LEDUC))

    def names(roots: str | list[str]) -> list[str]:
        return [public.names[node] for node in find_roots(public, roots)]

    five = ["??:cc", "??:crc", "??:crrc", "??:rc", "??:rrc"]
    assert names("before chance") == names(five) == names(" + ".join(five)) == five
    assert sorted(names("after chance")) == sorted(f"{line}/{c}:" for line in five for c in "JQK")
    assert names("after move") == ["??:c", "??:r"]
    assert names("*rc/K:") == ["??:crc/K:", "??:crrc/K:", "??:rc/K:", "??:rrc/K:"]
    dice = PublicTree.of(eq.compile_game("liars_dice(sides=3)"))
    assert len(find_roots(dice, "after move 1")) == 6
    assert len(find_roots(dice, "after move 2")) == 15  # without calls, after which nobody moves


def test_roots_inside_roots_are_refused() -> None:
    tree = eq.compile_game(LEDUC)
    with pytest.raises(ConfigError) as refused:
        Subgames.of(tree, ["??:cc", "??:cc/K:"])
    assert refused.value.option == "roots"
    assert refused.value.given == "??:cc/K:"
    assert refused.value.place == "??:cc"


@pytest.mark.parametrize("roots", ["after chance 2", "nothing", "??:rf", [], 3])
def test_roots_that_there_are_not_are_refused(roots: Any) -> None:
    with pytest.raises(ConfigError) as refused:
        Subgames.of(eq.compile_game(LEDUC), roots)
    assert refused.value.option == "roots"


def test_games_that_do_not_say_what_is_public_are_refused() -> None:
    game = Written(("chance", {("a", 1.0): (0, "key", {"stay": (0.0, 0.0), "go": (1.0, -1.0)})}), 2)
    with pytest.raises(ConfigError) as refused:
        SearchGame.of(eq.compile_game(game))
    assert refused.value.option == "public_state"
    assert "public_state(state)" in str(refused.value.remedy)


class Blabbing(Written):
    """The toss is public, but the key of the player does not have it."""

    def public_state(self, state: tuple[int, ...], /) -> str:
        return str(state[:1])


def test_infosets_that_lie_in_two_public_nodes_are_refused() -> None:
    move = (0, "key", {"stay": (0.0, 0.0), "go": (1.0, -1.0)})
    game = Blabbing(("chance", {("heads", 0.5): move, ("tails", 0.5): move}), 2)
    with pytest.raises(GameError) as refused:
        PublicTree.of(eq.compile_game(game))
    assert refused.value.kind == "public"
    assert refused.value.given == "key"
    assert not eq.check_game(game).ok


def test_hands_are_what_players_know() -> None:
    """In poker the cards, in every root; the opponent's, too, who is not to move."""
    found = Subgames.of(eq.compile_game(LEDUC), "before chance")
    public = found.search.public
    keys: dict[int, dict[int, int]] = {0: {}, 1: {}}
    for position, node in enumerate(found.start.tolist()):
        state = found.search.tree.game.initial_state()
        path = []
        while node:
            path.append(node)
            node = int(public.levels.parent[node])
        for step in reversed(path):
            above = int(public.levels.parent[step])
            siblings = np.flatnonzero(public.levels.parent == above)
            siblings = siblings[siblings > 0]
            state = found.search.tree.game.next(state, int(np.flatnonzero(siblings == step)[0]))
        for player in (0, 1):
            hand = int(found.hands[player].of_start[position])
            assert keys[player].setdefault(hand, state[0][player]) == state[0][player]
            assert found.hands[player].labels[hand] == "JQK"[state[0][player]]
    assert [len(found.hands[player]) for player in (0, 1)] == [15, 15]
    leaves = found.search.tree.walk.infoset == TERMINAL_MARK
    assert len(found.leaves.value) < leaves.sum()
