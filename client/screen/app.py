"""The full-screen application around a state: the toolkit, the keyboard, the end.

Draws the state, gives it keys and typed text, and restores the terminal however the program ends:
by leaving, Ctrl-C, Ctrl-D, a signal, a hang-up, a fault in any task. Does not know about tables or
games. No mouse, no titles, no bells.

The toolkit's bindings only turn key presses into names (`_bindings`). What a key means is not
bound here but looked up by name (`client.screen.keymap`): it depends on the state at each press,
a key that does nothing says why, and all of it is tested without a terminal.
"""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine, Mapping
from contextlib import redirect_stderr, suppress
from functools import partial
from types import FrameType
from typing import Any, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import (
    ConditionalKeyBindings,
    KeyBindings,
    KeyPressEvent,
    merge_key_bindings,
)
from prompt_toolkit.key_binding.bindings.basic import load_basic_bindings
from prompt_toolkit.key_binding.bindings.emacs import load_emacs_bindings
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, HSplit, Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.styles import DynamicStyle, Style

from client.cli.glyphs import Glyphs
from client.cli.terminal import glyphs_of
from client.screen.input_line import InputLine
from client.screen.interface import Interactive, Leaving
from client.screen.keyboard import Keyboard
from client.screen.lines import Line
from client.screen.palette import palette
from client.screen.suspending import Suspension

EXIT_FAULT = 1
EXIT_HANGUP = 128 + signal.SIGHUP
EXIT_INTERRUPT = 128 + signal.SIGINT
EXIT_TERMINATED = 128 + signal.SIGTERM

S = TypeVar("S", bound=Interactive)

_NAMED = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "backspace", "tab")


class _Picture(UIControl):
    """Lines drawn for the current size, in marks that the terminal has."""

    def __init__(self, draw: Callable[[int, int], list[Line]], glyphs: Glyphs) -> None:
        self._draw = draw
        self._glyphs = glyphs

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        lines = self._draw(width, height) or [[]]
        write = self._glyphs.in_cells

        def line(number: int) -> list[tuple[str, str]]:
            return [(style, write(text)) for style, text in lines[number]]

        return UIContent(line, len(lines), show_cursor=False)  # type: ignore[arg-type]


class _Keys(KeyProcessor):
    """Handles keys by the given bindings alone, without those that the toolkit would add."""

    def process_keys(self) -> None:
        try:
            super().process_keys()
        except Exception:
            # Our own faults are reported before they get here, so this is nonsense input.
            self.reset()


def colour_depth(environment: Mapping[str, str]) -> ColorDepth | None:
    """No colour if NO_COLOR says so, all colours if the terminal says that it has them;
    None: the toolkit chooses."""
    if environment.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    return None


