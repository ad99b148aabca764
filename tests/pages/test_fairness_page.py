"""docs/fairness.md is what the program does, and enough to check any finished game."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from engine.raja.deal import RajaDeal
from protocol.entries import entry_codec
from protocol.record import write_record
from tests import independent_verifier as verifier
from tests import vectors
from tests.games import Played, setups, whole_game

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fairness.md").read_text("utf-8")
(BLOCK,) = re.findall(r"^```vectors\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
VALUES = dict(line.split(" = ") for line in BLOCK.splitlines())


def numbers(name: str) -> list[int]:
    return [int(text) for text in VALUES[name].split()]


def record_of(played: Played) -> bytes:
    codec = entry_codec(played.game.vocabulary)
    bodies = [codec.encode(entry) for entry in played.entries]
    return b"".join(write_record(played.stream, bodies, "tests 1.0"))


def test_the_page_has_the_programs_vectors() -> None:
    assert BLOCK.splitlines() == list(vectors.fairness())


def test_the_independent_verifier_computes_the_vectors_of_the_page() -> None:
    secret = bytes.fromhex(VALUES["secret"])
    nonces = [bytes.fromhex(VALUES[f"nonce[{seat}]"]) for seat in range(3)]
    seed = verifier.seed_of(secret, nonces)
    assert verifier.commitment(secret).hex() == VALUES["commitment"]
    assert seed.hex() == VALUES["seed"]
    stream = verifier.words(seed)
    assert " ".join(f"{next(stream):08x}" for _ in range(9)) == VALUES["words"]
    for bound in (10, 3_000_000_000):
        stream = verifier.words(seed)
        assert [verifier.below(stream, bound) for _ in range(12)] == numbers(f"below({bound})")
    assert verifier.shuffle(verifier.words(seed), range(10)) == numbers("shuffle(0..9)")
    cities, first = verifier.deal_of_raja(seed, 3)
    assert (" ".join(cities), str(first)) == (VALUES["track"], VALUES["first"])
    sets, bag = verifier.deal(seed, 3)
    assert sets == [[int(sun) for sun in suns.split()] for suns in VALUES["sets"].split(" / ")]
    assert bag == [kind for row in range(0, 180, 30) for kind in numbers(f"bag[{row}..]")]


def test_the_verifier_imports_nothing_of_ours() -> None:
    source = (ROOT / "tests" / "independent_verifier.py").read_text("utf-8")
    names: set[str | None] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    assert names == {
        "struct", "sys", "zlib", "collections.abc", "hashlib", "pathlib", "typing", "msgpack",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "told"), [("ra", r"[1-9]\d* tiles came"), ("raja", "track.*are")])
def test_fresh_games_of_every_kind_pass_the_independent_verifier(name: str, told: str) -> None:
    for number, setup in enumerate(setups(name)):
        came = verifier.check(record_of(whole_game(name, setup, number)))
        assert re.fullmatch(told, came)


def test_the_verifier_agrees_on_many_deals() -> None:
    game = find_game("ra")
    for number, setup in enumerate(setups("ra") * 8):
        seed = verifier.commitment(bytes([number]))
        deal = game.deal(setup, Chance(seed))
        sets, bag = verifier.deal(seed, setup.seats)
        assert (list(map(list, deal.sets)), list(deal.bag)) == (sets, bag)


def test_the_verifier_agrees_on_many_deals_of_raja() -> None:
    game = find_game("raja")
    for number, setup in enumerate(setups("raja") * 8):
        seed = verifier.commitment(bytes([number]))
        deal = game.deal(setup, Chance(seed))
        cities, first = verifier.deal_of_raja(seed, setup.seats)
        assert ([verifier.CITIES[city] for city in cities], first) == (list(deal.track), deal.first)


def test_the_verifier_refuses_another_deal_of_raja() -> None:
    """A record whose track was turned round before the match began, and which chains."""
    played = whole_game("raja", setups("raja")[0])
    forged = [
        evolve(entry, sealed=evolve(entry.sealed, deal=_turned(entry.sealed.deal)))
        if entry.sealed is not None and isinstance(entry.sealed.deal, RajaDeal)
        else entry
        for entry in played.entries
    ]
    with pytest.raises(AssertionError, match="another deal was played"):
        verifier.check(record_of(Played(played.stream, forged)))


def _turned(deal: RajaDeal) -> RajaDeal:
    return evolve(deal, track=deal.track[::-1])


@pytest.mark.parametrize("name", ["ra", "raja"])
@pytest.mark.parametrize("at", [-200, -40, 300, 900])
def test_the_verifier_refuses_a_changed_record(at: int, name: str) -> None:
    data = bytearray(record_of(whole_game(name, setups(name)[0])))
    data[at] ^= 1
    with pytest.raises(AssertionError):
        verifier.check(bytes(data))


def test_the_verifier_is_a_command(tmp_path: Path) -> None:
    file = tmp_path / "game.ra"
    file.write_bytes(record_of(whole_game("ra", setups("ra")[1])))
    command = [sys.executable, "-I", str(ROOT / "tests" / "independent_verifier.py"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.startswith("honest: ")
