"""Jester's Court by the book: T8 to T11, what Phase Two does to the others, and Mages that are taken off the board."""

from __future__ import annotations

import pytest

from engines.court import COURT, board, model
from engines.court.board import OFF_BOARD, SQUARE_NAMES, START_SQUARES
from engines.court.model import Attack, AttackResult, Defence, Discard, Heal, OwedDecision, Push, SetMenhir, Strike
from tests.engines.court import positions
from tests.engines.court.positions import TWO, asked_decision, expect_refusal, parse_position, play_moves, square_number


def test_t8_one_card_is_played_and_the_turn_is_over() -> None:
    state = parse_position(TWO + "hands: 4S KS AS 2C 3C /")
    for move in ("push 4S B", "attack KS", "strike AS", "discard 2C"):
        after = COURT.copy(state)
        play_moves(after, move)
        assert positions.pile_names(after) == move.split()[1]
        assert asked_decision(after) == "B move"
        assert len(after.hands[0]) == 6


def test_t8_every_card_of_the_hand_can_be_played_or_discarded() -> None:
    state = parse_position(TWO + "hands: 4S KS AS 2C menhir /\nhealth: 5 6")
    others = [text for text in positions.legal_notations(state) if not text.startswith("menhir")]
    assert others == [
        *("push 2C B", "discard 2C"),
        *("strike AS", "heal AS", "discard AS"),
        *("push 4S B", "discard 4S"),
        *("attack KS", "discard KS"),
        "discard menhir",
    ]


def test_t8_a_number_card_moves_another_players_mage() -> None:
    state = parse_position(TWO + "hands: 2S 3C 4C 5C 6C /")
    event = play_moves(state, "push 2S B")[0]
    positions.check_board(state, "  K L\n9 A .\n11 . B")
    start, end = square_number("L9"), square_number("L11")
    assert event == model.MageMoved(seat=0, card=positions.card_number("2S"), mage=1, start=start, end=end)


def test_t8_any_other_mage_may_be_pushed_but_not_ones_own() -> None:
    state = parse_position(positions.FOUR + "turn: B\nhands: / 2S 3C 4C 5C 6C / /")
    assert positions.legal_notations(state, "push")[:3] == ["push 3C A", "push 3C C", "push 3C D"]
    assert expect_refusal(state, "push 2S B") == ("T8", "In Phase Two you move another player's Mage, not your own.")
    assert expect_refusal(state, "push 2S E") == (None, "This match has the seats A to D.")
    assert expect_refusal(state, Push(positions.card_number("2S"), -1)) == (None, "This match has the seats A to D.")


def test_t8_an_ace_deals_one_damage_to_every_other_mage() -> None:
    state = parse_position(positions.THREE + "turn: B\nhands: / AS 3C 4C 5C 6C /\nhealth: 6 3 2")
    events = play_moves(state, "strike AS")
    assert positions.view_health(state) == (5, 3, 1)
    assert events[:3] == [
        model.MagesStruck(seat=1, card=positions.card_number("AS")),
        model.MageDamaged(seat=2, health=1),
        model.MageDamaged(seat=0, health=5),
    ]


def test_t8_an_ace_heals_one_but_not_at_six() -> None:
    state = parse_position(TWO + "hands: AS AC 3C 4C 5C /\nhealth: 5 2")
    assert play_moves(state, "heal AS")[0] == model.MageHealed(seat=0, card=positions.card_number("AS"), health=6)
    assert positions.view_health(state) == (6, 2)
    state.turn, state.phase = 0, "hinder"
    assert expect_refusal(state, "heal AC") == ("T8", "Your Mage already has full health.")
    assert "heal AC" not in positions.legal_notations(state)


def test_t8_t9_each_move_needs_its_kind_of_card() -> None:
    state = parse_position(positions.FOUR + "hands: JS KS AS 4S menhir / / /\nhealth: 5 2 6 6")
    ace = ("T8", "You need an ace for that.")
    for other in ("JS", "AS", "menhir"):
        reason = "You need a number card, 2 to 10, to move another Mage."
        assert expect_refusal(state, f"push {other} B") == ("T8", reason)
    for other in ("KS", "4S", "menhir"):
        assert expect_refusal(state, f"strike {other}") == expect_refusal(state, f"heal {other}") == ace
    for other in ("AS", "4S", "menhir"):
        reason = "You need a jack, queen or king to attack."
        assert expect_refusal(state, f"attack {other} B") == ("T9", reason)


