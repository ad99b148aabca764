"""Tables as lines for whoever runs a server. Knows only what `server.admin.report` gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wcwidth import wcswidth

_HEADING: tuple[str, ...] = (
    "CODE",
    "GAME",
    "PHASE",
    "SEATS",
    "LISTED",
    "LAST ENTRY",
    "ENTRIES",
    "WATCH",
    "PEOPLE",
)


def page(tables: Sequence[dict[str, Any]], *, heading: bool) -> Iterator[str]:
    """A line for each table; who is connected has a star."""
    rows = [_HEADING, *map(_row, tables)]
    widths = [max(map(wcswidth, column)) for column in zip(*rows, strict=True)]
    for row in rows if heading and tables else rows[1:]:
        cells = [
            cell + " " * (width - wcswidth(cell)) for cell, width in zip(row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def _row(table: dict[str, Any]) -> tuple[str, ...]:
    people, watching = table["people"], table["watching"]
    taken = "?" if people is None else str(sum(person is not None for person in people))
    return (
        table["code"],
        table["game"],
        table["phase"],
        f"{taken}/{'?' if table['seats'] is None else table['seats']}",
        "yes" if table["listed"] else "no",
        table["updated"],
        str(table["entries"]),
        "-" if watching is None else str(len(watching)),
        "(its log cannot be read)" if people is None else ", ".join(map(_name, _there(people))),
    )


def _there(people: Sequence[dict[str, Any] | None]) -> list[dict[str, Any]]:
    return [person for person in people if person is not None]


def _name(person: dict[str, Any]) -> str:
    return f"{person['name']}*" if person["here"] else str(person["name"])


def lines(table: dict[str, Any]) -> Iterator[str]:
    """One table, a line for each thing that is known of it."""
    yield f"table      {table['code']}"
    options = "".join(f", {option}" for option in table["options"])
    yield f"game       {table['game']} ({table['ruleset']}{options}; rules {table['rules']})"
    yield f"phase      {table['phase']}"
    yield f"listed     {'yes' if table['listed'] else 'no'}"
    yield f"opened     {table['opened']}"
    yield f"last entry {table['updated']} (entry {table['entries']})"
    clock = table["clock"]
    if clock is not None:
        seconds = f"{clock['span_ms'] / 1000:g} s, {clock['increment_ms'] / 1000:g} s added"
        yield f"clock      {clock['kind']}: {seconds}; absent: {table['absence']}"
    else:
        yield f"clock      none; absent: {table['absence']}"
    for seat, person in enumerate(table["people"]):
        yield f"seat {seat + 1:<5} {_seat(table, seat, person)}"
    if table["watching"] is None:
        yield "watching   not known: no server says so"
    else:
        yield f"watching   {', '.join(table['watching']) or 'nobody'}"


def _seat(table: dict[str, Any], seat: int, person: dict[str, Any] | None) -> str:
    if person is None:
        return "free"
    words = [person["name"]]
    if person["bot"] is not None:
        words.append(f"bot ({person['bot']})")
    elif person["here"] is not None:
        words.append("connected" if person["here"] else "not connected")
    if person.get("played_by") is not None:
        words.append(f"played for by {person['played_by']}")
    if seat == table["host"] and table["phase"] == "waiting":
        words.append("host")
    if seat in table["asked"]:
        words.append("asked")
    if seat in (table["winners"] or ()):
        words.append("won")
    return ", ".join(words)
