"""Jokers by the book: K1 to K5, and what is said to somebody who breaks them (C3)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from pydantic import ValidationError

from engines.jokers import JOKERS, deck, model
from engines.jokers.deck import DECK
from engines.jokers.model import Options, State, Trade, TurnUp
from engines.kit.chance import Chance
from tests.engines.jokers import positions
from tests.engines.jokers.positions import PLAIN, PLAIN2, expect_refusal, parse_cards, parse_position, play_moves


def start_match(seed: int, rounds: int = 6) -> State:
    return JOKERS.start(2, Options(rounds), Chance(f"{seed:032x}"))


def pass_to_round_end(state: State) -> None:
    """K11: nobody does anything."""
    round_ = state.round
    while state.round == round_ and JOKERS.decisions(state):
        play_moves(state, "done")


def test_k1_a_match_has_six_rounds_unless_agreed_otherwise_and_the_players_start_by_turns() -> None:
    assert Options().rounds == 6
    for rounds in (1, 6, 12):
        state, starters = start_match(3, rounds), []
        while JOKERS.decisions(state):
            assert positions.seat_to_act(state) == positions.table_view(state).starter
            starters.append(positions.seat_to_act(state))
            pass_to_round_end(state)
        assert starters == [starters[0], 1 - starters[0]] * (rounds // 2) + starters[: rounds % 2]
        assert len(positions.table_view(state).sheet) == rounds
    for wrong in (0, 13, -1):
        with pytest.raises(ValidationError):
            JOKERS.options_adapter.validate_python({"rounds": wrong})


def test_k2_each_player_gets_eight_cards_and_two_safety_cards_and_34_are_left_to_draw() -> None:
    state = start_match(7)
    assert positions.all_cards(state) == Counter(DECK) == Counter([*range(52), deck.JOKER, deck.JOKER])
    view = positions.table_view(state)
    assert (view.hand_sizes, view.safety) == ((8, 8), ((None, None), (None, None)))
    assert (view.draw, view.discard) == (34, ())


def test_k2_a_hand_is_for_its_owner_to_see_and_safety_cards_are_for_nobody() -> None:
    state = parse_position(f"hand: {PLAIN} | other: {PLAIN2} | safety: 4C 4D / 6C 4S | rounds: 2")
    assert positions.hand_names(state, 0) == positions.card_names(sorted(parse_cards(PLAIN)))
    assert positions.table_view(state).hand == ()
    for seat in (0, 1, None):
        view = JOKERS.view(state, seat)
        assert view.safety == ((None, None), (None, None))
        assert not {*parse_cards("4C 4D 6C 4S")} & {*view.hand, *view.discard}
    events = play_moves(state, "done", "done", "done", "done")
    dealt = [event for event in events if isinstance(event, model.HandDealt)]
    assert [(event.seat, event.to) for event in dealt] == [(0, (0,)), (1, (1,))]
    assert [positions.card_names(event.cards) for event in dealt] == [
        positions.hand_names(state, 0),
        positions.hand_names(state, 1),
    ]
    assert model.RoundDealt(round=2, starter=1) in events


def test_k3_a_trade_puts_cards_on_the_discard_pile_in_the_order_given_and_draws_as_many() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C | top: 10C 10D 10H")
    events = play_moves(state, "trade 7S AC")
    assert positions.pile_names(state) == "4C 7S AC"
    assert positions.hand_names(state, 0) == positions.card_names(sorted(parse_cards("3D 5H 9C JD KH 2S 10C 10D")))
    assert events == [
        model.CardsTraded(seat=0, cards=tuple(parse_cards("7S AC"))),
        model.CardsDrawn(seat=0, cards=tuple(parse_cards("10C 10D")), to=(0,)),
    ]
    assert positions.table_view(state).draw == 31  # 54 - 16 - 4 - 1 - 2


@pytest.mark.parametrize("trades", [[], ["trade AC"], ["trade AC", "trade 3D"]])
def test_k3_a_player_may_trade_twice_a_turn_and_ends_the_turn(trades: list[str]) -> None:
    state = parse_position(f"hand: {PLAIN}")
    play_moves(state, *trades)
    assert (positions.seat_to_act(state), JOKERS.view(state, 0).trades) == (0, 2 - len(trades))
    assert bool(positions.legal_trades(state)) == (len(trades) < 2)
    if len(trades) == 2:
        refusal = expect_refusal(state, "trade 5H")
        assert (refusal.rule, refusal.reason) == ("K3", "You have already made both trades of this turn.")
    assert play_moves(state, "done") == [model.TurnEnded(seat=0, idle=not trades)]
    assert (positions.seat_to_act(state), JOKERS.view(state, 1).trades) == (1, 2)


def test_k3_any_one_to_eight_cards_are_listed_once_and_any_order_of_them_is_legal() -> None:
    state = parse_position(f"hand: {PLAIN}")
    hand = sorted(parse_cards(PLAIN))
    assert sorted(trade.cards for trade in positions.legal_trades(state)) == sorted(
        pick for size in range(1, 9) for pick in combinations(hand, size)
    )
    for legal in (PLAIN, "KH 2S AC"):
        JOKERS.check(state, 0, Trade(tuple(parse_cards(legal))))
    assert expect_refusal(state, Trade(())).rule == "K3"
    assert expect_refusal(state, Trade(tuple(parse_cards(PLAIN + " 4C")))).reason == "Trade 1 to 8 cards."


def test_k3_no_more_cards_may_be_traded_than_are_left_in_the_draw_pile() -> None:
    state = parse_position(f"hand: {PLAIN} | draw: 2")
    assert {len(trade.cards) for trade in positions.legal_trades(state)} == {1, 2}
    assert expect_refusal(state, "trade AC 3D 5H").reason == "Only 2 cards are left in the draw pile."
    play_moves(state, "trade AC 3D")
    assert expect_refusal(state, "trade 5H").reason == "The draw pile is empty."
    assert not positions.legal_trades(state)


def test_k3_only_cards_of_the_hand_may_be_traded_each_once_and_two_jokers_are_alike() -> None:
    state = parse_position("hand: joker 3D 5H 7S 9C JD KH 2S")
    refused: dict[str | Trade, str] = {
        "trade 4C": "You do not hold the 4 of clubs.",
        "trade 3D 3D": "You named the 3 of diamonds more times than you have it.",
        "trade joker joker": "You named a joker more times than you have it.",
        Trade((-1,)): "There is no such card.",
        Trade((53,)): "There is no such card.",
    }
    assert {move: expect_refusal(state, move).reason for move in refused} == refused
    state = parse_position("hand: joker joker 5H 7S 9C JD KH 2S")
    listed = positions.legal_trades(state)
    assert len(set(listed)) == len(listed) == 2**6 * 3 - 1
    play_moves(state, "trade joker 5H joker")
    assert positions.pile_names(state) == "joker 5H joker"


def test_k3_cards_may_be_traded_only_in_ones_own_turn() -> None:
    state = parse_position(f"other: {PLAIN2}")
    assert not JOKERS.moves(state, 1)
    for move in ("trade AH", "safety 1", "declare", "done"):
        assert expect_refusal(state, move, seat=1).reason == "It is not your turn."


def test_k4_turning_one_up_shows_it_to_all_and_asks_what_to_do() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C 4D | safety: 3C 9D / 6C 4S")
    for number in (-1, 0, 3):
        assert expect_refusal(state, TurnUp(number)).reason == "Your safety cards are 1 and 2."
    assert play_moves(state, "safety 1") == [model.SafetyTurned(seat=0, number=1, card=parse_cards("3C")[0])]
    assert positions.table_view(state).turned == parse_cards("3C")[0]
    assert positions.table_view(state).safety == ((parse_cards("3C")[0], None), (None, None))
    assert positions.legal_notations(state) == ["take 1", "take 2", "keep"]
    assert expect_refusal(state, "take 3").reason == "You may take one of the top 2 cards of the discard pile."
    for move in ("trade AC", "safety 2", "declare", "done", "discard AC"):
        assert expect_refusal(state, move).rule == "K4"


def test_k4_a_safety_card_needs_a_discard_pile_and_take_keep_and_discard_come_only_after_one() -> None:
    state = parse_position(f"hand: {PLAIN}")
    assert positions.legal_notations(state) == ["done"]
    assert "while the discard pile is empty" in expect_refusal(state, "safety 1").reason
    play_moves(state, "trade AC")
    assert positions.legal_notations(state) == ["safety 1", "safety 2", "done"]
    for move in ("take 1", "keep"):
        assert expect_refusal(state, move).reason == "Turn up a safety card first."
    assert "only after using a safety card" in expect_refusal(state, "discard 5H").reason


DEPTHS = {"AS": 1, **{f"{rank}S": rank for rank in range(2, 11)}, "JS": 11, "QS": 12, "KS": 13, "joker": 13}


@pytest.mark.parametrize(("rank", "depth"), DEPTHS.items())
def test_k4_the_depth_is_the_rank_and_a_joker_reaches_as_deep_as_a_king(rank: str, depth: int) -> None:
    state = parse_position(f"hand: 2C 2D 2H 3C 3D 3H 4C 4D | safety: {rank} 4H / 5C 5D | draw: 3")
    play_moves(state, "safety 1")
    assert positions.legal_notations(state) == [*(f"take {n}" for n in range(1, depth + 1)), "keep"]
    assert expect_refusal(state, f"take {depth + 1}").rule == expect_refusal(state, "take 0").rule == "K4"


def test_k4_taking_puts_the_safety_card_and_then_a_card_of_the_hand_on_the_pile() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C 4D 4H 4S | safety: 3C KD / 6C 6S")
    events = play_moves(state, "safety 1", "take 3")
    four, three = parse_cards("4D 3C")
    assert events[1:] == [model.CardTaken(seat=0, depth=3, card=four, safety=three)]
    assert positions.pile_names(state) == "4C 4H 4S 3C"
    assert positions.table_view(state).hand_sizes == (9, 8)
    assert sorted(positions.legal_notations(state)) == sorted(f"discard {name}" for name in [*PLAIN.split(), "4D"])
    assert expect_refusal(state, "discard 4H").reason == "You do not hold the 4 of hearts."
    for move in ("trade AC", "safety 2", "take 1", "keep", "declare", "done"):
        assert expect_refusal(state, move).reason == "Discard a card from your hand first."
    assert play_moves(state, "discard AC") == [model.CardDiscarded(seat=0, card=parse_cards("AC")[0])]
    assert positions.pile_names(state) == "4C 4H 4S 3C AC"
    assert positions.hand_names(state, 0) == positions.card_names(sorted(parse_cards(PLAIN.replace("AC", "4D"))))


@pytest.mark.parametrize(
    ("source", "put", "pile", "swapped"),
    [("keep", "KH", "4C KH", ("KH", "3C")), ("keep", "3C", "4C 3C", ("", "")), ("take 1", "4C", "3C 4C", ("", ""))],
)
def test_k4_the_card_kept_or_taken_goes_to_the_hand_and_any_card_of_the_hand_even_that_one_to_the_pile(
    source: str, put: str, pile: str, swapped: tuple[str, str]
) -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C | safety: 3C KD / 6C 4S")
    events = play_moves(state, "safety 1", source)
    assert source != "keep" or events[1:] == [model.SafetyKept(seat=0, card=parse_cards("3C")[0])]
    play_moves(state, f"discard {put}")
    assert positions.pile_names(state) == pile
    assert positions.hand_names(state, 0) == positions.card_names(
        sorted(parse_cards(PLAIN.replace(*swapped) if put == "KH" else PLAIN))
    )


def test_k4_a_safety_card_may_be_used_between_and_after_trades_and_twice_a_turn_and_is_no_trade() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C | safety: 3C KD / 6C 4S")
    play_moves(state, "safety 2", "keep", "discard KD", "trade AC", "safety 1", "keep", "discard 3C", "trade 5H")
    assert positions.seat_to_act(state) == 0
    assert positions.legal_notations(state) == ["done"]
    state = parse_position(f"hand: {PLAIN} | pile: 4C | safety: 3C KD / 6C 4S")
    play_moves(
        state, "trade AC", "trade 3D", "safety 1", "take 2", "discard 5H", "safety 2", "keep", "discard 7S", "done"
    )


def test_k4_a_used_safety_card_is_gone_for_the_round() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C | safety: 3C KD / 6C 4S | rounds: 2")
    play_moves(state, "safety 1", "keep", "discard 3C")
    assert positions.legal_notations(state) == ["safety 2", "done"]
    assert expect_refusal(state, "safety 1").reason == "You have already used that safety card."
    pass_to_round_end(state)
    assert positions.table_view(state).safety == ((None, None), (None, None))
