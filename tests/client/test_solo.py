"""At the screen of a game for us alone, whose server ends with us."""

from __future__ import annotations

from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.screen.lines import text_of
from client.screen.pages import draw
from client.screen.press import press
from client.screen.run import installed_games
from client.screen.state import ScreenState
from client.solo import solo_table
from protocol.messages import CLIENT_CODEC, SERVER_CODEC, Create, Refused
from tests.client.joined import WELCOME
from tests.client.typed_runs import run


def creates(frames: list[bytes]) -> list[Create]:
    said = [CLIENT_CODEC.decode(frame) for frame in frames]
    frames.clear()
    return [message for message in said if isinstance(message, Create)]


def test_a_game_for_us_alone_that_was_refused_can_be_begun_again() -> None:
    conversation = Conversation(Identity("test", "Anna"))
    state = ScreenState(
        conversation,
        where="here",
        games=installed_games,
        begin=lambda name: None,
        save=lambda came: "",
        opening=Opening(table=solo_table(2)),
        name="Anna",
        solo=True,
    )
    said: list[bytes] = []
    conversation.opened(said.append)
    said.clear()
    assert conversation.take(SERVER_CODEC.encode(WELCOME)) is None
    for _ in range(2):
        (create,) = creates(said)
        assert "n new game" not in text_of(draw(state, 80, 24))
        press(state, "n")
        assert not creates(said), "it is on its way"
        refused = Refused(create.id, "too_many_tables", (), "")
        assert conversation.take(SERVER_CODEC.encode(refused)) is None
        shown = text_of(draw(state, 80, 24))
        assert "The game could not begin." in shown and "n new game" in shown
        press(state, "n")


async def test_a_solo_game_gives_no_code_to_move_by(tmp_path: object) -> None:
    done = await run(tmp_path, "--solo", "1", "--plain", "--name", "Anna", typed="move\nquit\n")  # type: ignore[arg-type]
    assert done.code == 0
    assert "error: this game is on this device alone" in done.out
