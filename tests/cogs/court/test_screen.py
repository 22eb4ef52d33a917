"""The Court's screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

import re

import pytest

from cogs.court.choices import choice_label
from cogs.court.drawing.spec import CourtPicture
from cogs.screens.screen import Buttons, Screen, Step, Steps
from engines.court import COURT, board, deck, model
from engines.court.model import Options, Push, State
from engines.kit.chance import Chance
from tests.cogs.court.states import BENCH, NAMES, cached_positions, make_state
from tests.cogs.screen_bench import spec_of, walk_buttons
from tests.engines.court.positions import parse_position, seat_to_act

SHORT = BENCH.context(4).short_names
CROWD = "K9 P12 C20 V4", "10H 5H 9D QS AC menhir/", "K5 R12 - D7"


def step_of(state: State, key: str, seat: int = 0) -> Step:
    (steps,) = BENCH.hand(state, seat).controls
    assert isinstance(steps, Steps)
    assert steps.buttons
    return next(step for step in steps.steps if step.key == key)


def labels_of(screen: Screen | Step) -> dict[str, str]:
    rows = [control for control in screen.controls if isinstance(control, Buttons)]
    return {button.move: button.label for button in walk_buttons(rows)}


def questions_of(step: Step) -> dict[str, str | None]:
    return {button.move: button.confirm for button in walk_buttons(step.controls)}


def test_t4_each_card_says_where_it_takes_the_own_mage() -> None:
    state = make_state(*CROWD, banners="D")
    assert labels_of(BENCH.hand(state, 0)) == {"move 5H": "5♥ to K6", "move 10H": "10♥ to K6", "move 9D": "9♦ to T9"}
    assert BENCH.hand(state, 0).headline == "Move your Mage: choose a card."


@pytest.mark.parametrize(("banners", "label"), [("S", "5♠ crosses"), ("H", "5♠: banner")])
def test_t6_a_card_over_an_edge_says_whether_it_brings_a_banner(banners: str, label: str) -> None:
    state = make_state("K20 P12", "5S 2H/", banners=banners)
    assert labels_of(BENCH.hand(state, 0))["move 5S"] == label


def test_t5_a_card_that_moves_nowhere_says_so_on_its_button_and_why_in_words() -> None:
    state = make_state("K9 K8", "5H/")
    assert labels_of(BENCH.hand(state, 0)) == {"move 5H": "5♥ stays"}
    assert "5♥ nowhere, the Mage on K8 is in the way" in BENCH.hand(state, 0).below[0]


def test_t4_without_a_number_card_the_court_cards_and_skipping_are_offered() -> None:
    state = make_state("K9 P12", "QS AC menhir/")
    assert set(labels_of(BENCH.hand(state, 0))) == {"move QS", "skip"}
    assert "no number card" in BENCH.hand(state, 0).above[0]
    assert BENCH.hand(state, 0).headline == "Move one square, or skip."


def test_t4_the_picture_shows_where_each_card_leads_and_says_it_as_the_buttons_do() -> None:
    state = make_state(*CROWD)
    drawn = hand_picture(state)
    assert [(way.card, board.square_name(way.move.end)) for way in drawn.board.possible_moves] == [
        ("5H", "K6"),
        ("10H", "K6"),
        ("9D", "T9"),
    ]
    assert {card.name: card.text for card in drawn.hand} == {
        "5H": "K6",
        "10H": "K6",
        "9D": "T9",
        **dict.fromkeys(("QS", "AC", "menhir"), "later"),
    }
    assert {card.name for card in drawn.hand if card.idle} == {"QS", "AC", "menhir"}
    assert "Your Mage would go: 5♥ to K6; 10♥ to K6; 9♦ to T9. For later, in Phase Two: Q♠, A♣, Menhir." in alt_of(
        state
    )
    waiting = hand_picture(state, 1)
    assert waiting.board.possible_moves == ()
    assert not any(card.idle or card.text for card in waiting.hand)


def test_t6_a_card_over_an_edge_shows_the_banner_that_it_brings() -> None:
    for banners, text, banner, label in (("-", "", "S", "5♠: banner"), ("S", "crosses", "", "5♠ crosses")):
        state = make_state("K20 P12", "5S 2H/", banners=banners)
        drawn = hand_picture(state)
        assert [(card.text, card.banner) for card in drawn.hand] == [("K18", ""), (text, banner)]
        assert [way.banner for way in drawn.board.possible_moves] == [False, bool(banner)]
        assert label in alt_of(state)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_card_that_moves_the_own_mage_is_drawn_where_it_leads(seats: int) -> None:
    for state in cached_positions(13, seats)[:-1]:
        moves = [move for move in COURT.moves(state, seat_to_act(state)) if isinstance(move, model.Step)]
        drawn = hand_picture(state, seat_to_act(state)).board.possible_moves if moves else ()
        assert sorted(way.card for way in drawn) == sorted(deck.card_name(move.card) for move in moves)
        ends = {deck.card_name(move.card): board.mage_path(state, state.turn, move.card).end for move in moves}
        assert {way.card: way.move.end for way in drawn} == ends


def test_t8_the_hand_says_what_each_card_does_and_where_it_leads_the_only_rival() -> None:
    four, two = make_state(*CROWD, phase="hinder"), make_state("K9 V4", "10H 5H 9D QS AC menhir/", phase="hinder")
    effects = {"QS": "attack", "AC": "wound", "menhir": "place"}
    drawn = hand_picture(four)
    assert {card.name: card.text for card in drawn.hand} == {**dict.fromkeys(("5H", "10H", "9D"), "move"), **effects}
    assert drawn.board.possible_moves == ()
    assert "5♥ move, 10♥ move, 9♦ move, Q♠ attack, A♣ wound, Menhir place." in alt_of(four)
    drawn = hand_picture(two)
    assert {card.name: (card.text, card.banner, card.mage) for card in drawn.hand} == {
        "5H": ("", "H", 1),
        "10H": ("", "H", 1),
        "9D": ("", "D", 1),
        **{name: (text, "", -1) for name, text in effects.items()},
    }
    assert [(way.card, way.seat, way.banner) for way in drawn.board.possible_moves] == [
        ("5H", 1, True),
        ("10H", 1, True),
        ("9D", 1, True),
    ]
    assert not any(card.idle for card in drawn.hand)
    assert "The Mage of B would go: 5♥: banner; 10♥: banner; 9♦: banner." in alt_of(two)
    state = make_state("K9 K12", "3H 2H 9S 2D/", "- K13", phase="hinder")
    uses = {card.name: (card.text, card.mage) for card in hand_picture(state).hand}
    assert uses == {"2H": ("K10", 1), "3H": ("K10", 1), "2D": ("M12", 1), "9S": ("stays", -1)}


def alt_of(state: State, seat: int = 0) -> str:
    picture = BENCH.hand(state, seat).picture
    assert picture is not None
    return picture.alt


def hand_picture(state: State, seat: int = 0) -> CourtPicture:
    return spec_of(BENCH.hand(state, seat), CourtPicture)


def test_t8_a_number_card_says_where_it_takes_each_of_the_others_and_draws_it() -> None:
    state = make_state(*CROWD, phase="hinder", banners="- H")
    step = step_of(state, "9D")
    assert labels_of(step) == {
        "push 9D B": f"{SHORT[1]} to Q12",
        "push 9D C": "Cleo to L20",
        "push 9D D": "Dov gets banner",
        "discard 9D": "Discard 9♦",
    }
    assert (step.label, step.question, step.back) == ("9♦", "Whose Mage does the 9♦ move?", "Other card")
    assert step.intro == "9 squares right."
    assert spec_of(step, CourtPicture).chosen == "9D"  # the only card that is bright
    assert [card.name for card in spec_of(step, CourtPicture).hand if not card.idle] == ["9D"]
    assert step.picture is not None  # the dimmed cards are as playable as before
    assert step.picture.alt.startswith("9♦ is chosen. It would move ")
    assert not re.search("playable|later", step.picture.alt)
    possible_moves = {(way.seat, way.move.end, way.banner) for way in spec_of(step, CourtPicture).board.possible_moves}
    assert possible_moves == {
        (1, board.parse_square("Q12"), False),
        (2, board.parse_square("L20"), False),
        (3, -1, True),
    }


def test_t7_bringing_a_rival_a_banner_needs_a_confirmation() -> None:
    state = make_state(*CROWD, phase="hinder", banners="- - - HS")
    questions = questions_of(step_of(state, "9D"))
    assert "gives Dov the banner of diamonds ♦" in (questions.pop("push 9D D") or "")
    assert [*questions.values()] == [None, None, None]
    assert questions_of(step_of(state, "5H"))["push 5H D"] is None  # claimed already
    state.goal = 3
    assert "makes Dov win" in (questions_of(step_of(state, "9D"))["push 9D D"] or "")


def test_t9_attacks_are_offered_by_whom_they_hit() -> None:
    four = make_state("K9 P12 C20 V4", "JH QS KD/", phase="hinder")
    assert set(labels_of(step_of(four, "JH"))) == {*(f"attack JH {seat}" for seat in "BCD"), "discard JH"}
    found = labels_of(step_of(four, "QS"))
    assert set(found) == {*(f"attack QS {whom}" for whom in ("B", "C", "D", "B C", "B D", "C D")), "discard QS"}
    assert [found[f"attack QS {whom}"] for whom in ("C", "C D")] == ["Cleo", "Cleo and Dov"]
    assert step_of(four, "QS").question == "Who does the Q♠ attack?"
    assert labels_of(step_of(four, "KD"))["attack KD"] == "Attack all"
    two = make_state("K9 P12", "JH/", phase="hinder")
    assert {*labels_of(step_of(two, "JH")).values()} == {f"Attack {SHORT[1]}", "Discard J♥"}


def test_t8_an_ace_strikes_and_heals_unless_health_is_full() -> None:
    hurt = make_state("K9 P12", "AC/", phase="hinder", health="5 6")
    found = labels_of(step_of(hurt, "AC"))
    assert set(found) == {"strike AC", "heal AC", "discard AC"}
    assert found["heal AC"] == "Heal: from 5 to 6 health"
    well = make_state("K9 P12", "AC/", phase="hinder")
    assert set(labels_of(step_of(well, "AC"))) == {"strike AC", "discard AC"}


def test_t8_a_menhirs_square_is_chosen_by_row_and_name_where_it_may_stand() -> None:
    state = make_state(*CROWD, phase="hinder")
    step = step_of(state, "menhir")
    rows, _ = step.controls
    assert isinstance(rows, Steps)
    assert rows.buttons
    numbers = [str(row) for row in range(1, board.SIDE + 1)]
    assert [(row.label, row.key, row.question) for row in rows.steps] == [
        (number, number, f"Which square of row {number}?") for number in numbers
    ]
    assert step.question == "Which row for your Menhir?"
    ninth = [*labels_of(rows.steps[8]).values()]
    assert ninth == [f"{letter}9" for letter in board.COLUMN_LETTERS if letter != "K"]  # Mage A stands on K9
    offered = [square for row in rows.steps for square in labels_of(row)]
    taken = {board.OFF_BOARD, *state.mages, *state.menhirs, *board.START_SQUARES}
    free = {*range(484)} - taken
    assert sorted(offered) == sorted(f"menhir {board.square_name(square)}" for square in free)


def test_t8_the_chosen_row_is_drawn_on_the_small_board() -> None:
    step = step_of(make_state(*CROWD, phase="hinder"), "menhir")
    rows, _ = step.controls
    assert isinstance(rows, Steps)
    for marked, row in ((step, -1), (rows.steps[7], 7)):
        drawn = spec_of(marked, CourtPicture)
        assert (drawn.board.row, drawn.small) == (row, True)
    assert rows.steps[7].picture is not None
    assert rows.steps[7].picture.alt.startswith("Row 8 is chosen. ")


def test_t6_free_starting_squares_are_offered_and_marked() -> None:
    state = COURT.start(3, Options(), Chance("7" * 32))
    first = seat_to_act(state)
    assert [*labels_of(BENCH.hand(state, first)).values()] == ["K11", "L11", "K12", "L12"]
    COURT.play(state, first, COURT.moves(state, first)[1])
    second = seat_to_act(state)
    assert [*labels_of(BENCH.hand(state, second))] == ["place K11", "place K12", "place L12"]
    assert [board.square_name(square) for square in hand_picture(state, second).board.free] == ["K11", "K12", "L12"]
    assert hand_picture(state, first).board.free == ()
    assert "Place your Mage" in BENCH.hand(state, second).above[0]
    assert "to place the Mage" in BENCH.hand(state, first).above[0]


def test_t10_the_banners_to_give_back_are_offered() -> None:
    state = make_state("K9 P12 C20", "AC/", phase="hinder", banners="- HC", health="6 1 6")
    COURT.play(state, 0, COURT.parse_move("strike AC"))
    assert [*labels_of(BENCH.hand(state, 1))] == ["give C", "give H"]
    assert "was knocked out" in BENCH.hand(state, 1).above[0]
    assert BENCH.hand(state, 0).controls == ()
    assert "B 李雷, 8 cards** to give back a banner" in BENCH.hand(state, 0).above[0]


def test_moves_are_offered_with_where_they_lead() -> None:
    state = make_state(*CROWD)
    view, context = COURT.view(state, 0), BENCH.context(4)
    assert choice_label(view, COURT.parse_move("move 9D"), context) == "Move your Mage by the 9♦, to T9"
    barred = COURT.view(parse_position("   C D\n2 B .\n12 b A\nhands: 3C 4C 9S"), 0)
    stays = "Move your Mage by the 3♣ (the Menhir on C12 is in the way: it stays)"
    assert choice_label(barred, COURT.parse_move("move 3C"), context) == stays
    pushed = f"Move {NAMES[1]}'s Mage by the 9♦, to Q12, stopped by the Menhir on R12"
    assert choice_label(view, Push(deck.parse_card("9D"), 1), context) == pushed
    assert choice_label(view, COURT.parse_move("attack KD B"), context) == f"Attack {NAMES[1]} with the K♦"
    assert choice_label(view, COURT.parse_move("menhir K9"), context) == "Place your Menhir on K9"
