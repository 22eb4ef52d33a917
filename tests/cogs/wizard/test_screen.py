"""Wizard's screens, beyond the laws: labels, order and confirmations of controls."""

from __future__ import annotations

import re
from itertools import chain, pairwise

import pytest

from cogs.screens import words
from cogs.screens.control_widths import BUTTON_GAP, COLUMN_PIXELS, button_width
from cogs.screens.emoji import suit_emoji
from cogs.screens.screen import MAX_SCREEN_TEXT, Button, Buttons, Control, Option, Select
from cogs.table.wording.sentences import join_newest
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.game_ui import GAME_UI
from cogs.wizard.words import emoji_of, short_card
from engines.wizard import WIZARD, deck, model
from engines.wizard.model import AnyEvent, Score
from tests.cogs.screen_bench import plain_number, screen_text, spec_of
from tests.cogs.wizard.states import BENCH, match_positions
from tests.engines.wizard.positions import parse_position

LONG_NAMES = tuple(letter + "\\_" * 31 for letter in "abcdef")  # 32 characters, escaped


def control_parts(control: Control) -> tuple[Button | Option, ...]:
    assert isinstance(control, Buttons | Select)
    return control.buttons if isinstance(control, Buttons) else control.options


@pytest.mark.parametrize("seats", [3, 6])
def test_a_long_draw_for_the_deal_fits_too(seats: int) -> None:
    state = next(match_positions(seats, 1))
    state.draws[:0] = [(53,) * seats] * 6
    assert len(screen_text(BENCH.hand(state, state.turn, LONG_NAMES, ("x" * 200,) * 12))) <= MAX_SCREEN_TEXT


def test_controls_keep_their_order_as_the_hand_shrinks() -> None:
    turns = (BENCH.hand(state, 0).controls for state in match_positions(3, 16) if state.turn == 0)
    for one, two in pairwise([part.move for part in chain(*map(control_parts, controls))] for controls in turns):
        shared = [move for move in one if move in two]
        assert shared == [move for move in two if move in one]


@pytest.mark.parametrize(
    ("dealt", "buttons", "listed"), [(1, 2, 0), (5, 6, 0), (9, 10, 0), (14, 15, 0), (15, 10, 16), (20, 10, 21)]
)
def test_bids_are_a_row_and_a_list_if_there_are_more(dealt: int, buttons: int, listed: int) -> None:
    state = next(s for s in match_positions(3, 17) if s.round == dealt and s.phase == "bid")
    row, *rest = BENCH.hand(state, state.turn).controls
    assert [part.move for part in control_parts(row)] == [f"bid {tricks}" for tricks in range(buttons)]
    assert sum(len(control_parts(select)) for select in rest) == listed


def test_cards_are_written_one_way_on_buttons_where_a_telephone_shows_them_in_two_rows_and_else_in_a_list() -> None:
    results: set[bool] = set()
    for state in match_positions(3, 20):
        if state.phase == "play":
            controls = BENCH.hand(state, state.turn).controls
            labels = [[part.label for part in control_parts(control)] for control in controls]
            for part in chain(*map(control_parts, controls)):
                assert part.label == short_card(deck.parse_card(part.move.split()[1]))
            assert len(controls) <= 2
            many, broad = isinstance(controls[0], Select), {*chain(*labels)} & {"Wizard", "Jester"}
            assert many == (len(WIZARD.moves(state, state.turn)) > 10 - len(broad))
            assert many or all(len(row) <= 5 - bool({"Wizard", "Jester"} & {*row}) for row in labels)
            results.add(many)
    assert results == {True, False}


@pytest.mark.parametrize("seats", [3, 6])
def test_all_card_buttons_of_a_round_have_pictures_or_none(seats: int) -> None:
    pictures: dict[tuple[int, int], set[bool]] = {}
    for state in match_positions(seats, 20):
        if state.phase == "play":
            for control in BENCH.hand(state, state.turn).controls:
                if isinstance(control, Buttons):
                    buttons = {button.emoji is not None for button in control.buttons}
                    pictures.setdefault((state.round, state.turn), set()).update(buttons)
    assert all(len(found) == 1 for found in pictures.values())
    assert [has for number in (1, 5, 10) for has in pictures[number, 0]] == [True, True, False]


