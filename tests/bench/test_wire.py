"""What a client receives stays small: the wire benchmark, shorter."""

from __future__ import annotations

import json
import sys
from statistics import median

import pytest

from tests.bench import wire


def test_an_action_costs_a_client_few_bytes() -> None:
    samples, by_command = wire.measure(4)
    assert median(samples) <= 50
    assert max(samples) < 1000, "the end of a game shows every sheet"
    assert {"Draw", "Bid", "Pass", "InvokeRa"} <= set(by_command)


def test_an_action_of_raja_costs_a_client_few_bytes() -> None:
    samples, by_command = wire.measure(2, "raja")
    assert median(samples) <= 80
    assert {"ChooseActions", "Travel", "BuildHouse", "EndTurn"} <= set(by_command)


def test_the_figures_are_told_as_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["wire", "--json", "--games", "1"])
    wire.main()
    figures = json.loads(capsys.readouterr().out)
    assert {"median_bytes", "max_bytes", "frames"} <= figures.keys()
    assert figures["frames"] > 400


def test_headers_of_websocket_messages_are_counted() -> None:
    assert [wire.header(size) for size in (0, 125, 126, 65535, 65536)] == [2, 2, 4, 4, 10]


def test_where_the_time_goes_is_told() -> None:
    found = wire.parts(1)
    assert found["(the game's public view)"] < found["public tree, view included"] < found["all"]
