"""Tests of Glimpse's screen, beyond the laws: what it says, and to whom."""

from __future__ import annotations

import pytest

from cogs.screens.screen import Button, Buttons, Screen
from engines.kit.chance import Chance
from tests.contexts import make_context
from tests.example.cogs.glimpse.game_ui import GAME_UI
from tests.example.cogs.glimpse.words import card_text
from tests.example.engines.glimpse import GLIMPSE
from tests.example.engines.glimpse.model import Options, State

NAMES = ("Ana", "Bela", "Cleo")


def hand(state: State, seat: int) -> Screen:
    decision = GLIMPSE.decisions(state).get(seat)
    context = make_context(NAMES, Options())
    return GAME_UI.screen.hand(GLIMPSE.view(state, seat), decision, GLIMPSE.moves(state, seat), context)


def text_of(screen: Screen) -> str:
    assert screen.picture
    return "\n".join((*screen.above, *screen.below, screen.picture.alt))


def state_after_laying() -> State:
    state = GLIMPSE.start(3, Options(), Chance("07"))
    GLIMPSE.play(state, state.turn, GLIMPSE.moves(state, state.turn)[0])
    return state


def test_a_glimpse_is_shown_with_whose_card_it_is() -> None:
    state = GLIMPSE.start(3, Options(), Chance("07"))
    for seat, neighbour in enumerate(("Bela", "Cleo", "Ana")):
        assert f"**Your glimpse**: {neighbour} was dealt {card_text(state.glimpses[seat])}" in text_of(
            hand(state, seat)
        )


def test_a_card_face_down_is_named_to_its_owner_alone() -> None:
    state = state_after_laying()
    assert state.laid is not None
    for seat in range(3):
        assert (f"Face down: {card_text(state.laid)}" in text_of(hand(state, seat))) == (seat == state.turn)


@pytest.mark.parametrize("guess", ["fool", "wizard"])
def test_a_guesser_sees_the_guess_and_the_others_see_that_there_is_one(guess: str) -> None:
    state = state_after_laying()
    first, second = GLIMPSE.decisions(state)
    (row,) = hand(state, first).controls
    assert isinstance(row, Buttons)
    offered = [(button.label, button.move) for button in row.buttons if isinstance(button, Button)]
    assert offered == [("Fool", "guess fool"), ("Wizard", "guess wizard")]
    GLIMPSE.play(state, first, GLIMPSE.parse_move(f"guess {guess}"))
    assert f"You guessed: {guess}" in text_of(hand(state, first))
    assert "You guessed" not in text_of(hand(state, second))
    assert f"{NAMES[first]}**: 0 points, 3 cards, turned up: none, has guessed" in text_of(hand(state, second))
    assert not hand(state, first).controls
