"""How a server ends a conversation, for good or for now, and which of its messages do."""

from __future__ import annotations

from client.refusal_texts import closing_text, refusal_text
from protocol.messages import VERSION, Closing, FromServer, Refused, TooOld


class Dismissed(Exception):
    """The server ends the conversation for good; the text says why, in one line."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
        """The server's code for the reason."""


class TryLater(Exception):
    """The server does not take us now; the text says why."""

    def __init__(self, text: str, retry: float | None = None) -> None:
        super().__init__(text)
        self.retry = retry
        """Seconds that the server asked us to wait; None if it did not say."""


def ending(message: FromServer, *, greeting: bool) -> Dismissed | TryLater | None:
    """How a message ends the conversation; None if it goes on. `greeting`: the message answers
    our Hello, where every refusal ends it except that of a name."""
    match message:
        case TooOld(oldest, newest, detail):
            speaks = f"{oldest}" if oldest == newest else f"{oldest} to {newest}"
            return Dismissed(
                f"this client is too old: it speaks version {VERSION} of the protocol, "
                f"the server {speaks}. {detail}"
            )
        case Closing(code, detail, retry):
            text = closing_text(code, detail)
            return Dismissed(text, code) if retry <= 0 else TryLater(text, retry / 1000)
        case Refused(_, code, facts, detail) if greeting and code != "bad_name":
            text = refusal_text(code, dict(facts), detail)
            return Dismissed(text, code) if code == "no_move_code" else TryLater(text)
        case _:
            return None
