"""The map of infosets: sizes, lifting, names, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from equilibrist.abstraction import Abstraction, make_abstraction, merged_tree
from equilibrist.errors import ConfigError, MismatchError, UnknownNameError
from equilibrist.game_loading import compile_game
from equilibrist.strategy import Strategy
from tests.refusals import refuses, unchecked

KUHN = compile_game("kuhn")
LEDUC = compile_game("leduc(suit_isomorphism=true)")
TABLE = {
    "cards(JQK)": 36,
    "cards(J.QK)": 132,
    "cards(JQ.K)": 132,
    "cards(JK.Q)": 132,
    "cards(JQK,pair)": 66,
    "cards(J.QK,pair)": 132,
    "cards(JQ.K,pair)": 132,
    "cards(J.Q.K,pair)": 198,
    "cards(J.Q.K)": 288,
    "buckets(2)": 132,
    "none": 288,
}


@pytest.mark.parametrize("spec", TABLE)
def test_leduc_has_the_infosets_of_the_table(spec: str) -> None:
    assert make_abstraction(LEDUC, spec).num_infosets == TABLE[spec]


@pytest.mark.parametrize("spec", TABLE)
def test_suits_make_no_difference_to_groups_of_ranks(spec: str) -> None:
    if spec == "none":
        return
    assert make_abstraction(compile_game("leduc"), spec).num_infosets == TABLE[spec]


@pytest.mark.parametrize(
    "game", ["kuhn", "kuhn(cards=13)", "kuhn(players=3)", "leduc(ranks=4)", "liars_dice(sides=3)"]
)
def test_merged_infosets_share_player_and_actions(game: str) -> None:
    tree = compile_game(game)
    found = make_abstraction(tree, "buckets(2)")
    assert 0 < found.num_infosets < tree.num_infosets
    for i, k in enumerate(found.abstract_of.tolist()):
        assert found.infoset_player[k] == tree.infoset_player[i]
        assert found.action_labels[k] == tree.action_labels[i]
    assert sum(small for _, small in found.sizes()) == found.num_infosets
    assert len(set(found.keys)) == found.num_infosets
    assert found.to_dict() == Abstraction.from_keys(tree, found.to_dict()).to_dict()


@pytest.mark.parametrize(
    ("spec", "merged"),
    [
        ("cards(JQ.K)", [("1", "2"), ("1pb", "2pb"), ("1p", "2p"), ("1b", "2b")]),
        ("cards(1-2.3)", [("1", "2"), ("1pb", "2pb"), ("1p", "2p"), ("1b", "2b")]),
        ("0:cards(JQ.K)", [("1", "2"), ("1pb", "2pb")]),
        ("1:cards(1.23)", [("2p", "3p"), ("2b", "3b")]),
        ("0:none;1:cards(J.QK)", [("2p", "3p"), ("2b", "3b")]),
        ("1:memory(last=0)", [("1p", "1b"), ("2p", "2b"), ("3p", "3b")]),
    ],
)
def test_kuhn_merges_just_these(spec: str, merged: list[tuple[str, str]]) -> None:
    groups: dict[str, list[str]] = {}
    for key, abstract in make_abstraction(KUHN, spec).to_dict().items():
        groups.setdefault(abstract, []).append(key)
    assert sorted(sorted(g) for g in groups.values() if len(g) > 1) == sorted(
        sorted(g) for g in merged
    )


def test_memory_keeps_cards_actions_and_the_last_moves() -> None:
    found = make_abstraction(LEDUC, "memory(last=1)").to_dict()
    assert found["J:cc/Q:cr"] == found["J:crc/Q:cr"] != found["J:crc/K:cr"]
    assert found["J:cr"] != found["J:cc/Q:cr"]
    everything = make_abstraction(LEDUC, "memory(last=8)")
    assert everything.is_identity


def test_lifting_and_restricting_are_inverse() -> None:
    found = make_abstraction(LEDUC, "cards(JQ.K,pair)")
    rows = np.random.default_rng(3).random(found.num_actions)
    sums = np.add.reduceat(rows, found.action_offset[:-1])
    rows /= np.repeat(sums, np.diff(found.action_offset))
    lifted = found.lift(rows)
    assert np.array_equal(found.restrict(lifted), rows)
    for i, key in enumerate(LEDUC.infoset_keys):
        k = int(found.abstract_of[i])
        own = rows[found.action_offset[k] : found.action_offset[k + 1]]
        assert list(lifted[key].values()) == own.tolist()
    assert np.array_equal(
        found.lift(Strategy(merged_tree(found), rows)).probabilities, lifted.probabilities
    )


def test_the_merged_tree_has_the_histories_of_the_game_and_the_abstract_infosets() -> None:
    found = make_abstraction(LEDUC, "cards(JQ.K,pair)")
    tree = merged_tree(found)
    assert (tree.num_nodes, tree.num_terminals) == (LEDUC.num_nodes, LEDUC.num_terminals)
    assert tree.infoset_keys == found.keys
    assert tree.action_labels == found.action_labels
    assert tree.num_sequences == found.num_sequences
    assert tree.fingerprint != LEDUC.fingerprint
    assert merged_tree(Abstraction.identity(LEDUC)) is LEDUC


def test_groups_without_names_are_called_by_their_first_infoset() -> None:
    found = Abstraction(KUHN, np.array([7, 7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10]) * 10)
    first, second = KUHN.infoset_keys[:2]
    assert found.keys[0] == f"{first} +1"
    assert found.to_dict()[second] == f"{first} +1"


def test_infosets_of_different_players_are_not_merged() -> None:
    with refuses(ConfigError, option="abstraction", given="2p", expected="1"):
        Abstraction.from_keys(KUHN, {"1": "x", "2p": "x"})


def test_infosets_with_different_actions_are_not_merged() -> None:
    with refuses(ConfigError, option="abstraction", given="J:cr", expected="J"):
        Abstraction.from_keys(LEDUC, {"J": "x", "J:cr": "x"})


def test_bad_maps() -> None:
    with refuses(ConfigError, option="abstract_of"):
        Abstraction(KUHN, np.zeros(3, dtype=np.int64))
    with refuses(ConfigError, option="abstract_of"):
        Abstraction(KUHN, unchecked(np.zeros(12)))
    with refuses(UnknownNameError, option="infoset", given="7"):
        Abstraction.from_keys(KUHN, {"7": "x"})
    with refuses(ConfigError, option="keys", given=1):
        Abstraction.from_keys(KUHN, ["x"])
    with refuses(ConfigError, option="keys", given=3, place="infoset 1"):
        Abstraction.from_keys(KUHN, unchecked({"1": 3}))
    found = make_abstraction(KUHN, "cards(JQ.K)")
    with refuses(MismatchError, option="strategy", given="(3,)"):
        found.lift(np.zeros(3))
    with refuses(MismatchError, option="strategy", given="kuhn", expected="cards(JQ.K)"):
        found.lift(Strategy.uniform(KUHN))
    table = {key: [0.5, 0.5] for key in KUHN.infoset_keys} | {"2": [1.0, 0.0]}
    with refuses(MismatchError, option="strategy", given="2", expected="1"):
        found.restrict(Strategy.from_dict(KUHN, table))
    with refuses(MismatchError, option="abstraction", given="kuhn"):
        make_abstraction(LEDUC, found)


@pytest.mark.parametrize(
    ("spec", "given"),
    [
        ("cards(JQ)", "JQ"),
        ("cards(JQ.QK)", "JQ.QK"),
        ("cards(JQ..K)", "JQ..K"),
        ("cards(JQX.K)", "JQX"),
        ("cards(J-)", "J-"),
        ("cards()", None),
        ("cards(JQ.K,flush)", "flush"),
        ("cards(JQ.K,suit=1)", "suit=1"),
        ("buckets(0)", "0"),
        ("buckets(4)", "4"),
        ("buckets(x)", "x"),
        ("memory()", None),
        ("memory(last=-1)", "-1"),
        ("none(3)", "3"),
        ("cards(JQ.K", "cards(JQ.K"),
        ("", ""),
        ("0:none;0:none", "0:none"),
        ("0:none;none", "none"),
        ("2:none", "2:none"),
    ],
)
def test_bad_texts(spec: str, given: str | None) -> None:
    with refuses(ConfigError, option="abstraction", given=given):
        make_abstraction(LEDUC, spec)


def test_unknown_sources() -> None:
    with refuses(UnknownNameError, option="abstraction", given="card"):
        make_abstraction(KUHN, "card(JQ.K)")


def test_a_game_that_does_not_say_what_its_keys_mean() -> None:
    tree = compile_game("rps")
    for spec in ("cards(1.2)", "memory(last=1)", "buckets(2)"):
        with refuses(ConfigError, option="abstraction", given=spec.partition("(")[0]):
            make_abstraction(tree, spec)
