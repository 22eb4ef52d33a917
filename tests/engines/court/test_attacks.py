"""Jester's Court by the book: T9 to T11, attacks, Mages that are knocked out, and Mages between Menhirs."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.model import (
    Attack,
    AttackResult,
    BannerGiven,
    Defence,
    MageDamaged,
    MageEnclosed,
    MageKnockedOut,
    MagePlaced,
    MagesAttacked,
    MagesStruck,
    MenhirSet,
    OwedDecision,
    State,
)
from tests.engines.court.positions import (
    all_dice,
    asked_decision,
    banner_text,
    check_board,
    expect_refusal,
    hand_names,
    legal_notations,
    make_attack,
    parse_cards,
    parse_position,
    play_moves,
    seat_to_act,
    standing_squares,
)

TWO = "   K L\n9 A B\nphase: two\n"
THREE = "   K L M\n9 A B C\nphase: two\n"
FOUR = "   K L M N\n9 A B C D\nphase: two\n"


def view_health(state: State) -> tuple[int, ...]:
    return COURT.view(state, None).health


def square_number(name: str) -> int:
    return board.parse_square(name)


def card_number(name: str) -> int:
    return parse_cards(name)[0]


# --- T9: attacks


@pytest.mark.parametrize("name", ["JS", "QS", "KS"])
@pytest.mark.parametrize(("drawing", "others"), [(TWO, 1), (THREE, 2)])
def test_t9_with_two_or_three_players_any_court_card_attacks_every_opponent(
    drawing: str, others: int, name: str
) -> None:
    state = parse_position(drawing + f"hands: {name} 3C 4C 5C 6C {'/' * others}")
    assert legal_notations(state, "attack") == [f"attack {name}"]
    said = "With 2 or 3 players any court card attacks all opponents, so do not name a seat."
    assert expect_refusal(state, f"attack {name} B") == ("T9", said)
    make_attack(state, f"attack {name}", "6" + " / 1" * others)
    assert view_health(state) == (6, *[5] * others)


def test_t9_with_four_players_a_jack_attacks_one_opponent() -> None:
    state = parse_position(FOUR + "hands: JS 3C 4C 5C 6C / / /")
    assert legal_notations(state, "attack") == ["attack JS B", "attack JS C", "attack JS D"]
    for move in ("attack JS", "attack JS B C", "attack JS B C D"):
        assert expect_refusal(state, move) == ("T9", "A jack attacks one opponent.")
    make_attack(state, "attack JS C", "6 / 1")
    assert view_health(state) == (6, 6, 5, 6)


def test_t9_with_four_players_a_queen_attacks_one_or_two() -> None:
    state = parse_position(FOUR + "hands: QS 3C 4C 5C 6C / / /")
    two = ["attack QS B C", "attack QS B D", "attack QS C D"]
    assert legal_notations(state, "attack") == ["attack QS B", "attack QS C", "attack QS D", *two]
    for move in ("attack QS", "attack QS B C D"):
        assert expect_refusal(state, move) == ("T9", "A queen attacks one opponent, or two.")
    one = COURT.copy(state)
    make_attack(one, "attack QS C", "6 / 1")
    assert view_health(one) == (6, 6, 5, 6)
    make_attack(state, "attack QS D B", "6 / 1 / 1")
    assert view_health(state) == (6, 5, 6, 5)


def test_t9_with_four_players_a_king_attacks_all() -> None:
    state = parse_position(FOUR + "turn: B\nhands: / KS 3C 4C 5C 6C / /")
    assert legal_notations(state, "attack") == ["attack KS"]
    assert expect_refusal(state, "attack KS A") == ("T9", "A king attacks all opponents, so do not name a seat.")
    make_attack(state, "attack KS", "6 / 1 / 1 / 1")
    assert view_health(state) == (5, 6, 5, 5)


def test_t9_targets_are_opponents_each_named_once_and_in_any_order() -> None:
    state = parse_position(FOUR + "hands: QS JS 4C 5C 6C / / /")
    assert expect_refusal(state, "attack QS A B") == ("T9", "You cannot attack your own Mage.")
    assert expect_refusal(state, "attack JS E") == (None, "This match has the seats A to D.")
    assert expect_refusal(state, "attack QS B B") == ("T9", "A queen attacks one opponent, or two.")
    assert COURT.parse_move("attack QS D B") == COURT.parse_move("attack QS B D") == Attack(card_number("QS"), (1, 3))
    COURT.check(state, 0, Attack(card_number("QS"), (3, 1)))


@pytest.mark.parametrize("other", ["AS", "4S", "menhir"])
def test_t9_only_a_court_card_attacks(other: str) -> None:
    state = parse_position(FOUR + f"hands: {other} 3C 4C 5C 6C / / /")
    assert expect_refusal(state, f"attack {other} B") == ("T9", "You need a jack, queen or king to attack.")


@pytest.mark.parametrize(("dice", "hit"), [("4 / 3", True), ("3 / 4", False), ("6 / 1", True), ("1 / 2", False)])
def test_t9_a_higher_attacker_deals_one_damage_and_a_higher_defender_takes_none(dice: str, hit: bool) -> None:
    state = parse_position(TWO + "hands: JS 3C 4C 5C 6C /\nhealth: 4 4")
    events = make_attack(state, "attack JS", dice)
    assert view_health(state) == (4, 3 if hit else 4)
    assert (MageDamaged(seat=1, health=3) in events) == hit


def test_t9_one_die_for_the_attacker_against_all_and_one_for_each_defender() -> None:
    state = parse_position(FOUR + "order: A C B D\nhands: KS 3C 4C 5C 6C / / /\nturns: 9")
    events = make_attack(state, "attack KS", "4 / 3 / 5 / 1")
    attacked = AttackResult(
        9, 0, card_number("KS"), 4, (Defence(2, (3,), True), Defence(1, (5,), False), Defence(3, (1,), True))
    )
    assert events[:3] == [
        MagesAttacked(attacked=attacked),
        MageDamaged(seat=2, health=5),
        MageDamaged(seat=3, health=5),
    ]
    assert COURT.view(state, None).attacked == attacked
    assert view_health(state) == (6, 6, 5, 5)


def test_t9_a_defender_who_ties_rolls_again_alone_and_all_dice_are_shown() -> None:
    state = parse_position(THREE + "hands: KS 3C 4C 5C 6C / /")
    events = make_attack(state, "attack KS", "4 / 4 4 2 / 5")
    attacked = AttackResult(1, 0, card_number("KS"), 4, (Defence(1, (4, 4, 2), True), Defence(2, (5,), False)))
    assert events[0] == MagesAttacked(attacked=attacked)
    assert view_health(state) == (6, 5, 6)


def test_t9_every_die_has_six_sides_and_none_depends_on_another() -> None:
    state = parse_position(FOUR + "hands: KS 3C 4C 5C 6C / / /")
    seen = []
    for _ in range(600):
        after = COURT.copy(state)
        play_moves(after, "attack KS")
        state.chance.randbelow(2)
        assert after.attacked is not None
        seen.append((after.attacked.roll, *(defence.rolls[0] for defence in after.attacked.defences)))
        assert set(all_dice(after)) <= set(range(1, 7))
    for die in range(4):
        for face in range(1, 7):
            assert 60 < sum(dice[die] == face for dice in seen) < 145
    for one, other in ((0, 1), (0, 3), (1, 2)):
        assert 60 < sum(dice[one] == dice[other] for dice in seen) < 145


# --- T10: knocked out


def test_t10_damage_at_one_health_knocks_out_and_restores_all_health() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1")
    events = play_moves(state, "strike AS")
    assert events == [MagesStruck(seat=0, card=card_number("AS")), MageKnockedOut(seat=1)]
    assert view_health(state) == (6, 6)
    assert standing_squares(state) == {"A": "K9"}
    assert asked_decision(state) == "B place"
    assert COURT.view(state, None).knocked == (0, 1)


def test_t10_by_an_attack_as_well() -> None:
    state = parse_position(TWO + "hands: JS 3C 4C 5C 6C /\nhealth: 6 1")
    events = make_attack(state, "attack JS", "6 / 1")
    assert events[1:] == [MageKnockedOut(seat=1)]
    assert asked_decision(state) == "B place"


def test_t10_damage_above_one_knocks_nobody_out() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 2\nbanners: - / HC")
    play_moves(state, "strike AS")
    assert (view_health(state), banner_text(state), asked_decision(state)) == ((6, 1), "- / CH", "B move")


def test_t10_the_owner_gives_back_a_claimed_banner_of_their_choice_and_places_the_mage() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: D / HSC")
    play_moves(state, "strike AS")
    assert COURT.view(state, None).owed == (
        OwedDecision(1, "give", "knocked out"),
        OwedDecision(1, "place", "knocked out"),
    )
    assert asked_decision(state) == "B give"
    assert legal_notations(state) == ["give C", "give H", "give S"]
    assert expect_refusal(state, "give D") == (None, "You can only give back a banner that you have claimed.")
    assert expect_refusal(state, "place K11") == ("T14", "Choose a banner to give back first.")
    assert play_moves(state, "give hearts") == [BannerGiven(seat=1, suit=2)]
    assert banner_text(state) == "D / CS"
    assert asked_decision(state) == "B place"
    assert expect_refusal(state, "give C") == ("T14", "Place your Mage on a starting square first.")
    assert play_moves(state, "place K12")[0] == MagePlaced(seat=1, square=square_number("K12"), cause="knocked out")
    assert asked_decision(state) == "B move"


def test_t10_without_a_banner_there_is_none_to_give_back() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: DHS / -")
    play_moves(state, "strike AS")
    assert asked_decision(state) == "B place"
    assert banner_text(state) == "DHS / -"


def test_t10_a_banner_given_back_can_be_claimed_again() -> None:
    state = parse_position("  K L\n2 A B\nphase: two\nhands: AS 3C 4C 5C 6C / 3H 2H\nhealth: 6 1\nbanners: - / HD")
    play_moves(state, "strike AS", "give H", "place K12")
    state.mages[1] = square_number("L2")
    play_moves(state, "move 3H")
    assert banner_text(state) == "- / DH"


def test_t10_all_knocked_out_are_lifted_first_then_decide_in_turn_order_from_the_active_player() -> None:
    state = parse_position("""
           K  L  M
        11 A  B  .
        12 C  D  .
        order: B D A C
        turn: A
        phase: two
        hands: AS 3C 4C 5C 6C / / /
        health: 6 1 1 1
        banners: - / HD / - / CS
    """)
    events = play_moves(state, "strike AS")
    assert events[1:] == [MageKnockedOut(seat=2), MageKnockedOut(seat=1), MageKnockedOut(seat=3)]
    check_board(state, "   K L\n11 A .\n12 . .")
    owed = [(owed.seat, owed.what) for owed in COURT.view(state, None).owed]
    assert owed == [(2, "place"), (1, "give"), (1, "place"), (3, "give"), (3, "place")]
    assert asked_decision(state) == "C place"
    assert legal_notations(state) == ["place L11", "place K12", "place L12"]
    play_moves(state, "place L12")
    assert asked_decision(state) == "B give"
    play_moves(state, "give D", "place L11")
    assert asked_decision(state) == "D give"
    play_moves(state, "give C")
    check_board(state, "   K L\n11 A B\n12 D C")
    assert banner_text(state) == "- / H / - / S"
    assert asked_decision(state) == "C move"


def test_t10_only_those_who_were_hit() -> None:
    state = parse_position(THREE + "hands: KS 3C 4C 5C 6C / /\nhealth: 1 1 1\nbanners: H / H / H")
    make_attack(state, "attack KS", "3 / 4 / 2")
    assert banner_text(state) == "H / H / -"
    assert view_health(state) == (1, 1, 6)
    assert asked_decision(state) == "C place"


# --- T11: between four Menhirs


POCKET = """
       D  E  F  G
    4  .  b  .  .
    5  a  B  c  .
    6  .  .  .  .
    7  .  d  .  .
    rest: A K9 C L9 D M9
    phase: two
    turn: D
    hands: / / / menhir 3C 4C 5C 6C
    banners: - / HS / - / -
    health: 6 2 6 6
