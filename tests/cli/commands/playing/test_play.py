"""`equilibrist play` as a user types it: pipes, terminals, nonsense, ends."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import equilibrist as eq
from equilibrist.cli.main import run
from equilibrist.library.names import newest
from equilibrist.play import Aivat, Table, read_log
from tests.cli.command import PROGRAM, Ran, Shell
from tests.slow_cases import examples

pytestmark = pytest.mark.usefixtures("solutions")


def piped(line: str, typed: str | bytes, **environment: str) -> Ran:
    done = subprocess.run(
        [*PROGRAM, *shlex.split(line)],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env={**os.environ, **environment},
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_pipe_plays_whole_hands_and_ends_politely(folder: Path) -> None:
    ran = piped("play kuhn --seed 1", "bet\npass\n")
    assert ran.code == 0, ran.err
    assert ran.out.count("is over:") == 2
    assert "kuhn: the score after 2 hands" in ran.out
    assert re.search(r"you +-\d +-1\.500000 +\(95 % interval -\d", ran.out)
    assert "error" not in ran.err


def test_a_game_that_is_not_solved_is_solved_first(typing: Typing) -> None:
    typing("last --clear").ok()
    before = sorted(Path().iterdir())
    ran = typing.play("kuhn --hands 1", "bet\n")
    assert ran.code == 0
    assert re.search(r"solved by dcfr, .* saved as `last`", ran.err)
    (file,) = newest()
    solution = eq.Result.load(file)
    assert solution.exploitability is not None
    assert solution.exploitability <= 4e-4
    again = typing.play("kuhn --hands 1", "bet\n")
    assert "using the solution stored as `last`" in again.err
    assert "solved by" not in again.err
    assert sorted(Path().iterdir()) == before


def test_a_solution_of_the_same_rules_is_played(typing: Typing, rules) -> None:
    """Not one of another game of that name, and not one of another game that was saved later."""
    rules("def payoffs(self, state): return [0, 0]")
    typing("solve rules.py:Bad -n 3 -q").ok()
    typing("solve rules.py:Tiny -n 3000 -q").ok()
    typing("solve rules.py:Tiny -n 2000 -q --algorithm cfr").ok()
    typing("solve rules.py:Bad -n 5 -q").ok()
    typing("solve leduc -n 3 -q").ok()
    ran = typing.play("rules.py:Tiny --seats ai,uniform --hands 1", "")
    assert re.search("using the solution stored as `last-[34]`", ran.ok().err)
    ran = typing.play("rules.py:Bad --seats ai,uniform --hands 1", "")
    assert "using the solution stored as `last-2`" in ran.ok().err


def test_the_best_stored_solution_is_played_not_the_newest(typing: Typing) -> None:
    typing("last --clear").ok()
    typing("solve kuhn -t 1e-4 -q").ok()
    typing("solve kuhn -n 30 -q").ok()
    typing("solve kuhn -n 1 -q").ok()
    for line in ("kuhn --hands 1", "kuhn --hands 1 --coach", "kuhn --drill 1 --hands 1"):
        ran = typing.play(line, "bet\n").ok()
        assert "using the solution stored as `last-3`" in ran.err
        assert "solved by" not in ran.err


@pytest.mark.parametrize("options", ["-n 1", "-n 30 --sampler external"])
def test_a_bad_solution_is_not_played(typing: Typing, options: str) -> None:
    """The coach would judge by it."""
    typing("last --clear").ok()
    typing(f"solve kuhn {options} -q").ok()
    ran = typing.play("kuhn --hands 1 --coach", "bet\n").ok()
    assert "solved by dcfr" in ran.err
    assert "`last`, has exploitability" in ran.err
    again = typing.play("kuhn --hands 1", "bet\n").ok()
    assert "using the solution stored as `last`: dcfr" in again.err


def test_a_long_run_is_not_done_again(typing: Typing, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game that does not get better, the best that there is must do."""
    monkeypatch.setattr("equilibrist.solving.config.DEFAULT_ITERATIONS", 40)
    monkeypatch.setattr("equilibrist.library.contest.GOOD_SHARE", 0.0)
    typing("last --clear").ok()
    typing("solve kuhn -n 30 -q").ok()
    typing("solve kuhn -n 50 -q").ok()
    ran = typing.play("kuhn --hands 1", "bet\n").ok()
    assert "using the solution stored as `last`" in ran.err


