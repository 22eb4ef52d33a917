"""J1–J8: the rules of Jest, one by one."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from engines.jest import JEST, deck, model
from engines.jest.model import State
from engines.kit.chance import Chance
from engines.kit.contract import Decision
from engines.kit.errors import IllegalMove
from engines.kit.seats import parse_seat
from tests.engines.jest.positions import SEED, TOOLS, card_names, legal_text, parse_cards, parse_position, play_lines

HANDS = "AS 2H / 3D 4C / 2S joker"
THREE = "AS|2H / 3D|4C / 2S|joker"  # B takes first: its 3 is the highest
FOUR = "AS|2H / 3D|4C / 2S|joker / 3S|4D"


def expect_refusal(state: State, line: str) -> IllegalMove:
    letter, text = line.split(" ", 1)
    return TOOLS.expect_refusal(state, text, parse_seat(letter))


def start_match(seats: int, seed: str = SEED) -> State:
    return JEST.start(seats, JEST.options(), Chance(seed))


@pytest.mark.parametrize(("seats", "trophies", "stock"), [(3, 2, 9), (4, 1, 8)])
def test_j1_j3_three_players_have_two_trophies_and_four_have_one_and_each_player_gets_two_cards(
    seats: int, trophies: int, stock: int
) -> None:
    state = start_match(seats)
    assert (len(state.trophies), len(state.deck)) == (trophies, stock)
    everything = [*state.trophies, *state.deck, *(card for hand in state.dealt for card in hand)]
    assert sorted(everything) == list(range(17))
    assert JEST.view(state, None).trophies == state.trophies
    assert [len(set(hand)) for hand in state.dealt] == [2] * seats
    assert JEST.view(state, 0).hand == state.dealt[0]


def test_j2_a_round_is_a_deal_then_offers_then_taking() -> None:
    state = start_match(3)
    phases = []
    while state.round == 1:
        phases.append(state.phase)
        seat = state.waiting[0]
        JEST.play(state, seat, JEST.moves(state, seat)[0])
    assert phases == ["offer"] * 3 + ["take"] * 3
    assert state.phase == "offer"


@pytest.mark.parametrize(("text", "new"), [(THREE, 3), (FOUR, 4)])
def test_j3_later_the_cards_left_and_as_many_new_ones_as_players_are_dealt(text: str, new: int) -> None:
    state = parse_position(text)
    stock = state.deck.copy()
    if new == 3:
        events = play_lines(state, "B take C down", "C take A up", "A take B down")
        left = parse_cards("2H 3D 2S")
    else:
        events = play_lines(state, "D take C down", "C take A up", "A take B down", "B take D up")
        left = parse_cards("2H 3D 2S 4D")
    assert sorted(card for hand in state.dealt for card in hand) == sorted([*left, *stock[-new:]])
    assert state.deck == stock[:-new]
    assert [type(event) for event in events[-1 - new :]] == [model.RoundDealt] + [model.HandDealt] * new
    assert events[-1 - new] == model.RoundDealt(round=2, deck=len(stock) - new)
    assert events[-1] == model.HandDealt(seat=new - 1, cards=state.dealt[-1], to=(new - 1,))
    assert state.round == 2


def test_j4_everybody_chooses_which_card_lies_face_down_and_then_all_are_revealed_together() -> None:
    state = parse_position(HANDS)
    assert legal_text(state, 0) == "offer 2H, offer AS"
    assert {seat: decision.due for seat, decision in JEST.decisions(state).items()} == {0: True, 1: True, 2: True}
    assert expect_refusal(state, "A offer 3D").reason == "Choose one of your two cards."
    refusal = expect_refusal(state, "A take B up")
    assert (refusal.rule, refusal.reason) == ("J4", "First everyone chooses a card to offer face down.")
    play_lines(state, "C offer joker", "A offer 2H")
    assert JEST.view(state, 1).up == ()
    events = play_lines(state, "B offer 4C")
    assert events[-1] == model.OffersRevealed(up=tuple(parse_cards("AS 3D 2S")))
    view = JEST.view(state, 0)
    assert (view.phase, view.up) == ("take", tuple(parse_cards("AS 3D 2S")))
    assert view.down == (deck.parse_card("2H"), None, None)


def test_j4_until_all_have_chosen_a_player_may_change_their_mind_which_raises_only_their_own_number() -> None:
    state = parse_position(HANDS)
    play_lines(state, "A offer 2H")
    waiting = {seat: Decision("offer", 0) for seat in (1, 2)}
    assert JEST.decisions(state) == {**waiting, 0: Decision("offer", 1, due=False)}
    play_lines(state, "A offer AS", "B offer 3D")
    assert [JEST.decisions(state)[seat].number for seat in range(3)] == [2, 1, 0]
    assert [JEST.view(state, seat).number for seat in (0, 1, 2, None)] == [2, 1, 0, None]
    assert legal_text(state, 0) == "offer 2H, offer AS"
    play_lines(state, "A offer 2H", "A offer AS", "C offer 2S")
    assert state.up == parse_cards("2H 4C joker")
    assert state.down == parse_cards("AS 3D 2S")
    assert expect_refusal(state, "A offer 2H").rule is None


def test_j4_everybody_sees_who_has_chosen_but_neither_the_choice_nor_a_change_of_mind() -> None:
    state = parse_position(HANDS)
    two, ace = parse_cards("2H AS")
    assert play_lines(state, "A offer 2H") == [
        model.OfferChosen(seat=0),
        model.FaceDownChosen(seat=0, card=two, to=(0,)),
    ]
    others = [JEST.view(state, seat) for seat in (1, 2, None)]
    assert [(view.waiting, view.down) for view in others] == [((1, 2), (None, None, None))] * 3
    assert JEST.view(state, 0).down == (two, None, None)
    assert play_lines(state, "A offer AS") == [model.FaceDownChosen(seat=0, card=ace, to=(0,))]
    assert [JEST.view(state, seat) for seat in (1, 2, None)] == others


def test_j4_before_all_have_chosen_nothing_depends_on_what_was_chosen() -> None:
    runs = []
    for first, second in product(("AS", "2H"), ("3D", "4C")):
        state = parse_position(HANDS)
        views: list[object] = []
        for line in (f"A offer {first}", f"B offer {second}"):
            views.append([event for event in play_lines(state, line) if event.is_visible_to(2)])
            views += [JEST.view(state, 2), JEST.view(state, None), list(JEST.decisions(state).items())]
        runs.append([*views, state.chance.count])
    assert all(run == runs[0] for run in runs)


FIRST = {"2S 3H 2C": 1, "2H 2D 2C": 2, "AS 2H AC": 1, "joker AH AD": 2, "AH joker AD": 2, "AD AH AC joker": 2}
"""Whose card is the highest, ties going to the strongest suit; an Ace is a 1 here, though it is alone in its suit."""


@pytest.mark.parametrize(("ups", "first"), FIRST.items())
def test_j5_the_highest_face_up_card_takes_first(ups: str, first: int) -> None:
    up = ups.split()
    spare = [name for name in ("4S", "4C", "4D", "4H", "3H") if name not in up]
    state = parse_position(" / ".join(f"{name}|{down}" for name, down in zip(up, spare, strict=False)))
    assert state.waiting[0] == JEST.view(state, None).turn == first
    assert list(JEST.decisions(state)) == [first]


def test_j5_no_two_cards_rank_alike() -> None:
    order = "joker AH AD AC AS 2H 2D 2C 2S 3H 3D 3C 3S 4H 4D 4C 4S"
    assert " ".join(map(deck.card_name, sorted(deck.DECK, key=deck.RANKING.__getitem__))) == order
    assert len(set(deck.RANKING)) == len(deck.DECK)


def test_j6_a_card_is_taken_from_another_players_complete_offer_into_the_jest() -> None:
    state = parse_position(FOUR)
    assert legal_text(state, 3) == "take A up, take A down, take B up, take B down, take C up, take C down"
    play_lines(state, "D take B up")
    assert card_names(deck.jest_cards(state.jests[3])) == "3D"
    assert JEST.view(state, 3).jest == (deck.parse_card("3D"),)
    assert legal_text(state, 1) == "take A up, take A down, take C up, take C down, take D up, take D down"
    play_lines(state, "B take A down")
    assert card_names(deck.jest_cards(state.jests[1])) == "2H"


def test_j6_a_card_that_may_not_be_taken_is_refused() -> None:
    state = parse_position(FOUR)
    own = expect_refusal(state, "D take D down")
    assert (own.rule, own.reason) == ("J6", "You may take from your own offer only if no other offer is complete.")
    play_lines(state, "D take B up")
    refusal = expect_refusal(state, "B take B down")
    assert (refusal.rule, refusal.reason) == (
        "J6",
        "That offer has lost a card. Take from an offer that still has both.",
    )
    three = parse_position(THREE)
    assert expect_refusal(three, "B take D up").reason == "The offers are A to C."
    play_lines(three, "B take A up")
    assert expect_refusal(three, "A take A down").reason == refusal.reason
    assert expect_refusal(state, "A take C up").reason == "It is not your turn."
    assert expect_refusal(state, "A take C up").rule is None
    assert expect_refusal(state, "A offer AS").reason == "It is not your turn."
    late = expect_refusal(state, "B offer 3D")
    assert (late.rule, late.reason) == ("J4", "The offers of this round are complete. Now players take cards.")


@pytest.mark.parametrize(("which", "card"), [("up", "AS"), ("down", "2H")])
def test_j6_the_last_player_takes_from_the_own_offer_when_it_alone_is_complete(which: str, card: str) -> None:
    state = parse_position(THREE)
    play_lines(state, "B take C up", "C take B up")
    assert legal_text(state, 0) == "take A up, take A down"
    assert expect_refusal(state, "A take B down").rule == "J6"
    own, events = deck.parse_card(card), play_lines(state, f"A take A {which}")
    assert events[0] == model.CardTaken(seat=0, source=0, card=own if which == "up" else None)
    assert [e for e in events if isinstance(e, model.FaceDownTaken)] == (
        [] if which == "up" else [model.FaceDownTaken(seat=0, source=0, card=own, to=(0,))]
    )
    assert deck.jest_cards(state.jests[0]) == (own,)
    assert state.round == 2


@pytest.mark.parametrize(
    ("takes", "last", "legal"), [("B take A up, A take B up", 2, "C"), ("B take C up, C take A up", 0, "B")]
)
def test_j6_the_last_player_takes_from_the_one_complete_offer(takes: str, last: int, legal: str) -> None:
    state = parse_position(THREE)
    play_lines(state, *takes.split(", "))
    assert legal_text(state, last) == f"take {legal} up, take {legal} down"
    assert last == 2 or expect_refusal(state, "A take A down").rule == "J6"


NEXT = [
    ("D take A up", 0),  # the owner of the card taken
    ("D take B up", 1),
    ("D take A up, A take D up", 1),  # the owner has played: the highest face-up card of the others, 3D over 2S
    ("D take B up, B take D down", 2),  # 2S over AS
    ("D take B up, B take A up, A take D up", 2),  # only one is left
    ("D take C up, C take D up", 1),
]


@pytest.mark.parametrize(("takes", "next_seat"), NEXT)
def test_j7_each_take_decides_who_takes_next(takes: str, next_seat: int) -> None:
    state = parse_position(FOUR)
    play_lines(state, *takes.split(", "))
    assert state.waiting[0] == JEST.view(state, 2).turn == next_seat
    assert list(JEST.decisions(state)) == [next_seat]


def test_j8_everybody_sees_who_took_from_whom_and_a_face_up_card() -> None:
    state = parse_position(THREE)
    assert play_lines(state, "B take C up") == [model.CardTaken(seat=1, source=2, card=deck.parse_card("2S"))]
    for seat in (0, 1, 2, None):
        view = JEST.view(state, seat)
        assert (view.takes, view.jest_sizes, view.complete) == (((1, 2, True),), (0, 1, 0), (True, True, False))
    assert JEST.view(state, 1).down == (None, deck.parse_card("4C"), None)  # not the one left face down
    assert (view.hand, view.jest, view.number) == ((), (), None)


def test_j8_a_face_down_card_is_known_to_its_taker_and_its_owner_alone() -> None:
    state = parse_position(THREE)
    events = play_lines(state, "B take C down")
    down = model.FaceDownTaken(seat=1, source=2, card=deck.JOKER, to=(1, 2))
    assert events == [model.CardTaken(seat=1, source=2, card=None), down]
    known = {seat: JEST.view(state, seat).down[2] for seat in (0, 1, 2, None)}
    assert known == {0: None, 1: deck.JOKER, 2: deck.JOKER, None: None}
    assert JEST.view(state, 1).jest == (deck.JOKER,)


def test_j8_earlier_rounds_stay_known_to_those_who_saw() -> None:
    state = parse_position(THREE)
    play_lines(state, "B take C down", "C take A down", "A take B up")
    two, four = parse_cards("2H 4C")
    assert {seat: JEST.view(state, seat).past[0].down for seat in (0, 1, 2, None)} == {
        0: (two, None, None),
        1: (None, four, deck.JOKER),
        2: (two, None, deck.JOKER),
        None: (None, None, None),
    }
    assert JEST.view(state, 0).past[0].up == tuple(parse_cards("AS 3D 2S"))


def test_j8_a_player_may_look_at_the_own_offer_and_the_own_jest_at_any_time() -> None:
    state, rng = start_match(3), Random(8)
    while state.waiting:
        for seat in range(3):
            view = JEST.view(state, seat)
            assert view.jest == deck.jest_cards(state.jests[seat])
            assert view.hand == state.dealt[seat]
            assert view.down[seat] == (None if state.down[seat] < 0 else state.down[seat])
        seat = state.waiting[0]
        JEST.play(state, seat, rng.choice(JEST.moves(state, seat)))
