"""The conversation with the server, without I/O: what to say, and what was answered.

Bytes in (`receive`), bytes out (`outgoing`); the link moves them and knows the clock.
Commands keep their id until they are answered, and are said again on a new connection:
the server acts once. Every text that comes in is cleaned here. Knows no rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from attrs import frozen

from client.changes import Answered, Attended, Change, Greeted, Linked, Refusal, Status, Stepped
from client.endings import Dismissed, TryLater
from client.fairness import SECRET_BYTES, Fairness
from client.model import Misfit, Model
from client.text import clean, clean_all
from client.way import Way
from client.wishes import Command, Wishes
from client.words import TRY_AGAIN, closing_text, refusal_text
from protocol.codec import ProtocolError
from protocol.messages import (
    VERSION,
    Accepted,
    Beat,
    Closing,
    Create,
    FromClient,
    FromServer,
    Hello,
    Invitation,
    Invite,
    JoinTable,
    Left,
    Refused,
    Snapshot,
    TooOld,
    Update,
    Watch,
    Welcome,
)
from protocol.session import SAID_BY_CLIENT, ClientSession, OutOfPlace, State

MAX_MISFITS = 3
"""Snapshots asked for in a row because updates did not fit; then the server is given up."""


@frozen
class Identity:
    """Who we say we are."""

    client: str
    """Name and version of this program."""
    name: str
    """The name to be known by; empty keeps the session's."""
    token: bytes | None = None
    """The secret of a session to resume."""
    locale: str = "en"


Listener = Callable[[Change], None]


def _anywhere(message: FromClient) -> bool:
    """Whether a message may be said where no table is attended."""
    return (State.LOBBY, type(message)) in SAID_BY_CLIENT


