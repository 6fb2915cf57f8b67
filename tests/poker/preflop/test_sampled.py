"""Three and more seats: a slow counterpart, enumeration of small decks, and games of two."""

from functools import cache
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from equilibrist.kernels.preflop.sampled_values import draw
from equilibrist.kernels.primitives.rng import stream
from equilibrist.poker import AllInTable, PushFold, push_fold
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import CLASS_OF_COMBO, COMBO_INDEX
from equilibrist.poker.cards.evaluator import hand_strength
from equilibrist.poker.equities.runouts import key_of
from equilibrist.poker.preflop import sampled_run
from equilibrist.poker.preflop.class_tree import Branch, Ending, class_tree
from equilibrist.poker.preflop.pots import weak_orders
from equilibrist.poker.preflop.push_fold.heads_up import equilibrium, heads_up, measured
from equilibrist.poker.preflop.push_fold.solving import push_fold_tree
from equilibrist.poker.preflop.sampled_cfr import BOARDS, SampledGame, SampledSolver
from equilibrist.poker.preflop.sampled_evaluation import evaluate
from equilibrist.poker.preflop.sampled_run import SampledRun
from equilibrist.solvers.run import loop

DECK = np.arange(52)


def random_strategy(game, seed):
    rng = np.random.default_rng(seed)
    push = rng.choice([0.0, 1.0, 0.3, 0.7], game.shape[:2])
    return np.stack([1 - push, push], axis=2)


def class_of(cards):
    return int(CLASS_OF_COMBO[COMBO_INDEX[cards[0], cards[1]]])


@cache
def values_of(game, all_in):
    return game.values(all_in)


@cache
def numbers_of(game):
    return {decision: k for k, decision in enumerate(push_fold_tree(game)[1])}


@cache
def row_of(ranks):
    (row,) = np.flatnonzero((weak_orders(len(ranks)) == ranks).all(axis=1))
    return row


def slow_values(game, strategy, hands, strengths, sums, met):
    """Play every history of a deal; returns the values of the seats."""
    classes = [class_of(hand) for hand in hands]
    numbers = numbers_of(game)

    def play(turn, all_in, reach):
        turn = game.next_turn(turn, all_in)
        if turn is None:
            own = [strengths[seat] for seat in game.contenders(all_in)]
            ranks = tuple(len({other for other in own if other > each}) for each in own)
            return values_of(game, all_in)[row_of(ranks)]
        seat = game.order[turn]
        k, own = numbers[seat, all_in], classes[seat]
        others = np.prod([reach[s] for s in range(game.seats) if s != seat])
        met[k, own] += others
        value = np.zeros(game.seats)
        for action, now in enumerate((all_in, (*all_in, seat))):
            share = strategy[k, own, action]
            following = list(reach)
            following[seat] *= share
            of_action = play(turn + 1, now, following)
            sums[k, own, action] += others * of_action[seat]
            value += share * of_action
        return value

    return play(0, (), [1.0] * game.seats)


@pytest.mark.parametrize(
    "game",
    [
        PushFold((10, 6, 8)),
        PushFold((3, 5, 2, 9), ante=0.2, payouts=(50, 30, 20), others=(4,)),
        PushFold((10,) * 6, big_blind_ante=1),
        PushFold((10, 0.4, 8)),
        PushFold((0.3, 5, 0.1, 9), ante=0.2, payouts=(50, 30, 20), others=(4,)),
    ],
    ids=lambda game: "-".join(map(str, game.stacks)),
)
def test_sums_of_a_slow_counterpart(game):
    sampled = SampledGame(push_fold_tree(game)[0], game.seats, seed=5, threads=1)
    strategy = random_strategy(sampled, 1)
    deals = 3 if game.seats == 6 else 10
    found = sampled.sums(strategy, 0, 100, 100 + deals)

    sums, met = np.zeros(sampled.shape), np.zeros(sampled.shape[:2])
    root = np.zeros(game.seats)
    cards, on_board = np.zeros(2 * game.seats, np.int64), np.zeros(5, np.int64)
    for deal in range(100, 100 + deals):
        with np.errstate(over="ignore"):
            state, taken = draw(
                stream(key_of(10), np.uint64(deal)), len(cards), DECK, np.uint64(0), cards
            )
        hands = [cards[2 * k : 2 * k + 2].tolist() for k in range(game.seats)]
        for _ in range(BOARDS):
            with np.errstate(over="ignore"):
                state, _ = draw(state, 5, DECK, taken, on_board)
            board = on_board.tolist()
            assert len({*cards.tolist(), *board}) == len(cards) + 5
            for rotation in range(game.seats):
                held = [hands[(seat + rotation) % game.seats] for seat in range(game.seats)]
                strengths = [hand_strength([*hand, *board]) for hand in held]
                root += slow_values(game, strategy, held, strengths, sums, met)
    sums, met, root = sums / BOARDS, met / BOARDS, root / BOARDS
    np.testing.assert_allclose(found.root, root, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.met, met, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.values, sums, rtol=1e-10, atol=1e-10)


