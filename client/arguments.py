"""The command line of `ra-client`: its flags, their help, and the choices they mean."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import Factory, frozen

from client.cli.folders import NoHome, expand
from client.cli.parser import Parser, Version, whole
from client.dial.address import Address, BadAddress, parse_address
from client.join.codes import LOOKS_LIKE, MOST_OF_A_CODE
from client.text import clean

if TYPE_CHECKING:
    from client.games import GameClient

MOST_OF_A_NAME = 256
"""The most characters of a name; the server shows far fewer."""

MOST_BOTS = 4
"""The most bots that a solo game can have."""

EXIT_TROUBLE = 1

_OF_A_GAME = ("game", "ruleset", "options")
"""The words about a table that go with `--solo` too."""

_SEAT_SHAPE = re.compile(r"[0-9A-Za-z]{4}[ ._-]?[0-9A-Za-z]{4}")
_SEAT_CODE = re.compile(r"[0-9A-Za-z][0-9A-Za-z ._-]{2,15}")

DESCRIPTION = "Play Ra or Raja over the network from the terminal."
EPILOG = """\
examples:
  ra-client --solo 3                      you against three bots, no server needed
  ra-client --solo 2 --level easy         ... who play less well
  ra-client --solo 2 --game raja          another game
  ra-client example.org --create --seats 4 --bots 1
  ra-client example.org KIWI-42           go to the table of that code
  ra-client [::1]:8765 --plain            lines instead of a screen
  ra-client example.org --move-seat       a code to play on from another device
  ra-client example.org --seat-code ABCD-2345
                                          ... which is used there

Addresses are host, host:port, [IPv6]:port, ws://host/path or wss://host/path; the port is
8765 unless it is given. A session is kept for each server and name, so that you get your
seat back after anything that may happen; other names are other people.

exit codes: 0 all is well, or the seat was carried to another device; 1 the connection or
the terminal failed, another client took over, or the table named could not be had; 2 the
command line makes no sense; 129 the terminal was closed; 130 interrupted; 143 terminated.
"""


@frozen
class Arguments:
    """What was asked for."""

    address: Address | None
    """None for a solo game."""
    code: str
    name: str
    plain: bool
    watch: bool
    create: Mapping[str, str] | None
    """Words that describe the table to open (`client.join.table_options.new_table`)."""
    solo: int | None
    data: Path | None
    auto: str | None
    notation: bool
    move_seat: bool = False
    """Only print the code that carries the session to another device."""
    seat_code: str | None = None
    """The code that carries a session here; empty if it has to be typed."""
    level: str | None = None
    """How well the bots of a solo game play."""
    solo_game: Mapping[str, str] = Factory(dict)
    """Words that describe the game of a solo table, as in `create`."""


def parse_arguments(
    given: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ
) -> Arguments:
    """The arguments; one line on stderr and SystemExit(2) if they make no sense. Raises OSError
    if help was asked for and cannot be written."""
    parser = _make_parser()
    args = parser.parse_args(given)
    _read_texts(parser, args)
    _sort_seat_code(args)
    if args.solo is not None and args.address is not None:
        parser.error("--solo plays here: no server, or no --solo")
    if (args.solo is None) == (args.address is None):
        parser.error("name a server (host:port), or play --solo N")
    if args.solo is not None and (args.create or args.watch or args.code):
        parser.error("--solo opens its own table")
    if args.create and (args.code or args.watch):
        parser.error("--create opens a table of its own: no CODE, no --watch")
    if args.watch and not args.code:
        parser.error("--watch needs the CODE of a table")
    words = _table_words(args)
    alone = [name for name in words if args.solo is None or name not in _OF_A_GAME]
    if alone and not args.create:
        flag = "option" if alone[0] == "options" else alone[0]
        parser.error(f"--{flag} goes with --create")
    if args.level is not None and args.solo is None:
        parser.error("--level goes with --solo")
    if (args.auto or args.notation) and not args.plain:
        parser.error("--auto and --notation go with --plain")
    if args.move_seat and (args.address is None or args.code or args.create or args.watch):
        parser.error("--move-seat goes with a server alone, and --name")
    if args.seat_code is not None and (args.address is None or args.move_seat):
        parser.error("--seat-code goes with a server")
    if args.seat_code and not seat_code_fits(args.seat_code):
        parser.error("that is no code of a seat: it looks like ABCD-2345")
    address = None
    if args.address is not None:
        try:
            address = parse_address(args.address)
        except BadAddress as error:
            parser.error(str(error))
    data = args.data or environment.get("RA_DATA") or None
    try:
        folder = expand(data) if data else None
    except NoHome as error:
        parser.error(f"{'--data' if args.data else 'RA_DATA'}: {error}")
    return Arguments(
        address=address,
        code=args.code or "",
        name=args.name or "",
        plain=args.plain,
        watch=args.watch,
        create=words if args.create else None,
        solo=args.solo,
        data=folder,
        auto=args.auto,
        notation=args.notation,
        move_seat=args.move_seat,
        seat_code=args.seat_code,
        level=args.level,
        solo_game=words if args.solo is not None else {},
    )


def _sort_seat_code(args: argparse.Namespace) -> None:
    """Sort out `--seat-code HOST`, where the code has to be typed: HOST is no code."""
    code = args.seat_code
    if not code:
        return
    if args.address is None:
        if not _SEAT_SHAPE.fullmatch(code):
            args.address, args.seat_code = code, ""
    elif _SEAT_SHAPE.fullmatch(args.address) and not _SEAT_SHAPE.fullmatch(code):
        args.address, args.seat_code = code, args.address
    elif args.code is None and not seat_code_fits(code):
        args.address, args.code, args.seat_code = code, args.address, ""


def _read_texts(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Decode and clean the texts given, in any locale."""
    for field in ("address", "code", "name", "seat_code", "level", "seats", "bots", "ruleset",
                  "clock", "absence", "game"):  # fmt: skip
        text = getattr(args, field)
        if text is None:
            continue
        try:
            text = as_text(text)
        except UnicodeError:
            flag = field.upper() if field in ("address", "code") else f"--{field}"
            parser.error(f"{flag.replace('_', '-')} is no text in UTF-8")
        setattr(args, field, text if field == "address" else clean(text))
        if text and not clean(text):
            parser.error(f"nothing is left of {text!a}")
    if args.name is not None and not args.name:
        parser.error("--name needs at least one letter")
    if args.name and len(args.name) > MOST_OF_A_NAME:
        parser.error(f"a name has at most {MOST_OF_A_NAME} characters")
    if args.code and len(args.code) > MOST_OF_A_CODE:
        parser.error(f"that is no code of a table: it looks like {LOOKS_LIKE}")


