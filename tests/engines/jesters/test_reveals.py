"""Which moves of Jesters show something hidden, to whom, and what is said of it."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Extra, Opposite, Recolour, Reroll
from tests.engines.jesters import positions

PAIR = positions.performance_with("pair")
ANY_BY_ONE = positions.card_with(bottom="±1 any")
GIFTS = {
    Opposite(0): "nobody",
    Recolour(2): "nobody",
    Extra(): "ABC: Dice were rolled.",
    Reroll(): "ABC: Dice were rolled.",
}


def test_s6_s12_learning_and_passing_show_nothing_while_the_round_goes_on() -> None:
    state = positions.parse_position("hands: 1 5 / 20 / 30 | dice: red / blue / green")
    assert {
        positions.TOOLS.describe_reveals(state, text) for text in (positions.legal_notations(state, "learn")[0], "pass")
    } == {"nobody"}


def test_s7_dice_are_rolled_for_everybody() -> None:
    state = positions.parse_position(f"dice: 2 red | board: {PAIR} 1")
    assert positions.TOOLS.describe_reveals(state, f"perform {PAIR} 2 red") == "ABC: Dice were rolled."


def test_s7_cards_and_marks_show_nothing_until_the_dice_are_rolled_again() -> None:
    state = positions.parse_position(f"hands: {ANY_BY_ONE} | perform: {PAIR} R3 B1")
    for text in (f"spend {ANY_BY_ONE} 1 4", f"reroll {ANY_BY_ONE}"):
        assert positions.TOOLS.describe_reveals(state, text) == "nobody"
    positions.play_moves(state, f"reroll {ANY_BY_ONE}")
    assert positions.TOOLS.describe_reveals(state, "mark 1") == "nobody"
    positions.play_moves(state, "mark 1")
    assert positions.TOOLS.describe_reveals(state, "unmark 1") == "nobody"
    assert positions.TOOLS.describe_reveals(state, "roll") == "ABC: Dice were rolled."


@pytest.mark.parametrize(("effect", "reveal"), GIFTS.items(), ids=str)
def test_s22_a_gift_shows_the_dice_that_it_rolls(effect: object, reveal: str) -> None:
    gift = positions.gift_with(effect)  # type: ignore[arg-type]
    state = positions.parse_position(f"gifts: {gift} | perform: {PAIR} R3 B1")
    assert positions.TOOLS.describe_reveals(state, positions.legal_notations(state, "gift")[0]) == reveal


def test_s9_a_success_shows_a_new_performance_unless_everybody_can_name_it() -> None:
    text = f"board: {PAIR} 1 2 3 | pile: {{}} | perform: {PAIR} R3 B3"
    state = positions.parse_position(text.format("30 31"))
    assert positions.TOOLS.describe_reveals(state, "finish") == "ABC: Performance 30 was revealed."
    assert positions.TOOLS.describe_reveals(positions.parse_position(text.format("30")), "finish") == "nobody"


def test_s10_gifts_that_are_drawn_are_shown_to_their_player() -> None:
    dice = positions.dice_meeting(catalogue.favorite(1).requirement)
    state = positions.parse_position(f"favorite: 1 | gift pile: 4 9 12 | perform: favorite {dice}")
    assert positions.TOOLS.describe_reveals(state, "finish") == "A: You saw Gifts 4 and 9."
    assert JESTERS.describe_reveal(state, 0, JESTERS.parse_move("finish"), 1) == "Another player drew Gifts."
    positions.play_moves(state, "finish")
    assert positions.TOOLS.describe_reveals(state, "keep 4") == "nobody"


@pytest.mark.parametrize(("known", "reveal"), [((0,), "nobody"), ((1,), "A: You saw Gifts 9 and 4.")])
def test_s10_the_last_gifts_were_known_if_one_of_them_was(known: tuple[int, ...], reveal: str) -> None:
    dice = positions.dice_meeting(catalogue.favorite(1).requirement)
    state = positions.parse_position(f"favorite: 1 | gift pile: 9 4 | perform: favorite {dice}")
    state.under = [known]  # it was put under the pile by a seat that kept another one
    assert positions.TOOLS.describe_reveals(state, "finish") == reveal


def test_s11_a_failure_shows_its_player_what_they_draw() -> None:
    state = positions.parse_position(f"hands: 1 / 2 / 3 | draw: 20 21 22 23 | perform: {PAIR} R3 B1")
    assert positions.TOOLS.describe_reveals(state, "finish") == "A: You drew Jest card 20."
    assert JESTERS.describe_reveal(state, 0, JESTERS.parse_move("finish"), 1) == "Another player drew cards."


def test_s11_the_last_card_of_the_pile_was_known_if_nobody_holds_any() -> None:
    state = positions.parse_position(f"hands: 1 | draw: 20 | discard: 2 3 4 | perform: {PAIR} R3 B1")
    assert positions.TOOLS.describe_reveals(state, "finish") == "nobody"
    state.failures[0] = 1  # three cards: two of them from a new pile, which chance shuffles (S15)
    assert positions.TOOLS.describe_reveals(state, "finish").startswith("A: You drew Jest cards ")


def test_s14_the_end_of_a_round_shows_everybody_a_favorite_and_cards() -> None:
    state = positions.parse_position("dice: red | passed: 1 2")
    assert positions.TOOLS.describe_reveals(state, "pass") == "ABC: A new round began."


def test_s15_the_end_of_the_last_round_shows_nothing_but_an_early_end_shows_favorites() -> None:
    text = f"failures: 2 3 3 | draw: 20 | round: {{}} | placed: {{}} | perform: {PAIR} R3 B1"
    assert positions.TOOLS.describe_reveals(positions.parse_position(text.format(3, "2 3")), "finish") == "nobody"
    early = positions.parse_position(text.format(1, ""))
    assert positions.TOOLS.describe_reveals(early, "finish") == "ABC: The last Favorites were revealed."
