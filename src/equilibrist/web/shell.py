"""The one HTML document of the pages that are modules, and the files that it names."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from equilibrist.web.errors import NotFoundError
from equilibrist.web.security.entering import asked_path
from equilibrist.web.security.lasting import SESSION
from equilibrist.web.services import role_of, services_of

router = APIRouter(include_in_schema=False)
FOLDER: Final = Path(__file__).parent / "ui"
"""The modules, styles and texts of the pages."""
CATALOGUES: Final = "texts/"
"""The folder of texts: `core/theme.js` asks for those of the reader, and no document does."""
PAGES: Final = {
    "/": "library",
    "/api/docs": "api",
    "/charts/{name}": "charts",
    "/compare": "compare",
    "/drill/{name}": "drill",
    "/examples": "examples",
    "/explore/{name}": "explore",
    "/hands": "hands",
    "/games": "games",
    "/games/{game:path}": "game",
    "/learn": "learn",
    "/lessons": "lessons",
    "/payoffs": "payoffs",
    "/play": "play",
    "/play/{name}": "table",
    "/race": "race",
    "/reports": "reports",
    "/reports/{name}": "report",
    "/review": "review",
    "/runs": "runs",
    "/runs/{name}": "run",
    "/spot": "spot",
    "/study/{name}": "study",
    "/trainer": "trainer",
    "/trainer/{name}": "training",
}
"""The pages, by their addresses: the names of their modules in `ui/pages`, and of their styles.

A part of an address in braces is what the page is about, which its module reads.
"""
_IMPORT: Final = re.compile(
    r"""^(?:(?:import|export)\b[^"';=]*\bfrom |import )"(\.[^"]+)";$""", re.MULTILINE
)
"""An import of another module, on one line or several."""
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".toml": "text/plain; charset=utf-8",
}
_STYLES: Final = ("base", "parts")
_LOOKS: Final = {
    "drill": ("table",),
    "examples": (),
    "explore": ("game", "explore"),
    "review": ("table", "review"),
    "training": ("table", "trainer"),
}
"""Pages that have the styles of others, in place of their own or beside them."""
_THEME: Final = "core/theme.js"
_YEAR: Final = "private, max-age=31536000, immutable"
_PAGE: Final = """<!doctype html>
<html lang="en" data-root="{root}"{about}>
<head>
<meta charset="utf-8">
{policy}<title>Equilibrist</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="{files}/icon.svg">
{links}
<script type="module" src="{files}/{theme}" blocking="render"></script>
<script type="module" src="{files}/{module}"></script>
</head>
<body></body>
</html>
"""


@dataclass(frozen=True)
class PageFiles:
    """The files of the pages.

    Attributes:
        contents: The bytes of each, by its path below `FOLDER`.
        digest: The hash of them all, which stands in their addresses: they never change there.
    """

    contents: Mapping[str, bytes]
    digest: str

    @classmethod
    def read(cls) -> PageFiles:
        """Read them, unless they are those that were read before."""
        paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in _TYPES)
        return _read(tuple((path, *_state(path)) for path in paths))

    def of_page(self, name: str) -> tuple[list[str], list[str]]:
        """The modules and the styles of a page.

        Args:
            name: The page, as `PAGES` names it.

        Returns:
            The modules, that of the page itself first, and the styles in their order.
        """
        styles = [f"styles/{style}.css" for style in (*_STYLES, *_LOOKS.get(name, (name,)))]
        modules = list(self.modules(f"pages/{name}.js"))
        return modules, [style for style in styles if style in self.contents]

    def document(self, name: str, root: str, about: str = "", policy: str = "") -> str:
        """The document of a page: which modules and styles it needs.

        Args:
            name: The page, as `PAGES` names it.
            root: The way from the folder of the page to the beginning of the site.
            about: Attributes of the document, each with a space in front.
            policy: What the page may load, where no header says it.
        """
        place = f"{root}ui/{self.digest}"
        (module, *others), styles = self.of_page(name)
        links = [f'<link rel="stylesheet" href="{place}/{style}">' for style in styles]
        links += [
            f'<link rel="modulepreload" href="{place}/{other}">'
            for other in others
            if other != _THEME
        ]
        rule = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        return _PAGE.format(
            root=root,
            about=about,
            policy=rule if policy else "",
            files=place,
            links="\n".join(links),
            theme=_THEME,
            module=module,
        )

    def modules(self, first: str) -> Iterator[str]:
        """A module and all that it imports, itself or through others.

        Args:
            first: The path of the module.
        """
        found, waiting = {first}, [first]
        while waiting:
            module = waiting.pop()
            yield module
            new = sorted(set(imports(module, self.contents[module].decode())) - found)
            found.update(new)
            waiting += reversed(new)


def imports(module: str, source: str) -> list[str]:
    """The paths of the modules that one imports.

    Args:
        module: Its own path below `FOLDER`.
        source: Its text.
    """
    return [normpath(join(dirname(module), name)) for name in _IMPORT.findall(source)]


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=1)
def _read(states: tuple[tuple[Path, int, int], ...]) -> PageFiles:
    contents = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path, *_ in states}
    digest = sha256()
    for name, content in contents.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return PageFiles(contents, digest.hexdigest()[:16])


@lru_cache(maxsize=256)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@router.get("/ui/{digest}/{path:path}")
def page_file(request: Request, digest: str, path: str) -> Response:
    """A file of the pages; a browser keeps it for as long as it has this address."""
    files = PageFiles.read()
    content = files.contents.get(path)
    if content is None:
        raise NotFoundError("there is no such file", option="path", given=path)
    headers = {
        # Of an older page: it may have changed since.
        "Cache-Control": _YEAR if digest == files.digest else "no-store",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = _compressed(content)
        headers["Content-Encoding"] = "gzip"
    return Response(content, 200, headers, _TYPES[Path(path).suffix])


def _shell(name: str) -> Callable[[Request], HTMLResponse]:
    """What answers with the document of a page."""

    def shell(request: Request) -> HTMLResponse:
        """The document of a page: which modules and styles it needs, and who asks."""
        path = asked_path(request.scope).partition("?")[0]  # as the browser counts its folders
        root = "../" * (path.count("/") - 1) or "./"
        page = PageFiles.read().document(name, root, _session(request))
        return HTMLResponse(page, 200, {"Cache-Control": "no-cache"})

    return shell


def _without_slash(request: Request) -> RedirectResponse:
    """Lead from an address with a slash at its end to that of the page, wherever the site lies."""
    path, mark, query = asked_path(request.scope).partition("?")
    return RedirectResponse(f"../{path.split('/')[-2]}{mark}{query}")


def _session(request: Request) -> str:
    """Who asks, as attributes of the document; whether they have a session that they can end."""
    signed = not services_of(request).sessions.is_open and request.scope.get(SESSION) is not None
    return f' data-role="{escape(role_of(request) or "")}"' + (" data-session" if signed else "")


for _path, _name in PAGES.items():
    if _path != "/":
        # The slash first: what a page is about may have slashes, too.
        router.add_api_route(f"{_path}/", _without_slash, methods=["GET"])
    router.add_api_route(_path, _shell(_name), methods=["GET"], name=_name)
