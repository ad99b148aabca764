"""The conversation with the server, without I/O: what to say, and what was answered.

Bytes in (`receive`), bytes out (`outgoing`); the link moves them and knows the clock. What
can be said now is `client.net.sender`'s affair, what waits for an answer `client.net.pending`'s.
Every text that comes in is cleaned here. Knows no rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from client.net.endings import TryLater, ending
from client.net.identity import Identity, Introduction
from client.net.pending import Pending
from client.net.requests import Command, Requests
from client.net.resume_target import ResumeTarget
from client.net.sender import Sender
from client.refusal_texts import TRY_AGAIN, refusal_text
from client.state.events import (
    Answered,
    Attended,
    Change,
    Forgotten,
    Greeted,
    Linked,
    Refusal,
    Status,
    Stepped,
)
from client.state.fairness import SECRET_BYTES, Fairness
from client.state.model import Misfit, Model
from client.state.restored import gone_text
from client.text import clean, clean_all
from protocol.codec import ProtocolError
from protocol.messages import (
    Accepted,
    Beat,
    Create,
    FromClient,
    FromServer,
    Invitation,
    JoinTable,
    Left,
    Refused,
    Snapshot,
    Update,
    Watch,
    Welcome,
)
from protocol.session import State

MAX_MISFITS = 3
"""Snapshots asked for in a row because updates did not fit; then the server is given up."""


Listener = Callable[[Change], None]


class Conversation(Requests):
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
        self._introduction = Introduction(identity, keep_token)
        self._random = random
        self._fairness = Fairness(secret or random(SECRET_BYTES), random)
        self._sender = Sender(self._woken)
        self._target = ResumeTarget()
        self._pending = Pending(self._say)
        self._misfits = 0
        self._news: list[Change] = []

    # the connection

    def connecting(self) -> None:
        """A connection is being made."""
        self._note(Linked(Status.CONNECTING))
        self.tell()

    def opened(self) -> None:
        """The connection stands: say hello."""
        self._sender.opened()
        self.retry = None
        self._hello()

    def broken(self, why: str, wait: float) -> None:
        """The connection is gone; the next try comes in `wait` seconds."""
        self._target.lost(self._sender.session.code, self._sender.session.number)
        self._sender.closed()
        self._note(Linked(Status.WAITING, clean(why), wait))
        self.tell()

    def ended(self, why: str = "") -> None:
        """There will be no connection any more."""
        self._sender.closed()
        self._note(Linked(Status.ENDED, clean(why)))
        self.tell()

    def outgoing(self) -> list[bytes]:
        """Frames to send, each given once."""
        return self._sender.frames()

    def beat(self) -> None:
        """Say that we are alive (the answer says so of the server)."""
        self._say(Beat())

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we say."""
        return self._sender.online

    @property
    def known(self) -> bool:
        """Whether we have a secret to be known by."""
        return self._introduction.known

    @property
    def unanswered(self) -> int:
        """Commands sent, or to be sent, without an answer so far."""
        return len(self._pending)

    @property
    def arriving(self) -> bool:
        """Whether a table is gone to, or come back to, that has not come yet."""
        return self._target.open

    @property
    def greeting(self) -> bool:
        """Whether the server wants another name before anything else."""
        return self._sender.greeting

    def resume(self, token: bytes, name: str) -> None:
        """Be known by this secret and name from the next connection on."""
        self._introduction.resume(token, name)
        self.model.name = name

    def rename(self, name: str) -> None:
        """Say hello again, after a name was refused; else from the next connection on."""
        self._introduction.rename(name)
        self.model.name = name
        self.misnamed = False
        if self.greeting:
            self._hello()
        self.wake()

    # saying

    def _request(self, make: Callable[[bytes], Command]) -> bytes:
        id = self._random(16)
        self._pending.wish(make(id))
        return id

    def _ask(self, message: FromClient) -> None:
        self._pending.ask(message, at_table=self._at_table)

    def _say(self, message: FromClient) -> bool:
        return self._sender.say(message)

    def _say_waiting(self) -> None:
        """Say what could not be said before."""
        self._pending.say_commands()
        self._pending.say_questions(at_table=self._at_table)

    @property
    def _at_table(self) -> bool:
        """Whether a table is attended, or on the way."""
        return self.arriving or self.model.scene is not None

    def _hello(self) -> None:
        self._sender.greet(self._introduction.hello(self.model.name))

    def _woken(self) -> None:
        self.wake()

    # hearing

    def receive(self, data: bytes) -> None:
        """Take in one frame and tell what it brings; raises what `take` raises."""
        self.take(data)
        self.tell()

    def take(self, data: bytes) -> None:
        """Take in one frame, of which nobody is told yet: what a listener stumbles over is
        not the server's fault. Raises ProtocolError if the server cannot be understood,
        TryLater or Dismissed if it does not want us for now, or for good."""
        try:
            message = self._sender.session.receive(data)
            if message is not None:
                self._hear(clean_all(message))
        except Misfit as error:
            self._misfits += 1
            if self._misfits > MAX_MISFITS:
                raise ProtocolError(str(error)) from None
            self._sender.session.resync()
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            # No check is known to miss these; a server must not be able to find one.
            raise ProtocolError("a message that makes no sense") from None
        self.wake()

    def _hear(self, message: FromServer) -> None:
        end = ending(message, greeting=self._sender.session.state is State.HELLO)
        if end is not None:
            self.retry = end.retry if isinstance(end, TryLater) else None
            raise end
        match message:
            case Welcome():
                self._welcome(message)
            case Accepted(id, number):
                self._accepted(id, number)
            case Refused():
                self._refused(message)
            case _:
                self._note(*self.model.apply(message))
                self._watch_fairness()
                if type(message) is Invitation:
                    self._pending.invited(message.seat)
                if type(message) is Update:
                    self._misfits = 0
                elif type(message) is Snapshot:
                    self._target.arrived()
                    self._say_waiting()
                elif type(message) is Left:
                    self._forget_table()

    def _accepted(self, id: bytes, number: int) -> None:
        command = self._pending.answered(id)
        if command is not None and command is not self._target.entering:
            self._note(Answered(id, number))
        if isinstance(command, (Create, JoinTable)):
            self._target.entering = command

    def _watch_fairness(self) -> None:
        """Note whether the server kept its word, once that can be seen."""
        moved = any(isinstance(change, Attended | Stepped) for change in self._news)
        scene = self.model.scene
        judged = self._fairness.look(scene) if moved and scene is not None else None
        if judged is not None:
            self._note(judged)

    def _forget_table(self) -> None:
        """Nothing that was meant for the table attended is said any more."""
        self._target.forget()
        self._pending.forget_table()

    def _welcome(self, welcome: Welcome) -> None:
        model = self.model
        anew = model.session is not None and welcome.session != model.session
        resumed = welcome.session == model.session or (
            model.session is None and welcome.token is None
        )
        model.session, model.name, model.server = welcome.session, welcome.name, welcome.server
        self.heartbeat = min(max(welcome.heartbeat / 1000, 0.05), 300.0)
        model.vote_gone = welcome.vote_gone / 1000
        model.vote_silent = welcome.vote_silent / 1000
        had_session = self._introduction.has_session
        self._introduction.welcomed(welcome)
        self._note(Linked(Status.ONLINE), Greeted(welcome.name, resumed))
        if had_session and not resumed:
            self._note(Forgotten(welcome.name))
        if anew:
            # Nobody else may be made to do what the former session meant to do.
            again = self._target.again
            self._forget_table()
            self._target.again = again
        self._pending.say_again(self._target.entering)
        back = self._target.resume()
        if back is not None:
            self._say(Watch(*back))
        self._say_waiting()

    def _refused(self, refused: Refused) -> None:
        self.misnamed = self._sender.session.state is State.HELLO
        if refused.code == "stopping":
            # Nothing happened; it is said again when the server is back.
            return
        command = self._pending.answered(refused.id)
        if command is self._target.entering or (refused.id is None and not self.misnamed):
            self._target.entering = None
        text = refusal_text(refused.code, dict(refused.facts), refused.detail, self.model.game)
        watching, self._target.watching = self._target.watching, None
        lobby = self._sender.session.state is State.LOBBY
        again = self._target.again
        back = again is not None
        if again is not None and lobby and command is None and refused.code == "no_table":
            text = gone_text(again[0])
        self._note(Refusal(refused.id, refused.code, refused.facts, text, command))
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

    def tell(self) -> None:
        """Keep what secret there is, and tell the listeners what is noted, in order."""
        self._introduction.keep()
        while self._news:
            change = self._news.pop(0)
            for listener in list(self.listeners):
                listener(change)
