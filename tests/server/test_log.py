"""The log's way out: it is bounded, holds up nobody, and says what it lost; what libraries
say comes there too, and nothing of what it may not hold."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.log import open_log
from server.log.libraries import capture_libraries
from server.log.line_writer import LineWriter
from tests.patience import PATIENCE, until
from tests.process.badlog import Stuck
from tests.server.book import Book

LINE = b"x" * 99 + b"\n"


def notice(lost: int) -> bytes:
    return b"lost %d\n" % lost


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    with closing(Stuck()) as made:
        yield made


async def drained(stuck: Stuck, enough: Callable[[str], bool]) -> list[str]:
    """Read on, until there is enough: the lines."""
    said = ""
    async with asyncio.timeout(PATIENCE):
        while not enough(said):
            said += await asyncio.to_thread(stuck.read)
    return said.lstrip(".").splitlines()


async def test_a_reader_that_is_stuck_costs_neither_time_nor_memory(stuck: Stuck) -> None:
    writer = LineWriter(stuck.writing, notice)
    begin = time.monotonic()
    for _ in range(10_000):
        writer.put(LINE)
    assert time.monotonic() - begin < PATIENCE / 10, "it waited"
    assert 10_000 - writer.lost < 4000
    lines = await drained(stuck, lambda said: "lost" in said)
    assert lines[:-1] == ["x" * 99] * (10_000 - writer.lost)
    assert lines[-1] == f"lost {writer.lost}"
    writer.put(b"well again\n")
    writer.close(PATIENCE)
    assert stuck.read() == "well again\n"


def test_a_reader_that_is_stuck_does_not_hold_up_the_end(stuck: Stuck) -> None:
    writer = LineWriter(stuck.writing, notice)
    writer.put(LINE)
    begin = time.monotonic()
    writer.close(0.1)
    assert time.monotonic() - begin < PATIENCE / 10
    writer.put(LINE)
    assert writer.lost == 1, "what is said after the end"


def test_a_process_ends_although_its_last_lines_are_stuck(stuck: Stuck) -> None:
    script = (
        "from server.log import open_log; log = open_log('plain')\n"
        "for n in range(9): log.error('last', n=n)\n"
        "log.close()"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, stderr=stuck.writing, timeout=PATIENCE)
    assert done.returncode == 0


def test_the_last_lines_are_written_before_the_end() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing, notice)
    for n in range(200):
        writer.put(b"%d\n" % n)
    writer.close(PATIENCE)
    os.close(writing)
    with os.fdopen(reading, "rb") as reader:
        assert reader.read().split() == [b"%d" % n for n in range(200)]


async def test_a_descriptor_that_others_made_non_blocking_loses_nothing(stuck: Stuck) -> None:
    os.set_blocking(stuck.writing, False)
    writer = LineWriter(stuck.writing, notice)
    for _ in range(2000):
        writer.put(LINE)
    lines = await drained(stuck, lambda said: said.count("\n") == 2000)
    assert lines == ["x" * 99] * 2000 and writer.lost == 0
    writer.close(PATIENCE)


LIMITED = """
import os, resource, sys
from server.log.line_writer import LineWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (150, resource.RLIM_INFINITY))
out = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
writer = LineWriter(out, lambda lost: b"lost %d\\n" % lost)
for _ in range(3):
    writer.put(b"x" * 99 + b"\\n")
while writer.lost < 2: pass
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
writer.put(b"there is room again\\n")
writer.close(60)
"""


def test_a_disk_that_was_full_has_whole_lines_again(tmp_path: Path) -> None:
    """The line that was torn by the end of the disk stays alone."""
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "log")]
    assert subprocess.run(command, timeout=PATIENCE).returncode == 0
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines == ["x" * 99, "x" * 50, "lost 2", "there is room again"]


# libraries


async def test_libraries_speak_in_the_log_and_not_too_much(
    capfd: pytest.CaptureFixture[str],
) -> None:
    book = Book()
    with capture_libraries(book):
        for _ in range(1000):
            logging.getLogger("asyncio").warning("socket.send() raised exception.")
    event, facts = book.lines[0]
    assert event == "library" and facts["logger"] == "asyncio"
    assert facts["text"] == "socket.send() raised exception."
    assert len(book.lines) < 30 and len(book.lines) + book.lost == 1000
    assert capfd.readouterr().err == ""


def test_what_nobody_catches_is_told_without_its_words(capfd: pytest.CaptureFixture[str]) -> None:
    class Faulty:
        def __del__(self) -> None:
            raise ValueError("hunter2")

    def faulty() -> None:
        raise ValueError("hunter2")

    book = Book()
    with capture_libraries(book), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning(RuntimeWarning("hunter2"), RuntimeWarning, "a/b.py", 3)
        thread = threading.Thread(target=faulty)
        thread.start()
        thread.join()
        Faulty()
        try:
            faulty()
        except ValueError:
            logging.getLogger("bots.of.others").exception("hunter2 %s", "hunter2")
    assert [event for event, _ in book.lines] == [
        "python_warning",
        "thread_fault",
        "finalizer_fault",
        "library",
    ]
    assert "hunter2" not in repr([{**facts, "error": ""} for _, facts in book.lines])
    assert all(isinstance(facts["error"], ValueError) for _, facts in book.lines[1:])
    assert capfd.readouterr().err == ""


async def test_what_libraries_said_too_much_is_told_later(stuck: Stuck) -> None:
    writer = LineWriter(stuck.writing, notice)
    for _ in range(7):
        writer.drop()
    stuck.read()
    assert await drained(stuck, lambda said: "\n" in said) == ["lost 7"]
    await until(lambda: writer.lost == 7)
    writer.close(PATIENCE)


@pytest.mark.parametrize("form", ["plain", "json"])
def test_log_lines_are_bounded_and_hold_no_words_of_others(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = open_log(form)
    try:
        raise ValueError("the token is hunter2")
    except ValueError as error:
        log.error("trouble", text="a\x1b[31m\n" + "x" * 9999, raw=b"hunter2", error=error, n=3)
    line = capsys.readouterr().err
    assert "hunter2" not in line and "\x1b" not in line
    assert line.count("\n") == 1 and len(line) < 600
    assert "ValueError at test_log.py:" in line and "3" in line
