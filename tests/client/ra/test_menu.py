"""The keys of Ra send what they say, and the same tiles always as the same command."""

from __future__ import annotations

from itertools import permutations

from client.ra.screen import RaScreen
from engine.ra.game import RA
from engine.ra.words.prompts import DiscardPrompt, TurnPrompt
from tests.client.ra.positions import positions, scene

FACE = RaScreen()


def test_in_whatever_order_tiles_are_chosen_the_command_is_one_that_answers() -> None:
    met = set()
    for seats in (2, 4):
        for position in positions(seats, seed=seats):
            for seat, asked in position.match.asked.items():
                prompt = asked.prompt
                if not isinstance(prompt, DiscardPrompt) and not (
                    isinstance(prompt, TurnPrompt) and prompt.gods
                ):
                    continue
                menu = FACE.menu(scene(position.match, seat))
                assert menu is not None
                pick = menu.pick or next(one.pick for one in menu.choices if one.pick)
                allowed = set(RA.choices(prompt))
                for count in range(pick.least, min(pick.most, len(pick.items)) + 1):
                    for chosen in permutations(range(min(len(pick.items), 4)), count):
                        command = pick.make(chosen)
                        if isinstance(prompt, TurnPrompt):
                            assert command in allowed
                        assert RA.canonical(command) == command
                met.add(type(prompt))
    assert TurnPrompt in met
