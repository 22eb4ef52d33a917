"""The Court's screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from cogs.court.choices import choice_label
from cogs.court.drawing.spec import CourtPicture
from cogs.screens.screen import Button, Buttons, Control, Select, Step, Steps
from engines.court import COURT, board, deck
from engines.court.model import Options, Push, State
from engines.kit.chance import Chance
from tests.cogs.court.states import (
    NAMES,
    hand_screen,
    make_context,
    make_state,
)
from tests.engines.court.positions import parse_position

SHORT = make_context().short_names
CROWD = "K9 P12 C20 V4", "10H 5H 9D QS AC menhir/", "K5 R12 - D7"


def seat_to_act(state: State) -> int:
    """Return the seat to decide, or seat 0 if the match is over."""
    return next(iter(COURT.decisions(state)), 0)


def control_notations(controls: Sequence[Control]) -> Iterator[str]:
    """Return all moves that the controls lead to."""
    for control in controls:
        match control:
            case Buttons(buttons):
                yield from (button.move for button in buttons)
            case Select(_, options):
                yield from (option.move for option in options)
            case Steps(_, steps):
                for step in steps:
                    yield from control_notations(step.controls)
            case _:
                raise AssertionError(control)


def step_trails(controls: Sequence[Control], way: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Return all paths through the steps."""
    yield way
    for control in controls:
        for step in control.steps if isinstance(control, Steps) else ():
            yield from step_trails(step.controls, (*way, step))


def step_of(state: State, key: str, seat: int = 0) -> Step:
    """Return the step of a card in Phase Two."""
    (steps,) = hand_screen(state, seat).controls
    assert isinstance(steps, Steps)
    assert steps.buttons
    return next(step for step in steps.steps if step.key == key)


def buttons_by_move(controls: Sequence[Control]) -> dict[str, Button]:
    """Return the buttons by their moves."""
    return {b.move: b for control in controls if isinstance(control, Buttons) for b in control.buttons}


# Phase One: every card says where it leads


def test_t4_each_card_says_where_it_takes_the_own_mage() -> None:
    state = make_state(*CROWD, banners="D")
    labels = {button.move: button.label for button in buttons_by_move(hand_screen(state, 0).controls).values()}
    assert labels == {"move 5H": "5♥ to K6", "move 10H": "10♥ to K6", "move 9D": "9♦ to T9"}
    assert hand_screen(state, 0).headline == "Move your Mage: choose a card."


def test_nothing_that_could_be_is_drawn_before_its_card_is_chosen() -> None:
    for phase in ("move", "hinder"):
        assert hand_picture(make_state(*CROWD, phase=phase)).board.ways == ()


@pytest.mark.parametrize(("banners", "said"), [("S", "5♠ crosses"), ("H", "5♠: banner")])
def test_t6_a_card_over_an_edge_says_whether_it_brings_a_banner(banners: str, said: str) -> None:
    state = make_state("K20 P12", "5S 2H/", banners=banners)
    (button,) = (b for b in buttons_by_move(hand_screen(state, 0).controls).values() if b.move == "move 5S")
    assert button.label == said


def test_t5_a_card_that_moves_nowhere_says_so_on_its_button_and_why_in_words() -> None:
    state = make_state("K9 K8", "5H/")
    (button,) = buttons_by_move(hand_screen(state, 0).controls).values()
    assert button.label == "5♥ stays"
    assert "5♥ nowhere, the Mage on K8 is in the way" in hand_screen(state, 0).below[0]


def test_t4_without_a_number_card_the_court_cards_and_skipping_are_offered() -> None:
    state = make_state("K9 P12", "QS AC menhir/")
    assert set(buttons_by_move(hand_screen(state, 0).controls)) == {"move QS", "skip"}
    assert "no number card" in hand_screen(state, 0).above[0]
    assert hand_screen(state, 0).headline == "Move one square, or skip."


def test_cards_that_cannot_be_played_now_step_back() -> None:
    state = make_state(*CROWD)
    assert dict(hand_picture(state).hand) == {
        "5H": False,
        "10H": False,
        "9D": False,
        "QS": True,
        "AC": True,
        "menhir": True,
    }
    assert not any(idle for _, idle in hand_picture(make_state(*CROWD, phase="hinder")).hand)
    assert not any(idle for _, idle in hand_picture(state, 1).hand)


