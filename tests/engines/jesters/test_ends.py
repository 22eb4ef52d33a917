"""Jesters by the book: how attempts, rounds and the match end (S9–S12, S14, S15)."""

from __future__ import annotations

import pytest

from engines.jesters import JESTERS, effects
from engines.jesters.events import (
    AttemptFailed,
    CardsDrawn,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    MatchScored,
    PerformanceRevealed,
    PileRefilled,
    RoundBegan,
    TaskCompleted,
    WentOut,
)
from engines.jesters.model import Die, FinalScoring, State
from engines.jesters.view import View
from tests.engines.jesters.positions import (
    asked_decision,
    card_with,
    dice_meeting,
    expect_refusal,
    legal_notations,
    middle_dice_text,
    owned_dice_text,
    parse_position,
    performance_with,
    play_moves,
    seat_to_act,
)

PAIR = performance_with("pair")
FAVORITE_DICE = dice_meeting(effects.task(0, 1).requirement)  # they meet the first Favorite, which positions have


def table_view(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


def final_of(state: State) -> FinalScoring:
    """The final scoring."""
    scored = table_view(state).final
    assert scored is not None
    return scored


# --- S9: success


def test_s9_the_performance_is_taken_and_the_board_refilled_in_its_spot() -> None:
    state = parse_position(f"board: 7 {PAIR} 20 | pile: 30 31 | perform: {PAIR} R1 B1 G5")
    dice = (Die(0, 0, 1), Die(1, 1, 1), Die(2, 2, 5))
    assert play_moves(state, "finish") == [
        TaskCompleted(seat=0, target=PAIR, dice=dice),
        PerformanceRevealed(performance=30),
    ]
    assert table_view(state).completed == ((PAIR,), (), ())
    assert table_view(state).board == (7, 30, 20)
    assert table_view(state).pile == 1
    assert table_view(state).fame == (0, 0, 0)  # S18: it counts at the end
    assert seat_to_act(state) == 1


def test_s9_every_technique_used_returns_and_no_other() -> None:
    state = parse_position(f"board: {PAIR} | dice: 2 red green | perform: {PAIR} R1 B1 P5")
    play_moves(state, "finish")
    assert owned_dice_text(state) == "2 red green"
    assert middle_dice_text(state) == "2 red 4 blue 3 green 4 purple"
    assert table_view(state).attempt is None


def test_s15_an_empty_pile_of_performances_just_runs_out() -> None:
    state = parse_position(f"board: 7 {PAIR} 20 | pile: | perform: {PAIR} R1 B1")
    assert [type(event) for event in play_moves(state, "finish")] == [TaskCompleted]
    assert table_view(state).board == (7, 20)
    state = parse_position(f"board: {PAIR} | pile: | dice: / red | perform: {PAIR} R1 B1")
    play_moves(state, "finish")
    assert legal_notations(state) == ["perform favorite red", "pass"]


# --- S10: the Favorite


def succeed_at_favorite(text: str) -> State:
    """A success at the Favorite."""
    state = parse_position(f"{text} | perform: favorite {FAVORITE_DICE}")
    play_moves(state, "finish")
    return state


def test_s10_two_gifts_are_drawn_privately_and_one_is_kept_open() -> None:
    state = parse_position(f"gifts: 1 | gift pile: 9 4 17 2 | perform: favorite {FAVORITE_DICE}")
    events = play_moves(state, "finish")
    assert events[1:] == [GiftsDrawn(seat=0), GiftsSeen(seat=0, gifts=(9, 4), to=(0,))]
    assert asked_decision(state) == "keep"
    assert legal_notations(state) == ["keep 9", "keep 4"]
    assert expect_refusal(state, "keep 1").reason == "Keep Gift 9 or Gift 4."
    assert expect_refusal(state, "pass").reason == "Keep one of the two Gifts first."
    assert JESTERS.view(state, 0).drawn == (9, 4)
    assert JESTERS.view(state, 1).drawn == table_view(state).drawn == (None, None)
    assert play_moves(state, "keep 4") == [GiftKept(seat=0, gift=4, returned=True)]
    assert table_view(state).gifts == ((1, 4), (), ())
    assert seat_to_act(state) == 1


def test_s10_the_other_goes_under_the_gift_pile_and_its_drawer_alone_knows() -> None:
    state = succeed_at_favorite("gift pile: 9 4 17 2")
    play_moves(state, "keep 9")
    assert table_view(state).gift_pile == 3
    assert JESTERS.view(state, 0).under == (4,)
    assert JESTERS.view(state, 1).under == table_view(state).under == (None,)
    assert state.gift_pile == [4, 2, 17]  # its top is the last


def test_s10_the_gifts_under_the_pile_are_drawn_last_and_who_knew_one_still_does() -> None:
    state = succeed_at_favorite("gift pile: 9 4 17 2 | seats: 4")
    play_moves(state, "keep 9")
    state.phase, state.turn = "attempt", 1
    lay_dice(state, FAVORITE_DICE)
    play_moves(state, "finish")
    assert state.drawn == [17, 2]
    play_moves(state, "keep 2")
    assert JESTERS.view(state, 0).under == (None, 4)
    assert JESTERS.view(state, 1).under == (17, None)
    assert JESTERS.view(state, 2).under == (None, None)
    state.phase = "attempt"
    lay_dice(state, FAVORITE_DICE)
    play_moves(state, "finish")
    assert [JESTERS.view(state, seat).drawn for seat in range(4)] == [(4, None), (None, 17), (4, 17), (None, None)]
    assert table_view(state).under == ()
    play_moves(state, "keep 17")  # so everybody who knew the 4 knows that it is the one that lies there now
    assert [JESTERS.view(state, seat).under for seat in range(4)] == [(4,), (None,), (4,), (None,)]


def lay_dice(state: State, dice: str) -> None:
    """Dice from the middle for the seat at its turn, rolled for the Favorite."""
    state.target = 0
    state.own = ["RBGP".index(die[0]) for die in dice.split()]
    state.colours, state.faces = state.own.copy(), [int(die[1]) for die in dice.split()]
    for colour in state.own:
        state.middle[colour] -= 1
        state.dice[state.turn][colour] += 1


def test_s10_the_last_gift_is_taken_by_itself() -> None:
    state = parse_position(f"gift pile: 9 | perform: favorite {FAVORITE_DICE}")
    assert play_moves(state, "finish")[1:] == [GiftKept(seat=0, gift=9, returned=False)]
    assert table_view(state).gifts[0] == (9,)
    assert (table_view(state).gift_pile, table_view(state).under, seat_to_act(state)) == (0, (), 1)


def test_s15_an_empty_gift_pile_just_runs_out() -> None:
    state = parse_position(f"gift pile: | perform: favorite {FAVORITE_DICE}")
    assert [type(event) for event in play_moves(state, "finish")] == [TaskCompleted]
    assert table_view(state).done == (0,)
    assert seat_to_act(state) == 1


def test_s10_the_favorite_stays_on_the_board_and_its_techniques_return() -> None:
    state = succeed_at_favorite("gift pile: 9 4 17 | board: 7 13 20 | pile: 30")
    assert table_view(state).favorite == 1
    assert table_view(state).board == (7, 13, 20)
    assert table_view(state).completed == ((), (), ())
    assert owned_dice_text(state) == ""
    assert middle_dice_text(state) == "4 red 4 blue 4 green 4 purple"


def test_s10_other_players_may_do_it_too_but_each_once_a_round() -> None:
    state = succeed_at_favorite("gift pile: 9 4 17 | dice: red / red | board: 7")
    play_moves(state, "keep 9")
    assert "perform favorite red" in legal_notations(state)
    play_moves(state, "pass", "pass")
    assert seat_to_act(state) == 0
    assert legal_notations(state, "perform") == ["perform 7 red"]
    state = parse_position("dice: red | done: 0 | board: 7")
    assert legal_notations(state, "perform") == ["perform 7 red"]
    assert expect_refusal(state, "perform favorite red").reason == "You have already completed this round's Favorite."


def test_s10_a_failure_there_may_be_tried_again() -> None:
    state = parse_position("perform: favorite R1 | passed: 1 2")
    play_moves(state, "finish")
    assert "perform favorite red" in legal_notations(state)


def test_s10_in_the_next_round_everybody_may_do_the_new_one() -> None:
    state = parse_position("done: 0 1 | passed: 1 2")
    play_moves(state, "pass")
    assert table_view(state).done == ()


# --- S11: failure


def test_s11_the_techniques_are_kept_and_the_performance_stays() -> None:
    state = parse_position(f"board: 7 {PAIR} 20 | dice: red | perform: {PAIR} R1 B2")
    play_moves(state, "finish")
    assert owned_dice_text(state) == "2 red blue"
    assert table_view(state).board == (7, PAIR, 20)
    assert table_view(state).attempt is None
    assert table_view(state).completed == ((), (), ())
    assert seat_to_act(state) == 1


@pytest.mark.parametrize(("before", "cards"), [(0, (4,)), (1, (4, 8, 15))])
def test_s11_the_first_failure_draws_one_jest_card_and_the_second_three(before: int, cards: tuple[int, ...]) -> None:
    state = parse_position(f"hands: 9 | draw: 4 15 8 16 23 | failures: {before} | perform: {PAIR} R1 B2")
    dice = (Die(0, 0, 1), Die(1, 1, 2))
    assert play_moves(state, "finish") == [
        AttemptFailed(seat=0, target=PAIR, dice=dice, failures=before + 1, cards=len(cards)),
        CardsDrawn(seat=0, cards=cards, to=(0,)),
    ]
    assert JESTERS.view(state, 0).hand == tuple(sorted((9, *cards)))
    assert table_view(state).failures == (before + 1, 0, 0)


def test_s11_the_third_failure_is_out_of_play_and_returns_the_techniques() -> None:
    state = parse_position(f"hands: 9 / 1 / 2 | failures: 2 | dice: green | gifts: 3 | fame: 2 | perform: {PAIR} R1 B2")
    events = play_moves(state, "finish")
    assert events[1:] == [WentOut(seat=0, dice=(1, 1, 1, 0))]
    assert isinstance(events[0], AttemptFailed)
    assert (events[0].failures, events[0].cards) == (3, 0)
    assert owned_dice_text(state) == ""
    assert middle_dice_text(state) == "4 red 4 blue 4 green 4 purple"
    assert not JESTERS.moves(state, 0)
    view = table_view(state)
    assert (view.hand_sizes[0], view.gifts[0], view.fame[0]) == (1, (3,), 2)  # scored at the end with all they have
    assert view.passed == ()
    play_moves(state, "pass", "pass")
    assert table_view(state).round == 2
    assert table_view(state).hand_sizes == (1, 6, 6)


def test_s11_a_failure_at_the_favorite_is_one() -> None:
    state = parse_position("perform: favorite R1")
    play_moves(state, "finish")
    assert table_view(state).failures == (1, 0, 0)


# --- S12: the first player card


def test_s12_going_out_is_not_passing() -> None:
    state = parse_position(f"first: 2 | failures: 2 | perform: {PAIR} R1 B2")
    play_moves(state, "finish")
    assert table_view(state).first == 2
    play_moves(state, "pass")
    assert table_view(state).first == 1


def test_s12_where_nobody_passes_the_card_stays() -> None:
    state = parse_position(f"seats: 2 | first: 1 | failures: 2 3 | perform: {PAIR} R1 B2")
    play_moves(state, "finish")
    assert table_view(state).first == 1
    assert final_of(state).first == (0, 3)  # the holder keeps the 3 Fame


def test_s12_where_its_holder_is_out_the_next_seat_still_in_starts() -> None:
    state = parse_position("seats: 4 | first: 2 | failures: 0 0 3 3 | passed: 2 1")
    play_moves(state, "pass")
    assert table_view(state).first == 2
    assert seat_to_act(state) == 0


# --- S14: the end of a round


def test_s14_the_favorite_goes_to_the_topmost_free_majority_place_and_a_new_one_comes() -> None:
    state = parse_position(
        "favorite: 3 | favorites: 5 2 4 | hands: 1 / 2 / 3 | draw: 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
    )
    events = play_moves(state, "pass", "pass", "pass")
    assert events[3:5] == [
        FavoritePlaced(favorite=3, place=0, played=True),
        RoundBegan(round=2, favorite=5, starter=0, cards=(5, 5, 5)),
    ]
    assert (table_view(state).placed, table_view(state).favorite, table_view(state).round) == ((3,), 5, 2)
    play_moves(state, "pass", "pass", "pass")
    assert (table_view(state).placed, table_view(state).favorite, table_view(state).round) == ((3, 5), 2, 3)


def test_s14_everybody_gets_five_jest_cards_to_the_hand_they_still_have() -> None:
    draw = " ".join(map(str, range(10, 30)))
    state = parse_position(f"hands: 1 / 2 / 3 | draw: {draw} | passed: 1 2")
    events = play_moves(state, "pass")
    drawn = [event for event in events if isinstance(event, CardsDrawn)]
    assert drawn == [
        CardsDrawn(seat=seat, cards=tuple(range(10 + seat, 25, 3)), to=(seat,)) for seat in range(3)
    ]  # one at a time in turn order
    assert JESTERS.view(state, 0).hand == (1, 10, 13, 16, 19, 22)
    assert table_view(state).hand_sizes == (6, 6, 6)


def test_s14_only_who_is_still_in_the_game_gets_cards() -> None:
    state = parse_position("hands: 1 / 2 / 3 | failures: 0 3 0 | passed: 2")
    play_moves(state, "pass")
    assert table_view(state).hand_sizes == (6, 1, 6)


def test_s14_after_the_third_round_nothing_is_revealed_or_dealt() -> None:
    state = parse_position("round: 3 | placed: 4 2 | favorite: 3 | hands: 1 / 2 / 3 | passed: 1 2")
    events = play_moves(state, "pass")
    assert [type(event) for event in events[1:]] == [FavoritePlaced, MatchScored]
    assert table_view(state).placed == (4, 2, 3)
    assert table_view(state).hand_sizes == (1, 1, 1)
    assert not JESTERS.decisions(state)
    assert expect_refusal(state, "pass", seat=0).reason == "The game is over."


def test_s14_three_rounds() -> None:
    state = parse_position()
    for _ in range(3):
        assert JESTERS.outcome(state) is None
        play_moves(state, "pass", "pass", "pass")
    assert JESTERS.outcome(state) is not None


# --- S15: piles that run out


def test_s15_an_empty_draw_pile_is_refilled_by_shuffling_the_discards_when_a_card_is_drawn() -> None:
    state = parse_position(f"draw: 4 | discard: 5 6 7 8 9 | failures: 1 | perform: {PAIR} R1 B2")
    events = play_moves(state, "finish")
    assert PileRefilled(cards=5) in events
    assert 4 in state.hands[0]
    assert len(state.hands[0]) == 3
    assert sorted([*state.hands[0], *state.draw]) == [4, 5, 6, 7, 8, 9]
    assert table_view(state).discard == ()


def test_s15_not_before_one_is_drawn() -> None:
    state = parse_position(f"draw: 4 | discard: 5 6 7 8 9 | perform: {PAIR} R1 B2")
    play_moves(state, "finish")
    assert table_view(state).draw == 0
    assert table_view(state).discard == (5, 6, 7, 8, 9)


def test_s15_the_discards_are_shuffled() -> None:
    piles = set()
    for seed in range(20):
        state = parse_position(f"draw: | discard: 5 6 7 8 9 | perform: {PAIR} R1 B2")
        state.chance.seed = f"{seed:032x}"
        play_moves(state, "finish")
        piles.add(tuple(state.draw))
    assert len(piles) > 10


def test_s15_cards_spent_in_the_failing_attempt_may_be_drawn_again() -> None:
    number = card_with(bottom="±1 any")
    state = parse_position(f"hands: {number} | draw: | perform: {PAIR} R1 B3")
    play_moves(state, f"spend {number} 1 2", "finish")
    assert JESTERS.view(state, 0).hand == (number,)


def test_c6_with_no_discards_either_cards_are_dealt_one_at_a_time_in_turn_order_until_gone() -> None:
    state = parse_position("first: 2 | passed: 2 1 | hands: 40 / 41 / 42 | draw: 4 5 6 7 8 9 10")
    events = play_moves(state, "pass")
    assert RoundBegan(round=2, favorite=table_view(state).favorite, starter=2, cards=(2, 2, 3)) in events
    assert state.hands == [[5, 8, 40], [6, 9, 41], [4, 7, 10, 42]]
    state = parse_position(f"draw: 4 | failures: 1 | perform: {PAIR} R1 B2")
    assert any(isinstance(event, AttemptFailed) and event.cards == 1 for event in play_moves(state, "finish"))


def test_what_can_be_told_of_hands_after_a_refill() -> None:
    """The pile was empty then: an old card is in a hand, and what was drawn since is none of the old ones."""
    state = parse_position(f"hands: 1 2 / 3 | draw: 4 | discard: 5 6 7 | failures: 1 | perform: {PAIR} R1 B2")
    play_moves(state, "finish")  # draws the 4, then two of 5, 6 and 7
    view = table_view(state)
    assert view.hand_packs == ((0, 0, 0, 1, 1), (0,), ())
    assert view.refills == 1
    assert [number for number in range(1, 51) if view.packs[number - 1] == 1] == [5, 6, 7]


def test_s15_when_everybody_is_out_the_game_is_scored_and_the_favorites_of_the_other_rounds_revealed() -> None:
    state = parse_position(f"favorite: 3 | favorites: 5 2 4 | failures: 2 3 3 | perform: {PAIR} R1 B2")
    events = play_moves(state, "finish")
    assert events[2:5] == [
        FavoritePlaced(favorite=3, place=0, played=True),
        FavoritePlaced(favorite=5, place=1, played=False),
        FavoritePlaced(favorite=2, place=2, played=False),
    ]
    assert isinstance(events[5], MatchScored)
    assert table_view(state).placed == (3, 5, 2)
    assert [place.favorite for place in final_of(state).majorities] == [3, 5, 2]
    assert not JESTERS.decisions(state)


def test_s15_in_the_second_round_one_favorite_is_still_revealed() -> None:
    state = parse_position(
        f"round: 2 | placed: 1 | favorite: 3 | favorites: 5 2 | failures: 2 3 3 | perform: {PAIR} R1 B2"
    )
    play_moves(state, "finish")
    assert table_view(state).placed == (1, 3, 5)


def test_s15_not_while_one_is_still_in() -> None:
    state = parse_position(f"passed: 1 | failures: 2 0 3 | perform: {PAIR} R1 B2")
    play_moves(state, "finish")
    assert table_view(state).round == 2
    assert seat_to_act(state) == 1
