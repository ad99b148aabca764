"""How a client gets to a table: to the one of a code, or to a new one. Does not know about
displays."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from client.join.codes import is_invitation, table_code
from client.join.table_options import NewTable
from client.net.conversation import Conversation
from client.state.events import Attended, Change, CommandAccepted, Greeted, Listed, RequestRefused
from client.state.scene import Scene
from protocol.messages import TableRow
from protocol.table import Phase


@frozen
class Opening:
    """What to do once the server has greeted us; nothing if all is empty."""

    code: str = ""
    watch: bool = False
    """Only watch the table `code`, even if a seat is free."""
    table: NewTable | None = None
    home: bool = False
    """Without a code or a table: go to the one table where we play."""

    def __bool__(self) -> bool:
        return bool(self.code) or self.table is not None


@frozen
class _Step:
    """What was asked for last on the way to a table."""

    creating: bytes | None = None
    """The id of the command that opens the table, until it is granted."""
    code: str = ""
    """The table that has to come; empty: any."""
    sit: bool = False
    """Whether to take a seat there, if one is free."""
    by_name: bool = False
    """Whether it may be the table of somebody else with our name: then leave it."""


class Opener:
    """A listener that gets us to a table step by step.

    It attends a table before it takes a seat there, so that our nonce follows the commitment.
    """

    def __init__(self, conversation: Conversation, opening: Opening) -> None:
        self._model = conversation.model
        self._requests = conversation.requests
        self._opening = opening
        """What is still to be done on arrival."""
        self._step: _Step | None = None
        self._looking = False
        """Whether the list was asked for, to find the one table where we play."""
        self.failed: RequestRefused | None = None
        """Why the last opening failed."""
        self._first = bool(opening)
        """Whether what was to be done on arrival is not done yet."""
        self.unopened: RequestRefused | None = None
        """Why that failed, whatever was opened later."""

    @property
    def under_way(self) -> bool:
        """Whether we are not yet where we want to be."""
        return bool(self._opening) or self._looking or self._step is not None

    def open(self, table: NewTable) -> None:
        """Open a table, and take a seat there if it says so: once it is there, after its
        commitment can be seen."""
        self.failed = None
        creating = self._requests.create(
            table.game,
            table.ruleset,
            table.seats,
            options=table.options,
            bots=table.bots,
            listed=table.listed,
            sit=False,
            clock=table.clock,
            absence=table.absence,
        )
        self._step = _Step(creating, sit=table.sit)

    def attend(self, code: str, *, join: bool = True) -> None:
        """Attend a table: at our seat if we have one, otherwise at a free one (`join`) or as
        a spectator. The code of an invitation leads to the seat it is for."""
        self.failed = None
        code = table_code(code)
        if is_invitation(code):
            self._step = _Step()
            self._requests.join(code)
        else:
            self._step = _Step(code=code if join else "", sit=join)
            self._requests.watch(code)

    # hearing

    def __call__(self, change: Change) -> None:
        match change:
            case Greeted():
                self._begin()
            case Listed(tables) if self._looking:
                self._go_home(tables)
            case CommandAccepted(id) if self._step is not None and id == self._step.creating:
                self._step = evolve(self._step, creating=None)
            case Attended(scene=scene):
                self._attended(scene)
            case RequestRefused() if self.under_way:
                self._refused(change)

    def _begin(self) -> None:
        opening = self._opening
        if opening:
            self._opening = Opening()
        if opening.table is not None:
            self.open(opening.table)
        elif opening.code:
            self.attend(opening.code, join=not opening.watch)
        elif opening.home:
            self._looking = True
            self._requests.list_tables()

    def _go_home(self, tables: Sequence[TableRow]) -> None:
        """Go to the table where somebody with our name plays, if there is exactly one."""
        self._looking, self._opening = False, Opening()
        name = self._model.name
        codes = [row.code for row in tables if row.phase is Phase.PLAYING and name in row.names]
        if len(codes) == 1 and self._model.scene is None:
            self.attend(codes[0], join=False)
            self._step = _Step(by_name=True)

    def _attended(self, scene: Scene) -> None:
        step, table = self._step, scene.table
        if step is not None and (step.creating is not None or step.code not in ("", table.code)):
            return  # another table, which was left for the one on the way
        self._step = None
        self._looking, self._opening = False, Opening()
        if step is not None and scene.table_seat is None:
            if step.by_name:
                self._requests.leave()
                return
            if step.sit and table.phase is Phase.WAITING and None in table.seats:
                self._step = _Step()
                self._requests.join(table.code)
                return
        self._first = False

    def _refused(self, refusal: RequestRefused) -> None:
        self._step, self._looking = None, False
        self.failed = refusal
        if self._first:
            self._first, self.unopened = False, refusal