class Typing(Shell):
    """Types command lines, and then into the standard input of what they start."""

    def __init__(self, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        super().__init__(capture)
        self.patch = patch

    def play(self, line: str, typed: str) -> Ran:
        self.patch.setattr("sys.stdin", io.StringIO(typed))
        return self(f"play {line}")


@pytest.fixture
def typing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Typing:
    return Typing(capsys, monkeypatch)


@pytest.mark.parametrize(("typed", "hands"), [("pass\n", 0), ("bet\nbet\npass\n", 2)])
def test_a_pipe_that_closes_in_mid_hand_is_one_error(
    typing: Typing, typed: str, hands: int
) -> None:
    """Passing first either ends the hand or meets a bet: then the hand is not over."""
    codes = set()
    for seed in range(12):
        ran = typing.play(f"kuhn --seed {seed} --log {seed}.jsonl", typed)
        in_mid_hand = ran.out.count("is over:") == hands
        codes.add(ran.code)
        assert ran.code == (2 if in_mid_hand else 0)
        assert ran.err.count("error:") == (1 if in_mid_hand else 0)
        complete = hands if in_mid_hand else hands + 1
        assert len(read_log(f"{seed}.jsonl")[0].hands) == complete
        assert (f"the score after {complete} hand" in ran.out) is (complete > 0)
        if in_mid_hand:
            assert f"in the middle of hand {hands + 1}, which does not count" in ran.err
            assert f"complete hands: {hands}" in ran.err
    assert codes == {0, 2}


@pytest.mark.parametrize("typed", ["", "\n", "nonsense\n"])
def test_a_pipe_without_a_single_hand_is_an_error(typing: Typing, typed: str) -> None:
    ran = typing.play("kuhn", typed)
    assert ran.code == 2
    assert "complete hands: 0" in ran.err


def test_invalid_values_are_refused_with_a_remedy() -> None:
    typed = "raise\n\n99\n-1\nbét\n\x00\n" + "x" * 5000 + "\n?\nBET\n"
    ran = piped("play kuhn --hands 1 --seed 1", typed.encode() + b"")
    assert ran.code == 0, ran.err
    assert ran.out.count("is not one of the actions") == 6
    assert ran.out.count("Nothing was typed") == 1
    assert ran.out.count("actions: 1) pass  2) bet") == 9
    assert "beginning of it" in ran.out
    assert "you (player 0): bet" in ran.out
    assert max(map(len, ran.out.splitlines())) < 200


def test_bytes_that_are_no_text_are_nonsense_too() -> None:
    ran = piped("play kuhn --hands 1 --seed 1", b"\xff\xfe\nbet\n")
    assert ran.code == 0, ran.err
    assert "is not one of the actions" in ran.out


@pytest.mark.parametrize("word", ["q", "quit", "Q", "exit"])
def test_q_ends_at_once(typing: Typing, word: str) -> None:
    ran = typing.play("kuhn --seed 1", f"bet\n{word}\nbet\n")
    assert ran.code == 0
    assert "the score after 1 hand" in ran.out
    assert ran.err.count("error") == 0
    assert "No hand was complete." in typing.play("kuhn", f"{word}\n").out


def test_actions_are_called_what_people_call_them(typing: Typing) -> None:
    """Facing a bet, pass is to fold and bet is to call; the log keeps the names of the game."""
    ran = typing.play(
        "kuhn --seats human,human --hands 1 --log h.jsonl", "check\nb\n?\ncall\n"
    ).ok()
    assert "actions: 1) pass  2) bet " in ran.out
    assert "actions: 1) fold (pass)  2) call (bet) " in ran.out
    assert "fold is understood as pass too." in ran.out
    assert "moves      pass, bet" in ran.out
    assert "person 1 (player 0): call" in ran.out
    assert re.search(r"person 1 \(player 0\) +[JQK]pb +call", ran.out)
    assert [action for *_, action in read_log("h.jsonl")[0].hands[0].moves[2:]] == [
        "pass",
        "bet",
        "bet",
    ]
    ran = typing.play("leduc --seats human,human --hands 1", "check\nbet\nraise\nfold\n").ok()
    assert "actions: 1) check (call)  2) bet (raise) " in ran.out
    assert "actions: 1) fold  2) call  3) raise " in ran.out
    assert "round 1    check, bet, raise" in ran.out
    assert re.search(r"\S+:crr +fold", ran.out)
    ran = typing.play("leduc --seed 1 --show-ai --seats uniform,uniform --hands 5", "").ok()
    assert re.search(r"check 0\.5000.*bet 0\.5000", ran.out)
    assert re.search(r"fold 0\.3333.*call 0\.3333.*raise 0\.3333", ran.out)


@pytest.mark.by_default(1)
@pytest.mark.parametrize(
    "game", ["kuhn(players=3)", "leduc(ranks=2)", "goofspiel(cards=3,players=3,imp_info=true)"]
)
def test_nothing_hidden_shows_before_the_end(typing: Typing, game: str) -> None:
    """The screen depends on the person's own infosets alone: equal infosets, equal screens."""
    tree = eq.compile_game(game)
    eq.Strategy.uniform(tree).save("u.json")
    line = f"'{game}' --strategy u.json --seed 3 --hands 400 --show-ai --coach --log hands.jsonl"
    ran = typing.play(line, "1\n" * 2_000).ok()
    (session,) = read_log("hands.jsonl")
    seen: dict[tuple[str, ...], str] = {}
    truths: dict[tuple[str, ...], set[str]] = {}
    for hand in session.hands:
        start = ran.out.index(f"Hand {hand.hand}: you")
        screen = ran.out[start : ran.out.index(f"Hand {hand.hand} is over")]
        known: tuple[str, ...] = ()
        table = Table.start(tree.game)
        for player, index, _ in hand.moves:
            if player == hand.seats.index(0):
                known = (*known, str(player), table.infoset)
            table = table.play(index)
        screen = screen.replace(f"Hand {hand.hand}:", "Hand:")
        assert seen.setdefault(known, screen) == screen
        truths.setdefault(known, set()).add(str(hand.moves))
    assert max(map(len, truths.values())) >= 3  # the hidden parts did differ


def test_everything_is_shown_at_the_end(typing: Typing) -> None:
    ran = typing.play("kuhn --hands 1 --seed 1 --show-ai", "bet\n")
    end = ran.out.split("is over:")[1]
    chance = re.findall(r"^ +chance +([JQK]) *$", end, flags=re.MULTILINE)
    assert len(set(chance)) == 2
    assert re.search(rf"you \(player 0\) +{chance[0]} +bet +chosen", end)
    ai = re.search(rf"AI \(player 1\) +{chance[1]}b +(fold|call) +(.*)", end)
    assert ai is not None
    strategy = eq.Result.load("kuhn-dcfr.safetensors").strategy[f"{'JQK'.index(chance[1]) + 1}b"]
    parts = [f"fold {strategy['pass']:.4f}", f"call {strategy['bet']:.4f}"]
    assert ai[2] == "  ".join(f"[{x}]" if x.startswith(ai[1]) else x for x in parts)


def test_nonsense_without_end_ends(typing: Typing) -> None:
    """As from `yes x`: the complete hands count, and it is said what was expected."""
    ran = typing.play("kuhn --seed 1 --hands 9", "1\n1\n" + "x\n" * 1000)
    assert ran.code == 2
    assert "100 lines in a row were no action, the last one 'x'" in ran.err
    assert "or q to end" in ran.err
    assert ran.out.count("Hand 1 is over") == 1
    ran = typing.play("kuhn --seed 1 --hands 1", "x\n" * 99 + "1\n" + "x\n" * 99 + "1\n")
    assert ran.code == 0


def test_the_coach_adds_up_complete_hands_only(typing: Typing) -> None:
    """What was given up in a hand that was broken off was said, and is not counted."""
    eq.Strategy.uniform(eq.compile_game("kuhn")).save("u.json")
    broken_off = 0
    for seed in range(12):
        line = f"kuhn --seed {seed} --strategy u.json --fixed-seats --coach --log {seed}.jsonl"
        ran = typing.play(line, "bet\npass\nq\n")
        assert ran.code == 0
        (session,) = Path(f"{seed}.jsonl").read_text().split('{"format"')[1:]
        hands = [json.loads(text) for text in session.splitlines()[1:]]
        logged = sum(move["ev_loss"] or 0.0 for hand in hands for move in hand["moves"])
        said = sum(map(float, re.findall(r"an EV loss of (\d\S+):", ran.out)))
        total = re.search(r"Total EV loss against the solution: (\S+) in", ran.out)
        assert total is not None
        assert float(total[1]) == pytest.approx(logged, abs=2e-6)
        broken_off += said > logged + 0.1
    assert broken_off


def test_the_coach_says_the_ev_loss(typing: Typing) -> None:
    for seed in range(30):
        ran = typing.play(f"kuhn --seed {seed} --hands 1 --coach --log {seed}.jsonl", "bet\nbet\n")
        assert ran.code == 0
        document = json.loads(Path(f"{seed}.jsonl").read_text().splitlines()[1])
        own = [move for move in document["moves"] if move["probabilities"] is None]
        others = [move for move in document["moves"] if move["probabilities"] is not None]
        assert all(move["ev_loss"] is None for move in others)
        total = sum(move["ev_loss"] for move in own)
        found = re.search(r"Total EV loss against the solution: (\S+) in 1 hand", ran.out)
        assert found is not None
        assert float(found[1]) == pytest.approx(total, abs=1e-6)
        assert ran.out.count("Coach: bet ") == 1
        assert "within the error of the solution" in ran.err


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.sampled_from(["pass", "bet", "1", "?", "", "q", "p"]), st.text())))
def test_whatever_is_typed_never_breaks_it(solutions: None, typed: list[str]) -> None:
    lines = io.StringIO("\n".join(typed))
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr("sys.stdin", lines)
        code = run(["play", "kuhn", "--seed", "1", "--hands", "5", "--coach"])
    complete = out.getvalue().count("is over:")
    assert code == (2 if "in the middle of hand" in err.getvalue() else 0)
    assert code == 0 or err.getvalue().count("error:") == 1
    assert f"complete hands: {complete}" in err.getvalue() or code == 0
    assert "\x1b" not in out.getvalue()


