"""The keys that answer a prompt: the choices' own, numbers digit by digit, and what is picked
out of several things. A key that means nothing here is left to others.
"""

from __future__ import annotations

from client.screen.game_api import Choice, Menu, Pick
from client.screen.notices import LONG
from client.screen.state import ScreenState

_DIGITS = tuple("123456789")


def spelled(state: ScreenState, menu: Menu, key: str) -> bool:
    """A key that is a choice's, or a sign of it; whether it meant anything. What could still
    become another number waits for the next digit, or for ENTER."""
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
        # Not the last digit alone: it was meant to be the second one.
        scene, face = state.timeline.scene, state.face
        why = face.refuse(scene, typed) if scene is not None and face is not None else None
        state.notice = why or f"There is no {typed} to choose."
    else:
        return False
    return True


def _choose(state: ScreenState, choice: Choice) -> None:
    if choice.pick is not None:
        state.answer.choose(choice.pick)
    else:
        state.act(choice.command)


def _ask_on(state: ScreenState, menu: Menu, typed: str) -> None:
    """Say how a number that has begun may go on."""
    answer = state.answer
    answer.spell(typed)
    ways = [
        f"{choice.key[len(typed) :] or 'ENTER'} for {choice.key}"
        for choice in menu.choices
        if choice.key.startswith(typed)
    ]
    text = f"{typed} …  {', '.join(reversed(ways))}, ESC: none"
    state.notices.tell(text, lambda: answer.typed == typed, LONG)


def in_pick(state: ScreenState, pick: Pick, key: str) -> bool:
    """A key while things are chosen; whether it meant anything."""
    picked = state.answer.picked
    if key in _DIGITS and int(key) <= len(pick.items):
        state.answer.take(_toggled(pick, picked, int(key) - 1))
    elif key == "enter":
        if pick.least <= len(picked) <= pick.most:
            state.act(pick.make(picked))
        else:
            state.notice = f"Choose {pick.least} first: {len(picked)} so far."
    elif key == "backspace":
        state.answer.take(picked[:-1])
    elif key == "escape":
        state.answer.choose(None)
    else:
        return False
    return True


def _toggled(pick: Pick, picked: tuple[int, ...], item: int) -> tuple[int, ...]:
    """`picked` after the key of `item`: once more if that may be, else not at all."""
    if picked.count(item) >= pick.items[item].most:
        return tuple(other for other in picked if other != item)
    if len(picked) >= pick.most:
        # The newest choice counts: the oldest one makes room.
        picked = picked[1:]
    return (*picked, item)
