"""The keys of Ra send what they say, and the same tiles always as the same command."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from client.ra.screen import RaScreen
from engine.ra.game import RA
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
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


def test_every_prompt_is_a_menu_of_exactly_its_answers() -> None:
    for seats in (2, 3, 5):
        for position in positions(seats, seed=7):
            match = position.match
            for seat, asked in match.asked.items():
                menu = FACE.menu(scene(match, seat))
                assert menu is not None
                sent = [choice.command for choice in menu.choices if choice.pick is None]
                allowed = match.game.choices(asked.prompt)
                assert all(command in allowed for command in sent)
                keys = [choice.key for choice in menu.choices]
                assert len(set(keys)) == len(keys)
                assert not set(keys) & (set(FACE.pages) | set("?lcqub"))
                single = isinstance(asked.prompt, TurnPrompt | BidPrompt)
                simple = [command for command in allowed if not hasattr(command, "take")]
                assert not single or sorted(map(repr, sent)) == sorted(map(repr, simple))
                picks = [choice.pick for choice in menu.choices] + [menu.pick]
                for pick in filter(None, picks):
                    assert len(pick.items) <= 9
                    assert pick.make(_some(pick)) in allowed
            others = [seat for seat in range(seats) if seat not in match.asked]
            assert all(FACE.menu(scene(match, seat)) is None for seat in others)


def _some(pick: Any) -> tuple[int, ...]:
    items = [number for number, item in enumerate(pick.items) for _ in range(item.most)]
    return tuple(items[: pick.least])
