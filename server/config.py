"""Reads the settings from flags, the environment and defaults, and prints their table for
docs/settings.md.

Does not know about any other part of the server.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from server.settings import Settings
from server.usage import Parser, Version

_MOST = 10**9
"""The greatest number that any setting can be."""
_WHOLE = re.compile("[+-]?[0-9]{1,400}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,400}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def parse(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings from flags, else from `RA_…` variables, else defaults.

    A value that does not fit is one line on stderr and SystemExit(2). Raises CannotPrint if
    help is asked for and cannot be printed.
    """
    parser = _parser()
    given = vars(parser.parse_args(arguments))
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for attribute in attrs.fields(Settings):
        name = attribute.name
        if given[name] is not None:
            text, source = _joined(given[name]), _flag(name)
        elif environment.get(_variable(name)):
            text, source = environment[_variable(name)], _variable(name)
        else:
            continue
        try:
            values[name] = _value(attribute, text)
            Settings(**{name: values[name]})
            _check_size(values[name])
        except (TypeError, ValueError) as error:
            parser.error(f"{source}: {str(error).removeprefix(f'{name} ')}")
        sources[name] = source
    try:
        _settle_places(values, sources)
        _check_budgets(values.get("bot_budget", ()), sources.get("bot_budget", ""))
    except ValueError as error:
        parser.error(str(error))
    return Settings(**values)


def _settle_places(values: dict[str, Any], sources: Mapping[str, str]) -> None:
    """Make sure that tables are kept in memory or in a file, not both. If one is a flag and the
    other is from the environment, the flag wins. Raises ValueError."""
    if not values.get("memory") or values.get("db") is None:
        return
    by_flag = {name for name in ("memory", "db") if sources[name] == _flag(name)}
    if len(by_flag) != 1:
        raise ValueError(f"{sources['memory']} and {sources['db']}: only one of them can be given")
    (dropped,) = {"memory", "db"} - by_flag
    del values[dropped]


def _check_budgets(budgets: Sequence[tuple[str, int]], source: str) -> None:
    """Raise ValueError for a budget of a level that does not think ahead in any installed
    game."""
    if not budgets:
        return
    from server.games import levels

    known = {level for level, thinks in levels().items() if thinks}
    for level, _ in budgets:
        if level not in known:
            those = ", ".join(sorted(known)) or "none"
            raise ValueError(f"{source}: {level!r} is not a level that thinks ahead ({those})")


def _value(attribute: attrs.Attribute[Any], text: Any) -> Any:
    """The value that a text stands for; raises ValueError with a reason for people."""
    kind = attribute.metadata["kind"]
    text = str(text)
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise ValueError(f"{text!r} is neither yes nor no")
    if not text.strip() and attribute.default != ():
        raise ValueError("must not be empty")
    if kind is int and not _WHOLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number")
    if kind is float and not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a number")
    return kind(text)


def _check_size(value: Any) -> None:
    """Raise ValueError for a number that is too great for any setting. Settings with a bound of
    their own were checked before."""
    if isinstance(value, (int, float)) and value > _MOST:
        raise ValueError(f"must be at most {_MOST}")


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _variable(name: str) -> str:
    return "RA_" + name.upper()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="ra-server",
        description="A server for tables of Ra. Each setting can also stand in the "
        "environment: --hello-seconds is RA_HELLO_SECONDS. `ra-server check DB` examines a "
        "database, `ra-server backup DB FILE` copies one, `ra-server restore FILE DB` puts a copy "
        "back, `ra-server admin` shows and closes tables (each has its own --help).",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="Say the version and end")
    for attribute in attrs.fields(Settings):
        text = attribute.metadata["text"].replace("%", "%%")
        if attribute.default not in (None, (), False):
            text += f" (default {_shown(attribute.default)})"
        flag = _flag(attribute.name)
        if attribute.metadata["kind"] is bool:
            parser.add_argument(flag, action="store_const", const="true", help=text)
        else:
            # values of a repeated flag are joined if there may be several; else the last counts
            action = "append" if isinstance(attribute.default, tuple) else "store"
            unit = attribute.name.rpartition("_")[2].upper()
            parser.add_argument(flag, metavar=unit, action=action, help=text)
    return parser


def _joined(given: str | list[str]) -> str:
    """The text of a flag, which may have been given several times."""
    return given if isinstance(given, str) else ",".join(given)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def table() -> list[str]:
    """The rows of the table in docs/settings.md, one per setting."""
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
