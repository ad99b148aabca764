"""Settings from flags, from the environment, from defaults; and their table for the page.

Knows no other part of the server.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import attrs

from server.settings import Settings

__all__ = ["EXIT_START", "EXIT_USAGE", "Settings", "parse", "table", "version"]

EXIT_USAGE = 2
EXIT_START = 1
"""The address or the database cannot be had."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\n")


def parse(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from flags, then from `RA_…`, then defaults.

    Whatever does not fit is one line on stderr and SystemExit(2).
    """
    parser = _parser()
    given = vars(parser.parse_args(arguments))
    values: dict[str, Any] = {}
    for attribute in attrs.fields(Settings):
        name = attribute.name
        if given[name] is not None:
            text, source = given[name], _flag(name)
        elif environment.get(_variable(name)):
            text, source = environment[_variable(name)], _variable(name)
        else:
            continue
        try:
            values[name] = _value(attribute, text)
            Settings(**{name: values[name]})
        except (TypeError, ValueError) as error:
            reason = str(error) if str(error).startswith(f"{name} ") else f"{text!r} does not fit"
            parser.error(f"{source}: {reason}")
    return Settings(**values)


def _value(attribute: attrs.Attribute[Any], text: Any) -> Any:
    kind = attribute.metadata["kind"]
    if kind is bool:
        if str(text).lower() in ("1", "true", "yes", "on"):
            return True
        if str(text).lower() in ("0", "false", "no", "off"):
            return False
        raise ValueError(text)
    value = kind(text)
    if isinstance(value, float) and not abs(value) < 1e9:
        raise ValueError(text)
    return value


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return "RA_" + name.upper()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ra-server",
        description="A server for tables of Ra. Each setting can also stand in the "
        "environment: --hello-seconds is RA_HELLO_SECONDS. `ra-server check DB` examines a "
        "database (see `ra-server check --help`).",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ra-online {version()}")
    for attribute in attrs.fields(Settings):
        text = attribute.metadata["text"].replace("%", "%%")
        if attribute.default not in (None, (), False):
            text += f" (default {_shown(attribute.default)})"
        flag = _flag(attribute.name)
        if attribute.metadata["kind"] is bool:
            parser.add_argument(flag, action="store_const", const="true", help=text)
        else:
            unit = attribute.name.rpartition("_")[2].upper()
            parser.add_argument(flag, metavar=unit, help=text)
    return parser


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def version() -> str:
    """The version of this software."""
    from importlib.metadata import version as installed

    return installed("ra-online")


def table() -> list[str]:
    """The rows of the table in docs/settings.md, one for each setting."""
    rows = []
    for attribute in attrs.fields(Settings):
        name, data = attribute.name, attribute.metadata
        default = attribute.default
        shown = "" if default in (None, ()) else f"`{_shown(default)}`"
        cells = (f"`{_flag(name)}`", f"`{_variable(name)}`", shown, data["text"], data["breaks"])
        rows.append("| " + " | ".join(cells) + " |")
    return rows


if __name__ == "__main__":
    sys.stdout.write("\n".join(table()) + "\n")
