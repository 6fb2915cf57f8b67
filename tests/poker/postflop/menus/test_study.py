"""The best menus, against linear programmes of all menus of a grid."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from equilibrist.errors import ConfigError, MemoryBudgetError
from equilibrist.poker import MenuStudy, find_menus, solve
from equilibrist.poker.postflop.menus.full_menu import MenuGames
from equilibrist.poker.postflop.menus.study import _SeatSearch
from equilibrist.poker.postflop.menus.valuation import (
    BoundedValue,
    HeldStrategies,
    SpotRuns,
    SpotValue,
    lifted_mean_gain,
    matching_nodes,
)
from equilibrist.poker.postflop.solving.variants import spot_variant
from equilibrist.poker.postflop.spot.fields import SEATS
from equilibrist.poker.postflop.spot.spot import Spot
from equilibrist.progress import Callbacks
from equilibrist.solvers.run.stopping import StopRule
from tests.poker.postflop.engine.spot_game import equilibrium
from tests.refusals import refuses

RIVER = Spot(
    board="Ts3s2h5h9c", oop="AcAd,QcQd,7s6s,JhJd", ip="KcKd,9s8s,QhJh", pot=60, stack=90,
    bets="50%,a", raises="a",
)  # fmt: skip
TURN = RIVER.replace(board="Ts3s2h5h", oop="AcAd,7s6s", ip="KcKd,9s8s", bets="50%")
STEPS = "25%, 50%, 100%, a"
FINE = "0.01%"


def study_of(spot: Spot, count: int, **options: Any) -> MenuStudy:
    return find_menus(spot, count, steps=STEPS, target=FINE, threads=1, **options)


@cache
def exact_losses(
    games: MenuGames, seat: int, most: int | None = None
) -> dict[tuple[str, ...], float]:
    """The loss of every menu of a seat, in percent of the pot, by linear programmes."""
    sizes, spot = games.sizes[seat], games.spot
    counts = range(1, 1 + (len(sizes) if most is None else most))
    whole = equilibrium(games.full).values[seat]
    return {
        tuple(map(str, menu)): 100
        * (whole - equilibrium(games.with_menus({seat: menu})).values[seat])
        / spot.pot
        for count in counts
        for menu in combinations(sizes, count)
    }


@pytest.mark.slow
def test_losses_are_those_of_linear_programmes_and_the_best_menus_are_the_best() -> None:
    study = study_of(RIVER, 4)
    everything = study_of(RIVER, 4, exhaustive=True)
    for seat, all_of_seat in zip(study.seats, everything.seats, strict=True):
        exact = exact_losses(study.games, SEATS.index(seat.seat))
        assert len(all_of_seat.tried) == len(exact) == 15
        assert all(all_of_seat.is_exhaustive)
        for menu in (*seat.tried, *all_of_seat.tried):
            wanted = exact[menu.sizes]
            assert menu.low - 1e-4 <= wanted <= menu.high + 1e-4
            if not menu.is_partial:
                assert menu.loss == pytest.approx(wanted, abs=0.02)
        for found in (seat, all_of_seat):
            for best in found.best:
                of_count = [exact[key] for key in exact if len(key) == len(best.sizes)]
                assert exact[best.sizes] <= min(of_count) + 0.02
            losses = [best.loss for best in found.best]
            assert losses == sorted(losses, reverse=True)
            whole = found.best[-1]
            assert whole.sizes == found.sizes
            assert whole.low == 0.0
            assert whole.high < 0.05
    oop = study.seats[0]
    assert oop.best[0].loss > 1.0
    assert oop.best[0].is_measurable
    assert oop.as_good(1) == []
    assert study.seats[1].best[0].text == "100%"


def test_the_exploitability_of_both_menus_is_the_mean_of_their_losses() -> None:
    study = study_of(RIVER, 2)
    for count in study.counts:
        exact = [exact_losses(study.games, n)[s.best[count - 1].sizes]
                 for n, s in enumerate(study.seats)]  # fmt: skip
        assert study.exploitability(count) == pytest.approx(sum(exact) / 2, abs=0.02)
    assert study.solved_exploitability is not None
    assert study.solved_exploitability >= study.exploitability(2) - 0.02
    one = study_of(RIVER, 1, seat="ip")
    (ip,) = one.seats
    assert one.exploitability(1) == pytest.approx(ip.best[0].loss / 2, abs=0.02)
    assert one.solved_exploitability is None


def held_by(spot: Spot) -> tuple[SpotValue, HeldStrategies]:
    """A spot solved, and its strategies."""
    held: list[HeldStrategies] = []
    rule = StopRule(target=1e-3 * spot.pot)
    runs = SpotRuns(rule, spot_variant(None, "float32"), "float32", 1, Callbacks())
    value = runs.value(spot, hold=lambda _, copied: held.append(copied()))
    return value, held[0]


@pytest.mark.parametrize(
    ("spot", "street"),
    [
        (RIVER, 2),
        (TURN.replace(oop="AA,7s6s", ip="KK,9s8s"), 1),
        (TURN.replace(board="Td9d6h5d", oop="AA,QQ", ip="KK,JJ"), 2),
    ],
)
def test_strategies_of_small_menus_are_as_good_in_the_whole_spot(spot: Spot, street: Any) -> None:
    """What a seat wins at least with its menu, it wins at least where it could bet all sizes."""
    games = MenuGames.of(spot, street, STEPS)
    menus = {0: games.sizes[0][:1], 1: games.sizes[1][1:2]}
    small = {seat: held_by(games.with_menus({seat: menu})) for seat, menu in menus.items()}
    gain = lifted_mean_gain(games.full, {seat: [held] for seat, (_, held) in small.items()}, 1)
    guaranteed = sum(value.seats[seat].low for seat, (value, _) in small.items())
    assert gain == pytest.approx((spot.pot - guaranteed) / 2, abs=1e-5 * spot.pot)
    assert gain > 1e-3 * spot.pot
    # Alone, the spot of both menus has no answer to other sizes: calling and folding at random.
    _, alone = held_by(games.with_menus(menus))
    answered = {seat: [alone, held] for seat, (_, held) in small.items()}
    unanswered = lifted_mean_gain(games.full, {0: [alone], 1: [alone]}, 1)
    assert lifted_mean_gain(games.full, answered, 1) < unanswered


def test_a_solution_lifted_into_its_own_spot_is_what_it_was() -> None:
    games = MenuGames.of(TURN, 1, STEPS)
    value, held = held_by(games.full)
    both = value.seats
    gain = lifted_mean_gain(games.full, {0: [held], 1: [held]}, 1)
    assert gain == pytest.approx((TURN.pot - both[0].low - both[1].low) / 2, abs=1e-5 * TURN.pot)
    tree = games.full.betting.tree
    assert matching_nodes(tree, tree).tolist() == [*range(len(tree.kind))]
    small = games.with_menus({0: games.sizes[0][:1]}).betting.tree
    match = matching_nodes(tree, small)
    assert sorted(match[match >= 0].tolist()) == [*range(len(small.kind))]


@pytest.mark.slow
@pytest.mark.parametrize("exact", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_menus_of_a_later_street_are_found(exact: bool) -> None:
    spot = TURN.replace(ip="KcKd")
    study = find_menus(spot, 1, street="river", seat=0, steps="50%, a", target=FINE, threads=1)
    (oop,) = study.seats
    assert study.street == "river"
    assert oop.use is None
    assert {menu.text for menu in oop.tried} == {"50%", "a"}
    assert max(menu.low for menu in oop.tried) > 0.1
    if exact:
        losses = exact_losses(study.games, 0, most=1)
        for menu in oop.tried:
            assert menu.low - 1e-3 <= losses[menu.sizes] <= menu.high + 1e-3
    saved = study.spot_with()
    assert saved.oop_bets == f"|50%|{oop.best[0].text}"
    assert (saved.bets, saved.ip_bets) == ("50%", None)
    assert solve(saved, target="1%").converged


def test_the_study_is_a_table_and_a_document() -> None:
    study = study_of(RIVER, 2)
    rows = study.rows()
    assert len(rows) == sum(len(seat.tried) for seat in study.seats)
    assert sum(row["is_best"] for row in rows) == 4
    assert len(study.frame) == len(rows)
    document = study.to_dict()
    assert document["exploitability"] == [study.exploitability(1), study.exploitability(2)]
    assert [seat["best"][0]["sizes"] for seat in document["seats"]] == [["a"], ["100%"]]
    assert sum(document["ev"]) == pytest.approx(RIVER.pot)
    oop, ip = study.seats
    assert study.spot_with(1) == RIVER.replace(bets="", oop_bets="a", ip_bets="100%")
    assert oop.use is not None
    assert ip.use is not None
    whole = solve(study.games.full, target=FINE)
    checks = whole.at("").frequency["Check"]
    assert sum(oop.use) == pytest.approx(1 - checks, abs=0.1)
    with refuses(ConfigError, option="count", given=3):
        study.exploitability(3)
    with refuses(ConfigError, option="count", given=0):
        study.spot_with(0)


def test_an_interrupt_keeps_the_best_so_far() -> None:
    told: list[str] = []

    def interrupt(stage: str) -> None:
        told.append(stage)
        if "IP with 50%" in stage:
            raise KeyboardInterrupt

    study = study_of(RIVER, 2, callbacks=Callbacks(on_stage=interrupt))
    oop, ip = study.seats
    assert study.stopped_by == "interrupted"
    assert (len(oop.best), len(ip.best)) == (2, 1)
    assert [*study.counts] == [1]
    assert study.solved_exploitability is None
    assert study.spot_with().ip_bets == ip.best[0].text
    told.clear()
    before = study_of(RIVER, 2, callbacks=Callbacks(lambda _: len(told) < 4, told.append))
    assert before.stopped_by == "callback"
    assert [seat.seat for seat in before.seats] == ["oop"]

    def at_once(stage: str) -> None:
        if "OOP" in stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study_of(RIVER, 1, callbacks=Callbacks(on_stage=at_once))
    with refuses(ConfigError, option="seconds"):
        study_of(RIVER, 1, seconds=1e-6)


def test_what_is_refused() -> None:
    with refuses(ConfigError, option="count", given=5):
        study_of(RIVER, 5)
    with refuses(ConfigError, option="seat", given="button"):
        study_of(RIVER, 1, seat="button")
    with refuses(ConfigError, option="exhaustive", given=1):
        find_menus(RIVER, 1, exhaustive=1)  # type: ignore[arg-type]
    deep = RIVER.replace(pot=100, stack=1000)
    with refuses(ConfigError, option="exhaustive", given=7546):
        find_menus(deep, 4, exhaustive=True)
    with refuses(MemoryBudgetError, option="memory", given=10_000):
        study_of(RIVER, 1, memory=10_000)


class TableOfLosses:
    """Solves nothing: values are looked up by the sizes of OOP, 60 less the loss in chips."""

    callbacks = Callbacks()

    def __init__(self, losses: dict[str, float]) -> None:
        self.losses = losses
        self.asked: list[str] = []

    def loss(self, menu: str) -> float:
        """That of the menu, or of the best one of fewer of its sizes."""
        sizes = {*menu.split(", ")}
        return min([9.0, *(at for key, at in self.losses.items() if {*key.split(", ")} <= sizes)])

    def value(self, spot: Spot, *, gives_up: Any, hold: Any) -> SpotValue:
        del hold
        sizes = spot.rules().menus[0][2].bets
        self.asked.append(", ".join(map(str, sizes)))
        worth = 60 - self.loss(self.asked[-1])
        own = BoundedValue(worth, worth - 0.01, worth + 0.01)
        value = SpotValue((own, own), 1, 0.0)
        return value._replace(is_partial=gives_up(value))


def searched(losses: dict[str, float], count: int, *, is_exhaustive: bool) -> TableOfLosses:
    """A search for menus of OOP in a table; the first line of `asked` is the best."""
    table = TableOfLosses(losses)
    runs: Any = table
    search = _SeatSearch(
        games=MenuGames.of(RIVER.replace(stack=900), 2, "25%, 50%, 75%, 100%, 125%"),
        seat=0,
        whole=60.0,
        bounds=(59.99, 60.01),
        use=None,
        runs=runs,
        keeps=False,
    )
    search.run(count, is_exhaustive=is_exhaustive)
    found = search.result()
    table.asked.insert(0, found.best[-1].text)
    assert found.is_exhaustive[-1] is (len(found.tried) == 5 + 10 * (count == 2))
    for menu in found.tried:
        assert menu.loss == pytest.approx(100 * table.loss(menu.text) / 60)
        assert not menu.is_partial or menu.low > found.best[len(menu.sizes) - 1].high
    assert any(menu.is_partial for menu in found.tried)
    return table


def test_sizes_are_exchanged_as_long_as_that_loses_less() -> None:
    losses = {
        "75%": 3.0, "50%, 75%": 2.0, "25%, 75%": 1.9, "25%, 100%": 1.5, "25%, 125%": 1.0,
        "50%, 125%": 0.5,
    }  # fmt: skip
    runs = searched(losses, 2, is_exhaustive=False)
    assert runs.asked[0] == "50%, 125%"
    assert len({*runs.asked}) == len(runs.asked) - 1  # none is solved twice
    hidden = {"75%": 3.0, "50%, 75%": 2.0, "100%, 125%": 0.1}
    assert searched(hidden, 2, is_exhaustive=False).asked[0] == "50%, 75%"
    assert searched(hidden, 2, is_exhaustive=True).asked[0] == "100%, 125%"
    assert searched({"25%": 0.0}, 1, is_exhaustive=False).asked[0] == "25%"
