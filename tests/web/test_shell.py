"""Pages that are modules: their document, their files, and who gets them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from equilibrist.web import shell
from equilibrist.web.overview.routes import SECTIONS
from equilibrist.web.shell import CATALOGUES, FOLDER, PAGES, PageFiles

OWNER, GUEST = "o" * 20, "g" * 20


def test_the_document_of_a_page_allows_files_of_this_server_alone(client: TestClient) -> None:
    answer = client.get("/learn?game=kuhn")
    policy = answer.headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in policy
    for inline in ("<style", "style=", "onload", "javascript:"):
        assert inline not in answer.text
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", answer.text))


def test_all_that_a_page_loads_is_there_and_is_kept(client: TestClient) -> None:
    named = re.findall(r'(?:href|src)="\./(ui/[^"]+)"', client.get("/learn").text)
    assert len(named) == len(set(named))
    assert {name.split("/", 2)[2] for name in named} >= {
        "pages/learn.js", "lib/vue.js", "core/texts.js", "styles/learn.css", "icon.svg",
    }  # fmt: skip
    for name in named:
        answer = client.get(f"/{name}")
        assert answer.status_code == 200
        assert answer.content == (FOLDER / name.split("/", 2)[2]).read_bytes()
        assert "immutable" in answer.headers["cache-control"]
        kind = answer.headers["content-type"].split(";")[0]
        assert (
            kind
            == {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}[
                name.rpartition(".")[2]
            ]
        )


def test_all_modules_are_named_before_they_are_asked_for(client: TestClient) -> None:
    files = PageFiles.read()
    for path, name in PAGES.items():
        module = f"pages/{name}.js"
        text = client.get(re.sub(r"\{[^}]+\}", "x", path)).text
        for other in files.modules(module):
            assert text.count(f'/{other}"') == 1


def test_a_file_of_an_older_page_is_not_kept(client: TestClient) -> None:
    digest = PageFiles.read().digest
    for old in ("0" * 16, "x"):
        assert client.get(f"/ui/{old}/core/html.js").headers["cache-control"] == "no-store"
    assert "immutable" in client.get(f"/ui/{digest}/core/html.js").headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["nothing.js", "core", "", "../shell.py", "core/../../shell.py", "..%2fshell.py", "%00"]
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(f"/ui/{PageFiles.read().digest}/{path}")
    assert answer.status_code == 404
    assert "def page_file" not in answer.text


def test_files_are_compressed_for_those_who_take_it(client: TestClient) -> None:
    address = f"/ui/{PageFiles.read().digest}/lib/vue.js"
    plain = client.get(address, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-security-policy"] == "default-src 'none'"
    with client.stream("GET", address, headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_a_first_visit_is_light(client: TestClient) -> None:
    """The document and all that it names, and the largest catalogue of texts, as they are sent."""
    text = client.get("/learn").text
    names = re.findall(r'(?:href|src)="\./(ui/[^"]+)"', text)
    sizes = [len(gzip.compress(client.get(f"/{name}").content)) for name in names]
    words = [
        len(gzip.compress(content))
        for name, content in PageFiles.read().contents.items()
        if name.startswith(CATALOGUES)
    ]
    assert not any(f"/{CATALOGUES}" in name for name in names)
    assert sum(sizes) + len(text) + max(words) < 250_000 / 2
    assert len(names) < 30


def test_an_edited_file_has_another_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    for name in ("pages/learn.js", "core/theme.js"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("export const x = 1;\n")
    monkeypatch.setattr(shell, "FOLDER", tmp_path)
    first = PageFiles.read()
    assert PageFiles.read() is first
    (tmp_path / "core/theme.js").write_text("export const x = 22;\n")
    second = PageFiles.read()
    assert second.digest != first.digest
    assert f"ui/{second.digest}/" in client.get("/learn").text


def test_pages_and_files_are_behind_the_token(make_client: Callable[..., TestClient]) -> None:
    client = make_client(token=OWNER, guest_token=GUEST)
    address = f"/ui/{PageFiles.read().digest}/core/html.js"
    assert client.get(address).status_code == 401
    answer = client.get("/learn?x=1", headers={"Accept": "text/html"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/enter?to=/learn%3Fx%3D1")
    for token, role in ((OWNER, "owner"), (GUEST, "guest")):
        headers = {"Authorization": f"Bearer {token}"}
        assert client.get(address, headers=headers).status_code == 200
        text = client.get("/learn", headers=headers).text
        assert f'data-role="{role}"' in text
        assert "data-session" not in text  # nothing to sign out of


def test_a_session_is_said(make_client: Callable[..., TestClient]) -> None:
    client = make_client(token=OWNER)
    client.post("/enter", data={"token": OWNER})
    assert " data-session>" in client.get("/learn").text
    assert " data-session>" not in make_client().get("/learn").text


@pytest.mark.parametrize("query", ["", "?game=kuhn&step=3"])
def test_a_slash_at_the_end_leads_to_the_page(client: TestClient, query: str) -> None:
    answer = client.get(f"/learn/{query}")
    assert answer.status_code == 200
    assert answer.url.raw_path.decode() == f"/learn{query}"


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/games/kuhn", "../"),
        ("/games/a%2Fb", "../"),
        ("/games/a/b", "../../"),
        ("/explore/x", "../"),
    ],
)
def test_what_a_page_is_about_may_have_any_name(client: TestClient, path: str, root: str) -> None:
    """Addresses in the document are relative to the folder that the browser sees."""
    text = client.get(path).text
    assert f'data-root="{root}"' in text
    assert f'src="{root}ui/' in text
    answer = client.get(f"{path}/?view=tree")
    assert answer.url.raw_path.decode() == f"{path}?view=tree"


def test_only_reading_is_answered(client: TestClient) -> None:
    assert client.head("/learn").status_code == 200
    assert client.post("/learn").status_code == 405


def test_both_frames_have_the_same_sections() -> None:
    """Those of pages that are modules, in their order, and those of the others."""
    source = (FOLDER / "parts" / "frame.js").read_text("utf-8")
    table = source[source.index("SECTIONS = [") : source.index("];")]
    listed = re.findall(r'\["(\w+)", "(\w*)"\]', table)
    texts = (FOLDER / "texts" / "en.js").read_text("utf-8")
    labels = dict(re.findall(r'"section\.(\w+)": "([^"]+)"', texts))
    assert [(name, f"/{path}") for name, path in listed] == list(SECTIONS.items())
    assert set(labels) == set(SECTIONS)