def test_rules_that_fail_cost_no_earlier_hand(typing: Typing) -> None:
    Path("bad.py").write_text(
        "from equilibrist.games.library.kuhn import Kuhn\n"
        "class Bad(Kuhn):\n"
        "    def payoffs(self, state):\n"
        "        if state[1] == 'bb':\n"
        "            raise ValueError('no showdown')\n"
        "        return super().payoffs(state)\n"
    )
    ran = typing.play(
        "bad.py:Bad --seats human,human --log h.jsonl", "bet\npass\nbet\nbet\nbet\nbet\n"
    )
    assert ran.code == 2
    assert "no showdown" in ran.err
    assert ran.err.count("error:") == 1
    assert "the score after 1 hand" in ran.out
    assert len(read_log("h.jsonl")[0].hands) == 1


def test_two_people_share_a_pipe(typing: Typing) -> None:
    ran = typing.play("kuhn --seats human,human --seed 2", "pass\nbet\npass\n")
    assert ran.code == 0, ran.err
    assert ran.out.count("--- person 1 only ---") == 2
    assert ran.out.count("--- person 2 only ---") == 2
    assert "person 2 (player 1): bet" in ran.out
    assert not Path("leduc(players=3)-dcfr.safetensors").exists()


NUMBER = r"([+-]\d+\.\d{6})"
INTERVAL = rf"{NUMBER} \(95 % interval {NUMBER} to {NUMBER}\)"