def hand_picture(state: State, seat: int = 0) -> CourtPicture:
    """Return the values of a hand's picture."""
    picture = hand_screen(state, seat).picture
    assert picture is not None
    assert isinstance(picture.spec, CourtPicture)
    return picture.spec


# Phase Two: first the card


def test_t8_a_number_card_says_where_it_takes_each_of_the_others_and_draws_it() -> None:
    state = make_state(*CROWD, phase="hinder", banners="- H")
    step = step_of(state, "9D")
    found = buttons_by_move(step.controls)
    assert {move: button.label for move, button in found.items()} == {
        "push 9D B": f"{SHORT[1]} to Q12",
        "push 9D C": "Cleo to L20",
        "push 9D D": "Dov gets banner",
        "discard 9D": "Discard 9♦",
    }
    assert (step.label, step.question, step.back) == ("9♦", "Whose Mage does the 9♦ move?", "Other card")
    assert step.intro == "9 squares right."
    assert step.picture is not None
    assert isinstance(step.picture.spec, CourtPicture)
    assert {(way.seat, way.move.end, way.banner) for way in step.picture.spec.board.ways} == {
        (1, board.parse_square("Q12"), False),
        (2, board.parse_square("L20"), False),
        (3, -1, True),
    }


def test_t7_to_bring_a_rival_a_banner_is_asked_for_once_more() -> None:
    state = make_state(*CROWD, phase="hinder", banners="- - - HS")
    found = buttons_by_move(step_of(state, "9D").controls)
    asked = found["push 9D D"].confirm
    assert asked is not None
    assert "gives Dov the banner of diamonds ♦" in asked
    assert [button.confirm for move, button in found.items() if move != "push 9D D"] == [None, None, None]
    assert buttons_by_move(step_of(state, "5H").controls)["push 5H D"].confirm is None  # claimed already
    state.goal = 3
    last = buttons_by_move(step_of(state, "9D").controls)["push 9D D"].confirm
    assert last is not None
    assert "makes Dov win" in last


def test_a_chosen_card_alone_is_bright_and_framed() -> None:
    picture = step_of(make_state(*CROWD, phase="hinder"), "5H").picture
    assert picture is not None
    assert isinstance(picture.spec, CourtPicture)
    assert picture.spec.chosen == "5H"
    assert [card for card, idle in picture.spec.hand if not idle] == ["5H"]


def test_t9_attacks_are_offered_by_whom_they_hit() -> None:
    four = make_state("K9 P12 C20 V4", "JH QS KD/", phase="hinder")
    assert set(buttons_by_move(step_of(four, "JH").controls)) == {
        "attack JH B",
        "attack JH C",
        "attack JH D",
        "discard JH",
    }
    assert set(buttons_by_move(step_of(four, "QS").controls)) == {
        *("attack QS B", "attack QS C", "attack QS D", "attack QS B C", "attack QS B D", "attack QS C D"),
        "discard QS",
    }
    found = buttons_by_move(step_of(four, "QS").controls)
    assert [found[f"attack QS {whom}"].label for whom in ("C", "C D")] == ["Cleo", "Cleo and Dov"]
    assert step_of(four, "QS").question == "Whom does the Q♠ attack?"
    found = buttons_by_move(step_of(four, "KD").controls)
    assert found["attack KD"].label == "Attack all"
    two = make_state("K9 P12", "JH/", phase="hinder")
    assert {button.label for button in buttons_by_move(step_of(two, "JH").controls).values()} == {
        f"Attack {SHORT[1]}",
        "Discard J♥",
    }


def test_t8_an_ace_strikes_and_heals_unless_health_is_full() -> None:
    hurt = make_state("K9 P12", "AC/", phase="hinder", health="5 6")
    found = buttons_by_move(step_of(hurt, "AC").controls)
    assert set(found) == {"strike AC", "heal AC", "discard AC"}
    assert found["heal AC"].label == "Heal: health 5 to 6"
    well = make_state("K9 P12", "AC/", phase="hinder")
    assert set(buttons_by_move(step_of(well, "AC").controls)) == {"strike AC", "discard AC"}


