"""Jester's Court by the book: T12 to T14, the end of a turn and of the match, and decisions out of turn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engines.court import COURT, board, model
from engines.kit.contract import Decision, Outcome
from tests.contract.helper import MatchStart
from tests.engines.court import positions
from tests.engines.court.helper import HELPER
from tests.engines.court.positions import asked_decision, expect_refusal, finish_turn, parse_position, play_moves

EDGE = "  K L\n2 A B\nhands: 3H 3C 4C 5C 6C 7C / 9C 9D 9S\n"


@pytest.mark.parametrize(
    ("hand", "first", "then", "drawn", "after"),
    [
        ("4S 5S 6S 7S 8S 9S", "move 4S", "discard 5S", "QC JC", "JC QC 6S 7S 8S 9S"),
        ("AS AC AD AH KS KC", "skip", "discard AS", "QC", "AC QC KC AD AH KS"),
    ],
)
def test_t12_hands_are_drawn_up_to_six_in_secret(hand: str, first: str, then: str, drawn: str, after: str) -> None:
    state = parse_position(f"   K L\n9 A B\nhands: {hand} /\ntop: QC JC 10C")
    play_moves(state, first)
    before = COURT.view(state, None).draw
    events, cards = play_moves(state, then), positions.parse_cards(drawn)
    assert positions.hand_names(state, 0) == after
    assert events[1] == model.CardsDrawn(seat=0, number=len(cards))
    assert (events[2].kind, events[2].to, Counter(events[2].cards)) == ("drawn", (0,), Counter(cards))  # type: ignore[attr-defined]
    assert COURT.view(state, None).draw == before - len(cards)


@pytest.mark.parametrize(("left", "drawn"), [("draw: 0", ""), ("draw: 1\ntop: QC", "QC")])
def test_t12_the_discard_pile_becomes_the_draw_pile_when_that_runs_out(left: str, drawn: str) -> None:
    state = parse_position(f"   K L\n9 A B\nhands: 4S 5S 6S 7S 8S 9S /\n{left}")
    before = sorted([*state.discard, *positions.parse_cards("4S 5S")])
    events = play_moves(state, "move 4S", "discard 5S")
    assert events[-3] == model.PileReshuffled(cards=len(before))
    assert [event.kind for event in events[-2:]] == ["drew", "drawn"]  # type: ignore[attr-defined]
    assert [*events[-1].cards[:1]] == positions.parse_cards(drawn) or not drawn  # type: ignore[attr-defined]
    assert drawn in positions.hand_names(state, 0)
    assert (positions.pile_names(state), list(COURT.view(state, None).pool)) == ("", before)
    assert len(state.hands[0]) == 6
    assert COURT.view(state, None).draw == len(before) - 2 + len(drawn.split())


def test_t12_a_pile_that_a_draw_just_empties_is_reshuffled_only_when_a_card_must_be_drawn_from_it() -> None:
    state = parse_position("   K L\n9 A B\nfill: number\nhands: 4S 5S 6S 7S 8S 9S /\ndraw: 2")
    events = play_moves(state, "move 4S", "discard 5S")
    assert not any(isinstance(event, model.PileReshuffled) for event in events)
    assert COURT.view(state, None).draw == 0
    assert positions.pile_names(state).endswith("4S 5S")
    assert any(isinstance(event, model.PileReshuffled) for event in finish_turn(state))


@pytest.mark.parametrize("turns", ["", "\nturns: 3\ncap: 3"])
def test_t13_the_first_to_hold_all_four_banners_wins_at_once_and_nobody_acts_after_the_end(turns: str) -> None:
    state = parse_position(f"{EDGE}banners: DSC / HDS{turns}")
    events = play_moves(state, "move 3H")
    assert events[1:] == [model.BannerClaimed(seat=0, suit=2), model.MatchEnded(ending="banners", winners=(0,))]
    assert asked_decision(state) == "over"
    assert COURT.outcome(state) == Outcome((1, 2), (4, 3))
    assert positions.standing_squares(state) == {"B": "L2"}
    assert len(state.hands[0]) == 5
    view = COURT.view(state, None)
    assert (view.phase, view.ending, view.owed) == ("over", "banners", ())
    for seat in (0, 1):
        assert not COURT.moves(state, seat)
        for move in ("move 3C", "skip", "push 3C A", "place K11", "give H"):
            assert expect_refusal(state, move, seat) == (None, "The game is over.")


def test_t13_a_seat_may_win_in_anothers_turn() -> None:
    state = parse_position("  K L\n2 A B\nphase: two\nhands: 3H 3C 4C 5C 6C /\nbanners: DSC / DSC")
    events = play_moves(state, "push 3H B")
    assert model.MatchEnded(ending="banners", winners=(1,)) in events
    assert COURT.outcome(state) == Outcome((2, 1), (3, 4))
    assert len(state.hands[0]) == 4  # nothing was drawn


GOALS = [(2, "D", True), (3, "D", False), (3, "DC", True), (4, "DC", False), (4, "HSC", False)]


@pytest.mark.parametrize(("goal", "banners", "wins"), GOALS)
def test_t13_the_match_may_be_won_by_fewer_banners_and_none_counts_twice(goal: int, banners: str, wins: bool) -> None:
    state = parse_position(EDGE + f"banners: {banners} / -\ngoal: {goal}")
    play_moves(state, "move 3H")
    assert asked_decision(state) == ("over" if wins else "A place")


@pytest.mark.parametrize("start", HELPER.starts(), ids=str)
@pytest.mark.parametrize("seed", ["f" * 32, "1".zfill(32)])
def test_t13_no_match_begins_with_somebody_who_has_won(start: MatchStart, seed: str) -> None:
    state = HELPER.start_state(replace(start, seed=seed))
    assert all(len(banners) < state.goal for banners in state.banners)


def test_t13_the_turns_of_all_players_count_together() -> None:
    state = parse_position("   K L M\n9 A B C\nfill: number\ncap: 7")
    turns = []
    while COURT.decisions(state):
        turns.append((positions.seat_to_act(state), COURT.view(state, None).turns))
        finish_turn(state)
    assert turns == [(0, 1), (1, 2), (2, 3), (0, 4), (1, 5), (2, 6), (0, 7)]


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ("banners: H / HD / -\nhealth: 6 1 5", Outcome((2, 1, 3), (1, 2, 0))),
        ("banners: H / D / -\nhealth: 3 4 6", Outcome((2, 1, 3), (1, 1, 0))),
        ("banners: H / D / S\nhealth: 3 4 4", Outcome((3, 1, 1), (1, 1, 1))),
    ],
)
def test_t13_at_the_cap_most_banners_win_then_most_health_and_equals_share(facts: str, outcome: Outcome) -> None:
    state = parse_position(f"   K L M\n9 A B C\nhands: 4S 5S / /\nturns: 12\ncap: 12\n{facts}")
    events = finish_turn(state)
    assert isinstance(events[-1], model.MatchEnded)
    assert events[-1].ending == COURT.view(state, None).ending == "turns"
    assert COURT.outcome(state) == outcome


def test_t13_decisions_of_the_last_turn_are_made_before_the_match_is_over() -> None:
    facts = "phase: two\nhands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: - / HD\nturns: 3\ncap: 3"
    state = parse_position(f"   K L\n9 A B\n{facts}")
    play_moves(state, "strike AS")
    assert asked_decision(state) == "B give"
    play_moves(state, "give H", "place K11")
    assert asked_decision(state) == "over"
    assert COURT.outcome(state) == Outcome((2, 1), (0, 1))
    assert len(state.hands[0]) == 6


def test_t14_a_decision_that_is_owed_holds_the_match_and_only_its_owner_may_make_it() -> None:
    facts = "phase: two\nhands: AS 3C 4C 5C 6C / /\nhealth: 6 1 1\nbanners: D / HD / HS"
    state = parse_position(f"   K L M\n9 A B C\n{facts}")
    play_moves(state, "strike AS")
    assert COURT.decisions(state) == {1: Decision("give", 0)}
    for seat in (0, 2):
        assert not COURT.moves(state, seat)
        for move in ("give H", "give D", "place K11", "move 3C", "discard 3C"):
            assert expect_refusal(state, move, seat) == (None, "Another player has to give back a banner first.")
    play_moves(state, "give H")
    assert COURT.decisions(state) == {1: Decision("place", 1)}
    for seat in (0, 2):
        assert expect_refusal(state, "place K11", seat) == (None, "Another player has to place a Mage first.")
    play_moves(state, "place K11", "give H", "place K12")
    assert COURT.decisions(state) == {1: Decision("move", 2)}


def test_t14_nothing_is_placed_or_given_back_that_is_not_owed() -> None:
    state = parse_position("   K L\n9 A B\nhands: 4S 5S / \nbanners: HD / -")
    for move in ("move 4S", "discard 5S"):
        assert expect_refusal(state, "place K11") == ("T6", "Your Mage is on the board already.")
        assert expect_refusal(state, "give H") == (
            "T10",
            "You can give back a banner only when your Mage is knocked out.",
        )
        play_moves(state, move)


def test_t14_an_only_banner_is_given_back_by_itself() -> None:
    state = parse_position("   K L\n9 A B\nphase: two\nhands: AS 3C 4C 5C 6C / \nhealth: 6 1\nbanners: H / S")
    events = play_moves(state, "strike AS")
    assert events[-1] == model.BannerGiven(seat=1, suit=3, alone=True)
    assert positions.banner_text(state) == "H / -"
    assert asked_decision(state) == "B place"


def test_t14_the_last_free_starting_square_is_taken_by_itself() -> None:
    facts = "phase: two\nhands: JS 3C 4C 5C 6C / / /\nhealth: 6 1 6 6"
    state = parse_position(f"   K L M\n11 A C .\n12 D . B\n{facts}")
    events = positions.make_attack(state, "attack JS B", "6 / 1")
    assert model.MagePlaced(seat=1, square=board.parse_square("L12"), cause="knocked out", alone=True) in events
    positions.check_board(state, "   K L\n11 A C\n12 D B")
    assert asked_decision(state) == "B move"
    assert len(state.hands[0]) == 6


def test_t14_the_last_of_four_mages_is_placed_by_itself_at_the_beginning() -> None:
    state = parse_position("   K L M N\n9 A B C D")
    start = COURT.start(4, COURT.options(), state.chance)
    last = start.order[0]
    events = play_moves(start, "place K12", "place L11", "place K11")
    assert events[-1] == model.MagePlaced(seat=last, square=board.parse_square("L12"), cause="start", alone=True)
    assert asked_decision(start) == f"{'ABCD'[last]} move"


def test_t14_a_chain_of_decisions_without_a_choice_runs_through() -> None:
    facts = "phase: two\nhands: AS 3C 4C 5C 6C / / /\nhealth: 6 1 1 6\nbanners: - / H / HD / -"
    state = parse_position(f"   K L M\n11 A . .\n12 D . B\n13 . . C\n{facts}")
    events = play_moves(state, "strike AS")
    assert model.BannerGiven(seat=1, suit=2, alone=True) in events
    assert asked_decision(state) == "B place"
    assert [event.kind for event in play_moves(state, "place L11")] == ["placed"]  # type: ignore[attr-defined]
    assert asked_decision(state) == "C give"
    kinds = [event.kind for event in play_moves(state, "give H")]  # type: ignore[attr-defined]
    assert kinds == ["gave", "placed", "drew", "drawn"]
    assert asked_decision(state) == "B move"
