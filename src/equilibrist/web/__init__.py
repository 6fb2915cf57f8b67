"""The browser: a server on this machine with a JSON API and pages.

`settings` says how a server was started; `security` who may do what; `store` what lies in the data
folder; `workers` are the processes that solve and read uploads; `jobs` queues and follows them.
Each feature has a package (`games`, `library`, `play`, `runs`, `setup`, `study` and more): its
requests in `routes`, beside them what makes their documents, whose types are in `answers`. What
several features need of both is in the packages `api` and `answers`. `shell` sends the pages, which
are modules in `ui`; `site` writes pages and documents as files; `desktop` writes menu entries that
start the server. Only `settings`, `desktop` and the commands are light: the rest is imported when a
server starts.
"""

from __future__ import annotations

COMMANDS = {
    "serve": (
        "Browser",
        "equilibrist.web.command",
        "Start a server: pages in the browser and a JSON API.",
    ),
    "desktop": (
        "Browser",
        "equilibrist.web.desktop_command:app",
        "Put the server into the menu of the desktop.",
    ),
    "site": (
        "Browser",
        "equilibrist.web.site_command",
        "Write lessons, games and solutions as files for any web server.",
    ),
}
"""The commands that the command line gets: heading, module and short help of each."""
