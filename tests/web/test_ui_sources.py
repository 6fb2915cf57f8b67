"""What holds of every module of the pages, read from the sources."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from equilibrist.web import shell
from equilibrist.web.shell import FOLDER, PAGES
from equilibrist.web.site.writing import FIRST
from tests.web.javascript import (
    HOLE,
    Texts,
    catalogue_of,
    exports_of,
    imports_of,
    texts_of,
)

LAYERS = ["pages", "parts", "poker", "core", "texts", "lib"]
"""Folders of modules; imports go down this list, or stay in a folder."""
LIBRARIES = (FOLDER / "lib", Path(__file__).parent / "js" / "lib")
KEYS = {"Escape", "Enter", "Tab", "Backspace", "Delete", "Home", "End", "Shift"}
"""Names of keys, which are no words of the page."""
SPOKEN = ("aria-label", "title", "placeholder", "alt", "label", "aria-description")
"""Attributes of HTML that people read or hear."""
WORDS = re.compile(r"[^\W\d_]{2,}")
KEY = re.compile(rf"[a-z][a-z-]*(?:\.(?:[\w-]|{HOLE})+)+")
"""How the keys of texts look."""
SENTENCE = re.compile(r"(?<![-\w])[^\W\d_]{2,}[,.]? [^\W\d_]{2,}(?![-\w])")
OF_THE_SERVER = {
    key
    for name in ("entry.py", "security/headers.py")
    for key in re.findall(r'"([a-z]+(?:\.[a-z-]+)*)"', (FOLDER.parent / name).read_text("utf-8"))
}
"""Keys of texts, among others, on the pages that the server writes whole."""
MOST_LINES = 400
WIDEST = 120


@cache
def sources() -> dict[str, str]:
    """The modules of ours, by their paths below the folder."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_text("utf-8")
        for path in sorted(FOLDER.rglob("*.js"))
    }
    assert len(found) > 10
    return {name: text for name, text in found.items() if not name.startswith("lib/")}


@cache
def texts(name: str) -> Texts:
    return texts_of(sources()[name])


@cache
def imported() -> dict[str, list[tuple[str, list[str]]]]:
    """What each module imports: the paths of others, with names."""
    return {
        name: [(normpath(join(dirname(name), file)), names) for file, names in imports_of(source)]
        for name, source in sources().items()
    }


