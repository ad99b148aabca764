"""Verification: an honest stream passes, and each kind of lie is found and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from engine.clock import Absence
from engine.deal import Chance, commit
from engine.draft import Granted
from engine.entry import Cause, Entry, Sealed
from engine.game import Game, Result, Setup, find_game
from engine.match import MOST_TAKEN_BACK
from engine.stream import Request, Stream, open_stream
from engine.table.words import (
    Close,
    CloseReason,
    Open,
    Return,
    Revealed,
    SeatTaken,
    SitOut,
    TableOpened,
    TakeBack,
)
from engine.verify import Subject, Verdict, failed, verify
from tests.games import NAMES, Played, nonce, open_table, person, seed, setups, whole_game
from tests.miniature.game import MINIATURE, Miniature
from tests.miniature.state import Deal
from tests.miniature.words.commands import Choose, Hold

VEILED = Setup("veiled", 2)
H, F, N = Verdict.HOLDS, Verdict.FAILS, Verdict.NOT_DERIVED


def result(entries: list[Entry]) -> Result | None:
    match = Stream.replay(entries).match
    return None if match is None else match.result


def verdicts(entries: list[Entry], find: Callable[[str], Game[Any]] = find_game) -> list[Verdict]:
    """In the order fold, commitment, deal, commands, result."""
    findings = verify(entries, result(entries), find)
    assert [Subject.CHAIN, *(finding.subject for finding in findings)] == list(Subject)
    return [finding.verdict for finding in findings]


def verdict_on(entries: list[Entry], subject: Subject) -> Verdict:
    return next(f.verdict for f in verify(entries, result(entries)) if f.subject is subject)


@pytest.mark.parametrize("name", NAMES)
def test_honest_games_pass(name: str) -> None:
    for number, setup in enumerate(setups(name)):
        played = whole_game(name, setup, number)
        findings = verify(played.entries, result(played.entries))
        assert [finding.verdict for finding in findings] == [H] * 5
        assert not failed(findings)


def test_a_table_of_bots_passes() -> None:
    opening = Open("miniature", "veiled", (), 2, ("easy", "random"), True, False, "", b"")
    entry = open_stream(
        opening, id=None, person=person(0), code="T-1", secret=seed(1),
        bot_nonces=(nonce(0), nonce(1)), time=0,
    )  # fmt: skip
    played = Played(Stream(entry), [entry])
    for _ in played.moves(Chance(seed(2))):
        pass
    assert verdicts(played.entries) == [H] * 5


def test_taking_back_passes() -> None:
    played = open_table("miniature", VEILED)
    back = played.act(0, Hold())
    played.request(Request(TakeBack(back.number - 1), b"t", person(0), 0))
    for _ in played.moves(Chance(seed(2))):
        pass
    assert verdicts(played.entries) == [H] * 5


def test_what_earlier_versions_let_people_take_back_passes() -> None:
    """More often than today, and what a bot did while it sat in; but nothing revealed."""
    played = open_table("miniature", VEILED, absence=Absence.BOT)
    match = played.stream.match
    assert match is not None
    for number in range(2 * MOST_TAKEN_BACK):
        before = match.number
        if number == MOST_TAKEN_BACK:
            token = match.asked[0].token
            played.request(Request(SitOut(0, "easy"), token=token, cause=Cause.HOUSE))
            played.request(Request(Hold(), None, None, 0, token, Cause.BOT))
            played.request(Request(Return(), None, person(0)))
        else:
            played.act(0, Hold())
        played.request(Granted(TakeBack(before), None, person(0), 0))
    for _ in played.moves(Chance(seed(2))):
        pass
    assert verdicts(played.entries) == [H] * 5


def test_what_is_supplied_or_unfinished_is_not_derived() -> None:
    supplied = open_table("miniature", VEILED, deal=Deal((3,), ((1,), (2,))))
    assert verdicts(supplied.entries) == [H, N, N, H, N]
    running = open_table("miniature", VEILED)
    assert verdicts(running.entries) == [H, N, N, H, N]
    lobby = open_table("miniature", VEILED)
    assert verdicts(lobby.entries[:1]) == [H, N, N, H, N]
    running.request(Request(Close(CloseReason.REAPED)))
    assert verdicts(running.entries) == [H, H, H, H, N]


@pytest.mark.parametrize("rules", [MINIATURE.rules, 0])
def test_a_commitment_that_was_cut_out_is_missed_whatever_the_rules(rules: int) -> None:
    played = whole_game("miniature", VEILED, 3)
    opened, *more = played.entries[0].events
    assert isinstance(opened, TableOpened)
    cut = evolve(opened, commitment=b"", rules=rules)
    entries = [evolve(played.entries[0], events=(cut, *more)), *played.entries[1:]]
    assert verdict_on(entries, Subject.COMMITMENT) is F


def test_the_secret_dealt_from_is_the_one_shown_whatever_the_rules() -> None:
    played = whole_game("miniature", VEILED, 3)
    entries = list(played.entries)
    opened, *more = entries[0].events
    assert isinstance(opened, TableOpened)
    entries[0] = evolve(entries[0], events=(evolve(opened, rules=0), *more))
    assert verdict_on(entries, Subject.DEAL) is N
    starts = entries[1]
    assert starts.sealed is not None
    entries[1] = evolve(starts, sealed=evolve(starts.sealed, secret=seed(99)))
    assert verdict_on(entries, Subject.DEAL) is F


def test_nonces_that_cannot_be_make_no_deal() -> None:
    played = whole_game("miniature", VEILED, 3)
    last = played.entries[-1]
    revealed = last.events[-1]
    assert isinstance(revealed, Revealed)
    for nonces in ((b"short", nonce(1)), ()):
        shown = evolve(last, events=(*last.events[:-1], evolve(revealed, nonces=nonces)))
        assert verdict_on([*played.entries[:-1], shown], Subject.DEAL) is F


def test_a_supplied_deal_at_a_full_table_passes() -> None:
    opening = Open("miniature", "veiled", (), 2, ("easy", "random"), True, False, "", b"")
    deal = Deal((3,), ((1,), (2,)))
    entry = open_stream(
        opening, id=None, person=person(0), code="T-1", secret=b"",
        bot_nonces=(nonce(0), nonce(1)), time=0, deal=deal,
    )  # fmt: skip
    assert verdicts([entry]) == [H, N, N, H, N]


def test_entries_that_do_not_fold_are_one_finding() -> None:
    entries = whole_game("miniature", VEILED).entries
    for lie in ([], entries[1:], entries[:-2] + entries[-1:]):
        (finding,) = verify(lie)
        assert (finding.subject, finding.verdict) == (Subject.FOLD, F)
        assert failed([finding])


def test_another_result_is_found() -> None:
    entries = whole_game("miniature", VEILED).entries
    for other in (None, Result((9, 9), (0, 1))):
        assert verify(entries, other)[-1].verdict is F


def altered(entries: list[Entry], number: int, **changes: Any) -> list[Entry]:
    return [evolve(e, **changes) if e.number == number else e for e in entries]


def test_another_secret_than_the_committed_one_is_found() -> None:
    entries = whole_game("miniature", VEILED).entries
    opened, *taken = entries[0].events
    assert isinstance(opened, TableOpened)
    other = evolve(opened, commitment=commit(seed(99)))
    lie = altered(entries, 1, events=(other, *taken))
    assert verdicts(lie) == [H, F, H, F, H]
    last = entries[-1]
    revealed = last.events[-1]
    assert isinstance(revealed, Revealed)
    for false in (
        evolve(revealed, secret=seed(98)),
        evolve(revealed, nonces=revealed.nonces[::-1]),
        evolve(revealed, secret=b"short"),
    ):
        lie = altered(entries, last.number, events=(*last.events[:-1], false))
        assert verdicts(lie) == [H, F, F, F, H]


def test_a_stacked_deal_is_found() -> None:
    """The deal was exchanged, and a game played on it with everything else honest."""
    honest = open_table("miniature", VEILED, number=5)
    sealed = honest.entries[1].sealed
    assert sealed is not None
    assert isinstance(sealed.deal, Deal)
    stacked = Sealed(sealed.secret, evolve(sealed.deal, lots=sealed.deal.lots[::-1]))
    entries = altered(honest.entries, 2, sealed=stacked)
    played = Played(Stream.replay(entries), entries)
    for _ in played.moves(Chance(seed(3))):
        pass
    assert verdicts(played.entries) == [H, H, F, F, H]
    other = altered(played.entries, 2, sealed=evolve(stacked, secret=seed(97)))
    assert verdicts(other) == [H, H, F, F, H]


def test_an_outcome_that_its_command_does_not_lead_to_is_found() -> None:
    played = whole_game("miniature", VEILED, 6)
    acted = next(e for e in played.entries if e.seat == 0)
    for command in (
        None,
        Choose(99),
        TakeBack(1),
        Hold() if acted.command != Hold() else Choose(1),
    ):
        findings = verify(altered(played.entries, acted.number, command=command), None)
        assert findings[3].verdict is F
        assert str(acted.number) in findings[3].detail


def test_an_id_used_twice_is_found() -> None:
    played = whole_game("miniature", VEILED, 6)
    first, second = [e for e in played.entries if e.seat == 0][:2]
    lie = altered(played.entries, second.number, id=first.id, command=first.command)
    assert verify(lie, None)[3].verdict is F


def test_an_opening_that_was_not_asked_for_is_found() -> None:
    entries = whole_game("miniature", VEILED, 6).entries
    opened, ann, *_ = entries[0].events
    requested = entries[0].command
    assert isinstance(requested, Open)
    assert isinstance(ann, SeatTaken)
    for changes in (
        {"command": None},
        {"person": None},
        {"events": (opened, evolve(ann, name="Not Ann"))},
        {"command": evolve(requested, bots=("genius",), sit=False)},
        {"sealed": None},
    ):
        findings = verify(altered(entries, 1, **changes), None)
        assert findings[3].verdict is F


def test_a_bot_without_a_place_in_the_opening_is_found() -> None:
    """More bots asked for than seated: the nonces cannot be matched."""
    entries = whole_game("miniature", VEILED, 6).entries
    requested = entries[0].command
    assert isinstance(requested, Open)
    more = evolve(requested, bots=("easy",))
    finding = verify(altered(entries, 1, command=more), None)[3]
    assert finding.verdict is F
    assert "entry 1" in finding.detail


def test_older_rules_are_replayed_and_not_derived() -> None:
    """The facts lead to the recorded result for ever; what they were derived by, this
    program does not know any more, and says so instead of guessing."""

    class Later(Miniature):
        """The miniature with a rule changed: whoever holds loses his cards."""

        rules = 2

        def decide(self, state: Any, seat: int, command: Any) -> Any:
            raise AssertionError("an old command is not decided by later rules")

        def deal(self, setup: Setup, chance: Chance) -> Any:
            raise AssertionError("an old deal is not dealt by later rules")

    entries = whole_game("miniature", VEILED, 7).entries
    findings = verify(entries, result(entries), lambda _: Later())
    assert [finding.verdict for finding in findings] == [H, H, N, N, H]
    assert "rules number 1" in findings[2].detail
    assert "2" in findings[2].detail
    assert MINIATURE.rules == 1
