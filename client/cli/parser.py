"""The parser of every command line: its errors are one line, its help is printed or reported as
unprintable, and its paths may begin with `~`. Does not know the flags of any command.
"""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from client.cli.folders import NoHome, expand
from client.cli.terminal import Unwritten, Writer

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

EXIT_USAGE = 2
_MOST_DIGITS = 40
_MOST_QUOTED = 40


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line; raises Unwritten if its help cannot be written."""

    def error(self, message: str) -> NoReturn:
        from client.text import clean

        self.exit(EXIT_USAGE, f"{self.prog}: {clean(message)}\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        if file is not None:
            super().print_help(file)
        else:
            _say(self.format_help())


def path(text: str) -> Path:
    """Read a path of the command line, for argparse."""
    try:
        return expand(text)
    except NoHome as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def whole(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers in these bounds; its error names them."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
            number = int(text)
            if least <= number <= most:
                return number
        why = f"{shown(text)} is not a whole number from {least} to {most}"
        raise argparse.ArgumentTypeError(why)

    return read


def shown(text: str) -> str:
    """A word of the command line, as an error message quotes it."""
    return ascii(text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}...")


class Version(argparse.Action):
    """Prints the version, which is looked up only when asked for, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        _say(f"{parser.prog} {version('ra-online')}")
        parser.exit()


def _say(text: str) -> None:
    """Write lines at once; raises Unwritten, which argparse would not."""
    if sys.stdout is None:
        raise Unwritten(errno.EBADF, "it is closed")
    Writer(sys.stdout)(text.rstrip("\n"))
