"""The table a client is on its way to, over connections that may break. Sends nothing."""

from __future__ import annotations

from protocol.messages import Create, JoinTable


class ResumeTarget:
    """What was asked for, or has to be asked for on the next connection, until a table comes."""

    def __init__(self) -> None:
        self.watching: str | None = None
        """The code sent last, while it has no answer."""
        self.again: tuple[str, int] | None = None
        """(code, last number) of the table to attend on the next connection."""
        self.entering: Create | JoinTable | None = None
        """The command that was granted and leads to a table that has not come yet."""

    @property
    def open(self) -> bool:
        """Whether a table that we go to, or come back to, has not come yet."""
        targets = (self.watching, self.again, self.entering)
        return any(target is not None for target in targets)

    def lost(self, attended: str | None, number: int) -> None:
        """The connection is gone. The next one attends the table on the way, rather than
        `attended`, which was left for it and had come to `number`."""
        code = self.watching or attended
        if code is None:
            return
        if code == attended:
            self.again = (code, number)
        elif self.again is None or self.again[0] != code:
            self.again = (code, 0)

    def resume(self) -> tuple[str, int] | None:
        """The table to attend on this new connection; it is on the way from now on."""
        if self.again is not None:
            self.watching = self.again[0]
        return self.again

    def arrived(self) -> None:
        """A table has come."""
        self.watching = self.again = self.entering = None

    def forget(self) -> None:
        """Do not come back to the table attended or granted so far."""
        self.again = self.entering = None
