"""`inspect`: infosets looked up and chosen, values by hand, and the pictures of small trees."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from equilibrist.errors import ConfigError, GameSpecError, MismatchError, UnknownNameError
from tests.cli.command import Shell

FORGETS = """EFG 2 R "a move that is forgotten" { "A" "B" }
p "" 1 1 "a" { "l" "r" } 0
p "" 1 2 "again" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 1 2 "again" { "l" "r" } 0
t "" 3 "" { -1 1 }
t "" 4 "" { 1 -1 }
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def solution(shell: Shell) -> str:
    shell("solve kuhn -n 200 -q --out kuhn-dcfr.safetensors").ok()
    return "kuhn-dcfr.safetensors"


def infosets(shell: Shell, line: str) -> list[str]:
    return [row["infoset"] for row in shell(f"inspect {line} --json").ok().json["infosets"]]


def test_everything_is_listed(shell: Shell, solution: str) -> None:
    assert len(infosets(shell, solution)) == 12
    out = shell(f"inspect {solution}").ok().out
    assert out.startswith("kuhn: kuhn-dcfr.safetensors, dcfr, 200 iterations, exploitability ")
    assert "first to act: bet" in out


def test_infosets_are_chosen(shell: Shell, solution: str) -> None:
    assert infosets(shell, f"{solution} 1pb 2p") == ["1pb", "2p"]
    assert infosets(shell, f"{solution} --match '1?'") == ["1p", "1b"]
    assert infosets(shell, f"{solution} --match '*b' --player 0") == ["1pb", "2pb", "3pb"]
    assert infosets(shell, f"{solution} --regex '^[23]$'") == ["2", "3"]
    assert infosets(shell, f"{solution} --match 'x*'") == []
    assert "no infoset of kuhn matches" in shell(f"inspect {solution} --match 'x*'").ok().err


def test_one_infoset_in_full(shell: Shell) -> None:
    """Card 1 after pass-bet, uniform play: two histories, each reached 1/6 * 1/2 of the time.

    Passing loses 1, betting 2: the value is -1.5, and the regret of passing is 1/12.
    """
    (row,) = shell("inspect kuhn 1pb --json").ok().json["infosets"]
    assert row["player"] == 0
    assert row["histories"] == 2
    assert row["strategy"] == {"pass": 0.5, "bet": 0.5}
    assert row["counterfactual_reach"] == pytest.approx(1 / 6)
    assert row["reach"] == pytest.approx(1 / 12)
    assert row["value"] == pytest.approx(-1.5)
    assert row["cf_action_values"]["pass"] - row["cf_value"] == pytest.approx(1 / 12)
    out = shell("inspect kuhn 1pb").ok().out
    assert "Jpb  (player 0 of kuhn, key 1pb)" in out
    assert "2 histories, reach 0.08333, counterfactual reach 0.1667" in out
    assert [line.split() for line in out.splitlines()[3:]] == [
        ["pass", "0.5000", "-1.000000", "-0.166667"],
        ["bet", "0.5000", "-2.000000", "-0.333333"],
        ["as", "played", "-1.500000", "-0.250000"],
    ]


def test_values_can_be_left_out(shell: Shell, solution: str) -> None:
    (row,) = shell(f"inspect {solution} 2 --no-values --json").ok().json["infosets"]
    assert row["reach"] is None
    assert row["cf_value"] is None
    assert sum(row["strategy"].values()) == pytest.approx(1)
    (row,) = shell(f"inspect {solution} 2 --values --json").ok().json["infosets"]
    assert row["reach"] == pytest.approx(1 / 3)
    assert "counterfactual" not in shell(f"inspect {solution} 2 --no-values").ok().out


def test_an_infoset_nobody_comes_to_has_no_value(shell: Shell, folder: Path) -> None:
    (folder / "a.json").write_text('{"row": {"heads": 1}, "column": {"heads": 0.5, "tails": 0.5}}')
    spec = "--game matching_pennies"
    (row,) = shell(f"inspect a.json column {spec} --json").ok().json["infosets"]
    assert row["value"] == pytest.approx(0)
    (folder / "b.json").write_text(
        '{"1": {"bet": 1}, "2": {"bet": 1}, "3": {"bet": 1}'
        + "".join(f', "{c}{line}": {{"pass": 1}}' for c in "123" for line in ("p", "b", "pb"))
        + "}"
    )
    (row,) = shell("inspect b.json 1p --game kuhn --json").ok().json["infosets"]
    assert row["counterfactual_reach"] == 0
    assert row["value"] is None
    assert "unreached" in shell("inspect b.json 1p --game kuhn").ok().out


