"""What an operator is shown of tables, as values for JSON and as lines of text: everything that is
public, and nothing else.

It is made from the public view, so it holds no undrawn order, no seed, no hidden points or suns, no
id of a person and no token. People's texts are cleaned. Does not know files or sockets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from wcwidth import wcswidth

from engine.clock import ClockKind
from engine.entry import Entry
from engine.stream import Stream
from engine.table.words import Phase
from server.accounts.names import clean_chat
from server.store.port import DirectoryRow

_CELLS = 60
"""The width of a name, or of a game's word; the rest is cut."""
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

# as values


def brief(row: DirectoryRow, stream: Stream | None) -> dict[str, Any]:
    """A table as a line of the list; `stream` is None if its log cannot be read, in which case its
    people are not known."""
    return {
        "code": clean(row.code),
        "game": clean(row.game),
        "phase": _phase(row.phase),
        "seats": None if stream is None else len(stream.seating.seats),
        "people": None if stream is None else _people(stream),
        "listed": bool(row.listed),
        "entries": row.number,
        "updated": moment(row.updated),
        "watching": None,
    }


def whole(stream: Stream, first: Entry, last: Entry) -> dict[str, Any]:
    """Everything about one table that is public."""
    seating = stream.seating
    host = None if seating.host is None else seating.seat_of(seating.host)
    match = stream.match
    result = None if match is None else match.result
    clock = seating.clock
    return {
        "code": clean(seating.code),
        "game": clean(seating.game),
        "ruleset": clean(seating.ruleset),
        "options": [clean(option) for option in seating.options],
        "rules": seating.rules,
        "phase": _phase(seating.phase),
        "listed": seating.listed,
        "seats": len(seating.seats),
        "people": _people(stream),
        "host": host,
        "clock": None
        if clock.kind is ClockKind.NONE
        else {
            "kind": clock.kind.name.lower(),
            "span_ms": clock.span,
            "increment_ms": clock.increment,
        },
        "absence": seating.absence.name.lower(),
        "asked": _asked(stream),
        "winners": None if result is None else [seating.places[seat] for seat in result.winners],
        "entries": last.number,
        "opened": moment(first.time),
        "updated": moment(last.time),
        "watching": None,
    }


def _people(stream: Stream) -> list[dict[str, Any] | None]:
    """Who sits where, by table seat; None for a free seat."""
    seating = stream.seating
    people: list[dict[str, Any] | None] = []
    for seat, occupant in enumerate(seating.seats):
        if occupant is None:
            people.append(None)
            continue
        person: dict[str, Any] = {"name": clean(occupant.name), "bot": None}
        if occupant.bot is not None:
            person["bot"] = clean(occupant.bot)
        if seat in seating.places:
            stands_in = seating.sitting_in[seating.places.index(seat)]
            sits_in = None if stands_in is None else clean(stands_in or "the default action")
            person["played_by"] = sits_in
        person["here"] = None
        people.append(person)
    return people


def _asked(stream: Stream) -> list[int]:
    """The table seats whose turn it is, as far as that is public."""
    match = stream.match
    if match is None:
        return []
    open_to_all = [seat for seat, asked in match.asked.items() if asked.prompt.public]
    return sorted(stream.seating.places[seat] for seat in open_to_all)


def note_present(table: dict[str, Any], present: dict[str, Any] | None) -> None:
    """Write into `brief` or `whole` who attends; `present` is None if the server does not have the
    table in memory, so that nobody attends it."""
    seats = set(_list(present, "seats"))
    for seat, person in enumerate(table["people"] or ()):
        if person is not None and person["bot"] is None:
            person["here"] = seat in seats
    table["watching"] = [clean(name) for name in _list(present, "watch") if isinstance(name, str)]


def _list(present: dict[str, Any] | None, name: str) -> list[Any]:
    found = present.get(name) if isinstance(present, dict) else None
    return found if isinstance(found, list) else []


def clean(text: str) -> str:
    """A stored text in a form that is safe on a terminal."""
    return clean_chat(text, _CELLS) or "?"


def moment(ms: int) -> str:
    """A time as date and time in UTC; a number if no calendar has it."""
    try:
        return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return str(ms)


def _phase(phase: int) -> str:
    try:
        return Phase(phase).name.lower()
    except ValueError:
        return str(phase)


# as lines


def page(tables: Sequence[dict[str, Any]], *, heading: bool) -> Iterator[str]:
    """A line for each table; a star marks those who are connected."""
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
    """One table, with a line for each thing that is known of it."""
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
