"""Pages that the server writes whole, in the language of whoever reads them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from equilibrist.errors import ConfigError
from equilibrist.web.errors import ForbiddenError, LimitError, error_document
from equilibrist.web.security.entering import ENTRY
from equilibrist.web.words import COOKIE, LANGUAGES, language_of, refusal_words, words
from tests.web.security.test_guard import OWNER, MakeClient

HTML = {"Accept": "text/html"}


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("", "", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "", "zh"),
        ("en-GB,zh;q=0.9", "", "en"),
        ("en;q=0.5, zh-TW;q=0.7", "", "zh"),
        ("de-DE, fr;q=0.8", "", "en"),
        ("fr, ZH;q=0.8, *;q=0.1", "", "zh"),
        ("zh;q=0, en", "", "en"),
        ("zh;q=much", "", "en"),
        ("zh", f"{COOKIE}=en", "en"),
        ("en", f"other=1; {COOKIE}=zh", "zh"),
        ("zh", f"{COOKIE}=", "zh"),
        ("en", f"{COOKIE}=xx", "en"),
    ],
)
def test_the_language_is_the_chosen_one_else_that_of_the_browser(
    accepted: str, cookie: str, language: str
) -> None:
    assert language_of(Headers({"accept-language": accepted, "cookie": cookie})) == language
    assert language_of(Headers({})) == "en"


def heading(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_signing_in(make_client: MakeClient, language: str) -> None:
    client = make_client(token=OWNER)
    asked = {"Accept-Language": language}
    page = client.get(ENTRY, headers=asked)
    assert f'<html lang="{LANGUAGES[language]}">' in page.text
    for key in ("enter", "enter.token"):
        assert f">{words(language, key)}<" in page.text
    wrong = client.post(ENTRY, data={"token": "wrong"}, headers=asked)
    assert words(language, "enter.wrong") in unescape(wrong.text)
    client.cookies.set(COOKIE, "zh")
    assert words("zh", "enter.token") in client.get(ENTRY, headers={"Accept-Language": "en"}).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_without_a_page(client: TestClient, language: str) -> None:
    asked = {**HTML, "Accept-Language": language}
    page = client.get("/nothing/here", headers=asked)
    assert page.status_code == 404
    assert f'<html lang="{LANGUAGES[language]}">' in page.text
    assert heading(page.text) == words(language, "refused")
    assert words(language, "refused.again") in page.text
    assert ('lang="en"' in page.text) is True, "the sentence of the engine"


def test_requests_that_the_guard_refuses(make_client: MakeClient) -> None:
    client = make_client(token=None)
    asked = {**HTML, "Host": "elsewhere.example", "Accept-Language": "zh"}
    page = client.get("/games", headers=asked)
    assert page.status_code == 403
    assert words("zh", "error.ForbiddenError.Host") in page.text
    document = client.get("/api/games", headers=asked).json()
    assert (document["kind"], document["option"]) == ("ForbiddenError", "Host")
    assert document["given"] == "elsewhere.example"


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (ForbiddenError("no", option="Origin"), "error.ForbiddenError.Origin"),
        (ForbiddenError("no", option="other"), "error.ForbiddenError"),
        (LimitError("no", option="streams"), "error.LimitError.streams"),
        (LimitError("no", option="memory"), "error.LimitError"),  # the closer one names sizes
        (ConfigError("no", option="iteration"), "error.option.iteration"),
        (ConfigError("no", option="nothing"), "error.Unknown"),
    ],
)
def test_refusals_have_the_closest_text(error: Exception, key: str) -> None:
    for language in LANGUAGES:
        assert refusal_words(language, error_document(error)) == words(language, key)
