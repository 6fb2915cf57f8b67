"""Spots that are written for other solvers and read again."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from equilibrist.errors import ConfigError, OutputError, UnknownNameError
from equilibrist.poker import Spot, read_setup, setup_text, write_setup
from tests.poker.postflop.setups.same_trees import check_same
from tests.refusals import refuses

RANGES = ("AA,KK:0.5,AhKh,AQs+", "22-66,KQs:0.25,T9", "QQ+,AK", "JJ,98s+,A5s-A2s:0.75,QcJd:0.5")
BOARDS = ("QsJh2h", "Ts3h2h5c", "Ts3h2h5c9s", "8d8c3h")
FORMS = ("pio", "pio-script", "texassolver", "wasm", "toml")


def random_spot(draw: Random) -> Spot:
    """A spot with lists of percentages, half of them also with what some programs lack."""
    is_plain = draw.random() < 0.5

    def sizes(others: tuple[str, ...]) -> str:
        drawn = [f"{draw.choice((25, 33, 50, 66.5, 75, 100, 150))}%"]
        if draw.random() < 0.3 and not is_plain:
            drawn.append(draw.choice(others))
        return ",".join(drawn)

    def lists(others: tuple[str, ...]) -> str:
        if draw.random() < 0.4:
            return sizes(others)
        return "|".join(sizes(others) if draw.random() < 0.8 else "" for _ in range(2)) + "|50%"

    board = draw.choice(BOARDS)
    keys: dict[str, Any] = {
        "oop_bets": lists(("a", "e", "20c")),
        "ip_bets": lists(("a", "2e")),
        "oop_raises": lists(("2.5x", "a")),
        "ip_raises": lists(("3x", "a")),
    }
    if draw.random() < 0.4 and len(board) < 10:
        keys["donks"] = draw.choice(("||33%", "||none"))
    if draw.random() < 0.4:
        keys["force_all_in"] = draw.choice((0.1, 0.15, 0.2, 0.333))
    if draw.random() < 0.5 and not is_plain:
        keys |= {"add_all_in": draw.choice((1, 1.5, 2.5)), "merge": 0.1}
    if draw.random() < 0.3 and not is_plain:
        keys |= {"rake": 0.05, "rake_cap": 4}
    if draw.random() < 0.2 and not is_plain:
        keys |= {"raise_cap": 2}
    return Spot(
        board=board,
        oop=draw.choice(RANGES),
        ip=draw.choice(RANGES),
        pot=draw.randint(20, 200),
        stack=draw.randint(100, 400),
        **keys,
    )


def write(spot: Spot, path: Path, form: str) -> bool:
    """Whether a form can say a spot, which is then written."""
    try:
        write_setup(spot, path, form)
    except ConfigError as error:
        refused = error
    else:
        return True
    assert refused.option in Spot.model_fields or refused.option == "sizes"
    assert refused.remedy
    return False


def round_trips(form: str, numbers: range, folder: Path) -> int:
    """How many of these random spots a form can say; all come back as they were."""
    path = folder / "written"
    said = 0
    for number in numbers:
        spot = random_spot(Random(number))
        if not write(spot, path, form):
            continue
        found = read_setup(path)
        assert not found.left_out
        check_same(found.spot, spot)
        said += 1
    return said


@pytest.mark.parametrize("form", FORMS)
def test_a_spot_comes_back_as_it_was(form: str, tmp_path: Path) -> None:
    assert round_trips(form, range(8), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_fifty_spots_come_back_as_they_were(form: str, tmp_path: Path) -> None:
    assert round_trips(form, range(150), tmp_path) >= 50


@pytest.mark.parametrize(
    ("form", "keys", "option"),
    [
        ("pio", {"raise_cap": 1}, "raise_cap"),
        ("pio", {"locks": ["X: KK = Bet 30 100%"]}, "locks"),
        ("pio", {"added_lines": ["X-B15"]}, "added_lines"),
        ("pio", {"removed_lines": ["X-B30"]}, "removed_lines"),
        ("pio", {"bets": "50%, a", "removed_lines": ["X-A"]}, "removed_lines"),
        ("pio", {"bets": "3e200%"}, "sizes"),
        ("pio", {"pot": 6.5}, "unit"),
        ("pio", {"rake": 0.05}, "rake_cap"),
        ("pio", {"board": "QsJh9h", "deck": "short"}, "deck"),
        ("pio-script", {"rake": 0.05}, "rake_cap"),
        ("pio-script", {"board": "QsJh9h", "deck": "short"}, "deck"),
        ("texassolver", {"raises": "2.5x"}, "sizes"),
        ("texassolver", {"bets": "50%, a", "raises": "60%"}, "sizes"),
        ("texassolver", {"rake": 0.05, "rake_cap": 1}, "rake"),
        ("texassolver", {"min_bet": 2}, "min_bet"),
        ("wasm", {"bets": "all", "pot": 6, "stack": 9}, "sizes"),
        ("wasm", {"bets": "50%|50%|", "add_all_in": 2}, "add_all_in"),
        ("wasm", {"unit": 0.1}, "unit"),
    ],
)
def test_what_a_form_cannot_say_is_refused(form: str, keys: dict[str, Any], option: str) -> None:
    usual: dict[str, Any] = {
        "board": "QsJh2h", "oop": "AA", "ip": "KK", "pot": 60, "stack": 100, "bets": "50%",
    }  # fmt: skip
    spot = Spot(**usual | keys)
    with pytest.raises(ConfigError) as caught:
        setup_text(spot, form)
    assert caught.value.option == option
    assert caught.value.remedy
    if option in ("rake", "min_bet") and form != "pio":  # the remedy is one that can be typed
        default = Spot.model_fields[option].default
        assert f"set it to {default:g}" in caught.value.remedy
        setup_text(spot.replace(**{option: default}), form)


def test_a_raise_limit_of_texassolver_comes_back(tmp_path: Path) -> None:
    spot = Spot(board="QsJh2h", oop="AA", ip="KK", pot=60, stack=500, bets="50%", raise_cap=2)
    check_same(read_setup(write_setup(spot, tmp_path / "x.txt", "texassolver")).spot, spot)


def test_a_script_says_any_betting(tmp_path: Path) -> None:
    """Lines that are added and removed, caps, thresholds: it has the tree itself."""
    spot = Spot(
        board="QsJh2h", oop="AA:0.5,KhQs", ip="QQ,JJ", pot=55, stack=300, bets="33%,e",
        raises="2.5x", donks="|none|50%", add_all_in=1, merge=0.1, raise_cap=1, min_bet=2,
        added_lines=["X-B15"], removed_lines=["B18-C|B30"], force_all_in=0.2,
        rake=0.05, rake_cap=3.5,
    )  # fmt: skip
    path = write_setup(spot, tmp_path / "script.txt", "pio-script")
    check_same(read_setup(path).spot, spot)


def test_ranges_are_written_hand_by_hand() -> None:
    """Not all programs read 88+ and A5s-A2s."""
    oop = "QQ+,A3s-A2s,AhKh:0.5"
    spot = Spot(board="9sJh2h", oop=oop, ip="T9", pot=60, stack=100, bets="50%")
    for form, word in (("pio", "#Range0#"), ("texassolver", "set_range_oop ")):
        text = setup_text(spot, form).partition(word)[2].splitlines()[0]
        assert sorted(text.split(",")) == sorted(["AA", "KK", "QQ", "A3s", "A2s", "AhKh:0.5"])


def test_only_files_of_the_form_are_replaced(tmp_path: Path) -> None:
    spot = random_spot(Random(1))
    path = tmp_path / "notes.txt"
    path.write_text("my notes")
    with refuses(OutputError, option="out", given="notes.txt"):
        write_setup(spot, path, "pio")
    assert path.read_text() == "my notes"
    path.write_text("#Pot#5\n")
    write_setup(spot, path, "pio")
    write_setup(spot, path, "pio")
    with refuses(UnknownNameError, option="form"):
        setup_text(spot, "piosolver3")