SCORES = (Score(1, 1, 30), Score(1, 0, -10), Score(0, 0, 20))
BRIEF = [
    (model.RoundDealt(round=3, dealer=0, turned=deck.parse_card("4S"), trump=3), None),
    (model.HandDealt(seat=0, cards=(1, 2)), None),
    (model.TrumpNamed(seat=2, suit=2), "Cleo names hearts ♥ as trump"),
    (model.BidMade(seat=0, tricks=2), None),
    (model.CardPlayed(seat=0, card=deck.WIZARD), "Ana plays a Wizard"),
    (model.CardPlayed(seat=1, card=deck.parse_card("QC")), "Ben plays Q♣"),
    (model.TrickTaken(seat=1), "Ben takes the trick"),
    (model.RoundScored(round=1, scores=SCORES, totals=(30, -10, 20)), "round 1 gives Ana +30, Ben −10 and Cleo +20"),
]


@pytest.mark.parametrize(("event", "sentence"), BRIEF)
def test_news_are_brief(event: AnyEvent, sentence: str | None) -> None:
    assert GAME_UI.screen.narrate_briefly(event, BENCH.context(3, ("Ana", "Ben", "Cleo"))) == sentence


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_end_of_a_round_leaves_room_for_who_took_its_last_trick(seats: int) -> None:
    names = tuple(letter * 8 for letter in "Abcdef"[:seats])
    scores = tuple(Score(0, 1, -10 * seat) for seat in range(seats))
    events = (
        model.TrickTaken(seat=1),
        model.RoundScored(round=9, scores=scores, totals=(0,) * seats),
        model.RoundDealt(round=10, dealer=0, turned=deck.parse_card("4S"), trump=3),
        *(model.BidMade(seat=seat, tricks=1) for seat in range(1, seats)),
    )
    sentences = [GAME_UI.screen.narrate_briefly(event, BENCH.context(seats, names)) for event in events]
    joined = join_newest([line for line in sentences if line])
    assert joined.startswith("Bbbbbbbb takes the trick. Round 9 gives ")


def test_a_round_of_many_long_names_is_told_by_points_in_the_order_of_seats() -> None:
    scores = tuple(Score(0, 1, -10 * seat) for seat in range(1, 7))
    names = tuple(letter * 8 for letter in "abcdef")
    scored = model.RoundScored(round=9, scores=scores, totals=(0,) * 6)
    line = GAME_UI.screen.narrate_briefly(scored, BENCH.context(6, names))
    assert line == "round 9 gives −10, −20, −30, −40, −50 and −60"


HEADLINES = [
    ("trump: none | players: 4 | hand: 5D 6S 7S 8S", "Lead a card: any you like.", "W5"),
    ("trump: none | players: 4 | trick: jester | hand: 5D 6S 7S 8S", "Play any card: only Jesters so far.", "W6"),
    ("trump: none | players: 4 | trick: wizard | hand: 5D 6S 7S 8S", "Play any card: a Wizard was led.", "W6"),
    ("trump: none | players: 4 | trick: 3D | hand: 5D 6S 7S 8S", "Play a card: follow diamonds ♦.", "W7"),
    ("trump: none | players: 4 | trick: 3C | hand: 5D 6S 7S 8S", "Play any card: you have no clubs.", "W7"),
]


@pytest.mark.parametrize(("at", "sentence", "rule"), HEADLINES)
def test_a_sentence_says_what_to_do_and_which_rule_it_is_about(at: str, sentence: str, rule: str) -> None:
    drawn = BENCH.hand(parse_position(at), parse_position(at).turn)
    assert (drawn.headline, drawn.rule) == (sentence, rule)
    assert "20 + 10 per trick" in drawn.worth_text


