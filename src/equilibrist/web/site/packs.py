"""Packs: compressed tables from questions to documents, which a page opens without a server's help.

`ui/core/packs.js` finds a document by the same rule.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from pydantic_core import to_json

from equilibrist.errors import EquilibristError
from equilibrist.storage.atomic import write_bytes
from equilibrist.web.errors import error_document, status_of

Values: TypeAlias = Mapping[str, str | Sequence[str]]
"""What a question gives behind its question mark."""
Question: TypeAlias = tuple[Values, Callable[[], Any]]
"""The values of a question, and what answers it."""
FOLDER: Final = "packs"
SUFFIX: Final = ".pack"
"""No server knows it, so none adds an encoding or takes one away."""
_DIGITS: Final = 16
_NAME: Final = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")


@dataclass
class Packs:
    """The packs of a site.

    Attributes:
        folder: Where they lie.
        on_document: Told before each document how many were answered; may raise.
        documents: By the name of a document: `by`, the values that tell its packs apart, and
            `packs`, their names by these values.
        num_documents: How many documents they have.
        num_bytes: The bytes of all packs.
    """

    folder: Path
    on_document: Callable[[int], None] | None = None
    documents: dict[str, Any] = field(default_factory=dict)
    num_documents: int = 0
    num_bytes: int = 0
    _answered: int = 0

    def add(self, name: str, questions: Iterable[Question], by: Sequence[str] = ()) -> None:
        """Answer the questions of a document, and write what was answered.

        Args:
            name: The document, as requests name it: `games/kuhn/lesson`.
            questions: Its questions; what is refused is kept as the document of the refusal.
            by: The values by which the answers are divided into packs; of lists the first, and
                `board` stands for the cards of a line.

        Raises:
            OutputError: A file cannot be written.
        """
        tables: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for values, answer in questions:
            if self.on_document is not None:
                self.on_document(self._answered)
            self._answered += 1
            first = {value: _part(values, value) for value in by}
            tables[key_of(first)][key_of(values)] = _answered(answer)
        packs = {key: self._write(table) for key, table in tables.items()}
        self.documents[name] = {"by": list(by), "packs": packs}

    def names(self) -> set[str]:
        """The files that belong to the site, by their paths."""
        packs = (pack for entry in self.documents.values() for pack in entry["packs"].values())
        return {f"{FOLDER}/{pack}{SUFFIX}" for pack in packs}

    def _write(self, table: Mapping[str, bytes]) -> str:
        rows = (json.dumps(key).encode() + b":" + document for key, document in table.items())
        content = b"{" + b",".join(rows) + b"}"
        name = sha256(content).hexdigest()[:_DIGITS]  # what has changed has another address
        packed = gzip.compress(content, mtime=0)
        path = self.folder / f"{name}{SUFFIX}"
        if not path.exists():
            write_bytes(path, packed)
        self.num_documents += len(table)
        self.num_bytes += len(packed)
        return name


def packs_in(site: Path) -> list[str]:
    """The packs in the folder of a site, by their paths, whether or not its index lists them.

    Args:
        site: The folder.
    """
    files = (site / FOLDER).glob(f"*{SUFFIX}")
    return [f"{FOLDER}/{file.name}" for file in files if _NAME.fullmatch(file.stem)]


def key_of(values: Values) -> str:
    """A question as packs name it: what is given of it, in one order.

    Args:
        values: Its values; empty ones are not given.
    """
    pairs = [[name, one] for name in sorted(values) for one in _listed(values[name]) if one]
    return json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))


def word(text: str) -> str:
    """A text as a part of an address, as browsers write it.

    Args:
        text: The text.
    """
    return quote(text, safe="-_.!~*'()")


def _part(values: Values, name: str) -> str:
    """What of a question tells packs apart."""
    if name == "board":
        line = _part(values, "line")
        return "".join(line.split("|")[1::2])
    return next(iter(_listed(values.get(name, ""))), "")


def _listed(value: str | Sequence[str]) -> Sequence[str]:
    return [value] if isinstance(value, str) else value


def _answered(answer: Callable[[], Any]) -> bytes:
    """The document that answers, or that of the refusal."""
    try:
        return to_json(answer())
    except EquilibristError as error:
        return to_json({**error_document(error), "status": status_of(error)})
