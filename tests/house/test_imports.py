"""No module imports itself in a circle, however long and by whatever kind of import."""

from __future__ import annotations

import ast
from collections import deque
from pathlib import Path

from tests.house.places import PACKAGES, ROOT, sources

Graph = dict[str, set[str]]


def module_name(path: Path) -> str:
    """The dotted name of a module, which for a package is that of its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, package: str, known: set[str]) -> set[str]:
    """The modules of `known` that a module of the folder `package` imports: at its top, in
    functions and for type checking alike."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            upward = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(upward if node.level else []), *filter(None, [node.module])])
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= {name if name in known else base for name in names}
    return found & known


def import_graph() -> Graph:
    """Each module of the four packages, and the modules of them that it imports."""
    paths = {module_name(path): path for path in sources(*PACKAGES)}
    known = set(paths)
    return {
        name: imports(
            path.read_text("utf-8"),
            name if path.stem == "__init__" else name.rpartition(".")[0],
            known,
        )
        for name, path in paths.items()
    }


def shortest_circle(graph: Graph, start: str) -> list[str]:
    """The shortest way from a module back to itself, or nothing if there is none."""
    came_from: dict[str, str] = {}
    waiting = deque([start])
    while waiting:
        module = waiting.popleft()
        for imported in sorted(graph.get(module, ())):
            if imported == start:
                way = [start]
                while module != start:
                    way.append(module)
                    module = came_from[module]
                return [start, *reversed(way)]
            if imported not in came_from:
                came_from[imported] = module
                waiting.append(imported)
    return []


def circles(graph: Graph) -> list[str]:
    """One line for each circle that is the shortest of one of its modules."""
    found: dict[frozenset[str], str] = {}
    for module in sorted(graph):
        if circle := shortest_circle(graph, module):
            found.setdefault(frozenset(circle), " -> ".join(circle))
    return sorted(found.values())


def test_no_module_imports_itself_in_a_circle() -> None:
    found = circles(import_graph())
    assert not found, "\n".join(found)


def test_a_circle_is_found_and_shown() -> None:
    known = {"server", "server.a", "server.b", "server.c"}
    graph = {
        "server": set[str](),
        "server.a": imports("if TYPE_CHECKING:\n    from server.b import B", "server", known),
        "server.b": imports("def f():\n    from server import c", "server", known),
        "server.c": imports("from .a import A\nimport server.c.d\nimport os", "server", known),
    }
    assert graph["server.c"] == {"server.a"}
    assert circles(graph) == ["server.a -> server.b -> server.c -> server.a"]
