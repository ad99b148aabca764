"""The order in which questions to bots are taken up: those that somebody waits for first, and
people by turns.

Each address gets a share of the thinking, within it each person, and within that each table:
however many tables and sessions a stranger has, everybody else's turn comes next. Tables that
nobody attends come after all of these, and share by the person who opened them.

A question is in the queue only as long as its answer is wanted. Does not know processes, tables
or games.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable
from time import monotonic
from typing import Any

from attrs import frozen

from server.bots.questions import Answer, Unserved

MOST_WAITING = 0.5
"""The part of its time that a question may wait while somebody waits for the answer."""
_FAR_MORE = 4
"""An address has far more questions than one with n of them if it has at least this many times
n + 1, and at least twice this many."""
MOST_BYTES = 1 << 26
"""Bytes of all questions that wait."""


@frozen
class Waiter:
    """A person who waits for an answer, because they attend the table."""

    address: Hashable
    """Where the person is connected from."""
    person: Hashable


SOMEBODY = Waiter(None, None)
"""Waits for every answer where there is only one person."""


class PendingQuestion:
    """One question on its way: it waits, a process has it, or it is answered."""

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
        """`body` is the packed question, `seconds` its time; `waiters` gives the people who
        wait for the answer now, `opener` is the person whose table it is if nobody does."""
        self.body = body
        self.seconds = seconds
        self.table = table
        self.waiters = waiters
        self.opener = opener
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        """Cancelled as soon as the question is withdrawn."""
        self.asked = self.since = monotonic()
        """When it was asked, and since when somebody has waited for it."""
        self.address: Hashable = None
        """The address whose share it is taken from, if somebody waits for it."""
        self.until: float | None = None
        """When the process that has it must have answered; None while no process has it."""

    @property
    def attended(self) -> bool:
        """Whether somebody waits for the answer now."""
        return bool(self.waiters())

    def resolve(self, answer: Answer) -> None:
        """Give the answer to the one who asked, if it is still wanted."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, why: Unserved) -> None:
        """Tell the one who asked that there will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(why)


Path = tuple[Hashable, Hashable, str]
"""Where a question waits: address, person, table."""


class Turns:
    """Questions by their paths. At each level of the tree, the key whose turn is next comes
    first."""

    def __init__(self) -> None:
        self._root: OrderedDict[Hashable, Any] = OrderedDict()
        self._counts: Counter[tuple[Hashable, ...]] = Counter()
        """How many questions wait under each beginning of a path."""

    def __bool__(self) -> bool:
        return bool(self._root)

    @property
    def total(self) -> int:
        """How many questions wait."""
        return self._counts[()]

    def addresses(self) -> Iterable[Hashable]:
        """All addresses that have a question here."""
        return self._root

    def count(self, *begin: Hashable) -> int:
        """How many questions wait whose paths begin with `begin`."""
        return self._counts[begin]

    def put(self, path: Path, pending: PendingQuestion) -> None:
        """Add a question; an address, person or table that had none comes after all others."""
        level = self._root
        for key in path:
            level = level.setdefault(key, OrderedDict())
        level[pending] = None
        self._counts.update((path[:0], path[:1], path[:2]))

    def drop(self, path: Path, pending: PendingQuestion) -> None:
        """Remove a question."""
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
        """The question whose turn it is; its address, person and table become the last ones."""
        level = self._root
        while level:
            key = next(iter(level))
            if isinstance(key, PendingQuestion):
                return key
            level.move_to_end(key)
            level = level[key]
        return None

    def heaviest(self) -> tuple[Path, PendingQuestion] | None:
        """The newest question of the person who has most at the address that has most."""
        if not self._root:
            return None
        address = max(self._root, key=self.count)
        person = max(self._root[address], key=lambda person: self.count(address, person))
        tables = self._root[address][person]
        table = next(reversed(tables))
        return (address, person, table), next(reversed(tables[table]))


class QuestionQueue:
    """The questions that wait."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._attended = Turns()
        """Those that somebody waits for."""
        self._unattended = Turns()
        self._places: dict[PendingQuestion, tuple[Turns, Path]] = {}
        self._tables: dict[str, dict[PendingQuestion, None]] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, pending: object) -> bool:
        return pending in self._places

    def put(self, pending: PendingQuestion) -> None:
        """Add a question. If too many wait, the address or person that has most loses one;
        raises Unserved if that is this one."""
        turns, path = self._place(pending)
        while len(self) >= self._capacity or self._bytes + len(pending.body) > MOST_BYTES:
            self._make_room(turns, path)
        self._put(pending, turns, path)

    def put_back(self, pending: PendingQuestion) -> None:
        """Add a question that a process had taken up for a while: no limit keeps it out."""
        self._put(pending, *self._place(pending))

    def _put(self, pending: PendingQuestion, turns: Turns, path: Path) -> None:
        turns.put(path, pending)
        self._places[pending] = turns, path
        self._tables.setdefault(pending.table, {})[pending] = None
        self._bytes += len(pending.body)

    def _place(self, pending: PendingQuestion) -> tuple[Turns, Path]:
        """Where a question belongs: with that of its waiters whose address has the fewest
        questions, so that nobody slows down a table by coming to it."""
        waiters = pending.waiters()
        if not waiters:
            return self._unattended, (pending.opener, None, pending.table)
        least = min(waiters, key=lambda waiter: self._attended.count(waiter.address))
        return self._attended, (least.address, least.person, pending.table)

    def _make_room(self, turns: Turns, path: Path) -> None:
        """Remove a question to make room for one that belongs at `path`; raises Unserved if
        that one has to stay out."""
        heaviest = self._unattended.heaviest()
        if heaviest is None and turns is self._attended:
            heaviest = turns.heaviest()
        if heaviest is not None:
            at, loser = heaviest
            # within one address, people are compared
            level = 1 if at[:1] != path[:1] else 2
            most, own = turns.count(*at[:level]), turns.count(*path[:level])
            if (turns is self._attended and self._unattended) or most > own + 1:
                self.drop(loser)
                loser.fail(Unserved("too many questions wait"))
                return
        raise Unserved("too many questions wait")

    def drop(self, pending: PendingQuestion) -> None:
        """Remove a question, if it is here."""
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

    def waiters_changed(self, table: str) -> None:
        """Somebody came to `table` or left it: move its questions to where they now belong."""
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
        """Whether a question waits at `path` for a person who has left, or would wait less
        at `better`."""
        address, person, _ = path
        left = bool(pending.waiters()) and Waiter(address, person) not in pending.waiters()
        return left or self._attended.count(better[0]) + 1 < self._attended.count(address)

    def gives_way(self, address: Hashable) -> bool:
        """Whether `address` has far more questions that wait than some other address."""
        most = self._attended.count(address)
        if most < 2 * _FAR_MORE:
            return False
        least = min(map(self._attended.count, self._attended.addresses()))
        return most >= _FAR_MORE * (least + 1)

    @property
    def urgent(self) -> int:
        """How many of the questions somebody waits for."""
        return self._attended.total

    def take(self, *, unattended: bool = True) -> PendingQuestion | None:
        """Remove the question whose turn it is and return it; one that nobody waits for only
        if `unattended`."""
        found = self._attended.next()
        if found is None and unattended:
            found = self._unattended.next()
        if found is not None:
            found.address = self._places[found][1][0]
            self.drop(found)
        return found

    def clear(self) -> tuple[PendingQuestion, ...]:
        """Remove all questions and return them."""
        everything = tuple(self._places)
        for pending in everything:
            self.drop(pending)
        return everything
