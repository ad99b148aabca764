"""Keys that ask before they act."""

from __future__ import annotations

from tests.client.seated import Seated


def test_starting_with_seats_free_is_asked() -> None:
    from attrs import evolve

    from engine.table.words import Phase
    from protocol.messages import StartMatch

    sitting = Seated()
    scene = sitting.table.timeline.scene
    assert scene is not None
    seats = (*scene.table.seats[:2], None)
    table = evolve(scene.table, phase=Phase.WAITING, seats=seats, places=(), host=0)
    sitting.table.timeline.scene = evolve(scene, table=table, board=None, prompts=())
    sitting.press("s")
    assert "Start with 2 of 3 seats taken?" in sitting.bar()[0]
    sitting.press("n")
    assert not any(isinstance(message, StartMatch) for message in sitting.joined.up())
    sitting.press("s")
    sitting.press("y")
    assert any(isinstance(message, StartMatch) for message in sitting.joined.up())