def test_t8_only_cards_of_the_hand_may_be_played() -> None:
    state = parse_position(TWO + "hands: 2C 3C 4C 5C 6C / 7C 8C 9C 10C QC AC\nhealth: 5 5")
    for name, moves in {
        "the 7 of clubs": ("push 7C B", "discard 7C"),
        "the queen of clubs": ("attack QC",),
        "the ace of clubs": ("strike AC", "heal AC"),
        "a Menhir card": ("menhir A1",),
    }.items():
        for move in moves:
            assert expect_refusal(state, move) == (None, f"You do not hold {name}.")
    for nothing in (Push(53, 1), Attack(-1), Strike(99), Heal(-1), Discard(-1)):
        assert expect_refusal(state, nothing) == (None, "There is no such card.")


def test_t8_a_menhir_card_places_ones_menhir_and_later_moves_it() -> None:
    state = parse_position(TWO + "turn: B\nhands: / menhir menhir 4C 5C 6C\nrest: a A1")
    assert play_moves(state, "menhir K8")[0] == model.MenhirSet(seat=1, start=OFF_BOARD, square=square_number("K8"))
    positions.check_board(state, "  A K L\n1 a . .\n8 . b .\n9 . A B")
    state.turn, state.phase = 1, "hinder"
    event = play_moves(state, "menhir A22")[0]
    assert event == model.MenhirSet(seat=1, start=square_number("K8"), square=square_number("A22"))
    assert positions.standing_squares(state) == {"A": "K9", "B": "L9", "a": "A1", "b": "A22"}


def test_t8_a_menhir_may_not_stand_on_a_starting_square_a_mage_or_a_menhir_or_off_the_board() -> None:
    state = parse_position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    reasons = {
        name: f"{name} is a starting square, so no Menhir may stand there." for name in ("K11", "L11", "K12", "L12")
    }
    reasons |= {name: f"A Mage stands on {name}." for name in ("K9", "L9")}
    reasons |= {name: f"A Menhir stands on {name}." for name in ("A1", "C3")}
    for name, reason in reasons.items():
        assert expect_refusal(state, f"menhir {name}") == ("T8", reason)
        assert board.menhir_refusal(COURT.view(state, None), square_number(name)) == reason
    for outside in (-1, 484):
        assert expect_refusal(state, SetMenhir(outside)) == (None, "There is no such square.")


def test_t8_a_menhir_may_stand_on_any_other_square() -> None:
    state = parse_position(TWO + "hands: menhir 3C 4C 5C 6C /\nrest: a A1 b C3")
    taken = {*START_SQUARES, *map(square_number, ("K9", "L9", "A1", "C3"))}
    listed = [text.split()[1] for text in positions.legal_notations(state, "menhir")]
    assert listed == [name for square, name in enumerate(SQUARE_NAMES) if square not in taken]
    assert len(listed) == 484 - 8
    for name in listed:
        assert board.menhir_refusal(state, square_number(name)) is None
        COURT.check(state, 0, SetMenhir(square_number(name)))


@pytest.mark.parametrize("name", ["JS", "QS", "KS"])
@pytest.mark.parametrize(("drawing", "others"), [(TWO, 1), (positions.THREE, 2)])
def test_t9_with_two_or_three_players_any_court_card_attacks_every_opponent(
    drawing: str, others: int, name: str
) -> None:
    state = parse_position(drawing + f"hands: {name} 3C 4C 5C 6C {'/' * others}")
    assert positions.legal_notations(state, "attack") == [f"attack {name}"]
    reason = "With 2 or 3 players any jack, queen or king attacks all opponents, so do not name a seat."
    assert expect_refusal(state, f"attack {name} B") == ("T9", reason)
    positions.make_attack(state, f"attack {name}", "6" + " / 1" * others)
    assert positions.view_health(state) == (6, *[5] * others)


ATTACKS = [
    # (card, whom it may attack, whom not and why not, attack, health after it)
    ("JS", ["B", "C", "D"], "/B C/B C D", "A jack attacks one opponent.", "C", (6, 6, 5, 6)),
    ("QS", ["B", "C", "D", "B C", "B D", "C D"], "/B C D", "A queen attacks one opponent, or two.", "C", (6, 6, 5, 6)),
    ("QS", ["B", "C", "D", "B C", "B D", "C D"], "/B B", "A queen attacks one opponent, or two.", "D B", (6, 5, 6, 5)),
    ("KS", [""], "B/C D", "A king attacks all opponents, so do not name a seat.", "", (6, 5, 5, 5)),
]


@pytest.mark.parametrize(("card", "legal", "wrong", "reason", "targets", "health"), ATTACKS)
def test_t9_with_four_players_a_jack_attacks_one_opponent_a_queen_one_or_two_and_a_king_all(
    card: str, legal: list[str], wrong: str, reason: str, targets: str, health: tuple[int, ...]
) -> None:
    state = parse_position(positions.FOUR + f"hands: {card} 3C 4C 5C 6C / / /")
    assert positions.legal_notations(state, "attack") == [f"attack {card} {seats}".strip() for seats in legal]
    for seats in wrong.split("/"):
        assert expect_refusal(state, f"attack {card} {seats}") == ("T9", reason)
    positions.make_attack(state, f"attack {card} {targets}", "6" + " / 1" * (24 - sum(health)))
    assert positions.view_health(state) == health