@pytest.mark.parametrize("seats", ["human,ai", "human,kuhn.csv", "ai,uniform"])
def test_the_score_is_the_arithmetic_of_the_log(typing: Typing, seats: str) -> None:
    """Mean and Student's interval of both scores, worked out from the hands of the log."""
    typing("export kuhn-dcfr.safetensors kuhn.csv").ok()
    line = f"kuhn --seats {seats} --seed 5 --hands 8 --log h.jsonl"
    ran = typing.play(line, "bet\npass\n" * 20).ok()
    tree = eq.compile_game("kuhn")
    solution = eq.Result.load("kuhn-dcfr.safetensors").strategy.on(tree)
    uniform = eq.Strategy.uniform(tree)
    paid, estimated = [], []
    for hand in read_log("h.jsonl")[0].hands:
        place = hand.seats.index(0)
        known = {1 - place: uniform if seats == "ai,uniform" else solution}
        if seats == "ai,uniform":
            known[place] = solution
        paid.append(hand.payoffs[place])
        moves = [index for _, index, _ in hand.moves]
        estimated.append(float(Aivat.of(solution, known).estimate(moves)[place]))
    row = re.search(rf"^  (?:you|AI) +([+-]\d+)  {INTERVAL}  {INTERVAL}$", ran.out, re.MULTILINE)
    assert row is not None, ran.out
    assert int(row[1]) == sum(paid)
    for numbers, amounts in ((row.groups()[1:4], paid), (row.groups()[4:], estimated)):
        mean = sum(amounts) / 8
        half = 2.364624 * (sum((x - mean) ** 2 for x in amounts) / 7 / 8) ** 0.5  # t of 7
        expected = [mean, max(mean - half, -2.0), min(mean + half, 2.0)]  # what a hand can pay
        assert [float(text) for text in numbers] == pytest.approx(expected, abs=6e-7)
    assert "-0.0000" not in ran.out


