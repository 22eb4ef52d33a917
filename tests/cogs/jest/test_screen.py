"""Jest's screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.jest.game_ui import GAME_UI
from cogs.jest.screen import short_choice_label
from cogs.screens.screen import Button, Buttons, Screen
from engines.jest import JEST, deck
from engines.jest.model import FaceDownTaken, Offer, OffersRevealed, Take
from engines.kit.seats import letter
from tests.cogs.jest.states import BENCH, NAMES, match_positions, start_state


def screen_buttons(screen: Screen) -> list[Button]:
    assert all(isinstance(control, Buttons) for control in screen.controls)
    return [button for control in screen.controls if isinstance(control, Buttons) for button in control.buttons]


def test_j6_a_player_who_must_take_from_their_own_offer_is_told_so_and_sees_both_cards() -> None:
    count = 0
    for state in (state for seed in range(12) for state in match_positions(3, seed) if state.phase == "take"):
        (seat,) = JEST.decisions(state)
        screen = BENCH.hand(state, seat)
        buttons = screen_buttons(screen)
        if [button.move for button in buttons] == [f"take {letter(seat)} {side}" for side in ("up", "down")]:
            assert screen.above[0].startswith("**Take a card** from your own offer, the only complete one.")
            assert [button.label.partition(" ")[2] for button in buttons] == ["(face up)", "(face down)"]
            assert not any("face-down card" in button.label for button in buttons)
            count += 1
        else:
            assert "own offer" not in screen.above[0]
    assert count


@pytest.mark.parametrize("seats", [3, 4])
def test_j4_the_two_buttons_of_an_offer_stay_and_the_chosen_one_is_marked(seats: int) -> None:
    state = start_state(seats, 5)
    before = BENCH.hand(state, 1)
    one, two = screen_buttons(before)
    for chosen in (one, two, one):
        JEST.play(state, 1, JEST.parse_move(chosen.move))
        after = BENCH.hand(state, 1)
        assert [(b.label, b.move) for b in screen_buttons(after)] == [(b.label, b.move) for b in (one, two)]
        assert [b.move for b in screen_buttons(after) if b.emoji == "✅"] == [chosen.move]
        assert [len(part.splitlines()) for part in after.above] == [len(part.splitlines()) for part in before.above]


@pytest.mark.parametrize("seats", [3, 4])
def test_nothing_above_the_controls_moves_when_others_choose(seats: int) -> None:
    state = start_state(seats, 6)
    sentences: tuple[str, ...] = ()
    before = BENCH.hand(state, 0)
    for seat in range(1, seats):
        JEST.play(state, seat, Offer(state.dealt[seat][0]))
        sentences = (*sentences, f"{NAMES[seat]} has chosen.")
        after = BENCH.hand(state, 0, sentences=sentences)
        assert (after.above, after.controls) == (before.above, before.controls)


@pytest.mark.parametrize("seats", [3, 4])
def test_j6_takes_stand_by_offer_in_seating_order_the_face_up_card_first(seats: int) -> None:
    for state in match_positions(seats, 3):
        if state.phase == "take":
            seat = next(iter(JEST.decisions(state)))
            moves = [JEST.parse_move(button.move) for button in screen_buttons(BENCH.hand(state, seat))]
            assert len(moves) <= 8
            assert moves == sorted(moves, key=lambda move: (move.source, not move.up) if isinstance(move, Take) else ())


def test_a_take_is_called_by_whose_it_is_and_what_is_seen() -> None:
    state = start_state(3, 1)
    for seat in range(3):
        JEST.play(state, seat, Offer(max(state.dealt[seat])))  # the Joker, which is the highest, lies face down
    turn = next(iter(JEST.decisions(state)))
    names = ("Ada\\_1", "Bela", "Chidi")
    labels = {button.move: button.label for button in screen_buttons(BENCH.hand(state, turn, names))}
    other = next(seat for seat in range(3) if seat != turn)
    card = deck.card_name(state.up[other])
    short = card[0] + dict(zip("CDHS", "♣♦♥♠", strict=True))[card[-1]]
    called = ("Ada_1", "Bela", "Chidi")[other]
    assert labels[f"take {letter(other)} up"] == f"{called}: {short}"
    assert labels[f"take {letter(other)} down"] == f"{called}: face down"
    for move, label in ((Take(other, up=True), f"{short} (face up)"), (Take(other, up=False), "face-down card")):
        assert short_choice_label(JEST.view(state, turn), move, BENCH.context(3, names)) == f"{called}: {label}"


def test_moves_have_labels_of_their_own_turns_hide_the_hand_and_there_are_no_options() -> None:
    labels = [GAME_UI.screen.move_label(Offer(card)) for card in deck.DECK]
    labels += [GAME_UI.screen.move_label(Take(source, up)) for source in range(4) for up in (True, False)]
    assert len(set(labels)) == len(labels) == 17 + 8
    turns = BENCH.turn_prompts(match_positions(3, 6))
    assert turns == {f"{prompt} in round {n}" for prompt in ("choose your offer", "take a card") for n in range(1, 5)}
    assert GAME_UI.screen.option_texts(BENCH.context(3).options, 3) == {}


@pytest.mark.parametrize("seats", [3, 4])
def test_anybody_who_sees_an_ace_or_the_joker_is_shown_its_value(seats: int) -> None:
    values = set()
    for state in (state for seed in range(12) for state in match_positions(seats, seed)):
        for seat, decision in JEST.decisions(state).items():
            view = JEST.view(state, seat)
            up = view.up if decision.kind == "take" else ()
            visible = {deck.card_name(one) for one in (*view.hand, *view.jest, *up)}
            worth = BENCH.hand(state, seat).worth_text
            assert ("an ace alone in its suit is 5" in worth) is any(name[0] == "A" for name in visible)
            assert ("the Joker without ♥ is 4" in worth) is ("joker" in visible)
            values.add(worth)
    assert len(values) == 4


def test_cards_are_told_with_whose_they_are() -> None:
    """Offers are a sentence of their own, and not what one of the players did."""
    context = BENCH.context(3)
    down: Any = FaceDownTaken(seat=0, source=2, card=deck.parse_card("AS"))
    up: Any = OffersRevealed(up=tuple(map(deck.parse_card, ("4H", "2C", "3D"))))
    one, two, three = context.short_names
    assert GAME_UI.screen.narrate_briefly(down, context) == f"{three}'s face-down card is A♠."
    assert GAME_UI.screen.narrate_briefly(up, context) == f"{one} shows 4♥, {two} 2♣ and {three} 3♦."
