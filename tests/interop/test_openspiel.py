"""Games of OpenSpiel by name, our games as OpenSpiel's, strategies both ways."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
from open_spiel.python.policy import TabularPolicy, UniformRandomPolicy

from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    GameSpecError,
    MemoryBudgetError,
    MismatchError,
    RecallError,
    UnknownNameError,
)
from equilibrist.evaluation import evaluate, nash_conv
from equilibrist.game_loading import check_game, compile_game
from equilibrist.games import load_game
from equilibrist.games.library.kuhn import Kuhn
from equilibrist.games.openspiel import OpenSpielGame
from equilibrist.interop.openspiel import from_policy, to_openspiel, to_policy
from equilibrist.solvers.full_traversal.cfr import CFR
from equilibrist.strategy import Strategy
from tests.games.openspiel_figures import SIZES
from tests.games.walking import moments, sizes
from tests.refusals import refuses
from tests.unhurried import do_not_hurry

TWINS = {
    "kuhn": "openspiel:kuhn_poker",
    "kuhn(players=3)": "openspiel:kuhn_poker(players=3)",
    "leduc": "openspiel:leduc_poker",
    "liars_dice(sides=3)": "openspiel:liars_dice(dice_sides=3)",
    "shapley": "openspiel:turn_based_simultaneous_game(game=matrix_shapleys_game())",
    "goofspiel(cards=3,imp_info=true,points_order=descending)": (
        "openspiel:turn_based_simultaneous_game("
        "game=goofspiel(imp_info=True,num_cards=3,points_order=descending))"
    ),
}
OURS = ["kuhn", "kuhn(players=3)", "liars_dice(sides=2)", "battle_of_the_sexes", "random_tree"]


def random_strategy(tree: Any, seed: int = 1) -> Strategy:
    draws = np.random.default_rng(seed).random(int(tree.action_offset[-1])) + 0.05
    sums = np.add.reduceat(draws, tree.action_offset[:-1])
    return Strategy(tree, draws / np.repeat(sums, np.diff(tree.action_offset)))


@pytest.mark.parametrize("ours", TWINS)
def test_the_same_games_as_ours(ours: str) -> None:
    theirs = load_game(TWINS[ours])
    if "turn_based" in TWINS[ours]:  # OpenSpiel writes all parameters of the game within
        assert theirs.name.startswith("openspiel:turn_based_simultaneous_game(game=")
    else:
        assert theirs.name == TWINS[ours]
    assert sizes(theirs)[:3] == SIZES[ours]
    for mine, found in zip(moments(load_game(ours)), moments(theirs), strict=True):
        assert found == pytest.approx(mine, abs=1e-12)


def test_the_engine_plays_them_as_it_plays_ours() -> None:
    values = []
    for name in ("leduc", TWINS["leduc"]):
        solver = CFR(compile_game(name), algorithm="cfr+")
        solver.run(20)
        values.append(nash_conv(solver.average_strategy()))
    assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "openspiel:kuhn_poker(players=3)",
        "openspiel:tiny_hanabi",
        "openspiel:turn_based_simultaneous_game(game=matrix_rps())",
        "openspiel:turn_based_simultaneous_game(game=oshi_zumo(coins=2,horizon=3,size=1))",
        (
            "openspiel:turn_based_simultaneous_game("
            "game=goofspiel(imp_info=True,num_cards=3,players=3))"
        ),
        "openspiel:catch(columns=2,rows=3)",
        "openspiel:turn_based_simultaneous_game(game=matrix_mp())",
    ],
)
def test_the_rules_are_clean_and_their_name_loads_them_again(name: str) -> None:
    game = load_game(name)
    check_game(game).raise_if_bad()
    again = compile_game(load_game(game.name))
    assert again.fingerprint == compile_game(game).fingerprint
    assert again.name == game.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("python_kuhn_poker", "2 players, True"),
        (
            "turn_based_simultaneous_game(game=python_iterated_prisoners_dilemma())",
            "2 players, True",
        ),
        ("python_kuhn_pokr", "python_kuhn_poker, True"),
        ("kuhn_poker", "2 players, False"),
        ("turn_based_simultaneous_game(game=matrix_rps())", "2 players, False"),
    ],
)
def test_games_in_python_are_imported_where_a_name_may_mean_one(text: str, said: str) -> None:
    """In a process of its own: nothing else has imported them there."""
    code = """if True:
        import sys
        from equilibrist.errors import UnknownNameError
        from equilibrist.games import load_game
        try:
            said = f"{load_game('openspiel:' + sys.argv[1]).num_players} players"
        except UnknownNameError as error:
            said = error.suggestions[0]
        print(said, "open_spiel.python.games" in sys.modules, sep=", ")
    """
    line = [sys.executable, "-c", code, text]
    ran = subprocess.run(line, capture_output=True, text=True, check=True)
    assert ran.stdout == f"{said}\n"


def test_a_game_in_python_has_the_tree_of_its_twin() -> None:
    assert compile_game("openspiel:python_kuhn_poker").num_nodes == 58


def test_games_whose_keys_do_not_say_whose_they_are() -> None:
    """In phantom tic-tac-toe both players begin with the same text, and other moves."""
    game = load_game("openspiel:phantom_ttt")
    first = game.initial_state()
    keys = {game.infoset(first), game.infoset(game.next(first, 0))}
    assert {key.partition(":")[0] for key in keys} == {"player 0", "player 1"}


def test_perfect_information_without_information_states() -> None:
    game = load_game("openspiel:pig(players=2,winscore=5,horizon=4,diceoutcomes=2)")
    tree = compile_game(game)
    assert evaluate(Strategy.uniform(tree)).nash_conv > 0
    assert tree.infoset_keys[0] == ""


@pytest.mark.parametrize(
    "name",
    [
        "matrix_rps()",
        "goofspiel(num_cards=3)",
        "repeated_game(num_repetitions=2,stage_game=matrix_rps())",
    ],
)
def test_simultaneous_moves_are_to_be_played_turn_by_turn(name: str) -> None:
    """The error says how; what it says is a game."""
    with refuses(GameSpecError, option="game", given=name) as raised:
        load_game(f"openspiel:{name}")
    assert raised.value.remedy
    advice = raised.value.remedy.rpartition(" ")[2]
    assert advice.startswith("openspiel:turn_based_simultaneous_game(game=")
    assert compile_game(advice).num_players == 2
    with refuses(GameSpecError, option="game", given=name):
        OpenSpielGame(pyspiel.load_game(name))


def test_nobody_sees_the_others_choice_in_the_same_round() -> None:
    """Though all that is over is open, and no information states say so."""
    twice = "repeated_game(num_repetitions=2,stage_game=matrix_rps())"
    tree = compile_game(f"openspiel:turn_based_simultaneous_game(game={twice})")
    assert tree.num_infosets == 2 * (1 + 9)
    assert {"player 0: ", "player 1: ", "player 0: 0, 2", "player 1: 0, 2"} < set(tree.infoset_keys)
    strategy = Strategy.uniform(tree)
    assert evaluate(strategy).gains == pytest.approx((0.0, 0.0), abs=1e-12)
    game: Any = tree.game
    assert exploitability.nash_conv(game.spiel, to_policy(strategy)) == pytest.approx(0.0)
    assert (from_policy(tree, to_policy(strategy)).probabilities == strategy.probabilities).all()


def test_rounds_of_which_not_everybody_takes_part() -> None:
    """Soccer begins with chance alone; then both move at once, knowing where the ball is."""
    game = load_game("openspiel:turn_based_simultaneous_game(game=markov_soccer(horizon=2))")
    check_game(game).raise_if_bad()
    begun = game.next(game.initial_state(), 0)
    keys = [game.infoset(begun), *(game.infoset(game.next(begun, move)) for move in (0, 1))]
    assert keys == ["player 0: 2", "player 1: 2", "player 1: 2"]


def test_a_game_object_of_theirs() -> None:
    game = OpenSpielGame(pyspiel.load_game("kuhn_poker"))
    assert compile_game(game).fingerprint == compile_game("openspiel:kuhn_poker").fingerprint
    with refuses(GameSpecError, option="game", given="kuhn"):
        OpenSpielGame("kuhn")
    state = game.next(game.initial_state(), 0)
    assert state == game.next(game.initial_state(), 0)
    assert hash(state) == hash(game.next(game.initial_state(), 0))
    assert state != game.initial_state()


@pytest.mark.parametrize(
    ("spec", "error", "fields"),
    [
        ("openspiel:", GameSpecError, dict(option="game", given="openspiel:", position=10)),
        (
            "openspiel:kuhn_pokr",
            UnknownNameError,
            dict(
                option="game of OpenSpiel",
                name="kuhn_pokr",
            ),
        ),
        ("openspiel:kuhn_poker(", GameSpecError, dict(option="game", given="kuhn_poker(")),
        ("openspiel:kuhn_poker(x=3)", GameSpecError, dict(option="game", given="kuhn_poker(x=3)")),
        (
            "openspiel:kuhn_poker(players=99)",
            GameSpecError,
            dict(option="game", given="kuhn_poker(players=99)"),
        ),
        ("openspiel:mfg_garnet", GameSpecError, dict(option="game", given="mfg_garnet")),
        ("openspiel:nfg_game", GameSpecError, dict(option="game", given="nfg_game")),
        ("openspiel:negotiation", GameSpecError, dict(option="game", given="negotiation")),
        ("openspiel:coin_game", GameSpecError, dict(option="game", given="coin_game")),
        (
            "openspiel:efg_game(filename=/no.efg)",
            GameSpecError,
            dict(option="game", given="efg_game(filename=/no.efg)"),
        ),
    ],
)
def test_what_cannot_be_loaded(
    spec: str,
    error: type[EquilibristError],
    fields: dict[str, Any],
    capfd: pytest.CaptureFixture[str],
) -> None:
    with refuses(error, **fields):
        load_game(spec)
    assert capfd.readouterr() == ("", "")  # OpenSpiel's own complaint is not heard twice


def test_parameters_belong_in_the_brackets() -> None:
    with refuses(GameSpecError, option="players"):
        load_game("openspiel:kuhn_poker", players=3)


def test_too_large_and_forgetful_games_are_refused_as_ours_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    do_not_hurry(monkeypatch)
    with refuses(MemoryBudgetError, option="max_histories", given=10000, histories=15360):
        compile_game("openspiel:connect_four", max_histories=10_000)
    with refuses(RecallError, infoset="P1 1 1-3 2-1 2-2 2-3"):
        CFR(compile_game("openspiel:liars_dice_ir(dice_sides=3)"))


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "equilibrist.interop.spiel_game", raising=False)
    for call in (
        lambda: load_game("openspiel:kuhn_poker"),
        lambda: to_openspiel(compile_game("kuhn")),
        lambda: to_policy(Strategy.uniform(compile_game("kuhn"))),
    ):
        with refuses(ConfigError, option="package", given="open-spiel"):
            call()


@pytest.mark.parametrize("name", OURS)
def test_their_algorithms_measure_our_games_as_we_do(name: str) -> None:
    tree = compile_game(name)
    game = to_openspiel(tree)
    assert game.num_players() == tree.num_players
    strategy = random_strategy(tree)
    found = evaluate(strategy)
    policy = to_policy(strategy)
    scores = expected_game_score.policy_value(game.new_initial_state(), [policy] * tree.num_players)
    assert list(scores) == pytest.approx(found.values, abs=1e-12)
    for in_cpp in (False, True):
        theirs = exploitability.nash_conv(game, policy, use_cpp_br=in_cpp)
        assert theirs == pytest.approx(found.nash_conv, abs=1e-12)


@pytest.mark.slow
def test_their_solvers_run_on_our_games() -> None:
    """Their CFR in Python and in C++ makes our steps; their sampler is let loose."""
    tree = compile_game("kuhn(players=3)")
    game = to_openspiel(tree)
    ours = CFR(tree, algorithm="cfr")
    ours.run(5)
    for solver in (cfr.CFRSolver(game), pyspiel.CFRSolver(game)):
        for _ in range(5):
            solver.evaluate_and_update_policy()
        theirs = from_policy(tree, solver.average_policy())
        expected = ours.average_strategy().probabilities
        assert theirs.probabilities == pytest.approx(expected, abs=1e-12)
    sampler = ExternalSamplingSolver(to_openspiel(compile_game("kuhn")))
    for _ in range(200):
        sampler.iteration()
    sampled = from_policy(compile_game("kuhn"), sampler.average_policy())
    assert nash_conv(sampled) < 0.6  # uniform play has 0.917


@pytest.mark.parametrize("name", [*OURS, *TWINS.values()])
def test_strategies_go_and_come_back(name: str) -> None:
    tree = compile_game(name)
    strategy = random_strategy(tree, seed=7)
    policy = to_policy(strategy)
    assert isinstance(policy, TabularPolicy)
    assert np.array_equal(from_policy(tree, policy).probabilities, strategy.probabilities)


@pytest.mark.slow
def test_strategies_of_their_solvers_on_their_games() -> None:
    tree = compile_game("openspiel:leduc_poker")
    solver = cfr.CFRPlusSolver(to_openspiel(tree))
    for _ in range(3):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    theirs = exploitability.nash_conv(to_openspiel(tree), policy)
    assert nash_conv(from_policy(tree, policy)) == pytest.approx(theirs, abs=1e-12)


def test_any_policy_and_nothing_else() -> None:
    tree = compile_game("kuhn")
    uniform = from_policy(tree, UniformRandomPolicy(to_openspiel(tree)))
    assert np.array_equal(uniform.probabilities, Strategy.uniform(tree).probabilities)
    with refuses(MismatchError, option="policy", given="KeyError"):
        from_policy(tree, TabularPolicy(pyspiel.load_game("kuhn_poker")))
    words = UniformRandomPolicy(to_openspiel(tree))
    words.action_probabilities = lambda state, player=None: {0: "often", 1: "seldom"}
    with refuses(MismatchError, option="policy", given="ValueError"):
        from_policy(tree, words)
    with refuses(ConfigError, option="policy", given="Strategy('kuhn', 12 infosets)"):
        from_policy(tree, Strategy.uniform(tree))


def test_states_are_like_theirs() -> None:
    state = to_openspiel(compile_game("kuhn")).new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(i, pytest.approx(1 / 3)) for i in range(3)]
    dealt = state.child(2).child(0)
    assert state.history() == []
    assert dealt.current_player() == 0
    assert dealt.information_state_string() == "3"
    assert [dealt.action_to_string(a) for a in dealt.legal_actions()] == ["pass", "bet"]
    over = dealt.child(1).child(1)
    assert over.is_terminal()
    assert over.current_player() == pyspiel.PlayerId.TERMINAL
    assert over.returns() == [2.0, -2.0]
    assert dealt.returns() == [0.0, 0.0]
    assert dealt.clone().game is dealt.game
    kinds = pyspiel.GameType.Utility
    for name, kind in (("kuhn", kinds.ZERO_SUM), ("battle_of_the_sexes", kinds.GENERAL_SUM)):
        assert to_openspiel(compile_game(name)).get_type().utility == kind


def test_each_history_is_worked_out_once() -> None:
    """OpenSpiel visits it in every iteration, and asks the same questions again and again."""

    class Counting(Kuhn):
        """Counts how often its rules are asked."""

        asked: ClassVar[Counter[str]] = Counter()

        def next(self, state: Any, action_index: int) -> Any:
            self.asked["next"] += 1
            return super().next(state, action_index)

        def infoset(self, state: Any) -> str:
            self.asked["infoset"] += 1
            return super().infoset(state)

    tree = compile_game(Counting())
    Counting.asked.clear()
    solver = pyspiel.CFRPlusSolver(to_openspiel(tree))
    solver.evaluate_and_update_policy()
    first = dict(Counting.asked)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    assert dict(Counting.asked) == first
    assert first["next"] <= tree.num_nodes
    theirs = from_policy(tree, solver.average_policy())
    assert nash_conv(theirs) < 0.5
