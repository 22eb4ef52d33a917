"""Jester's Court by the book: T9 to T11, attacks, Mages that are knocked out, and Mages between Menhirs."""

from __future__ import annotations

import pytest

from engines.court import COURT, board
from engines.court.model import (
    Attack,
    Attacked,
    BannerGiven,
    Defence,
    MageDamaged,
    MageEnclosed,
    MageKnockedOut,
    MagePlaced,
    MagesAttacked,
    MagesStruck,
    MenhirSet,
    Owed,
    State,
)
from tests.engines.court.positions import (
    acting,
    all_dice,
    asked,
    attack,
    banners,
    hand,
    legal,
    looks,
    named,
    play,
    position,
    refused,
    standing,
)

TWO = "   K L\n9 A B\nphase: two\n"
THREE = "   K L M\n9 A B C\nphase: two\n"
FOUR = "   K L M N\n9 A B C D\nphase: two\n"


def health(state: State) -> tuple[int, ...]:
    return COURT.view(state, None).health


def square(name: str) -> int:
    return board.square(name)


def card(name: str) -> int:
    return named(name)[0]


# --- T9: attacks


@pytest.mark.parametrize("name", ["JS", "QS", "KS"])
@pytest.mark.parametrize(("drawing", "others"), [(TWO, 1), (THREE, 2)])
def test_t9_with_two_or_three_players_any_court_card_attacks_every_opponent(
    drawing: str, others: int, name: str
) -> None:
    state = position(drawing + f"hands: {name} 3C 4C 5C 6C {'/' * others}")
    assert legal(state, "attack") == [f"attack {name}"]
    said = "With 2 or 3 players any court card attacks every opponent: name no seat."
    assert refused(state, f"attack {name} B") == ("T9", said)
    attack(state, f"attack {name}", "6" + " / 1" * others)
    assert health(state) == (6, *[5] * others)


def test_t9_with_four_players_a_jack_attacks_one_opponent() -> None:
    state = position(FOUR + "hands: JS 3C 4C 5C 6C / / /")
    assert legal(state, "attack") == ["attack JS B", "attack JS C", "attack JS D"]
    for move in ("attack JS", "attack JS B C", "attack JS B C D"):
        assert refused(state, move) == ("T9", "A jack attacks one opponent.")
    attack(state, "attack JS C", "6 / 1")
    assert health(state) == (6, 6, 5, 6)


def test_t9_with_four_players_a_queen_attacks_one_or_two() -> None:
    state = position(FOUR + "hands: QS 3C 4C 5C 6C / / /")
    two = ["attack QS B C", "attack QS B D", "attack QS C D"]
    assert legal(state, "attack") == ["attack QS B", "attack QS C", "attack QS D", *two]
    for move in ("attack QS", "attack QS B C D"):
        assert refused(state, move) == ("T9", "A queen attacks one opponent, or two.")
    one = COURT.copy(state)
    attack(one, "attack QS C", "6 / 1")
    assert health(one) == (6, 6, 5, 6)
    attack(state, "attack QS D B", "6 / 1 / 1")
    assert health(state) == (6, 5, 6, 5)


def test_t9_with_four_players_a_king_attacks_all() -> None:
    state = position(FOUR + "turn: B\nhands: / KS 3C 4C 5C 6C / /")
    assert legal(state, "attack") == ["attack KS"]
    assert refused(state, "attack KS A") == ("T9", "A king attacks every opponent: name no seat.")
    attack(state, "attack KS", "6 / 1 / 1 / 1")
    assert health(state) == (5, 6, 5, 5)


def test_t9_targets_are_opponents_each_named_once_and_in_any_order() -> None:
    state = position(FOUR + "hands: QS JS 4C 5C 6C / / /")
    assert refused(state, "attack QS A B") == ("T9", "You cannot attack your own Mage.")
    assert refused(state, "attack JS E") == (None, "This match has the seats A to D.")
    assert refused(state, "attack QS B B") == ("T9", "A queen attacks one opponent, or two.")
    assert COURT.read("attack QS D B") == COURT.read("attack QS B D") == Attack(card("QS"), (1, 3))
    COURT.check(state, 0, Attack(card("QS"), (3, 1)))


@pytest.mark.parametrize("other", ["AS", "4S", "menhir"])
def test_t9_only_a_court_card_attacks(other: str) -> None:
    state = position(FOUR + f"hands: {other} 3C 4C 5C 6C / / /")
    assert refused(state, f"attack {other} B") == ("T9", "An attack takes a jack, queen or king.")


