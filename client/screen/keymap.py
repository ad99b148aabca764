"""Every key of the client's screen: which keys there are at each place, and which work now.

To add or change a key, edit its `Binding`: what pressing it does (`client.screen.press`), the help
page and the bottom lines follow. They stand by place in `keys_everywhere`, `keys_before_match`,
`keys_at_table` and `keys_on_pages`. The keys of a prompt's choices come from the game.
"""

from __future__ import annotations

from client.screen.bindings import Keymap
from client.screen.interface import Location
from client.screen.keys_at_table import CATCHING_UP, PICKING, POINTING, table_keymap
from client.screen.keys_before_match import CONNECTING, FORM, LOBBY, ROOM
from client.screen.keys_on_pages import PAGE, QUESTIONS
from client.screen.state import ScreenState


def keymap_of(state: ScreenState) -> Keymap[ScreenState]:
    """The keys of the place that is shown, under any page."""
    match state.location:
        case Location.LOBBY:
            return LOBBY
        case Location.FORM:
            return FORM
        case Location.ROOM:
            return ROOM
        case Location.TABLE:
            return table_keymap(state)
        case _:
            return CONNECTING


def keymap_now(state: ScreenState) -> Keymap[ScreenState]:
    """The keys that the bottom lines offer now."""
    if state.page.shown is not None:
        question = QUESTIONS.get(state.page.shown)
        return question.keymap if question is not None else PAGE
    if state.location is Location.TABLE:
        if state.behind or state.timeline.interlude is not None:
            return CATCHING_UP
        if state.pick is not None:
            return PICKING
        if state.pointing is not None:
            return POINTING
    return keymap_of(state)