class FullScreen(Generic[S]):
    """Shows one state on the terminal until it is left."""

    def __init__(
        self,
        state: S,
        draw: Callable[[S, int, int], list[Line]],
        press: Callable[[S, str], None],
    ) -> None:
        """`draw` returns exactly so many columns and rows (in this order) of a state; `press` does
        what a key means, by its name: a letter as itself, others as "enter", "up", ..."""
        self.state = state
        self._press = press
        self._wake = asyncio.Event()
        glyphs = glyphs_of(sys.stdout)
        self._line = InputLine(glyphs)
        self._styled: tuple[Mapping[str, str], Style] | None = None
        self._picture = Window(_Picture(partial(draw, state), glyphs), always_hide_cursor=True)
        has_field = Condition(lambda: self.state.field is not None)
        output = create_output()
        if hasattr(output, "enable_bell"):
            output.enable_bell = False
        self.app: Application[None] = Application(
            layout=Layout(
                HSplit([self._picture, ConditionalContainer(self._line.window, has_field)]),
                self._picture,
            ),
            style=DynamicStyle(self._style),
            full_screen=True,
            mouse_support=False,
            input=Keyboard(sys.stdin),
            output=output,
            color_depth=colour_depth(os.environ),
            min_redraw_interval=0.01,
        )
        editing = merge_key_bindings([load_basic_bindings(), load_emacs_bindings()])
        self.app.key_processor = _Keys(
            merge_key_bindings(
                [ConditionalKeyBindings(editing, has_field), self._bindings(has_field)]
            )
        )
        self._suspension = Suspension(self.app)
        self.app.ttimeoutlen = 0.05
        self.app.timeoutlen = 0.05

    def _style(self) -> Style:
        styles = self.state.styles
        if self._styled is None or self._styled[0] is not styles:
            self._styled = (styles, Style.from_dict(palette(styles)))
        return self._styled[1]

    # the keyboard

    def _bindings(self, typing: Condition) -> KeyBindings:
        keys = KeyBindings()

        def press(name: str) -> Callable[[KeyPressEvent], None]:
            return lambda event: self._do(lambda: self._press(self.state, name))

        for name in _NAMED:
            keys.add(name, filter=~typing)(press(name))
        keys.add("enter", filter=~typing)(press("enter"))
        keys.add("escape", filter=~typing, eager=True)(press("escape"))

        @keys.add(Keys.Any, filter=~typing)
        def _(event: KeyPressEvent) -> None:
            if len(event.data) == 1 and event.data.isprintable():
                self._do(lambda: self._press(self.state, event.data))

        @keys.add(Keys.Any, filter=typing)
        def _(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self._line.type(event.data * event.arg)

        @keys.add(Keys.BracketedPaste, filter=~typing)
        def _(event: KeyPressEvent) -> None:
            self._do(lambda: self.state.paste(event.data))

        @keys.add(Keys.BracketedPaste, filter=typing)
        def _(event: KeyPressEvent) -> None:
            self._line.paste(event.data)

        @keys.add("enter", filter=typing)
        def _(event: KeyPressEvent) -> None:
            self._do(lambda: self.state.enter(self._line.text))

        @keys.add("escape", filter=typing, eager=True)
        def _(event: KeyPressEvent) -> None:
            self._do(self.state.cancel)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _(event: KeyPressEvent) -> None:
            self._do(lambda: self.state.leave(EXIT_INTERRUPT))

        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            self._do(lambda: self.state.leave(0))

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            self._suspension.suspend()

        return keys

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Exception as error:
            self._blame(error)
        self.wake()

    def wake(self, change: object = None) -> None:
        """Something changed, whatever it was: do what is due, and draw."""
        self._wake.set()
        if self.state.left is not None:
            self._exit()

    def _exit(self) -> None:
        # The application can only be left while it runs; before that, it checks by itself.
        if self.app.is_running and self.app.future is not None and not self.app.future.done():
            self.app.exit()

    def _follow_field(self) -> None:
        """Adapt the line of typed text to the state's field."""
        if self._line.follow(self.state.field):
            self.app.layout.focus(self._picture if self.state.field is None else self._line.window)

    # running

    async def run(self, background: Coroutine[Any, Any, None] | None = None) -> Leaving:
        """Show the state until it is left; how it was left. The terminal is restored then, and
        anything written to stderr in the meantime is printed."""
        caught = io.StringIO()
        try:
            with redirect_stderr(caught):
                return await self._run(background)
        finally:
            with suppress(OSError):
                if sys.stderr is not None:
                    sys.stderr.write(caught.getvalue())

    async def _run(self, background: Coroutine[Any, Any, None] | None) -> Leaving:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._fault)
        self._take_signals(loop)
        tasks = [asyncio.ensure_future(self._follow())]
        if background is not None:
            tasks.append(asyncio.ensure_future(background))
        for task in tasks:
            task.add_done_callback(self._over)
        try:
            with self._suspension.listening():
                await self.app.run_async(
                    pre_run=self._before, set_exception_handler=False, handle_sigint=False
                )
        except (EOFError, OSError):
            self.state.leave(EXIT_HANGUP, "the terminal is gone", error=True)
        except Exception as error:
            self._blame(error)
        finally:
            with suppress(OSError):
                self.app.renderer.reset()
            loop.set_exception_handler(lambda loop, context: None)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
        return self.state.left or Leaving()

    def _before(self) -> None:
        self._follow_field()
        if self.state.left is not None:
            self.app.exit()

    async def _follow(self) -> None:
        """Let the state do what is due, when it is due; draw after every change."""
        loop = asyncio.get_running_loop()
        while self.state.left is None:
            self._wake.clear()
            due = self.state.tick(loop.time())
            self._follow_field()
            self.app.invalidate()
            with suppress(TimeoutError):
                async with asyncio.timeout(due):
                    await self._wake.wait()
        self._exit()

    # leaving

    def _take_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let signals end the program as keys do; only the first one counts. A hang-up that is
        ignored (`nohup`) stays ignored: the end of the terminal is noticed anyway."""

        def leave(number: int, frame: FrameType | None) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._do, lambda: self.state.leave(128 + number))

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, leave)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, leave)

    def _over(self, task: asyncio.Future[None]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._blame(error)
        self.wake()

    def _fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError):
            self.state.leave(EXIT_HANGUP, "the terminal is gone", error=True)
        elif error is not None:
            self._blame(error)
        self.wake()

    def _blame(self, error: BaseException) -> None:
        """End because of a fault of our own, which is reported after the screen is gone."""
        told = "".join(traceback.format_exception(error)).rstrip()
        self.state.leave(EXIT_FAULT, f"a fault of this program, sorry\n{told}", error=True)
