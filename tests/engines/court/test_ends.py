"""Jester's Court by the book: T12 to T14, the end of a turn and of the match, and decisions out of turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engines.court import COURT, board
from engines.court.model import (
    BannerClaimed,
    BannerGiven,
    CardsDrawn,
    HandDrawn,
    MagePlaced,
    MatchEnded,
    PileReshuffled,
    State,
)
from engines.kit.contract import Decision, Outcome
from tests.contract.helper import MatchStart
from tests.engines.court.helper import HELPER
from tests.engines.court.positions import (
    all_cards,
    asked_decision,
    banner_text,
    check_board,
    expect_refusal,
    finish_turn,
    hand_names,
    make_attack,
    parse_cards,
    parse_position,
    pile_names,
    play_moves,
    seat_to_act,
    standing_squares,
)

EDGE = """
      K  L
    2 A  B
    hands: 3H 3C 4C 5C 6C 7C / 9C 9D 9S
"""


def draw_pile_size(state: State) -> int:
    return COURT.view(state, None).draw


# --- T12: the end of a turn


def test_t12_hands_are_drawn_up_to_six() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4S 5S 6S 7S 8S 9S /\ntop: QC JC KC")
    play_moves(state, "move 4S")
    assert hand_names(state, 0) == "5S 6S 7S 8S 9S"
    events = play_moves(state, "discard 5S")
    assert hand_names(state, 0) == "JC QC 6S 7S 8S 9S"
    assert events[1] == CardsDrawn(seat=0, number=2)
    assert (events[2].kind, events[2].to, Counter(events[2].cards)) == ("drawn", (0,), Counter(parse_cards("QC JC")))  # type: ignore[attr-defined]


def test_t12_only_one_card_is_drawn_after_a_skip() -> None:
    state = parse_position("   K L\n9 A B\nhands: AS AC AD AH KS KC /\ntop: QC")
    play_moves(state, "skip")
    before = draw_pile_size(state)
    assert CardsDrawn(seat=0, number=1) in play_moves(state, "discard AS")
    assert draw_pile_size(state) == before - 1
    assert hand_names(state, 0) == "AC QC KC AD AH KS"


def test_t12_the_others_draw_nothing() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4S 5S / 2C 3C 4C 5C 6C 7C")
    finish_turn(state)
    assert hand_names(state, 1) == "2C 3C 4C 5C 6C 7C"


def test_t12_the_discard_pile_becomes_the_draw_pile_when_that_runs_out() -> None:
    state = parse_position("   K L\n9 A B\nfill: number\nhands: 4S 5S 6S 7S 8S 9S /\ndraw: 0")
    before = sorted([*state.discard, *parse_cards("4S 5S")])
    events = play_moves(state, "move 4S", "discard 5S")
    assert PileReshuffled(cards=len(before)) in events
    assert pile_names(state) == ""
    assert draw_pile_size(state) == len(before) - 2
    assert list(COURT.view(state, None).pool) == before
    assert len(state.hands[0]) == 6


def test_t12_also_in_the_middle_of_a_draw() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4S 5S 6S 7S 8S 9S /\ndraw: 1\ntop: QC")
    before = sorted([*state.discard, *parse_cards("4S 5S")])
    events = play_moves(state, "move 4S", "discard 5S")
    assert [event.kind for event in events[-3:]] == ["reshuffled", "drew", "drawn"]  # type: ignore[attr-defined]
    assert events[-1].cards[0] == parse_cards("QC")[0]  # type: ignore[attr-defined]
    assert "QC" in hand_names(state, 0)
    assert list(COURT.view(state, None).pool) == before
    assert len(state.hands[0]) == 6
    assert draw_pile_size(state) == len(before) - 1


def test_t12_a_pile_that_a_draw_just_empties_is_reshuffled_only_when_a_card_must_be_drawn_from_it() -> None:
    state = parse_position("   K L\n9 A B\nfill: number\nhands: 4S 5S 6S 7S 8S 9S /\ndraw: 2")
    events = play_moves(state, "move 4S", "discard 5S")
    assert not any(isinstance(event, PileReshuffled) for event in events)
    assert draw_pile_size(state) == 0
    assert pile_names(state).endswith("4S 5S")
    events = finish_turn(state)
    assert any(isinstance(event, PileReshuffled) for event in events)


def test_t12_a_reshuffled_pile_is_in_another_order_and_drawn_from_its_top() -> None:
    tops = set()
    state = parse_position("   K L\n9 A B\nhands: 4S 5S 6S 7S 8S 9S /\ndraw: 0")
    for _ in range(20):
        state.chance.randbelow(2)
        after = COURT.copy(state)
        play_moves(after, "move 4S", "discard 5S")
        tops |= {card for card in after.hands[0] if card not in parse_cards("6S 7S 8S 9S")}
    assert len(tops) > 15


@pytest.mark.parametrize(("seats", "in_hands"), [(2, 12), (3, 18), (4, 24)])
def test_t12_there_are_always_cards_enough_to_draw(seats: int, in_hands: int) -> None:
    """All hands together, and a card that is just played, are less than half of the pack."""
    assert (seats - 1) * 54 >= 2 * in_hands


def test_t12_the_draw_comes_after_every_decision_that_the_turn_caused() -> None:
    state = parse_position("   K L\n9 A B\nphase: two\nhands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: - / HD")
    play_moves(state, "strike AS")
    assert len(state.hands[0]) == 4
    play_moves(state, "give H")
    assert len(state.hands[0]) == 4
    assert asked_decision(state) == "B place"
    events = play_moves(state, "place K11")
    assert [event.kind for event in events] == ["placed", "drew", "drawn"]  # type: ignore[attr-defined]
    assert len(state.hands[0]) == 6
    assert asked_decision(state) == "B move"


def test_t12_after_crossing_in_phase_one_nothing_is_drawn_before_phase_two() -> None:
    state = parse_position(EDGE)
    play_moves(state, "move 3H", "place K11")
    assert len(state.hands[0]) == 5


def test_t12_what_is_drawn_is_told_to_who_drew_it_alone() -> None:
    state = parse_position("   K L M\n9 A B C\nhands: 4S 5S / /")
    events = play_moves(state, "move 4S", "discard 5S")
    told = [event for event in events if isinstance(event, HandDrawn)]
    assert [(event.seat, event.to) for event in told] == [(0, (0,))]
    assert all(event.to is None for event in events if not isinstance(event, HandDrawn))


# --- T13: the end of the match


def test_t13_the_first_to_hold_all_four_banners_wins_at_once() -> None:
    state = parse_position(EDGE + "banners: DSC / HDS")
    events = play_moves(state, "move 3H")
    assert events[1:] == [BannerClaimed(seat=0, suit=2), MatchEnded(ending="banners", winners=(0,))]
    assert asked_decision(state) == "over"
    assert COURT.outcome(state) == Outcome((1, 2), (4, 3))


def test_t13_before_placing_and_drawing() -> None:
    state = parse_position(EDGE + "banners: DSC / HDS")
    play_moves(state, "move 3H")
    assert standing_squares(state) == {"B": "L2"}
    assert len(state.hands[0]) == 5
    view = COURT.view(state, None)
    assert (view.phase, view.ending, view.owed) == ("over", "banners", ())


def test_t13_also_in_anothers_turn() -> None:
    state = parse_position("  K L\n2 A B\nphase: two\nhands: 3H 3C 4C 5C 6C /\nbanners: DSC / DSC")
    events = play_moves(state, "push 3H B")
    assert MatchEnded(ending="banners", winners=(1,)) in events
    assert COURT.outcome(state) == Outcome((2, 1), (3, 4))
    assert len(state.hands[0]) == 4  # nothing was drawn


def test_t13_the_fourth_banner_twice_is_no_win() -> None:
    state = parse_position(EDGE + "banners: HSC / DSC")
    play_moves(state, "move 3H")
    assert asked_decision(state) == "A place"


@pytest.mark.parametrize(("goal", "held", "wins"), [(2, "D", True), (3, "D", False), (3, "DC", True), (4, "DC", False)])
def test_t13_the_match_may_be_won_by_fewer_banners(goal: int, held: str, wins: bool) -> None:
    state = parse_position(EDGE + f"banners: {held} / -\ngoal: {goal}")
    play_moves(state, "move 3H")
    assert asked_decision(state) == ("over" if wins else "A place")


@pytest.mark.parametrize("start", HELPER.starts(), ids=str)
@pytest.mark.parametrize("seed", ["f" * 32, "1".zfill(32)])
def test_t13_no_match_begins_with_somebody_who_has_won(start: MatchStart, seed: str) -> None:
    state = HELPER.start_state(replace(start, seed=seed))
    assert all(len(held) < state.goal for held in state.banners)


def test_t13_nobody_acts_after_the_end() -> None:
    state = parse_position(EDGE + "banners: DSC / HDS")
    play_moves(state, "move 3H")
    for seat in (0, 1):
        assert not COURT.moves(state, seat)
        for move in ("move 3C", "skip", "push 3C A", "place K11", "give H"):
            assert expect_refusal(state, move, seat) == (None, "The game is over.")


def end_last_turn(facts: str) -> State:
    """A match of three whose last turn goes by."""
    state = parse_position(f"   K L M\n9 A B C\nhands: 4S 5S / /\nturns: 12\ncap: 12\n{facts}")
    events = finish_turn(state)
    assert isinstance(events[-1], MatchEnded)
    assert events[-1].ending == COURT.view(state, None).ending == "turns"
    return state


def test_t13_at_the_cap_of_turns_the_match_is_over() -> None:
    state = parse_position("   K L M\n9 A B C\nhands: 4S 5S / /\nturns: 11\ncap: 12")
    finish_turn(state)
    assert asked_decision(state) == "B move"
    assert not isinstance(finish_turn(state)[0], MatchEnded)
    assert asked_decision(state) == "over"


def test_t13_the_turns_of_all_players_count_together() -> None:
    state = parse_position("   K L M\n9 A B C\nfill: number\ncap: 7")
    turns = []
    while COURT.decisions(state):
        turns.append((seat_to_act(state), COURT.view(state, None).turns))
        finish_turn(state)
    assert turns == [(0, 1), (1, 2), (2, 3), (0, 4), (1, 5), (2, 6), (0, 7)]


def test_t13_without_a_cap_turns_go_on() -> None:
    state = parse_position("   K L\n9 A B\nfill: number\nturns: 5000")
    finish_turn(state)
    assert asked_decision(state) == "B move"


def test_t13_at_the_cap_most_banners_win() -> None:
    assert COURT.outcome(end_last_turn("banners: H / HD / -\nhealth: 6 1 5")) == Outcome((2, 1, 3), (1, 2, 0))


def test_t13_at_the_cap_then_most_health_wins() -> None:
    assert COURT.outcome(end_last_turn("banners: H / D / -\nhealth: 3 4 6")) == Outcome((2, 1, 3), (1, 1, 0))


def test_t13_at_the_cap_equals_share_the_win() -> None:
    state = end_last_turn("banners: H / D / S\nhealth: 3 4 4")
    assert COURT.outcome(state) == Outcome((3, 1, 1), (1, 1, 1))


def test_t13_decisions_of_the_last_turn_are_made_before_the_match_is_over() -> None:
    facts = "phase: two\nhands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: - / HD\nturns: 3\ncap: 3"
    state = parse_position(f"   K L\n9 A B\n{facts}")
    play_moves(state, "strike AS")
    assert asked_decision(state) == "B give"
    play_moves(state, "give H", "place K11")
    assert asked_decision(state) == "over"
    assert COURT.outcome(state) == Outcome((2, 1), (0, 1))
    assert len(state.hands[0]) == 6


def test_t13_a_win_by_banners_in_the_last_turn_is_one_by_banners() -> None:
    state = parse_position(EDGE + "banners: DSC / HDS\nturns: 3\ncap: 3")
    play_moves(state, "move 3H")
    assert COURT.view(state, None).ending == "banners"


# --- T14: decisions that fall to somebody not in turn


def test_t14_they_hold_the_match_until_made() -> None:
    state = parse_position("   K L\n9 A B\nphase: two\nhands: AS 3C 4C 5C 6C / 3H\nhealth: 6 1\nbanners: - / HD")
    play_moves(state, "strike AS")
    assert COURT.decisions(state) == {1: Decision("give", 0)}
    assert not COURT.moves(state, 0)
    play_moves(state, "give H")
    assert COURT.decisions(state) == {1: Decision("place", 1)}
    play_moves(state, "place K11")
    assert COURT.decisions(state) == {1: Decision("move", 2)}


def test_t14_only_the_one_who_owes_it_may_make_it() -> None:
    state = parse_position(
        "   K L M\n9 A B C\nphase: two\nhands: AS 3C 4C 5C 6C / /\nhealth: 6 1 1\nbanners: D / HD / HS"
    )
    play_moves(state, "strike AS")
    for seat in (0, 2):
        for move in ("give H", "give D", "place K11", "move 3C", "discard 3C"):
            assert expect_refusal(state, move, seat) == (None, "Another player has to give back a banner first.")
    play_moves(state, "give H")
    for seat in (0, 2):
        assert expect_refusal(state, "place K11", seat) == (None, "Another player has to place a Mage first.")


def test_t14_nothing_is_placed_or_given_back_that_is_not_owed() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4S 5S / \nbanners: HD / -")
    for move in ("move 4S", "discard 5S"):
        assert expect_refusal(state, "place K11") == ("T6", "Your Mage is on the board already.")
        assert expect_refusal(state, "give H") == ("T10", "You give back a banner only when your Mage is knocked out.")
        play_moves(state, move)


def test_t14_an_only_banner_is_given_back_by_itself() -> None:
    state = parse_position("   K L\n9 A B\nphase: two\nhands: AS 3C 4C 5C 6C / \nhealth: 6 1\nbanners: H / S")
    events = play_moves(state, "strike AS")
    assert events[-1] == BannerGiven(seat=1, suit=3, alone=True)
    assert banner_text(state) == "H / -"
    assert asked_decision(state) == "B place"


def test_t14_the_last_free_starting_square_is_taken_by_itself() -> None:
    state = parse_position("""
           K  L  M
        11 A  C  .
        12 D  .  B
        phase: two
        hands: JS 3C 4C 5C 6C / / /
        health: 6 1 6 6
    """)
    events = make_attack(state, "attack JS B", "6 / 1")
    assert MagePlaced(seat=1, square=board.parse_square("L12"), cause="knocked out", alone=True) in events
    check_board(state, "   K L\n11 A C\n12 D B")
    assert asked_decision(state) == "B move"
    assert len(state.hands[0]) == 6


def test_t14_the_last_of_four_mages_is_placed_by_itself_at_the_beginning() -> None:
    state = parse_position("   K L M N\n9 A B C D")
    start = COURT.start(4, COURT.options(), state.chance)
    last = start.order[0]
    events = play_moves(start, "place K12", "place L11", "place K11")
    assert events[-1] == MagePlaced(seat=last, square=board.parse_square("L12"), cause="start", alone=True)
    assert asked_decision(start) == f"{'ABCD'[last]} move"


def test_t14_a_chain_of_decisions_without_a_choice_runs_through() -> None:
    state = parse_position("""
           K  L  M
        11 A  .  .
        12 D  .  B
        13 .  .  C
        phase: two
        hands: AS 3C 4C 5C 6C / / /
        health: 6 1 1 6
        banners: - / H / HD / -
    """)
    events = play_moves(state, "strike AS")
    assert BannerGiven(seat=1, suit=2, alone=True) in events
    assert asked_decision(state) == "B place"
    assert [event.kind for event in play_moves(state, "place L11")] == ["placed"]  # type: ignore[attr-defined]
    assert asked_decision(state) == "C give"
    kinds = [event.kind for event in play_moves(state, "give H")]  # type: ignore[attr-defined]
    assert kinds == ["gave", "placed", "drew", "drawn"]
    assert asked_decision(state) == "B move"


# --- All cards stay


def test_no_card_is_lost_by_any_kind_of_move() -> None:
    state = parse_position("  K L\n2 A B\nhands: 3H 4S KS AS menhir 2C / \nhealth: 5 5")
    pack = all_cards(state)
    for moves in (
        ("move 3H", "place K11", "discard 2C"),
        ("move 2C", "push 3H B", "place K12"),
        ("move 2C", "attack KS"),
        ("move 2C", "strike AS"),
        ("move 2C", "heal AS"),
        ("move 2C", "menhir A1"),
    ):
        after = COURT.copy(state)
        play_moves(after, *moves)
        assert all_cards(after) == pack
        assert [len(held) for held in after.hands] == [6, 6]
