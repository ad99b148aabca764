"""A stand-in for pip, for set-ups that may not ask a network: what it is asked to install is
there already, where the tests run."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.house.places import ROOT

PIP = """\
import pathlib, shutil, sys
here = pathlib.Path(__file__)
if sys.argv[1:] != ["--version"]:
    log, packages = here.with_name("log"), here.parents[1]
    asked = " ".join(sys.argv[1:])
    log.write_text((log.read_text() if log.exists() else "") + asked + "\\n")
    if here.with_name("broken").exists():
        sys.exit(1)
    if here.with_name("elsewhere").exists():
        sys.exit(0)
    (packages / "borrowed.pth").write_text("{borrowed}\\n{root}\\n")
    (real,) = pathlib.Path("{borrowed}").glob("ra_online-*.dist-info")
    shutil.copytree(real, packages / real.name, dirs_exist_ok=True)
    for name in ("ra-client", "ra-server", "ra-replay"):
        # as pip makes them: the folder's name is read by a shell
        script = pathlib.Path(sys.executable).with_name(name)
        script.write_text('#!/bin/sh\\nexec "' + sys.executable + '" "$@"\\n')
        script.chmod(0o755)
"""


def make_venv(project: Path) -> Path:
    """Make `.venv` in a project, with the stand-in for its pip; the stand-in's folder."""
    command = [sys.executable, "-m", "venv", "--without-pip", ".venv"]
    subprocess.run(command, cwd=project, check=True)
    (project / ".venv" / "made-at").write_text(f"{project}\n")
    (packages,) = (project / ".venv").glob("lib/python3*/site-packages")
    (packages / "pip").mkdir()
    (packages / "pip" / "__init__.py").touch()
    text = PIP.replace("{borrowed}", sysconfig.get_path("purelib")).replace("{root}", str(ROOT))
    (packages / "pip" / "__main__.py").write_text(text)
    return packages / "pip"


def copy_setup(root: Path, project: Path) -> None:
    """Put what sets a project up into its folder."""
    (project / ".ci").mkdir(parents=True)
    shutil.copy(root / ".ci" / "setup", project / ".ci" / "setup")
    shutil.copy(root / "pyproject.toml", project / "pyproject.toml")
