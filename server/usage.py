"""Parsing command lines: an error is one line, and help that cannot be printed is an error, too.
Does not know the flags of any command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from server.stdio import complain, say
from server.values import place

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

EXIT_USAGE = 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line; raises CannotPrint if its help cannot be printed."""

    def error(self, message: str) -> NoReturn:
        complain(f"{self.prog}: {' '.join(message.splitlines())}")
        self.exit(EXIT_USAGE)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        if file is not None:
            super().print_help(file)
        else:
            say(self.format_help().rstrip("\n"))


def file_name(text: str) -> Path:
    """The path that a file name in the arguments means; raises ArgumentTypeError."""
    if text == "-":
        raise argparse.ArgumentTypeError(
            "- is not a file: give its name (./- for one of that name)"
        )
    try:
        return place(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


class Version(argparse.Action):
    """Prints the version, which is looked up only when it is asked for, and exits."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        say(f"{parser.prog} {version()}")
        parser.exit()


def version() -> str:
    """The version of this software."""
    from importlib.metadata import version as installed

    return installed("ra-online")
