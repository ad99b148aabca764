"""The paths that a page names."""

from __future__ import annotations

import re

from tests.house.places import ROOT

PATH = re.compile(r"`([\w.*/-]+(?:/|\.(?:py|md|toml|ra|gz)))`")


def missing(page: str) -> list[str]:
    """The paths in `page` that lead nowhere. A path with a folder is one from the root; a
    bare file name stands for a file that the page names with its folder elsewhere."""
    named = PATH.findall(page)
    whole = [path for path in named if "/" in path.rstrip("/")]
    known = {path.rpartition("/")[2] for path in whole}
    lost = [path for path in whole if not any(ROOT.glob(path.rstrip("/")))]
    bare = [path for path in named if path not in whole and path not in known]
    return lost + [path for path in bare if not any(ROOT.glob(path.rstrip("/")))]
