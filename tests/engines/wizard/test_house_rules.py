"""Wizard's house rules for bids that are hidden or blind, and for two players with a dummy hand (W16 to W19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.errors import IllegalMove
from engines.wizard import WIZARD, deck, model
from engines.wizard.deck import WIZARD as WIZARD_CARD
from engines.wizard.model import Bid, Options, Play, State
from engines.wizard.view import View

SEALED = ("hidden", "late")


def start_match(seats: int, options: Options, seed: int = 5) -> State:
    return WIZARD.start(seats, options, Chance(f"{seed:032x}"))


def play_on(state: State, rng: Random) -> tuple[int, list[Event]]:
    """One random legal move: by which seat, and what happened."""
    seat = rng.choice([*WIZARD.decisions(state)])
    return seat, WIZARD.play(state, seat, rng.choice(WIZARD.moves(state, seat)))


def play_to(state: State, number: int, phase: str, seed: int = 0) -> State:
    """The state, once that phase of that round has begun."""
    rng = Random(seed)
    while (state.round, state.phase) != (number, phase):
        play_on(state, rng)
    return state


def refusal_of(state: State, seat: int, notation: str) -> tuple[str | None, str]:
    with pytest.raises(IllegalMove) as refusal:
        WIZARD.check(state, seat, WIZARD.parse_move(notation))
    return refusal.value.rule, refusal.value.reason


def events_visible_to(events: list[Event], seat: int | None) -> list[Event]:
    return [event for event in events if event.is_visible_to(seat)]


# --- W16, W17


@pytest.mark.parametrize("bids", SEALED)
def test_w16_w17_all_bid_at_once_and_nobody_sees_more_than_who_has_bid(bids: model.Bidding) -> None:
    state = play_to(start_match(4, Options(bids=bids)), 2, "bid")
    assert [*WIZARD.decisions(state)] == [0, 1, 2, 3]
    assert all(decision.due for decision in WIZARD.decisions(state).values())
    events = WIZARD.play(state, 2, Bid(1))
    assert [*WIZARD.decisions(state)] == [0, 1, 3]
    assert events_visible_to(events, 2) == [model.BidPlaced(seat=2), model.BidMade(seat=2, tricks=1, to=(2,))]
    for seat in (0, 1, 3, None):
        assert events_visible_to(events, seat) == [model.BidPlaced(seat=2)]
        view = WIZARD.view(state, seat)
        assert (view.bids, view.has_bid) == ((None,) * 4, (False, False, True, False))
    assert WIZARD.view(state, 2).bids == (None, None, 1, None)
    assert refusal_of(state, 2, "bid 0") == (None, "You have already bid. Wait for the others.")
    assert refusal_of(state, 0, "bid 3") == ("W4", "Bid a number from 0 to 2 in this round.")
    assert refusal_of(state, 0, f"play {deck.card_name(state.hands[0][0])}")[0] == "W4"


def make_all_bids(state: State, tricks: int = 1) -> list[Event]:
    """What happens when the last seat bids."""
    events: list[Event] = []
    for seat in [*WIZARD.decisions(state)]:
        events = WIZARD.play(state, seat, Bid(tricks))
    return events


def test_w16_hidden_bids_are_revealed_together_when_the_last_one_is_in() -> None:
    state = play_to(start_match(3, Options(bids="hidden")), 2, "bid")
    events = make_all_bids(state)
    assert events_visible_to(events, None) == [model.BidPlaced(seat=2), model.BidsRevealed(bids=(1, 1, 1))]
    assert WIZARD.view(state, None).bids == (1, 1, 1)
    assert (state.phase, state.turn) == ("play", (state.dealer + 1) % 3)


def test_w17_late_bids_stay_hidden_until_the_last_trick_is_taken() -> None:
    state = play_to(start_match(3, Options(bids="late")), 2, "bid")
    assert events_visible_to(make_all_bids(state), None) == [model.BidPlaced(seat=2)]
    rng, events = Random(1), list[Event]()
    while state.round == 2:
        assert not any(isinstance(event, model.BidsRevealed) for event in events)
        for seat in (0, 1, 2, None):
            view = WIZARD.view(state, seat)
            assert view.bids == tuple(1 if other == seat else None for other in range(3))
            assert view.has_bid == (True,) * 3
        _, events = play_on(state, rng)
    revealed = events.index(model.BidsRevealed(bids=(1, 1, 1)))
    assert isinstance(events[revealed + 1], model.RoundScored)
    assert [score.bid for score in WIZARD.view(state, None).sheet[-1]] == [1, 1, 1]


@pytest.mark.parametrize("bids", SEALED)
@pytest.mark.parametrize("hook", [1, 10])
def test_w12_the_hook_needs_a_last_bidder(bids: model.Bidding, hook: model.HookSize) -> None:
    with pytest.raises(ValueError, match=f"with {bids} bids everybody bids at once. Turn one of the two off."):
        WIZARD.validate_options(Options(hook=hook, bids=bids))
    assert WIZARD.validate_options(Options(hook=hook, blind=True, dummy=True)).hook == hook


@pytest.mark.parametrize("bids", SEALED)
def test_w16_w17_samples_suppose_any_bid_of_others_and_keep_ones_own(bids: model.Bidding) -> None:
    state = play_to(start_match(4, Options(bids=bids)), 5, "bid")
    for seat in (0, 1, 2):
        WIZARD.play(state, seat, Bid(seat))
    view = WIZARD.view(state, 1)
    sampled = [WIZARD.sample(view, Chance(f"{seed:032x}")).bids for seed in range(200)]
    assert {bids[1] for bids in sampled} == {1}
    assert {bids[3] for bids in sampled} == {None}
    assert {bids[0] for bids in sampled} == {bids[2] for bids in sampled} == {*range(6)}


# --- W18


@pytest.mark.parametrize("bids", ["open", *SEALED])
def test_w18_in_every_third_round_cards_are_seen_after_the_bids(bids: model.Bidding) -> None:
    state, rng = start_match(3, Options(rounds=6, bids=bids, blind=True)), Random(3)
    counts = dict.fromkeys(range(1, 7), 0)
    while WIZARD.decisions(state):
        hidden = state.round % 3 == 0 and state.phase in ("trump", "bid")
        for seat in range(3):
            view = WIZARD.view(state, seat)
            assert (view.hand == ()) is (hidden or not state.hands[seat])
            assert view.hand_sizes[seat] == len(state.hands[seat])
            assert view.is_hand_hidden is hidden
        before = state.phase
        _, events = play_on(state, rng)
        hands = [event for event in events if isinstance(event, model.HandDealt)]
        counts[state.round] += len(hands)
        if hands and state.round % 3 == 0:
            assert (before, state.phase) == ("bid", "play")
        for event in hands:
            assert event.to == (event.seat,)
            assert event.cards == tuple(state.hands[event.seat])
    assert counts == {1: 0, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3}  # the first hand is in the first view


def test_w18_the_dealer_names_the_trump_without_seeing_a_card() -> None:
    for seed in range(400):
        state = start_match(3, Options(rounds=3, blind=True), seed)
        rng = Random(seed)
        while state.round < 3:
            play_on(state, rng)
        if state.turned == WIZARD_CARD:
            break
    assert (state.phase, [*WIZARD.decisions(state)]) == ("trump", [state.dealer])
    assert WIZARD.view(state, state.dealer).hand == ()
    sampled = [WIZARD.sample(WIZARD.view(state, state.dealer), Chance(f"{seed:032x}")) for seed in range(30)]
    assert len({tuple(other.hands[state.dealer]) for other in sampled}) == 30
    WIZARD.play(state, state.dealer, WIZARD.parse_move("trump H"))
    assert WIZARD.view(state, 0).hand == ()


def test_w18_the_rule_is_off_by_default() -> None:
    state = play_to(start_match(3, Options()), 3, "bid")
    assert len(WIZARD.view(state, 0).hand) == 3


# --- W19


def dummy_matches() -> Iterator[tuple[State, Random]]:
    for seed in range(12):
        yield start_match(2, Options(rounds=5, dummy=True), seed), Random(seed)


def test_w19_two_players_need_the_option_and_with_more_it_has_no_effect() -> None:
    with pytest.raises(ValueError, match="Wizard is for 3 to 6 players"):
        start_match(2, Options())
    with pytest.raises(ValueError, match="Wizard is for 2 to 6 players"):
        start_match(1, Options(dummy=True))
    assert start_match(4, Options(dummy=True)) == start_match(4, Options())


@pytest.mark.parametrize(("hands", "rounds", "first"), [("growing", 20, 1), ("quick", 10, 1), ("descending", 20, 20)])
def test_w19_there_are_the_rounds_and_hands_of_three_players(hands: model.HandPlan, rounds: int, first: int) -> None:
    view = WIZARD.view(start_match(2, Options(hands=hands, dummy=True)), 0)
    assert (view.rounds, view.trick_count, view.hand_sizes) == (rounds, first, (first,) * 3)
    assert (view.seats, view.places, len(view.scores), len(view.bids)) == (2, 3, 2, 2)


def test_w19_the_deal_alternates_and_only_the_players_draw_for_it() -> None:
    for state, rng in dummy_matches():
        assert all(len(row) == 2 for row in WIZARD.view(state, None).draws)
        dealers: list[int] = []
        while WIZARD.decisions(state):
            if len(dealers) < state.round:
                dealers.append(state.dealer)
                assert state.phase == "trump" or state.turn == 1 - state.dealer
            play_on(state, rng)
        assert all(one != two for one, two in pairwise(dealers))


def test_w19_the_dummy_plays_its_face_down_cards_in_order_within_the_same_move() -> None:
    followed = led = 0
    for state, rng in dummy_matches():
        while WIZARD.decisions(state):
            waiting, trick, number = state.hands[2][::-1], [*state.trick], state.round
            seat, events = play_on(state, rng)
            turned_up = [e.card for e in events if isinstance(e, model.CardPlayed) and e.seat == 2]
            assert turned_up == waiting[: len(turned_up)]
            assert state.turn in (0, 1)
            if state.round == number:
                assert state.hands[2][::-1] == waiting[len(turned_up) :]
            if len(trick) == 1 and seat == 1:
                followed += 1
                assert turned_up, "the dummy is at the left of the second player"
            for before, event in pairwise(events):
                if before == model.TrickTaken(seat=2) and isinstance(event, model.CardPlayed):
                    led += 1
                    assert event.seat == 2, "the dummy takes a trick, and somebody else leads"
    assert followed > 20
    assert led > 5


def test_w19_the_dummy_leads_if_the_second_player_deals() -> None:
    for state, _ in dummy_matches():
        if state.phase == "bid" and state.dealer == 1:
            WIZARD.play(state, 0, Bid(0))
            events = WIZARD.play(state, 1, Bid(0))
            assert isinstance(events[1], model.CardPlayed)
            assert (events[1].seat, state.leader, state.turn) == (2, 2, 0)
            return
    raise AssertionError("the second player never deals")


def test_w19_the_dummys_tricks_count_for_nobody() -> None:
    for state, rng in dummy_matches():
        while WIZARD.decisions(state):
            view = WIZARD.view(state, None)
            size, number = view.trick_count, state.round
            play_on(state, rng)
            if state.round > number or state.phase == "over":
                row = state.sheet[-1]
                assert len(row) == 2
                assert sum(score.taken for score in row) <= size
        outcome = WIZARD.outcome(state)
        assert outcome is not None
        assert len(outcome.points) == 2


def test_w19_nobody_sees_the_dummys_cards_and_its_cards_show_no_missing_suit() -> None:
    state = start_match(2, Options(hands="all cards", rounds=1, dummy=True))
    WIZARD.play(state, 1 - state.dealer, Bid(0))
    WIZARD.play(state, state.dealer, Bid(0))
    rng = Random(2)
    for _ in range(10):
        play_on(state, rng)
    hidden, view = len(state.hands[2]), WIZARD.view(state, 0)
    sampled = [WIZARD.sample(view, Chance(f"{seed:032x}")) for seed in range(60)]
    assert {len(other.hands[2]) for other in sampled} == {hidden}
    assert {card // 13 for other in sampled for card in other.hands[2] if card < 52} == {0, 1, 2, 3}
    assert any(other.hands[2] != sorted(other.hands[2]) for other in sampled)
    for seat in (0, 1, None):
        assert WIZARD.view(replace_dummy(state), seat) == WIZARD.view(state, seat)


def replace_dummy(state: State) -> State:
    """The same match, with the dummy's cards in another order."""
    other = WIZARD.copy(state)
    other.hands[2].reverse()
    assert other.hands[2] != state.hands[2]
    return other


def test_w19_nobody_may_play_or_bid_for_the_dummy() -> None:
    state = start_match(2, Options(dummy=True))
    assert set(WIZARD.decisions(state)) <= {0, 1}
    view: View = WIZARD.view(state, 0)
    assert replace(view, seat=None, hand=()) == WIZARD.view(state, None)
    assert not WIZARD.moves(state, 2)
    assert refusal_of(state, 2, f"play {deck.card_name(state.hands[2][0])}") == (None, "It is not your turn.")
    assert Play(state.hands[2][-1]) not in WIZARD.moves(state, state.turn)
