"""The project as somebody gets it: an sdist, the wheel built from it, a venv with that wheel.

No network: the dependencies of the clean venv are copied from where the tests run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from attrs import frozen
from packaging.requirements import Requirement

from tests.house.places import ROOT

SCRIPTS = ("ra-client", "ra-replay", "ra-server")


def build(out: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel built from that sdist; both below `out`."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out)]
    run([*command, "--sdist", str(ROOT)])
    (sdist,) = out.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(out / "unpacked", filter="data")
    (source,) = (out / "unpacked").iterdir()
    run([*command, "--wheel", str(source)])
    (wheel,) = out.glob("*.whl")
    return sdist, wheel


def run(command: list[str], **more: object) -> str:
    """The standard output of a command that must not fail."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@frozen
class Installed:
    """A venv that holds the wheel, its dependencies and nothing else."""

    venv: Path
    home: Path
    """The home folder of those who run it: empty at first."""

    @property
    def packages(self) -> Path:
        """Its site-packages."""
        (packages,) = self.venv.glob("lib/python3*/site-packages")
        return packages

    def script(self, name: str) -> str:
        """The path of a console script."""
        return str(self.venv / "bin" / name)

    def environment(self, **more: str) -> dict[str, str]:
        """An environment that knows nothing of the checkout or of the user."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return {**kept, "HOME": str(self.home), "TERM": "dumb", **more}


def install(wheel: Path, venv: Path) -> Installed:
    """Make `venv` and install `wheel` into it."""
    run([sys.executable, "-m", "venv", "--without-pip", str(venv)])
    home = venv.parent / "home"
    home.mkdir(exist_ok=True)
    installed = Installed(venv, home)
    python = str(venv / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps"]
    run([*pip, "--disable-pip-version-check", "--quiet", str(wheel)])
    for name in closure("ra-online") - {"ra-online"}:
        copy_distribution(name, installed.packages)
    return installed


def closure(name: str) -> set[str]:
    """A distribution and all that it needs, without extras."""
    needed: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        for line in distribution(name).requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return needed


def copy_distribution(name: str, packages: Path) -> None:
    """Copy an installed distribution's files to another site-packages."""
    for file in distribution(name).files or ():
        if ".." in file.parts or file.suffix == ".pyc":
            continue
        target = packages / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), target)


def names(wheel: Path) -> list[str]:
    """The files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()
