"""A client in "another language" plays: written from the page, without our packages."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

from protocol.messages import FROM_SERVER
from tests.process.serving import run, server_process

RAW_CLIENT = Path(__file__).with_name("raw_client.py")


async def test_a_client_written_from_the_page_alone_plays_a_whole_game(tmp_path: Path) -> None:
    async with server_process(tmp_path, "--hints") as server:
        address = f"127.0.0.1:{server.port}"
        code, output, errors = await run(sys.executable, str(RAW_CLIENT), address)
        assert (code, errors) == (0, "")
        said = json.loads(output)
        assert said["heard"] == sorted(FROM_SERVER), "every message there is, read by defaults"
        assert len(said["points"]) == 3
        assert max(said["points"]) == said["points"][said["winners"][0]]
        left, winner = said["raja"]["palaces left"], said["raja"]["winner"]
        assert len(left) == 3 and min(left) == left[winner]
        assert await server.terminate() == 0


def test_the_raw_client_knows_none_of_our_packages() -> None:
    tree = ast.parse(RAW_CLIENT.read_text("utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    }  # fmt: skip
    ours = imported - set(sys.stdlib_module_names)
    assert ours == {"websockets", "msgpack"}
