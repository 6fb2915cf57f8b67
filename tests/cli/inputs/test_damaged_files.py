"""Damaged files of games and strategies, as a user names them: done, or one clear error, code 2."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from equilibrist.cli.main import run
from equilibrist.game_loading import compile_game
from equilibrist.games import load_game
from equilibrist.games.efg.writer import efg_text
from equilibrist.strategy import Strategy
from tests.slow_cases import examples

UNIFORM = Strategy.uniform(compile_game("kuhn")).to_dict()
ROWS = [f"{key},{label},{p}" for key, row in UNIFORM.items() for label, p in row.items()]
FILES = {
    "a.efg": efg_text(load_game("kuhn")),
    "a.csv": "infoset,action,probability\n" + "\n".join(ROWS) + "\n",
    "b.csv": "player,infoset,pass,bet\n" + "".join(f",{key},0.5,0.5\n" for key in UNIFORM),
    "a.json": json.dumps({"game": "kuhn", "strategy": UNIFORM}),
    "b.json": json.dumps({key: [0.5, 0.5] for key in UNIFORM}),
}
PIECES = st.sampled_from(
    [*"\"'{}[],:\\01\n\r\0\ufeffp", "-1", "nan", "1e999", "1/0", "9" * 5000, "null", "pass", ""]
)


@st.composite
def damaged(draw: st.DrawFn, names: list[str]) -> tuple[str, bytes]:
    """One of `names`, and the good file's content, some pieces of it cut, doubled or replaced."""
    name = draw(st.sampled_from(names))
    text = FILES[name]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = text[at : at + draw(st.integers(0, 20))]
        put = draw(PIECES | st.just(cut + cut) | st.text(max_size=3))
        text = text[:at] + put + text[at + len(cut) :]
    return name, text.encode("utf-8", draw(st.sampled_from(["ignore", "surrogatepass"])))


def ends_well(folder: Path, name: str, content: bytes) -> None:
    """Code 0, or code 2 with one error that names the file and no line of ours."""
    (folder / name).write_bytes(content)
    line = ["games", name] if name.endswith(".efg") else ["evaluate", name, "--game", "kuhn"]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*line, "--json"])
    said = err.getvalue()
    assert code in (0, 2), (code, said)
    assert said.count("error:") == (code == 2)
    assert "Traceback" not in said
    assert "bug" not in said
    assert (out.getvalue() == "") == (code == 2)


QUICK = settings(
    max_examples=examples(400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@QUICK
@given(damaged(list(FILES)))
@example(("b.csv", b'<\n"player,infoset,pass,bet\n,1,0.5,0.5\n,1pb,0.5,0.5\n'))
def test_damaged_files(folder: Path, drawn: tuple[str, bytes]) -> None:
    ends_well(folder, *drawn)