@cache
def catalogues() -> dict[str, dict[str, list[str]]]:
    """Texts by language and key: those of all pages, and of pages with forms."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, source in sources().items():
        if name.startswith("texts/"):
            language = Path(name).stem.removesuffix("-help")
            known, more = found.setdefault(language, {}), catalogue_of(source)
            assert not set(known) & set(more)
            known.update(more)
    return found


def modules_that(pattern: str) -> set[str]:
    """The modules in whose code, without texts and comments, a pattern occurs."""
    return {name for name in sources() if re.search(pattern, texts(name).code)}


@pytest.mark.parametrize("folder", LIBRARIES, ids=["shipped", "tested"])
def test_library_files_are_unchanged(folder: Path) -> None:
    listed = tomllib.loads((folder / "SOURCES.toml").read_text("utf-8"))
    assert set(listed) | {"SOURCES.toml"} == {path.name for path in folder.iterdir()}
    for name, about in listed.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == about["sha256"], name
        assert about["version"] in about["package"]
        assert about["licence"] in ("MIT", "Apache-2.0")
        if "licence_file" in about:
            assert about["licence_file"] in listed
    assert folder != FOLDER / "lib" or all(
        "licence_file" in about for name, about in listed.items() if name.endswith(".js")
    )


def test_both_builds_of_vue_are_of_one_version() -> None:
    versions = {
        tomllib.loads((folder / "SOURCES.toml").read_text("utf-8"))["vue.js"]["version"]
        for folder in LIBRARIES
    }
    assert len(versions) == 1


def test_imports_go_down_and_name_what_there_is() -> None:
    for name, its in imported().items():
        rank = LAYERS.index(name.split("/")[0])
        for other, names in its:
            assert LAYERS.index(other.split("/")[0]) >= rank, f"{name} imports {other}"
            if other.startswith("lib/"):
                continue
            missing = set(names) - exports_of(sources()[other])
            assert not missing, f"{name} imports {missing} of {other}, which it does not have"


def test_every_import_is_read() -> None:
    """By the tests, and by the server, which lists the modules of a page."""
    for name, source in sources().items():
        count = len(re.findall(r"^import\b|^export \{[^}]*\} from", source, re.MULTILINE))
        assert len(imports_of(source)) == count, name
        read = [other for other, _ in imported()[name]]
        assert sorted(shell.imports(name, source)) == sorted(read)


def test_imports_go_in_no_circle() -> None:
    left = {name: {other for other, _ in its} & set(sources()) for name, its in imported().items()}
    while free := {name for name, others in left.items() if not others}:
        left = {name: others - free for name, others in left.items() if name not in free}
    assert not left


def test_nothing_is_written_that_nobody_imports() -> None:
    used: dict[str, set[str]] = {}
    for its in imported().values():
        for other, names in its:
            used.setdefault(other, set()).update(names)
    pages = {f"pages/{name}.js" for name in (*PAGES.values(), FIRST)}
    assert pages <= set(sources())
    words = {name for name in sources() if name.startswith("texts/")}
    assert set(sources()) - set(used) - pages - words == set()
    for name in words:
        assert exports_of(sources()[name]) == {"default"}
    for name, source in sources().items():
        if name in words:
            continue
        assert exports_of(source) - used.get(name, set()) == set(), name
    top = {name for name in sources() if name.count("/") == 1 and name.startswith("pages/")}
    assert top == pages


def test_names_are_imported_to_be_used() -> None:
    for name, its in imported().items():
        code = re.sub(r"^import\b[^;]*;", "", sources()[name], flags=re.MULTILINE)
        for other, names in its:
            for one in names:
                if one == "default" or one in exports_of(sources()[name]):
                    continue
                is_used = re.search(rf"(?<![\w$.]){re.escape(one)}\b", code)
                assert is_used, f"{name}: {one} of {other}"


def test_one_module_has_each_door() -> None:
    libraries = {
        name for name, its in imported().items() if any(o.startswith("lib/") for o, _ in its)
    }
    assert libraries == {"core/html.js"}
    fetching = r"\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\b|\bsendBeacon\b"
    assert modules_that(fetching) == {"core/source.js"}
    assert modules_that(r"\bimport\(") == {"core/texts.js"}  # of one catalogue
    assert modules_that(r"\bEventSource\b") == {"core/live.js"}
    keeping = r"\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b"
    assert modules_that(keeping) == {"core/drafts.js", "core/theme.js"}
    listening = {
        name
        for name, source in sources().items()
        if re.search(r'(?:document|window)\.addEventListener\("key', source)
    }
    assert listening == {"core/keys.js"}
    for name, source in sources().items():
        if name != "core/address.js":
            assert '"/' not in source, f"{name} has an address that begins at the root"


def test_no_text_becomes_html_or_script() -> None:
    names = "innerHTML|outerHTML|insertAdjacentHTML|setHTML\\w*|srcdoc|eval|Function|DOMParser"
    assert modules_that(rf"\b(?:{names})\b|document\.write") == set()
    for name in sources():
        for text in texts(name).html:
            assert not re.search(r"v-html|\bon[a-z]+=|<script|<style|javascript:", text), (
                name,
                text,
            )
            assert not re.search(r'style="', text), f"{name}: a style belongs into a sheet"


def test_words_stand_in_the_catalogue_alone() -> None:
    for name in sources():
        if name.startswith("texts/"):
            continue
        for text in texts(name).html:
            inside = re.sub(r"<[^>]*>", " ", text)
            assert not WORDS.search(inside.replace(HOLE, " ")), f"{name}: {inside.strip()!r}"
            for attribute in SPOKEN:
                given = re.search(rf'\s{attribute}="([^"]*)"', text)
                assert not (given and WORDS.search(given[1])), f"{name}: {given}"
        for text in texts(name).strings:
            is_word = re.fullmatch(r"[A-Z][a-z]{2,}", text)
            if is_word and text not in KEYS and f"error.{text}" not in catalogues()["en"]:
                pytest.fail(f"{name}: {text!r}")
            assert not SENTENCE.search(text) or _is_for_programmers(name, text), f"{name}: {text!r}"


def _is_for_programmers(name: str, text: str) -> bool:
    """Whether a text is that of an error which nobody sees but who made it."""
    return f"new Error(`{text}".replace(HOLE, "${")[:30] in sources()[name]


def test_texts_are_there_and_are_used() -> None:
    whole, parts = set(OF_THE_SERVER), set()
    for name in sources():
        if name.startswith("texts/"):
            continue
        for text in texts(name).strings:
            whole.add(text)
            if HOLE in text and "." in text:
                parts.add(text)
        for key in re.findall(r'\b(?:t|pieces)\("([^"]+)"', sources()[name]):
            assert key in catalogues()["en"], f"{name}: {key}"
    patterns = [
        re.compile("".join("[^.]+" if c == HOLE else re.escape(c) for c in text)) for text in parts
    ]
    for key in catalogues()["en"]:
        is_used = key in whole or any(pattern.fullmatch(key) for pattern in patterns)
        assert is_used, f"{key} is not used"


def test_what_looks_like_a_key_is_one() -> None:
    """Also where a key is chosen, or has a part that varies, of which there is one at least."""
    english = catalogues()["en"]
    groups = {key.partition(".")[0] for key in english if "." in key}
    for name in sources():
        if name.startswith("texts/"):
            continue
        for text in texts(name).strings:
            is_like_one = KEY.fullmatch(text) and not text.endswith(".json")
            if not is_like_one or text.partition(".")[0] not in groups:
                continue
            pattern = re.compile(re.escape(text).replace(re.escape(HOLE), "[^.]+"))
            assert any(map(pattern.fullmatch, english)), f"{name}: {text}"


def test_catalogues_are_alike() -> None:
    """The same keys in the same order, and the same places for values."""
    english = catalogues()["en"]
    listed = re.search(r"CATALOGUES = \[([^]]*)\]", sources()["core/theme.js"])
    assert listed
    assert set(catalogues()) == set(re.findall(r'"(\w+)"', listed[1]))
    for language, other in catalogues().items():
        assert [*other] == [*english], language
        for key, forms in other.items():
            # Of a text with forms that for most numbers: Chinese has no other.
            assert len(forms) in (1, len(english[key])), key
            assert _places(forms[-1]) == _places(english[key][-1]), key
            assert set().union(*map(_places, forms)) <= _places(forms[-1]), key
            assert all(text.strip() == text and text for text in forms), key


def test_texts_are_shown_as_they_stand() -> None:
    """Pages know no markup, whose signs would be read; what is code has a place in the text."""
    for language, texts in catalogues().items():
        for key, forms in texts.items():
            signs = [re.search(r"`|\*\*|\]\(|</?[a-z]+>", text) for text in forms]
            assert not any(signs), f"{language}: {key}"


def _places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_nobody_is_told_to_wait_where_only_deleting_helps() -> None:
    """What `error.LimitError` says, that the server is busy, is true of what ends by itself."""
    passing = {
        "algorithms", "connections", "line", "memory", "queue", "resolve", "searches", "seeds",
        "streams", "topics", "uploads", "work",
    }  # fmt: skip
    raised = re.compile(r"LimitError\((?:[^()]|\([^()]*\))*?option=\"(\w+)\"")
    python = (path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py"))
    options = {option for text in python for option in raised.findall(text)}
    assert {"sessions", "jobs", "work"} <= options
    catalogue = catalogue_of(sources()["texts/en.js"])
    assert {f"error.LimitError.{option}" for option in options - passing} <= set(catalogue)


def test_chinese_is_written_as_chinese_is() -> None:
    """Its own punctuation beside its own letters, a space beside others, and no English."""
    han, english = "[\u4e00-\u9fff]", catalogues()["en"]
    for key, (text,) in catalogues()["zh"].items():
        plain = re.sub(r"\{\w+\}", "", text)
        assert not re.search(rf"{han}[,:;?!()]|[,:;?!]{han}", plain), key
        assert not re.search(rf"{han}[A-Za-z0-9]|[A-Za-z0-9%]{han}", plain), key
        assert text not in english[key] or not re.search("[a-z]+ [a-z]+", plain), key


def test_modules_are_one_thing_each() -> None:
    for name, source in sources().items():
        assert source.startswith("// "), f"{name} does not say what it is"
        if not name.startswith("texts/"):
            assert source.count("\n") <= MOST_LINES, name
            wide = [line for line in source.splitlines() if len(line) > WIDEST]
            assert not wide, f"{name}: {wide}"


def test_the_reader_of_modules_finds_texts() -> None:
    """Also words that would be missed: the rules above can fail."""
    found = texts_of(
        'const a = /"`/.test(x) ? "one two" '
        ': html`<p title="z">Hi ${b(`in ${1}`)} <b>you</b></p>`; // "no"'
    )
    assert found.strings == ["one two", f"in {HOLE}"]
    assert found.html == [f'<p title="z">Hi {HOLE} <b>you</b></p>']
    assert "no" not in found.code


@pytest.mark.parametrize("sheet", sorted(FOLDER.glob("styles/*.css")), ids=lambda path: path.name)
def test_style_sheets_close_what_they_open(sheet: Path) -> None:
    """An open block would take in all the rules behind it."""
    depth, deepest = 0, 0
    for sign in re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", sheet.read_text("utf-8"), flags=re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        deepest = max(deepest, depth)
        assert depth >= 0
    assert depth == 0
    assert deepest <= 2
