"""Whose Joker it is, and which events bring and take it."""

from __future__ import annotations

from cogs.jest.special_cards import JOKER_CARD, own_special_cards, special_cards_of
from engines.jest import JEST
from engines.jest.model import RoundDealt, State
from tests.engines.jest.positions import parse_position, play_lines


def has_joker(state: State, seat: int) -> bool:
    return JOKER_CARD in own_special_cards(JEST.view(state, seat))


def test_j6_a_joker_that_somebody_took_is_theirs() -> None:
    state = parse_position("2H|joker / 3D|4C / 4S|2S")
    assert has_joker(state, 0), "it lies in the offer"
    play_lines(state, "C take A down")
    assert not has_joker(state, 0)
    assert has_joker(state, 2)


def test_j3_a_joker_that_was_left_goes_back_before_the_next_deal() -> None:
    state = parse_position("2H|joker / 3D|4C / 4S|2S")
    events = play_lines(state, "C take A up", "A take B up", "B take C up")
    view = JEST.view(state, 0)
    dealt = next(event for event in events if isinstance(event, RoundDealt))
    assert special_cards_of(dealt, view).losses == (JOKER_CARD,)
    assert special_cards_of(dealt, JEST.view(state, 1)).losses == ()
