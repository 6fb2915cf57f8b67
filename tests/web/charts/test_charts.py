"""Charts through the API: what files hold, decisions by line, kinds that are no charts."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import equilibrist as eq
from equilibrist.poker import (
    CLASS_NAMES,
    CardBuckets,
    Hand,
    MultiwaySolution,
    build_card_buckets,
    push_fold,
    solve_multiway,
    solve_preflop,
)
from equilibrist.poker.blueprint.abstract_game import AbstractGame
from equilibrist.poker.blueprint.policy import WHOLE, Blueprint
from equilibrist.poker.preflop.exact.solution import PreflopSolution
from equilibrist.poker.preflop.push_fold.solution import gains_of
from equilibrist.poker.ranges.range import Range
from tests.web.conftest import put

SHORT = Hand(stack=4, bets="a", raises="a", last_street="flop", deck="T")
THREE = Hand(seats=3, stack=162, blinds="1/2", bets="100%", raise_cap=1, board="")
TWO = THREE.replace(seats=2)


@pytest.fixture(scope="module")
def multiway() -> MultiwaySolution:
    return solve_multiway(THREE, deals=1_000, threads=1)


@pytest.fixture(scope="module")
def exact() -> PreflopSolution:
    return solve_preflop(TWO, iterations=5)


@pytest.fixture
def library(
    client: TestClient, multiway: MultiwaySolution, exact: PreflopSolution, tmp_path: Path
) -> TestClient:
    put(client, multiway.save(tmp_path / "a.safetensors"), "three")
    put(client, push_fold(10).save(tmp_path / "b.safetensors"), "jam")
    put(client, exact.save(tmp_path / "c.safetensors"), "two")
    return client


def test_the_library_says_what_they_are(library: TestClient) -> None:
    found = {one["name"]: one for one in library.get("/api/solutions").json()["solutions"]}
    assert found["jam"]["game"] == "push or fold, stacks 10/10"
    assert found["three"]["measure_name"] == "NashConv"
    assert found["two"]["measure_name"] == "exploitability"
    for name, kind in (("jam", "push or fold"), ("three", "multiway"), ("two", "preflop")):
        facts = library.get(f"/api/solutions/{name}/charts").json()
        assert facts["called"] == found[name]["title"]
        assert facts["kind"] == kind
        assert (facts["name"], facts["is_later"]) == (name, False)
        assert library.get(f"/api/solutions/{name}").json()["solution"].items() <= facts.items()


def test_their_heads_are_numbers(library: TestClient, exact: PreflopSolution) -> None:
    heads = {
        name: library.get(f"/api/solutions/{name}/charts").json()["head"]
        for name in ("jam", "three", "two")
    }
    assert heads["two"]["values"] == [*exact.values]
    assert heads["two"]["measure"] == exact.exploitability / 1000.0
    assert (heads["two"]["iterations"], heads["two"]["stacks"]) == (5, [162.0, 162.0])
    assert (heads["three"]["deals"], heads["three"]["is_bound"]) == (1_000, True)
    assert len(heads["three"]["interval"]) == 2
    assert (heads["jam"]["unit"], heads["jam"]["stacks"]) == ("big-blinds", [10.0, 10.0])
    titles = {
        one["name"]: one["title"] for one in library.get("/api/solutions").json()["solutions"]
    }
    assert (titles["jam"]["kind"], titles["jam"]["stacks"]) == ("push-fold", [10.0, 10.0])
    assert titles["three"]["stacks"] == [162.0] * 3


def test_charts_are_compared_at_a_decision(library: TestClient, tmp_path: Path) -> None:
    put(library, push_fold(11).save(tmp_path / "d.safetensors"), "deeper")
    document = library.get("/api/solutions/jam/compare?other=deeper&count=5").json()
    charts = document["charts"]
    assert (document["why_not"], charts["actions"], len(charts["hands"])) == (None, ["F", "A"], 5)
    first, second = (
        library.get(f"/api/solutions/{name}/chart").json() for name in ("jam", "deeper")
    )
    for row in charts["hands"]:
        assert row["first"] == first["classes"][row["hand"]]["strategy"]
        assert row["second"] == second["classes"][row["hand"]]["strategy"]
        assert row["difference"] == pytest.approx(abs(row["first"][0] - row["second"][0]))
    moved = charts["first_frequencies"][1] - charts["second_frequencies"][1]
    assert 0.0 < abs(moved) <= charts["difference"] + 1e-9
    parts = {row["part"]: (row["first"], row["second"]) for row in document["differences"]}
    assert parts["stacks"] == ([10.0, 10.0], [11.0, 11.0])
    calling = library.get("/api/solutions/jam/compare?other=deeper&line=A").json()["charts"]
    assert (charts["names"], calling["names"]) == (["Fold", "All-in"], ["Fold", "Call"])
    other = library.get("/api/solutions/jam/compare?other=two").json()
    assert (other["why_not"], other["charts"]) == ("other-actions", None)
    same = library.get("/api/solutions/jam/compare?other=jam").json()["charts"]
    assert (same["difference"], same["differing"], same["hands"]) == (0.0, 0, [])


def test_a_decision_is_a_table(library: TestClient) -> None:
    answer = library.get("/api/solutions/jam/chart.csv")
    rows = [*csv.DictReader(io.StringIO(answer.text))]
    document = library.get("/api/solutions/jam/chart").json()
    assert len(rows) == len(document["classes"]) == 169
    for row in rows:
        entry = document["classes"][row["hand"]]
        assert [float(row["Fold"]), float(row["All-in"])] == entry["strategy"]
        assert float(row["ev"]) == entry["ev"]


def test_the_best_of_one_game_is_not_that_of_another(client: TestClient, tmp_path: Path) -> None:
    """Games of push or fold with equal stacks differ by antes, payouts and blinds."""
    games: dict[str, dict[str, Any]] = {
        "plain": {},
        "ante": {"ante": 0.2},
        "paid": {"payouts": (50, 30, 20), "others": (15,)},
    }
    for name, more in games.items():
        put(client, push_fold((10, 6), **more).save(tmp_path / f"{name}.s"), name)
    entries = {one.name: one for one in client.services.library.entries()}  # type: ignore[attr-defined]
    assert len({entries[name].problem for name in games}) == len(games)
    for name in games:
        game = {"game": entries[name].game, "seat": 0}
        assert client.post("/api/play/tables", json=game).json()["solution"] == name
    put(client, push_fold((10, 6)).save(tmp_path / "more.s"), "more")
    more = client.services.library.entry("more")  # type: ignore[attr-defined]
    assert more.problem == entries["plain"].problem


def test_hands_with_other_bets_are_other_games(
    client: TestClient, multiway: MultiwaySolution, exact: PreflopSolution, tmp_path: Path
) -> None:
    other = THREE.replace(bets="50%")
    put(client, multiway.save(tmp_path / "a.safetensors"), "a")
    again = solve_multiway(other, deals=1_000, threads=1)
    put(client, again.save(tmp_path / "b.safetensors"), "b")
    put(client, exact.save(tmp_path / "c.safetensors"), "c")
    uneven = solve_preflop(TWO.replace(stack=None, stacks="162/150"), iterations=2)
    put(client, uneven.save(tmp_path / "d.safetensors"), "d")
    entries = {one.name: one for one in client.services.library.entries()}  # type: ignore[attr-defined]
    assert entries["a"].game == entries["b"].game == "3 seats, stack 162"
    assert entries["d"].game == "hand before the flop, stacks 162/150"
    assert len({entry.problem for entry in entries.values()}) == 4


@pytest.mark.parametrize("path", ["jam/chart", "jam/chart?line=A", "two/chart?line=C-R6"])
def test_ranges_of_actions_are_short_texts(library: TestClient, path: str) -> None:
    document = library.get(f"/api/solutions/{path}").json()
    for action, text in enumerate(document["ranges"]):
        found = Range(text) if text else None
        for name, one in document["classes"].items():
            weight = one["reach"] * one["strategy"][action]
            given = 0.0 if found is None else found.weights[Range(name).weights > 0].max()
            assert given == pytest.approx(weight, abs=1e-3), (name, text)
        if text:
            assert str(found) == text


def test_push_or_fold_by_line(library: TestClient) -> None:
    push, call = push_fold(10).charts
    first = library.get("/api/solutions/jam/chart").json()
    assert (first["seat"], first["line"]) == ("SB", "")
    actions = first["way"][0]["actions"]
    assert [(one["name"], one["line"]) for one in actions] == [("Fold", None), ("All-in", "A")]
    assert actions[1]["frequency"] == pytest.approx(push.count(1) / 1326)
    then = library.get("/api/solutions/jam/chart?line=A").json()
    assert [place["seat"] for place in then["way"]] == ["SB", "BB"]
    assert then["way"][0]["chosen"] == 1
    for document, chart in ((first, push), (then, call)):
        for name, frequency, gain in zip(
            CLASS_NAMES, chart.strategy[1], gains_of(chart), strict=True
        ):
            one = document["classes"][name]
            assert one["strategy"] == pytest.approx([1 - frequency, frequency], abs=1e-6)
            assert one["ev"] == pytest.approx(gain, abs=1e-6)


@pytest.mark.parametrize("line", ["", "C-F", "C-C-R8", "C-F-R7"])
def test_hands_of_several_seats_by_line(
    library: TestClient, multiway: MultiwaySolution, line: str
) -> None:
    document = library.get("/api/solutions/three/chart", params={"line": line}).json()
    node = multiway.at(line)
    assert (document["line"], document["seat"]) == (line, node.seat_name)
    shares = [one["frequency"] for one in document["way"][-1]["actions"]]
    np.testing.assert_allclose(shares, node.frequencies, atol=1e-9)
    for k, name in enumerate(CLASS_NAMES):
        one = document["classes"][name]
        np.testing.assert_allclose(one["strategy"], node.strategy[:, k], atol=1e-6)
        assert one["reach"] == pytest.approx(node.reach[k], abs=1e-6)


def test_exact_hands_by_line(library: TestClient, exact: PreflopSolution) -> None:
    document = library.get("/api/solutions/two/chart?line=C-R6").json()
    node = exact.at("C-R6")
    assert [place["line"] for place in document["way"]] == ["", "C", "C-R6"]
    assert document["way"][1]["actions"][0]["line"] is None  # a check ends the hand
    for k, name in enumerate(node.names):
        one = document["classes"][name]
        np.testing.assert_allclose(one["strategy"], node.strategy[:, k], atol=1e-6)
        assert one["ev"] == pytest.approx(node.ev[k], abs=1e-6)


def test_wrong_questions(library: TestClient, kuhn_file: Path) -> None:
    put(library, kuhn_file, "kuhn")
    for path, status in (
        ("kuhn/chart", 409),
        ("jam/node", 409),
        ("jam/infosets", 409),
        ("jam/chart?line=F", 422),
        ("jam/chart?line=A-A", 422),
        ("jam/chart?line=x", 422),
        ("three/chart?line=R99", 422),
        ("three/chart?line=C-C-X", 422),
        ("none/chart", 404),
    ):
        answer = library.get(f"/api/solutions/{path}")
        assert answer.status_code == status, path
        assert answer.json()["error"]


@pytest.fixture(scope="module")
def card_buckets(tmp_path_factory: pytest.TempPathFactory) -> CardBuckets:
    out = tmp_path_factory.mktemp("cards") / "c.safetensors"
    made: dict[str, Any] = {"restarts": 1, "passes": 2, "sample": 1000, "threads": 1}
    return build_card_buckets("all/5/5/5", out, lowest_rank=8, **made)


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        (2, ["SB", "BB"]),
        (3, ["BTN", "SB", "BB"]),
        (7, ["UTG", "LJ", "HJ", "CO", "BTN", "SB", "BB"]),
    ],
)
def test_blueprints_of_any_number_of_seats(
    client: TestClient, card_buckets: CardBuckets, tmp_path: Path, seats: int, names: list[str]
) -> None:
    _put_uniform(client, SHORT.replace(seats=seats, last_street="preflop"), card_buckets, tmp_path)
    facts = client.get("/api/solutions/bp/charts").json()
    assert {*facts["seats"]} == {*names}
    assert ["training", "0 boards" if seats == 2 else "0 deals"] in facts["facts"]
    line = "-".join(["C"] * (seats - 1))
    found = client.get(f"/api/solutions/bp/chart?line={line}").json()
    assert [place["seat"] for place in found["way"]] == names


def test_a_street_needs_its_board(
    client: TestClient, card_buckets: CardBuckets, tmp_path: Path
) -> None:
    _put_uniform(client, SHORT, card_buckets, tmp_path)
    answer = client.get("/api/solutions/bp/chart?line=C-X")
    assert (answer.status_code, answer.json()["expected"]) == (422, "3 cards")
    answer = client.get("/api/solutions/bp/chart?line=C-X&board=TdJdQh")
    assert answer.json()["street"] == "flop"


def test_a_blueprint_without_its_card_buckets_says_where_to_put_them(
    client: TestClient, card_buckets: CardBuckets, tmp_path: Path
) -> None:
    cards = Path(card_buckets.path)
    away = cards.with_name("away.safetensors")
    _put_uniform(client, SHORT, card_buckets, tmp_path)
    cards.rename(away)
    try:
        for answer in (
            client.get("/api/solutions/bp/charts"),
            client.post("/api/play/tables", json={"solution": "bp"}),
        ):
            assert (answer.status_code, answer.json()["option"]) == (422, "cards")
            assert answer.json()["given"] == cards.name
            assert str(cards.parent) not in answer.text  # guests read it, too
            assert "--cards" not in answer.json()["remedy"]
    finally:
        away.rename(cards)


def _put_uniform(client: TestClient, hand: Hand, cards: CardBuckets, folder: Path) -> None:
    """A blueprint that takes three actions equally often, in the library as bp."""
    game, file = AbstractGame(hand, cards.counts), folder / "b.safetensors"
    Blueprint(game, cards, np.full(game.num_slots, WHOLE // 3, np.uint16)).save(file)
    put(client, file, "bp")


def test_the_file_of_a_guest_has_no_folders_of_the_server(
    make_client: Callable[..., TestClient], card_buckets: CardBuckets, tmp_path: Path
) -> None:
    """Headers name files: the card buckets of a blueprint, the rules and tables of a run."""
    client = make_client(token="o" * 16, guest_token="g" * 16)
    owner, guest = ({"Authorization": f"Bearer {who * 16}"} for who in "og")
    _put_uniform(client, SHORT, card_buckets, tmp_path)
    rules = tmp_path / "rules.py"
    rules.write_text(
        "from equilibrist.games.library.kuhn import Kuhn\nclass My(Kuhn): pass\n", "utf-8"
    )
    solved = eq.solve(f"{rules}:My", iterations=3)
    put(client, solved.save(tmp_path / "k.safetensors"), "own")
    for name in ("bp", "own"):
        path = f"/api/solutions/{name}"
        whole = client.get(f"{path}/file", headers=owner).content
        hidden = client.get(f"{path}/file", headers=guest)
        assert str(tmp_path.parent).encode() in whole
        assert str(tmp_path.parent).encode() not in hidden.content
        assert str(card_buckets.path).encode() not in hidden.content
        assert hidden.headers["content-length"] == str(len(hidden.content))
        assert str(tmp_path.parent) not in client.get(path, headers=guest).text
        (tmp_path / f"{name}.safetensors").write_bytes(hidden.content)
    strategy = eq.load_result(tmp_path / "own.safetensors").strategy
    assert strategy.to_dict() == solved.strategy.to_dict()
    bp = Blueprint.load(tmp_path / "bp.safetensors", card_buckets)
    assert bp.cards.hash == card_buckets.hash
    shutil.copy(card_buckets.path, tmp_path)  # beside it, as for whoever downloads both
    assert Blueprint.load(tmp_path / "bp.safetensors").hand == bp.hand


@pytest.mark.parametrize("path", ["charts?", "chart?line="])
def test_charts_that_have_taken_a_name_are_not_those_of_the_page(
    library: TestClient, path: str
) -> None:
    services = library.services  # type: ignore[attr-defined]
    name = library.get("/api/solutions").json()["solutions"][0]["name"]
    address = f"/api/solutions/{name}/{path}&stamp={services.library.stamp(name)}"
    assert library.get(address).status_code == 200
    library.delete(f"/api/solutions/{name}")
    refused = library.get(address)
    assert (refused.status_code, refused.json()["option"]) == (404, "name")
