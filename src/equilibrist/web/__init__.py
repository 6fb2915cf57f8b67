"""The browser: a server on this machine with a JSON API and pages.

`settings` says how a server was started; `security` who may do what; `store` what lies in the data
folder; `workers` are the processes that solve and read uploads; `jobs` queues and follows them;
`api` and `pages` answer requests. Only `settings` and `command` are light: the rest is imported
when a server starts.
"""

from __future__ import annotations

COMMANDS = {
    "serve": (
        "Browser",
        "equilibrist.web.command",
        "Start a server: pages in the browser and a JSON API.",
    ),
}
"""The commands that the command line gets: heading, module and short help of each."""
