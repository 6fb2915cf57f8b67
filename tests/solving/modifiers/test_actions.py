"""`solve` with some of the actions: what is solved, what is measured where, what files carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equilibrist import Result, solve
from equilibrist.abstraction import Translation, action_numbers, make_action_abstraction
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    GameSpecError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.evaluation import evaluate
from equilibrist.game_loading import compile_game
from equilibrist.reference.response import best_response_value, expected_values
from equilibrist.solving import Files, GameAbstraction
from equilibrist.storage.archive import read_archive, write_archive
from tests.refusals import refuses, unchecked
from tests.solve_options import grouped

GAME = "kuhn_bets(cards=5)"
TREE = compile_game(GAME)
SMALL = "kuhn_bets(cards=5,sizes=[1,3])"


@pytest.mark.parametrize("algorithm", ["lp", "cfr+", "cfr-br", "xfp"])
def test_the_game_with_fewer_bets_is_solved(algorithm: str) -> None:
    """Bit by bit the game that has these bets only, and the full game judges it."""
    limit = None if algorithm == "lp" else 20
    found = solve(
        GAME,
        algorithm,
        iterations=limit,
        abstraction=GameAbstraction(actions="bets=1,3", translate="half"),
    )
    small = solve(SMALL, algorithm, iterations=limit)
    for key, row in small.strategy.to_dict().items():
        assert {one: found.strategy[key][one] for one in row} == row
        assert sum(found.strategy[key].values()) == pytest.approx(1.0)
    for key in ("1", "5:k"):
        assert found.strategy[key]["bet 2"] == 0.0
    for key in ("2:b2", "4:kb2"):
        rows = [found.strategy[key.replace("b2", bet)]["call"] for bet in ("b1", "b3")]
        assert min(rows) - 1e-12 <= found.strategy[key]["call"] <= max(rows) + 1e-12
    profile = {key: list(found.strategy[key].values()) for key in TREE.infoset_keys}
    np.testing.assert_allclose(found.values, expected_values(TREE.game, profile), atol=1e-12)
    best = [best_response_value(TREE.game, profile, p) for p in (0, 1)]
    np.testing.assert_allclose(np.add(found.values, found.gains), best, atol=1e-12)
    assert found.values == pytest.approx(small.values, abs=1e-12)


def test_no_equilibrium_beats_the_least_exploitable_one() -> None:
    actions = make_action_abstraction(compile_game("kuhn_bets(cards=13)"), "bets=1,3")
    least = action_numbers(actions, ["pseudo-harmonic"]).translations[0].equilibrium
    found = solve("kuhn_bets(cards=13)", "lp", abstraction=GameAbstraction(actions="bets=1,3"))
    assert found.exploitability is not None
    assert found.exploitability >= least.exploitability - 1e-7
    assert found.actions is not None
    assert found.actions.translate == "pseudo-harmonic"


@pytest.mark.parametrize("sampler", ["external", "public-chance"])
def test_samplers(sampler: str) -> None:
    options: dict[str, Any] = {"sampler": sampler, "iterations": 500, "seed": 3}
    found = solve(GAME, **grouped(options, actions="bets=1,3"))
    small = solve(SMALL, **grouped(options))
    for key, row in small.strategy.to_dict().items():
        assert {one: found.strategy[key][one] for one in row} == row
    assert found.exploitability is not None


def test_a_file_carries_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(
        "def keep(key, player, facts):\n"
        "    return [one for one in facts['actions'] if one != 'bet 2']\n\n"
        "def translate(label, kept, facts):\n"
        "    return {'bet 1': 0.25, 'bet 3': 0.75} if facts['player'] == 0 else 'bet 1'\n"
    )
    path = tmp_path / "found.safetensors"
    found = solve(
        GAME,
        "cfr",
        iterations=5,
        abstraction=GameAbstraction(actions="rules.py:keep", translate="rules.py:translate"),
        files=Files(out=path),
    )
    (tmp_path / "rules.py").unlink()
    loaded = Result.load(path)
    stored = loaded.actions
    assert stored is not None
    assert (stored.name, stored.translate) == ("rules.py:keep", "rules.py:translate")
    assert stored.on(TREE).removed(TREE.index("1:k")) == ("bet 2",)
    assert stored.on(TREE).restricted.fingerprint == compile_game(SMALL).fingerprint

    def taken(key: str) -> dict[str, float]:
        return {TREE.infoset_keys[i]: w for i, w in stored.taken_for(TREE.index(key)).items()}

    assert taken("2:b2") == {"2:b1": 0.25, "2:b3": 0.75}
    assert taken("2:kb2") == {"2:kb1": 1.0}
    assert taken("2:b1") == {"2:b1": 1.0}
    assert evaluate(loaded.strategy.on(TREE)) == found.evaluation == loaded.evaluation
    document = json.loads(json.dumps(loaded.to_dict()))
    assert document["actions"] == {
        "name": "rules.py:keep",
        "translate": "rules.py:translate",
        "num_actions": 5 * 2 * 9,
    }
    assert document["config"]["translate"] == "rules.py:translate"
    assert loaded.save(tmp_path / "again.safetensors").read_bytes() == path.read_bytes()
    assert solve("kuhn", iterations=1).actions is None


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("kept_action", lambda array: array[1:].copy()),
        ("kept_action", lambda array: np.full_like(array, 2)),
        ("kept_action", lambda array: np.zeros_like(array)),
        ("taken_infoset", lambda array: array[::-1].copy()),
        ("taken_for", lambda array: array + 1000),
        ("taken_for", lambda array: array.astype(np.int64)),
        ("taken_weight", lambda array: -array),
        ("taken_weight", lambda array: array * np.nan),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, change: Any) -> None:
    path = tmp_path / "found.safetensors"
    solve(
        GAME, iterations=2, abstraction=GameAbstraction(actions="bets=1,3"), files=Files(out=path)
    )
    header, arrays = read_archive(path, "solution")
    write_archive(path, "solution", header, arrays)
    assert Result.load(path).actions is not None
    write_archive(path, "solution", header, arrays | {name: change(arrays[name])})
    with pytest.raises(FileFormatError):
        Result.load(path)


def test_resuming_gives_the_bits_of_one_run(tmp_path: Path) -> None:
    save = tmp_path / "run.ckpt"
    options: dict[str, Any] = {"actions": "bets=1,3", "translate": "half"}
    whole = solve(GAME, "cfr+", iterations=20, **grouped(options))
    solve(GAME, "cfr+", iterations=8, **grouped(options, checkpoint=save))
    resumed = solve(GAME, "cfr+", iterations=20, **grouped(options, resume=save))
    assert np.array_equal(resumed.strategy.probabilities, whole.strategy.probabilities)


def test_a_translation_is_taken_as_it_is() -> None:
    made = Translation(make_action_abstraction(TREE, "bets=1,3"), "half")
    mine = solve(TREE, "cfr", iterations=3, abstraction=GameAbstraction(actions=made))
    theirs = solve(
        GAME, "cfr", iterations=3, abstraction=GameAbstraction(actions="bets=1,3", translate="half")
    )
    assert np.array_equal(mine.strategy.probabilities, theirs.strategy.probabilities)
    with refuses(MismatchError, option="actions", given=GAME, expected="kuhn"):
        solve("kuhn", iterations=1, abstraction=GameAbstraction(actions=made))
    with refuses(ConfigError, option="translate", given="up"):
        solve(TREE, iterations=1, abstraction=GameAbstraction(actions=made, translate="up"))
    with refuses(ConfigError, option="actions", given=3):
        solve("kuhn", iterations=1, abstraction=GameAbstraction(actions=unchecked(3)))


@pytest.mark.parametrize("algorithm", ["lp", "dcfr"])
def test_keeping_all_gives_the_bits_of_the_full_game(algorithm: str) -> None:
    limit = None if algorithm == "lp" else 20
    found = solve(GAME, algorithm, iterations=limit, abstraction=GameAbstraction(actions="all"))
    plain = solve(GAME, algorithm, iterations=limit)
    assert np.array_equal(found.strategy.probabilities, plain.strategy.probabilities)
    assert found.evaluation == plain.evaluation
    assert found.notes == ("Action abstraction all: every action is kept.", *plain.notes)


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("cards(12.345)", {"algorithm": "lp"}),
        ("cards(12.345)", {"algorithm": "cfr+", "iterations": 20}),
        ("0:cards(1.2.345);1:none", {"sampler": "external", "iterations": 300, "seed": 2}),
        ("0:memory(last=0)", {"algorithm": "cfr", "iterations": 20}),
    ],
)
def test_merged_infosets_and_fewer_actions(
    tmp_path: Path, spec: str, options: dict[str, Any]
) -> None:
    """What is solved is the game with fewer bets, merged; then both are carried back."""
    path = tmp_path / "both.safetensors"
    found = solve(
        GAME,
        **grouped(options, abstraction=spec, actions="bets=1,3", out=path),
    )
    small = solve(SMALL, **grouped(options, abstraction=spec))
    for key, row in small.strategy.to_dict().items():
        assert {one: found.strategy[key][one] for one in row} == row
    profile = {key: list(found.strategy[key].values()) for key in TREE.infoset_keys}
    best = [best_response_value(TREE.game, profile, p) for p in (0, 1)]
    np.testing.assert_allclose(np.add(found.values, found.gains), best, atol=1e-12)
    loaded = Result.load(path)
    assert loaded.actions is not None
    assert loaded.abstraction is not None
    assert small.abstraction is not None
    assert loaded.abstraction.recall == small.abstraction.recall
    assert len(found.notes) == 1 + len(small.notes)


def test_merged_infosets_must_keep_the_same_actions() -> None:
    def keep(key: str, player: int, facts: dict[str, Any]) -> list[str] | None:
        return ["call"] if key == "1:b1" else None

    made = Translation(make_action_abstraction(TREE, keep), "half")
    with refuses(ConfigError, option="abstraction"):
        solve(TREE, iterations=1, abstraction=GameAbstraction("cards(12.345)", actions=made))


def test_three_players() -> None:
    """Nobody thinks that player 0 opens with a bet; who sees one takes it for a pass."""
    tree = compile_game("kuhn(players=3)")

    def keep(key: str, player: int, facts: dict[str, Any]) -> list[str] | None:
        return ["pass"] if facts["moves"] == () else None

    def translate(label: str, kept: tuple[str, ...], facts: Any) -> str:
        assert (label, kept, facts["player"]) == ("bet", ("pass",), 0)
        return "pass"

    made = Translation(make_action_abstraction(tree, keep), translate)
    found = solve(tree, iterations=10, abstraction=GameAbstraction(actions=made))
    for card in "1234":
        assert found.strategy[card] == {"pass": 1.0, "bet": 0.0}
        assert found.strategy[f"{card}b"] == found.strategy[f"{card}p"]
        assert found.strategy[f"{card}bb"] == found.strategy[f"{card}pb"]
    assert found.exploitability is None


@pytest.mark.parametrize(
    ("options", "kind", "fields"),
    [
        ({"translate": "half"}, ConfigError, {"option": "translate", "given": "half"}),
        ({"actions": "bets=7"}, ConfigError, {"option": "actions", "given": "7"}),
        ({"actions": "bets=1", "translate": "x"}, UnknownNameError, {"option": "translate"}),
        ({"actions": "bets=1", "tremble": 0.1}, ConfigError, {"option": "tremble"}),
        ({"actions": "bets=1", "warm_start": "a.csv"}, ConfigError, {"option": "warm_start"}),
        ({"actions": "bets=1", "measure": "efce"}, EquilibristError, {}),
        ({"actions": "bets=1", "algorithm": "qre"}, ConfigError, {"option": "actions"}),
        ({"actions": "bets=1", "algorithm": "fsicfr"}, ConfigError, {"option": "actions"}),
        ({"actions": "bets=1", "algorithm": "regret-matching"}, ConfigError, {"option": "actions"}),
    ],
)
def test_what_makes_no_sense(
    options: dict[str, Any], kind: type[EquilibristError], fields: dict[str, object]
) -> None:
    with pytest.raises(kind) as caught:
        solve(GAME, **grouped(options))
    for name, value in fields.items():
        assert getattr(caught.value, name) == value


def test_a_game_without_a_pot() -> None:
    with refuses(GameSpecError, option="translate"):
        solve("sheriff", iterations=1, abstraction=GameAbstraction(actions="offer=0,3"))
    found = solve(
        "sheriff",
        iterations=1,
        abstraction=GameAbstraction(actions="offer=0,3", translate="nearest"),
    )
    assert found.strategy["sheriff:1"] == found.strategy["sheriff:0"]
    assert found.strategy["sheriff:2"] == found.strategy["sheriff:3"]