def test_every_deal_of_a_small_deck():
    """Two seats and a board take all nine cards, so that 756 deals are all there is."""
    game, deck = PushFold((6, 6)), parse_cards("AhKhQhJs9s9d8c7c2d")
    sampled = SampledGame(push_fold_tree(game)[0], 2, seed=2, threads=1, deck=np.array(deck))
    strategy = random_strategy(sampled, 3)
    sums, met = np.zeros(sampled.shape), np.zeros(sampled.shape[:2])
    values, count = np.zeros(2), 0
    for first in combinations(deck, 2):
        left = [card for card in deck if card not in first]
        for second in combinations(left, 2):
            board = [card for card in left if card not in second]
            hands = [[*first], [*second]]
            strengths = [hand_strength([*hand, *board]) for hand in hands]
            values += slow_values(game, strategy, hands, strengths, sums, met)
            count += 1
    assert count == 756
    found = evaluate(sampled, strategy, 60_000)
    assert found.errors[0] < 0.02
    np.testing.assert_allclose(found.values, values / count, atol=4.5 * found.errors[0])
    np.testing.assert_allclose(found.reached, met / count, atol=0.004)
    mean = np.divide(sums, met[..., None], out=np.zeros_like(sums), where=met[..., None] > 0)
    np.testing.assert_allclose(found.action_values, mean, atol=0.4)


def test_two_seats_are_the_linear_programme():
    game, table = PushFold((10, 10)), AllInTable.load()
    exact = equilibrium(heads_up(game, table))
    sampled = SampledGame(push_fold_tree(game)[0], 2, seed=0, threads=1)
    play = np.stack([exact.push, exact.call])
    found = evaluate(sampled, np.stack([1 - play, play], axis=2), 200_000)
    np.testing.assert_allclose(found.values, exact.values, atol=4.5 * found.errors[0])
    assert found.interval[0] < 0.002
    assert found.reached[1].sum() == pytest.approx(
        exact.push @ table.pairs.sum(1) / 1_624_350, 0.01
    )

    done = SampledRun(100_000, None, 0, 1).play(sampled)
    strategy = done.strategy
    truly = measured(heads_up(game, table), strategy[0, :, 1], strategy[1, :, 1], done.iterations)
    assert (done.deals, done.stopped_by) == (100_000, "deals")
    assert sum(truly.gains) < 0.03
    assert truly.values[0] == pytest.approx(exact.values[0], abs=0.01)
    estimate = done.evaluation
    assert estimate.interval[0] < sum(truly.gains) < estimate.interval[1]


def test_a_button_who_always_folds_leaves_the_blinds_game():
    """Three hands are dealt; what the button holds says nothing, so that the LP of two holds."""
    game, table = PushFold((8, 8, 8)), AllInTable.load()
    two = PushFold((8, 8))
    exact = equilibrium(heads_up(two, table))

    def ending(all_in):
        return Ending(all_in, game.values(all_in))

    root = Branch(0, (ending(()), Branch(1, (ending((0,)), ending((0, 1))))))
    sampled = SampledGame(class_tree(root, 3), 3, seed=4, threads=1)
    play = np.stack([exact.push, exact.call])
    found = evaluate(sampled, np.stack([1 - play, play], axis=2), 150_000)
    np.testing.assert_allclose(found.values[:2], exact.values, atol=4.5 * found.errors[0])
    assert found.values[2] == 0
    assert found.interval[0] < 0.002


def test_three_seats():
    found = push_fold(10, seats=3, deals=150_000, seed=1)
    assert found.method == "CFR"
    assert sum(found.values) == pytest.approx(0, abs=1e-9)
    assert found.interval is not None
    low, high = found.interval
    assert 0 <= low <= found.nash_conv <= high < 0.2
    titles = [found.title(chart) for chart in found.charts]
    assert titles == [
        "BTN pushes",
        "SB pushes",
        "SB calls BTN",
        "BB calls SB",
        "BB calls BTN",
        "BB calls BTN and SB",
    ]
    assert found.chart("BTN").reached == pytest.approx(1)
    behind = found.chart("SB").reached + found.chart("SB", "BTN").reached
    assert behind == pytest.approx(1)
    pushed = found.chart("BTN").count(1) / 1326
    assert found.chart("SB", "BTN").reached == pytest.approx(pushed, abs=0.005)
    for chart in found.charts:
        assert chart.range(1)["AA"] > 0.99
        assert chart.range(1)["72o"] < 0.01
    first, opening, calling = found.chart("SB"), found.chart("BTN"), found.chart("SB", "BTN")
    assert first.count(1) > opening.count(1) > calling.count(1)
    assert found.chart("BTN").action_ev[1, 0] > 1


