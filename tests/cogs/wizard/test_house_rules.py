"""What is shown of hidden and blind bids, and of a dummy hand (W16 to W19)."""

from __future__ import annotations

from random import Random

import pytest

from cogs.screens.screen import Context, Screen
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.game_ui import GAME_UI
from engines.kit.chance import Chance
from engines.wizard import WIZARD, model
from engines.wizard.model import Bid, Options, State
from tests.cogs.screen_bench import screen_text, spec_of
from tests.contexts import make_context

SCREEN = GAME_UI.screen
NAMES = ("Ada", "Bela", "Chidi", "Dora")


def at_bids(options: Options, number: int, seats: int = 4) -> State:
    """The bids of that round, after random moves. No trump is to be named."""
    for seed in range(20):
        state, rng = WIZARD.start(seats, options, Chance(f"{seed:032x}")), Random(seed)
        while state.round < number:
            seat = rng.choice([*WIZARD.decisions(state)])
            WIZARD.play(state, seat, rng.choice(WIZARD.moves(state, seat)))
        if state.phase == "bid":
            return state
    raise AssertionError("a Wizard is turned up every time")


def context_of(state: State, options: Options) -> Context:
    return make_context(NAMES[: len(state.scores)], options)


def hand(state: State, seat: int, options: Options) -> Screen:
    view, moves = WIZARD.view(state, seat), WIZARD.moves(state, seat)
    return SCREEN.hand(view, WIZARD.decisions(state).get(seat), moves, context_of(state, options))


def table(state: State, options: Options) -> Screen:
    return SCREEN.table(WIZARD.view(state, None), context_of(state, options))


def plate_texts(screen: Screen) -> list[str]:
    return [plate.lines[0].text for plate in spec_of(screen, WizardPicture).plates]


HIDDEN, LATE = Options(bids="hidden"), Options(bids="late")


@pytest.mark.parametrize(
    ("options", "rule", "until"), [(HIDDEN, "W16", "all have bid"), (LATE, "W17", "the round is scored")]
)
def test_w16_w17_plates_and_words_show_who_has_bid_but_no_bid_of_others(
    options: Options, rule: str, until: str
) -> None:
    state = at_bids(options, 3)
    screen = hand(state, 0, options)
    assert (screen.headline, screen.rule) == ("Bid: how many of the 3 tricks?", rule)
    assert f"nobody else sees your bid until {until}" in screen_text(screen)
    assert table(state, options).headline == "Waiting for 4 players to bid."
    WIZARD.play(state, 0, Bid(2))
    WIZARD.play(state, 3, Bid(1))
    table_screen = table(state, options)
    assert table_screen.headline == "Waiting for Bela and Chidi to bid."
    spec = spec_of(table_screen, WizardPicture)
    assert spec.counts[1] == "2 of 4 have bid"
    assert [plate.turn for plate in spec.plates] == [False, True, True, False]
    assert [text == "has bid" for text in plate_texts(table_screen)] == [True, False, False, True]
    own = hand(state, 0, options)
    assert plate_texts(own)[0] == "bid 2"
    assert plate_texts(own)[3] == "has bid"
    assert own.controls == ()
    assert "**Ada (you)**: bid 2" in screen_text(own)
    assert "**Dora**: has bid, " in screen_text(own)
    assert f"Bids total: hidden until {until}; 3 tricks in this round" in screen_text(own)


def test_w17_late_bids_are_shown_nowhere_while_cards_are_played_but_to_their_own_seat() -> None:
    state = at_bids(LATE, 3)
    for seat in range(4):
        WIZARD.play(state, seat, Bid(3))
    assert plate_texts(table(state, LATE)) == ["took 0 of ?"] * 4
    assert plate_texts(hand(state, 2, LATE)) == ["took 0 of ?", "took 0 of ?", "took 0 of 3", "took 0 of ?"]
    assert spec_of(table(state, LATE), WizardPicture).counts[1] == "bids are hidden"
    for screen in (table(state, LATE), hand(state, 2, LATE)):
        assert screen.picture is not None
        for seat in (0, 1, 3):
            assert f"**{NAMES[seat]}**: has bid, took 0" in screen_text(screen)
            assert f"{NAMES[seat]}: took 0 of ?" in screen.picture.alt
    known = hand(at_bids(Options(), 3), 0, Options())
    assert "of ?" not in str(plate_texts(known))


def test_w16_w17_the_news_name_the_bids_when_they_are_revealed() -> None:
    revealed = model.BidsRevealed(bids=(1, 0, 2, 2))
    for options, brief in ((HIDDEN, None), (LATE, "The bids were Ada 1, Bela 0, Chidi 2 and Dora 2.")):
        context = make_context(NAMES, options)
        assert SCREEN.narrate(model.BidPlaced(seat=1), context) == "Bela has bid."
        assert SCREEN.narrate(revealed, context) == "The bids are revealed: Ada 1, Bela 0, Chidi 2, Dora 2."
        assert SCREEN.narrate_briefly(revealed, context) == brief


