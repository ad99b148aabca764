"""Where questions to bots wait: those that somebody waits for first, and people by turns.

A share of the thinking goes to an address, within it to a person, within that to a table:
however many tables and sessions a stranger has, everybody else's turn comes next. Tables that
nobody attends stand back behind all of these, and share by who opened them.

One question is in it only as long as it is wanted. Knows no process, no table and no game.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable
from time import monotonic
from typing import Any

from attrs import frozen

from server.bots.questions import Answer

MOST_WAITING = 0.5
"""The part of its time that a question may wait where somebody waits for the answer."""
_FAR_MORE = 4
"""An address has far more questions than one with n of them if it has at least this many times
n + 1, and at least twice this many."""
MOST_BYTES = 1 << 26
"""Bytes of all questions that wait."""


class Unserved(Exception):
    """A question was not taken up in time, or at all: no fault of the bot's."""


@frozen
class Waiter:
    """Somebody who waits for an answer: a person who attends the table."""

    address: Hashable
    """Where the person is connected from."""
    person: Hashable


SOMEBODY = Waiter(None, None)
"""The one who waits where there is only one."""


class PendingQuestion:
    """One question on its way: it waits, is thought about, or is answered."""

    __slots__ = (
        "address",
        "answer",
        "asked",
        "body",
        "opener",
        "seconds",
        "since",
        "table",
        "until",
        "waiters",
    )

    def __init__(
        self,
        body: bytes,
        seconds: float,
        table: str,
        waiters: Callable[[], Collection[Waiter]],
        opener: Hashable = None,
    ) -> None:
        """`body` is the packed question, `seconds` its time; `waiters` tells who waits for the
        answer now, `opener` whose table it is if nobody does."""
        self.body = body
        self.seconds = seconds
        self.table = table
        self.waiters = waiters
        self.opener = opener
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        """Cancelled as soon as nobody wants it any more."""
        self.asked = self.since = monotonic()
        """When it was put, and since when somebody has waited for it."""
        self.address: Hashable = None
        """Whose share it is taken from, where somebody waits for it."""
        self.until: float | None = None
        """When the process that has it must have answered; None while none has it."""

    @property
    def attended(self) -> bool:
        """Whether somebody waits for the answer now."""
        return bool(self.waiters())

    def told(self, answer: Answer) -> None:
        """Here is the answer, if it is still wanted."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def failed(self, why: Unserved) -> None:
        """There will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(why)


Path = tuple[Hashable, Hashable, str]
"""Where a question waits: address, person, table."""


class Turns:
    """Questions by their paths. Of each level of a path, the one whose turn is next is first."""

    def __init__(self) -> None:
        self._root: OrderedDict[Hashable, Any] = OrderedDict()
        self._counts: Counter[tuple[Hashable, ...]] = Counter()
        """By the beginning of a path: how many questions wait there."""

    def __bool__(self) -> bool:
        return bool(self._root)

    @property
    def total(self) -> int:
        """How many questions wait."""
        return self._counts[()]

    def addresses(self) -> Iterable[Hashable]:
        """All that have a question that waits."""
        return self._root

    def count(self, *begin: Hashable) -> int:
        """How many questions wait whose paths begin so."""
        return self._counts[begin]

    def put(self, path: Path, pending: PendingQuestion) -> None:
        """Let one wait; an address, person or table that had none comes after all others."""
        level = self._root
        for key in path:
            level = level.setdefault(key, OrderedDict())
        level[pending] = None
        self._counts.update((path[:0], path[:1], path[:2]))

    def drop(self, path: Path, pending: PendingQuestion) -> None:
        """It waits no more."""
        address, person, table = path
        people = self._root[address]
        tables = people[person]
        del tables[table][pending]
        if not tables[table]:
            del tables[table]
        if not tables:
            del people[person]
        if not people:
            del self._root[address]
        for begin in (path[:0], path[:1], path[:2]):
            self._counts[begin] -= 1
            if not self._counts[begin]:
                del self._counts[begin]

    def next(self) -> PendingQuestion | None:
        """Whose turn it is; its address, person and table are the last ones from then on."""
        level = self._root
        while level:
            key = next(iter(level))
            if isinstance(key, PendingQuestion):
                return key
            level.move_to_end(key)
            level = level[key]
        return None

    def heaviest(self) -> tuple[Path, PendingQuestion] | None:
        """The newest question of the person who has most, at the address that has most."""
        if not self._root:
            return None
        address = max(self._root, key=self.count)
        person = max(self._root[address], key=lambda person: self.count(address, person))
        tables = self._root[address][person]
        table = next(reversed(tables))
        return (address, person, table), next(reversed(tables[table]))


