"""The Pythons that are installed here, for tests that must come out the same on each."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

MINORS = range(11, 14)
"""The versions 3.N that are served."""


@cache
def pythons() -> dict[int, str]:
    """This interpreter, and every other from 3.11 on that is installed and runs, by N of 3.N."""
    found = {sys.version_info.minor: sys.executable}
    folders = [Path(part) for part in os.get_exec_path()]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    for minor in range(MINORS[0], MINORS[-1] + 3):
        for folder in folders:
            command = folder / f"python3.{minor}"
            if minor not in found and command.exists() and _runs(command):
                found[minor] = str(command)
    return dict(sorted(found.items()))


def _runs(command: Path) -> bool:
    done = subprocess.run([command, "-c", "pass"], capture_output=True, check=False)
    return done.returncode == 0
