"""What is typed and pasted: text stays text (B24), names and chat are cleaned (B13)."""

from __future__ import annotations

import re

from tests.terminal.conftest import Open
from tests.terminal.playing import code_shown, press_something
from tests.terminal.terminal import Terminal


def test_a_newcomer_is_asked_for_a_name(client: Open) -> None:
    terminal = client("", environment={"USER": "guest"})
    terminal.until("What shall the others call you?")
    terminal.until("> guest")
    terminal.press(*["backspace"] * 5, *"Zoë", "enter")
    terminal.until("n new table", lambda t: t.lines()[0].rstrip().endswith("Zoë"))


def test_a_table_is_opened_with_the_form(client: Open) -> None:
    terminal = client("Anna")
    terminal.until("n new table")
    terminal.press("n")
    terminal.until("A new table")
    terminal.until(re.compile(r"► game +◄ Ra ►"))
    terminal.press("down", "down")
    terminal.until(re.compile(r"► seats +◄ 3 ►"))
    terminal.press("left")
    terminal.until("◄ 2 ►")
    terminal.press("left", "down", "right", "right")
    terminal.until(re.compile(r"► bots +◄ 1 ►"))
    terminal.press("enter")
    terminal.until(re.compile(r"Ra track.* (Anna|\w+ bot 2) .* (Anna|\w+ bot 2) ", re.S))


def test_a_paste_into_the_chat_is_text_until_enter(client: Open) -> None:
    anna = client("Anna", "--create", "--seats", "3")
    code = code_shown(anna)
    boris = client("Boris", code)
    boris.until("you")
    anna.until("Boris")
    anna.press("c")
    anna.until("Say:")
    anna.paste("one\ntwo\r\nthree\x1b]0;title\x07\x1b[31mq\u202eevil")
    typed = anna.until(re.compile(r"^> one two three.*evil", re.M))
    assert "Leave" not in typed
    assert "one two" not in boris.text
    anna.press("enter")
    boris.until("Anna: one two three")
    assert "\u202e" not in boris.text
    for forbidden in (b"\x1b]0;", b"\x07", "\u202e".encode()):
        assert forbidden not in boris.output + anna.output


def test_a_paste_where_nothing_is_typed_presses_no_keys(client: Open) -> None:
    terminal = client("Anna", "--create", "--seats", "2", "--bots", "1")
    terminal.until("Ra track")
    terminal.until(wait_for_turn)  # then nothing else moves, and a notice stays
    terminal.paste("qy\nddd\nr\n")
    terminal.until("Pasted text is taken in a field only")
    assert "Leave the table?" not in terminal.text
    assert terminal.process.poll() is None
    assert "Anna draws" not in terminal.text and "Anna invokes" not in terminal.text


def test_refused_keys_say_why_and_a_table_code_may_be_wrong(client: Open) -> None:
    terminal = client("Anna")
    terminal.until("n new table")
    terminal.press("x")
    terminal.until("“x” does nothing here; ? shows the keys.")
    terminal.press("j")
    terminal.until("Code of the table:")
    terminal.press(*"nope-1", "enter")
    terminal.until(re.compile(r"no.* table", re.I))
    terminal.press("?")
    terminal.until(re.compile("The marks|this page"))


def wait_for_turn(terminal: Terminal) -> bool:
    last = terminal.lines()[-1]
    if "any key" in last:
        terminal.press(" ")
    return "► Your" in terminal.text


def test_without_colour_everything_is_still_said(client: Open) -> None:
    terminal = client(
        "Anna", "--create", "--seats", "3", "--bots", "2", environment={"NO_COLOR": "1"}
    )
    words = ("Ra track", "suns", "pts", "Anna", "► Your", "AsAgWrReAr", "FoObPaPyTeStSpSx")
    terminal.until(wait_for_turn, *words)
    assert not re.search(rb"\x1b\[[\d;]*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]", terminal.output)
    # The newest tile is marked.
    terminal.until(lambda t: "▲" in t.text or (press_something(t) and False))


def test_a_lost_connection_is_shown_and_comes_back(client: Open) -> None:
    """See tests/client for the resume itself; here: the other player sees who is away."""
    anna = client("Anna", "--create", "--seats", "3", "--bots", "1")
    code = code_shown(anna)
    boris = client("Boris", code)
    boris.until("Ra track")
    boris.press("ctrl-d")
    assert boris.ended() == 0
    anna.until(lambda t: wait_for_turn(t) or "away" in t.text)
    anna.until("away")