def test_long_lists_are_cut_and_all_shows_them(shell: Shell) -> None:
    shell("solve leduc -n 5 -q").ok()
    short = shell("inspect last").ok().out
    assert "All 936 infosets: add --all" in short
    whole = shell("inspect last --all").ok().out
    assert len(whole.splitlines()) > 936 > len(short.splitlines())


def test_a_solution_needs_no_rules(shell: Shell, rules, folder: Path) -> None:
    rules()
    shell("solve rules.py:Tiny -n 5 -q").ok()
    (folder / "rules.py").unlink()
    assert infosets(shell, "last") == ["pick", "guess"]


def picture(folder: Path, name: str) -> tuple[ET.Element, list[str]]:
    root = ET.fromstring((folder / name).read_text())
    return root, ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_infosets_are_named_as_they_are_shown(shell: Shell, solution: str) -> None:
    """J, Q and K in place of 1, 2 and 3; files and documents keep the keys."""
    for values in ("", " --no-values"):
        by_key = shell(f"inspect {solution} 1pb{values}").ok().out
        assert by_key.startswith("Jpb  (player 0 of kuhn, key 1pb)")
        assert shell(f"inspect {solution} Jpb{values}").ok().out == by_key
        rows = shell(f"inspect {solution} --match 'J*' --all{values}").ok().out
        assert re.findall(r"^  (J\w*)", rows, re.MULTILINE) == ["J", "Jpb", "Jp", "Jb"]
        found = shell(f"inspect {solution} Jpb --json{values}").ok().json["infosets"]
        assert [row["infoset"] for row in found] == ["1pb"]
    refused = shell("inspect kuhn Jbb").refused(UnknownNameError, given="Jbb")
    assert isinstance(refused.error, UnknownNameError)
    assert "Jb" in refused.error.suggestions
    assert shell("inspect 'kuhn(cards=4)' 1pb").ok().out.startswith("1pb  (player 0")


def test_a_drawn_game(shell: Shell, folder: Path) -> None:
    ran = shell("inspect kuhn --draw kuhn.svg").ok()
    assert ran.out == ""
    assert "58 histories of kuhn drawn to kuhn.svg" in ran.err
    root, texts = picture(folder, "kuhn.svg")
    assert texts.count("Jpb") == 2
    assert (texts.count("J"), texts.count("J0.5"), texts.count("J0.333")) == (2, 2, 1)
    assert "1pb" not in texts
    joined = [p for p in root.iter(f"{SVG}path") if p.get("class") == "set"]
    assert len(joined) == 12 + 1  # each infoset has two histories; one dash in the legend
    assert len([c for c in root.iter(f"{SVG}circle") if c.get("r") == "3"]) == 30
    shell("inspect kuhn --draw again.svg").ok()
    assert (folder / "again.svg").read_bytes() == (folder / "kuhn.svg").read_bytes()


def test_the_textbooks_deal_of_three_players(shell: Shell, folder: Path) -> None:
    shell("inspect 'kuhn(players=3)' --draw deal.svg --deal 1,3,4").ok()
    root, texts = picture(folder, "deal.svg")
    assert "kuhn(players=3) after 1, 3, 4" in texts
    leaves = [c for c in root.iter(f"{SVG}circle") if c.get("r") == "3"]
    assert len(leaves) == 3 * 2**2 + 1
    assert {"1", "3p", "4pp", "1ppb", "3ppbb"} <= set(texts)


def test_a_drawn_strategy_shows_its_probabilities(shell: Shell, folder: Path) -> None:
    (folder / "a.json").write_text(
        '{"row": {"heads": 0.25, "tails": 0.75}, "column": {"heads": 0.5, "tails": 0.5}}'
    )
    shell("inspect a.json --game matching_pennies --draw a.svg").ok()
    _, texts = picture(folder, "a.svg")
    assert {"heads0.25", "tails0.75", "heads0.5"} <= set(texts)


