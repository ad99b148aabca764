"""The keys of a replay: what each does, what help says of it, how the bottom line offers it."""

from __future__ import annotations

from functools import partial

from client.replay.state import ReplayState
from client.screen.bindings import ANY, Binding, Keymap, Offer
from client.screen.interface import Page
from client.screen.key_hints import Weight

Key = Binding[ReplayState]


def _step(keys: str | tuple[str, ...], count: int) -> Key:
    return Key(keys, "", partial(ReplayState.go_by, count=count))


FORWARD = Key(
    ("right", " ", "enter"),
    "one step forward, back",
    partial(ReplayState.go_by, count=1),
    called="→ ←",
    offer=Offer("step", name="→←"),
)
TEN_FORWARD = Key("pagedown", "ten steps", partial(ReplayState.go_by, count=10), called="PgDn PgUp")
FIRST = Key(
    "home",
    "the first, the last step",
    lambda state: state.go_by(-state.at),
    called="Home End",
)
LAST = Key("end", "", lambda state: state.go_by(len(state.steps)))
NEXT_EPOCH = Key(
    "e",
    "the next epoch, the one before",
    ReplayState.next_epoch,
    called="e E",
    offer=Offer("epoch", weight=Weight.PAGE, name="e"),
)
PREVIOUS_EPOCH = Key("E", "", ReplayState.previous_epoch)
GO_TO = Key(
    "g",
    "go to a step by its number",
    ReplayState.ask_step,
    offer=Offer("go to", weight=Weight.PAGE),
)
EYES = Key(
    "v",
    "through whose eyes: the next viewpoint",
    ReplayState.next_view,
    offer=Offer("eyes", weight=Weight.OFFER),
)
PLAY = Key(
    "p",
    "play by itself, or stop",
    ReplayState.play_or_stop,
    offer=Offer("play", weight=Weight.OFFER),
)
LOG = Key("l", "all that happened up to here", lambda state: state.page.open(Page.LOG))
QUIT = Key(("q", "escape"), "leave", ReplayState.leave, offer=Offer("leave"))
HELP = Key("?", "", lambda state: state.page.open(Page.HELP), offer=Offer("help"))


def _game_page(key: str, title: str) -> Key:
    offer = Offer(title.split(maxsplit=1)[0], weight=Weight.TALK)
    return Key(key, title, lambda state: state.page.open(key), offer=offer)


def keymap_of(state: ReplayState) -> Keymap[ReplayState]:
    """The keys, among them those of the game's own pages."""
    pages = [_game_page(key, title) for key, title in state.game_screen.pages.items()]
    moves = (
        FORWARD,
        _step(("left", "backspace"), -1),
        TEN_FORWARD,
        _step("pageup", -10),
        FIRST,
        LAST,
        NEXT_EPOCH,
        PREVIOUS_EPOCH,
    )
    return Keymap(
        (*moves, GO_TO, EYES, PLAY, LOG, QUIT, HELP, *pages),
        bar=(HELP, FORWARD, NEXT_EPOCH, GO_TO, EYES, *pages, PLAY, QUIT),
    )


def _scroll(key: str, step: int) -> Key:
    return Key(key, "", lambda state: state.page.scroll_by(step))


SCROLLING = Keymap(
    (
        _scroll("up", -1),
        _scroll("down", 1),
        _scroll("pageup", -10),
        _scroll("pagedown", 10),
        Key(ANY, "", lambda state: state.page.close()),
    )
)


def press(state: ReplayState, key: str) -> None:
    """Do what `key` does now, or say that it does nothing."""
    state.notice = ""
    state.stop_seeking()
    binding = (SCROLLING if state.page.shown is not None else keymap_of(state)).find(key)
    if binding is not None:
        binding.do(state)
    else:
        state.notice = f"“{key}” does nothing here; {HELP.name} shows the keys."
