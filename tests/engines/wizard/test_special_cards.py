"""Wizard's six special cards (W20 to W25)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.errors import IllegalMove
from engines.wizard import WIZARD, deck, model
from engines.wizard.deck import CAROUSEL, CHAMELEON, DECK, ELEPHANT, JESTER, MOUSE, SPECIAL_CARDS, TRAPDOOR, WEATHERVANE
from engines.wizard.deck import WIZARD as WIZARD_CARD
from engines.wizard.house_rules import specials_in_pack
from engines.wizard.model import SPECIAL_NAMES, BidChange, Options, PassCard, State
from tests.engines.wizard.helper import can_have_come
from tests.engines.wizard.positions import all_cards, parse_position, play_moves, playable_names

ALL: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
JESTER_LIKE = ("trapdoor", "chameleon", "carousel", "weathervane")


def start_match(seats: int, options: Options, seed: int = 5) -> State:
    return WIZARD.start(seats, options, Chance(f"{seed:032x}"))


def play_on(state: State, rng: Random) -> list[Event]:
    seat = rng.choice([*WIZARD.decisions(state)])
    return WIZARD.play(state, seat, rng.choice(WIZARD.moves(state, seat)))


def refusal_of(state: State, seat: int, notation: str) -> tuple[str | None, str]:
    with pytest.raises(IllegalMove) as refusal:
        WIZARD.check(state, seat, WIZARD.parse_move(notation))
    return refusal.value.rule, refusal.value.reason


def events_visible_to(events: list[Event], seat: int | None) -> list[Event]:
    return [event for event in events if event.is_visible_to(seat)]


def make_move(state: State, seat: int, notation: str) -> list[Event]:
    move = WIZARD.parse_move(notation)
    WIZARD.check(state, seat, move)
    return WIZARD.play(state, seat, move)


def taker_of(trick: str, trump: str = "H") -> int:
    """The place of the card that takes the trick, or leads after it: 0 for the one led."""
    return deck.winning_index([deck.parse_card(name) for name in trick.split()], "CDHS".index(trump))


# --- The pack


@pytest.mark.parametrize("name", SPECIAL_NAMES)
def test_w20_to_w25_each_option_adds_one_card_to_the_pack(name: str) -> None:
    options: dict[str, Any] = {name: True}
    state = start_match(4, Options(rounds=2, **options))
    assert [*map(deck.card_name, state.specials)] == [name]
    assert all_cards(state) == Counter([*DECK, deck.parse_card(name)])
    assert start_match(4, Options()).specials == ()
    assert specials_in_pack(Options(**ALL)) == SPECIAL_CARDS


def test_w2_special_cards_change_neither_the_rounds_nor_the_hands_and_a_card_is_always_turned_up() -> None:
    for seats, rounds in {3: 20, 4: 15, 5: 12, 6: 10}.items():
        state = start_match(seats, Options(hands="descending", **ALL))
        assert (state.rounds, state.trick_count) == (rounds, rounds)
        assert state.turned is not None
        dealt = start_match(seats, Options(hands="all cards", **ALL))
        assert (dealt.trick_count, dealt.turned, dealt.trump, dealt.swap) == (60 // seats, None, 0, None)
        assert len(dealt.stock) == 6


def test_w1_nobody_draws_a_special_card_for_the_deal() -> None:
    for seed in range(200):
        state = start_match(6, Options(**ALL), seed)
        assert all(card <= WIZARD_CARD for row in state.draws for card in row)
        assert state.draws == start_match(6, Options(), seed).draws


def test_w20_to_w25_a_special_card_that_is_turned_up_means_no_trump() -> None:
    turned_cards = set()
    for seed in range(300):
        state = start_match(3, Options(**ALL), seed)
        if state.swap is None and state.turned is not None and state.turned in SPECIAL_CARDS:
            turned_cards.add(state.turned)
            assert (state.trump, state.phase) == (None, "bid")
    assert turned_cards == {*SPECIAL_CARDS}


def test_w7_a_special_card_may_be_played_at_any_time() -> None:
    state = parse_position(
        f"players: 3 | trump: C | specials: {' '.join(SPECIAL_NAMES)} | trick: KH | "
        f"hand: 2H 3S {' '.join(SPECIAL_NAMES)}"
    )
    assert {*playable_names(state)} == {"2H", *SPECIAL_NAMES}
    assert refusal_of(state, 1, "play 3S") == ("W7", "You must follow hearts, or play a card that belongs to no suit.")


@pytest.mark.parametrize("name", JESTER_LIKE)
def test_w6_w9_four_of_them_rank_as_jesters(name: str) -> None:
    state = parse_position(f"trump: H | specials: {name} | trick: {name} 5D | hand: 2D 3S 4C")
    assert playable_names(state) == ["2D"]  # the suit was still open
    assert taker_of(f"{name} 2D 3S") == 1
    assert taker_of(f"{name} jester jester") == 0
    assert taker_of(f"jester {name} jester") == 0


# --- W20, W21


def test_w20_the_elephant_beats_every_card_even_a_wizard() -> None:
    for trick in permutations(("elephant", "wizard", "AH")):
        assert taker_of(" ".join(trick)) == trick.index("elephant")


def test_w20_an_elephant_that_is_led_leaves_no_suit_to_follow() -> None:
    led = parse_position("trump: C | specials: elephant | trick: elephant KH | hand: 2H 3S 4D")
    assert {*playable_names(led)} == {"2H", "3S", "4D"}
    later = parse_position("trump: C | specials: elephant | trick: KH elephant | hand: 2H 3S 4D")
    assert playable_names(later) == ["2H"]
    after_jester = parse_position(
        "players: 4 | trump: C | specials: elephant | trick: jester elephant KH | hand: 2H 3S"
    )
    assert {*playable_names(after_jester)} == {"2H", "3S"}


def test_w21_the_mouse_loses_to_every_card_even_to_jesters() -> None:
    for other in ("jester", "2S", "carousel"):
        for trick in permutations(("mouse", other, "jester")):
            assert taker_of(" ".join(trick)) != trick.index("mouse")
    open_still = parse_position("trump: C | specials: mouse | trick: mouse KH | hand: 2H 3S 4D")
    assert playable_names(open_still) == ["2H"]


def test_w21_the_mouse_takes_the_trick_from_the_elephant() -> None:
    for trick in permutations(("mouse", "elephant", "wizard")):
        assert taker_of(" ".join(trick)) == trick.index("mouse")


# --- W22


def test_w22_nobody_takes_a_trick_with_the_trapdoor_and_its_best_card_leads_next() -> None:
    state = parse_position("trump: H | specials: trapdoor | bids: 1 0 0 | hands: 9C 2C / trapdoor 3C / AC 4C")
    events = play_moves(state, "play 9C", "play trapdoor", "play AC")
    assert events[-1] == model.TrickVanished(seat=2)
    assert (state.taken, state.leader, state.turn) == ([0, 0, 0], 2, 2)
    view = WIZARD.view(state, None)
    assert view.last is not None
    assert view.last.has_vanished
    assert "trick 1: A 9C, B trapdoor, C AC, vanished, C leads" in str(view)
    play_moves(state, "play 4C", "play 2C", "play 3C")
    assert [score.taken for score in state.sheet[0]] == [0, 0, 1]


def test_w22_a_round_may_end_with_a_trick_that_vanishes() -> None:
    state = parse_position("trump: H | specials: trapdoor | bids: 0 1 0 | hands: 9C / trapdoor / AC")
    play_moves(state, "play 9C", "play trapdoor", "play AC")
    assert [score.points for score in state.sheet[0]] == [20, -10, 20]
    assert state.round == 2


# --- W23


def match_with_swap(
    options: Options, seats: int = 3, turned_card: Any = None
) -> tuple[State, list[Event], list[Event]]:
    """The start of a round in which the Chameleon was dealt; what a spectator and its player were told of the deal."""
    for seed in range(4000):
        state = start_match(seats, options, seed)
        rng, events = Random(seed), list[Event]()
        while state.round < 3 and WIZARD.decisions(state):
            events = play_on(state, rng)
        if (
            state.swap is not None
            and state.phase == "trump"
            and (turned_card is None or state.swap.card == turned_card)
        ):
            return state, events_visible_to(events, None), events_visible_to(events, state.swap.seat)
    raise AssertionError("no seed deals the Chameleon so")


def test_w23_the_chameleon_takes_the_place_of_the_turned_card_and_its_player_names_the_trump() -> None:
    state, public, own = match_with_swap(Options(chameleon=True))
    swap = state.swap
    assert swap is not None
    assert (state.turned, state.trump, state.phase, state.turn) == (CHAMELEON, None, "trump", swap.seat)
    assert swap.card in state.hands[swap.seat]
    assert not any(CHAMELEON in hand for hand in state.hands)
    assert public[-1] == own[-1] == model.TurnedCardSwapped(seat=swap.seat, card=swap.card)
    (dealt,) = [event for event in own if isinstance(event, model.HandDealt)]
    assert CHAMELEON in dealt.cards
    assert {*map(WIZARD.format_move, WIZARD.moves(state, swap.seat))} == {
        *(f"trump {suit}" for suit in "CDHS"),
        "trump none",
    }
    assert WIZARD.view(state, None).swap == swap
    other = (swap.seat + 1) % 3
    assert refusal_of(state, other, "trump none") == (None, "It is not your turn.")
    assert make_move(state, swap.seat, "trump none") == [model.TrumpNamed(seat=swap.seat, suit=None)]
    assert (state.phase, state.trump, state.turn) == ("bid", None, (state.dealer + 1) % 3)


def test_w23_the_chameleons_player_and_not_the_dealer_names_the_trump_if_a_wizard_was_turned_up() -> None:
    state, _, _ = match_with_swap(Options(chameleon=True), turned_card=WIZARD_CARD)
    assert state.swap is not None
    assert state.turn == state.swap.seat
    make_move(state, state.turn, "trump S")
    assert (state.trump, state.phase) == (3, "bid")


def test_w23_only_the_chameleon_lets_a_player_play_without_a_trump() -> None:
    state = parse_position("phase: trump | turned: wizard | players: 4 | hand: AH KH 9H 2C 3D")
    assert refusal_of(state, state.turn, "trump none") == ("W23", "Only the Chameleon lets you play without trumps.")


def test_w23_without_a_turned_card_or_without_a_holder_nothing_happens() -> None:
    count = 0
    for seed in range(60):
        dealt = start_match(3, Options(hands="all cards", chameleon=True), seed)
        count += any(CHAMELEON in hand for hand in dealt.hands)
        assert (dealt.swap, dealt.phase) == (None, "bid")
        state = start_match(3, Options(chameleon=True), seed)
        assert (state.swap is None) or state.turned == CHAMELEON
        assert not any(CHAMELEON in hand for hand in state.hands)
    assert count > 40


def test_w18_w23_in_a_blind_round_the_swap_is_made_and_the_hand_stays_hidden() -> None:
    state, public, own = match_with_swap(Options(chameleon=True, blind=True))
    swap = state.swap
    assert swap is not None
    assert state.round == 3
    assert not [event for event in own if isinstance(event, model.HandDealt)]
    view = WIZARD.view(state, swap.seat)
    assert (view.hand, view.swap) == ((), swap)
    assert public[-1] == model.TurnedCardSwapped(seat=swap.seat, card=swap.card)
    for seed in range(30):
        assert swap.card in WIZARD.sample(view, Chance(f"{seed:032x}")).hands[swap.seat]


def test_w19_w23_a_dummy_does_not_swap() -> None:
    for seed in range(400):
        state = start_match(2, Options(hands="descending", dummy=True, chameleon=True), seed)
        if CHAMELEON in state.hands[2]:
            assert (state.swap, state.turned == CHAMELEON) == (None, False)
            views = [WIZARD.view(state, seat) for seat in (0, 1, None)]
            for view in views:
                places = Counter(
                    next(
                        (place for place, hand in enumerate(sampled.hands) if CHAMELEON in hand),
                        "stock",
                    )
                    for sampled in (WIZARD.sample(view, Chance(f"{other:032x}")) for other in range(60))
                )
                assert {*places} <= {2, "stock"}
                assert places[2] > 40  # twenty cards, while the stock is empty or nearly so
            return
    raise AssertionError("the dummy never got the Chameleon")


# --- W24


CAROUSEL_HANDS = "hands: carousel 2C 3C / 9H 2D 3D / AH 2S 3S"


def position_with_pass() -> State:
    """Three players after the trick with the Carousel; seat 2 took it."""
    state = parse_position(f"trump: H | specials: carousel | {CAROUSEL_HANDS}")
    play_moves(state, "play carousel", "play 9H", "play AH")
    return state


def test_w24_after_the_trick_with_the_carousel_everybody_passes_a_card_to_the_left_in_secret() -> None:
    state = position_with_pass()
    assert state.phase == "pass"
    assert [*WIZARD.decisions(state)] == [0, 1, 2]
    assert {*map(WIZARD.format_move, WIZARD.moves(state, 1))} == {"pass 2D", "pass 3D"}
    events = make_move(state, 1, "pass 3D")
    assert events == [model.PassChosen(seat=1)]
    assert [*WIZARD.decisions(state)] == [0, 2]
    for seat in (0, 1, 2, None):
        view = WIZARD.view(state, seat)
        assert view.has_passed == (False, True, False)
        assert view.passed == (deck.parse_card("3D") if seat == 1 else None)
        assert view.received is None
        assert view.hand_sizes == (2, 2, 2)
    assert refusal_of(state, 1, "pass 2D") == (None, "You have already chosen a card. Wait for the others.")
    assert refusal_of(state, 0, "play 2C") == ("W24", "The Carousel turns. First pass a card to the left.")
    assert refusal_of(state, 0, "pass 2D") == (None, "You do not hold the 2 of diamonds.")
    make_move(state, 2, "pass 2S")
    events = make_move(state, 0, "pass 2C")
    assert events_visible_to(events, None) == [model.PassChosen(seat=0)]
    names = [
        [event.card for event in events_visible_to(events, seat) if isinstance(event, model.CardPassed)]
        for seat in range(3)
    ]
    cards = {name: deck.parse_card(name) for name in ("2C", "3D", "2S")}
    assert names == [[cards["2C"], cards["2S"]], [cards["2C"], cards["3D"]], [cards["3D"], cards["2S"]]]
    hands = [[*map(deck.card_name, hand)] for hand in state.hands]
    assert [sorted(hand) for hand in hands] == [["2S", "3C"], ["2C", "2D"], ["3D", "3S"]]
    assert (state.phase, state.turn) == ("play", 2)
    views = [WIZARD.view(state, seat) for seat in range(3)]
    assert [(view.passed, view.received) for view in views] == [
        (cards["2C"], cards["2S"]),
        (cards["3D"], cards["2C"]),
        (cards["2S"], cards["3D"]),
    ]


def test_w24_in_the_last_trick_the_carousel_does_nothing() -> None:
    state = parse_position("trump: H | specials: carousel | hands: carousel / 9H / AH")
    play_moves(state, "play carousel", "play 9H", "play AH")
    assert (state.round, state.passes) == (2, [])


def test_w24_cards_are_passed_only_after_the_carousel() -> None:
    state = parse_position(f"trump: H | specials: carousel | {CAROUSEL_HANDS}")
    assert refusal_of(state, 0, "pass 2C") == ("W24", "You can pass a card only after a trick with the Carousel.")


def test_w22_w24_cards_are_passed_even_if_nobody_takes_the_trick() -> None:
    state = parse_position("trump: H | specials: carousel trapdoor | hands: carousel 2C / trapdoor 2D / AH 2S")
    play_moves(state, "play carousel", "play trapdoor", "play AH")
    assert (state.phase, state.taken) == ("pass", [0, 0, 0])


def test_w19_w24_two_players_swap_cards_and_the_dummy_takes_no_part() -> None:
    state = start_match(2, Options(hands="all cards", rounds=1, dummy=True, carousel=True), 8)
    rng = Random(2)
    while state.phase != "pass":
        play_on(state, rng)
        assert state.phase != "over", "choose another seed"
    assert [*WIZARD.decisions(state)] == [0, 1]
    dummy, given = state.hands[2].copy(), [hand[0] for hand in state.hands[:2]]
    WIZARD.play(state, 0, PassCard(given[0]))
    WIZARD.play(state, 1, PassCard(given[1]))
    assert given[0] in state.hands[1]
    assert given[1] in state.hands[0]
    assert state.hands[2] == dummy[: len(state.hands[2])]


def test_w19_w24_a_dummy_that_leads_after_the_pass_plays_its_card_then() -> None:
    for seed in range(200):
        state, rng = start_match(2, Options(hands="all cards", rounds=1, dummy=True, carousel=True), seed), Random(seed)
        while state.phase not in ("pass", "over"):
            play_on(state, rng)
        if state.phase == "pass" and state.leader == 2:
            assert state.turn in (0, 1)
            assert state.trick == []
            first = state.hands[2][-1]
            play_on(state, rng)
            assert first in state.hands[2]
            play_on(state, rng)
            assert state.trick == [first]
            return
    raise AssertionError("no seed lets the dummy take the trick with the Carousel")


def test_w24_a_sample_keeps_what_was_passed_and_what_was_shown() -> None:
    counts = Counter[str]()
    for seed in range(60):
        state = start_match(4, Options(hands="all cards", rounds=1, **ALL), seed)
        rng = Random(seed)
        while WIZARD.decisions(state):
            play_on(state, rng)
            if not state.passes or rng.random() > 0.1:
                continue
            for seat in (0, 1, 2, 3, None):
                view = WIZARD.view(state, seat)
                sampled = WIZARD.sample(view, Chance(f"{rng.getrandbits(128):032x}"))
                assert WIZARD.view(sampled, seat) == view
                assert can_have_come(sampled)
                counts["pass" if state.phase == "pass" else "after"] += 1
    assert min(counts["pass"], counts["after"]) > 20


def test_w24_ones_own_card_lies_on_the_left_until_it_is_played() -> None:
    state = position_with_pass()
    for seat, card in enumerate(("2C", "2D", "3S")):
        make_move(state, seat, f"pass {card}")
    view = WIZARD.view(state, 0)
    for seed in range(40):
        assert deck.parse_card("2C") in WIZARD.sample(view, Chance(f"{seed:032x}")).hands[1]
    play_moves(state, "play 2S", "play 3S", "play 2C")
    after = WIZARD.view(state, 0)
    assert all(deck.parse_card("2C") not in WIZARD.sample(after, Chance(f"{seed:032x}")).hands[1] for seed in range(10))


def test_w7_w24_a_hand_that_lacked_a_suit_may_have_got_one_card_of_it() -> None:
    """Seat 1 shows that it has no clubs, and then gets an unknown card from seat 0."""
    state = parse_position(
        "players: 4 | trump: H | specials: carousel | turned: 2H | "
        "hands: 2C 3C 4C 5C / 9S 8S 7S 6S / carousel 7D 8D 9D / AC KD QD JD"
    )
    play_moves(state, "play 2C", "play 9S", "play carousel", "play AC")
    for seat, card in enumerate(("3C", "6S", "7D", "JD")):
        make_move(state, seat, f"pass {card}")
    view = WIZARD.view(state, 3)
    counts = Counter(
        sum(card < 13 for card in WIZARD.sample(view, Chance(f"{seed:032x}")).hands[1]) for seed in range(400)
    )
    assert {*counts} == {0, 1}
    assert counts[1] > 40


# --- W25


def position_with_adjustment(bids: str = "1 1 0", more: str = "") -> State:
    """Seat 2 took the trick with the Weathervane; one more trick is to come."""
    state = parse_position(
        f"trump: H | specials: weathervane {more} | bids: {bids} | hands: weathervane 2C / {more or '9H'} 2D / AH 2S"
    )
    play_moves(state, "play weathervane", f"play {more or '9H'}", "play AH")
    return state


def test_w25_the_taker_of_the_weathervane_changes_their_bid_by_one_at_once() -> None:
    state = position_with_adjustment("1 1 1")
    assert (state.phase, state.turn, [*WIZARD.decisions(state)]) == ("adjust", 2, [2])
    assert [*map(WIZARD.format_move, WIZARD.moves(state, 2))] == ["raise", "lower"]
    assert refusal_of(state, 2, "play 2S") == ("W25", "You took the Weathervane. First raise or lower your bid by one.")
    assert refusal_of(state, 0, "raise") == (None, "It is not your turn.")
    assert make_move(state, 2, "raise") == [model.BidAdjusted(seat=2, tricks=2)]
    assert (state.bids, state.phase, state.turn) == ([1, 1, 2], "play", 2)
    assert WIZARD.view(state, None).bid_change == BidChange(2, 1)
    assert "C raised the bid" in str(WIZARD.view(state, 0))


def test_w25_a_bid_stays_from_0_to_the_number_of_cards() -> None:
    low = position_with_adjustment("1 1 0")
    assert [*map(WIZARD.format_move, WIZARD.moves(low, 2))] == ["raise"]
    assert refusal_of(low, 2, "lower") == ("W25", "Your bid cannot go below 0. Raise your bid.")
    high = position_with_adjustment("1 1 2")
    assert [*map(WIZARD.format_move, WIZARD.moves(high, 2))] == ["lower"]
    assert refusal_of(high, 2, "raise") == ("W25", "Your bid cannot go above 2 in this round. Lower your bid.")


def test_w25_the_changed_bid_is_scored_even_after_the_last_trick() -> None:
    state = parse_position("trump: H | specials: weathervane | bids: 1 0 0 | hands: weathervane / 9H / AH")
    play_moves(state, "play weathervane", "play 9H", "play AH")
    assert (state.phase, state.round) == ("adjust", 1)
    events = make_move(state, 2, "raise")
    assert isinstance(events[1], model.RoundScored)
    assert [(score.bid, score.points) for score in state.sheet[0]] == [(1, -10), (0, 20), (1, 30)]


def test_w22_w25_no_bid_changes_if_nobody_takes_the_trick() -> None:
    state = position_with_adjustment(more="trapdoor")
    assert (state.phase, state.bids) == ("play", [1, 1, 0])
    assert refusal_of(state, 2, "raise") == ("W25", "You can change your bid only after taking the Weathervane.")


def test_w24_w25_the_bid_changes_before_cards_are_passed() -> None:
    state = position_with_adjustment(more="carousel")
    assert [*WIZARD.decisions(state)] == [2]
    make_move(state, 2, "raise")
    assert [*WIZARD.decisions(state)] == [0, 1, 2]
    assert state.phase == "pass"


def test_w17_w25_with_late_bids_only_its_player_sees_how_a_bid_changed() -> None:
    state = position_with_adjustment("1 1 1")
    state.bidding = "late"
    events = make_move(state, 2, "lower")
    assert events_visible_to(events, 0) == events_visible_to(events, None) == [model.BidAdjustedSecretly(seat=2)]
    assert model.BidAdjusted(seat=2, tricks=0, to=(2,)) in events_visible_to(events, 2)
    assert WIZARD.view(state, 2).bid_change == BidChange(2, -1)
    other = WIZARD.view(state, 0)
    assert (other.bid_change, other.bids) == (BidChange(2, None), (1, None, None))
    assert "C changed the bid" in str(other)
    changes = set()
    for seed in range(60):
        sampled = WIZARD.sample(other, Chance(f"{seed:032x}"))
        change, bid = sampled.bid_change, sampled.bids[2]
        assert change is not None
        assert change.by is not None
        assert bid is not None
        assert 0 <= bid - change.by <= 2
        changes.add(change.by)
    assert changes == {1, -1}


def test_w19_w25_no_bid_changes_if_a_dummy_takes_the_weathervane() -> None:
    count = 0
    for seed in range(200):
        state = start_match(2, Options(hands="all cards", rounds=1, dummy=True, weathervane=True), seed)
        rng = Random(seed)
        while WIZARD.decisions(state):
            bids = state.bids.copy()
            events = play_on(state, rng)
            tricks = WIZARD.view(state, None).tricks
            if any(isinstance(event, model.TrickTaken) and event.seat == 2 for event in events) and tricks:
                taken = [trick for trick in tricks if WEATHERVANE in trick.cards and trick.winner == 2]
                count += bool(taken)
                assert not taken or state.bid_change is None
                assert state.phase != "adjust" or bids != []
    assert count > 0


# --- Together


def test_w23_to_w25_what_special_cards_did_lasts_for_one_round() -> None:
    swapped, _, _ = match_with_swap(Options(chameleon=True))
    passed, adjusted = position_with_pass(), position_with_adjustment("1 1 1")
    for state in (swapped, passed, adjusted):
        rng, number, done = Random(4), state.round, False
        while state.round == number:
            done = done or state.swap is not None or state.bid_change is not None or bool(state.passes)
            play_on(state, rng)
        assert done
        assert (state.bid_change, state.passes) == (None, [])
        assert state.swap is None or (state.phase, state.turn) == ("trump", state.swap.seat)  # swapped again


def test_moves_of_special_cards_have_a_notation() -> None:
    for text in ("trump none", "raise", "lower", *(f"play {name}" for name in SPECIAL_NAMES), "pass mouse", "pass 10H"):
        assert WIZARD.format_move(WIZARD.parse_move(text.upper())) == text
    assert {ELEPHANT, MOUSE, TRAPDOOR, CHAMELEON, CAROUSEL, WEATHERVANE} == {*SPECIAL_CARDS}
    assert JESTER < WIZARD_CARD < min(SPECIAL_CARDS)
