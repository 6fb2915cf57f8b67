"""`games`, `algorithms`, `check`, `--version` and the help texts."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import equilibrist
from equilibrist.errors import ConfigError
from equilibrist.games import list_games
from equilibrist.options.option import Option
from equilibrist.options.solve_options import SOLVE_OPTIONS
from equilibrist.poker.postflop.spot.fields import RUN_OPTIONS, SPOT_OPTIONS
from equilibrist.solvers import list_samplers
from equilibrist.solvers.bibliography import PAPERS
from equilibrist.solvers.full_traversal.best_response_solvers import RESPONDING
from equilibrist.solvers.variants.registry import RULES
from tests.cli.command import Shell

COMMANDS = [
    "solve",
    "games",
    "algorithms",
    "samplers",
    "evaluate",
    "inspect",
    "export",
    "range",
    "check",
    "cache",
]


def test_algorithms_and_samplers_are_those_of_the_library(shell: Shell) -> None:
    for command, infos in (
        ("algorithms", equilibrist.list_algorithms()),
        ("samplers", list_samplers()),
    ):
        documents = [json.loads(json.dumps(asdict(info))) for info in infos]
        assert shell(f"{command} --json").ok().json == documents
        assert shell(f"{command} {infos[1].name} --json").ok().json == documents[1]


def test_all_games_are_listed_with_their_parameters(shell: Shell) -> None:
    out = shell("games").ok().out
    for info in list_games():
        assert any(line.split()[:1] == [info.name] for line in out.splitlines())
    assert "players=2, cards=players + 1, ante=1, bet=1" in out
    assert [g["name"] for g in shell("games --json").ok().json] == [g.name for g in list_games()]


@pytest.mark.slow
def test_all_games_are_listed_with_their_sizes(shell: Shell) -> None:
    ran = shell("games --sizes").ok()
    assert "58 histories, 30 terminal histories, 12 infosets, 26 sequences" in ran.out
    assert "9,457 histories" in ran.out
    assert "sizes depend on the parameters" in ran.out
    assert "histories (an estimate)" in ran.out
    assert ran.err == ""
    assert "games --sizes" in shell("games").ok().out
    documents = {g["name"]: g for g in shell("games --sizes --json").ok().json}
    assert list(documents) == [g.name for g in list_games()]
    assert documents["leduc"]["sizes"]["num_sequences"] == 2186
    assert documents["matrix"]["sizes"] is None
    assert "num_nodes" not in documents["liars_dice"]["sizes"]
    assert "sizes" not in shell("games --json").ok().json[0]
    fewer = {g["name"]: g for g in shell("games --sizes --json --max-histories 5000").ok().json}
    assert "num_nodes" not in fewer["leduc"]["sizes"]
    assert fewer["kuhn"] == documents["kuhn"]


def test_one_game_with_ranges_and_sizes(shell: Shell) -> None:
    out = shell("games kuhn").ok().out
    assert "an integer from 2 to 10" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["histories", "58"] in rows
    assert ["infosets", "12"] in rows
    assert ["sequences", "26"] in rows
    document = shell("games 'leduc(players=2)' --json").ok().json
    assert document["name"] == "leduc"
    assert document["sizes"]["num_nodes"] == 9457
    assert document["sizes"]["num_sequences"] == 2186
    assert document["sizes"]["constant_sum"] == 0
    assert {p["name"] for p in document["parameters"]} >= {"players", "ranks", "suits"}


def test_a_large_game_is_estimated(shell: Shell) -> None:
    ran = shell("games 'leduc(players=3)' --max-histories 20000 --json").ok()
    sizes = ran.json["sizes"]
    assert "num_nodes" not in sizes
    assert 3e5 < sizes["estimate_num_nodes"] < 3e6
    assert "an estimate" in shell("games 'leduc(players=3)' --max-histories 20000").ok().out


def test_missing_parameters_of_a_game_are_named(shell: Shell) -> None:
    ran = shell("games matrix").ok()
    assert "required" in ran.out
    assert "equilibrist games 'matrix(payoffs=[[1,-1],[-1,1]])'" in ran.out
    assert shell("games matrix --json").ok().json["sizes"] is None
    assert shell("games 'matrix(payoffs=[[1,-1],[-1,1]])'").ok().out.count("histories") == 2


def test_a_game_of_ones_own(shell: Shell, rules) -> None:
    rules()
    assert "Sizes of tiny" in shell("games rules.py:Tiny").ok().out


def test_all_algorithms_are_listed(shell: Shell) -> None:
    names = [*RULES, "efr", *RESPONDING, "fsicfr", "lp", "regret-matching", "regret-matching+"]
    out = shell("algorithms").ok().out
    for name in names:
        assert any(line.split()[:1] == [name] for line in out.splitlines())
    assert [a["name"] for a in shell("algorithms --json").ok().json] == names


OTHERS = ("fsicfr", "lp", "regret-matching", "regret-matching+")


@pytest.mark.parametrize("name", [*RULES, "efr", *RESPONDING, *OTHERS])
def test_one_algorithm_in_detail(shell: Shell, name: str) -> None:
    document = shell(f"algorithms {name} --json").ok().json
    assert all(document[key] for key in ("update", "average", "paper", "when", "summary"))
    out = shell(f"algorithms {name}").ok().out
    for key in ("update", "average", "paper", "when"):
        assert document[key].split()[-1] in out
    assert ("--iterations" in out) is document["needs_horizon"]


def test_an_algorithm_with_parameters(shell: Shell) -> None:
    assert "t^4" in shell("algorithms 'dcfr(gamma=4)'").ok().out
    assert "alpha=1.5, beta=0, gamma=2 by default" in shell("algorithms dcfr").ok().out
    assert "alpha=1.5, beta=0, gamma=4; set" in shell("algorithms 'dcfr(gamma=4)'").ok().out
    assert "epsilon=0.4" in shell("samplers 'outcome(epsilon=0.4)'").ok().out


OWN = """
from equilibrist.solvers.variants.variant import Coefficients, Variant


