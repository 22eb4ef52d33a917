"""Jest's screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from cogs.jest.game_ui import GAME_UI
from cogs.jest.screen import short_choice_label
from cogs.screens.screen import Button, Buttons, Screen
from engines.jest import JEST, deck
from engines.jest.model import FaceDownTaken, Offer, OffersRevealed, State, Take
from engines.kit.seats import letter
from tests.cogs.jest.states import (
    NAMES,
    hand_screen,
    make_context,
    match_positions,
    start_state,
    table_screen,
)


def screen_buttons(screen: Screen) -> list[Button]:
    assert all(isinstance(control, Buttons) for control in screen.controls)
    return [button for control in screen.controls if isinstance(control, Buttons) for button in control.buttons]


def test_j6_who_must_take_from_the_own_offer_is_told_so_and_sees_both_cards() -> None:
    told = 0
    for state in (state for seed in range(12) for state in match_positions(3, seed) if state.phase == "take"):
        (seat,) = JEST.decisions(state)
        screen = hand_screen(state, seat, make_context(3))
        if [button.move for button in screen_buttons(screen)] == [
            f"take {letter(seat)} up",
            f"take {letter(seat)} down",
        ]:
            assert screen.above[0].startswith("**Take a card** from your own offer, the only complete one.")
            assert [button.label.partition(" ")[2] for button in screen_buttons(screen)] == ["(face up)", "(face down)"]
            assert not any("face-down card" in button.label for button in screen_buttons(screen))
            told += 1
        else:
            assert "own offer" not in screen.above[0]
    assert told


@pytest.mark.parametrize("seats", [3, 4])
def test_j4_what_one_chooses_shows_to_nobody_else_but_that_one_has_chosen(seats: int) -> None:
    """All choices, in any order and with changes, look the same to the others, and a change is invisible."""
    given = make_context(seats)
    for seed in range(8):
        order = Random(seed).sample(range(seats), seats - 1)
        seen: set[str] = set()
        for choices in product((0, 1), repeat=seats - 1):
            state = start_state(seats, seed)
            for seat, which in zip(order, choices, strict=True):
                JEST.play(state, seat, Offer(state.dealt[seat][which]))
            before = drawn_for_others(state, order[0], seats)
            JEST.play(state, order[0], Offer(state.dealt[order[0]][1 - choices[0]]))
            assert drawn_for_others(state, order[0], seats) == before
            reader = next(seat for seat in range(seats) if seat not in order)
            seen.add(repr((table_screen(state, given), hand_screen(state, reader, given))))
        assert len(seen) == 1


def drawn_for_others(state: State, but: int, seats: int) -> str:
    """Return everything that is drawn for all seats but one."""
    hands = [hand_screen(state, seat, make_context(seats)) for seat in range(seats) if seat != but]
    return repr((table_screen(state, make_context(seats)), hands))


@pytest.mark.parametrize("seats", [3, 4])
def test_j4_the_two_buttons_of_an_offer_stay_and_the_chosen_one_is_marked(seats: int) -> None:
    state = start_state(seats, 5)
    before = hand_screen(state, 1, make_context(seats))
    one, two = screen_buttons(before)
    for chosen in (one, two, one):
        JEST.play(state, 1, JEST.parse_move(chosen.move))
        after = hand_screen(state, 1, make_context(seats))
        assert [(b.label, b.move) for b in screen_buttons(after)] == [(b.label, b.move) for b in (one, two)]
        assert [b.move for b in screen_buttons(after) if b.emoji == "✅"] == [chosen.move]
        assert [len(part.splitlines()) for part in after.above] == [len(part.splitlines()) for part in before.above]


@pytest.mark.parametrize("seats", [3, 4])
def test_nothing_above_the_controls_moves_when_others_choose(seats: int) -> None:
    state = start_state(seats, 6)
    news: tuple[str, ...] = ()
    before = hand_screen(state, 0, make_context(seats))
    for seat in range(1, seats):
        JEST.play(state, seat, Offer(state.dealt[seat][0]))
        news = (*news, f"{NAMES[seat]} has chosen.")
        after = hand_screen(state, 0, make_context(seats, news=news))
        assert (after.above, after.controls) == (before.above, before.controls)


@pytest.mark.parametrize("seats", [3, 4])
def test_j6_takes_stand_by_offer_in_seating_order_the_face_up_card_first(seats: int) -> None:
    for state in match_positions(seats, 3):
        if state.phase == "take":
            seat = next(iter(JEST.decisions(state)))
            moves = [
                JEST.parse_move(button.move) for button in screen_buttons(hand_screen(state, seat, make_context(seats)))
            ]
            assert len(moves) <= 8
            assert moves == sorted(moves, key=lambda move: (move.source, not move.up) if isinstance(move, Take) else ())


def test_a_take_is_called_by_whose_it_is_and_what_is_seen() -> None:
    state = start_state(3, 1)
    for seat in range(3):
        JEST.play(state, seat, Offer(max(state.dealt[seat])))  # the Joker, which is the highest, lies face down
    turn = next(iter(JEST.decisions(state)))
    names = ("Ada\\_1", "Bela", "Chidi")
    labels = {button.move: button.label for button in screen_buttons(hand_screen(state, turn, make_context(3, names)))}
    other = next(seat for seat in range(3) if seat != turn)
    card = deck.card_name(state.up[other])
    short = card[0] + dict(zip("CDHS", "♣♦♥♠", strict=True))[card[-1]]
    called = ("Ada_1", "Bela", "Chidi")[other]
    assert labels[f"take {letter(other)} up"] == f"{called}: {short}"
    assert labels[f"take {letter(other)} down"] == f"{called}: face down"
    typed = {
        move: short_choice_label(JEST.view(state, turn), move, make_context(3, names))
        for move in JEST.moves(state, turn)
    }
    assert typed[Take(other, up=True)] == f"{called}: {short} (face up)"
    assert typed[Take(other, up=False)] == f"{called}: face-down card"


def test_moves_have_labels_of_their_own() -> None:
    labels = [GAME_UI.screen.move_label(Offer(card)) for card in deck.DECK]
    labels += [GAME_UI.screen.move_label(Take(source, up)) for source in range(4) for up in (True, False)]
    assert len(set(labels)) == len(labels) == 17 + 8


def test_turns_hide_the_hand_and_there_are_no_options() -> None:
    turns = {
        GAME_UI.screen.turn_prompt(JEST.view(state, seat), decision)
        for state in match_positions(3, 6)
        for seat, decision in JEST.decisions(state).items()
    }
    assert turns == {f"{what} in round {n}" for what in ("choose your offer", "take a card") for n in range(1, 5)}
    assert GAME_UI.screen.option_texts(make_context(3).options, 3) == {}


@pytest.mark.parametrize("seats", [3, 4])
def test_what_an_ace_and_the_joker_count_is_told_to_whoever_sees_one(seats: int) -> None:
    told = set()
    for state in (state for seed in range(12) for state in match_positions(seats, seed)):
        for seat, decision in JEST.decisions(state).items():
            view = JEST.view(state, seat)
            up = view.up if decision.kind == "take" else ()
            seen = {deck.card_name(one) for one in (*view.hand, *view.jest, *up)}
            worth = hand_screen(state, seat, make_context(seats)).worth_text
            assert ("an ace alone in its suit 5" in worth) is any(name[0] == "A" for name in seen)
            assert ("the Joker without ♥ 4" in worth) is ("joker" in seen)
            told.add(worth)
    assert len(told) == 4


def test_a_face_down_card_is_told_with_whose_it_was() -> None:
    event = FaceDownTaken(seat=0, source=2, card=deck.parse_card("AS"))
    assert (
        GAME_UI.screen.narrate_briefly(event, make_context(3))
        == f"{make_context(3).short_names[2]}'s face-down card is A♠"
    )


def test_offers_are_told_as_what_lies_face_up_and_not_as_what_one_of_them_did() -> None:
    event = OffersRevealed(up=tuple(map(deck.parse_card, ("4H", "2C", "3D"))))
    said = GAME_UI.screen.narrate_briefly(event, make_context(3))
    assert said == "Face up: " + ", ".join(
        f"{n} {c}" for n, c in zip(make_context(3).short_names, ("4♥", "2♣", "3♦"), strict=True)
    )
