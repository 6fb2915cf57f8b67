"""Reading modules of JavaScript: their texts, imports and exports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HOLE = "\0"
"""What stands for a value in the text of a template."""
_NAME = r"[A-Za-z_$][\w$]*"
_IMPORT = re.compile(
    r'^import (?:(?P<default>\w+)|\{(?P<names>[^}]*)\}) from "(?P<file>[^"]+)";$', re.MULTILINE
)
_EXPORT = re.compile(
    rf"^export (?:async )?(?:const|let|function|class) (?P<name>{_NAME})", re.MULTILINE
)
_AGAIN = re.compile(r'^export \{(?P<names>[^}]*)\} from "(?P<file>[^"]+)";$', re.MULTILINE)
_REGEX_AFTER = re.compile(r"(?:[(,=:\[!&|?{};]|=>|\breturn|^)\s*$")
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[a-z]*")


@dataclass
class Texts:
    """The texts of a module.

    Attributes:
        strings: What stands in quotes, and in templates without a tag.
        html: Templates of HTML; `HOLE` stands for each value.
        code: The source without texts and comments.
    """

    strings: list[str] = field(default_factory=list)
    html: list[str] = field(default_factory=list)
    code: str = ""


def texts_of(source: str) -> Texts:
    """Read the texts of a module."""
    found = Texts()
    code, end = _code(source, 0, found, until="")
    assert end == len(source)
    found.code = code
    return found


def _code(source: str, at: int, found: Texts, until: str) -> tuple[str, int]:
    """Read code up to a closing bracket on its own level: the code, and the place behind it."""
    code, depth = "", 0
    while at < len(source):
        sign = source[at]
        if source.startswith("//", at):
            at = source.find("\n", at) % (len(source) + 1)
        elif source.startswith("/*", at):
            at = source.index("*/", at) + 2
        elif sign in "\"'":
            end = re.compile(rf"{sign}((?:\\.|[^\\{sign}])*){sign}").match(source, at)
            assert end, source[at : at + 40]
            found.strings.append(end[1])
            code, at = code + '""', end.end()
        elif sign == "`":
            text, at = _template(source, at + 1, found)
            (found.html if code.endswith("html") else found.strings).append(text)
            code += '""'
        elif sign == "/" and _REGEX_AFTER.search(code) and (regex := _REGEX.match(source, at)):
            code, at = code + "0", regex.end()
        elif sign == until and depth == 0:
            return code, at + 1
        else:
            depth += (sign == "{") - (sign == "}")
            code, at = code + sign, at + 1
    return code, at


def _template(source: str, at: int, found: Texts) -> tuple[str, int]:
    text = ""
    while source[at] != "`":
        if source.startswith("${", at):
            _, at = _code(source, at + 2, found, until="}")
            text += HOLE
        else:
            width = 2 if source[at] == "\\" else 1
            text, at = text + source[at : at + width], at + width
    return text, at + 1


def _listed(names: str) -> list[str]:
    return [name.split(" as ")[0].strip() for name in names.split(",") if name.strip()]


def imports_of(source: str) -> list[tuple[str, list[str]]]:
    """What a module imports: files as it names them, and names; `default` for the one without."""
    found = [
        (m["file"], ["default"] if m["default"] else _listed(m["names"]))
        for m in _IMPORT.finditer(source)
    ]
    return found + [(m["file"], _listed(m["names"])) for m in _AGAIN.finditer(source)]


def exports_of(source: str) -> set[str]:
    """The names that a module exports."""
    found = {match["name"] for match in _EXPORT.finditer(source)}
    for match in _AGAIN.finditer(source):
        found.update(_listed(match["names"]))
    return found | ({"default"} if re.search(r"^export default\b", source, re.MULTILINE) else set())


def catalogue_of(source: str) -> dict[str, list[str]]:
    """The texts of a catalogue by their keys: one, or one for each plural form."""
    found: dict[str, list[str]] = {}
    entry = re.compile(
        r'^  "([^"]+)": (?:"((?:\\.|[^"\\])*)",|\{\n((?:    \w+: "(?:\\.|[^"\\])*",\n)+)  \},)$',
        re.MULTILINE,
    )
    for key, text, forms in entry.findall(source):
        assert key not in found, f"{key} stands twice"
        found[key] = (
            re.findall(r'^    \w+: "((?:\\.|[^"\\])*)",$', forms, re.MULTILINE) if forms else [text]
        )
    keys = re.findall(r'^  "([^"]+)":', source, re.MULTILINE)
    assert len(keys) == len(found), set(keys) - set(found)
    return found
