"""A game and a round of all programs, for a world that holds only this process and what it
starts.

    python round.py HOME
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.everywhere.cells import Cell


async def main(home: Path) -> None:
    cell = Cell(home)
    (await cell.demo()).worked("The game is over.")
    async with cell.served("--memory", "--host", "::") as server:
        port = server.address.rpartition(":")[2]
        (await cell.join(f"localhost:{port}")).worked("connected as Ann")
        (await server.stopped()).worked()
    print("all of it works")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
