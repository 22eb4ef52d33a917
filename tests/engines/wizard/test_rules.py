"""Wizard by the book: W1 to W11, and what is said to whoever breaks them (C3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from pydantic import ValidationError

from engines.kit.chance import Chance
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation
from engines.wizard import WIZARD, deck
from engines.wizard.deck import DECK, JESTER, STRENGTH
from engines.wizard.model import (
    Bid,
    BidMade,
    CardPlayed,
    HandDealt,
    Move,
    NameTrump,
    Options,
    Play,
    RoundDealt,
    RoundScored,
    Score,
    State,
    TrickTaken,
    TrumpNamed,
)
from engines.wizard.view import View
from tests.engines.wizard.positions import (
    all_cards,
    expect_refusal,
    hand_names,
    legal_notations,
    parse_cards,
    parse_position,
    play_moves,
    play_random,
    playable_names,
    seat_to_act,
)

ROUNDS = {3: 20, 4: 15, 5: 12, 6: 10}
SUITS = ["trump C", "trump D", "trump H", "trump S"]


def table_view(state: State) -> View:
    """What everybody sees."""
    return WIZARD.view(state, None)


def start_matches(seats: int, number: int, rounds: int | None = None) -> Iterator[State]:
    """So many matches that have just begun."""
    return (WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}")) for seed in range(number))


# --- W1: the first dealer, and the deal that passes on


@cache
def first_draws(seats: int) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    """The draws of many matches, and their first dealers."""
    return [(table_view(state).draws, table_view(state).dealer) for state in start_matches(seats, 1500)]


@pytest.mark.parametrize("seats", ROUNDS)
def test_w1_the_highest_card_deals_and_only_those_tied_for_it_draw_again(seats: int) -> None:
    for rows, dealer in first_draws(seats):
        drawing = set(range(seats))
        for row in rows:
            assert len(row) == seats
            assert {seat for seat, card in enumerate(row) if card != -1} == drawing
            best = max(STRENGTH[row[seat]] for seat in drawing)
            drawing = {seat for seat in drawing if STRENGTH[row[seat]] == best}
        assert drawing == {dealer}


@pytest.mark.parametrize("seats", ROUNDS)
def test_w1_ties_are_drawn_over_several_levels(seats: int) -> None:
    levels = Counter(len(rows) for rows, _ in first_draws(seats))

    assert levels[1] > levels[2] > levels[3] > 0


def test_w1_a_draw_is_again_from_a_full_deck() -> None:
    again = [(rows[0], rows[1]) for seats in ROUNDS for rows, _ in first_draws(seats) if len(rows) > 1]

    # A card that was drawn first can be drawn next: by its owner, and by another seat.
    suited = [{c for c in second if 0 <= c < JESTER} & {c for c in first if c < JESTER} for first, second in again]
    assert any(suited)
    assert any(second[seat] == first[seat] < JESTER for first, second in again for seat in range(len(first)))
    # And Wizards come as often as ever, whatever was drawn first.
    drawn = [card for _, second in again for card in second if card != -1]
    assert 0.5 * 4 / 60 < drawn.count(deck.WIZARD) / len(drawn) < 1.6 * 4 / 60


def test_w1_within_a_draw_no_card_is_drawn_twice() -> None:
    for seats in ROUNDS:
        for rows, _ in first_draws(seats):
            for row in rows:
                assert not Counter(card for card in row if card != -1) - Counter(DECK)


@pytest.mark.parametrize("seats", ROUNDS)
def test_w1_everybody_deals_first_equally_often(seats: int) -> None:
    dealers = Counter(dealer for _, dealer in first_draws(seats))

    expected = len(first_draws(seats)) / seats
    assert all(abs(dealers[seat] - expected) < 5 * expected**0.5 for seat in range(seats))


@pytest.mark.parametrize("seats", ROUNDS)
def test_w1_the_deal_passes_to_the_left_after_every_round(seats: int) -> None:
    state = next(start_matches(seats, 1, rounds=seats + 2))
    first = table_view(state).dealer
    dealt = [event for event in play_random(state) if isinstance(event, RoundDealt)]

    assert [event.dealer for event in dealt] == [(first + i) % seats for i in range(1, seats + 2)]


# --- W2: rounds, and the deal


@pytest.mark.parametrize(("seats", "rounds"), ROUNDS.items())
def test_w2_rounds_are_as_many_as_the_cards_allow(seats: int, rounds: int) -> None:
    state = next(start_matches(seats, 1))

    assert table_view(state).rounds == rounds
    scored = [event for event in play_random(state) if isinstance(event, RoundScored)]
    assert [event.round for event in scored] == list(range(1, rounds + 1))
    assert WIZARD.decisions(state) == {}


@pytest.mark.parametrize(
    ("seats", "asked", "rounds"),
    [(3, 1, 1), (3, 7, 7), (3, 19, 19), (3, 20, 20), (4, 15, 15), (4, 16, 15), (5, 20, 12), (6, 10, 10), (6, 11, 10)],
)
def test_w2_a_shorter_game_is_the_first_rounds_and_a_longer_one_the_full_game(
    seats: int, asked: int, rounds: int
) -> None:
    state = next(start_matches(seats, 1, rounds=asked))
    play_random(state)

    assert (table_view(state).rounds, table_view(state).round, len(table_view(state).sheet)) == (rounds, rounds, rounds)
    assert WIZARD.outcome(state) is not None


@pytest.mark.parametrize("rounds", [0, -1, 21, 1000, 2.5, "many", True])
def test_w2_a_number_of_rounds_that_no_game_has_is_refused(rounds: object) -> None:
    with pytest.raises(ValidationError):
        WIZARD.options_adapter.validate_python({"rounds": rounds}, strict=True)


@pytest.mark.parametrize("rounds", ["0", "21", "-3"])
def test_w2_a_stored_number_of_rounds_that_no_game_has_is_refused(rounds: str) -> None:
    with pytest.raises(ValidationError):
        WIZARD.options_adapter.validate_json(f'{{"rounds": {rounds}}}')


@pytest.mark.parametrize("rounds", [None, 1, 20])
def test_w2_rounds_that_some_game_has_are_taken(rounds: int | None) -> None:
    assert WIZARD.options_adapter.validate_python({"rounds": rounds}) == Options(rounds)


@pytest.mark.parametrize("seats", [0, 1, 2, 7])
def test_w2_it_is_a_game_for_3_to_6(seats: int) -> None:
    with pytest.raises(ValueError, match="Wizard is for 3 to 6 players"):
        WIZARD.start(seats, Options(), Chance("0" * 32))
    assert seats not in WIZARD.seats


@pytest.mark.parametrize("seats", ROUNDS)
def test_w2_every_round_deals_its_number_of_cards_from_all_sixty(seats: int) -> None:
    state = next(start_matches(seats, 1))
    for number in range(1, ROUNDS[seats] + 1):
        play_random(state, until_round=number)

        assert table_view(state).hand_sizes == (number,) * seats
        assert all_cards(state) == Counter(DECK)
        assert (table_view(state).tricks, table_view(state).trick) == ((), ())


def test_w2_every_round_is_shuffled_anew() -> None:
    # Of the six hands of one card, the card of one seat comes to the same seat in 1/60 (alike: 4/60) of the cases.
    same, pairs = 0, 0
    for state in start_matches(6, 400):
        before = [hand_names(state, seat) for seat in range(6)]
        play_random(state, until_round=2)
        same += sum(before[seat] in hand_names(state, seat).split() for seat in range(6))
        pairs += 6
    assert 0.5 * 2 / 60 < same / pairs < 2 * 2 / 60


@pytest.mark.parametrize("place", ["hand", "turned"])
def test_w2_every_card_is_dealt_equally_often(place: str) -> None:
    found: Counter[int] = Counter()
    for state in start_matches(4, 3000):
        view = table_view(state)
        found += Counter([view.turned or 0] if place == "turned" else parse_cards(hand_names(state, view.dealer)))
    in_deck = Counter(DECK)
    expected = {card: 3000 * in_deck[card] / 60 for card in in_deck}
    chi = sum((found[card] - expected[card]) ** 2 / expected[card] for card in in_deck)
    assert found.total() == 3000
    assert chi < 110  # 53 degrees of freedom: once in 200,000 sources


# --- W3: trump


@cache
def match_with_turned(card: str, seats: int = 4) -> State:
    """A match where this card is turned up in the first round; not to be changed."""
    return next(state for state in start_matches(seats, 5000) if table_view(state).turned == deck.parse_card(card))


@pytest.mark.parametrize(("card", "trump"), [("2C", 0), ("AD", 1), ("10H", 2), ("QS", 3)])
def test_w3_the_suit_of_the_turned_card_is_trump(card: str, trump: int) -> None:
    view = table_view(match_with_turned(card))

    assert (view.trump, view.phase, view.turn) == (trump, "bid", (view.dealer + 1) % 4)


def test_w3_a_jester_turned_up_means_no_trump_and_nobody_names_one() -> None:
    view = table_view(match_with_turned("jester"))

    assert (view.trump, view.phase, view.turn) == (None, "bid", (view.dealer + 1) % 4)


def test_w3_a_wizard_turned_up_is_for_the_dealer_who_has_looked_at_the_hand_and_nobody_has_bid() -> None:
    state = match_with_turned("wizard")
    view = table_view(state)

    assert (view.trump, view.phase, view.bids) == (None, "trump", (None,) * 4)
    ((seat, decision),) = WIZARD.decisions(state).items()
    assert (seat, decision.kind, decision.due) == (view.dealer, "trump", True)
    assert len(WIZARD.view(state, seat).hand) == 1
    assert legal_notations(state) == SUITS


@pytest.mark.parametrize("suit", range(4))
def test_w3_the_named_suit_is_trump_and_the_dealers_left_bids_first(suit: int) -> None:
    state = WIZARD.copy(match_with_turned("wizard"))
    dealer = seat_to_act(state)

    assert play_moves(state, SUITS[suit]) == [TrumpNamed(seat=dealer, suit=suit)]
    view = table_view(state)
    assert (view.trump, view.turned, view.phase) == (suit, deck.WIZARD, "bid")
    assert seat_to_act(state) == (dealer + 1) % 4


def test_w3_a_named_trump_takes_tricks() -> None:
    state = parse_position("phase: trump | turned: wizard | hands: AS / 2H / KS")
    play_moves(state, "trump hearts", "bid 0", "bid 0", "bid 0", "play AS", "play 2H", "play KS")

    assert table_view(state).last is not None
    assert table_view(state).sheet[0][1].taken == 1


def test_w3_a_trump_is_named_in_later_rounds_too() -> None:
    state = next(
        s for s in start_matches(5, 200) if play_random(s, until_round=4) and table_view(s).turned == deck.WIZARD
    )

    assert seat_to_act(state) == table_view(state).dealer
    assert legal_notations(state) == SUITS


@pytest.mark.parametrize("seats", ROUNDS)
def test_w3_the_round_that_deals_all_cards_has_no_trump(seats: int) -> None:
    state = next(start_matches(seats, 1))
    play_random(state, until_round=ROUNDS[seats])

    view = table_view(state)
    assert (view.round * seats, view.turned, view.trump, view.phase) == (60, None, None, "bid")
    assert state.stock == []


def test_w3_the_last_round_of_a_shorter_game_has_a_turned_card() -> None:
    state = next(start_matches(6, 1, rounds=9))
    play_random(state, until_round=9)

    assert table_view(state).turned is not None


def test_w3_the_deal_is_told_to_everybody_and_a_hand_to_its_owner_alone() -> None:
    state = parse_position("rounds: 2 | hands: 2S / 3S / 4S")
    *_, dealt, first, second, third = play_moves(state, "play 2S", "play 3S", "play 4S")

    view = table_view(state)
    assert dealt == RoundDealt(round=2, dealer=0, turned=view.turned, trump=view.trump)
    for seat, event in enumerate((first, second, third)):
        assert event == HandDealt(seat=seat, cards=WIZARD.view(state, seat).hand, to=(seat,))


# --- W4: bids


@pytest.mark.parametrize("size", [1, 2, 5])
def test_w4_a_bid_is_from_0_to_the_number_of_cards(size: int) -> None:
    state = parse_position(f"phase: bid | hand: {' '.join(['2H', '3H', '4H', '5H', '6H'][:size])}")

    assert legal_notations(state) == [f"bid {tricks}" for tricks in range(size + 1)]


@pytest.mark.parametrize("seats", ROUNDS)
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_w4_bids_go_round_from_the_dealers_left_and_the_dealer_is_last(seats: int, dealer: int) -> None:
    state = parse_position(f"players: {seats} | dealer: {dealer} | phase: bid | hand: 2H 3H")
    bidders = []
    while table_view(state).phase == "bid":
        bidders.append(seat_to_act(state))
        assert play_moves(state, "bid 1") == [BidMade(seat=bidders[-1], tricks=1)]
        assert table_view(state).bids[bidders[-1]] == 1

    assert bidders == [(dealer + 1 + i) % seats for i in range(seats)]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_w4_the_total_may_be_the_number_of_tricks_or_any_other(last: int) -> None:
    state = parse_position("phase: bid | bids: 1 0 - | hand: 2H 3H")
    play_moves(state, f"bid {last}")

    assert (table_view(state).bids, table_view(state).phase) == ((1, 0, last), "play")


def test_w4_a_bid_is_told_to_everybody_at_once() -> None:
    state = parse_position("phase: bid | hand: 2H 3H")
    (event,) = play_moves(state, "bid 2")

    assert event.to is None
    assert table_view(state).bids == (2, None, None)


# --- W5: the first lead


@pytest.mark.parametrize("dealer", range(4))
def test_w5_the_dealers_left_leads_to_the_first_trick(dealer: int) -> None:
    state = parse_position(f"players: 4 | dealer: {dealer} | phase: bid | hand: 2H 3H")
    play_moves(state, "bid 0", "bid 0", "bid 0", "bid 0")

    assert (table_view(state).phase, seat_to_act(state), table_view(state).leader) == (
        "play",
        (dealer + 1) % 4,
        (dealer + 1) % 4,
    )


def test_w5_any_card_may_be_led() -> None:
    state = parse_position("trump: H | hand: 2C AD 3H 9H KS jester wizard")

    assert playable_names(state) == ["2C", "AD", "3H", "9H", "KS", "jester", "wizard"]


# --- W6, W7, W8: what may be played


FOLLOWING = [
    # W6: the first card that is not a Jester
    ("W6 led", "2S", "10S 3H jester wizard", "10S jester wizard"),
    ("W6 a Jester led sets no suit", "jester", "10S 3H 4C", "4C 3H 10S"),
    ("W6 the card after a Jester sets it", "jester 5H", "10S 3H 4C", "3H"),
    ("W6 and after two", "jester jester 5H", "10S 3H 4C wizard", "3H wizard"),
    ("W6 only Jesters set none", "jester jester jester", "10S 3H 4C wizard", "4C 3H 10S wizard"),
    ("W6 a Wizard led: none", "wizard", "10S 3H jester", "3H 10S jester"),
    ("W6 a Wizard led: none, whatever falls next", "wizard 5H", "10S 3H jester", "3H 10S jester"),
    ("W6 a Jester, then a Wizard: none", "jester wizard", "10S 3H", "3H 10S"),
    ("W6 a Jester, a Wizard, then a suit: none", "jester wizard 5H", "10S 3H", "3H 10S"),
    ("W6 two Jesters, then a Wizard: none", "jester jester wizard", "10S 3H", "3H 10S"),
    # W7: follow, or a Wizard or a Jester
    ("W7 one card of the suit", "KD", "2D 3C 4H 5S", "2D"),
    ("W7 all cards of the suit", "KD", "2D AD QD 5S", "AD 2D QD"),
    ("W7 void: any card", "KD", "3C 4H 5S jester wizard", "3C 4H 5S jester wizard"),
    ("W7 void: trump is not asked for", "KD 2D", "3C 4H", "3C 4H"),
    ("W7 only a Jester beside the suit", "KD", "2D jester", "2D jester"),
    ("W7 only Wizards and Jesters", "KD", "jester jester wizard", "jester wizard"),
    ("W7 a trump in the trick does not change the suit", "KD 5H", "2D 4H 3C", "2D"),
    ("W7 the lowest suit and card", "KC", "2C AD 2D", "2C"),
    ("W7 the highest suit and card", "2S", "KS AS KH jester", "AS KS jester"),
    ("W7 neighbours of the suit do not count", "5H", "KD AS jester", "KD AS jester"),
    # W8: a later Wizard keeps the suit
    ("W8 a Wizard after the suit", "5S wizard", "10S 3H jester", "10S jester"),
    ("W8 two Wizards after the suit", "5S wizard wizard", "10S 3H", "10S"),
    ("W8 a Jester after the suit", "5S jester", "10S 3H", "10S"),
    ("W8 a Jester, a suit, a Wizard", "jester 5S wizard", "10S 3H 4H", "10S"),
    ("W8 the suit after the Wizard is not asked for", "5S wizard 6H", "3H 4C", "4C 3H"),
]


@pytest.mark.parametrize(
    ("trick", "held", "allowed"), [row[1:] for row in FOLLOWING], ids=[row[0] for row in FOLLOWING]
)
def test_w6_w7_w8_what_may_be_played(trick: str, held: str, allowed: str) -> None:
    state = parse_position(f"players: 5 | trump: H | trick: {trick} | hand: {held}")

    assert playable_names(state) == allowed.split()
    assert playable_names(WIZARD.sample(WIZARD.view(state, seat_to_act(state)), Chance("0" * 32))) == allowed.split()
    for name in dict.fromkeys(held.split()):
        if name in allowed.split():
            WIZARD.check(state, seat_to_act(state), WIZARD.parse_move(f"play {name}"))
        else:
            assert expect_refusal(state, f"play {name}").rule == "W7"


def test_w7_the_suit_is_asked_for_anew_in_every_trick() -> None:
    state = parse_position("trump: none | hands: 2S 3H / 4S 5H / 6S 7S")
    play_moves(state, "play 2S", "play 4S", "play 6S", "play 7S")

    assert playable_names(state) == ["3H"]
    play_moves(state, "play 3H")
    assert playable_names(state) == ["5H"]


def test_w7_no_suit_is_left_over_from_a_trick_with_a_wizard() -> None:
    state = parse_position("trump: none | hands: wizard 3H / 4S 5H / 6S 7H")
    play_moves(state, "play wizard", "play 4S", "play 6S", "play 3H")

    assert playable_names(state) == ["5H"]
    assert expect_refusal(parse_position("trump: none | trick: 3H | hand: 5H 4S"), "play 4S").rule == "W7"


# --- W9: who takes the trick


TRICKS = [
    # the first Wizard
    ("a Wizard led", "H", "wizard AH AS", 0),
    ("a Wizard over a trump", "H", "AH wizard KH", 1),
    ("a Wizard last", "H", "AS AH wizard", 2),
    ("the first of two Wizards", "H", "2S wizard wizard", 1),
    ("the first of two Wizards, led", "H", "wizard 2S wizard", 0),
    ("the first of four Wizards", "H", "jester wizard wizard AH wizard wizard", 1),
    ("Jesters, a Wizard, then a suit", "H", "jester jester wizard AH", 2),
    ("a Wizard without trump", "none", "AS wizard KS", 1),
    # the highest trump
    ("a trump over the suit", "H", "AS 2H KS", 1),
    ("the highest of several trumps", "H", "AS 2H 10H 9H", 2),
    ("the ace is the highest trump", "H", "KS KH AH QH", 2),
    ("a trump led", "H", "9H AS KH AD", 2),
    ("a trump after Jesters", "H", "jester 2H AS", 1),
    ("a trump over the suit that came after a Jester", "H", "jester AS 2H", 2),
    ("the 10 over the 9", "C", "9C 10C 8C", 1),
    ("the jack over the 10", "D", "10D JD 9D", 1),
    ("clubs as trump", "C", "AS 2C KS", 1),
    ("diamonds as trump", "D", "AS 2D KS", 1),
    ("spades as trump", "S", "AH 2S KH", 1),
    # the highest of the suit to follow
    ("the highest of the suit", "H", "9S KS 10S", 1),
    ("the ace is the highest", "H", "KS AS QS", 1),
    ("the 2 is the lowest", "H", "2S 3S jester", 1),
    ("another suit is worth nothing", "H", "2S AD AC", 0),
    ("the suit set after a Jester", "H", "jester 2S AD", 1),
    ("the suit set after two Jesters", "H", "jester jester 2S AD 3S", 4),
    ("a Jester after the suit", "H", "2S jester jester", 0),
    ("without trump", "none", "2S AH 3S AD", 2),
    ("without trump, hearts are a suit as any other", "none", "2S AH KH", 0),
    # only Jesters
    ("only Jesters, three", "H", "jester jester jester", 0),
    ("only Jesters, four, without trump", "none", "jester jester jester jester", 0),
]


@pytest.mark.parametrize(
    ("trump", "cards", "place"), [row[1:] for row in TRICKS], ids=[row[0].replace(" ", "_") for row in TRICKS]
)
@pytest.mark.parametrize("dealer", [0, 2])
def test_w9_who_takes_the_trick(trump: str, cards: str, place: int, dealer: int) -> None:
    fallen = cards.split()
    seats = len(fallen)
    hands = [fallen[(seat - dealer - 1) % seats] for seat in range(seats)]
    state = parse_position(
        f"players: {seats} | dealer: {dealer} | trump: {trump} | hands: {' / '.join(hands)} | rounds: 1"
    )
    taker, suit = (dealer + 1 + place) % seats, table_view(state).trump

    *_, played, taken, scored = play_moves(state, *(f"play {name}" for name in fallen))

    assert played == CardPlayed(seat=dealer, card=deck.parse_card(fallen[-1]))
    assert taken == TrickTaken(seat=taker)
    assert isinstance(scored, RoundScored)
    assert deck.winning_index(parse_cards(cards), suit) == place
    last = table_view(state).last
    assert last is not None
    assert (last.leader, last.cards, last.winner) == ((dealer + 1) % seats, tuple(parse_cards(cards)), taker)
    assert table_view(state).taken == tuple(int(seat == taker) for seat in range(seats))


@pytest.mark.parametrize("place", range(4))
def test_w9_the_winner_leads_next_and_may_lead_any_card(place: int) -> None:
    first = ["2S", "3S", "4S", "5S"]
    first[place] = "AS"
    hands = [f"{card} {other}" for card, other in zip(first, ["2H jester", "3H 9D", "4H 9C", "5H wizard"], strict=True)]
    state = parse_position(f"players: 4 | trump: none | hands: {' / '.join(hands)}")
    play_moves(state, *(f"play {card}" for card in first))

    assert (seat_to_act(state), table_view(state).leader) == (place, place)
    assert len(playable_names(state)) == 2
    play_moves(state, legal_notations(state)[0])
    assert seat_to_act(state) == (place + 1) % 4


def test_w9_the_first_jester_leads_next_where_only_jesters_fell() -> None:
    state = parse_position("dealer: 0 | trump: none | hands: jester 2S / jester 3S / jester 4S")
    play_moves(state, "play jester", "play jester", "play jester")

    assert seat_to_act(state) == 1


# --- W10: the score of a round


SCORES = [
    ("exactly all", 3, 3, 50),
    ("exactly none", 0, 0, 20),
    ("one under", 1, 0, -10),
    ("two under", 2, 0, -20),
    ("three under", 3, 0, -30),
    ("one over", 2, 3, -10),
    ("two over", 1, 3, -20),
    ("three over, bid zero", 0, 3, -30),
]


@pytest.mark.parametrize(("bid", "taken", "points"), [row[1:] for row in SCORES], ids=[row[0] for row in SCORES])
def test_w10_a_bid_met_or_missed(bid: int, taken: int, points: int) -> None:
    seat = 0 if taken else 1
    bids = " ".join(str(bid) if other == seat else "0" for other in range(3))
    state = parse_position(f"trump: S | bids: {bids} | hands: AS KS QS / 2S 3S 4S / 5S 6S 7S")
    play_moves(state, "play AS", "play 2S", "play 5S", "play KS", "play 3S", "play 6S", "play QS", "play 4S", "play 7S")

    (row,) = table_view(state).sheet
    assert row[seat] == Score(bid, taken, points)
    assert table_view(state).scores[seat] == points


def test_w10_tricks_are_counted_for_their_takers() -> None:
    state = parse_position("trump: none | bids: 1 1 1 | hands: AS 2H 2D / 2S AH 3D / 3S 3H AD")
    events = play_moves(
        state, "play AS", "play 2S", "play 3S", "play 2H", "play AH", "play 3H", "play 3D", "play AD", "play 2D"
    )

    scores = (Score(1, 1, 30), Score(1, 1, 30), Score(1, 1, 30))
    assert RoundScored(round=3, scores=scores, totals=(30, 30, 30)) in events


def test_w10_scores_add_up_and_may_be_negative() -> None:
    state = parse_position("trump: S | bids: 0 1 0 | scores: 10 -40 0 | hands: AS / 2S / 3S | rounds: 2")
    events = play_moves(state, "play AS", "play 2S", "play 3S")

    assert table_view(state).scores == (0, -50, 20)
    assert table_view(state).sheet == ((Score(0, 1, -10), Score(1, 0, -10), Score(0, 0, 20)),)
    assert [event.totals for event in events if isinstance(event, RoundScored)] == [(0, -50, 20)]


def test_w10_scores_start_at_0() -> None:
    for seats in ROUNDS:
        assert table_view(next(start_matches(seats, 1))).scores == (0,) * seats


def test_w10_a_new_round_starts_without_bids_and_tricks_and_the_last_trick_stays_in_sight() -> None:
    state = parse_position("trump: S | hands: AS / 2S / 3S")
    play_moves(state, "play AS", "play 2S", "play 3S")

    view = table_view(state)
    assert (view.round, view.bids, view.taken) == (2, (None,) * 3, (0,) * 3)
    assert view.last is not None
    assert (view.last.cards, view.last.winner) == (tuple(parse_cards("AS 2S 3S")), 0)


# --- W11: the end


ENDS = [
    ("one wins", "10 30 50", (3, 2, 1), (2,)),
    ("two share the win (C4)", "40 20 40", (1, 3, 1), (0, 2)),
    ("all share the win (C4)", "20 20 20", (1, 1, 1), (0, 1, 2)),
    ("two share the second place", "100 20 20", (1, 2, 2), (0,)),
    ("the highest of negative totals", "-50 -30 -40", (3, 1, 2), (1,)),
]


@pytest.mark.parametrize(("totals", "places", "winners"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_w11_the_highest_total_wins_and_equals_share(
    totals: str, places: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    gains = [-10, 20, 20]  # seat 0 takes the one trick
    before = " ".join(str(int(total) - gain) for total, gain in zip(totals.split(), gains, strict=True))
    state = parse_position(f"rounds: 1 | trump: S | scores: {before} | hands: AS / 2S / 3S")
    play_moves(state, "play AS", "play 2S")
    assert WIZARD.outcome(state) is None
    play_moves(state, "play 3S")

    outcome = WIZARD.outcome(state)
    assert outcome == Outcome(places, tuple(int(total) for total in totals.split()))
    assert outcome.winners == winners


def test_w11_when_it_is_over_nobody_may_act() -> None:
    state = parse_position("rounds: 1 | trump: S | hands: AS / 2S / 3S")
    play_moves(state, "play AS", "play 2S", "play 3S")

    assert (table_view(state).phase, WIZARD.decisions(state)) == ("over", {})
    for seat in range(3):
        assert list(WIZARD.moves(state, seat)) == []
        for move in ("play 4S", "bid 0", "trump H"):
            error = expect_refusal(state, move, seat)
            assert (error.rule, error.reason) == (None, "The game is over.")


def test_w11_it_is_not_over_before_the_last_round() -> None:
    state = parse_position("rounds: 2 | trump: S | hands: AS / 2S / 3S")
    play_moves(state, "play AS", "play 2S", "play 3S")

    assert (table_view(state).phase == "over", WIZARD.outcome(state), table_view(state).round) == (False, None, 2)


# --- C3: what is refused, in which words


NAMING = "phase: trump | turned: wizard | hand: 2H 3H"
BIDDING = "phase: bid | hand: 2H 3H"
PLAYING = "trump: H | trick: 2S wizard | hand: 10S 3H jester"

REFUSED: list[tuple[str, str | Move, int | None, str | None, str]] = [
    # (position, move, seat or whose turn it is, rule, sentence)
    (NAMING, "trump H", 0, None, "It is not your turn."),
    (NAMING, "bid 1", 0, None, "It is not your turn."),
    (NAMING, "bid 1", None, "W3", "Choose the trump suit first. Bidding comes next."),
    (NAMING, "play 2H", None, "W3", "You cannot play cards yet. Choose the trump suit first."),
    (NAMING, NameTrump(4), None, None, "The trump is clubs, diamonds, hearts or spades."),
    (NAMING, NameTrump(-1), None, None, "The trump is clubs, diamonds, hearts or spades."),
    (BIDDING, "bid 1", 1, None, "It is not your turn."),
    (BIDDING, "bid 1", 2, None, "It is not your turn."),
    (BIDDING, "bid 3", None, "W4", "Bid a number from 0 to 2 in this round."),
    (BIDDING, Bid(-1), None, "W4", "Bid a number from 0 to 2 in this round."),
    (BIDDING, "trump H", None, "W3", "You do not choose the trump now."),
    (BIDDING, "play 2H", None, "W4", "You cannot play cards yet. Make your bid first."),
    (PLAYING, "play 2H", 0, None, "It is not your turn."),
    (PLAYING, "bid 1", 1, None, "It is not your turn."),
    (PLAYING, "bid 1", None, "W4", "Bidding is over in this round. Play a card."),
    (PLAYING, "trump H", None, "W3", "You do not choose the trump now."),
    (PLAYING, "play 3H", None, "W7", "You must follow spades, or play a Wizard or a Jester."),
    (PLAYING, "play 10H", None, None, "You do not hold the 10 of hearts."),
    (PLAYING, "play QD", None, None, "You do not hold the queen of diamonds."),
    (PLAYING, "play wizard", None, None, "You do not hold a Wizard."),
    (PLAYING, Play(54), None, None, "There is no such card."),
    (PLAYING, Play(-1), None, None, "There is no such card."),
    ("trick: wizard | hand: 2H 3H", "play jester", None, None, "You do not hold a Jester."),
    ("trick: 5C | hand: 2C 3H", "play 3H", None, "W7", "You must follow clubs, or play a Wizard or a Jester."),
    ("trick: 5D | hand: 2D 3H", "play 3H", None, "W7", "You must follow diamonds, or play a Wizard or a Jester."),
    ("trick: 5H | hand: 2H 3S", "play 3S", None, "W7", "You must follow hearts, or play a Wizard or a Jester."),
]


@pytest.mark.parametrize(("line", "move", "seat", "rule", "reason"), REFUSED)
def test_c3_a_refusal_names_the_rule_that_forbids_the_move_in_a_sentence_and_changes_nothing(
    line: str, move: str | Move, seat: int | None, rule: str | None, reason: str
) -> None:
    error = expect_refusal(parse_position(line), move, seat)

    assert (error.rule, error.reason) == (rule, reason)


def test_c3_a_seat_that_is_not_at_the_table_is_refused() -> None:
    for seat in (-1, 3, 99):
        assert expect_refusal(parse_position(PLAYING), "play 10S", seat).reason == "It is not your turn."


def test_c3_a_card_that_was_played_is_not_held_any_more() -> None:
    state = parse_position("trump: S | hands: AS 2H / 3S 4H / 5S 6H")
    play_moves(state, "play AS", "play 3S", "play 5S")

    assert expect_refusal(state, "play AS").reason == "You do not hold the ace of spades."


def test_c3_one_of_two_jesters_that_was_played_leaves_the_other() -> None:
    state = parse_position("trump: S | hands: jester jester / 3S 4H / 5S 6H")
    assert playable_names(state) == ["jester"]
    play_moves(state, "play jester", "play 3S", "play 5S", "play 6H", "play jester")

    assert hand_names(state, 0) == ""


def test_c3_nobody_has_moves_out_of_turn() -> None:
    for line in (NAMING, BIDDING, PLAYING):
        state = parse_position(line)
        assert [seat for seat in range(3) if WIZARD.moves(state, seat)] == [seat_to_act(state)]


# --- The notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("play 10H", Play(35)),
        ("play 10h", Play(35)),
        ("  PLAY    10h  ", Play(35)),
        ("play wizard", Play(deck.WIZARD)),
        ("Play WIZARD", Play(deck.WIZARD)),
        ("play wizards", Play(deck.WIZARD)),
        ("play Jester", Play(JESTER)),
        ("play jesters", Play(JESTER)),
        ("bid 0", Bid(0)),
        ("Bid  7 ", Bid(7)),
        ("bid 07", Bid(7)),
        ("bid 20", Bid(20)),
        ("trump H", NameTrump(2)),
        ("trump h", NameTrump(2)),
        ("TRUMP hearts", NameTrump(2)),
        ("trump Heart", NameTrump(2)),
        ("trump  clubs ", NameTrump(0)),
        ("trump d", NameTrump(1)),
        ("trump spade", NameTrump(3)),
    ],
)
def test_the_notation_is_read_leniently(text: str, move: Move) -> None:
    assert WIZARD.parse_move(text) == move


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a move of Wizard"),
        ("fold", "is not a move of Wizard"),
        ("10H", "is not a move of Wizard"),
        ("play10H", "is not a move of Wizard"),
        ("play", "is not a card"),
        ("play 11H", "“11H” is not a card"),
        ("play 1H", "is not a card"),
        ("play 10", "is not a card"),
        ("play H10", "is not a card"),
        ("play 10X", "is not a card"),
        ("play 10H 9H", "is not a card"),
        ("play dragon", "is not a card"),
        ("bid", "A bid is a whole number"),
        ("bid -1", "A bid is a whole number"),
        ("bid 1.5", "A bid is a whole number"),
        ("bid two", "A bid is a whole number"),
        ("bid ٣", "A bid is a whole number"),
        ("bid ²", "A bid is a whole number"),
        ("bid 1 2", "A bid is a whole number"),
        ("bid 99999999999", "A bid is a whole number"),
        ("trump", "is not a suit"),
        ("trump x", "“x” is not a suit"),
        ("trump heartss", "is not a suit"),
        ("trump hea", "is not a suit"),
        ("trump none", "is not a suit"),
    ],
)
def test_what_is_no_move_is_told_in_a_sentence(text: str, words: str) -> None:
    error = expect_refusal(parse_position(BIDDING), text)

    assert isinstance(error, BadNotation)
    assert (error.rule, words in error.reason) == (None, True)


def test_the_notation_tells_all_moves_apart() -> None:
    vocabulary: list[Move] = [*map(Play, range(deck.CARD_KINDS)), *map(Bid, range(21)), *map(NameTrump, range(4))]
    written = [WIZARD.format_move(move) for move in vocabulary]

    assert len(set(written)) == len(vocabulary)
    assert [WIZARD.parse_move(text) for text in written] == vocabulary
    assert (written[:2], written[9], written[52:56]) == (
        ["play AC", "play 2C"],
        "play 10C",
        ["play jester", "play wizard", "bid 0", "bid 1"],
    )


# --- Positions themselves


@pytest.mark.parametrize(
    "line",
    [
        "hand: 2H 2H",
        "trick: 2H | hand: 2H",
        "hands: 2H / 2H / 3H",
        "hands: 2H 3H / 4H / 5H",
        "hand: wizard wizard wizard wizard wizard",
        "turned: 2H | hand: 2H",
        "hnad: 2H",
        "hand 2H",
        "hand: 2H | hand: 3H",
        "",
    ],
)
def test_a_position_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_position(line)


@pytest.mark.parametrize("line", [NAMING, BIDDING, PLAYING])
def test_a_position_is_a_whole_state(line: str) -> None:
    state = parse_position(line)

    assert all_cards(state) == Counter(DECK)
    assert WIZARD.checkpoint_adapter.validate_json(WIZARD.checkpoint_adapter.dump_json(state)) == state
    for seat in (None, 0, 1, 2):
        view = WIZARD.view(state, seat)
        assert WIZARD.view(WIZARD.sample(view, Chance("0" * 32)), seat) == view
