"""Names that stay in their folders, and the secret of an installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from equilibrist.errors import EquilibristError
from equilibrist.library.names import SUFFIX
from equilibrist.web.errors import NotFoundError
from equilibrist.web.store.folders import (
    existing_path,
    fitting_name,
    numbered,
    own_files,
    path_in,
)
from equilibrist.web.store.library import Library
from equilibrist.web.store.setups import Setups
from tests.refusals import refuses

BAD_NAMES = (
    "..",
    ".",
    "../kuhn",
    "..%2fkuhn",
    "%2e%2e%2fsecret",
    "a/../../secret",
    "a\\b",
    "a\0b",
    "/etc/passwd",
    "~root",
    "C:secret",
    "con",
    "nul.safetensors",
    "a..b",
    "",
    "x" * 200,
    "ünï",
    "a b",
    "-rf",
    ".hidden",
    "\u202etxt",
)


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    (tmp_path / "secret.safetensors").write_bytes(b"")
    with pytest.raises(EquilibristError):
        path_in(folder, name, ".safetensors")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Game (1)", "Game-1"),
        ("große Straße", "grosse-Strasse"),
        ("é.à", "e.a"),
        ("策略", "game"),
        ("策略 2", "2"),
        ("..", "game"),
        ("a..b", "a-b"),
        ("a\\b\0c", "a-b-c"),
        ("%2e%2e%2fsecret", "2e-2e-2fsecret"),
        ("\u202etxt", "txt"),
        ("x" * 119 + "-yz", "x" * 119),
        ("a-", "a-"),
    ],
)
def test_files_of_any_name_have_one_that_fits(tmp_path: Path, name: str, kept: str) -> None:
    assert fitting_name(name, "game") == kept
    assert path_in(tmp_path, kept).parent == tmp_path
    assert fitting_name(kept, "game") == kept


def test_links_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "a link.spot").symlink_to(tmp_path / "secret")
    (folder / "own.spot").write_text("own")
    for name, suffix in (("link", ""), ("a link", ".spot")):
        with refuses(NotFoundError, given=name, expected="a file or a folder of its own"):
            existing_path(folder, name, suffix)
    with refuses(NotFoundError, given="nothing.here/", option="name"):
        existing_path(folder, "nothing.here/")
    assert own_files(folder, ".spot") == [folder / "own.spot"]


def test_links_in_the_library_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "elsewhere").write_bytes(b"")
    for name in ("kuhn", "of mine"):
        (tmp_path / "library" / f"{name}.toml").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "library" / f"kuhn{SUFFIX}").symlink_to(tmp_path / "elsewhere")
    library = Library(tmp_path / "library", 1)
    assert [entry.name for entry in library.entries() if entry.path.parent == library.folder] == []
    assert library.free_name("kuhn") == "kuhn-2"
    assert Setups(tmp_path / "library").names() == []


def test_a_name_with_a_number_is_no_longer_than_names_may_be(tmp_path: Path) -> None:
    longest = "x" * 120
    assert [numbered("kuhn", number) for number in (1, 2)] == ["kuhn", "kuhn-2"]
    for number in (1, 2, 10):
        assert path_in(tmp_path, numbered(longest, number)).name.startswith("xxx")
    assert numbered(longest, 2) != longest


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Игра", "letters a to z, digits, and - _ + . between them"),
        ("CON", "a name that means no device"),
        ("com1.x", "a name that means no device"),
    ],
)
def test_what_is_expected_of_a_name_is_not_what_was_given(
    tmp_path: Path, name: str, expected: str
) -> None:
    with pytest.raises(EquilibristError) as refused:
        path_in(tmp_path, name)
    assert (refused.value.given, refused.value.expected) == (name, expected)
