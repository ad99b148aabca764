"""The paths that a page names."""

from __future__ import annotations

import ast
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


def has_function(path: str, name: str) -> bool:
    """Whether a file of ours holds a function, class or method of that (dotted) name."""
    tree: ast.AST = ast.parse((ROOT / path).read_text("utf-8"))
    for part in name.split("."):
        found = [
            node
            for node in ast.iter_child_nodes(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and node.name == part
        ]
        if not found:
            return False
        tree = found[0]
    return True