def fade(t, horizon):
    return 1.0, t / (t + 10.0)


class Steep:
    def __call__(self, t, horizon):
        return 1.0, t


class Broken(Steep):
    def describe(self):
        raise SystemExit(3)


class Own(Variant):
    def coefficients(self, t, horizon=None):
        return Coefficients(1, 1, 0, 1, 0, 1, t)


Fading = Variant("fading", discount=fade, average=Steep())
Silent = Variant("silent", average=Broken())
"""


def test_an_algorithm_of_ones_own(shell: Shell) -> None:
    """No formula is claimed that its numbers do not follow, and no address is printed."""
    Path("my.py").write_text(OWN)
    document = shell("algorithms my.py:Fading --json").ok().json
    assert document["update"] == "R = (R discounted by fade) + r; sigma = RM(R)"
    assert document["average"] == "as Steep says"
    document = shell("algorithms my.py:Own --json").ok().json
    assert document["update"] == "seven numbers from Own.coefficients()"
    assert document["average"] == "as Own.coefficients() says"
    shell("algorithms my.py:Silent").refused(ConfigError, option="describe", given="SystemExit")


def test_check_finds_nothing_wrong(shell: Shell, rules) -> None:
    rules()
    assert "no problem found" in shell("check rules.py:Tiny").ok().out
    document = shell("check kuhn --json").ok().json
    assert document["ok"] is True
    assert document["problems"] == []
    assert document["num_histories"] == 58


def test_check_reports_problems_with_exit_code_1(shell: Shell, rules) -> None:
    spec = rules("def payoffs(self, state): return [1]")
    ran = shell(f"check {spec}")
    assert ran.code == 1
    assert "payoffs" in ran.out
    assert "history: a > a" in ran.out
    ran = shell(f"check {spec} --json")
    assert ran.code == 1
    assert ran.json["ok"] is False
    assert ran.json["problems"][0]["kind"] == "payoffs"
    assert ran.json["problems"][0]["history"] == ["a", "a"]


def test_check_walks_up_to_its_limit(shell: Shell) -> None:
    assert shell("check leduc --max-histories 100 --json").ok().json["complete"] is False


def test_version(shell: Shell) -> None:
    assert shell("--version").ok().out == f"equilibrist {equilibrist.__version__}\n"


def sections(out: str) -> dict[str, list[str]]:
    """The first line of every entry under each heading of a help text."""
    found: dict[str, list[str]] = {}
    for line in out.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            rows = found.setdefault(line.removesuffix(":"), [])
        elif found and line.startswith("  ") and line[2:3].strip():
            rows.append(line.strip())
    return found


@pytest.mark.parametrize("line", ["", "--help", "-h"])
def test_help_lists_the_commands(shell: Shell, line: str) -> None:
    out = shell(line).ok().out
    groups = sections(out)
    listed = {row.split()[0]: heading for heading, rows in groups.items() for row in rows}
    assert [name for name in COMMANDS if name not in listed] == []
    assert listed["solve"] == listed["compare"] == "Solve games"
    assert listed["postflop"] == listed["range"] == "Hold'em"
    assert not any(row.endswith("...") for rows in groups.values() for row in rows)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(shell: Shell, command: str) -> None:
    out = shell(f"{command} --help").ok().out
    assert out.startswith(f"Usage: equilibrist {command} ")
    assert "equilibrist.cli" not in out
    assert max(map(len, out.splitlines())) <= 100
    if command != "cache":
        assert f"equilibrist {command} " in out.partition("Examples:")[2]


@pytest.mark.parametrize(
    ("command", "options"),
    [("solve", SOLVE_OPTIONS), ("postflop solve", SPOT_OPTIONS | RUN_OPTIONS)],
)
def test_every_option_is_explained_in_its_group(
    shell: Shell, command: str, options: dict[str, Option]
) -> None:
    groups = sections(shell(f"{command} --help").ok().out)
    assert [row.split()[0] for row in groups.pop("Options")] == ["-h,"]
    for name, option in options.items():
        spelling = option.flags_of(name)[0].replace("/", " / ")
        typed = [f" {row.partition('  ')[0]} ".replace(",", " ") for row in groups[option.group]]
        assert sum(f" {spelling} " in one for one in typed) == 1, name
    for row in ("--json", "--quiet"):
        assert any(row in line for line in groups["Display"])


def test_papers_are_printed_as_bibtex(shell: Shell) -> None:
    whole = shell("algorithms --bibtex").ok().out
    assert whole.count("\n@") + 1 == len(PAPERS)
    one = shell("algorithms dcfr --bibtex").ok().out
    assert one.startswith("@inproceedings{brown2019solving,\n")
    assert one.count("@") == 1
    assert "lanctot2009monte" in shell("samplers outcome --bibtex").ok().out
    assert "brown2019solving" not in shell("samplers --bibtex").ok().out
    for command in ("algorithms", "samplers"):
        shell(f"{command} --bibtex --json").refused(ConfigError, option="--bibtex")
