"""Everything that is wrong with a spot ends in one clear error, code 2, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from equilibrist import load_result
from equilibrist.errors import (
    ConfigError,
    EquilibristError,
    FileFormatError,
    MemoryBudgetError,
    UnknownNameError,
)
from equilibrist.poker.postflop.spot.fields import SPOT_KEYS
from equilibrist.poker.postflop.spot.spot import Spot
from tests.cli.command import Shell
from tests.poker.postflop.spot.spots import FLOP, TURN
from tests.refusals import refuses
from tests.slow_cases import examples

DICE = "solve 'rules:liars_dice(sides=2)' -n 5 --sampler external --no-explicit-tree"
OTHER_FILES = {
    "solve kuhn -n 5 --out {}": "solution",
    "solve kuhn -n 5 --out other --checkpoint {}": "checkpoint",
    f"{DICE} --out {{}}": "packed-strategy",
    f"{DICE} --out other --checkpoint {{}}": "treeless-checkpoint",
}
"""Commands that write files of games, and the kinds of these files."""
SMALL = "--board Td9d6h --oop TT,AKs --ip QQ,AQs --pot 60 --stack 100 --bets 50%"
WRONG = {
    "a range": ("--oop 'TT,AK2'", "oop: ", "\n  TT,AK2\n"),
    "a size": ("--bets '50%, 75z'", "bets: '75z' is not a size", "\n  50%, 75z\n       ^"),
    "a card twice": ("--board Td9dTd", "board: the card Td occurs twice"),
    "no valid deal": ("--oop TT --ip TT", "no deal is possible"),
    "sizes of 0%": ("--bets 0%", "bets contains the size 0%, which has no effect"),
    "streets that are past": ("--board Td9d6h2c --bets '50%||'", "bets have no effect"),
    "no stack": ("--stack 0", "stack is 0; expected a number of chips above 0"),
    "a weight": ("--oop TT:nan", "oop: 'nan' is not a weight"),
    "a share": ("--rake 1e9999999%", "rake is '1e9999999%'"),
    "a threshold": ("--force-all-in 15", "--force-all-in is '15'; expected a fraction: 15%"),
    "a variant": ("--algorithm nothing", "unknown algorithm 'nothing'"),
    "no variant": ("--algorithm hedge", "not a variant of CFR", "dcfr-restarts, cfr, "),
}
HUGE = FLOP | {"stack": 5000, "bets": "33%, 75%, 150%", "raises": "50%, 100%"}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_refused_before_anything_is_solved(
    shell: Shell, folder: Path, wrong: tuple[str, ...]
) -> None:
    line, *fragments = wrong
    ran = shell(f"postflop solve {SMALL} {line} --out out").one_error()
    for fragment in fragments:
        assert fragment in ran.err
    assert not (folder / "out").exists()


@pytest.mark.slow
def test_only_variants_that_solve_spots_are_offered(shell: Shell) -> None:
    error = (
        shell(f"postflop solve {SMALL} --algorithm zzz")
        .refused(UnknownNameError, option="algorithm", name="zzz")
        .err
    )
    offered = error.partition("known: ")[2].partition(" (or")[0].split(", ")
    assert offered[:2] == ["dcfr-restarts", "cfr"]
    for name in offered:
        shell(f"postflop solve {SMALL} --algorithm {name} --iterations 1 --quiet").ok()
    assert not {"hedge", "omd", "apcfr+", "hs-dcfr", "hs-pcfr+"} & {*offered}
    ran = shell(f"postflop solve {SMALL} --algorithm omd")
    assert "sampled" not in ran.refused(ConfigError, option="algorithm", given="omd").err
    assert all(name in ran.error.remedy for name in offered)
    shell(f"postflop solve {SMALL} --algorithm hedg").refused(
        UnknownNameError, option="algorithm", name="hedg"
    )


def test_a_tree_of_40_gb(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equilibrist.poker.postflop.solving.solver.SpotSolver.__init__", None)
    (folder / "huge.toml").write_text(Spot(**HUGE).to_toml())
    shell("postflop solve huge.toml --memory 30GB").refused(MemoryBudgetError, histories=9108600)


def test_a_truncated_solution(shell: Shell, folder: Path) -> None:
    shell(f"postflop solve {SMALL} --iterations 2 --out out --keep first-street").ok()
    content = (folder / "out").read_bytes()
    for length in (0, 20, len(content) // 2, len(content) - 1):
        (folder / "out").write_bytes(content[:length])
        shell("postflop show out").refused(FileFormatError, option="file", path="out")
        with refuses(FileFormatError, option="file"):
            load_result(folder / "out").at()


VALUES = st.recursive(
    st.one_of(
        st.integers(-2, 10**12).map(str),
        st.floats().map(str),
        st.sampled_from(["true", "1979-05-27", "07:32:00", "inf", "nan", "[]", "{}", "1e9999"]),
        st.text(st.sampled_from("23AKTdhsc+-:,.%xea|BX é0"), max_size=10).map(lambda t: f"'{t}'"),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2).map(lambda each: f"[{', '.join(each)}]"),
        inner.map(lambda each: f"{{line = {each}, actions = {{X = {each}}}}}"),
    ),
    max_leaves=3,
)


@given(
    keys=st.dictionaries(
        st.sampled_from([*SPOT_KEYS, "x", "players", "oop.a", "'é'"]), VALUES, max_size=4
    ),
    cut=st.floats(0, 1),
)
@settings(
    max_examples=examples(200),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_spot_file_is_read_or_refused(keys: dict[str, str], cut: float, folder: Path) -> None:
    known: dict[str, Any] = {key: repr(value) for key, value in TURN.items()}
    text = "\n".join(f"{key} = {value}" for key, value in (known | keys).items())
    for content in (text, text[: int(cut * len(text))]):
        (folder / "spot.toml").write_text(content, encoding="utf-8")
        try:
            spot = Spot.from_toml(folder / "spot.toml")
        except EquilibristError:
            continue
        assert Spot(**spot.model_dump()) == spot


@pytest.mark.parametrize("line", OTHER_FILES)
def test_files_of_games_are_no_spots(shell: Shell, line: str, folder: Path) -> None:
    shell(line.format("file")).ok()
    shell("postflop solve file").refused(
        FileFormatError, option="file", path="file", given=OTHER_FILES[line]
    )


def test_a_file_that_is_no_text(shell: Shell, folder: Path) -> None:
    (folder / "spot.toml").write_bytes(b"board = \xfb")
    shell("postflop solve spot.toml").refused(
        FileFormatError, option="file", expected="a spot file"
    )