@pytest.mark.parametrize("bids", ["open", "hidden", "late"])
def test_w18_blind_hands_show_backs_and_say_when_the_cards_are_seen(bids: model.Bidding) -> None:
    options = Options(bids=bids, blind=True)
    state = at_bids(options, 3)
    screen = hand(state, state.turn, options)
    spec = spec_of(screen, WizardPicture)
    assert [(face.key, face.dimmed) for face in spec.hand] == [("back", False)] * 3
    assert screen.picture is not None
    assert screen.picture.alt.endswith("Your hand: 3 cards face down. You bid before you see your cards.")
    assert (screen.headline, screen.rule) == ("Bid blind: how many of the 3 tricks?", "W18")
    text = screen_text(screen)
    assert "**Your hand**: 3 cards, face down. In this round you bid before you see your cards." in text
    assert "Round 3 of 15, blind bids" in text
    assert "Round 3 of 15, blind bids" in screen_text(table(state, options))
    for seat in (state.turn, *(each for each in WIZARD.decisions(state) if each != state.turn)):
        WIZARD.play(state, seat, Bid(0))
    while state.phase == "bid":
        WIZARD.play(state, state.turn, Bid(0))
    assert "back" not in {face.key for face in spec_of(hand(state, state.turn, options), WizardPicture).hand}


def test_w18_hints_know_no_card_of_a_blind_hand() -> None:
    state = at_bids(Options(blind=True), 3)
    view = WIZARD.view(state, state.turn)
    average = "A hand that you have not seen takes 0 to 1 trick on average"
    assert SCREEN.move_reason(view, Bid(1), make_context(NAMES, Options())) == f"{average}."
    WIZARD.play(state, state.turn, Bid(2))
    view = WIZARD.view(state, state.turn)
    reason = SCREEN.move_reason(view, Bid(1), make_context(NAMES, Options()))
    assert reason == f"{average}, and so far the bids add up to 2 of 3 tricks."
    state.phase, state.trump = "trump", None
    reason = SCREEN.move_reason(WIZARD.view(state, 0), model.NameTrump(1), make_context(NAMES, Options()))
    assert reason == "You name the trump suit before you see your cards, so all suits are alike to you."


DUMMY = Options(dummy=True)


def test_w19_the_dummy_has_a_plate_without_points_and_a_name_in_every_seat() -> None:
    state, rng = at_bids(DUMMY, 3, seats=2), Random(4)
    assert plate_texts(table(state, DUMMY))[2] == "makes no bid"
    count = 0
    while WIZARD.decisions(state):
        seat = state.turn
        spec = spec_of(hand(state, seat, DUMMY), WizardPicture)
        assert [plate.name for plate in spec.plates] == ["Ada", "Bela", "Dummy"]
        assert spec.plates[2].lines[1].text == "no score"
        assert not spec.plates[2].turn
        if state.phase == "play":
            assert spec.plates[2].lines[0].text == f"took {state.taken[2]}"
        text = screen_text(hand(state, seat, DUMMY))
        assert f"**Dummy**: no bid, took {state.taken[2]}, no score" in text
        assert f"{len(state.hands[2])} card" in text
        count += f"Dummy {'plays' if state.leader != 2 else 'leads'}: " in text
        events = WIZARD.play(state, seat, rng.choice(WIZARD.moves(state, seat)))
        for event in events:
            sentence = SCREEN.narrate(event, make_context(NAMES[:2], DUMMY))
            if isinstance(event, model.CardPlayed | model.TrickTaken) and event.seat == 2:
                assert sentence is not None
                assert sentence.startswith(("Dummy plays ", "Dummy takes "))
        if state.round > 6:
            break
    assert count > 5


def test_w19_the_result_and_the_score_sheet_leave_the_dummy_out() -> None:
    options, rng = Options(rounds=2, dummy=True), Random(1)
    state = WIZARD.start(2, options, Chance("1" * 32))
    while WIZARD.decisions(state):
        WIZARD.play(state, state.turn, rng.choice(WIZARD.moves(state, state.turn)))
    outcome = WIZARD.outcome(state)
    assert outcome is not None
    screen = SCREEN.result(WIZARD.view(state, None), outcome, context_of(state, options))
    assert screen.picture is not None
    assert "Dummy" not in screen.picture.alt
    assert "Dummy" not in screen_text(SCREEN.sheet(WIZARD.view(state, None), context_of(state, options)))


@pytest.mark.parametrize(
    ("options", "seats", "words"),
    [
        (Options(), 4, ("open", "off", "off")),
        (
            Options(bids="hidden", blind=True, dummy=True),
            2,
            ("hidden until all have bid", "every third round", "on for two players"),
        ),
        (
            Options(bids="late", dummy=True),
            5,
            ("hidden until the round is scored", "off", "on for two players (no effect with 5)"),
        ),
    ],
)
def test_w16_to_w19_the_lobby_names_the_options_in_words(
    options: Options, seats: int, words: tuple[str, str, str]
) -> None:
    texts = SCREEN.option_texts(options, seats)
    assert (texts["bids"], texts["blind"], texts["dummy"]) == words


def test_w19_a_match_of_two_with_other_hands_is_shorter_than_one_of_three() -> None:
    assert SCREEN.match_minutes(Options(hands="quick", dummy=True), 2) == 35
    assert SCREEN.match_minutes(Options(hands="quick"), 3) == 50
