"""A worker that writes a site: `python -m equilibrist.web.site` reads one order, as others do."""

from __future__ import annotations

import sys

from equilibrist.web.workers.__main__ import main

if __name__ == "__main__":
    from equilibrist.web.site.archive import write_archive

    sys.exit(main({"site": write_archive}))
