"""What an operator is told of a table: all that everybody may know of it, and nothing beyond.

No undrawn order, seed, hidden points or suns, no id of a person and no token is in it: it is
made from the public view. Texts of people are cleaned. Knows neither file nor socket.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from engine.clock import ClockKind
from engine.entry import Entry
from engine.stream import Stream
from engine.table import Phase
from server.people.names import clean_chat
from server.store.port import DirectoryRow

_CELLS = 60
"""Of a name or a word of a game's; the rest is cut."""


def brief(row: DirectoryRow, stream: Stream | None) -> dict[str, Any]:
    """A line of the list of tables; without its stream (`stream` is None: the log cannot be
    read) people are not known."""
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
    """All that may be told of one table."""
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
    """Who sits where, by table seat; None where nobody does."""
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
    """The table seats whose turn it is, as far as everybody sees it."""
    match = stream.match
    if match is None:
        return []
    open_to_all = [seat for seat, asked in match.asked.items() if asked.prompt.public]
    return sorted(stream.seating.places[seat] for seat in open_to_all)


def note_present(table: dict[str, Any], present: dict[str, Any] | None) -> None:
    """Write into `brief` or `whole` who attends; None: the server has it not in memory, so
    nobody does."""
    seats = set(_list(present, "seats"))
    for seat, person in enumerate(table["people"] or ()):
        if person is not None and person["bot"] is None:
            person["here"] = seat in seats
    table["watching"] = [clean(name) for name in _list(present, "watch") if isinstance(name, str)]


def _list(present: dict[str, Any] | None, name: str) -> list[Any]:
    found = present.get(name) if isinstance(present, dict) else None
    return found if isinstance(found, list) else []


def clean(text: str) -> str:
    """A stored text as a terminal may show it."""
    return clean_chat(text, _CELLS) or "?"


def moment(ms: int) -> str:
    """A time as people write it, in UTC; a number where no calendar has it."""
    try:
        return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return str(ms)


def _phase(phase: int) -> str:
    try:
        return Phase(phase).name.lower()
    except ValueError:
        return str(phase)
