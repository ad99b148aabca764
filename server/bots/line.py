"""Where questions to bots wait: those that somebody waits for first, and tables by turns.

One question is in it only as long as it is wanted. Knows no process, no table and no game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from server.bots.thought import Answer, Question

MOST_WAITING = 0.5
"""The part of its time that a question may wait where somebody waits for the answer."""


class Unserved(Exception):
    """A question was not taken up in time, or at all: no fault of the bot's."""


class Inquiry:
    """One question on its way: it waits, is thought about, or is answered."""

    __slots__ = ("answer", "attended", "question", "since", "table")

    def __init__(self, question: Question, table: str, attended: Callable[[], bool]) -> None:
        """`attended` tells whether somebody waits for the answer now; `table` is whose turn
        it is when it is taken up."""
        self.question = question
        self.table = table
        self.attended = attended
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        """Cancelled as soon as nobody wants it any more."""
        self.since = monotonic()

    def told(self, answer: Answer) -> None:
        """Here is the answer, if it is still wanted."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def failed(self, why: Unserved) -> None:
        """There will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(why)


class Line:
    """The questions that wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tables: dict[str, dict[Inquiry, None]] = {}
        """By table, the one whose turn is next first."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, inquiry: object) -> bool:
        return isinstance(inquiry, Inquiry) and inquiry in self._tables.get(inquiry.table, ())

    def put(self, inquiry: Inquiry) -> None:
        """Let one wait; raises Unserved if too many do."""
        if self._count >= self._most:
            raise Unserved("too many questions wait")
        self._tables.setdefault(inquiry.table, {})[inquiry] = None
        self._count += 1

    def drop(self, inquiry: Inquiry) -> None:
        """It waits no more, if it did."""
        waiting = self._tables.get(inquiry.table, {})
        if inquiry in waiting:
            del waiting[inquiry]
            self._count -= 1
            if not waiting:
                del self._tables[inquiry.table]

    def take(self, *, unattended: bool = True) -> Inquiry | None:
        """Take out whose turn it is, of those that nobody waits for only if they may be;
        its table is the last one then."""
        found = self._next(unattended)
        if found is None:
            return None
        self.drop(found)
        others = self._tables.pop(found.table, None)
        if others is not None:
            self._tables[found.table] = others
        return found

    def _next(self, unattended: bool) -> Inquiry | None:
        first = None
        for waiting in self._tables.values():
            for inquiry in waiting:
                if inquiry.attended():
                    return inquiry
                first = first or inquiry
        return first if unattended else None

    def clear(self) -> tuple[Inquiry, ...]:
        """Take out all."""
        everything = tuple(inquiry for waiting in self._tables.values() for inquiry in waiting)
        self._tables.clear()
        self._count = 0
        return everything