@pytest.mark.parametrize("seats", [4, 5])
def test_decisions_of_more_seats(seats):
    found = push_fold(8, seats=seats, deals=2_000)
    assert len(found.charts) == 2 + sum(2**k for k in range(seats)) - 3
    assert found.interval[0] <= found.nash_conv <= found.interval[1]


def test_threads_do_not_change_the_result():
    one, two, other = (
        push_fold(10, seats=3, deals=5_000, seed=seed, threads=threads)
        for seed, threads in ((7, 1), (7, 2), (8, 1))
    )
    assert one.to_dict() == two.to_dict()
    assert one.values != other.values


def test_winner_takes_all_of_three_is_chips():
    """On the same deals one prize is worth the share of the chips, to the last digits."""
    chips, prize = PushFold((8, 12, 5)), PushFold((8, 12, 5), payouts=(1,))
    found = []
    for game in (chips, prize):
        sampled = SampledGame(push_fold_tree(game)[0], 3, seed=4, threads=1)
        found.append(evaluate(sampled, random_strategy(sampled, 9), 1_000))
    np.testing.assert_allclose(found[1].values, found[0].values / 25, atol=1e-12)
    np.testing.assert_allclose(found[1].gains, found[0].gains / 25, atol=1e-12)


def test_best_responses_of_one_deal_set_gain_more_than_of_another():
    game = PushFold((10, 10, 10))
    sampled = SampledGame(push_fold_tree(game)[0], 3, seed=4, threads=1)
    found = evaluate(sampled, sampled.uniform(), 20_000)
    low, high = found.interval
    assert 0.5 < low < found.gains.sum() < high


@pytest.mark.parametrize("number", [2, 3, 4])
def test_orders_of_some_of_the_hands(number):
    tree = push_fold_tree(PushFold((10,) * 4))[0]
    rng = np.random.default_rng(number)
    for _ in range(50):
        ranks = rng.integers(0, 4, number)
        code = int(sum(int(rank) * 4 ** (number - 1 - k) for k, rank in enumerate(ranks)))
        order = weak_orders(number)[tree.order_row[tree.order[number] + code]]
        np.testing.assert_array_equal(
            np.sign(order[:, None] - order), np.sign(ranks[:, None] - ranks)
        )


def on_clock(monkeypatch, perf_counter):
    """Let runs read this clock."""
    monkeypatch.setattr(sampled_run, "perf_counter", perf_counter)
    monkeypatch.setattr(loop, "time", SimpleNamespace(perf_counter=perf_counter))


@pytest.mark.parametrize("resumed", [0, 3_000])
def test_a_time_limit_holds_for_playing_and_measuring(monkeypatch, resumed):
    """By a clock that runs with the deals: a thousand a second, played or measured."""
    now = [100.0]
    measured = []

    def measure(game, strategy, deals):
        now[0] += deals / 1000
        measured.append(deals)
        return evaluate(game, strategy, 1_000)

    class Clocked(SampledSolver):
        def __init__(self, game, most):
            super().__init__(game, most)
            if resumed:
                self.iteration, self.deals = 50, resumed

        def run(self, iterations):
            super().run(iterations)
            now[0] = 100 + (self.deals - resumed) / 1000
            return self

    on_clock(monkeypatch, lambda: now[0])
    monkeypatch.setattr(sampled_run, "evaluate", measure)
    monkeypatch.setattr(sampled_run, "SampledSolver", Clocked)
    game = PushFold((10, 8, 6))
    sampled = SampledGame(push_fold_tree(game)[0], 3, seed=4, threads=1)
    done = SampledRun(10**6, 10.0, 4, 1).play(sampled)
    assert done.stopped_by == "seconds"
    assert 4.9 < (done.deals - resumed) / 1000 < 5.5
    assert measured == [done.measured_deals]
    assert 8.5 < now[0] - 100 <= 10


def test_a_run_that_has_all_its_deals_is_measured_in_time(monkeypatch):
    now = [0.0]
    measured = []

    def measure(game, strategy, deals):
        now[0] += deals / 1000
        measured.append(deals)
        return evaluate(game, strategy, 1_000)

    on_clock(monkeypatch, lambda: now[0])
    monkeypatch.setattr(sampled_run, "evaluate", measure)
    game = PushFold((0.4, 0.9, 0.3), ante=0.3)
    sampled = SampledGame(push_fold_tree(game)[0], 3, seed=4, threads=1)
    done = SampledRun(10**6, 10.0, 4, 1).play(sampled)
    assert (done.deals, measured) == (0, [1_000, done.measured_deals])
    assert 6 < now[0] <= 10