@pytest.mark.parametrize(("dice", "hit"), [("4 / 3", True), ("3 / 4", False), ("6 / 1", True), ("1 / 2", False)])
def test_t9_a_higher_attacker_deals_one_damage_and_a_higher_defender_takes_none(dice: str, hit: bool) -> None:
    state = position(TWO + "hands: JS 3C 4C 5C 6C /\nhealth: 4 4")
    events = attack(state, "attack JS", dice)
    assert health(state) == (4, 3 if hit else 4)
    assert (MageDamaged(seat=1, health=3) in events) == hit


def test_t9_one_die_for_the_attacker_against_all_and_one_for_each_defender() -> None:
    state = position(FOUR + "order: A C B D\nhands: KS 3C 4C 5C 6C / / /\nturns: 9")
    events = attack(state, "attack KS", "4 / 3 / 5 / 1")
    attacked = Attacked(9, 0, card("KS"), 4, (Defence(2, (3,), True), Defence(1, (5,), False), Defence(3, (1,), True)))
    assert events[:3] == [
        MagesAttacked(attacked=attacked),
        MageDamaged(seat=2, health=5),
        MageDamaged(seat=3, health=5),
    ]
    assert COURT.view(state, None).attacked == attacked
    assert health(state) == (6, 6, 5, 5)


def test_t9_a_defender_who_ties_rolls_again_alone_and_all_dice_are_shown() -> None:
    state = position(THREE + "hands: KS 3C 4C 5C 6C / /")
    events = attack(state, "attack KS", "4 / 4 4 2 / 5")
    attacked = Attacked(1, 0, card("KS"), 4, (Defence(1, (4, 4, 2), True), Defence(2, (5,), False)))
    assert events[0] == MagesAttacked(attacked=attacked)
    assert health(state) == (6, 5, 6)


def test_t9_every_die_has_six_sides_and_none_depends_on_another() -> None:
    state = position(FOUR + "hands: KS 3C 4C 5C 6C / / /")
    seen = []
    for _ in range(600):
        after = COURT.copy(state)
        play(after, "attack KS")
        state.chance.below(2)
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
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1")
    events = play(state, "strike AS")
    assert events == [MagesStruck(seat=0, card=card("AS")), MageKnockedOut(seat=1)]
    assert health(state) == (6, 6)
    assert standing(state) == {"A": "K9"}
    assert asked(state) == "B place"
    assert COURT.view(state, None).knocked == (0, 1)


def test_t10_by_an_attack_as_well() -> None:
    state = position(TWO + "hands: JS 3C 4C 5C 6C /\nhealth: 6 1")
    events = attack(state, "attack JS", "6 / 1")
    assert events[1:] == [MageKnockedOut(seat=1)]
    assert asked(state) == "B place"


def test_t10_damage_above_one_knocks_nobody_out() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 2\nbanners: - / HC")
    play(state, "strike AS")
    assert (health(state), banners(state), asked(state)) == ((6, 1), "- / CH", "B move")


def test_t10_the_owner_gives_back_a_claimed_banner_of_their_choice_and_places_the_mage() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: D / HSC")
    play(state, "strike AS")
    assert COURT.view(state, None).owed == (Owed(1, "give", "knocked out"), Owed(1, "place", "knocked out"))
    assert asked(state) == "B give"
    assert legal(state) == ["give C", "give H", "give S"]
    assert refused(state, "give D") == (None, "You can give back only a banner that you have claimed.")
    assert refused(state, "place K11") == ("T14", "Choose a banner to give back first.")
    assert play(state, "give hearts") == [BannerGiven(seat=1, suit=2)]
    assert banners(state) == "D / CS"
    assert asked(state) == "B place"
    assert refused(state, "give C") == ("T14", "Place your Mage on a starting square first.")
    assert play(state, "place K12")[0] == MagePlaced(seat=1, square=square("K12"), cause="knocked out")
    assert asked(state) == "B move"


def test_t10_without_a_banner_there_is_none_to_give_back() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: DHS / -")
    play(state, "strike AS")
    assert asked(state) == "B place"
    assert banners(state) == "DHS / -"


def test_t10_a_banner_given_back_can_be_claimed_again() -> None:
    state = position("  K L\n2 A B\nphase: two\nhands: AS 3C 4C 5C 6C / 3H 2H\nhealth: 6 1\nbanners: - / HD")
    play(state, "strike AS", "give H", "place K12")
    state.mages[1] = square("L2")
    play(state, "move 3H")
    assert banners(state) == "- / DH"


