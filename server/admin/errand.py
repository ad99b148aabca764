"""One wish of the house that somebody waits for the answer to: it goes into a table's inbox
like everybody's, and what comes of it is told here.

Knows no socket and no game.
"""

from __future__ import annotations

import asyncio

from engine.entry import Cause
from engine.stream import Wish
from engine.table import Close, Closing
from protocol.messages import FromServer, Refused
from server.refusals import Denied
from server.tables.table import Table

_SECONDS = 10.0
"""Time for a table to answer."""


class NotDone(Exception):
    """A wish was refused, and nothing happened: `code` is a stable word, `detail` a short
    sentence."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


class Unanswered(Exception):
    """What came of a wish is not known."""


class Errand:
    """Fulfils `server.tables.audience.Link` for one wish, and attends nothing."""

    person = b""
    name = ""
    network = ""

    def __init__(self) -> None:
        self.seat: int | None = None
        self._answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def close(self, table: Table) -> int:
        """Close a table as the house does: the number of the entry that says so. Raises
        NotDone, Unanswered."""
        wish = Wish(Close(Closing.ABANDONED), cause=Cause.HOUSE)
        try:
            table.submit(self, wish, self._done)
            async with asyncio.timeout(_SECONDS):
                return await self._answer
        except Denied as why:
            raise NotDone(why.code, why.detail) from None
        except TimeoutError:
            raise Unanswered from None

    def _done(self, number: int) -> None:
        if not self._answer.done():
            self._answer.set_result(number)

    # what a table tells whoever asks

    def accepted(self, id: bytes, number: int) -> None:
        self._done(number)

    def tell(self, message: FromServer) -> None:
        if isinstance(message, Refused) and not self._answer.done():
            self._answer.set_exception(NotDone(message.code, message.detail or message.code))

    def update(self, number: int, frame: bytes) -> None:
        """Nothing: it attends no table."""

    def lose_table(self) -> None:
        if not self._answer.done():
            self._answer.set_exception(Unanswered())