def test_t9_targets_are_opponents_named_in_any_order() -> None:
    state = parse_position(positions.FOUR + "hands: QS JS 4C 5C 6C / / /")
    assert expect_refusal(state, "attack QS A B") == ("T9", "You cannot attack your own Mage.")
    assert expect_refusal(state, "attack JS E") == (None, "This match has the seats A to D.")
    assert (
        COURT.parse_move("attack QS D B")
        == COURT.parse_move("attack QS B D")
        == Attack(positions.card_number("QS"), (1, 3))
    )
    COURT.check(state, 0, Attack(positions.card_number("QS"), (3, 1)))


@pytest.mark.parametrize(("dice", "hit"), [("4 / 3", True), ("3 / 4", False), ("6 / 1", True), ("1 / 2", False)])
def test_t9_a_higher_attacker_deals_one_damage_and_a_higher_defender_takes_none(dice: str, hit: bool) -> None:
    state = parse_position(TWO + "hands: JS 3C 4C 5C 6C /\nhealth: 4 4")
    events = positions.make_attack(state, "attack JS", dice)
    assert positions.view_health(state) == (4, 3 if hit else 4)
    assert (model.MageDamaged(seat=1, health=3) in events) == hit


def test_t9_the_attacker_rolls_one_die_against_all_and_each_defender_rolls_one() -> None:
    state = parse_position(positions.FOUR + "order: A C B D\nhands: KS 3C 4C 5C 6C / / /\nturns: 9")
    events = positions.make_attack(state, "attack KS", "4 / 3 / 5 / 1")
    attacked = AttackResult(
        9, 0, positions.card_number("KS"), 4, (Defence(2, (3,), True), Defence(1, (5,), False), Defence(3, (1,), True))
    )
    assert events[:3] == [
        model.MagesAttacked(attacked=attacked),
        model.MageDamaged(seat=2, health=5),
        model.MageDamaged(seat=3, health=5),
    ]
    assert COURT.view(state, None).attacked == attacked
    assert positions.view_health(state) == (6, 6, 5, 5)


def test_t9_a_defender_who_ties_rolls_again_alone_and_all_dice_are_shown() -> None:
    state = parse_position(positions.THREE + "hands: KS 3C 4C 5C 6C / /")
    events = positions.make_attack(state, "attack KS", "4 / 4 4 2 / 5")
    attacked = AttackResult(
        1, 0, positions.card_number("KS"), 4, (Defence(1, (4, 4, 2), True), Defence(2, (5,), False))
    )
    assert events[0] == model.MagesAttacked(attacked=attacked)
    assert positions.view_health(state) == (6, 5, 6)


def test_t10_damage_at_one_health_knocks_out_and_restores_all_health() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1")
    events = play_moves(state, "strike AS")
    assert events == [model.MagesStruck(seat=0, card=positions.card_number("AS")), model.MageKnockedOut(seat=1)]
    assert positions.view_health(state) == (6, 6)
    assert positions.standing_squares(state) == {"A": "K9"}
    assert asked_decision(state) == "B place"
    assert COURT.view(state, None).knocked == (0, 1)


def test_t10_the_owner_gives_back_a_claimed_banner_of_their_choice_and_places_the_mage() -> None:
    state = parse_position(TWO + "hands: AS 3C 4C 5C 6C /\nhealth: 6 1\nbanners: D / HSC")
    play_moves(state, "strike AS")
    assert COURT.view(state, None).owed == (
        OwedDecision(1, "give", "knocked out"),
        OwedDecision(1, "place", "knocked out"),
    )
    assert asked_decision(state) == "B give"
    assert positions.legal_notations(state) == ["give C", "give H", "give S"]
    assert expect_refusal(state, "give D") == (None, "You can only give back a banner that you have claimed.")
    assert expect_refusal(state, "place K11") == ("T14", "Choose a banner to give back first.")
    assert play_moves(state, "give hearts") == [model.BannerGiven(seat=1, suit=2)]
    assert positions.banner_text(state) == "D / CS"
    assert asked_decision(state) == "B place"
    assert expect_refusal(state, "give C") == ("T14", "Place your Mage on a starting square first.")
    assert play_moves(state, "place K12")[0] == model.MagePlaced(
        seat=1, square=square_number("K12"), cause="knocked out"
    )
    assert asked_decision(state) == "B move"


