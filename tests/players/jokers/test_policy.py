"""Jokers: moves beyond doubt, and moves from anywhere."""

from __future__ import annotations

from random import Random

import pytest

from engines.jokers import JOKERS, deck
from engines.jokers.melds import is_full_hand
from engines.jokers.model import Options, State
from engines.kit.chance import Chance
from players.jokers import PLAYER_MODEL, policy
from tests.engines.jokers import positions
from tests.engines.jokers.positions import FULL, PLAIN, PLAIN2, parse_cards, parse_position, play_moves, seat_to_act


def policy_move(state: State) -> str:
    seat = seat_to_act(state)
    move = PLAYER_MODEL.choose_move(JOKERS.view(state, seat), JOKERS.moves(state, seat), Random(1))
    assert move == PLAYER_MODEL.choose_in_playout(state, seat, Random(1))
    JOKERS.check(state, seat, move)
    return JOKERS.format_move(move)


def traded_cards(position: str) -> set[str]:
    verb, *cards = policy_move(parse_position(position)).split()
    assert verb == "trade"
    return set(cards)


def test_a_full_hand_is_declared_and_otherwise_strays_are_traded_but_no_jokers() -> None:
    for hand in (FULL, "5D joker 7D 8D 9D joker QS KS"):
        assert policy_move(parse_position(f"hand: {hand}")) == "declare"
    assert traded_cards("hand: 5D 6D 7D 8D 9D 2C QS KH") == {"2C", "QS", "KH"}
    assert "joker" not in traded_cards("hand: AC 3D 5H 7S 9C JD joker joker")
    assert len(traded_cards(f"hand: {PLAIN} | draw: 2")) == 2, "no more than is left"


def test_the_start_of_a_run_that_can_still_become_one_is_preferred() -> None:
    hand = "hand: 6D 7D 10S JS 2H KC 4C AH | safety: AC AS / AD 2C"
    for pile, lost, safe in (
        ("4D 5D 8D 9D", {"6D", "7D"}, {"10S", "JS"}),
        ("8S 9S QS KS", {"10S", "JS"}, {"6D", "7D"}),
    ):
        traded = traded_cards(f"{hand} | pile: {pile}")
        assert lost <= traded
        assert not safe & traded


def test_a_full_hand_is_left_alone_when_the_round_is_won_by_the_other() -> None:
    state = parse_position(f"hand: AD AH AS QH KH 10C 3D 7H | other: {FULL}")
    play_moves(state, "done", "declare")
    state.hands[0] += deck.make_hand(parse_cards("5C 6C 7C 8C 9C")) - deck.make_hand(parse_cards("QH KH 10C 3D 7H"))
    assert policy_move(state) == "done"


def test_the_card_that_fills_the_hand_is_fetched_and_one_that_fits_best_is_kept() -> None:
    hand = "hand: 5D 6D 7D 8D 9D JS KS 2H"
    state = parse_position(f"{hand} | other: QH QC QD AC 3H 9H 4C 6S | pile: QS | safety: KD KC / AH AS")
    assert policy_move(state).startswith("safety")
    play_moves(state, "safety 1")
    for move in ("take 1", "discard 2H"):
        assert policy_move(state) == move
        play_moves(state, move)
    assert policy_move(state) == "declare"
    state = parse_position(f"{hand} | pile: 3C | safety: QS 4C / AH AS")
    play_moves(state, "safety 1")
    assert policy_move(state) == "keep"


def test_no_safety_card_is_spent_on_a_pile_of_no_use() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | pile: 10D")
    state.trades = 0
    assert policy_move(state) == "done"


def test_safety_cards_are_used_before_nothing_more_can_follow() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | draw: 0 | pile: 10D")
    assert policy_move(state) == "safety 1"
    play_moves(state, "safety 1", "keep")
    play_moves(state, policy_move(state))
    assert policy_move(state) == "safety 2"


def test_jokers_bridge_gaps_between_cards_that_look_lonely() -> None:
    assert policy.is_full(deck.make_hand(parse_cards("KC KD KH KS 5H 8H joker joker")))
    assert policy.is_one_card_short(deck.make_hand(parse_cards("KC KD KH 2S 5H 9H joker joker")))


def blunders(state: State) -> set[str]:
    """What somebody new does, by many chances."""
    seat = seat_to_act(state)
    view, moves = JOKERS.view(state, seat), JOKERS.moves(state, seat)
    chosen = [PLAYER_MODEL.choose_with_blunders(view, moves, Random(number)) for number in range(100)]
    return {JOKERS.format_move(move) for move in chosen}


def test_somebody_new_overlooks_what_jokers_complete_and_no_other_full_hand() -> None:
    assert blunders(parse_position(f"hand: {FULL}")) == {"declare"}
    assert blunders(parse_position("hand: 5D joker 7D 8D 9D joker QS KS")) == {"declare", "done"}


def test_somebody_new_trades_a_card_too_many_or_too_few_but_none_of_a_whole_meld() -> None:
    traded = [set(move.split()[1:]) for move in blunders(parse_position("hand: 5D 6D 7D 10S JS 2H 4C KC | pile: 9C"))]
    assert {"2H", "4C", "KC"} in traded
    assert len(traded) > 3
    assert not {"5D", "6D", "7D"}.intersection(*[[each for one in traded for each in one]])


def test_somebody_new_takes_the_first_useful_card_unless_a_deeper_one_fills_the_hand() -> None:
    full = parse_position("hand: 5D 6D 7D 8D 9D QS QH 2H | pile: QD 10D | safety: KD 4C / AH AS")
    short = parse_position("hand: 5D 6D 7D 2C 9S QS QH 2H | pile: 8D QD | safety: KD 4C / AH AS")
    for state in (full, short):
        play_moves(state, "safety 1")
    assert blunders(full) == {policy_move(full)} == {"take 2"}
    assert blunders(short) == {policy_move(short), "take 1"} == {"take 2", "take 1"}


@pytest.mark.parametrize("seed", range(20))
def test_full_hands_are_known_at_a_glance(seed: int) -> None:
    rng = Random(seed)
    low, rank = rng.randrange(9), rng.randrange(13)
    some = {*range(low, low + rng.randrange(3, 6)), *range(rank, 52, 13), *rng.sample(range(52), 2)}
    hand = deck.make_hand(rng.sample([*sorted(some)[:9], *[deck.JOKER] * rng.randrange(3)], 8))
    assert policy.is_full(hand) == is_full_hand(hand)
    rests = [hand - deck.CARD_BIT[card] + deck.CARD_BIT[deck.JOKER] for card in deck.hand_cards(hand)]
    assert policy.is_one_card_short(hand) == any(map(is_full_hand, rests))


@pytest.mark.parametrize("seed", range(8))
def test_from_anywhere_moves_are_legal_and_the_same_in_playouts(seed: int) -> None:
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds=2), Chance(f"{seed:032x}"))
    while JOKERS.decisions(state):
        seat = seat_to_act(state)
        policy_move(state)
        view, moves = JOKERS.view(state, seat), JOKERS.moves(state, seat)
        JOKERS.check(state, seat, PLAYER_MODEL.choose_with_blunders(view, moves, rng))
        JOKERS.play(state, seat, positions.choose_purposeful(state, rng, purpose=0.5))