def as_text(given: str) -> str:
    """A word of the command line read as UTF-8, even if the locale has another encoding; raises
    UnicodeError."""
    if given.isascii():
        return given
    try:
        return os.fsencode(given).decode("utf-8")
    except UnicodeError:
        given.encode("utf-8")
        return given


def seat_code_fits(text: str) -> bool:
    """Whether `text` could be a code that carries a seat to another device."""
    return _SEAT_CODE.fullmatch(text.strip()) is not None


def _table_words(args: argparse.Namespace) -> dict[str, str]:
    words = {
        "seats": args.seats,
        "bots": args.bots,
        "ruleset": args.ruleset,
        "options": ",".join(args.option or ()) or None,
        "clock": args.clock,
        "absence": args.absence,
        "game": args.game,
        "unlisted": "" if args.unlisted else None,
    }
    return {name: value for name, value in words.items() if value is not None}


def _make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="ra-client",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("address", nargs="?", metavar="HOST[:PORT]", help="the server")
    parser.add_argument("code", nargs="?", metavar="CODE", help="the table to go to")
    parser.add_argument("--version", action=Version, nargs=0, help="say the version and end")
    parser.add_argument("--name", metavar="NAME", help="the name to be known by")
    parser.add_argument("--watch", action="store_true", help="look on, do not take a seat")
    parser.add_argument(
        "--solo", metavar="N", type=whole(1, MOST_BOTS), help="play against N bots, here"
    )
    level = parser.add_argument("--level", metavar="LEVEL")
    _offer(level, "of its bots: %(offered)s", "bots")
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="where sessions are kept (default: RA_DATA, else the user's data folder)",
    )
    moving = parser.add_argument_group("from one device to another")
    moving.add_argument(
        "--move-seat",
        action="store_true",
        help="print a code, good once and for minutes, that carries your seats elsewhere; a "
        "client of that name that runs here ends (within it: m, or move)",
    )
    moving.add_argument(
        "--seat-code",
        metavar="CODE",
        nargs="?",
        const="",
        help="play on here with the code of another device (without CODE you are asked for it)",
    )
    table = parser.add_argument_group(
        "a table of your own",
        "--game, --ruleset and --option go with --solo, too; the others with --create alone",
    )
    table.add_argument("--create", action="store_true", help="open a table and sit down")
    table.add_argument("--seats", metavar="N", help="how many seats (default: 3)")
    bots = table.add_argument("--bots", metavar="N")
    _offer(bots, "bots on the last seats: how many, or levels with commas: %(offered)s", "bots")
    ruleset = table.add_argument("--ruleset", metavar="NAME")
    _offer(ruleset, "%(offered)s", "rulesets")
    option = table.add_argument("--option", metavar="NAME", action="append")
    _offer(option, "%(offered)s (may be repeated)", "options")
    table.add_argument(
        "--clock",
        metavar="TIME",
        help="5m+10s: a bank and more for each action; 1m, 3d: for each move",
    )
    table.add_argument(
        "--absence", metavar="HOW", help="who plays for the absent: default, bot, substitute"
    )
    table.add_argument("--game", metavar="NAME", help="another game than ra")
    table.add_argument(
        "--unlisted", action="store_true", help="only people who have its code find it"
    )
    plain = parser.add_argument_group("without a screen")
    plain.add_argument(
        "--plain",
        action="store_true",
        help="lines instead of a screen: for pipes, dumb terminals, screen readers (try: help)",
    )
    plain.add_argument(
        "--auto",
        choices=("first", "random"),
        help="answer by yourself: the first choice of each prompt, or any",
    )
    plain.add_argument("--notation", action="store_true", help="tell what happens in the notation")
    return parser


class _Offered:
    """What the games' clients offer, looked up only when help is asked for: Ra's first, then what
    others have instead."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __str__(self) -> str:
        from client.games import find_client, installed

        usual = self._of(find_client("ra"))
        others = {find_client(name).title: self._of(find_client(name)) for name in installed()}
        return "; ".join(
            [usual, *(f"{title}: {words}" for title, words in others.items() if words != usual)]
        )

    def _of(self, game: GameClient) -> str:
        usual = {"bots": game.usual_bot, "rulesets": next(iter(game.rulesets)), "options": ""}
        return ", ".join(
            f"{word} (the default)" if word == usual[self._what] else word
            for word in getattr(game, self._what)
        )


def _offer(action: argparse.Action, text: str, what: str) -> None:
    """Give an action its help, where `%(offered)s` becomes a list of bots, rulesets or options.
    `add_argument` cannot do it: from Python 3.14 on it expands the help at once, before the
    action can have values of its own, and the list is looked up late."""
    action.help = text
    vars(action)["offered"] = _Offered(what)