def test_t10_all_knocked_out_are_lifted_first_then_decide_in_turn_order_from_the_active_player() -> None:
    state = position("""
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
    events = play(state, "strike AS")
    assert events[1:] == [MageKnockedOut(seat=2), MageKnockedOut(seat=1), MageKnockedOut(seat=3)]
    looks(state, "   K L\n11 A .\n12 . .")
    owed = [(owed.seat, owed.what) for owed in COURT.view(state, None).owed]
    assert owed == [(2, "place"), (1, "give"), (1, "place"), (3, "give"), (3, "place")]
    assert asked(state) == "C place"
    assert legal(state) == ["place L11", "place K12", "place L12"]
    play(state, "place L12")
    assert asked(state) == "B give"
    play(state, "give D", "place L11")
    assert asked(state) == "D give"
    play(state, "give C")
    looks(state, "   K L\n11 A B\n12 D C")
    assert banners(state) == "- / H / - / S"
    assert asked(state) == "C move"


def test_t10_only_those_who_were_hit() -> None:
    state = position(THREE + "hands: KS 3C 4C 5C 6C / /\nhealth: 1 1 1\nbanners: H / H / H")
    attack(state, "attack KS", "3 / 4 / 2")
    assert banners(state) == "H / H / -"
    assert health(state) == (1, 1, 6)
    assert asked(state) == "C place"


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
    state = position(POCKET)
    events = play(state, "menhir E6")
    assert events == [
        MenhirSet(seat=3, start=square("E7"), square=square("E6")),
        MageEnclosed(seat=1, square=square("E5")),
    ]
    assert asked(state) == "B place"
    assert COURT.view(state, None).owed == (Owed(1, "place", "enclosed"),)
    play(state, "place K11")
    assert standing(state)["B"] == "K11"
    assert asked(state) == "A move"


def test_t11_it_costs_neither_health_nor_a_banner() -> None:
    state = position(POCKET)
    play(state, "menhir E6")
    assert health(state) == (6, 2, 6, 6)
    assert banners(state) == "- / HS / - / -"


def test_t11_also_ones_own_mage() -> None:
    state = position("""
           D  E  F
        4  .  .  .
        5  a  B  c
        6  .  d  .
        rest: A K9 C L9 D M9
        phase: two
        turn: B
        hands: / menhir 3C 4C 5C 6C / /
    """)
    play(state, "menhir E4")
    assert asked(state) == "B place"


def test_t11_three_menhirs_are_too_few() -> None:
    state = position(POCKET)
    play(state, "menhir F6")
    assert standing(state)["B"] == "E5"
    assert asked(state) == "A move"


def test_t11_the_edge_does_not_count_as_a_menhir() -> None:
    state = position("""
          A  B  C
        4 b  .  .
        5 B  c  .
        6 .  .  .
        rest: A K9 C L9
        phase: two
        hands: menhir 3C 4C 5C 6C / /
    """)
    play(state, "menhir A6")
    looks(
        state,
        """
          A  B  C  K  L
        4 b  .  .  .  .
        5 B  c  .  .  .
        6 a  .  .  .  .
        9 .  .  .  A  C
    """,
    )
    assert asked(state) == "B move"


def test_t11_a_mage_does_not_count_as_a_menhir() -> None:
    state = position("""
          D  E  F
        4 .  b  .
        5 A  B  c
        6 .  .  .
        rest: C L9
        phase: two
        hands: menhir 3C 4C 5C 6C / /
    """)
    play(state, "menhir E6")
    assert standing(state)["B"] == "E5"
    assert asked(state) == "B move"


def test_t11_a_mage_that_moves_to_where_three_menhirs_are_is_not_enclosed() -> None:
    state = position("""
          D  E  F  G
        4 .  b  .  .
        5 a  .  c  .
        6 .  .  .  .
        7 .  A  .  .
        rest: B K9 C L9
        hands: 2H / /
    """)
    play(state, "move 2H")
    assert standing(state)["A"] == "E5"
    assert asked(state) == "A hinder"


def test_whose_decision_it_is_is_told_to_the_others_without_what_they_could_choose() -> None:
    state = position(TWO + "hands: AS 3C 4C 5C 6C / 3H\nhealth: 6 1\nbanners: D / HS")
    play(state, "strike AS")
    assert acting(state) == 1
    assert refused(state, "give D", seat=0) == (None, "Somebody else has to give back a banner first.")
    play(state, "give H")
    assert refused(state, "place K11", seat=0) == (None, "Somebody else has to place a Mage first.")
    assert refused(state, f"move {hand(state, 1).split()[0]}") == ("T14", "Place your Mage on a starting square first.")
