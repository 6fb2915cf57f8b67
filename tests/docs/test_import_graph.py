"""The checks of the import graph find what they are for, and the drawing shows what there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from docs import import_graph
from docs.architecture_picture import lay_out, needed, picture, rows_of
from docs.import_graph import Imports, Layers


def imports(*lines: str) -> Imports:
    """Imports from lines such as "p.a: p.b p.c.d"; what is only imported imports nothing."""
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        module, _, rest = line.partition(":")
        found[module] = frozenset(rest.split())
        for name in [module, *rest.split()]:
            parts = name.split(".")
            for k in range(1, len(parts) + 1):
                found.setdefault(".".join(parts[:k]), frozenset())
    return dict(sorted(found.items()))


def ordered(*rows: str, folder: str = "p") -> Layers:
    names = tuple(tuple(f"{folder}.{n}" for n in re.findall(r"\w+", row)) for row in rows)
    return Layers(folder, names, tuple(":" not in row for row in rows), rows)


TOWER = imports("p.a.x: p.b.y p.c", "p.b.y: p.c p.d", "p.c: p.d", "p.a.z: p.a.x")


def test_imports_of_functions_and_type_checkers_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "counted"
    folder.mkdir()
    for name, text in {
        "__init__": "",
        "plain": "",
        "typed": "import typing\nif typing.TYPE_CHECKING:\n    from counted import plain",
        "late": "def f():\n    from counted import plain\n    return plain",
    }.items():
        (folder / f"{name}.py").write_text(text + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = import_graph.read_imports("counted")
    assert found["counted.typed"] == found["counted.late"] == {"counted.plain"}


def test_a_tower_has_no_circle() -> None:
    assert import_graph.circles(TOWER) == []


def test_circles_are_found_at_every_level() -> None:
    inner = imports("p.a.x: p.a.z", "p.a.z: p.a.y", "p.a.y: p.a.x", "p.b: p.a.x")
    assert import_graph.circles(inner) == ["p.a: p.a.x, p.a.y, p.a.z"]
    between = imports("p.a.x: p.b.y", "p.b.z: p.a.w")
    assert import_graph.circles(between) == ["p: p.a, p.b"]


def test_a_module_that_imports_the_package_which_imports_it_is_a_circle() -> None:
    assert import_graph.circles(imports("p: p.a", "p.a: p.b", "p.b: p")) == ["p: p, p.a, p.b"]
    assert import_graph.circles(imports("p: p.a", "p.c: p")) == []


def test_arrows_up_are_found() -> None:
    assert import_graph.upward(TOWER, ordered("a", "b", "c", "d")) == []
    assert import_graph.upward(TOWER, ordered("b", "a", "c", "d")) == ["p.a.x -> p.b.y"]
    assert import_graph.upward(TOWER, ordered("a", "b | c", "d")) == ["p.b.y -> p.c"]
    assert import_graph.upward(TOWER, ordered("a", "b : c", "d")) == []


def test_what_no_layer_names_is_found() -> None:
    assert import_graph.unplaced(TOWER, ordered("a", "b", "d")) == ["p.c"]


def test_the_layers_are_those_of_the_contracts() -> None:
    order = import_graph.layers()["equilibrist"]
    assert order.rows[:2] == (("equilibrist.mcp",), ("equilibrist.web",))
    assert "equilibrist.cli" in order.rows[2]
    assert len(order.rows) == len(order.text) == len(order.independent)
    assert any("equilibrist.errors" in row for row in order.rows[-2:])


def test_modules_are_counted_without_packages() -> None:
    assert import_graph.modules_of(TOWER, "p") == 5
    assert import_graph.modules_of(TOWER, "p.a") == 2
    assert import_graph.modules_of(TOWER, "p.c") == 1


def test_arrows_that_follow_from_others_are_left_out() -> None:
    graph = import_graph.arrows(TOWER, "p")
    assert graph["p.a"] == {"p.b", "p.c"}
    assert {start: sorted(ends) for start, ends in needed(graph).items() if ends} == {
        "p.a": ["p.b"],
        "p.b": ["p.c"],
        "p.c": ["p.d"],
    }


def test_every_arrow_of_the_drawing_runs_to_the_next_row() -> None:
    tower = imports("p.a.x: p.b p.d", "p.b: p.c", "p.c: p.e", "p.f: p.e p.a.x")
    graph = import_graph.arrows(tower, "p")
    rows = rows_of(ordered("f", "a : d", "b", "c", "e", "absent"), graph)
    assert rows == [["p.f"], ["p.a"], ["p.d"], ["p.b"], ["p.c"], ["p.e"]]
    drawing = lay_out(tower, ordered("f", "a : d", "b", "c", "e", "absent"))
    for k, step in enumerate(drawing.steps):
        keys = [{node.key for node in row} for row in drawing.rows[k : k + 2]]
        assert all(start.key in keys[0] and end.key in keys[1] for start, end in step)
    for row in drawing.rows:
        for left, right in zip(row, row[1:], strict=False):
            assert left.x + left.width / 2 < right.x - right.width / 2


def test_a_circle_in_one_layer_cannot_be_drawn() -> None:
    graph = {"p.a": {"p.b"}, "p.b": {"p.a"}}
    with pytest.raises(ValueError, match=r"circle in one layer: p\.a, p\.b"):
        rows_of(ordered("a : b"), graph)


def test_the_drawing_names_every_entry_with_its_modules() -> None:
    drawn = picture(TOWER, ordered("a", "b", "c", "d"))
    assert drawn == picture(dict(reversed(list(TOWER.items()))), ordered("a", "b", "c", "d"))
    assert re.findall(r'class="name"[^>]*>([^<]*)<', drawn) == ["a\xa02", "b\xa01", "c", "d"]
    assert drawn.count('marker-end="url(#head)"') == 3


@pytest.mark.slow
def test_no_module_imports_another_by_its_name() -> None:
    """The graph cannot see it; `_lazy_names` and tables of commands say the names as data."""
    src = Path(import_graph.__file__).parents[1] / "src"
    calls = 0
    for path in src.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("import_module", "__import__")
            ):
                calls += 1
                assert "equilibrist" not in ast.unparse(node), f"{path}:{node.lineno}"
    assert calls >= 3