class Talk(Wishes):
    """One client's conversation, over as many connections as it takes."""

    def __init__(
        self,
        identity: Identity,
        model: Model | None = None,
        *,
        keep_token: Callable[[bytes, str], None] = lambda token, name: None,
        random: Callable[[int], bytes] = os.urandom,
        secret: bytes = b"",
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`keep_token` is given each new token with the name it is for; `secret` (32
        bytes, kept between runs) is what nonces are made from; empty: one of chance."""
        self.model = model or Model(identity.name)
        self.listeners: list[Listener] = []
        """Told every change, after the model has it."""
        self.heartbeat = 15.0
        """Seconds between two signs of life, at the most."""
        self.wake = wake
        """Called when there is something new in `outgoing`."""
        self.retry: float | None = None
        """Seconds that the server asked to wait before connecting again."""
        self.misnamed = False
        """Whether our name was refused, and no other is known yet."""
        self._identity = identity
        self._token = identity.token
        self._keep_token = keep_token
        self._random = random
        self._fairness = Fairness(secret or random(SECRET_BYTES), random)
        self._session = ClientSession()
        self._connected = False
        self._way = Way()
        self._pending: dict[bytes, Command] = {}
        """Commands without an answer, oldest first."""
        self._unsaid: list[Command] = []
        """Those of them that are not said on this connection yet."""
        self._questions: list[FromClient] = []
        """Said before the connection stood; have no id."""
        self._outgoing: list[bytes] = []
        self._misfits = 0
        self._news: list[Change] = []

    # the connection

    def connecting(self) -> None:
        """A connection is being made."""
        self._note(Linked(Status.CONNECTING))
        self._tell()

    def opened(self) -> None:
        """The connection stands: say hello."""
        self._session = ClientSession()
        self._connected = True
        self._outgoing.clear()
        self.retry = None
        self._hello()

    def broken(self, why: str, wait: float) -> None:
        """The connection is gone; the next try comes in `wait` seconds."""
        self._way.lost(self._session.code, self._session.number)
        self._connected = False
        self._outgoing.clear()
        self._note(Linked(Status.WAITING, clean(why), wait))
        self._tell()

    def ended(self, why: str = "") -> None:
        """There will be no connection any more."""
        self._connected = False
        self._outgoing.clear()
        self._note(Linked(Status.ENDED, clean(why)))
        self._tell()

    def outgoing(self) -> list[bytes]:
        """Frames to send, each given once."""
        frames, self._outgoing = self._outgoing + self._session.outgoing(), []
        return frames

    def beat(self) -> None:
        """Say that we are alive (the answer says so of the server)."""
        self._say(Beat())

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we say."""
        return self._connected and self._session.state in (State.LOBBY, State.TABLE)

    @property
    def known(self) -> bool:
        """Whether we have a secret to be known by."""
        return self._token is not None

    @property
    def unanswered(self) -> int:
        """Commands sent, or to be sent, without an answer so far."""
        return len(self._pending)

    @property
    def arriving(self) -> bool:
        """Whether a table is gone to, or come back to, that has not come yet."""
        return self._way.open

    @property
    def greeting(self) -> bool:
        """Whether the server wants another name before anything else."""
        return self._connected and self._session.state is State.HELLO

    # wishes

    def rename(self, name: str) -> None:
        """Say hello again, after a name was refused; else from the next connection on."""
        self._identity = Identity(
            self._identity.client, name, self._identity.token, self._identity.locale
        )
        self.model.name = name
        self.misnamed = False
        if self.greeting:
            self._hello()
        self.wake()

    # saying

    def _wish(self, make: Callable[[bytes], Command]) -> bytes:
        id = self._random(16)
        self._pending[id] = make(id)
        self._unsaid.append(self._pending[id])
        self._say_unsaid()
        return id

    def _say_unsaid(self) -> None:
        """Say what is unanswered and not said on this connection, in order, up to what
        has to wait for the table to be attended again."""
        while self._unsaid and self._say(self._unsaid[0]):
            del self._unsaid[0]

    def _ask(self, message: FromClient) -> None:
        self._questions.append(message)
        self._say_questions()

    def _say_questions(self) -> None:
        """Say what can be asked now; of a table only what is asked at one, or on the way."""
        at_one = self.arriving or self.model.scene is not None
        unsaid = [question for question in self._questions if not self._say(question)]
        self._questions = [question for question in unsaid if at_one or _anywhere(question)]

    def _say(self, message: FromClient) -> bool:
        """Send now if the conversation allows it."""
        if not self.online:
            return False
        try:
            self._outgoing.append(self._session.send(message))
        except OutOfPlace:
            return False
        self.wake()
        return True

    def _hello(self) -> None:
        identity = self._identity
        self._outgoing.append(
            self._session.send(
                Hello(
                    version=VERSION,
                    client=identity.client,
                    capabilities=(),
                    locale=identity.locale,
                    name=identity.name or self.model.name,
                    token=self._token,
                )
            )
        )
        self.wake()

    # hearing

    def receive(self, data: bytes) -> None:
        """Take in one frame. Raises ProtocolError if the server cannot be understood,
        TryLater or Dismissed if it does not want us for now, or for good."""
        try:
            message = self._session.receive(data)
            if message is not None:
                self._hear(clean_all(message))
        except Misfit as error:
            self._misfits += 1
            if self._misfits > MAX_MISFITS:
                raise ProtocolError(str(error)) from None
            self._session.resync()
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            # No check is known to miss these; a server must not be able to find one.
            raise ProtocolError(f"a message that makes no sense ({type(error).__name__})") from None
        self._tell()
        self.wake()

    def _hear(self, message: FromServer) -> None:
        match message:
            case Welcome():
                self._welcome(message)
            case TooOld(oldest, newest, detail):
                speaks = f"{oldest}" if oldest == newest else f"{oldest} to {newest}"
                raise Dismissed(
                    f"this client is too old: it speaks version {VERSION} of the protocol, "
                    f"the server {speaks}. {detail}"
                )
            case Closing(code, detail, retry):
                if retry <= 0:
                    raise Dismissed(closing_text(code, detail), code)
                self.retry = retry / 1000
                raise TryLater(closing_text(code, detail))
            case Accepted(id, number):
                self._accepted(id, number)
            case Refused():
                self._refused(message)
            case _:
                self._note(*self.model.apply(message))
                self._watch_fairness()
                if type(message) is Invitation:
                    self._invited(message.seat)
                if type(message) is Update:
                    self._misfits = 0
                elif type(message) is Snapshot:
                    self._way.arrived()
                    self._say_unsaid()
                    self._say_questions()
                elif type(message) is Left:
                    self._forget_table()

    def _accepted(self, id: bytes, number: int) -> None:
        command = self._pending.pop(id, None)
        if command is not None and command is not self._way.entering:
            self._note(Answered(id, number))
        if isinstance(command, (Create, JoinTable)):
            self._way.entering = command

    def _watch_fairness(self) -> None:
        """Note whether the server kept its word, once that can be seen."""
        moved = any(isinstance(change, Attended | Stepped) for change in self._news)
        scene = self.model.scene
        judged = self._fairness.look(scene) if moved and scene is not None else None
        if judged is not None:
            self._note(judged)

    def _invited(self, seat: int) -> None:
        """An invitation has come: what asked for it is answered."""
        for id, command in list(self._pending.items()):
            if isinstance(command, Invite) and command.seat == seat:
                del self._pending[id]

    def _forget_table(self) -> None:
        """Nothing that was meant for the table attended is said any more."""
        self._way.forget()
        for id, command in list(self._pending.items()):
            if not isinstance(command, (Create, JoinTable)):
                del self._pending[id]
        self._unsaid = [command for command in self._unsaid if command.id in self._pending]
        self._questions = [question for question in self._questions if _anywhere(question)]

    def _welcome(self, welcome: Welcome) -> None:
        model = self.model
        anew = model.session is not None and welcome.session != model.session
        resumed = welcome.session == model.session or (
            model.session is None and welcome.token is None
        )
        model.session, model.name, model.server = welcome.session, welcome.name, welcome.server
        self.heartbeat = min(max(welcome.heartbeat / 1000, 0.05), 300.0)
        if welcome.token is not None:
            self._token = welcome.token
            self._keep_token(welcome.token, welcome.name)
        self._note(Linked(Status.ONLINE), Greeted(welcome.name, resumed))
        if anew:
            # Nobody else may be made to do what the former session meant to do.
            again = self._way.again
            self._forget_table()
            self._way.again = again
        entering = self._way.entering
        if entering is not None:
            # Said again it leads to the same table.
            self._pending[entering.id] = entering
        self._unsaid = list(self._pending.values())
        back = self._way.resume()
        if back is not None:
            self._say(Watch(*back))
        self._say_unsaid()
        self._say_questions()

    def _refused(self, refused: Refused) -> None:
        if self._session.state is State.HELLO and refused.code != "bad_name":
            text = refusal_text(refused.code, dict(refused.facts), refused.detail)
            if refused.code == "no_move_code":
                raise Dismissed(text, refused.code)
            raise TryLater(text)
        self.misnamed = self._session.state is State.HELLO
        if refused.code == "stopping":
            # Nothing happened; it is said again when the server is back.
            return
        command = None if refused.id is None else self._pending.pop(refused.id, None)
        if command is self._way.entering or (refused.id is None and not self.misnamed):
            self._way.entering = None
        text = refusal_text(refused.code, dict(refused.facts), refused.detail, self.model.game)
        self._note(Refusal(refused.id, refused.code, refused.facts, text))
        watching, self._way.watching = self._way.watching, None
        lobby = self._session.state is State.LOBBY
        back = self._way.again is not None
        if back and lobby and refused.id is None and refused.code in TRY_AGAIN:
            raise TryLater(text)  # our table cannot be read just now: come back to it
        if command is None and watching is not None and lobby:
            self._forget_table()
            if self.model.scene is None:
                return
            self._note(*self.model.depart(watching))

    def _note(self, *changes: Change) -> None:
        for change in changes:
            if isinstance(change, Linked):
                self.model.link = change
        self._news += changes

    def _tell(self) -> None:
        """Tell the listeners what is noted, in order."""
        while self._news:
            change = self._news.pop(0)
            for listener in list(self.listeners):
                listener(change)