class QuestionQueue:
    """The questions that wait."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._attended = Turns()
        self._alone = Turns()
        self._places: dict[PendingQuestion, tuple[Turns, Path]] = {}
        self._tables: dict[str, dict[PendingQuestion, None]] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, pending: object) -> bool:
        return pending in self._places

    def put(self, pending: PendingQuestion) -> None:
        """Let one wait. If too many do, the address or person that has most loses one; raises
        Unserved if that is this one."""
        turns, path = self._place(pending)
        while len(self) >= self._most or self._bytes + len(pending.body) > MOST_BYTES:
            self._make_room(turns, path)
        self._put(pending, turns, path)

    def put_back(self, pending: PendingQuestion) -> None:
        """Let one wait again that was taken up for a while: no limit keeps it out."""
        self._put(pending, *self._place(pending))

    def _put(self, pending: PendingQuestion, turns: Turns, path: Path) -> None:
        turns.put(path, pending)
        self._places[pending] = turns, path
        self._tables.setdefault(pending.table, {})[pending] = None
        self._bytes += len(pending.body)

    def _place(self, pending: PendingQuestion) -> tuple[Turns, Path]:
        """Where a question is to wait: with the one of its waiters whose address has the fewest
        questions, so that nobody slows down a table by coming to it."""
        waiters = pending.waiters()
        if not waiters:
            return self._alone, (pending.opener, None, pending.table)
        least = min(waiters, key=lambda waiter: self._attended.count(waiter.address))
        return self._attended, (least.address, least.person, pending.table)

    def _make_room(self, turns: Turns, path: Path) -> None:
        """Take one out to make room for another, which belongs at `path`; raises Unserved."""
        heaviest = self._alone.heaviest()
        if heaviest is None and turns is self._attended:
            heaviest = turns.heaviest()
        if heaviest is not None:
            at, loser = heaviest
            # among those of one address the person counts
            level = 1 if at[:1] != path[:1] else 2
            most, own = turns.count(*at[:level]), turns.count(*path[:level])
            if (turns is self._attended and self._alone) or most > own + 1:
                self.drop(loser)
                loser.failed(Unserved("too many questions wait"))
                return
        raise Unserved("too many questions wait")

    def drop(self, pending: PendingQuestion) -> None:
        """It waits no more, if it did."""
        place = self._places.pop(pending, None)
        if place is None:
            return
        turns, path = place
        turns.drop(path, pending)
        of_table = self._tables[pending.table]
        del of_table[pending]
        if not of_table:
            del self._tables[pending.table]
        self._bytes -= len(pending.body)

    def moved(self, table: str) -> None:
        """Somebody came to `table` or left it: others may wait for its answers now."""
        for pending in tuple(self._tables.get(table, ())):
            turns, path = self._places[pending]
            others, better = self._place(pending)
            if turns is others and not self._gains(pending, path, better):
                continue
            if turns is not others:
                pending.since = monotonic()
            self.drop(pending)
            self._put(pending, others, better)

    def _gains(self, pending: PendingQuestion, path: Path, better: Path) -> bool:
        """Whether a question waits at `path` for somebody who has left, or longer than it would
        at `better`."""
        address, person, _ = path
        left = bool(pending.waiters()) and Waiter(address, person) not in pending.waiters()
        return left or self._attended.count(better[0]) + 1 < self._attended.count(address)

    def gives_way(self, address: Hashable) -> bool:
        """Whether one address has far more questions that wait than another one has."""
        most = self._attended.count(address)
        if most < 2 * _FAR_MORE:
            return False
        least = min(map(self._attended.count, self._attended.addresses()))
        return most >= _FAR_MORE * (least + 1)

    @property
    def urgent(self) -> int:
        """How many of them somebody waits for."""
        return self._attended.total

    def take(self, *, unattended: bool = True) -> PendingQuestion | None:
        """Take out the one whose turn it is; one that nobody waits for only if `unattended`."""
        found = self._attended.next()
        if found is None and unattended:
            found = self._alone.next()
        if found is not None:
            found.address = self._places[found][1][0]
            self.drop(found)
        return found

    def clear(self) -> tuple[PendingQuestion, ...]:
        """Take out all."""
        everything = tuple(self._places)
        for pending in everything:
            self.drop(pending)
        return everything
