"""What the clock did is told as what the clock did: live, on the screen, and afterwards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.plain.printer import Printer
from client.replay import main
from client.replay.recording import Viewpoint
from client.replay.screen import draw
from client.replay.state import ReplayState
from client.replay.stored import open_file
from client.screen.lines import text_of
from client.screen.timeline import Timeline
from client.state.events import Attended, Stepped
from engine.clock import Absence, Clock, ClockKind
from engine.entry import Cause, Entry
from engine.game import Setup
from engine.ra.words.commands import InvokeRa
from engine.stream import Request
from engine.table.words import Close, CloseReason, Return, SitOut
from protocol.messages import Happened
from protocol.transcript import write_transcript
from tests.client.joined import Joined
from tests.games import Played, open_table, person

DUO = Setup("standard", 2)
SPAN = Clock(ClockKind.PER_MOVE, 30_000)


def late(played: Played) -> Entry:
    """The asked player lets the time run out, and the default action is played."""
    match, due = played.stream.match, played.stream.due()
    assert match is not None and due is not None
    default = played.game.default(match.state, due.seat)
    token = match.asked[due.seat].token
    request = Request(default, None, None, due.seat, token, Cause.TIMEOUT)
    return played.request(request, elapsed=due.after)


def auction(absence: Absence = Absence.DEFAULT) -> tuple[Played, int]:
    """A match where one has invoked Ra and the other, whose seat it gives, bids."""
    played = open_table("ra", DUO, clock=SPAN, absence=absence)
    match = played.stream.match
    assert match is not None
    played.act(min(match.asked), InvokeRa())
    return played, min(match.asked)


def told(joined: Joined) -> list[str]:
    """What the plain client says of the last entry, without its number."""
    printer = Printer(joined.conversation.model)
    (step,) = [change for change in joined.changes if isinstance(change, Stepped)]
    lines = [re.sub(r"^#\d+ ", "", line) for line in printer.tell(step)]
    assert joined.conversation.model.scene is not None
    return [line for line in lines if not line.startswith("your ")]


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (CloseReason.ABANDONED, "the operator of the server ended it"),
        (CloseReason.REAPED, "nobody came back"),
    ],
)
def test_a_match_that_is_closed_says_who_ended_it(reason: CloseReason, why: str) -> None:
    played = open_table("ra", DUO)
    joined = Joined(played, 0)
    joined.attend()
    joined.step(played.request(Request(Close(reason), cause=Cause.HOUSE)))
    assert f"The table is closed: {why}." in told(joined)


@pytest.mark.parametrize("eyes", [None, 0, 1])
def test_everybody_attending_is_told_that_the_time_ran_out(eyes: int | None) -> None:
    played, seat = auction()
    joined = Joined(played, eyes)
    joined.attend()
    joined.step(late(played))
    assert joined.conversation.model.scene is not None
    name = joined.conversation.model.scene.name(seat)
    assert told(joined)[:2] == [f"{name} did not act in time.", f"{name} passes."]
    timeline = Timeline(joined.conversation.model)
    (step,) = [change for change in joined.changes if isinstance(change, Stepped)]
    timeline.hear(step)
    timeline.catch_up()
    assert [line.text for line in timeline.log][:2] == told(joined)[:2]


def test_a_persons_own_pass_is_told_as_it_was() -> None:
    played, seat = auction()
    joined = Joined(played)
    joined.attend()
    match = played.stream.match
    assert match is not None
    joined.step(played.act(seat, played.game.default(match.state, seat)))
    assert joined.conversation.model.scene is not None
    assert told(joined)[0] == f"{joined.conversation.model.scene.name(seat)} passes."


def test_who_sits_in_because_the_time_ran_out() -> None:
    played, seat = auction(Absence.BOT)
    joined = Joined(played)
    joined.attend()
    due = played.stream.due()
    assert due is not None
    joined.step(
        played.request(Request(SitOut(seat, "easy"), cause=Cause.TIMEOUT), elapsed=due.after)
    )
    assert joined.conversation.model.scene is not None
    name = joined.conversation.model.scene.name(seat)
    assert told(joined) == [
        f"{name}'s time is up.",
        f"A bot (easy) plays for {name} from now on.",
    ]


def test_the_default_action_of_somebody_who_was_called_absent_has_no_time_to_run_out() -> None:
    played, seat = auction(Absence.SUBSTITUTE)
    match = played.stream.match
    assert match is not None
    token = match.asked[seat].token
    played.request(Request(SitOut(seat, ""), token=token, cause=Cause.HOUSE))
    joined = Joined(played)
    joined.attend()
    joined.step(late(played))
    assert joined.conversation.model.scene is not None
    name = joined.conversation.model.scene.name(seat)
    assert told(joined)[:2] == [f"The default action is played for {name}.", f"{name} passes."]
    played.request(Request(Return(), None, person(seat)))


@pytest.mark.parametrize(
    ("clock", "tells"),
    [
        (Clock(), "The default action is played for {name}."),
        (SPAN, "{name} did not act in time."),
    ],
)
def test_what_was_missed_is_told_truly_after_the_absent_one_is_back(
    clock: Clock, tells: str
) -> None:
    """Without a clock no time was up, no matter who plays the seat by now."""
    played = open_table("ra", DUO, clock=clock)
    match = played.stream.match
    assert match is not None
    seat = min(match.asked)
    played.request(Request(SitOut(seat, ""), token=match.asked[seat].token, cause=Cause.HOUSE))
    due = played.stream.due()
    assert due is not None and due.seat == seat
    entry = late(played)
    played.request(Request(Return(), None, person(seat)))
    joined = Joined(played)
    joined.connect()
    told = joined.projector.happened(entry, None), joined.projector.happened(entry, 0)
    joined.snapshot((Happened(entry.number, *told),))
    scene = joined.conversation.model.scene
    assert scene is not None and scene.stand_in(seat) is None
    (came,) = [change for change in joined.changes if isinstance(change, Attended)]
    lines = list(Printer(joined.conversation.model).tell(came))
    assert f"#{entry.number} {tells.format(name=scene.name(seat))}" in lines


@pytest.mark.parametrize("eyes", [None, 0, 1])
def test_the_replay_tells_it(
    eyes: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played, seat = auction()
    entry = late(played)
    file = tmp_path / "match.transcript"
    joined = Joined(played, eyes)
    parts = write_transcript(played.entries, joined.projector, eyes, "tests 1.0")
    file.write_bytes(b"".join(parts))
    name = f"Player {seat + 1}"
    assert main([str(file), "--plain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"#{entry.number} {name} did not act in time." in lines
    assert lines.index(f"#{entry.number} {name} passes.") > 0
    assert main([str(file), "--plain", "--notation"]) == 0
    step = re.compile(rf" *{entry.number}  {name} did not act in time; {seat} passes")
    assert any(map(step.match, capsys.readouterr().out.splitlines()))
    recording = open_file(file).recording
    screen = draw(ReplayState(recording, Viewpoint(eyes), entry.number - 1), 80, 24)
    assert f"{name} did not act in time." in text_of(screen)