def test_t10_all_knocked_out_are_lifted_first_then_decide_in_turn_order_from_the_active_player() -> None:
    state = parse_position(
        "   K L M\n11 A B .\n12 C D .\norder: B D A C\nturn: A\nphase: two\nhands: AS 3C 4C 5C 6C / / /\n"
        "health: 6 1 1 1\nbanners: - / HD / - / CS"
    )
    events = play_moves(state, "strike AS")
    assert events[1:] == [model.MageKnockedOut(seat=2), model.MageKnockedOut(seat=1), model.MageKnockedOut(seat=3)]
    positions.check_board(state, "   K L\n11 A .\n12 . .")
    owed = [(owed.seat, owed.what) for owed in COURT.view(state, None).owed]
    assert owed == [(2, "place"), (1, "give"), (1, "place"), (3, "give"), (3, "place")]
    assert asked_decision(state) == "C place"
    assert positions.legal_notations(state) == ["place L11", "place K12", "place L12"]
    play_moves(state, "place L12")
    assert asked_decision(state) == "B give"
    play_moves(state, "give D", "place L11")
    assert asked_decision(state) == "D give"
    play_moves(state, "give C")
    positions.check_board(state, "   K L\n11 A B\n12 D C")
    assert (positions.banner_text(state), asked_decision(state)) == ("- / H / - / S", "C move")


def test_t10_an_attack_knocks_out_only_those_who_were_hit() -> None:
    state = parse_position(positions.THREE + "hands: KS 3C 4C 5C 6C / /\nhealth: 1 1 1\nbanners: H / H / H")
    positions.make_attack(state, "attack KS", "3 / 4 / 2")
    assert positions.banner_text(state) == "H / H / -"
    assert positions.view_health(state) == (1, 1, 6)
    assert asked_decision(state) == "C place"


POCKET = (
    "  D E F G\n4 . b . .\n5 a B c .\n6 . . . .\n7 . d . .\nrest: A K9 C L9 D M9\nphase: two\nturn: D\n"
    "hands: / / / menhir 3C 4C 5C 6C\nbanners: - / HS / - / -\nhealth: 6 2 6 6"
)


def test_t11_a_mage_with_a_menhir_on_each_side_is_placed_again_at_no_cost_by_its_owner() -> None:
    state = parse_position(POCKET)
    events = play_moves(state, "menhir E6")
    assert events == [
        model.MenhirSet(seat=3, start=square_number("E7"), square=square_number("E6")),
        model.MageEnclosed(seat=1, square=square_number("E5")),
    ]
    assert asked_decision(state) == "B place"
    assert COURT.view(state, None).owed == (OwedDecision(1, "place", "enclosed"),)
    assert (positions.view_health(state), positions.banner_text(state)) == ((6, 2, 6, 6), "- / HS / - / -")
    play_moves(state, "place K11")
    assert positions.standing_squares(state)["B"] == "K11"
    assert asked_decision(state) == "A move"


PHASE_TWO = "phase: two\nhands: menhir 3C 4C 5C 6C / /"
ENCLOSING = [
    (
        "ones own Mage",
        "  D E F\n5 a B c\n6 . d .\nrest: A K9 C L9 D M9\nphase: two\nturn: B\nhands: / menhir 3C / /",
        *("menhir E4", "B place", "A K9 C L9 D M9 a D5 b E4 c F5 d E6"),
    ),
    ("three Menhirs are too few", POCKET, "menhir F6", "A move", "A K9 B E5 C L9 D M9 a D5 b E4 c F5 d F6"),
    (
        "the edge is no Menhir",
        f"  A B C\n4 b . .\n5 B c .\nrest: A K9 C L9\n{PHASE_TWO}",
        *("menhir A6", "B move", "A K9 B A5 C L9 a A6 b A4 c B5"),
    ),
    (
        "a Mage is no Menhir",
        f"  D E F\n4 . b .\n5 A B c\nrest: C L9\n{PHASE_TWO}",
        *("menhir E6", "B move", "A D5 B E5 C L9 a E6 b E4 c F5"),
    ),
    (
        "to where three Menhirs are",
        "  D E F\n4 . b .\n5 a . c\n7 . A .\nrest: B K9 C L9\nhands: 2H / /",
        *("move 2H", "A hinder", "A E5 B K9 C L9 a D5 b E4 c F5"),
    ),
]


@pytest.mark.parametrize(
    ("text", "move", "waiting_for", "standing"), [row[1:] for row in ENCLOSING], ids=[row[0] for row in ENCLOSING]
)
def test_t11_a_mage_with_menhirs_on_all_four_sides_is_enclosed(
    text: str, move: str, waiting_for: str, standing: str
) -> None:
    state = parse_position(text)
    play_moves(state, move)
    assert asked_decision(state) == waiting_for
    assert " ".join(f"{piece} {name}" for piece, name in positions.standing_squares(state).items()) == standing
