"""What happens when a key is pressed: it answers an open page, makes a choice of the prompt, or
does what the place's table says (`client.screen.keymap`). If it does nothing, the reason is shown.
"""

from __future__ import annotations

from client.screen.bindings import Keymap, key_name
from client.screen.game_api import Choice, Menu
from client.screen.interface import Location
from client.screen.keymap import keymap_now, keymap_of
from client.screen.keys_at_table import CATCHING_UP, PICKING, POINTING, RETURN
from client.screen.keys_everywhere import HELP
from client.screen.keys_on_pages import PAGE, SCROLLING
from client.screen.notices import LONG
from client.screen.state import ScreenState


def press(state: ScreenState, key: str) -> None:
    """Do what `key` does now, or say why it does nothing."""
    state.notice = ""
    keymap = keymap_now(state)
    if state.page.shown is not None:
        _press_in_page(state, keymap, key)
        return
    if keymap in (PICKING, POINTING):
        if _press(state, keymap, key):
            return
        keymap = keymap_of(state)
    menu = state.menu if keymap is not CATCHING_UP else None
    if menu is not None and _spelled(state, menu, key):
        return
    if not _press(state, keymap, key):
        _unknown(state, key)


def _press(state: ScreenState, keymap: Keymap[ScreenState], key: str) -> bool:
    """Do what `key` does in this place, or say why it does nothing; whether the place has it."""
    binding = keymap.find(key)
    if binding is None:
        return False
    if not binding.offline and not state.connected():
        return True
    if binding.when(state):
        binding.do(state)
        return True
    state.notice = binding.why_not(state)
    return bool(state.notice)


def _press_in_page(state: ScreenState, keymap: Keymap[ScreenState], key: str) -> None:
    if keymap is PAGE and _press(state, SCROLLING, key):
        return
    page = state.page.shown
    state.page.close()
    _press(state, keymap, key)
    if state.page.shown == page:
        # The key that opens a page also closes it.
        state.page.close()


def _unknown(state: ScreenState, key: str) -> None:
    """Say why a key that is in no keymap does nothing."""
    place, scene, game_screen = state.location, state.scene, state.game_screen
    if place in (Location.NAMING, Location.CONNECTING):
        return
    if place is not Location.FORM and not state.connected():
        return
    why = None
    if place is Location.TABLE and scene is not None and game_screen is not None:
        if state.answer.on_its_way:
            state.notices.tell("Your move is on its way.", lambda: state.answer.on_its_way)
            return
        if state.absent.played_for:
            why = f"Your seat is played for you: {RETURN.name} brings you back."
        else:
            why = game_screen.refuse(scene, key)
    # The keys that go on are often pressed a moment too late: they need no reason.
    if why is None and key not in (" ", "enter", "escape"):
        name = key if len(key) > 1 else f"“{key}”"
        why = f"{name} does nothing here; {HELP.name} shows the keys."
    state.notice = why or ""


# the keys of a prompt's choices


def _spelled(state: ScreenState, menu: Menu, key: str) -> bool:
    """Handle a choice's key, or one digit of it; whether it meant anything. A number that could
    still become a longer one waits for the next digit, or for ENTER."""
    before = state.answer.typed
    state.answer.spell("")
    if before and key == "enter":
        chosen = [choice for choice in menu.choices if choice.key == before]
        if not chosen:
            _ask_on(state, menu, before)
            return True
        _choose(state, chosen[0])
        return True
    if before and key in ("backspace", "escape"):
        return True
    typed = before + key if key.isdigit() else key
    meant = [choice for choice in menu.choices if choice.key.startswith(typed)]
    if len(meant) == 1 and meant[0].key == typed:
        _choose(state, meant[0])
    elif meant:
        _ask_on(state, menu, typed)
    elif before and key.isdigit():
        # The digit does not count alone: it was meant to be the second one.
        scene, game_screen = state.timeline.scene, state.game_screen
        why = (
            game_screen.refuse(scene, typed)
            if scene is not None and game_screen is not None
            else None
        )
        state.notice = why or f"There is no {typed} to choose."
    else:
        return False
    return True


def _choose(state: ScreenState, choice: Choice) -> None:
    state.answer.go_on(choice.pick or choice.pointing or choice.command)


def _ask_on(state: ScreenState, menu: Menu, typed: str) -> None:
    """Say which keys complete a number that has been started."""
    answer = state.answer
    answer.spell(typed)
    ways = [
        f"{choice.key[len(typed) :] or key_name('enter')} for {choice.key}"
        for choice in menu.choices
        if choice.key.startswith(typed)
    ]
    text = f"{typed} …  {', '.join(reversed(ways))}, {key_name('escape')}: none"
    state.notices.tell(text, lambda: answer.typed == typed, LONG)