def test_t8_a_menhirs_square_is_chosen_by_part_and_name_where_it_may_stand() -> None:
    state = make_state(*CROWD, phase="hinder")
    step = step_of(state, "menhir")
    parts, _ = step.controls
    assert isinstance(parts, Steps)
    assert parts.buttons
    corners = [f"{letter}{number}" for number in (1, 6, 10, 14, 18) for letter in "AFJNR"]
    by_corner = {part.key: part for part in parts.steps}
    assert sorted(by_corner) == sorted(corners)
    rows = [[button.label for button in row.buttons] for row in by_corner["J6"].controls if isinstance(row, Buttons)]
    assert rows == [  # Mage A stands on K9
        ["J6", "K6", "L6", "M6"],
        ["J7", "K7", "L7", "M7"],
        ["J8", "K8", "L8", "M8"],
        ["J9", "L9", "M9"],
    ]
    offered = [square for part in parts.steps for square in buttons_by_move(part.controls)]
    taken = {board.OFF_BOARD, *state.mages, *state.menhirs, *board.START_SQUARES}
    assert sorted(offered) == sorted(
        f"menhir {board.square_name(square)}" for square in range(484) if square not in taken
    )


def test_t8_the_parts_are_drawn_as_they_are_offered_five_by_five() -> None:
    step = step_of(make_state(*CROWD, phase="hinder"), "menhir")
    parts, _ = step.controls
    assert isinstance(parts, Steps)
    assert [part.key for part in parts.steps[:5]] == ["A1", "F1", "J1", "N1", "R1"]
    for marked, part, named in ((step.picture, -1, 0), (parts.steps[7].picture, board.parse_square("J6"), 15)):
        assert marked is not None
        assert isinstance(marked.spec, CourtPicture)
        assert (marked.spec.board.part, len(marked.spec.board.named), marked.spec.whole) == (part, named, True)


# What is owed


def test_t6_free_starting_squares_are_offered_and_marked() -> None:
    state = COURT.start(3, Options(), Chance("7" * 32))
    first = seat_to_act(state)
    assert [b.label for b in buttons_by_move(hand_screen(state, first).controls).values()] == [
        "K11",
        "L11",
        "K12",
        "L12",
    ]
    COURT.play(state, first, COURT.moves(state, first)[1])
    second = seat_to_act(state)
    assert list(buttons_by_move(hand_screen(state, second).controls)) == ["place K11", "place K12", "place L12"]
    assert [board.square_name(square) for square in hand_picture(state, second).board.free] == ["K11", "K12", "L12"]
    assert hand_picture(state, first).board.free == ()
    assert "Place your Mage" in hand_screen(state, second).above[0]
    assert "to place the Mage" in hand_screen(state, first).above[0]


def test_t10_the_banners_to_give_back_are_offered() -> None:
    state = make_state("K9 P12 C20", "AC/", phase="hinder", banners="- HC", health="6 1 6")
    COURT.play(state, 0, COURT.parse_move("strike AC"))
    assert list(buttons_by_move(hand_screen(state, 1).controls)) == ["give C", "give H"]
    assert "was knocked out" in hand_screen(state, 1).above[0]
    assert hand_screen(state, 0).controls == ()
    assert "B 李雷, 8 cards** to give back a banner" in hand_screen(state, 0).above[0]


# For the commands


def test_moves_are_offered_with_where_they_lead() -> None:
    state = make_state(*CROWD)
    view = COURT.view(state, 0)
    assert choice_label(view, COURT.parse_move("move 9D"), make_context()) == "Move your Mage by the 9♦, to T9"
    barred = COURT.view(parse_position("   C D\n2 B .\n12 b A\nhands: 3C 4C 9S"), 0)
    stays = "Move your Mage by the 3♣ (the Menhir on C12 is in the way: it stays)"
    assert choice_label(barred, COURT.parse_move("move 3C"), make_context()) == stays
    pushed = f"Move {NAMES[1]}'s Mage by the 9♦, to Q12, stopped by the Menhir on R12"
    assert choice_label(view, Push(deck.parse_card("9D"), 1), make_context()) == pushed
    assert choice_label(view, COURT.parse_move("attack KD B"), make_context()) == f"Attack {NAMES[1]} with the K♦"
    assert choice_label(view, COURT.parse_move("menhir K9"), make_context()) == "Place your Menhir on K9"
