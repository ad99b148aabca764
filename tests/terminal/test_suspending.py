"""The screen stopped and taken up again, by a shell with job control: the terminal is the
shell's meanwhile, and the screen's afterwards."""

from __future__ import annotations

import os
import re
import shlex
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.process.serving import program
from tests.terminal.filmed import RECORD
from tests.terminal.terminal import Terminal

PROMPT = re.compile(r"^shell\$", re.M)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Terminal]:
    """An interactive shell on a terminal."""
    command = ["bash", "--norc", "--noprofile", "-i"]
    # What a shell says of its jobs it says on the terminal.
    command = ["bash", "-c", 'export PS1="shell$ "; exec "$@" 2>&0', "-", *command]
    with Terminal(command, folder=tmp_path) as terminal:
        terminal.until(PROMPT)
        yield terminal


def started(shell: Terminal, *command: str, shown: str) -> int:
    """Start a program; its process id, once it shows something."""
    shell.press(*shlex.join(command), "enter")
    shell.until(shown)
    children = Path(f"/proc/{shell.process.pid}/task/{shell.process.pid}/children")
    (child,) = children.read_text().split()
    return int(child)


def stopped(terminal: Terminal) -> bool:
    return "Stopped" in terminal.text and not terminal.modes()["1049"]


def drawn(terminal: Terminal) -> bool:
    """Whether the screen is there, whole, and nothing of the shell."""
    text = terminal.text
    return terminal.modes()["1049"] and text.startswith(" Ra ") and "Stopped" not in text


def put_aside(child: int) -> bool:
    """Whether the system holds a process stopped."""
    return Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] == "T"


HOW: dict[str, Callable[[Terminal, int], None]] = {
    "ctrl-z": lambda shell, child: shell.press("\x1a"),
    "SIGTSTP": lambda shell, child: os.kill(child, signal.SIGTSTP),
}


@pytest.mark.parametrize("how", HOW)
def test_a_replay_stops_and_goes_on(shell: Terminal, how: str) -> None:
    child = started(shell, program("ra-replay"), str(RECORD), "--at", "20", shown="step 20 of")
    for step in (21, 22):
        HOW[how](shell, child)
        shell.until(stopped)
        shell.press(*"echo $((6 * 7))", "enter")
        shell.until(re.compile(r"^42", re.M))
        shell.press(*"fg", "enter")
        shell.until(drawn, f"step {step - 1} of")
        shell.press("right")
        shell.until(f"step {step} of")
    shell.press("q")
    shell.until(PROMPT, lambda t: not t.modes()["1049"] and t.modes()["25"])
    shell.press(*"echo code $?", "enter")
    shell.until(re.compile(r"^code 0", re.M))


def test_what_was_stopped_without_being_told_is_drawn_again(shell: Terminal) -> None:
    child = started(shell, program("ra-replay"), str(RECORD), "--at", "20", shown="step 20 of")
    os.kill(child, signal.SIGSTOP)
    shell.until("Stopped")
    shell.press(*"fg", "enter")
    shell.until(drawn, "step 20 of")
    shell.press("right")
    shell.until("step 21 of")


def test_a_game_stops_and_goes_on_with_its_connection(shell: Terminal, server: str) -> None:
    child = started(
        shell, program("ra-client"), server, "--name", "Anna", "--data", "data",
        "--create", "--seats", "2", shown="you, host",
    )  # fmt: skip
    shell.press("\x1a")
    shell.until(stopped)
    shell.press(*"fg", "enter")
    shell.until(drawn, "you, host")
    shell.press("c")
    shell.until("Say:")
    shell.press(*"hello", "\x1a")
    shell.until(stopped)
    os.kill(child, signal.SIGCONT)  # in the background, where the terminal is not its own
    shell.until(lambda _: put_aside(child))
    shell.press(*"fg", "enter")
    shell.until(drawn, "> hello")
    shell.press("enter")
    shell.until("Anna: hello")
    shell.press("ctrl-c")
    shell.until(PROMPT)


def test_where_no_shell_could_continue_it_the_screen_goes_on() -> None:
    with Terminal([program("ra-replay"), str(RECORD), "--at", "20"]) as terminal:
        terminal.until("step 20 of")
        terminal.press("\x1a", "right")
        terminal.until("step 21 of")
        terminal.kill(signal.SIGTSTP)
        terminal.press("right")
        terminal.until("step 22 of")
        terminal.press("q")
        assert terminal.ended(PATIENCE) == 0
        assert terminal.settings() == terminal.before