"""


def test_t11_a_mage_with_a_menhir_on_each_side_is_placed_anew_by_its_owner() -> None:
    state = parse_position(POCKET)
    events = play_moves(state, "menhir E6")
    assert events == [
        MenhirSet(seat=3, start=square_number("E7"), square=square_number("E6")),
        MageEnclosed(seat=1, square=square_number("E5")),
    ]
    assert asked_decision(state) == "B place"
    assert COURT.view(state, None).owed == (OwedDecision(1, "place", "enclosed"),)
    play_moves(state, "place K11")
    assert standing_squares(state)["B"] == "K11"
    assert asked_decision(state) == "A move"


def test_t11_it_costs_neither_health_nor_a_banner() -> None:
    state = parse_position(POCKET)
    play_moves(state, "menhir E6")
    assert view_health(state) == (6, 2, 6, 6)
    assert banner_text(state) == "- / HS / - / -"


def test_t11_also_ones_own_mage() -> None:
    state = parse_position("""
           D  E  F
        4  .  .  .
        5  a  B  c
        6  .  d  .
        rest: A K9 C L9 D M9
        phase: two
        turn: B
        hands: / menhir 3C 4C 5C 6C / /
    """)
    play_moves(state, "menhir E4")
    assert asked_decision(state) == "B place"


def test_t11_three_menhirs_are_too_few() -> None:
    state = parse_position(POCKET)
    play_moves(state, "menhir F6")
    assert standing_squares(state)["B"] == "E5"
    assert asked_decision(state) == "A move"


def test_t11_the_edge_does_not_count_as_a_menhir() -> None:
    state = parse_position("""
          A  B  C
        4 b  .  .
        5 B  c  .
        6 .  .  .
        rest: A K9 C L9
        phase: two
        hands: menhir 3C 4C 5C 6C / /
    """)
    play_moves(state, "menhir A6")
    check_board(
        state,
        """
          A  B  C  K  L
        4 b  .  .  .  .
        5 B  c  .  .  .
        6 a  .  .  .  .
        9 .  .  .  A  C
    """,
    )
    assert asked_decision(state) == "B move"


def test_t11_a_mage_does_not_count_as_a_menhir() -> None:
    state = parse_position("""
          D  E  F
        4 .  b  .
        5 A  B  c
        6 .  .  .
        rest: C L9
        phase: two
        hands: menhir 3C 4C 5C 6C / /
    """)
    play_moves(state, "menhir E6")
    assert standing_squares(state)["B"] == "E5"
    assert asked_decision(state) == "B move"


def test_t11_a_mage_that_moves_to_where_three_menhirs_are_is_not_enclosed() -> None:
    state = parse_position("""
          D  E  F  G
        4 .  b  .  .
        5 a  .  c  .
        6 .  .  .  .
        7 .  A  .  .
        rest: B K9 C L9
        hands: 2H / /
    """)
    play_moves(state, "move 2H")
    assert standing_squares(state)["A"] == "E5"
    assert asked_decision(state) == "A hinder"


def test_whose_decision_it_is_is_told_to_the_others_without_what_they_could_choose() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C / 3H\nhealth: 6 1\nbanners: D / HS")
    play_moves(state, "strike AS")
    assert seat_to_act(state) == 1
    assert expect_refusal(state, "give D", seat=0) == (None, "Another player has to give back a banner first.")
    play_moves(state, "give H")
    assert expect_refusal(state, "place K11", seat=0) == (None, "Another player has to place a Mage first.")
    assert expect_refusal(state, f"move {hand_names(state, 1).split()[0]}") == (
        "T14",
        "Place your Mage on a starting square first.",
    )