UNITS = """EFG 2 R "units" { "A" "B" }
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "l" "r" } 0
t "" 1 "" { 1.23456e-4 123456 }
t "" 2 "" { 0 0 }
p "" 2 1 "" { "l" "r" } 0
t "" 3 "" { 0 0 }
t "" 4 "" { 2.34566e-4 0 }
"""


def test_each_seat_is_paid_in_its_own_unit(typing: Typing) -> None:
    Path("units.efg").write_text(UNITS)
    line = "units.efg --seats human,human --fixed-seats --hands 2 --seed 1"
    ran = typing.play(line, "1\n1\n2\n2\n").ok()
    running, _, score = ran.out.partition("the score after 2 hands")
    row = r"person \d +\+\S+  \+([\d,.]+) \(95 % interval -"
    assert re.findall(row, score) == ["0.000179011", "61,728.00"]
    assert "+0.000179011" in running


def test_no_second_score_without_a_strategy_of_the_tree(typing: Typing) -> None:
    ran = typing.play("kuhn --seats human,uniform --hands 2 --seed 1", "1\n" * 9).ok()
    assert "AIVAT" not in ran.out
    assert "-dcfr" not in ran.err
    assert "AIVAT" in typing.play("kuhn --hands 2 --seed 1", "1\n" * 9).ok().out


def test_zero_has_no_sign(typing: Typing) -> None:
    ran = typing.play("kuhn --seats ai,ai --hands 10 --seed 3683246772", "").ok()
    assert not re.search(r"-0(\.0+)?\b(?!\.)", ran.out)


def test_three_seats_move_on_and_every_line_of_the_log_is_json(typing: Typing) -> None:
    line = "'kuhn(players=3)' --seats human,uniform,uniform --seed 2 --hands 6 --log h.jsonl"
    typing.play(line, "1\n" * 40).ok()
    header, *hands = [json.loads(line) for line in Path("h.jsonl").read_text().splitlines()]
    assert header["seats"] == ["you", "uniform 1", "uniform 2"]
    rotation = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert [hand["seats"] for hand in hands] == rotation * 2
    for hand in hands:
        for move in hand["moves"]:
            if move["player"] >= 0:
                assert (move["probabilities"] is None) == (hand["seats"][move["player"]] == 0)
            if move["probabilities"] is not None:
                assert sum(move["probabilities"]) == pytest.approx(1.0)


@pytest.mark.slow
def test_a_pipe_closed_after_one_line_is_not_an_error(folder: Path) -> None:
    """`| head -1`: the line is there, nothing is said about the pipe."""
    for line in ("play kuhn --seats ai,uniform --hands 400 --seed 1", "play kuhn --seed 1"):
        shell = f"yes bet | {shlex.join(PROGRAM)} {line} | head -1"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=120)
        assert done.stdout.startswith("Hand 1")
        assert done.stdout.count("\n") == 1
        assert "rror" not in done.stderr
        assert "Broken" not in done.stderr


def test_words_of_rules_break_no_line_and_send_no_codes(typing: Typing) -> None:
    Path("loud.py").write_text(
        "from equilibrist.games.library.kuhn import Kuhn\n"
        "class Loud(Kuhn):\n"
        "    def action_words(self, key, labels):\n"
        "        return [('\\x1b[31mred', 'pass'), ('b\\nx', 'bet')]\n"
        "    def infoset_facts(self, key):\n"
        "        return [('c\\x1b[2J', key + '\\n')]\n"
    )
    ran = typing.play(
        "loud.py:Loud --seats human,uniform --hands 1 --show-ai --seed 1", "?\nbet\nbet\n"
    ).ok()
    assert "\x1b" not in ran.out
    assert "actions: 1) \\x1b[31mred (pass)  2) b\\nx (bet)   (?" in ran.out
    assert "you (player 0): b\\nx" in ran.out
    assert "b\\nx is understood as bet too." in ran.out


def test_a_penalty_does_not_end_the_solve_that_play_starts_from(typing: Typing) -> None:
    typing("last --clear").ok()
    forbidding = "[0,-1,2,1e6],[1,0,-1,1e6],[-1,1,0,1e6],[-1e6,-1e6,-1e6,0]"
    typing.play(f"'matrix(payoffs=[{forbidding}])' --hands 1", "0\n").ok()
    (file,) = newest()
    solution = eq.Result.load(file)
    assert solution.stopped_by == "target"
    assert solution.exploitability is not None
    assert solution.exploitability <= 3e-4
    ran = typing.play("'matrix(payoffs=[[0],[-400],[-1e6]])' --drill row --hands 1", "1\n")
    assert "Blunder" in ran.ok().out
    assert "of the pot" not in ran.out
