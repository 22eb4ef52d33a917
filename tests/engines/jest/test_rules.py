"""J1–J8: the rules of Jest, one by one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engines.jest import JEST, deck
from engines.jest.model import (
    CardTaken,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    OfferChosen,
    OffersRevealed,
    RoundDealt,
    State,
)
from engines.kit.chance import Chance
from engines.kit.contract import Decision, Event
from engines.kit.errors import IllegalMove
from engines.kit.seats import parse_seat
from tests.engines.jest.positions import SEED, card_names, legal_text, parse_cards, parse_position, play_lines

THREE = "AS|2H / 3D|4C / 2S|joker"  # B takes first: its 3 is the highest
FOUR = "AS|2H / 3D|4C / 2S|joker / 3S|4D"


def expect_refusal(state: State, line: str) -> IllegalMove:
    """What is said against a move; nothing has changed."""
    letter, text = line.split(" ", 1)
    before = JEST.copy(state)
    with pytest.raises(IllegalMove) as refusal:
        JEST.check(state, parse_seat(letter), JEST.parse_move(text))
    assert state == before
    return refusal.value


def start_match(seats: int, seed: str = SEED) -> State:
    return JEST.start(seats, JEST.options(), Chance(seed))


# --- J1–J3: the deal


@pytest.mark.parametrize(("seats", "trophies", "stock"), [(3, 2, 9), (4, 1, 8)])
def test_j1_two_trophies_with_three_players_one_with_four_and_the_rest_is_the_deck(
    seats: int, trophies: int, stock: int
) -> None:
    state = start_match(seats)
    assert len(state.trophies) == trophies
    assert len(state.deck) == stock
    everything = [*state.trophies, *state.deck, *(card for hand in state.dealt for card in hand)]
    assert sorted(everything) == list(range(17))
    assert JEST.view(state, None).trophies == state.trophies


def test_j1_the_cards_are_shuffled() -> None:
    trophies = Counter(start_match(4, f"{seed:032x}").trophies[0] for seed in range(1700))
    assert set(trophies) == set(range(17))
    assert all(60 < count < 150 for count in trophies.values())


def test_j2_a_round_is_a_deal_then_offers_then_taking() -> None:
    state = start_match(3)
    phases = []
    while state.round == 1:
        phases.append(state.phase)
        seat = state.waiting[0]
        JEST.play(state, seat, JEST.moves(state, seat)[0])
    assert phases == ["offer"] * 3 + ["take"] * 3
    assert state.phase == "offer"


@pytest.mark.parametrize("seats", [3, 4])
def test_j3_in_the_first_round_everybody_gets_two_cards_from_the_deck(seats: int) -> None:
    state = start_match(seats)
    assert [len(set(hand)) for hand in state.dealt] == [2] * seats
    assert JEST.view(state, 0).hand == state.dealt[0]


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
    assert [type(event) for event in events[-1 - new :]] == [RoundDealt] + [HandDealt] * new
    assert events[-1 - new] == RoundDealt(round=2, deck=len(stock) - new)
    assert events[-1] == HandDealt(seat=new - 1, cards=state.dealt[-1], to=(new - 1,))
    assert state.round == 2


def test_j3_every_deal_of_a_later_round_is_as_likely() -> None:
    where: Counter[int] = Counter()
    for seed in range(900):
        state = parse_position(THREE)
        state.chance = Chance(f"{seed:032x}")
        play_lines(state, "B take C down", "C take A up", "A take B down")
        where[[deck.parse_card("2H") in hand for hand in state.dealt].index(True)] += 1
    assert all(250 < where[seat] < 350 for seat in range(3))


@pytest.mark.parametrize(("seats", "rounds", "cards"), [(3, 4, 5), (4, 3, 4)])
def test_j3_j9_so_many_rounds_and_so_many_cards_each_at_the_end(seats: int, rounds: int, cards: int) -> None:
    state = start_match(seats)
    while state.waiting:
        assert state.round <= rounds
        seat = state.waiting[0]
        JEST.play(state, seat, JEST.moves(state, seat)[-1])
    assert state.round == len(state.past) == rounds == JEST.view(state, 0).rounds
    assert [jest.bit_count() for jest in state.jests] == [cards] * seats
    assert not JEST.decisions(state)


# --- J4: offers


def test_j4_everybody_chooses_which_card_lies_face_down_and_then_all_are_revealed_together() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    assert legal_text(state, 0) == "offer 2H, offer AS"
    assert {seat: decision.due for seat, decision in JEST.decisions(state).items()} == {0: True, 1: True, 2: True}
    play_lines(state, "C offer joker", "A offer 2H")
    assert JEST.view(state, 1).up == ()
    events = play_lines(state, "B offer 4C")
    assert events[-1] == OffersRevealed(up=tuple(parse_cards("AS 3D 2S")))
    view = JEST.view(state, 0)
    assert view.phase == "take"
    assert view.up == tuple(parse_cards("AS 3D 2S"))
    assert view.down == (deck.parse_card("2H"), None, None)


def test_j4_until_all_have_chosen_a_player_may_change_their_mind() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    play_lines(state, "A offer 2H")
    assert JEST.decisions(state) == {
        1: Decision("offer", 0),
        2: Decision("offer", 0),
        0: Decision("offer", 1, due=False),
    }
    play_lines(state, "A offer AS", "B offer 3D")
    assert legal_text(state, 0) == "offer 2H, offer AS"
    play_lines(state, "A offer 2H", "A offer AS", "C offer 2S")
    assert state.up == parse_cards("2H 4C joker")
    assert state.down == parse_cards("AS 3D 2S")
    assert expect_refusal(state, "A offer 2H").rule is None


def test_j4_each_choice_raises_only_its_own_seats_number() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    play_lines(state, "A offer 2H", "A offer AS", "B offer 3D")
    assert [JEST.decisions(state)[seat].number for seat in range(3)] == [2, 1, 0]
    assert [JEST.view(state, seat).number for seat in (0, 1, 2, None)] == [2, 1, 0, None]


def test_j4_who_has_chosen_is_public_and_what_is_not() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    events = play_lines(state, "A offer 2H")
    assert events == [OfferChosen(seat=0), FaceDownChosen(seat=0, card=deck.parse_card("2H"), to=(0,))]
    for seat in (1, 2, None):
        assert JEST.view(state, seat).waiting == (1, 2)
        assert JEST.view(state, seat).down == (None, None, None)
    assert JEST.view(state, 0).down == (deck.parse_card("2H"), None, None)


def test_j4_nobody_else_learns_of_a_change_of_mind() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    play_lines(state, "A offer 2H")
    others = [JEST.view(state, seat) for seat in (1, 2, None)]
    events = play_lines(state, "A offer AS")
    assert events == [FaceDownChosen(seat=0, card=deck.parse_card("AS"), to=(0,))]
    assert [JEST.view(state, seat) for seat in (1, 2, None)] == others


def test_j4_before_all_have_chosen_nothing_depends_on_what_was_chosen() -> None:
    def run(first: str, second: str) -> tuple[list[object], list[list[Event]], State]:
        state = parse_position("AS 2H / 3D 4C / 2S joker")
        told, seen = [], []
        for line in (f"A offer {first}", f"B offer {second}"):
            told.append([event for event in play_lines(state, line) if event.is_visible_to(2)])
            seen += [JEST.view(state, 2), JEST.view(state, None), list(JEST.decisions(state).items())]
        return seen, told, state

    runs = [run(first, second) for first in ("AS", "2H") for second in ("3D", "4C")]
    assert all(seen == runs[0][0] and told == runs[0][1] for seen, told, _ in runs)
    assert len({state.chance.count for *_, state in runs}) == 1


def test_j4_only_dealt_cards_can_be_offered_and_nothing_taken_before_all_have_chosen() -> None:
    state = parse_position("AS 2H / 3D 4C / 2S joker")
    assert expect_refusal(state, "A offer 3D").reason == "Choose one of your two cards."
    refusal = expect_refusal(state, "A take B up")
    assert (refusal.rule, refusal.reason) == ("J4", "First everyone chooses a card to offer face down.")


# --- J5: who takes first


@pytest.mark.parametrize(
    ("ups", "first"),
    [
        ("2S 3H 2C", 1),  # the highest face value
        ("4H AS 3S", 0),
        ("2H 2D 2C", 2),  # ties: the strongest suit
        ("2H 2D AS", 1),
        ("3S 3C 3D", 0),
        ("AS 2H AC", 1),  # an Ace is a 1, though it is alone
        ("joker AH AD", 2),
        ("AH joker AD", 2),
        ("2D 3D 3S 3C", 2),
        ("AD AH AC joker", 2),
    ],
)
def test_j5_the_highest_face_up_card_takes_first(ups: str, first: int) -> None:
    up = ups.split()
    spare = [name for name in ("4S", "4C", "4D", "4H", "3H") if name not in up]
    state = parse_position(" / ".join(f"{name}|{down}" for name, down in zip(up, spare, strict=False)))
    assert state.waiting[0] == first
    assert JEST.view(state, None).turn == first
    assert list(JEST.decisions(state)) == [first]


def test_j5_no_two_cards_rank_alike() -> None:
    order = "joker AH AD AC AS 2H 2D 2C 2S 3H 3D 3C 3S 4H 4D 4C 4S"
    assert " ".join(map(deck.card_name, sorted(deck.DECK, key=deck.RANKING.__getitem__))) == order
    assert len(set(deck.RANKING)) == len(deck.DECK)


# --- J6: taking


def test_j6_a_card_is_taken_from_another_players_complete_offer_into_the_jest() -> None:
    state = parse_position(FOUR)
    assert legal_text(state, 3) == "take A up, take A down, take B up, take B down, take C up, take C down"
    play_lines(state, "D take B up")
    assert card_names(deck.jest_cards(state.jests[3])) == "3D"
    assert JEST.view(state, 3).jest == (deck.parse_card("3D"),)
    assert legal_text(state, 1) == "take A up, take A down, take C up, take C down, take D up, take D down"
    play_lines(state, "B take A down")
    assert card_names(deck.jest_cards(state.jests[1])) == "2H"


def test_j6_what_may_not_be_taken() -> None:
    state = parse_position(FOUR)
    own = expect_refusal(state, "D take D down")
    assert (own.rule, own.reason) == ("J6", "You may take from your own offer only if no other offer is complete.")
    play_lines(state, "D take B up")
    gone = expect_refusal(state, "B take B down")
    assert (gone.rule, gone.reason) == ("J6", "That offer has lost a card. Take from an offer that still has both.")
    three = parse_position(THREE)
    assert expect_refusal(three, "B take D up").reason == "The offers are A to C."
    play_lines(three, "B take A up")
    assert expect_refusal(three, "A take A down").reason == gone.reason
    assert expect_refusal(state, "A take C up").reason == "It is not your turn."
    assert expect_refusal(state, "A take C up").rule is None
    assert expect_refusal(state, "A offer AS").reason == "It is not your turn."
    late = expect_refusal(state, "B offer 3D")
    assert (late.rule, late.reason) == ("J4", "The offers of this round are complete. Now players take cards.")


def test_j6_the_last_player_takes_from_the_own_offer_when_it_alone_is_complete() -> None:
    for which, card in (("up", "AS"), ("down", "2H")):
        state = parse_position(THREE)
        play_lines(state, "B take C up", "C take B up")
        assert legal_text(state, 0) == "take A up, take A down"
        assert expect_refusal(state, "A take B down").rule == "J6"
        play_lines(state, f"A take A {which}")
        assert card_names(deck.jest_cards(state.jests[0])) == card
        assert state.round == 2


def test_j6_the_last_player_takes_from_another_where_that_is_complete() -> None:
    state = parse_position(THREE)
    play_lines(state, "B take A up", "A take B up")
    assert legal_text(state, 2) == "take C up, take C down"
    state = parse_position(THREE)
    play_lines(state, "B take C up", "C take A up")
    assert legal_text(state, 0) == "take B up, take B down"
    assert expect_refusal(state, "A take A down").rule == "J6"


# --- J7: who is next


@pytest.mark.parametrize(
    ("takes", "next_seat"),
    [
        ("D take A up", 0),  # the owner of the card taken
        ("D take A down", 0),
        ("D take B up", 1),
        ("D take A up, A take D up", 1),  # the owner has played: the highest face-up card of the others, 3D over 2S
        ("D take B up, B take D down", 2),  # 2S over AS
        ("D take B up, B take A up, A take D up", 2),  # only one is left
        ("D take A up, A take B down, B take D down", 2),
        ("D take C up, C take D up", 1),
    ],
)
def test_j7_who_takes_next(takes: str, next_seat: int) -> None:
    state = parse_position(FOUR)
    play_lines(state, *takes.split(", "))
    assert state.waiting[0] == next_seat
    assert JEST.view(state, 2).turn == next_seat
    assert list(JEST.decisions(state)) == [next_seat]


def test_j7_of_those_who_have_still_to_take_the_highest_face_up_card_is_next() -> None:
    state = parse_position("4S|AH / 3S|AD / 2S|AC / 3C|2H")
    play_lines(state, "A take B up", "B take A up")
    assert state.waiting == [3, 2]
    state = parse_position("4S|AH / 3S|AD / 2S|AC / AS|2H")
    play_lines(state, "A take D up", "D take A up")
    assert state.waiting == [1, 2]


def test_j7_the_ace_of_hearts_is_next_before_the_joker() -> None:
    state = start_match(4, "0" * 31 + "c")
    play_lines(state, "A offer AC", "B offer 4D", "C offer 4H", "D offer 2H")
    assert [deck.card_name(state.up[seat]) for seat in (2, 3)] == ["joker", "AH"]
    play_lines(state, "A take B up", "B take A up")
    assert state.waiting == [3, 2]


@pytest.mark.parametrize("seats", [3, 4])
def test_j7_whoever_loses_a_card_takes_next_so_that_the_others_waiting_have_both(seats: int) -> None:
    """Which is why it never matters whether the face-up card that ranks its owner is still there."""
    rng, lost = Random(seats), 0
    for seed in range(100):
        state = start_match(seats, f"{seed:032x}")
        while state.waiting:
            seat = state.waiting[0]
            JEST.play(state, seat, rng.choice(JEST.moves(state, seat)))
            if state.phase == "take":
                assert all(JEST.view(state, None).complete[other] for other in state.waiting[1:])
                lost += not JEST.view(state, None).complete[state.waiting[0]]
    assert lost > 100


# --- J8: who learns what


def test_j8_everybody_sees_who_took_from_whom_and_a_face_up_card() -> None:
    state = parse_position(THREE)
    assert play_lines(state, "B take C up") == [CardTaken(seat=1, source=2, card=deck.parse_card("2S"))]
    for seat in (0, 1, 2, None):
        view = JEST.view(state, seat)
        assert view.takes == ((1, 2, True),)
        assert view.jest_sizes == (0, 1, 0)
        assert view.complete == (True, True, False)


def test_j8_a_face_down_card_is_known_to_its_taker_and_its_owner_alone() -> None:
    state = parse_position(THREE)
    events = play_lines(state, "B take C down")
    assert events == [
        CardTaken(seat=1, source=2, card=None),
        FaceDownTaken(seat=1, source=2, card=deck.JOKER, to=(1, 2)),
    ]
    known = {seat: JEST.view(state, seat).down[2] for seat in (0, 1, 2, None)}
    assert known == {0: None, 1: deck.JOKER, 2: deck.JOKER, None: None}
    assert JEST.view(state, 1).jest == (deck.JOKER,)


def test_j8_who_takes_the_face_up_card_does_not_learn_of_the_other() -> None:
    state = parse_position(THREE)
    play_lines(state, "B take C up")
    assert JEST.view(state, 1).down == (None, deck.parse_card("4C"), None)


def test_j8_the_own_face_down_card_taken_by_oneself_is_told_once() -> None:
    state = parse_position(THREE)
    play_lines(state, "B take C up", "C take B up")
    events = play_lines(state, "A take A down")
    assert events[:2] == [
        CardTaken(seat=0, source=0, card=None),
        FaceDownTaken(seat=0, source=0, card=deck.parse_card("2H"), to=(0,)),
    ]


def test_j8_earlier_rounds_stay_known_to_those_who_saw() -> None:
    state = parse_position(THREE)
    play_lines(state, "B take C down", "C take A down", "A take B up")
    downs = {seat: JEST.view(state, seat).past[0].down for seat in (0, 1, 2, None)}
    two, four = deck.parse_card("2H"), deck.parse_card("4C")
    assert downs == {
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


def test_j8_a_spectator_sees_no_hand_and_no_jest() -> None:
    view = JEST.view(parse_position(THREE), None)
    assert (view.hand, view.jest, view.number) == ((), (), None)
