"""What people type in a game of Raja: read as meant."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.games import Ambiguous, Unreadable
from client.raja.typed import read, verbs
from engine.raja.words.choices import choices
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    Travel,
)
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.notation import parse_command, show_command
from engine.raja.words.pieces import Action, Character, Site
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    Fare,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from tests.client.raja.positions import positions

TURN = TurnPrompt(
    travel=(Fare(Place.JAIPUR, 0), Fare(Place.KOTA, 2)),
    gold=True,
    quarry=False,
    space=(Place.DELHI, Place.V01, Place.V07, Place.V12),
    city=Place.DELHI,
    house=(Action.HOUSE, Action.HOUSES, Action.PALACE_HOUSE, Action.BUILDER),
    city_house=(),
    move=(Action.MOVE, Action.BUILDER),
    own=(Place.V01, Place.V07),
    palace=(Action.PALACE_HOUSE,),
    sites=(Site.CENTRAL, Site.OUTER),
    governor=(Place.AJMER, Place.KOTA),
    give=(Character.BUILDER,),
    take=(Character.MOGUL, Character.MONK, Character.SADHU),
)
END = TurnPrompt((), False, False, (), None, (), (), (), (), (), (), (), (), ())
CITY = TurnPrompt(
    (), False, False, (Place.DELHI, Place.V03), Place.DELHI, (Action.BUILDER,), (Action.HOUSES,),
    (), (), (Action.PALACE,), (Site.OUTER,), (), (), (),
)  # fmt: skip
ONLY_CITY = TurnPrompt(
    (), False, False, (), Place.DELHI, (), (Action.HOUSES,), (), (), (), (), (), (), ()
)
TAKE = CharacterPrompt((Character.MOGUL, Character.MONK, Character.TRADER))
ROBBED = ReplacementPrompt((Character.YOGI,))
FOUND = FoundPrompt(VILLAGES)
CHOOSE, CHIT = ChoosePrompt(False), ChoosePrompt(True)


@cache
def asked() -> tuple[Any, ...]:
    """Different prompts of a whole game."""

    def all_asked() -> Iterator[Any]:
        for step in positions(4, 3, ruleset="yogi"):
            yield from (one.prompt for one in step.match.asked.values())

    return (*dict.fromkeys(all_asked()), TURN, CITY, END)


@given(st.data())
def test_every_choice_can_be_typed_shouted_and_with_commas(data: st.DataObject) -> None:
    prompt = data.draw(st.sampled_from(asked()))
    command = data.draw(st.sampled_from(choices(prompt)))
    line = show_command(command)
    assert read(line, prompt) == command
    assert read(line.upper(), prompt) == command
    assert read(line, None) == command
    verb, _, rest = line.partition(" ")
    assert read(f"  {verb}  {rest.replace(' ', ', ')} ", prompt) == command


@given(st.data())
def test_beginnings_of_a_choice_mean_it_or_several_things(data: st.DataObject) -> None:
    prompt = data.draw(st.sampled_from(asked()))
    command = data.draw(st.sampled_from(choices(prompt)))
    verb, *rest = show_command(command).split()
    words = [verb, *(_beginning(word, data) for word in rest)]
    try:
        assert read(" ".join(words), prompt) == command
    except Ambiguous:
        assert words != [verb, *rest]


def _beginning(word: str, data: st.DataObject) -> str:
    if word[-1].isdigit() or word in ("chit", "none"):
        return word
    # `house` is both an action and the beginning of another: only whole words are sure.
    if word in ("house", "palace", "houses", "palace-house"):
        return word
    return word[: data.draw(st.integers(1, len(word)))]


@pytest.mark.parametrize(
    ("typed", "prompt", "command"),
    [
        ("mon", TAKE, TakeCharacter(Character.MONK)),
        ("take the tr", TAKE, TakeCharacter(Character.TRADER)),
        ("y", ROBBED, TakeCharacter(Character.YOGI)),
        ("7", FOUND, FoundHouse(Place.V07)),
        ("f v7", FOUND, FoundHouse(Place.V07)),
        ("found Village 30", FOUND, FoundHouse(Place.V30)),
        ("choose gold houses", CHOOSE, ChooseActions((Action.GOLD, Action.HOUSES))),
        ("swap gold", CHOOSE, ChooseActions((Action.GOLD, Action.SWAP))),
        ("palace palace_house", CHOOSE, ChooseActions((Action.PALACE, Action.PALACE_HOUSE))),
        ("c q q gov", CHIT, ChooseActions((Action.QUARRY,) * 2, Action.GOVERNOR)),
        ("gold gold chit swap", CHIT, ChooseActions((Action.GOLD,) * 2, Action.SWAP)),
        ("travel to k", TURN, Travel(Place.KOTA)),
        ("t jaipur", TURN, Travel(Place.JAIPUR)),
        ("gold", TURN, TakeGold()),
        ("e", TURN, EndTurn()),
        ("house delhi", TURN, BuildHouse(Action.HOUSES, Place.DELHI)),
        ("house v7", TURN, BuildHouse(Action.HOUSE, Place.V07)),
        ("house in village 7", TURN, BuildHouse(Action.HOUSE, Place.V07)),
        ("h b 7", TURN, BuildHouse(Action.BUILDER, Place.V07)),
        ("house delhi", CITY, BuildHouse(Action.HOUSES, Place.DELHI)),
        ("house 3", CITY, BuildHouse(Action.BUILDER, Place.V03)),
        ("house d", ONLY_CITY, BuildHouse(Action.HOUSES, Place.DELHI)),
        ("move v7 delhi", TURN, MoveHouse(Action.MOVE, Place.V07, Place.DELHI)),
        ("move from 1 to 12", TURN, MoveHouse(Action.MOVE, Place.V01, Place.V12)),
        ("move builder 1 12", TURN, MoveHouse(Action.BUILDER, Place.V01, Place.V12)),
        ("palace outer", TURN, BuildPalace(Action.PALACE_HOUSE, Site.OUTER)),
        ("p c", TURN, BuildPalace(Action.PALACE_HOUSE, Site.CENTRAL)),
        ("palace", CITY, BuildPalace(Action.PALACE, Site.OUTER)),
        ("gov k", TURN, MoveGovernor(Place.KOTA)),
        ("swap sadhu", TURN, SwapCharacter(Character.BUILDER, Character.SADHU)),
        ("s b s", TURN, SwapCharacter(Character.BUILDER, Character.SADHU)),
    ],
)
def test_what_is_short_is_read_as_meant(typed: str, prompt: object, command: object) -> None:
    assert read(typed, prompt) == command


@pytest.mark.parametrize(
    ("typed", "prompt", "command"),
    [
        ("travel ajmer", TURN, Travel(Place.AJMER)),
        ("house house kota", TURN, BuildHouse(Action.HOUSE, Place.KOTA)),
        ("take sadhu", TAKE, TakeCharacter(Character.SADHU)),
        ("gold", FOUND, TakeGold()),
        ("house v7", None, BuildHouse(Action.HOUSE, Place.V07)),
        ("move v7 v8", None, MoveHouse(Action.MOVE, Place.V07, Place.V08)),
        ("palace outer", None, BuildPalace(Action.PALACE, Site.OUTER)),
        ("choose gold gold chit houses", CHOOSE, ChooseActions((Action.GOLD,) * 2, Action.HOUSES)),
    ],
)
def test_what_is_not_offered_is_left_to_the_server(
    typed: str, prompt: object, command: object
) -> None:
    try:
        assert read(typed, prompt) == command
    except Unreadable as error:
        pytest.fail(str(error))


@pytest.mark.parametrize(
    ("typed", "prompt", "told"),
    [
        ("m", TAKE, "'m' could be mogul or monk"),
        ("take", TAKE, "which character? mogul monk trader"),
        ("take ghost", TAKE, "there is no 'ghost' here"),
        ("found", FoundPrompt((Place.V01, Place.V05)), "which village? v01 v05"),
        ("found v31", FOUND, "the villages are 1 to 30"),
        (
            "choose gold",
            CHOOSE,
            "choose 2 of: gold quarry house houses move palace palace-house governor swap",
        ),
        ("g", TURN, "'g' could be gold or governor"),
        ("gold gold", TURN, "nothing follows 'gold'"),
        ("travel", TURN, "where to? jaipur kota"),
        ("house", TURN, "where? delhi v01 v07 v12"),
        ("house kota", TURN, "a house can be built in: delhi v01 v07 v12"),
        ("house v3", ONLY_CITY, "a house can be built in: delhi"),
        ("house v3", END, "no open action does this now, or it cannot be paid"),
        ("move v7", TURN, "from where to where? for example: move v07 delhi"),
        ("move v7 v8", END, "no open action does this now, or it cannot be paid"),
        ("palace", TURN, "which site? central outer"),
        ("palace outer", END, "no open action does this now, or it cannot be paid"),
        ("governor", TURN, "the coat of which city? ajmer kota"),
        ("swap monk", END, "which character for which? for example: swap monk sadhu"),
        ("", TURN, "nothing is typed"),
        (" , ", TURN, "nothing is typed"),
        ("1 2 3 4 5 6 7 8 9 10", TURN, "this is too much for one command"),
        ("x", TURN, "there is no 'x' here"),
    ],
)
def test_what_cannot_be_read_says_what_is_possible(typed: str, prompt: object, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(typed, prompt)
    assert str(refused.value) == told


def test_the_prompt_says_which_verbs_there_are() -> None:
    assert verbs(TAKE) == verbs(ROBBED) == ("take",)
    assert verbs(END) == ("end",)
    assert "quarry" not in verbs(TURN) and len(verbs(TURN)) == 8
    assert len(verbs(None)) == 12


@given(
    st.one_of(
        st.text(max_size=20),
        st.lists(
            st.sampled_from(
                ["take", "found", "choose", "gold", "house", "move", "v07", "9", "delhi"]
            ),
            max_size=5,
        ).map(" ".join),
    ),
    st.sampled_from([TURN, END, CITY, TAKE, FOUND, CHOOSE, CHIT, None]),
)
def test_any_text_is_read_or_refused(text: str, prompt: object) -> None:
    try:
        command = read(text, prompt)
    except Unreadable:
        return
    assert parse_command(show_command(command)) == command
