"""Programs start quickly: what one run does not need, it does not import."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

from tests.house.places import ROOT

HEAVY = {"prompt_toolkit", "websockets", "sqlite3", "prometheus_client", "structlog"}
MODULES = {"ra-client": "client", "ra-replay": "client.replay", "ra-server": "server"}


def imported(module: str, *arguments: str) -> set[str]:
    """The top-level modules that a run of `module` imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "TERM": "dumb"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = re.findall(r"^import time:.*\| +(\S+)$", done.stderr, flags=re.MULTILINE)
    return {line.partition(".")[0] for line in lines}


@pytest.mark.parametrize("script", MODULES)
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(script: str, option: str) -> None:
    assert not imported(MODULES[script], option) & HEAVY


@pytest.mark.parametrize("script", MODULES)
def test_every_command_says_its_version_in_one_form(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", MODULES[script], "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"{script} {version('ra-online')}\n"


def test_an_interruption_is_taken_care_of_before_what_takes_time_is_imported() -> None:
    code = "import sys, client.cli.entry, server.signals; print('asyncio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n"