def test_the_limit_of_drawing_can_be_raised(shell: Shell, folder: Path) -> None:
    shell("inspect kuhn --draw a.svg --max-nodes 20").refused(
        ConfigError, option="max_nodes", given=20
    )
    shell("inspect leduc --draw a.svg --history Js,Kh --max-nodes 500").ok()
    assert (folder / "a.svg").exists()


def test_dot(shell: Shell, folder: Path) -> None:
    shell("inspect kuhn --draw kuhn.dot").ok()
    text = (folder / "kuhn.dot").read_text()
    assert text.startswith('digraph "kuhn" {')
    assert text.count("shape=diamond") == 4
    assert text.count("shape=plaintext") == 30
    assert text.count("style=dashed") == 12
    assert text.count(" -> ") == 57 + 12


def test_drawing_and_listing_together(shell: Shell, solution: str) -> None:
    ran = shell(f"inspect {solution} 1pb --draw a.svg").ok()
    assert "Jpb  (player 0 of kuhn, key 1pb)" in ran.out
    assert "drawn to a.svg" in ran.err
    assert shell(f"inspect {solution} --draw a.svg --json").ok().json["game"] == "kuhn"


def test_a_player_may_have_no_infoset(shell: Shell, rules) -> None:
    bad = rules(
        """
        def player(self, state): return TERMINAL if len(state) == 2 else 0
        def infoset(self, state): return "at " + state
        """
    )
    shell(f"solve {bad} -n 5 --out a.safetensors").ok()
    for target in (bad, "a.safetensors"):
        ran = shell(f"inspect {target} --player 1").ok()
        assert "no infoset of tiny matches" in ran.err
        shell(f"inspect {target} --player 2").refused(ConfigError, option="player", given=2)


def test_a_drawn_table_shows_its_probabilities_in_any_notation(shell: Shell, folder: Path) -> None:
    shell("solve kuhn -n 50 -q --out a.safetensors").ok()
    shell("export a.safetensors ours.csv").ok()
    lines = (folder / "ours.csv").read_text().splitlines()
    translated = [lines[0]]
    for line in lines[1:]:
        player, key, action, probability = line.split(",")
        key = key.replace("p", "C").replace("b", "B")
        translated.append(f"{player},{key},{'CB'[action == 'bet']},{probability}")
    (folder / "cb.csv").write_text("\n".join(translated) + "\n")
    pictures = []
    for name in ("a.safetensors", "ours.csv", "cb.csv"):
        shell(f"inspect {name} --game kuhn --draw {name}.svg").ok()
        pictures.append((folder / f"{name}.svg").read_text())
    assert pictures[0] == pictures[1] == pictures[2]
    shell("inspect kuhn --draw none.svg").ok()
    assert (folder / "none.svg").read_text() != pictures[0]


def test_rules_that_the_user_names_must_be_right(shell: Shell, rules) -> None:
    wrong = rules("def payoffs(self, state): return [0, 0]")
    shell("solve rules.py:Tiny -n 5 -q --out a.safetensors").ok()
    for options in ("", "--draw a.svg"):
        shell(f"inspect a.safetensors --game {wrong} {options}").refused(
            MismatchError, option="game", given="tiny", expected="tiny"
        )
        shell(f"inspect a.safetensors --game nofile.py:Game {options}").refused(
            GameSpecError, option="file", given="nofile.py"
        )
        shell(f"inspect a.safetensors --game rules.py:Tiny {options}").ok()


@pytest.mark.parametrize(("name", "start"), [("k.png", b"\x89PNG"), ("k.pdf", b"%PDF")])
def test_pictures_of_other_formats(shell: Shell, folder: Path, name: str, start: bytes) -> None:
    assert f"58 histories of kuhn drawn to {name}" in shell(f"inspect kuhn --draw {name}").ok().err
    assert (folder / name).read_bytes().startswith(start)
    shell("inspect kuhn --draw k.bmp").refused(ConfigError, option="--draw", given="k.bmp")


def test_a_file_of_a_game_whose_players_forget_leads_to_check(shell: Shell, folder: Path) -> None:
    (folder / "forgets.efg").write_text(FORGETS)
    (next_line,) = [line for line in shell("inspect forgets.efg").ok().err.splitlines() if line]
    assert next_line == "Next: equilibrist check forgets.efg"
