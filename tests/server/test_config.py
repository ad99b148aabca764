"""Settings: what can be set and what is refused, and that the page about them is true."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest

from protocol.messages import MAX_FROM_CLIENT
from server.accounts import names
from server.config import parse, table
from server.refusals import DisconnectReason, RefusalCode
from server.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"

NO_ORIGINS = ("%%%", "example.org", "https://a.org/", "https://A.org", "https://", "a.org:80", "*")


def test_a_flag_wins_over_the_environment_and_that_over_the_default() -> None:
    environment = {"RA_PORT": "7000", "RA_HELLO_SECONDS": "3"}
    settings = parse(["--port", "7001"], environment)
    assert (settings.port, settings.hello_seconds) == (7001, 3.0)
    assert settings.connections == Settings().connections


def test_several_addresses_can_be_given_in_several_ways() -> None:
    wanted = ("127.0.0.1", "::1", "fe80::1%lo")
    for flags in (
        ["--host", "127.0.0.1,::1,fe80::1%lo"],
        ["--host", "127.0.0.1 [::1]", "--host", "[fe80::1%lo]"],
        ["--host=127.0.0.1", "--host", "::1", "--host", "fe80::1%lo"],
    ):
        assert parse(flags, {"RA_HOST": "0.0.0.0"}).host == wanted
    assert parse([], {"RA_HOST": "127.0.0.1,::1 fe80::1%lo"}).host == wanted
    origins = ["--origins", "https://a.org", "--origins", "https://b.org"]
    assert parse(origins, {}).origins == ("https://a.org", "https://b.org")


def test_every_setting_can_be_given_both_ways() -> None:
    for attribute in attrs.fields(Settings):
        kind = attribute.metadata["kind"]
        text = {bool: "true", int: "9", float: "9"}.get(kind, "plain")
        if attribute.name == "message_bytes":
            text = "2048"
        if attribute.name == "outbox_bytes":
            text = "8192"
        special = {"bot_budget": "hard=9", "log": "json", "origins": "https://a.org"}
        text = special.get(attribute.name, text)
        variable = "RA_" + attribute.name.upper()
        by_environment = getattr(parse([], {variable: text}), attribute.name)
        flag = "--" + attribute.name.replace("_", "-")
        arguments = [flag] if kind is bool else [flag, text]
        assert getattr(parse(arguments, {}), attribute.name) == by_environment
        assert type(by_environment) is not type(None)


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--port", "-1"], {}),
        (["--port", "65536"], {}),
        (["--port", "abc"], {}),
        (["--port", ""], {}),
        (["--hello-seconds", "nan"], {}),
        (["--hello-seconds", "inf"], {}),
        (["--log", "loud"], {}),
        (["--unknown"], {}),
        (["--por", "1"], {}),
        (["extra"], {}),
        ([], {"RA_PORT": "x"}),
        ([], {"RA_MEMORY": "maybe"}),
        *([["--" + name, ""], {}] for name in ("host", "db", "records", "log", "bot-seed")),
        (["--host", "  "], {}),
        (["--host", "127.0.0.1:80"], {}),
        (["--host", "::1,[::1]:80"], {}),
        ([], {"RA_HOST": " , "}),
        ([], {"RA_HOST": " "}),
        (["--port", "1_0"], {}),
        (["--port", "٣"], {}),
        (["--bot-budget", "foo=3"], {}),
        (["--bot-budget", "easy=3"], {}),
        (["--bot-budget", "hard"], {}),
        (["--bot-budget", "hard=1,hard=2"], {}),
        *([["--origins", text], {}] for text in NO_ORIGINS),
        (["--memory", "--db", "x"], {}),
        ([], {"RA_MEMORY": "1", "RA_DB": "x"}),
        (["--resume-entries", "4097"], {}),
        (["--recent-entries", "4097"], {}),
        (["--table-entries", "100001"], {}),
    ],
)
def test_a_bad_value_is_one_line_and_exit_code_2(
    arguments: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse(arguments, environment)
    out, err = capsys.readouterr()
    assert stopped.value.code == 2
    assert out == "" and err.startswith("ra-server: ") and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--port", "65536"], "--port: must be at most 65535"),
        (["--port", "x"], "--port: 'x' is not a whole number"),
        (["--hello-seconds", "nan"], "--hello-seconds: 'nan' is not a number"),
        (["--log", "xml"], "--log: 'xml' is not one of off, plain, json"),
        (["--host", ""], "--host: must not be empty"),
        (["--bot-budget", "foo=3"], "--bot-budget: 'foo' is not a level that thinks ahead (hard)"),
        (["--memory", "--db", "x"], "--memory and --db: only one of them can be given"),
    ],
)
def test_it_says_what_does_not_fit_and_what_would(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(arguments, {})
    assert capsys.readouterr().err == f"ra-server: {told}\n"


def test_what_is_empty_in_the_environment_is_not_set() -> None:
    variables = {"RA_" + attribute.name.upper(): "" for attribute in attrs.fields(Settings)}
    assert parse([], variables) == Settings()


def test_a_flag_for_one_place_wins_over_the_environment_for_the_other() -> None:
    assert parse(["--memory"], {"RA_DB": "x"}).db is None
    settings = parse(["--db", "x"], {"RA_MEMORY": "1"})
    assert (settings.db, settings.memory) == (Path("x"), False)
    assert parse(["--db", "x"], {"RA_MEMORY": "0"}).db == Path("x")


def test_origins_are_what_browsers_send() -> None:
    text = "https://play.example.org http://localhost:8000, https://[::1]:8443 null"
    assert parse(["--origins", text], {}).origins == tuple(text.replace(",", "").split())


def test_help_explains_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parse(["--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert stopped.value.code == 0
    for attribute in attrs.fields(Settings):
        assert "--" + attribute.name.replace("_", "-") in told
        assert " ".join(attribute.metadata["text"].split())[:30] in told


def test_the_page_about_settings_is_the_table_of_settings() -> None:
    rows = re.findall(r"^\| `--.*\|$", PAGE.read_text(), re.MULTILINE)
    assert rows == table()


def test_the_page_names_every_reason_to_close_and_every_limits_answer() -> None:
    page = PAGE.read_text()
    reasons = re.findall(r"^\| `(\w+)` \| \d+ \|", page, re.MULTILINE)
    assert reasons == [str(word) for word in DisconnectReason]
    known = {*map(str, DisconnectReason), *map(str, RefusalCode)}
    for attribute in attrs.fields(Settings):
        for word in re.findall(r"`(\w+)`", attribute.metadata["breaks"]):
            assert word in known


def test_the_page_gives_the_rule_of_names_as_the_code_does() -> None:
    rule = re.findall(r"^\d\. (.*?)(?=^\d\. |^$)", names.__doc__ or "", re.M | re.S)
    page = " ".join(PAGE.read_text().split()).replace(" (`bad_name`)", "")
    for item in rule:
        assert " ".join(item.split()) in page.replace(" (`empty_text`)", "")
    assert len(rule) == 7


def test_no_client_message_may_be_larger_than_the_protocol_allows() -> None:
    assert Settings().message_bytes <= MAX_FROM_CLIENT
    with pytest.raises(ValueError, match="message_bytes"):
        Settings(message_bytes=MAX_FROM_CLIENT + 1)
