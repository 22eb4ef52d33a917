"""Jesters by the book: how attempts, rounds and the match end, and the final scoring (S9–S12, S14–S19)."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS, effects
from engines.jesters import events as event_types
from engines.jesters.components import catalogue
from engines.jesters.model import Die, State
from engines.jesters.scoring import majority_fame
from engines.kit.contract import Outcome
from tests.engines.jesters import positions

PAIR = positions.performance_with("pair")
FAVORITE_DICE = positions.dice_meeting(
    effects.task(0, 1).requirement
)  # they meet the first Favorite, which positions have
DO_FAVORITE = f"perform: favorite {FAVORITE_DICE}"
MISS = f"perform: {PAIR} R1 B2"
MISS_DICE = (Die(0, 0, 1), Die(1, 1, 2))
ALL_DICE = "4 red 4 blue 4 green 4 purple"


def test_s9_the_performance_is_taken_and_the_board_refilled_in_its_spot() -> None:
    state = positions.parse_position(f"board: 7 {PAIR} 20 | pile: 30 31 | dice: 2 red green | perform: {PAIR} R1 B1 P5")
    dice = (Die(0, 0, 1), Die(1, 1, 1), Die(3, 3, 5))
    assert positions.play_moves(state, "finish") == [
        event_types.TaskCompleted(seat=0, target=PAIR, dice=dice),
        event_types.PerformanceRevealed(performance=30),
    ]
    view = positions.table_view(state)
    assert (view.completed, view.board, view.pile) == (((PAIR,), (), ()), (7, 30, 20), 1)
    assert view.fame == (0, 0, 0)  # S18: it counts at the end
    assert view.attempt is None
    assert positions.seat_to_act(state) == 1
    assert positions.owned_dice_text(state) == "2 red green"  # every Technique used returns, and no other
    assert positions.middle_dice_text(state) == "2 red 4 blue 3 green 4 purple"


def test_s15_an_empty_pile_of_performances_just_runs_out() -> None:
    state = positions.parse_position(f"board: 7 {PAIR} 20 | pile: | perform: {PAIR} R1 B1")
    assert [type(event) for event in positions.play_moves(state, "finish")] == [event_types.TaskCompleted]
    assert positions.table_view(state).board == (7, 20)
    state = positions.position_after(f"board: {PAIR} | pile: | dice: / red | perform: {PAIR} R1 B1", "finish")
    assert positions.legal_notations(state) == ["perform favorite red", "pass"]


def test_s10_two_gifts_are_drawn_privately_and_one_is_kept_open() -> None:
    state = positions.parse_position(f"gifts: 1 | gift pile: 9 4 17 2 | {DO_FAVORITE}")
    events = positions.play_moves(state, "finish")
    assert events[1:] == [event_types.GiftsDrawn(seat=0), event_types.GiftsSeen(seat=0, gifts=(9, 4), to=(0,))]
    assert positions.asked_decision(state) == "keep"
    assert positions.legal_notations(state) == ["keep 9", "keep 4"]
    assert positions.refusal_reason(state, "keep 1") == "Keep Gift 9 or Gift 4."
    assert positions.refusal_reason(state, "pass") == "Keep one of the two Gifts first."
    assert JESTERS.view(state, 0).drawn == (9, 4)
    assert JESTERS.view(state, 1).drawn == positions.table_view(state).drawn == (None, None)
    assert positions.play_moves(state, "keep 4") == [event_types.GiftKept(seat=0, gift=4, returned=True)]
    assert positions.table_view(state).gifts == ((1, 4), (), ())
    assert positions.seat_to_act(state) == 1


def test_s10_a_gift_under_the_pile_is_drawn_last_and_is_known_to_those_who_have_seen_it() -> None:
    state = positions.position_after(f"gift pile: 9 4 17 2 | seats: 4 | {DO_FAVORITE}", "finish", "keep 9")
    assert positions.table_view(state).gift_pile == 3
    assert JESTERS.view(state, 0).under == (4,)
    assert JESTERS.view(state, 1).under == positions.table_view(state).under == (None,)
    assert state.gift_pile == [4, 2, 17]  # its top is the last
    state.phase, state.turn = "attempt", 1
    lay_dice(state, FAVORITE_DICE)
    positions.play_moves(state, "finish")
    assert state.drawn == [17, 2]
    positions.play_moves(state, "keep 2")
    assert [JESTERS.view(state, seat).under for seat in range(3)] == [(None, 4), (17, None), (None, None)]
    state.phase = "attempt"
    lay_dice(state, FAVORITE_DICE)
    positions.play_moves(state, "finish")
    assert [JESTERS.view(state, seat).drawn for seat in range(4)] == [(4, None), (None, 17), (4, 17), (None, None)]
    assert positions.table_view(state).under == ()
    positions.play_moves(state, "keep 17")  # so everybody who knew the 4 knows that it is the one that lies there now
    assert [JESTERS.view(state, seat).under for seat in range(4)] == [(4,), (None,), (4,), (None,)]


def lay_dice(state: State, dice: str) -> None:
    """Dice from the middle for the seat at its turn, rolled for the Favorite."""
    state.target = 0
    state.own = ["RBGP".index(die[0]) for die in dice.split()]
    state.colours, state.faces = state.own.copy(), [int(die[1]) for die in dice.split()]
    for colour in state.own:
        state.middle[colour] -= 1
        state.dice[state.turn][colour] += 1


def test_s10_s15_the_last_gift_is_taken_by_itself_and_an_empty_pile_just_runs_out() -> None:
    state = positions.parse_position(f"gift pile: 9 | {DO_FAVORITE}")
    assert positions.play_moves(state, "finish")[1:] == [event_types.GiftKept(seat=0, gift=9, returned=False)]
    assert positions.table_view(state).gifts[0] == (9,)
    assert (positions.table_view(state).gift_pile, positions.table_view(state).under, positions.seat_to_act(state)) == (
        0,
        (),
        1,
    )
    state = positions.parse_position(f"gift pile: | {DO_FAVORITE}")
    assert [type(event) for event in positions.play_moves(state, "finish")] == [event_types.TaskCompleted]
    assert positions.table_view(state).done == (0,)
    assert positions.seat_to_act(state) == 1


def test_s10_the_favorite_stays_and_others_may_do_it_too_but_each_once_a_round() -> None:
    state = positions.position_after(
        f"gift pile: 9 4 17 | dice: red / red | board: 7 | pile: 30 | {DO_FAVORITE}", "finish"
    )
    view = positions.table_view(state)
    assert (view.favorite, view.board, view.completed) == (1, (7,), ((), (), ()))
    assert positions.owned_dice_text(state) == "red"
    assert positions.middle_dice_text(state) == "2 red 4 blue 4 green 4 purple"
    positions.play_moves(state, "keep 9")
    assert "perform favorite red" in positions.legal_notations(state)
    positions.play_moves(state, "pass", "pass")
    assert positions.seat_to_act(state) == 0
    assert positions.legal_notations(state, "perform") == ["perform 7 red"]
    assert (
        positions.refusal_reason(state, "perform favorite red") == "You have already completed this round's Favorite."
    )
    assert (
        positions.table_view(positions.position_after("done: 0 1 | passed: 1 2", "pass")).done == ()
    )  # a new one in the next round


def test_s11_the_techniques_are_kept_and_the_performance_stays() -> None:
    state = positions.position_after(f"board: 7 {PAIR} 20 | dice: red | {MISS}", "finish")
    view = positions.table_view(state)
    assert positions.owned_dice_text(state) == "2 red blue"
    assert (view.board, view.attempt, view.completed) == ((7, PAIR, 20), None, ((), (), ()))
    assert positions.seat_to_act(state) == 1
    state = positions.position_after("perform: favorite R1 | passed: 1 2", "finish")
    assert positions.table_view(state).failures == (1, 0, 0)
    assert "perform favorite red" in positions.legal_notations(state)  # S10: it may be tried again


@pytest.mark.parametrize(("before", "cards"), [(0, (4,)), (1, (4, 8, 15))])
def test_s11_the_first_failure_draws_one_jest_card_and_the_second_three(before: int, cards: tuple[int, ...]) -> None:
    state = positions.parse_position(f"hands: 9 | draw: 4 15 8 16 23 | failures: {before} | {MISS}")
    assert positions.play_moves(state, "finish") == [
        event_types.AttemptFailed(seat=0, target=PAIR, dice=MISS_DICE, failures=before + 1, cards=len(cards)),
        event_types.CardsDrawn(seat=0, cards=cards, to=(0,)),
    ]
    assert JESTERS.view(state, 0).hand == tuple(sorted((9, *cards)))
    assert positions.table_view(state).failures == (before + 1, 0, 0)


def test_s11_the_third_failure_is_out_of_play_and_returns_the_techniques() -> None:
    state = positions.parse_position(f"hands: 9 / 1 / 2 | failures: 2 | dice: green | gifts: 3 | fame: 2 | {MISS}")
    assert positions.play_moves(state, "finish") == [
        event_types.AttemptFailed(seat=0, target=PAIR, dice=MISS_DICE, failures=3, cards=0),
        event_types.WentOut(seat=0, dice=(1, 1, 1, 0)),
    ]
    assert positions.owned_dice_text(state) == ""
    assert positions.middle_dice_text(state) == ALL_DICE
    assert not JESTERS.moves(state, 0)
    view = positions.table_view(state)
    assert (view.hand_sizes[0], view.gifts[0], view.fame[0]) == (1, (3,), 2)  # scored at the end with all they have
    assert view.passed == ()
    positions.play_moves(state, "pass", "pass")
    assert positions.table_view(state).round == 2
    assert positions.table_view(state).hand_sizes == (1, 6, 6)  # S14: others get no cards


def test_s12_going_out_is_not_passing() -> None:
    state = positions.position_after(f"first: 2 | failures: 2 | {MISS}", "finish")
    assert positions.table_view(state).first == 2
    positions.play_moves(state, "pass")
    assert positions.table_view(state).first == 1
    state = positions.position_after(f"seats: 2 | first: 1 | failures: 2 3 | {MISS}", "finish")  # nobody passes
    assert positions.table_view(state).first == 1
    assert positions.final_of(state).first == (0, 3)  # the holder keeps the 3 Fame


def test_s12_the_next_seat_still_in_starts_if_the_holder_is_out() -> None:
    state = positions.position_after("seats: 4 | first: 2 | failures: 0 0 3 3 | passed: 2 1", "pass")
    assert positions.table_view(state).first == 2
    assert positions.seat_to_act(state) == 0


def test_s14_the_favorite_goes_to_the_topmost_free_majority_place_and_a_new_one_comes() -> None:
    draw = " ".join(map(str, range(10, 30)))
    state = positions.parse_position(f"favorite: 3 | favorites: 5 2 4 | hands: 1 / 2 / 3 | draw: {draw} | passed: 1 2")
    assert positions.play_moves(state, "pass")[1:] == [
        event_types.FavoritePlaced(favorite=3, place=0, played=True),
        event_types.RoundBegan(round=2, favorite=5, starter=0, cards=(5, 5, 5)),
        *[event_types.CardsDrawn(seat=seat, cards=tuple(range(10 + seat, 25, 3)), to=(seat,)) for seat in range(3)],
    ]  # five cards each, one at a time in turn order
    assert (
        positions.table_view(state).placed,
        positions.table_view(state).favorite,
        positions.table_view(state).round,
    ) == ((3,), 5, 2)
    assert JESTERS.view(state, 0).hand == (1, 10, 13, 16, 19, 22)
    assert positions.table_view(state).hand_sizes == (6, 6, 6)
    positions.play_moves(state, "pass", "pass", "pass")
    assert (
        positions.table_view(state).placed,
        positions.table_view(state).favorite,
        positions.table_view(state).round,
    ) == ((3, 5), 2, 3)
    assert JESTERS.outcome(state) is None


def test_s14_after_the_third_round_nothing_is_revealed_or_dealt() -> None:
    state = positions.parse_position("round: 3 | placed: 4 2 | favorite: 3 | hands: 1 / 2 / 3 | passed: 1 2")
    assert [type(event) for event in positions.play_moves(state, "pass")[1:]] == [
        event_types.FavoritePlaced,
        event_types.MatchScored,
    ]
    assert positions.table_view(state).placed == (4, 2, 3)
    assert positions.table_view(state).hand_sizes == (1, 1, 1)
    assert not JESTERS.decisions(state)
    assert positions.refusal_reason(state, "pass", seat=0) == "The game is over."


def test_s15_an_empty_draw_pile_is_refilled_by_shuffling_the_discards_when_a_card_is_drawn() -> None:
    state = positions.position_after(f"draw: 4 | discard: 5 6 7 8 9 | {MISS}", "finish")
    assert (positions.table_view(state).draw, positions.table_view(state).discard) == (
        0,
        (5, 6, 7, 8, 9),
    )  # not before one is drawn
    state = positions.parse_position(f"draw: 4 | discard: 5 6 7 8 9 | failures: 1 | {MISS}")
    assert event_types.PileRefilled(cards=5) in positions.play_moves(state, "finish")
    assert 4 in state.hands[0]
    assert len(state.hands[0]) == 3
    assert sorted([*state.hands[0], *state.draw]) == [4, 5, 6, 7, 8, 9]
    assert positions.table_view(state).discard == ()
    piles = set()
    for seed in range(20):
        state = positions.parse_position(f"draw: | discard: 5 6 7 8 9 | {MISS}")
        state.chance.seed = f"{seed:032x}"
        positions.play_moves(state, "finish")
        piles.add(tuple(state.draw))
    assert len(piles) > 10


def test_s15_cards_spent_in_the_failing_attempt_may_be_drawn_again() -> None:
    number = positions.card_with(bottom="±1 any")
    state = positions.position_after(
        f"hands: {number} | draw: | perform: {PAIR} R1 B3", f"spend {number} 1 2", "finish"
    )
    assert JESTERS.view(state, 0).hand == (number,)


def test_c6_with_no_discards_either_cards_are_dealt_one_at_a_time_in_turn_order_until_gone() -> None:
    state = positions.parse_position("first: 2 | passed: 2 1 | hands: 40 / 41 / 42 | draw: 4 5 6 7 8 9 10")
    events = positions.play_moves(state, "pass")
    assert (
        event_types.RoundBegan(round=2, favorite=positions.table_view(state).favorite, starter=2, cards=(2, 2, 3))
        in events
    )
    assert state.hands == [[5, 8, 40], [6, 9, 41], [4, 7, 10, 42]]
    state = positions.parse_position(f"draw: 4 | failures: 1 | {MISS}")
    assert any(
        isinstance(event, event_types.AttemptFailed) and event.cards == 1
        for event in positions.play_moves(state, "finish")
    )


def test_s15_when_everybody_is_out_the_game_is_scored_and_the_favorites_of_the_other_rounds_revealed() -> None:
    state = positions.parse_position(f"favorite: 3 | favorites: 5 2 4 | failures: 2 3 3 | {MISS}")
    events = positions.play_moves(state, "finish")
    assert events[2:5] == [
        event_types.FavoritePlaced(favorite=favorite, place=place, played=not place)
        for place, favorite in enumerate((3, 5, 2))
    ]
    assert isinstance(events[5], event_types.MatchScored)
    assert positions.table_view(state).placed == (3, 5, 2)
    assert not JESTERS.decisions(state)
    state = positions.position_after(
        f"round: 2 | placed: 1 | favorite: 3 | favorites: 5 2 | failures: 2 3 3 | {MISS}", "finish"
    )
    assert positions.table_view(state).placed == (1, 3, 5)
    state = positions.position_after(f"passed: 1 | failures: 2 0 3 | {MISS}", "finish")  # one is still in
    assert (positions.table_view(state).round, positions.seat_to_act(state)) == (2, 1)


# --- S16: majorities; test_matches.py counts all parts of the scores in whole matches


@pytest.mark.parametrize(
    ("counts", "most", "second", "fame"),
    [
        ((3, 2, 1), 6, 3, (6, 3, 0)),
        ((1, 2, 3), 5, 2, (0, 2, 5)),
        ((0, 4, 0), 6, 3, (0, 6, 0)),  # nobody scores without a matching symbol
        ((0, 0, 0), 6, 3, (0, 0, 0)),
        ((2, 2, 1), 6, 3, (4, 4, 0)),  # (6 + 3) / 2, and no second
        ((2, 2, 2), 6, 3, (3, 3, 3)),
        ((2, 2, 2), 5, 2, (2, 2, 2)),  # 7 / 3
        ((1, 1, 1, 1), 4, 1, (1, 1, 1, 1)),  # 5 / 4
        ((3, 1, 1), 6, 3, (6, 1, 1)),  # 3 / 2
        ((3, 1, 1, 1), 5, 2, (5, 0, 0, 0)),  # 2 / 3
        ((0, 2, 2, 5), 4, 1, (0, 0, 0, 4)),
        ((2, 5), 4, 1, (1, 4)),
        ((1, 1), 4, 1, (2, 2)),
    ],
)
def test_s16_the_most_and_the_second_most_bring_fame_and_ties_share(
    counts: tuple[int, ...], most: int, second: int, fame: tuple[int, ...]
) -> None:
    assert majority_fame(counts, most, second) == fame


@pytest.mark.parametrize(
    ("text", "places", "totals"),
    [
        ("fame: 1 5 3 | first: 1", (3, 1, 2), (6, 13, 8)),  # the highest total wins
        ("first: 2 | fame: 3 3 0 | gifts: {0} / {1} {2} | hands: 1 2 3", (2, 1, 3), (8, 8, 8)),  # the most Gifts
        ("first: 2 | fame: 3 3 0 | gifts: {0} / {1} | hands: 1 2 / 3 / 4 5 6", (1, 2, 3), (8, 8, 8)),  # then cards
        ("first: 2 | fame: 3 3 | hands: 1 / 2", (1, 1, 3), (8, 8, 8)),  # and then they share the win
        ("first: 2 | fame: 3 4 | gifts: {0} {1}", (2, 1, 3), (8, 9, 8)),  # Gifts part ties only
    ],
)
def test_s19_a_tie_goes_to_the_most_gifts_and_then_to_the_most_jest_cards_in_hand(
    text: str, places: tuple[int, ...], totals: tuple[int, ...]
) -> None:
    scored = {symbol for number in (1, 2, 3) for symbol in catalogue.favorite(number).symbols}
    unmatched = [each.id for each in catalogue.all_components().gifts if each.symbol not in scored]
    ending = f"{text.format(*unmatched)} | round: 3 | placed: 1 2 | favorite: 3 | passed: 1 2"
    outcome = JESTERS.outcome(positions.position_after(ending, "pass"))
    assert outcome == Outcome(places, totals)
    assert outcome.winners == tuple(seat for seat, place in enumerate(places) if place == 1)
