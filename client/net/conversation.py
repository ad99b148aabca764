"""The conversation with one server, without I/O: frames in, what they mean, listeners told.

`take` reads a frame, and `requests` makes the frames to send; `client.net.link` moves them and
keeps the time. Every text is cleaned here as it comes in. Does not know the rules of any game.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from attrs import evolve

from client.net.endings import Dismissed, TryLater, ending
from client.net.identity import Identity
from client.net.requests import Put, Requests
from client.refusal_texts import TRY_AGAIN, refusal_text
from client.state.events import (
    Attended,
    Change,
    CommandAccepted,
    ConnectionChanged,
    ConnectionStatus,
    Forgotten,
    Greeted,
    RequestRefused,
    Stepped,
)
from client.state.fairness import SECRET_BYTES, Fairness
from client.state.model import Misfit, Model
from client.state.restored import gone_text
from client.text import clean, clean_all
from protocol.codec import ProtocolError
from protocol.messages import (
    VERSION,
    Accepted,
    Beat,
    FromServer,
    Hello,
    Left,
    Refused,
    Snapshot,
    Update,
    Welcome,
)
from protocol.session import State

MAX_MISFITS = 3
"""How often in a row a snapshot is asked for because an update did not fit; after that the
server is given up."""

Listener = Callable[[Change], None]


def _nobody() -> None:
    """Wake nobody."""


class Conversation:
    """One client's conversation, over as many connections as it takes."""

    def __init__(
        self,
        identity: Identity,
        model: Model | None = None,
        *,
        keep_token: Callable[[bytes, str], None] = lambda token, name: None,
        random: Callable[[int], bytes] = os.urandom,
        secret: bytes = b"",
    ) -> None:
        """`keep_token` is given each new token with the name it is for; `secret` (32
        bytes, kept between runs) is what nonces are made from; empty: a random one."""
        self.model = model or Model(identity.name)
        self.listeners: list[Listener] = []
        """Told every change, after the model has it."""
        self.heartbeat = 15.0
        """The longest time between two signs of life, in seconds."""
        self.retry: float | None = None
        """Seconds that the server asked us to wait before connecting again."""
        self.misnamed = False
        """Whether our name was refused and no other is known yet."""
        self.wake: Callable[[], None] = _nobody
        """Called when another name is known; the link sets it."""
        self._fairness = Fairness(secret or random(SECRET_BYTES), random)
        self.requests = Requests(self.model, self._fairness, random)
        self._identity = identity
        """Who we want to be, or who the server has said since that we are."""
        self._keep_token = keep_token
        self._fresh: tuple[bytes, str] | None = None
        """A new secret that is not kept yet, with the name it is for."""
        self._misfits = 0
        self._news: list[Change] = []

    # the connection

    def connecting(self) -> None:
        """A connection is being made."""
        self._note(ConnectionChanged(ConnectionStatus.CONNECTING))
        self._tell()

    def opened(self, put: Put) -> None:
        """The connection is open, and `put` takes its frames: say hello."""
        self.retry = None
        self.requests.opened(self._hello(), put)

    def broken(self, why: str, wait: float) -> None:
        """The connection is gone; the next try comes in `wait` seconds."""
        self.requests.disconnected()
        self._note(ConnectionChanged(ConnectionStatus.WAITING, clean(why), wait))
        self._tell()

    def ended(self, why: str = "") -> None:
        """There will be no more connections."""
        self.requests.ended()
        self._note(ConnectionChanged(ConnectionStatus.ENDED, clean(why)))
        self._tell()

    def beat(self) -> None:
        """Tell the server that we are alive; its answer tells us the same of it."""
        self.requests.say_now(Beat())

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we send."""
        return self.requests.online

    # who we are

    @property
    def known(self) -> bool:
        """Whether we have a secret that the server knows us by."""
        return self._identity.token is not None

    @property
    def greeting(self) -> bool:
        """Whether the server wants another name before anything else."""
        return self.requests.greeting

    def resume(self, token: bytes, name: str) -> None:
        """Use this secret and name from the next connection on."""
        self._identity = evolve(self._identity, token=token, name=name)
        self.model.name = name

    def rename(self, name: str) -> None:
        """Use this name: at once if the last one was refused, otherwise from the next
        connection on."""
        self._identity = evolve(self._identity, name=name)
        self.model.name = name
        self.misnamed = False
        if self.greeting:
            self.requests.greet(self._hello())
        self.wake()

    def _hello(self) -> Hello:
        """The first message; the name we are known by is used if no other is wanted."""
        identity = self._identity
        return Hello(
            version=VERSION,
            client=identity.client,
            capabilities=(),
            locale=identity.locale,
            name=identity.name or self.model.name,
            token=identity.token,
        )

    # hearing

    def take(self, data: bytes) -> Dismissed | TryLater | ProtocolError | None:
        """Take in one frame, and tell the listeners. Returns why the conversation cannot go on, if
        so: the server does not want us for now, or for good, or cannot be understood. Raises what a
        listener raises, so that its faults are not taken for the server's."""
        try:
            message = self.requests.session.receive(data)
            if message is not None:
                self._hear(clean_all(message))
        except Misfit as error:
            self._misfits += 1
            if self._misfits > MAX_MISFITS:
                return ProtocolError(str(error))
            self.requests.session.resync()
        except (Dismissed, TryLater, ProtocolError) as error:
            return error
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            # No check is known to miss these; a server must not be able to find one.
            return ProtocolError("a message that makes no sense")
        self.requests.resync()
        self._tell()
        return None

    def _hear(self, message: FromServer) -> None:
        end = ending(message, greeting=self.requests.session.state is State.HELLO)
        if end is not None:
            self.retry = end.retry if isinstance(end, TryLater) else None
            raise end
        match message:
            case Welcome():
                self._welcome(message)
            case Accepted(id, number):
                if self.requests.accepted(id):
                    self._note(CommandAccepted(id, number))
            case Refused():
                self._refused(message)
            case _:
                self._note(*self.model.apply(message))
                self._watch_fairness()
                self.requests.came(message)
                if type(message) is Update:
                    self._misfits = 0
                elif type(message) is Snapshot:
                    self.requests.arrived()
                elif type(message) is Left:
                    self.requests.forget_table()

    def _watch_fairness(self) -> None:
        """Note whether the server kept its word, once that can be seen."""
        moved = any(isinstance(change, Attended | Stepped) for change in self._news)
        scene = self.model.scene
        judged = self._fairness.look(scene) if moved and scene is not None else None
        if judged is not None:
            self._note(judged)

    def _welcome(self, welcome: Welcome) -> None:
        model = self.model
        another = model.session is not None and welcome.session != model.session
        resumed = welcome.session == model.session or (
            model.session is None and welcome.token is None
        )
        model.session, model.name, model.server = welcome.session, welcome.name, welcome.server
        self.heartbeat = min(max(welcome.heartbeat / 1000, 0.05), 300.0)
        model.vote_gone = welcome.vote_gone / 1000
        model.vote_silent = welcome.vote_silent / 1000
        # A code that carries a session here names none of ours, which the server could forget.
        had_session = self.known and not self._identity.carried
        if welcome.token is not None:
            self._identity = evolve(self._identity, token=welcome.token, carried=False)
            self._fresh = (welcome.token, welcome.name)
        self._note(ConnectionChanged(ConnectionStatus.ONLINE), Greeted(welcome.name, resumed))
        if had_session and not resumed:
            self._note(Forgotten(welcome.name))
        if another:
            # The new session must not do what the former one meant to do.
            self.requests.forget_requests()
        self.requests.reconnected()

    def _refused(self, refused: Refused) -> None:
        state = self.requests.session.state
        self.misnamed = state is State.HELLO
        if refused.code == "stopping":
            # Nothing happened; it is sent again when the server is back.
            return
        command = self.requests.refused(refused.id, greeting=self.misnamed)
        text = refusal_text(refused.code, dict(refused.facts), refused.detail, self.model.game)
        watching, returning = self.requests.not_watching(), self.requests.returning
        lobby = state is State.LOBBY
        if returning is not None and lobby and command is None and refused.code == "no_table":
            text = gone_text(returning)
        self._note(RequestRefused(refused.id, refused.code, refused.facts, text, command))
        if returning is not None and lobby and refused.id is None and refused.code in TRY_AGAIN:
            raise TryLater(text)  # our table cannot be read just now: come back to it
        if command is None and watching is not None and lobby:
            self.requests.forget_table()
            if self.model.scene is not None:
                self._note(*self.model.depart(watching))

    def _note(self, *changes: Change) -> None:
        for change in changes:
            if isinstance(change, ConnectionChanged):
                self.model.connection = change
        self._news += changes

    def _tell(self) -> None:
        """Hand on a new secret, if there is one, and tell the listeners what is noted, in order."""
        fresh, self._fresh = self._fresh, None
        if fresh is not None:
            self._keep_token(*fresh)
        while self._news:
            change = self._news.pop(0)
            for listener in list(self.listeners):
                listener(change)
