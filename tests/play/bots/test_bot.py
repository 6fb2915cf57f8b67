"""Bots: what they play, which bets are mapped to what, and which questions they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equilibrist as eq
from equilibrist.errors import (
    CardSyntaxError,
    ConfigError,
    LineSyntaxError,
    MismatchError,
    UnknownNameError,
)
from equilibrist.play import Advice, Bot, FixedAgent, HandGame, Session, SolutionAgent, Table
from equilibrist.play.bots.answers import DecidedBy, Depth
from equilibrist.play.bots.bot import ThinkingCoach
from equilibrist.poker import Hand
from equilibrist.poker.blueprint.policy import ranges_at
from equilibrist.poker.cards.cards import parse_cards
from equilibrist.poker.cards.combos import parse_combo
from equilibrist.poker.decisions.searching import Searched, SearchState
from equilibrist.poker.hands.tree_lines import node_at
from equilibrist.poker.preflop.exact.solving import solve_preflop
from tests.play.bots.hands import TWO, play_hand, small_blueprint, table_of
from tests.play.solutions.test_charts import TWO as PUSHES
from tests.play.spots.test_game import TURN, solved
from tests.refusals import refuses, unchecked


def at_node(line: str, board: str, hand: str) -> list[float]:
    blueprint = small_blueprint()
    cards = parse_cards(board) if board else ()
    shares = blueprint.probabilities(node_at(blueprint.tree, line), cards)
    return [float(share) for share in shares[:, parse_combo(hand)]]


def test_on_its_own_menu_it_plays_the_blueprint() -> None:
    answer = Bot(small_blueprint()).act("AhKh", "R3-C|TdJhQs|X-B3")
    assert [*answer.mixture] == ["F", "C", "R15", "A27"]
    wanted = at_node("R3-C|X-B3", "TdJhQs", "AhKh")
    assert [*answer.mixture.values()] == pytest.approx(wanted, abs=1e-6)
    assert answer.decided_by is DecidedBy.BLUEPRINT
    assert (answer.mapped, answer.depth, answer.strategy_line) == ((), None, "R3-C|X-B3")


def test_a_bet_between_two_is_mapped_to_one_of_them_for_the_whole_hand() -> None:
    bot = Bot(small_blueprint(), seed=1)
    taken = set()
    for number in range(40):
        bot.begin(number)
        first = bot.act("AhKh", "R2.6")
        (mapped,) = first.mapped
        # A raise of 1.6 into 2, between a half and the whole pot: f = .2 * 1.5 / (.5 * 1.8).
        assert mapped.bet.share == pytest.approx(0.8)
        assert sorted(mapped.bet.shares.values()) == pytest.approx([1 / 3, 2 / 3])
        assert (mapped.where, mapped.seat, mapped.action) == ("", 0, "R2.6")
        later = bot.act("AhKh", "R2.6-C|TdJhQs")
        assert later.mapped == first.mapped
        assert later.strategy_line == f"{mapped.taken_for}-C|"
        taken.add(mapped.taken_for)
    assert taken == {"R2", "R3"}


def test_its_bets_are_shares_of_the_real_pot() -> None:
    bot = Bot(small_blueprint(), seed=1)
    answer = bot.act("AhKh", "R2.6-C|TdJhQs|X")
    assert [*answer.mixture] == ["X", "B2.6", "B5.2", "A27.4"]


def test_legal_actions_bind_it_and_keep_their_names() -> None:
    bot = Bot(small_blueprint(), seed=1)
    answer = bot.act("AhKh", "R3-C|TdJhQs|X-B3", ["fold", "Call", "Raise 10"])
    shares = at_node("R3-C|X-B3", "TdJhQs", "AhKh")
    assert answer.mixture == pytest.approx(
        {"fold": shares[0], "Call": shares[1], "Raise 10": shares[2] + shares[3]}, abs=1e-6
    )
    assert answer.action in ("fold", "Call", "Raise 10")


def test_other_stacks_and_blinds_take_the_nearest_strategy() -> None:
    deep = small_blueprint(Hand(stack=100, bets="100%,a", raises="a", deck="T"))
    bot = Bot([small_blueprint(), deep])
    same = Hand(stack=3000, blinds="50/100", bets="100%", deck="T")
    answer = bot.act("AhKh", "R300-C|TdJhQs|X-B300", table=same)
    assert answer.depth is None
    assert [*answer.mixture] == ["F", "C", "R1500", "A2700"]
    assert bot.act("AhKh", "R300", table=same.replace(stack=3600)).depth == Depth(36, 30)
    assert bot.act("AhKh", "R300", table=same.replace(stack=9000)).depth == Depth(90, 100)
    short = bot.act("AhKh", "A2000", table=same.replace(stack=2000))
    assert short.depth == Depth(20, 30)
    assert [*short.mixture] == ["F", "C"]
    assert short.mapped == ()


def test_a_call_of_a_mapped_all_in_leaves_the_strategy_and_is_played_safely() -> None:
    bot = Bot(small_blueprint(), seed=1)
    for number in range(50):
        bot.begin(number)
        answer = bot.act("TcTh", "R25-C|TdJhQs")
        assert answer.mapped[0].taken_for in ("R3", "A30")
        if answer.mapped[0].taken_for == "A30":
            break
    assert answer.decided_by is DecidedBy.FALLBACK
    assert answer.mixture == {"X": 1.0}
    assert answer.strategy_line is None
    calls = bot.act("TcTh", "R25-C|TdJhQs|X-A5")
    assert calls.action == "C"  # a set
    assert "X" not in calls.mixture


def test_a_hopeless_hand_folds_by_pot_odds() -> None:
    push = Bot(PUSHES)
    table = Hand(stacks="10/12", bets="50%,a")
    answer = push.act("3s2d", "C-R9.5", table=table)
    assert answer.decided_by is DecidedBy.FALLBACK
    assert answer.action == "F"


def test_the_same_seed_plays_the_same_hands_again() -> None:
    hand = table_of(2)

    def lines(seed: int) -> list[str]:
        bots = [Bot(small_blueprint(hand), seed=seed), Bot(small_blueprint(hand), seed=seed + 9)]
        generator = np.random.default_rng(3)
        return [play_hand(bots, hand, generator, strays=0.2)[0].line for _ in range(30)]

    assert lines(1) == lines(1)
    assert lines(1) != lines(2)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    ("seats", "hands", "seed"),
    [
        *((seats, 60, 0) for seats in (2, 3, 4)),
        *(
            pytest.param(seats, 150, seed, marks=pytest.mark.slow)
            for seed, seats in enumerate((2, 3, 4, 5, 6), 1)
        ),
    ],
)
def test_every_action_is_legal_whatever_is_bet(seats: int, hands: int, seed: int) -> None:
    hand = table_of(seats)
    others = Hand(**hand.model_dump() | {"stack": None, "stacks": [7, 12, 30, 9, 12, 18][:seats]})
    bots = [Bot(small_blueprint(hand), seed=seat) for seat in range(seats)]
    generator = np.random.default_rng((seats, seed))
    decided = set()
    for number in range(hands):
        played, answers = play_hand(bots, (hand, others)[number % 2], generator, strays=0.4)
        assert sum(played.won) == 0
        decided |= {answer.decided_by for answer in answers}
    assert decided == {DecidedBy.BLUEPRINT, DecidedBy.FALLBACK}


def test_fixed_opponents_play_at_any_table() -> None:
    hand = table_of(3)
    rules = ["fold", "call", "raise", "random", "all-in"]
    generator = np.random.default_rng(5)
    for rule in rules:
        bots = [Bot(FixedAgent(rule), seed=seat) for seat in range(3)]
        for _ in range(10):
            assert sum(play_hand(bots, hand, generator)[0].won) == 0
    assert Bot(FixedAgent("raise")).act("AsKs", "R3", table=TWO).action == "R5"
    assert Bot(FixedAgent("all-in")).act("AsKs", "R3", table=TWO).action == "A30"
    assert Bot(FixedAgent("random")).act("AsKs", "R3", table=TWO).mixture == pytest.approx(
        {"F": 1 / 3, "C": 1 / 3, "R5": 1 / 9, "R9": 1 / 9, "A30": 1 / 9}
    )
    with refuses(UnknownNameError, option="rule"):
        FixedAgent("bluff")
    with refuses(ConfigError, option="table"):
        Bot(FixedAgent("call")).act("AsKs")


def test_fixed_opponents_sit_at_tables_of_games() -> None:
    game = eq.load_game("leduc")
    session = Session(game, [FixedAgent("all-in"), FixedAgent("call")], seed=1)
    assert next(hand.moves[2].action for hand in session.play(3)) == "raise"
    with refuses(ConfigError, option="actions"):
        FixedAgent("call").mixture(Table.start(eq.load_game("rps")))


def test_games_are_played_by_the_parts_of_a_key() -> None:
    strategy = eq.Strategy.first_action(eq.compile_game("leduc"))
    bot = Bot(strategy)
    answer = bot.act("Js", "cc/Qs", ["call", "raise"])
    assert (answer.action, answer.strategy_line) == ("call", "Js:cc/Qs")
    assert Bot(eq.Strategy.first_action(eq.compile_game("kuhn"))).act("1", "pb").action == "pass"
    with refuses(UnknownNameError, option="infoset"):
        bot.act("Js", "cccc")
    with refuses(ConfigError, option="legal_actions"):
        bot.act("Js", "", ["bet"])


def test_labels_that_are_no_actions_are_refused_in_one_sentence() -> None:
    bot = Bot(FixedAgent("call"))
    table = Hand(stack=10, bets="a", last_street="preflop")
    with pytest.raises(ConfigError) as refused:
        bot.act("AsJs", "", ["Z"], table=table)
    assert refused.value.given == "Z"
    assert refused.value.remedy
    assert "\n" not in f"{refused.value}"


def test_strategies_without_a_tree_are_played() -> None:
    result: Any = eq.solve("rules:leduc", iterations=200, sampling=eq.Sampling(sampler="external"))
    bot = Bot(result)
    answer = bot.act("Js", "cc/Qs")
    assert answer.mixture == pytest.approx(result.strategy["Js:cc/Qs"])


def test_spots_are_played_with_bets_of_any_size() -> None:
    solution = solved(TURN)
    bot = Bot(solution, seed=2)
    root = bot.act("AcAd", "")
    wanted = SolutionAgent(solution).mixture_at("AcAd:")
    assert [*root.mixture.values()] == pytest.approx(wanted)
    later = bot.act("KcKd", "B7")
    assert later.decided_by is DecidedBy.BLUEPRINT
    assert [mapped.action for mapped in later.mapped] == ["B7"]


class PassiveSearch:
    """Answers check or call on the river, and remembers what it was told."""

    def __init__(self) -> None:
        self.asked = list[tuple[SearchState, int, Any]]()

    def search(
        self, state: SearchState, combo: int, ranges: Any, seconds: Any, generator: Any, /
    ) -> Searched | None:
        self.asked.append((state, combo, ranges))
        if len(state.board) < 5:
            return None
        passive = next(action for action in state.actions if action.code in "XC")
        return Searched((passive,), np.ones((1, 1326)), "passive")


def test_a_search_is_told_the_ranges_as_they_were_played() -> None:
    search = PassiveSearch()
    bot = Bot(small_blueprint(), search, seed=1)
    bot.act("AhKh", "R3")
    bot.act("AhKh", "R3-C|TdJhQs|X-B3", seconds=1.0)
    state, combo, ranges = search.asked[-1]
    assert (state.line, state.blueprint_line) == ("R3-C|QsJhTd|X-B3", "R3-C|X-B3")
    assert (state.seat, combo) == (1, parse_combo("AhKh"))
    blueprint = small_blueprint()
    node = node_at(blueprint.tree, "R3-C|X-B3")
    assert ranges == pytest.approx(ranges_at(blueprint, node, parse_cards("TdJhQs")), abs=1e-6)
    river = bot.act("AhKh", "R3-C|TdJhQs|X-B3-C|Th|X-X|As|")
    assert river.decided_by is DecidedBy.SEARCH
    assert (river.action, river.note) == ("X", "passive")
    bot.act("AhKh", "R3-C|TdJhQs|X-B3-C|Th|X-X|As|X-B3")
    before, after = search.asked[-2][2], search.asked[-1][2]
    assert after[1] == pytest.approx(before[1])  # all own hands checked
    assert (after[0] < before[0]).any()


def test_at_a_table_it_is_an_agent() -> None:
    blueprint = small_blueprint()
    other = SolutionAgent(blueprint, "b")
    session = Session(HandGame(TWO), [Bot(blueprint, seed=1, name="a"), other], seed=4)
    plain = Session(HandGame(TWO), [SolutionAgent(blueprint, "a"), other], seed=4)
    assert [hand.payoffs for hand in session.play(4)] == [hand.payoffs for hand in plain.play(4)]
    assert Bot(blueprint).solution is blueprint
    assert Bot(blueprint, PassiveSearch()).solution is None


def test_a_new_hand_begins_where_a_line_does_not_go_on() -> None:
    bot = Bot(small_blueprint())
    assert bot.hand == 0
    bot.act("AhKh", "R3")
    bot.act("AhKh", "R3-C|TdJhQs|X-B3")
    assert bot.hand == 1
    bot.act("AhKh", "R3")
    assert bot.hand == 2
    bot.act("AsKh", "R3-C|TdJhQs|X-B3")
    assert bot.hand == 3
    actions = {bot.act("AhKh", "").action for _ in range(60)}
    assert len(actions) > 1
    bot.begin(5)
    assert {bot.act("AhKh", "").action for _ in range(60)} == {bot.act("AhKh", "").action}
    assert bot.hand == 5
    bot.act("AhQh", "")
    assert bot.hand == 6


@pytest.mark.parametrize(
    ("question", "kind", "option"),
    [
        (("Ah",), CardSyntaxError, "hole_cards"),
        (("AhAh",), CardSyntaxError, "hole_cards"),
        (("2h3h",), ConfigError, "hole_cards"),
        ((7,), ConfigError, "hole_cards"),
        (("AhKh", 7), ConfigError, "line"),
        (("AhKh", "AsKs-R3"), LineSyntaxError, "line"),
        (("AhKh", "AsKs|R3"), LineSyntaxError, "line"),
        (("AhKh", "R3-C|AhJhQs|X"), LineSyntaxError, "line"),
        (("AhKh", "R3-C|TdJh|X"), LineSyntaxError, "line"),
        (("AhKh", "R3-C|TdJhQs|X-X|Td|X"), LineSyntaxError, "line"),
        (("AhKh", "R3-C|TdJhQs|X-X|2d|X"), ConfigError, "line"),
        (("AhKh", "R1.5"), LineSyntaxError, "line"),
        (("AhKh", "R3-X"), LineSyntaxError, "line"),
        (("AhKh", "R3-F"), ConfigError, "line"),
        (("AhKh", "R3-F-C"), LineSyntaxError, "line"),
        (("AhKh", "R3-C"), ConfigError, "line"),
        (("AhKh", "R3|TdJhQs"), LineSyntaxError, "line"),
        (("AhKh", "", []), ConfigError, "legal_actions"),
        (("AhKh", "", ["jump"]), ConfigError, "legal_actions"),
        (("AhKh", "", [3]), ConfigError, "legal_actions"),
        (("AhKh", "", None, -1), ConfigError, "seconds"),
    ],
)
def test_impossible_questions_are_refused(question: Any, kind: Any, option: str) -> None:
    with refuses(kind, option=option):
        Bot(small_blueprint()).act(*question)


def test_a_few_tables_are_kept() -> None:
    bot = Bot(small_blueprint())
    for stack in range(20, 50):
        table = Hand(stack=stack, bets="50%,100%,a", raises="100%,a", deck="T")
        answer = bot.act("AhKh", "", table=table)
        assert bot.act("AhKh", "", table=table).mixture == answer.mixture
    assert len(bot._mind._tables) < 10  # type: ignore[attr-defined]


def test_a_fingerprint_is_that_of_the_content(tmp_path: Path) -> None:
    solution = unchecked(PUSHES)
    saved = eq.load_result(solution.save(tmp_path / "p.safetensors"))
    assert saved.fingerprint() == solution.fingerprint()
    blueprint, longer = small_blueprint(), Bot(small_blueprint(), seconds=2.0)
    assert Bot(blueprint, name="a").identity() == Bot(blueprint, name="b", seed=3).identity()
    assert longer.identity() != Bot(blueprint).identity()


def test_tables_and_strategies_that_do_not_fit_are_refused() -> None:
    bot = Bot(small_blueprint())
    for table in (table_of(3), TURN, "hand"):
        with refuses(ConfigError, option="table"):
            bot.act("AhKh", table=unchecked(table))
    with refuses(MismatchError, option="strategy"):
        Bot([small_blueprint(), small_blueprint(table_of(3))])
    nothing: tuple[Any, ...] = (None, [], 3, "b.safetensors")
    for strategy in nothing:
        with refuses(ConfigError, option="strategy"):
            Bot(unchecked(strategy))
    with refuses(ConfigError, option="search"):
        Bot(small_blueprint(), unchecked(3))
    with refuses(ConfigError, option="search"):
        Bot(eq.Strategy.uniform(eq.compile_game("kuhn")), PassiveSearch())


def test_a_coach_says_what_a_search_thinks() -> None:
    blueprint, game = small_blueprint(), HandGame(TWO)
    bot = Bot(blueprint, PassiveSearch(), seed=1)
    coach = ThinkingCoach(PlainCoach(), bot, game)
    assert coach.advise("AhKh:R3-C|TdJhQs|X", 0).searched is None  # this search knows rivers only
    advice = coach.advise("AhKh:R3-C|TdJhQs|X-X|Th|X-X|As|X", 1)
    assert advice.searched == (1.0, 0.0, 0.0, 0.0)


class PlainCoach:
    """Names the actions of the blueprint, and no values."""

    def advise(self, infoset: str, chosen: int, /) -> Advice:
        hand, _, line = infoset.partition(":")
        labels = tuple(Bot(small_blueprint()).act(hand, line).mixture)
        return Advice(infoset, labels, chosen, None, ())


def test_an_exact_solution_solves_flops_within_the_time_of_the_bot() -> None:
    hand = Hand(stack=6, bets="2x,a|50%,a", raises="a", board="1/1", deck="T", last_street="flop")
    solution = solve_preflop(hand, iterations=20, threads=1)
    answer = Bot(solution, seconds=0.5).act("JhTd", "C-X|Qh|X")
    assert answer.decided_by is DecidedBy.BLUEPRINT
    assert answer.seconds < 60.0
