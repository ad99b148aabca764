"""The help page names the keys of the place one is at: all of them, and no others."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters, digits

import pytest
from attrs import evolve

from client.screen.interface import Location, Page
from client.screen.keys_at_table import HINT
from client.screen.keys_everywhere import HELP
from client.screen.pages import draw
from client.screen.press import press
from client.screen.state import ScreenState
from client.screen.status_bar import bar
from client.state.events import Change
from engine.deal import Chance
from protocol.messages import Left, Tables
from protocol.table import Phase
from tests.client.screen.test_key_hints import ROW, offered
from tests.client.seated import Seated
from tests.games import seed

PRESSED = {"↑": "up", "↓": "down", "←": "left", "→": "right", "ENTER": "enter", "ESC": "escape"}
"""How keys come that are called otherwise on the screen."""


def lobby(*rows: object) -> Seated:
    made = Seated()
    made.joined.down(Left("TEST-1"))
    made.joined.down(Tables(rows))  # type: ignore[arg-type]
    return made


def form() -> Seated:
    made = lobby()
    made.press("n")
    return made


def room(seat: int | None = 0, host: int | None = 0) -> Seated:
    made = Seated(seat)
    scene = made.state.timeline.scene
    assert scene is not None
    table = evolve(scene.table, phase=Phase.WAITING, places=(), host=host)
    waits = evolve(scene, table=table, board=None, prompts=(), table_seat=seat, host=seat == host)
    made.state.timeline.scene = made.joined.conversation.model.scene = waits
    return made


def playing(seat: int | None = 0, *, solo: bool = False, moved: bool = False) -> Seated:
    made = Seated(seat)
    made.state.solo = solo
    if seat is not None:
        made.others_move(Chance(seed(1)))
        made.present()
    if moved:
        made.press("d")
        assert made.grant()
        made.present()
    return made


def ended(seat: int | None = 0, *, solo: bool = False) -> Seated:
    made, chance = Seated(seat), Chance(seed(4))
    made.state.solo = solo
    made.play_out(chance)
    return made


PLACES: dict[str, Callable[[], Seated]] = {
    "an empty list": lobby,
    "a list": lambda: lobby(ROW),
    "a form": form,
    "a room, as host": room,
    "a room, as guest": lambda: room(1),
    "a room, watching": lambda: room(None),
    "a room, as a host without a seat": lambda: room(None, None),
    "a table": playing,
    "a table, after one's turn": lambda: playing(moved=True),
    "a table, watching": lambda: playing(None),
    "a game without a server": lambda: playing(solo=True),
    "the end": ended,
    "the end of a game without a server": lambda: ended(solo=True),
    "the end, watching": lambda: ended(None),
}


def told(state: ScreenState) -> dict[str, str]:
    """The keys that help names here, as they come from the keyboard, with their names."""
    press(state, HELP.name)
    assert state.page.shown is Page.HELP
    names = [
        text.strip()
        for line in draw(state, 120, 90)
        for style, text in line
        if style == "class:key"
    ]
    press(state, "escape")
    keys = {}
    for name in names:
        for part in name.split() if name != "any key" else ():
            keys[PRESSED.get(part, part)] = name
    assert len(names) > 3
    return keys


@pytest.fixture(params=list(PLACES))
def make(request: pytest.FixtureRequest) -> Callable[[], Seated]:
    return PLACES[request.param]


def test_what_the_bottom_lines_offer_stands_in_help(make: Callable[[], Seated]) -> None:
    made = make()
    keys = set(told(made.state))
    menu = made.state.menu
    if menu is not None:
        keys |= {choice.key for choice in menu.choices}
    for name in offered(bar(made.state, 120)):
        signs = name if name[0] in "↑←→" else [name]
        assert {PRESSED.get(sign, sign) for sign in signs} <= keys, name


def test_every_key_in_help_means_something_there(make: Callable[[], Seated]) -> None:
    keys = told(make().state)
    for key in keys:
        made = make()
        made.press(key)
        assert "does nothing here" not in made.state.notice, key
        assert "over" not in made.state.notice, key


def test_no_other_key_does_anything(make: Callable[[], Seated]) -> None:
    made = make()
    state, keys = made.state, told(made.state)
    menu = state.menu
    begun = {choice.key[0] for choice in menu.choices} if menu is not None else set()
    also = {HINT.name}  # the server says at which tables it gives any
    if state.location is Location.FORM:
        also |= {"b"}
    changes: list[Change] = []
    state.conversation.listeners.append(changes.append)
    made.joined.up()
    before = (state.location, state.form, state.timeline.scene, state.showing_end)
    for key in sorted(set(ascii_letters + digits + "#%&/(") - set(keys) - begun - also):
        made.press(key)
        assert (state.location, state.form, state.timeline.scene, state.showing_end) == before, key
        assert state.page.shown is None and state.field is None and state.left is None, key
        assert state.notice and not made.joined.up(), key
    assert not changes


def test_help_in_the_list_of_tables_speaks_of_no_table() -> None:
    """What was named there did nothing, and what opens a table was missing."""
    keys = told(lobby(ROW).state)
    assert {"n", "j", "enter", "r"} <= set(keys)
    assert not set("lcuxyihvwbts") & set(keys)


def test_a_hint_is_promised_only_where_it_is_sure_to_be_given() -> None:
    """Help named it at every table of a person and bots, of servers too that give none."""
    made = playing()
    scene = made.state.timeline.scene
    assert scene is not None
    mine, *others = scene.table.seats
    bots = tuple(evolve(other, bot="easy") for other in others if other is not None)
    made.state.timeline.scene = evolve(scene, table=evolve(scene.table, seats=(mine, *bots)))
    assert HINT.name not in told(made.state)
    made.state.solo = True
    assert HINT.name in told(made.state)
