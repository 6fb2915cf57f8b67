"""Pictures of small trees: what they contain, and that nothing in them overlaps."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest

from equilibrist.drawing import Outline, outline, to_dot, to_picture, to_svg
from equilibrist.drawing.layout import RADIUS, edge_label, lay_out, payoff_text, text_width
from equilibrist.errors import ConfigError, GameError, UnknownNameError
from equilibrist.games import load_game
from equilibrist.play import action_words
from tests.altered_games import Hooked
from tests.refusals import refuses
from tests.slow_cases import slow
from tests.small_games import Written

PICTURES = [
    ("kuhn", ()),
    ("kuhn(players=3)", ("1", "3", "4")),
    ("leduc", ("Js", "Kh")),
    ("goofspiel(cards=3)", ()),
    ("liars_dice(sides=2)", ()),
    ("rock_paper_scissors", ()),
    ("random_tree(seed=2)", ()),
    ("random_tree(seed=5,players=3,branching=4)", ()),
]


def drawn(spec: str, start: tuple[str, ...] = ()) -> Outline:
    return outline(load_game(spec), start=start, max_nodes=1000)


def test_the_outline_holds_every_history() -> None:
    kuhn = drawn("kuhn")
    kinds = [node.kind for node in kuhn.nodes]
    assert (kinds.count("chance"), kinds.count("decision"), kinds.count("terminal")) == (4, 24, 30)
    assert kuhn.nodes[0].parent == -1
    assert all(node.parent < i for i, node in enumerate(kuhn.nodes))
    assert [kuhn.nodes[i].action for i in kuhn.children[0]] == ["1", "2", "3"]
    assert kuhn.nodes[1].probability == pytest.approx(1 / 3)
    assert set(map(len, kuhn.infosets.values())) == {2}
    assert len(kuhn.infosets) == 12
    assert kuhn.nodes[-1].payoffs == (2.0, -2.0)


def test_the_outline_of_a_part_begins_there() -> None:
    deal = drawn("kuhn(players=3)", ("1", "3", "4"))
    assert deal.nodes[0].infoset == "1"
    assert deal.start == ("1", "3", "4")
    assert sum(node.kind == "terminal" for node in deal.nodes) == 13


def test_probabilities_of_a_strategy_stand_on_the_edges() -> None:
    rows = {"row": {"heads": 0.25, "tails": 0.75}}
    found = outline(load_game("matching_pennies"), strategy=rows)
    assert [found.nodes[i].probability for i in found.children[0]] == [0.25, 0.75]
    assert found.nodes[2].probability is None
    assert edge_label("heads", 0.25) == ["heads", "0.25"]
    assert edge_label("heads", None) == ["heads"]
    assert edge_label("heads", 1.0) == ["heads", "1"]


def test_what_cannot_be_outlined() -> None:
    with refuses(ConfigError, option="max_nodes", given=57):
        outline(load_game("kuhn"), max_nodes=57)
    assert len(outline(load_game("kuhn"), max_nodes=58).nodes) == 58
    with refuses(UnknownNameError, option="move", name="1"):
        drawn("kuhn", ("1", "1"))
    with refuses(ConfigError, option="move", given="bet"):
        drawn("kuhn", ("1", "2", "bet", "bet", "bet"))


@pytest.mark.parametrize("method", ["player", "actions", "next", "payoffs", "infoset", "chance"])
def test_rules_that_raise_are_reported_as_theirs(method: str) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("mine")

    with refuses(GameError, kind="exception", given="ZeroDivisionError"):
        outline(Hooked(load_game("kuhn"), **{method: broken}))


@pytest.mark.parametrize(("spec", "start"), PICTURES)
def test_nodes_and_texts_do_not_overlap(spec: str, start: tuple[str, ...]) -> None:
    found = drawn(spec, start)
    layout = lay_out(found)
    boxes = []
    for i, node in enumerate(found.nodes):
        x, y = layout.x[i], layout.y[i]
        if node.kind == "terminal":
            half = text_width([payoff_text(p) for p in node.payoffs]) / 2
            boxes.append((x - half, x + half, y - 3, y + 16 + 12 * (len(node.payoffs) - 1)))
        else:
            boxes.append((x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS))
            if node.infoset:
                right = x + RADIUS + 4
                boxes.append((right, right + text_width([node.infoset]), y - 6, y + 6))
    for a, b in itertools.combinations(boxes, 2):
        apart = a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2]
        assert apart, (a, b)
    assert min(box[0] for box in boxes) >= -1e-9
    assert max(box[1] for box in boxes) <= layout.width + 1e-9
    assert max(box[3] for box in boxes) <= layout.height


@pytest.mark.parametrize(("spec", "start"), PICTURES)
def test_the_layout_is_tidy(spec: str, start: tuple[str, ...]) -> None:
    found = drawn(spec, start)
    layout = lay_out(found)
    for i, children in enumerate(found.children):
        if not children:
            continue
        assert layout.x[i] == pytest.approx((layout.x[children[0]] + layout.x[children[-1]]) / 2)
        assert all(layout.y[child] > layout.y[i] + 30 for child in children)
        places = [layout.x[child] for child in children]
        assert places == sorted(places)
    for members in found.infosets.values():  # an infoset stands on one line per depth
        lines = {(found.nodes[i].depth, layout.y[i]) for i in members}
        assert len(lines) == len({found.nodes[i].depth for i in members})


@pytest.mark.parametrize(("spec", "start"), PICTURES)
def test_no_dashed_line_crosses_an_unrelated_node(spec: str, start: tuple[str, ...]) -> None:
    found = drawn(spec, start)
    layout = lay_out(found)
    for key, members in found.infosets.items():
        for depth in {found.nodes[i].depth for i in members}:
            row = [i for i in members if found.nodes[i].depth == depth]
            low, high = min(layout.x[i] for i in row), max(layout.x[i] for i in row)
            between = [
                node.infoset
                for i, node in enumerate(found.nodes)
                if layout.y[i] == layout.y[row[0]] and low < layout.x[i] < high
            ]
            assert set(between) <= {key}


@pytest.mark.parametrize(("spec", "start"), PICTURES)
def test_svg_is_well_formed_and_complete(spec: str, start: tuple[str, ...]) -> None:
    found = drawn(spec, start)
    root = ET.fromstring(to_svg(found))
    space = "{http://www.w3.org/2000/svg}"
    edges = [p for p in root.iter(f"{space}path") if p.get("class") == "edge"]
    assert len(edges) == len(found.nodes) - 1
    texts = ["".join(t.itertext()) for t in root.iter(f"{space}text")]
    for key, members in found.infosets.items():
        assert texts.count(key) >= len(members)
    assert to_svg(found) == to_svg(drawn(spec, start))


def test_texts_are_escaped() -> None:
    game = Written((0, '<"&>', {"<a>": (1.0,), '"b\\': (-1.0,)}), 1, name="<game>")
    found = outline(game)
    root = ET.fromstring(to_svg(found))
    assert root.find("{http://www.w3.org/2000/svg}title").text == "<game>"
    dot = to_dot(found)
    assert 'label="0: <\\"&amp;>"' in dot  # Graphviz resolves entities
    assert 'label="\\"b\\\\"' in dot


def test_an_infoset_at_two_depths_is_joined_by_a_bend() -> None:
    """A player who does not know how often they were asked (perfect recall is not needed here)."""
    asked = {"on": (0, "asked", {"on": (0.0,), "off": (1.0,)}), "off": (2.0,)}
    text = to_svg(outline(Written((0, "asked", asked), 1)))
    assert "Q" in [p.get("d") for p in ET.fromstring(text).iter() if p.get("class") == "set"][1]


def test_keys_of_infosets_do_not_meet_the_numbers_of_other_nodes() -> None:
    """The leaf is node 5: a decision must not be joined to it, whatever its key."""
    plain, odd = (
        lay_out(
            outline(
                Written(
                    (
                        0,
                        "r",
                        {"a": (0, key, {"x": (1.0,)}), "b": (0, "z", {"y": (1.0,)}), "c": (1.0,)},
                    ),
                    1,
                )
            )
        )
        for key in ("abcde", "\x005")
    )
    assert plain == odd


def test_edges_have_the_words_of_the_game_if_they_are_given() -> None:
    """Facing a bet, the actions `pass` and `bet` of Kuhn poker are called fold and call."""
    game = load_game("kuhn")

    def words(key: str, labels: Sequence[str]) -> list[str]:
        return [named[0] for named in action_words(game, key, labels)]

    rows = {"2b": {"pass": 0.75, "bet": 0.25}}
    found = outline(game, start=("1", "2"), strategy=rows, words=words)
    here = next(i for i, node in enumerate(found.nodes) if node.infoset == "2b")
    below = [found.nodes[child] for child in found.children[here]]
    assert [(node.action, node.probability) for node in below] == [("fold", 0.75), ("call", 0.25)]
    plain = outline(game, start=("1", "2"), strategy=rows)
    assert [plain.nodes[child].action for child in plain.children[here]] == ["pass", "bet"]
    chance = outline(game, words=words)
    assert [chance.nodes[child].action for child in chance.children[0]] == ["1", "2", "3"]


def test_no_drawing_begins_behind_one_of_several_outcomes_with_a_name() -> None:
    ends = {("o", 0.5): (1.0,), ("o", 0.25): (2.0,), ("x", 0.25): (3.0,)}
    game = Written(("chance", ends), 1)
    with refuses(ConfigError, option="move", given="o"):
        outline(game, start=("o",))
    assert len(outline(game, start=("x",)).nodes) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "start"), [*PICTURES[:2], *(slow(*case) for case in PICTURES[2:4])]
)
def test_pictures_have_the_size_of_the_svg(spec: str, start: tuple[str, ...]) -> None:
    """Twice as many pixels in a PNG; as many points in a PDF."""
    tree = drawn(spec, start)
    root = ET.fromstring(to_svg(tree))
    size = [float(root.attrib[side]) for side in ("width", "height")]
    png = to_picture(tree, "png")
    assert png.startswith(b"\x89PNG")
    pixels = [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]
    assert pixels == pytest.approx([2 * side for side in size], abs=3)
    assert png == to_picture(tree, "png")
    pdf = to_picture(tree, "pdf")
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert box is not None
    assert [float(side) for side in box.groups()] == pytest.approx(size, abs=1)
    assert pdf == to_picture(tree, "pdf")


def test_pictures_show_every_text_as_it_is() -> None:
    """Dollar signs begin no formula, and letters that the font lacks are no error."""
    strange = outline(
        Hooked(load_game("matching_pennies"), infoset=lambda s: f"$x_{{{len(s)}}} \u6b63")
    )
    assert to_picture(strange, "png").startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_picture_of_a_wide_tree_has_fewer_pixels() -> None:
    wide = outline(load_game("matrix", payoffs=[[0] * 600, [0] * 600]), max_nodes=2000)
    png = to_picture(wide, "png")
    assert 20_000 < int.from_bytes(png[16:20], "big") <= 30_001
