"""Which table a client is on its way to, over connections that may break. Says nothing."""

from __future__ import annotations

from protocol.messages import Create, JoinTable


class ResumeTarget:
    """What has been said, or is to be said on the next connection, until the table comes."""

    def __init__(self) -> None:
        self.watching: str | None = None
        """The code that was said last and is not answered."""
        self.again: tuple[str, int] | None = None
        """(code, last number) of the table to attend on the next connection."""
        self.entering: Create | JoinTable | None = None
        """What was granted and leads to a table that has not come yet."""

    @property
    def open(self) -> bool:
        """Whether a table is gone to, or come back to, that has not come yet."""
        ways = (self.watching, self.again, self.entering)
        return any(way is not None for way in ways)

    def lost(self, attended: str | None, number: int) -> None:
        """The connection is gone: what to attend on the next one is the table on the way
        to, before `attended`, that was left for it and had come to `number`."""
        code = self.watching or attended
        if code is None:
            return
        if code == attended:
            self.again = (code, number)
        elif self.again is None or self.again[0] != code:
            self.again = (code, 0)

    def resume(self) -> tuple[str, int] | None:
        """The table to attend on this new connection: it is on the way from now on."""
        if self.again is not None:
            self.watching = self.again[0]
        return self.again

    def arrived(self) -> None:
        """A table has come."""
        self.watching = self.again = self.entering = None

    def forget(self) -> None:
        """The table attended so far, or granted, is not come back to."""
        self.again = self.entering = None
