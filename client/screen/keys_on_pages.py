"""Keys of the pages over the client's screen: scrolling, closing, and the questions that some keys
ask first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from client.screen.bindings import ANY, Keymap, Offer
from client.screen.interface import Page
from client.screen.key_hints import Weight
from client.screen.keys_before_match import taken
from client.screen.keys_everywhere import CHAT, HELP, LOG, QUIT, Key
from client.screen.open_page import END
from client.screen.state import NO_WAY_BACK, ScreenState

# pages


def _scroll_key(keys: str | tuple[str, ...], step: int, offer: Offer | None = None) -> Key:
    return Key(keys, "", lambda state: state.page.scroll_by(step), offline=True, offer=offer)


SCROLL_UP = _scroll_key(("up", "k"), -1, Offer("scroll", weight=Weight.PAGE, name="↑↓"))
SCROLLING = Keymap(
    (
        SCROLL_UP,
        _scroll_key(("down", "j"), 1),
        _scroll_key("pageup", -10),
        _scroll_key(("pagedown", " "), 10),
        _scroll_key("home", -END),
        _scroll_key("end", END),
    )
)
TURN_BACK = Key(ANY, "", lambda state: state.page.close(), offline=True, offer=Offer("back"))

PAGE = Keymap((CHAT, QUIT, HELP, LOG, TURN_BACK), bar=(SCROLL_UP, TURN_BACK, HELP, QUIT))


# questions


@frozen
class Wording:
    """What a question says."""

    asked: str
    consequence: str = ""
    """What a yes brings with it, after the question."""
    aside: str = ""
    """More to know, behind the keys; dropped where there is no room."""


@frozen
class Question:
    """A page that asks whether to do what a key is for. The key only opens the page; the keys of
    `yes` do it, and every other key closes the page."""

    wording: Callable[[ScreenState], Wording]
    yes: Key
    no: Offer
    """How the bottom lines offer the other keys."""

    @property
    def keymap(self) -> Keymap[ScreenState]:
        no = Key(ANY, "", lambda state: state.page.close(), offline=True, offer=self.no)
        return Keymap((self.yes, no), bar=(self.yes, no))


def _leave_wording(state: ScreenState) -> Wording:
    asked = "Leave the table?"
    if state.parting == NO_WAY_BACK:
        return Wording(asked, NO_WAY_BACK)
    # The way back is printed after the screen is gone, so it need not fit here.
    kept = "This game then ends." if state.solo else "Your seat is kept."
    return Wording(asked, kept, state.parting)


def _leave_table(state: ScreenState) -> None:
    state.leave(text=state.farewell())


def _start_wording(state: ScreenState) -> Wording:
    seats = state.scene.table.seats if state.scene is not None else ()
    return Wording(f"Start with {taken(state)} of {len(seats)} seats taken?")


def _start(state: ScreenState) -> None:
    state.conversation.requests.start()


def _close(state: ScreenState) -> None:
    state.conversation.requests.close()


QUESTIONS: Mapping[Page | str, Question] = {
    Page.LEAVE: Question(
        _leave_wording,
        Key(("y", "enter", "q"), "", _leave_table, offline=True, offer=Offer("leave")),
        Offer("stay", name="n"),
    ),
    Page.START: Question(
        _start_wording,
        Key(("y", "enter", "s"), "", _start, offer=Offer("start")),
        Offer("wait for the others", "wait", name="n"),
    ),
    Page.CLOSE: Question(
        lambda state: Wording("Close the table?", "Everybody leaves it."),
        Key(("y", "enter"), "", _close, offer=Offer("close")),
        Offer("keep it", "keep", name="n"),
    ),
}
"""Each question: what it says, the keys that answer it, and what a yes does."""