def test_bids_are_asked_for_in_a_sentence_and_others_learn_whom_it_is_about() -> None:
    first, later = (next(s for s in match_positions(3, 1) if s.round == n and s.phase == "bid") for n in (1, 2))
    assert BENCH.hand(first, first.turn).headline == "Bid: will you take the only trick?"
    drawn, names = BENCH.hand(later, later.turn), ("Ana", "Ben", "Cleo")
    assert (drawn.headline, drawn.rule) == ("Bid: how many of the 2 tricks?", "W4")
    assert BENCH.hand(later, (later.turn + 1) % 3, names).headline == f"Waiting for {names[later.turn]} to bid."


def test_alt_texts_write_cards_as_they_are_written_elsewhere() -> None:
    for state in (state for seed in range(20) for state in match_positions(3, seed, rounds=2)):
        picture = BENCH.table(state).picture
        assert picture is not None
        up = "" if state.turned is None else f"{short_card(state.turned)} turned up"
        assert up in picture.alt or "named by" in picture.alt


def test_the_last_trick_of_the_round_before_is_told_as_such() -> None:
    for state in (state for state in match_positions(3, 7, rounds=3) if state.last):
        view = WIZARD.view(state, None)
        text = "\n".join(BENCH.table(state).below)
        is_before = not view.tricks and view.phase != "over"
        assert (f"**Last trick of round {view.round - 1}**" in text) is is_before
        picture = BENCH.table(state).picture
        assert picture is not None
        assert (f"Last trick of round {view.round - 1}: " in picture.alt) is is_before


def test_cards_have_emoji_if_two_rows_have_room_for_them() -> None:
    row_counts: set[int] = set()
    for state in match_positions(3, 20):
        if state.phase == "play":
            controls = BENCH.hand(state, state.turn).controls
            parts = list(chain(*map(control_parts, controls)))
            pictures = [part.emoji for part in parts if part.emoji]
            if pictures:
                assert pictures == [emoji_of(deck.parse_card(part.move.split()[1])) for part in parts]
            if isinstance(controls[0], Select) or state.trick_count < 7:
                assert pictures, "a list and six cards have room"
            elif state.trick_count > 8:
                assert not pictures, "five cards in a row leave no room"
            rows = [control_parts(control) for control in controls if isinstance(control, Buttons)]
            widths = [sum(button_width(part.label, bool(part.emoji)) + BUTTON_GAP for part in row) for row in rows]
            assert all(width <= COLUMN_PIXELS + BUTTON_GAP for width in widths), widths
            row_counts.add(len(parts))
    assert row_counts >= {1, 6, 8, 9, 12}


def test_the_trump_is_named_by_four_buttons() -> None:
    state = next(s for seed in range(100) for s in match_positions(3, seed, rounds=3) if s.phase == "trump")
    (row,) = BENCH.hand(state, state.turn).controls
    assert isinstance(row, Buttons)
    labels = {"trump S": "Spades", "trump H": "Hearts", "trump C": "Clubs", "trump D": "Diamonds"}
    assert [(part.move, part.label) for part in row.buttons] == [*labels.items()]
    assert [part.emoji for part in row.buttons] == [suit_emoji(suit) for suit in (3, 2, 0, 1)]


def test_the_hand_lies_still_on_others_turns_and_marks_what_may_be_played_on_its_own() -> None:
    for state in match_positions(4, 18, rounds=8):
        for seat in range(4):
            faces = spec_of(BENCH.hand(state, seat), WizardPicture).hand
            playing = seat == state.turn and state.phase == "play"
            assert {face.raised != face.dimmed for face in faces} <= ({True} if playing else {False})


def test_the_sheet_has_every_round_and_the_totals_and_the_result_has_every_round() -> None:
    *_, state = match_positions(5, 19)
    sheet = BENCH.sheet(state).above[0]
    rounds, _, totals = sheet.partition("\n**Total**\n")
    assert len(re.findall(r"^\*\*\d+\*\*: A.*\xa0· B", rounds, re.MULTILINE)) == 12
    labels = [words.seat_label(BENCH.context(5), seat) for seat in range(5)]
    points = map(plain_number, state.scores)
    assert totals.splitlines() == [f"{label}: {each}" for label, each in zip(labels, points, strict=True)]
    screen = BENCH.result(state)
    assert screen.controls == ()
    assert rounds in screen.below
