"""The page where a token is given: plain HTML, which needs nothing else of the server."""

from __future__ import annotations

from html import escape
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from equilibrist.web.errors import LimitError
from equilibrist.web.security.entering import ENTRY, HOME, entry_address, own_path
from equilibrist.web.security.headers import inline, policy_of
from equilibrist.web.services import services_of
from equilibrist.web.words import LANGUAGES, language_of, words

router = APIRouter(include_in_schema=False)
_STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 15vh auto; max-width: 26rem;
  padding: 0 1rem; color: #0f172a; background: #f8fafc }
input, button { font: inherit; padding: .5rem .75rem; width: 100%; box-sizing: border-box }
button { margin-top: .75rem; background: #1e293b; color: #fff; border: 0; border-radius: .25rem }
p.error { color: #b91c1c }
@media (prefers-color-scheme: dark) {
  body { color: #e2e8f0; background: #0f172a } p.error { color: #fca5a5 }
  button { background: #e2e8f0; color: #0f172a } }
"""
_SCRIPT: Final = """
const given = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname + location.search);
if (given) { document.getElementById("token").value = given; document.forms[0].submit(); }
"""
"""What stands behind # in a link never leaves the browser: no server and no proxy can log it."""
_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style></head><body><main><h1>Equilibrist</h1>
<form method="post" action="{entry}"><label for="token">{token}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>{enter}</button></form>{error}</main>
<script>{script}</script></body></html>
"""
_POLICY: Final = policy_of(
    _STYLE,
    script_src=inline(_SCRIPT),
    form_action="'self'",
    require_trusted_types_for="'script'",
)


@router.get(ENTRY)
def entry(request: Request, to: str = HOME) -> Response:
    """Ask for a token; one behind # in the address is given at once. `to` is the page after it."""
    return _page(request, to)


@router.post(ENTRY)
def enter(request: Request, token: Annotated[str, Form()] = "", to: str = HOME) -> Response:
    """Open a session, keep it in a cookie that no script can read, and lead to the page `to`."""
    sessions = services_of(request).sessions
    try:
        cookie = sessions.enter(token.strip())  # what was copied may have a space around it
    except LimitError as error:
        return _page(request, to, "enter.full", error.status)
    if cookie is None:
        return _page(request, to, "enter.wrong", 401)
    response = RedirectResponse(own_path(to), 303)
    response.set_cookie(
        sessions.cookie,
        cookie,
        httponly=True,
        samesite="strict",
        secure=request.headers.get("origin", "").startswith("https:"),  # a proxy has the TLS
        max_age=30 * 24 * 3600,
    )
    return response


@router.post("/leave")
def leave(request: Request) -> Response:
    """Close the session."""
    sessions = services_of(request).sessions
    sessions.leave(request.cookies.get(sessions.cookie))
    response = RedirectResponse(ENTRY, 303)
    response.delete_cookie(sessions.cookie)
    return response


def _page(request: Request, to: str, error: str = "", status: int = 200) -> HTMLResponse:
    """The page that asks; `to` is where its form leads, `error` the key of what was wrong."""
    language = language_of(request.headers)

    def text(key: str) -> str:
        return escape(words(language, key))

    page = _PAGE.format(
        language=LANGUAGES[language],
        title=text("frame.title").format(title=text("enter")),
        token=text("enter.token"),
        enter=text("enter"),
        style=_STYLE,
        script=_SCRIPT,
        entry=escape(entry_address(to)),
        error=f'<p class="error" role="alert">{text(error)}</p>' if error else "",
    )
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
    return HTMLResponse(page, status, headers)
