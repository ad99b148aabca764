"""How far tables were seen is kept between runs, and is never in the way."""

from __future__ import annotations

from pathlib import Path

from client.join.last_seen import MOST_TABLES, LastSeen
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.state.events import Attended, Rewound
from client.state.restored import identity
from tests.client.joined import RESUMED, Joined
from tests.client.state.test_restored import of_kind


def test_how_far_tables_were_seen_is_kept_and_never_in_the_way(tmp_path: Path) -> None:
    seen = LastSeen(tmp_path / "folder")
    seen.save({"KIWI-42": 7})
    assert not (tmp_path / "folder").exists(), "where nothing is kept, this is not either"
    (tmp_path / "folder").mkdir()
    seen.save({f"T-{number}": 1 for number in range(MOST_TABLES)})
    seen.save({"KIWI-42": 7, "T-1": 2})
    seen.save({"KIWI-42": 5})
    kept = seen.load()
    assert (len(kept), kept["KIWI-42"], kept["T-1"]) == (MOST_TABLES, 5, 2)
    assert (tmp_path / "folder" / "tables.seen").stat().st_mode & 0o777 == 0o600
    for nonsense in ("[", "[]", '{"a": "b", "c": -1, "d": true}', "[" * 10_000, "\xff"):
        (tmp_path / "folder" / "tables.seen").write_text(nonsense, "latin-1")
        assert seen.load() == {}
    seen.save({"KIWI-42": 9})
    assert seen.load() == {"KIWI-42": 9}
    (tmp_path / "full" / "tables.seen").mkdir(parents=True)
    LastSeen(tmp_path / "full").save({"KIWI-42": 9})
    left = [path.name for path in (tmp_path / "full").iterdir()]
    assert left == ["tables.seen"], "what could not be put in place is taken away"


def test_a_program_started_again_knows_how_far_it_was(joined: Joined) -> None:
    number = joined.played.stream.number
    conversation = Conversation(Identity("test", "Anna", b"token"))
    scene = joined.conversation.model.scene
    assert scene is not None
    ours, another = identity(scene.table), "TEST-1 0123456789abcdef"
    assert ours.startswith("TEST-1 ") and ours != another
    conversation.model.seen = {ours: number + 3, another: 99}
    again = Joined(joined.played, joined.seat, conversation)
    again.connect(RESUMED)
    again.snapshot()
    told = [change for change in again.changes if isinstance(change, Rewound | Attended)]
    assert isinstance(told[0], Attended)
    assert told[1:] == [Rewound("TEST-1", number + 3, number)]
    assert conversation.model.seen == {another: 99, ours: number}
    again.snapshot()
    assert len(of_kind(again.changes, Rewound)) == 1
