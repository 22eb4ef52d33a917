"""What is shown of Wizard's special cards (W20 to W25)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.screens.screen import Buttons, Screen
from cogs.wizard.drawing.cards import wizard_card
from cogs.wizard.drawing.spec import WizardPicture
from cogs.wizard.game_ui import GAME_UI
from engines.kit.chance import Chance
from engines.wizard import WIZARD, deck, model
from engines.wizard.model import SPECIAL_NAMES, Options, State
from tests.cogs.screen_bench import screen_text, spec_of
from tests.contexts import make_context
from tests.engines.wizard.positions import parse_position, play_moves

SCREEN = GAME_UI.screen
NAMES = ("Ada", "Bela", "Chidi")
SPECIALS: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
OPTIONS = Options(**SPECIALS)
CONTEXT = make_context(NAMES, OPTIONS)
PACK = f"specials: {' '.join(SPECIAL_NAMES)}"


def hand(state: State, seat: int) -> Screen:
    return SCREEN.hand(WIZARD.view(state, seat), WIZARD.decisions(state).get(seat), WIZARD.moves(state, seat), CONTEXT)


def table(state: State) -> Screen:
    return SCREEN.table(WIZARD.view(state, None), CONTEXT)


def button_labels(screen: Screen) -> list[str]:
    return [button.label for row in screen.controls if isinstance(row, Buttons) for button in row.buttons]


def picture(screen: Screen) -> WizardPicture:
    return spec_of(screen, WizardPicture)


def alt_text(screen: Screen) -> str:
    assert screen.picture is not None
    return screen.picture.alt


def test_w20_to_w25_a_hand_names_the_special_cards_from_the_strongest_to_the_weakest() -> None:
    state = parse_position(f"trump: H | {PACK} | hand: {' '.join(SPECIAL_NAMES)} wizard jester 2H")
    names = ["elephant", "wizard", "2H", "jester", "trapdoor", "chameleon", "carousel", "weathervane", "mouse"]
    assert [face.key for face in picture(hand(state, 0)).hand] == names
    text = screen_text(hand(state, 0))
    for line in (
        "🐘 Elephant",
        "🧙 1 Wizard",
        "🚪 Trapdoor",
        "🦎 Chameleon",
        "🎠 Carousel",
        "🐓 Weathervane",
        "🐭 Mouse",
    ):
        assert line in text.split("\n")


def effects(**options: Any) -> dict[str, str]:
    return {card.name: card.effect for card in SCREEN.special_cards(Options(**options), 3)}


def test_w21_w23_effects_are_those_of_the_match() -> None:
    assert effects(mouse=True)["Mouse"] == "loses to every other card"
    assert effects(mouse=True, elephant=True)["Mouse"] == "loses to all, but catches the Elephant"
    assert effects(chameleon=True)["Chameleon"] == "swaps with the turned-up card"
    assert effects(chameleon=True, hands="all cards")["Chameleon"] == "counts as a Jester in this match"
    state = parse_position("trump: H | specials: mouse | hand: mouse 2H")
    assert [card.effect for card in SCREEN.own_special_cards(WIZARD.view(state, 0))] == ["loses to every other card"]


def test_w24_the_carousels_effect_holds_if_nobody_has_a_card_left() -> None:
    assert effects(carousel=True)["Carousel"] == "after it all with cards pass one left"


@pytest.mark.parametrize(("number", "gains"), [(2, "Jester"), (3, "")])
def test_w18_w23_a_swapped_card_counts_once_also_after_a_blind_bid(number: int, gains: str) -> None:
    view = replace(WIZARD.view(parse_position(f"trump: H | {PACK} | hand: jester 2H"), 0), blind=True)
    jester, chameleon = deck.parse_card("jester"), deck.parse_card("chameleon")
    swapped = model.TurnedCardSwapped(seat=0, card=jester)
    start = model.RoundDealt(round=number, dealer=0, turned=jester, trump=None)
    hands = [model.HandDealt(seat=0, cards=(card, 0), to=(0,)) for card in (chameleon, jester)]
    events = [start, hands[0], swapped] if gains else [start, swapped, hands[1]]
    changes = SCREEN.special_card_changes(events, view)
    assert [card.name for card in changes[events.index(swapped)].gains] == ([gains] if gains else [])
    assert [card.name for change in changes for card in change.gains] == ["Jester"]
    assert not any(change.losses for change in changes)


@pytest.mark.parametrize("name", SPECIAL_NAMES)
def test_every_special_card_has_a_drawing_of_its_own(name: str) -> None:
    for unit, is_crowded in ((1.5, False), (1.26, True), (0.64, False)):
        drawn = wizard_card(name, unit, is_crowded).image.tobytes()
        others = {*SPECIAL_NAMES, "jester", "wizard", "back"} - {name}
        assert all(drawn != wizard_card(other, unit, is_crowded).image.tobytes() for other in others)


def test_w20_the_suit_to_follow_is_explained() -> None:
    led = parse_position(f"trump: H | {PACK} | trick: elephant 2S | hand: 2H 3S")
    assert hand(led, 2).headline == "Play any card: the Elephant was led."
    still_open = parse_position(f"trump: H | {PACK} | trick: mouse jester | hand: 2H 3S")
    assert hand(still_open, 2).headline == "Play any card: no suit was led yet."


def test_w22_a_trick_with_the_trapdoor_has_no_taker() -> None:
    state = parse_position(f"trump: H | {PACK} | hands: 9C 2C / trapdoor 3C / AC 4C")
    play_moves(state, "play 9C", "play trapdoor")
    assert "Trapdoor: nobody takes this trick\nBest so far: Ada" in screen_text(table(state))
    assert "Ada 9♣ (nobody takes it, best so far)" in alt_text(table(state))
    play_moves(state, "play AC")
    screen = table(state)
    assert (picture(screen).trick.vanishes, picture(screen).trick.over) == (True, True)
    assert "Chidi A♣ (nobody took it, leads next)" in alt_text(screen)
    assert "**Last trick**, which nobody took\nAda leads 9 of clubs ♣" in screen_text(screen)
    assert SCREEN.narrate(model.TrickVanished(seat=2), CONTEXT) == (
        "The trick vanishes through the Trapdoor. Nobody takes it."
    )
    assert SCREEN.narrate_briefly(model.TrickVanished(seat=2), CONTEXT) == "nobody takes the trick"


def state_with_swap(turned_card: int | None = None) -> State:
    for seed in range(6000):
        state: State = WIZARD.start(3, Options(chameleon=True), Chance(f"{seed:032x}"))
        if state.swap is not None and turned_card in (None, state.swap.card):
            return state
    raise AssertionError("no seed deals the Chameleon so")


def test_w23_everybody_sees_who_swapped_the_chameleon_and_for_which_card() -> None:
    state = state_with_swap()
    assert state.swap is not None
    seat, card = state.swap
    name, short = NAMES[seat], screen_card(card)
    own, others = hand(state, seat), table(state)
    assert (own.headline, own.rule) == ("Name the trump suit, or none: the Chameleon swaps.", "W23")
    assert button_labels(own)[-1] == "No trump"
    assert len(button_labels(own)) == 5
    assert f"Turned up: Chameleon. {name} swapped it for " in screen_text(others)
    assert f"**Trump**: {name} chooses it" in screen_text(others)
    assert picture(others).turned == "chameleon"
    assert picture(others).trump == ("trump suit to be named", f"{name} took {short}")
    WIZARD.play(state, seat, WIZARD.parse_move("trump none"))
    assert f"**No trump**, named by {name}" in screen_text(table(state))
    assert picture(table(state)).trump == ("no trump", f"{name} took {short}")


def screen_card(card: int) -> str:
    rank, suit = deck.card_name(card)[:-1], "CDHS".index(deck.card_name(card)[-1])
    return f"{rank}{'♣♦♥♠'[suit]}"


def test_w23_the_news_tell_the_swap_and_a_round_without_a_trump() -> None:
    swap = model.TurnedCardSwapped(seat=1, card=deck.parse_card("5H"))
    assert SCREEN.narrate(swap, CONTEXT) == "Bela swaps the Chameleon for the 5 of hearts ♥, and names the trump suit."
    assert SCREEN.narrate(model.TrumpNamed(seat=1, suit=None), CONTEXT) == "Bela names no trump."
    assert SCREEN.narrate_briefly(model.TrumpNamed(seat=1, suit=None), CONTEXT) == "Bela names no trump"
    dealt = model.RoundDealt(round=3, dealer=0, turned=deck.ELEPHANT, trump=None)
    assert SCREEN.narrate(dealt, CONTEXT) == "Round 3: Ada deals. The Elephant is turned up."
    all_dealt = model.RoundDealt(round=1, dealer=0, turned=None, trump=0)
    assert SCREEN.narrate(all_dealt, CONTEXT) == "Round 1: Ada deals. No card is turned up: clubs ♣ are trump."


def passing_state() -> State:
    state = parse_position(f"trump: H | {PACK} | hands: carousel 2C 3C / 9H 2D 3D / AH 2S 3S")
    play_moves(state, "play carousel", "play 9H", "play AH")
    return state


def test_w24_a_hand_offers_its_cards_and_tells_what_was_passed_and_got() -> None:
    state = passing_state()
    screen = hand(state, 0)
    assert (screen.headline, screen.rule) == ("Pass a card to the left.", "W24")
    assert button_labels(screen) == ["3♣", "2♣"]
    assert "You may pass any card." in alt_text(screen)
    assert table(state).headline == "Waiting for Ada, Bela and Chidi to pass a card."
    WIZARD.play(state, 0, WIZARD.parse_move("pass 2C"))
    chosen = hand(state, 0)
    assert (chosen.controls, chosen.headline) == ((), "Waiting for Bela and Chidi to pass a card.")
    assert "You pass the 2 of clubs ♣ to Bela, once all have chosen" in screen_text(chosen)
    assert [(face.key, face.raised) for face in picture(chosen).hand] == [("3C", False), ("2C", True)]
    assert "**Ada**: bid 0, took 0, has chosen a card" in screen_text(table(state)).replace(" (you)", "")
    assert "2♣" not in alt_text(table(state))
    WIZARD.play(state, 1, WIZARD.parse_move("pass 2D"))
    WIZARD.play(state, 2, WIZARD.parse_move("pass 2S"))
    after = hand(state, 0)
    for text in (screen_text(after), alt_text(after)):
        assert "You passed the 2 of clubs ♣ to Bela" in text
        assert "You got the 2 of spades ♠ from Chidi" in text
    assert "You got" not in screen_text(table(state))
    passed = model.CardPassed(seat=0, receiver=1, card=deck.parse_card("2C"), to=(0, 1))
    assert SCREEN.narrate(passed, CONTEXT) == "Ada passes the 2 of clubs ♣ to Bela."
    assert SCREEN.narrate(model.PassChosen(seat=2), CONTEXT) == "Chidi has chosen a card to pass."


def test_w25_the_buttons_name_the_new_bid_and_the_plate_marks_the_change() -> None:
    state = parse_position(f"trump: H | {PACK} | bids: 1 0 1 | hands: weathervane 2C / 9H 2D / AH 2S")
    play_moves(state, "play weathervane", "play 9H", "play AH")
    screen = hand(state, 2)
    assert (screen.headline, screen.rule) == ("Raise or lower your bid of 1 by one.", "W25")
    assert button_labels(screen) == ["Raise to 2", "Lower to 0"]
    assert table(state).headline == "Waiting for Chidi to raise or lower the bid."
    assert picture(table(state)).trick.over
    WIZARD.play(state, 2, WIZARD.parse_move("raise"))
    assert picture(table(state)).plates[2].lines[0].text == "1 of 2 (+1)"
    assert "**Chidi**: bid 2 (+1 by the Weathervane), took 1" in screen_text(table(state))
    adjusted = model.BidAdjusted(seat=2, tricks=2)
    assert SCREEN.narrate(adjusted, CONTEXT) == "Chidi changes the bid to 2."
    assert SCREEN.narrate_briefly(adjusted, CONTEXT) == "Chidi changes the bid to 2"


def test_w17_w25_a_late_bid_that_changed_is_marked_without_the_way() -> None:
    state = parse_position(f"trump: H | {PACK} | bids: 1 0 1 | hands: weathervane 2C / 9H 2D / AH 2S")
    state.bidding = "late"
    play_moves(state, "play weathervane", "play 9H", "play AH", "lower")
    assert picture(table(state)).plates[2].lines[0].text == "1 of ? (±1)"
    assert picture(hand(state, 2)).plates[2].lines[0].text == "1 of 0 (−1)"
    assert SCREEN.narrate(model.BidAdjustedSecretly(seat=2), CONTEXT) == "Chidi changes the bid in secret."


REASONS = {
    "trick: 9C 5C | bids: 0 1 0 | hand: mouse 2D": (
        "play mouse",
        "the Mouse takes a trick only if the Elephant is in it",
    ),
    "trick: 9C trapdoor | bids: 0 1 1 | hand: AC 2D": ("play AC", "nobody takes this trick, because the Trapdoor"),
    "trick: 9C 5C | bids: 1 1 0 | hand: trapdoor 2D": ("play trapdoor", "with the Trapdoor nobody takes this trick"),
    "trick: wizard 5C | bids: 1 1 1 | hand: elephant 2D": ("play elephant", "so the Elephant takes this one"),
    "trick: wizard | bids: 1 1 1 | hand: elephant 2D": ("play elephant", "one unseen card can beat the Elephant"),
    "trick: 9C | bids: 1 1 1 | hand: wizard 2D": ("play wizard", "only one unseen card can beat the Wizard"),
    "trick: 9C 5C | bids: 1 1 0 | hand: carousel 2D": ("play carousel", "the Carousel does not take this one"),
}


@pytest.mark.parametrize("text", REASONS)
def test_w20_to_w22_reasons_know_the_special_cards(text: str) -> None:
    notation, reason = REASONS[text]
    state = parse_position(f"trump: H | {PACK} | {text}")
    (seat,) = WIZARD.decisions(state)
    sentence = SCREEN.move_reason(WIZARD.view(state, seat), WIZARD.parse_move(notation), CONTEXT)
    assert sentence is not None
    assert reason in sentence


def test_w23_to_w25_other_moves_have_reasons() -> None:
    state = passing_state()
    view = WIZARD.view(state, 0)
    assert SCREEN.move_reason(view, WIZARD.parse_move("pass 3C"), CONTEXT) == (
        "You do not need any tricks, and the 3♣ is your strongest card."
    )
    assert SCREEN.move_reason(view, WIZARD.parse_move("pass 2C"), CONTEXT) == (
        "You do not need any tricks, and this keeps the 3♣."
    )
    ended = parse_position(f"trump: H | {PACK} | bids: 1 0 0 | hands: weathervane / 9H / AH")
    play_moves(ended, "play weathervane", "play 9H", "play AH")
    assert SCREEN.move_reason(WIZARD.view(ended, 2), WIZARD.parse_move("raise"), CONTEXT) == (
        "A bid of 0 can only be raised."
    )
    swapped = state_with_swap()
    assert swapped.swap is not None
    naming = WIZARD.view(swapped, swapped.swap.seat)
    assert SCREEN.move_reason(naming, WIZARD.parse_move("trump none"), CONTEXT) == (
        "Without trumps, nobody can trump your cards."
    )


def test_every_reason_of_random_matches_is_a_sentence() -> None:
    rng = Random(5)
    state = WIZARD.start(3, Options(hands="all cards", rounds=2, **SPECIALS), Chance(f"{5:032x}"))
    while WIZARD.decisions(state):
        seat = rng.choice([*WIZARD.decisions(state)])
        move = rng.choice(WIZARD.moves(state, seat))
        sentence = SCREEN.move_reason(WIZARD.view(state, seat), move, CONTEXT)
        assert sentence is not None
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        WIZARD.play(state, seat, move)
