"""The frames of a secret choice, as docs/protocol.md shows them: two people choose their actions
for the first round of Raja, and the first of them builds a house.

They are made as a server makes them, from fixed secrets, so that the bytes are the same each time.
How a table is opened and joined is not shown: the worked conversation does that.
"""

from __future__ import annotations

from functools import cache

from engine.deal import Chance
from engine.entry import Command
from engine.game import find_game
from engine.opening import open_stream
from engine.raja.words.commands import BuildHouse, ChooseActions
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action
from engine.raja.words.prompts import ChoosePrompt
from engine.stream import Request, Stream
from engine.table.words import Join, Open
from protocol.messages import CLIENT_CODEC, SERVER_CODEC, Accepted, Act
from protocol.project import Projector
from protocol.transcript import Follower
from tests.games import Played, nonce, person
from tests.protocol.conversation import Step

NAMES = ("Ada", "Bob")
SECRET = bytes(32)


def _opened() -> Played:
    """The table of both, with everything done that comes before actions are chosen."""
    command = Open("raja", "standard", (), 2, (), True, True, NAMES[0], nonce(0))
    entry = open_stream(
        command, id=b"open", person=person(0), code="KIWI-42", secret=SECRET, bot_nonces=(), time=0
    )
    played = Played(Stream(entry), [entry])
    played.request(Request(Join(NAMES[1], nonce(1)), b"join", person(1)))
    match, chance = played.stream.match, Chance(SECRET)
    assert match is not None
    while not any(type(asked.prompt) is ChoosePrompt for asked in match.asked.values()):
        (seat, asked), *_ = match.asked.items()
        played.act(seat, chance.choice(played.game.choices(asked.prompt)))
    return played


@cache
def steps() -> tuple[Step, ...]:
    """Every frame, in order."""
    played = _opened()
    projector = Projector(find_game("raja"))
    followers = [Follower(projector, played.stream, seat) for seat in range(len(NAMES))]
    snapshot = followers[0].snapshot(played.stream, played.entries[-1], 0)
    told = [Step(NAMES[0], False, SERVER_CODEC.encode(snapshot), "Both are asked to choose.")]

    def act(seat: int, command: Command, *remarks: str) -> None:
        """What an action makes everybody hear, each frame with its remark."""
        assert played.stream.match is not None
        token = played.stream.match.asked[seat].token
        id = bytes([played.stream.number]) * 8
        said = CLIENT_CODEC.encode(Act(id, token, projector.wire.command.pack(command)))
        entry = played.act(seat, command, id)
        heard = [SERVER_CODEC.encode(one.update(played.stream, entry)) for one in followers]
        accepted = SERVER_CODEC.encode(Accepted(id, entry.number))
        frames = [(seat, True, said), (seat, False, heard[seat]), (seat, False, accepted)]
        frames.append((1 - seat, False, heard[1 - seat]))
        for (who, says, data), remark in zip(frames, remarks, strict=True):
            told.append(Step(NAMES[who], says, data, remark))

    act(
        0, ChooseActions((Action.HOUSE, Action.SWAP)),
        "Ada chooses `HOUSE` and `SWAP`. The token is that of her prompt.",
        "Her private part says what she chose, the public one only that she did. She is asked no "
        "more; Bob's prompt has the token that it had.",
        "",
        "Bob and all spectators get the public part alone, whatever she chose.",
    )  # fmt: skip
    act(
        1, ChooseActions((Action.GOLD, Action.GOLD)),
        "Bob takes gold twice; he needs to know nothing of Ada's choice for it.",
        "All have chosen: the same entry begins the first turn, Ada's, and shows her actions.",
        "",
        "Her prompt says what she can pay, so it is in her private view alone.",
    )  # fmt: skip
    act(
        0, BuildHouse(Action.HOUSE, Place.V30),
        "Ada builds a house in village 30.",
        "Her gold is private, the price is not. `HOUSE` is closed, `SWAP` still open.",
        "",
        "",
    )  # fmt: skip
    return tuple(told)
