"""Wizard by the book, W1 to W15, and the reply to a breach (C3); whole games are in test_games.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from pydantic import ValidationError

from engines.kit.chance import Chance
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation
from engines.kit.options import known_presets, set_options
from engines.wizard import WIZARD, deck, model
from engines.wizard.deck import DECK, JESTER, STRENGTH
from engines.wizard.model import (
    SPECIAL_NAMES,
    Bid,
    LowerBid,
    Move,
    NameTrump,
    Options,
    PassCard,
    Play,
    RaiseBid,
    Score,
    State,
)
from engines.wizard.view import View
from tests.engines.wizard import positions
from tests.engines.wizard.positions import expect_refusal, parse_cards, parse_position, play_moves, seat_to_act

ROUNDS = {3: 20, 4: 15, 5: 12, 6: 10}
SUITS = ["trump C", "trump D", "trump H", "trump S"]


def table_view(state: State) -> View:
    return WIZARD.view(state, None)


def start_matches(seats: int, number: int, rounds: int | None = None) -> Iterator[State]:
    return (WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}")) for seed in range(number))


@cache
def first_draws(seats: int) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    return [(table_view(state).draws, table_view(state).dealer) for state in start_matches(seats, 1500)]


@pytest.mark.parametrize("seats", ROUNDS)
def test_w1_the_highest_card_deals_and_only_those_tied_for_it_draw_again(seats: int) -> None:
    for rows, dealer in first_draws(seats):
        drawing = set(range(seats))
        for row in rows:
            assert len(row) == seats
            assert {seat for seat, card in enumerate(row) if card != -1} == drawing
            assert not Counter(card for card in row if card != -1) - Counter(DECK)
            best = max(STRENGTH[row[seat]] for seat in drawing)
            drawing = {seat for seat in drawing if STRENGTH[row[seat]] == best}
        assert drawing == {dealer}
    levels = Counter(len(rows) for rows, _ in first_draws(seats))
    assert levels[1] > levels[2] > levels[3] > 0


def test_w1_a_draw_is_again_from_a_full_deck() -> None:
    repeated = [(rows[0], rows[1]) for seats in ROUNDS for rows, _ in first_draws(seats) if len(rows) > 1]
    # A card that was drawn first can be drawn next: by its owner, and by another seat.
    suited = [{c for c in second if 0 <= c < JESTER} & {c for c in first if c < JESTER} for first, second in repeated]
    assert any(suited)
    assert any(second[seat] == first[seat] < JESTER for first, second in repeated for seat in range(len(first)))
    # And Wizards come as often as ever, whatever was drawn first.
    drawn = [card for _, second in repeated for card in second if card != -1]
    assert 0.5 * 4 / 60 < drawn.count(deck.WIZARD) / len(drawn) < 1.6 * 4 / 60


@pytest.mark.parametrize(
    ("seats", "wanted", "rounds"),
    [(3, 1, 1), (3, 19, 19), (3, 20, 20), (4, 15, 15), (4, 16, 15), (5, 20, 12), (6, 10, 10), (6, 11, 10)],
)
def test_w2_a_shorter_game_is_the_first_rounds_and_a_longer_one_the_full_game(
    seats: int, wanted: int, rounds: int
) -> None:
    assert table_view(next(start_matches(seats, 1, rounds=wanted))).rounds == rounds


def test_w2_only_numbers_of_rounds_that_some_game_has_are_taken() -> None:
    adapter = WIZARD.options_adapter
    for rounds in (None, 1, 20):
        assert adapter.validate_python({"rounds": rounds}) == Options(rounds)
    for wrong in (0, -1, 21, 1000, 2.5, "many", True):
        with pytest.raises(ValidationError):
            adapter.validate_python({"rounds": wrong}, strict=True)
    for stored in ("0", "21", "-3"):
        with pytest.raises(ValidationError):
            adapter.validate_json(f'{{"rounds": {stored}}}')


@cache
def match_with_turned(card: str, seats: int = 4) -> State:
    """A match where this card is turned up in the first round; not to be changed."""
    return next(state for state in start_matches(seats, 5000) if table_view(state).turned == deck.parse_card(card))


@pytest.mark.parametrize(("card", "trump"), [("2C", 0), ("AD", 1), ("10H", 2), ("QS", 3), ("jester", None)])
def test_w3_the_suit_of_the_turned_card_is_trump_and_a_jester_means_none(card: str, trump: int | None) -> None:
    view = table_view(match_with_turned(card))
    assert (view.trump, view.phase, view.turn) == (trump, "bid", (view.dealer + 1) % 4)


def test_w3_a_wizard_turned_up_lets_the_dealer_who_has_looked_at_the_hand_name_the_trump() -> None:
    state = match_with_turned("wizard")
    view = table_view(state)
    assert (view.trump, view.phase, view.bids) == (None, "trump", (None,) * 4)
    ((seat, decision),) = WIZARD.decisions(state).items()
    assert (seat, decision.kind, decision.due) == (view.dealer, "trump", True)
    assert len(WIZARD.view(state, seat).hand) == 1
    assert positions.legal_notations(state) == SUITS
    for suit in range(4):
        copied = WIZARD.copy(state)
        assert play_moves(copied, SUITS[suit]) == [model.TrumpNamed(seat=seat, suit=suit)]
        view = table_view(copied)
        assert (view.trump, view.turned, view.phase) == (suit, deck.WIZARD, "bid")
        assert seat_to_act(copied) == (seat + 1) % 4


@pytest.mark.parametrize("seats", ROUNDS)
def test_w3_only_the_round_that_deals_all_cards_has_no_turned_card_and_no_trump(seats: int) -> None:
    state = next(start_matches(seats, 1))
    positions.play_random(state, until_round=ROUNDS[seats] - 1)
    assert table_view(state).turned is not None
    positions.play_random(state, until_round=ROUNDS[seats])
    view = table_view(state)
    assert (view.round * seats, view.turned, view.trump, view.phase) == (60, None, None, "bid")
    assert state.stock == []


FOLLOWING = [
    ("W6 led", "2S", "10S 3H jester wizard", "10S jester wizard"),
    ("W6 the card after a Jester sets it", "jester 5H", "10S 3H 4C", "3H"),
    ("W6 and after two", "jester jester 5H", "10S 3H 4C wizard", "3H wizard"),
    ("W6 only Jesters set none", "jester jester jester", "10S 3H 4C wizard", "4C 3H 10S wizard"),
    ("W6 a Wizard led: none", "wizard", "10S 3H jester", "3H 10S jester"),
    ("W6 a Wizard led: none, whatever falls next", "wizard 5H", "10S 3H jester", "3H 10S jester"),
    ("W6 a Jester, a Wizard, then a suit: none", "jester wizard 5H", "10S 3H", "3H 10S"),
    ("W7 void: any card", "KD", "3C 4H 5S jester wizard", "3C 4H 5S jester wizard"),
    ("W7 only Wizards and Jesters", "KD", "jester jester wizard", "jester wizard"),
    ("W7 the lowest suit and card", "KC", "2C AD 2D", "2C"),
    ("W7 the highest suit and card", "2S", "KS AS KH jester", "AS KS jester"),
    ("W7 neighbours of the suit do not count", "5H", "KD AS jester", "KD AS jester"),
    ("W8 a Wizard after the suit", "5S wizard", "10S 3H jester", "10S jester"),
    ("W8 a Jester after the suit", "5S jester", "10S 3H", "10S"),
    ("W8 a Jester, a suit, a Wizard", "jester 5S wizard", "10S 3H 4H", "10S"),
    ("W8 the suit after the Wizard is not asked for", "5S wizard 6H", "3H 4C", "4C 3H"),
]


@pytest.mark.parametrize(
    ("trick", "hand", "allowed"), [row[1:] for row in FOLLOWING], ids=[row[0] for row in FOLLOWING]
)
def test_w6_w7_w8_only_allowed_cards_may_be_played(trick: str, hand: str, allowed: str) -> None:
    state = parse_position(f"players: 5 | trump: H | trick: {trick} | hand: {hand}")
    assert positions.playable_names(state) == allowed.split()
    assert (
        positions.playable_names(WIZARD.sample(WIZARD.view(state, seat_to_act(state)), Chance("0" * 32)))
        == allowed.split()
    )
    for name in dict.fromkeys(hand.split()):
        if name in allowed.split():
            WIZARD.check(state, seat_to_act(state), WIZARD.parse_move(f"play {name}"))
        else:
            assert expect_refusal(state, f"play {name}").rule == "W7"


TRICKS = [
    ("the first of two Wizards", "H", "2S wizard wizard", 1),
    ("the first of four Wizards", "H", "jester wizard wizard AH wizard wizard", 1),
    ("Jesters, a Wizard, then a suit", "H", "jester jester wizard AH", 2),
    ("the highest of several trumps", "H", "AS 2H 10H 9H", 2),
    ("the ace is the highest trump", "H", "KS KH AH QH", 2),
    ("a trump over the suit that came after a Jester", "H", "jester AS 2H", 2),
    ("the 10 over the 9", "C", "9C 10C 8C", 1),
    ("the jack over the 10", "D", "10D JD 9D", 1),
    ("clubs as trump", "C", "AS 2C KS", 1),
    ("spades as trump", "S", "AH 2S KH", 1),
    ("the ace is the highest", "H", "KS AS QS", 1),
    ("the 2 is the lowest", "H", "2S 3S jester", 1),
    ("another suit is worth nothing", "H", "2S AD AC", 0),
    ("the suit set after two Jesters", "H", "jester jester 2S AD 3S", 4),
    ("without trump, hearts are a suit as any other", "none", "2S AH KH", 0),
    ("only Jesters, three", "H", "jester jester jester", 0),
    ("only Jesters, four, without trump", "none", "jester jester jester jester", 0),
]


@pytest.mark.parametrize(
    ("trump", "cards", "place"), [row[1:] for row in TRICKS], ids=[row[0].replace(" ", "_") for row in TRICKS]
)
def test_w9_the_best_card_takes_the_trick(trump: str, cards: str, place: int) -> None:
    fallen = cards.split()
    seats = len(fallen)
    hands = " / ".join(fallen[-1:] + fallen[:-1])
    state = parse_position(f"players: {seats} | dealer: 0 | trump: {trump} | hands: {hands} | rounds: 1")
    taker, suit = (1 + place) % seats, table_view(state).trump
    *_, played, taken, scored = play_moves(state, *(f"play {name}" for name in fallen))

    assert played == model.CardPlayed(seat=0, card=deck.parse_card(fallen[-1]))
    assert taken == model.TrickTaken(seat=taker)
    assert isinstance(scored, model.RoundScored)
    assert deck.winning_index(parse_cards(cards), suit) == place
    last = table_view(state).last
    assert last is not None
    assert (last.leader, last.cards, last.winner) == (1, tuple(parse_cards(cards)), taker)
    assert table_view(state).taken == tuple(int(seat == taker) for seat in range(seats))


def test_w10_scores_add_up_and_may_be_negative_and_the_last_trick_stays_in_sight() -> None:
    state = parse_position("trump: S | bids: 0 1 0 | scores: 10 -40 0 | hands: AS / 2S / 3S | rounds: 2")
    events = play_moves(state, "play AS", "play 2S", "play 3S")
    view = table_view(state)
    assert (view.scores, WIZARD.outcome(state)) == ((0, -50, 20), None)
    assert view.sheet == ((Score(0, 1, -10), Score(1, 0, -10), Score(0, 0, 20)),)
    assert [event.totals for event in events if isinstance(event, model.RoundScored)] == [(0, -50, 20)]
    assert (view.round, view.phase == "over", view.bids, view.taken) == (2, False, (None,) * 3, (0,) * 3)
    assert view.last is not None
    assert (view.last.cards, view.last.winner) == (tuple(parse_cards("AS 2S 3S")), 0)


def test_w11_equals_share_and_when_it_is_over_nobody_may_act() -> None:
    state = parse_position("rounds: 1 | trump: S | scores: 50 0 20 | hands: AS / 2S / 3S")
    play_moves(state, "play AS", "play 2S", "play 3S")
    outcome = WIZARD.outcome(state)
    assert outcome == Outcome((1, 3, 1), (40, 20, 40))
    assert outcome.winners == (0, 2)
    assert (table_view(state).phase, WIZARD.decisions(state)) == ("over", {})
    for seat in range(3):
        for move in ("play 4S", "bid 0", "trump H"):
            error = expect_refusal(state, move, seat)
            assert (error.rule, error.reason) == (None, "The game is over.")


# --- House rules


@pytest.mark.parametrize(
    ("bids", "forbidden"), [("0 0 -", 3), ("1 1 -", 1), ("3 0 -", 0), ("2 2 -", None), ("3 3 -", None)]
)
def test_w12_with_the_hook_the_dealer_may_not_make_the_bids_add_up_to_the_tricks(
    bids: str, forbidden: int | None
) -> None:
    state = parse_position(f"phase: bid | hook: 2 | bids: {bids} | hand: 2H 3H 4S")
    assert seat_to_act(state) == table_view(state).dealer
    allowed = [f"bid {tricks}" for tricks in range(4) if tricks != forbidden]
    assert positions.legal_notations(state) == allowed
    for move in allowed:
        WIZARD.check(state, seat_to_act(state), WIZARD.parse_move(move))
    if forbidden is not None:
        error = expect_refusal(state, f"bid {forbidden}")
        assert (error.rule, error.reason) == (
            "W12",
            "You bid last, and the bids must not total 3. Bid a different number.",
        )
    assert expect_refusal(state, "bid 4").rule == "W4"


def test_w12_the_hook_leaves_earlier_bids_smaller_hands_and_the_published_game_alone() -> None:
    for free in (
        "hook: 2 | bids: 1 - - | hand: 2H 3H",
        "hook: 3 | bids: 1 0 - | hand: 2H 3H",
        "bids: 1 0 - | hand: 2H 3H",
    ):
        assert positions.legal_notations(parse_position(f"phase: bid | {free}")) == ["bid 0", "bid 1", "bid 2"]
    assert positions.legal_notations(parse_position("phase: bid | hook: 1 | bids: 1 0 - | hand: 2H")) == ["bid 1"]


def sizes_and_trumps(seats: int, options: Options) -> tuple[list[int], list[int | None]]:
    """The cards of every seat and the trump in each round, and that nothing is turned up when all are dealt."""
    state = WIZARD.start(seats, options, Chance("5" * 32))
    sizes: list[int] = []
    trumps: list[int | None] = []
    for number in range(1, table_view(state).rounds + 1):
        positions.play_random(state, until_round=number)
        view = table_view(state)
        assert set(view.hand_sizes) == {view.trick_count}
        assert (view.turned is None) == (view.trick_count * seats == 60)
        sizes.append(view.trick_count)
        trumps.append(view.trump if view.turned is None else -1)
    positions.play_random(state)
    assert table_view(state).phase == "over"
    return sizes, [trump for trump in trumps if trump != -1]


@pytest.mark.parametrize(
    ("seats", "sizes"),
    [
        (3, [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
        (4, [1, 3, 5, 7, 9, 11, 13, 15]),
        (5, [2, 4, 6, 8, 10, 12]),
        (6, [2, 4, 6, 8, 10]),
    ],
)
def test_w13_hands_by_twos_end_with_the_whole_pack_and_a_limit_plays_the_first_rounds(
    seats: int, sizes: list[int]
) -> None:
    assert sizes_and_trumps(seats, Options(hands="by twos")) == (sizes, [None])
    assert sizes_and_trumps(seats, Options(3, "by twos")) == (sizes[:3], [])
    assert table_view(WIZARD.start(seats, Options(20, "by twos"), Chance("5" * 32))).rounds == len(sizes)


@pytest.mark.parametrize(("seats", "rounds"), [(3, 10), (4, 8), (5, 6), (6, 5)])
def test_w13_quick_hands_of_older_tables_grow_by_two_and_a_limit_plays_the_first_rounds(
    seats: int, rounds: int
) -> None:
    sizes, trumps = sizes_and_trumps(seats, Options(hands="quick"))
    assert sizes == [2 * number + 1 for number in range(rounds)]
    assert trumps == ([None] if sizes[-1] * seats == 60 else [])
    assert sizes_and_trumps(seats, Options(3, "quick")) == ([1, 3, 5], [])
    assert table_view(WIZARD.start(seats, Options(20, "quick"), Chance("5" * 32))).rounds == rounds


@pytest.mark.parametrize("seats", ROUNDS)
def test_w14_descending_hands_end_with_one_card_and_a_limit_leaves_out_the_largest(seats: int) -> None:
    assert sizes_and_trumps(seats, Options(hands="descending")) == ([*range(ROUNDS[seats], 0, -1)], [None])
    assert sizes_and_trumps(seats, Options(4, "descending")) == ([4, 3, 2, 1], [])


@pytest.mark.parametrize("seats", ROUNDS)
def test_w15_all_cards_are_dealt_five_times_and_the_trump_goes_through_the_suits_to_none(seats: int) -> None:
    assert sizes_and_trumps(seats, Options(hands="all cards")) == ([60 // seats] * 5, [0, 1, 2, 3, None])
    assert sizes_and_trumps(seats, Options(2, "all cards")) == ([60 // seats] * 2, [0, 1])


def test_w12_to_w15_the_board_names_the_house_rules_and_only_these() -> None:
    state = WIZARD.start(4, Options(hands="all cards", hook=1), Chance("5" * 32))
    assert "\nhouse rules: all cards, hook from 1 card\n" in str(table_view(state))
    plans: dict[model.HandPlan, str] = {
        "by twos": "hands by twos",
        "descending": "descending hands",
        "quick": "quick hands",
    }
    for hands, phrase in plans.items():
        state = WIZARD.start(4, Options(hands=hands), Chance("5" * 32))
        assert f"\nhouse rules: {phrase}\n" in str(table_view(state))
    assert "house rules" not in str(table_view(WIZARD.start(4, Options(), Chance("5" * 32))))


def test_the_presets_are_the_published_game_first_and_leave_the_number_of_rounds_alone() -> None:
    specials: dict[str, Any] = dict.fromkeys(SPECIAL_NAMES, True)
    options_by_preset = {name: set_options(WIZARD, {"rounds": 6}, name) for name in known_presets(WIZARD)}
    assert options_by_preset == {
        "as published": Options(6),
        "hook": Options(6, "growing", 2),
        "quick hands": Options(6, "by twos"),
        "carnival": Options(6, "by twos", bids="hidden", **specials),
        "quick": Options(6, "quick"),
        "party": Options(6, "quick", bids="hidden", **specials),
    }
    assert [*WIZARD.presets] == ["as published", "hook", "quick hands", "carnival"]


NAMING = "phase: trump | turned: wizard | hand: 2H 3H"
BIDDING = "phase: bid | hand: 2H 3H"
PLAYING = "trump: H | trick: 2S wizard | hand: 10S 3H jester"

REFUSED: list[tuple[str, str | Move, int | None, str | None, str]] = [
    # (position, move, seat or whose turn it is, rule, sentence)
    (NAMING, "trump H", 0, None, "It is not your turn."),
    (NAMING, "bid 1", 0, None, "It is not your turn."),
    (NAMING, "bid 1", None, "W3", "Name the trump suit first. Bidding comes next."),
    (NAMING, "play 2H", None, "W3", "You cannot play cards yet. Name the trump suit first."),
    (NAMING, NameTrump(4), None, None, "The trump suit must be clubs, diamonds, hearts or spades."),
    (NAMING, NameTrump(-1), None, None, "The trump suit must be clubs, diamonds, hearts or spades."),
    (BIDDING, "bid 1", 1, None, "It is not your turn."),
    (BIDDING, "bid 1", 2, None, "It is not your turn."),
    (BIDDING, "bid 3", None, "W4", "Bid a number from 0 to 2 in this round."),
    (BIDDING, Bid(-1), None, "W4", "Bid a number from 0 to 2 in this round."),
    (BIDDING, "trump H", None, "W3", "You cannot name the trump suit now."),
    (BIDDING, "play 2H", None, "W4", "You cannot play cards yet. Make your bid first."),
    (PLAYING, "play 2H", 0, None, "It is not your turn."),
    (PLAYING, "play 10S", -1, None, "It is not your turn."),
    (PLAYING, "play 10S", 99, None, "It is not your turn."),
    (PLAYING, "bid 1", 1, None, "It is not your turn."),
    (PLAYING, "bid 1", None, "W4", "Bidding is over in this round. Play a card."),
    (PLAYING, "trump H", None, "W3", "You cannot name the trump suit now."),
    (PLAYING, "play 3H", None, "W7", "You must follow spades, or play a Wizard or a Jester."),
    (PLAYING, "play 10H", None, None, "You do not hold the 10 of hearts."),
    (PLAYING, "play QD", None, None, "You do not hold the queen of diamonds."),
    (PLAYING, "play wizard", None, None, "You do not hold a Wizard."),
    (PLAYING, Play(60), None, None, "There is no such card."),
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


# --- The notation


def test_the_notation_is_read_leniently() -> None:
    texts_of: dict[Move, tuple[str, ...]] = {
        Play(35): ("play 10H", "play 10h", "  PLAY    10h  "),
        Play(deck.WIZARD): ("play wizard", "Play WIZARD", "play wizards"),
        Play(JESTER): ("play Jester", "play jesters"),
        Bid(0): ("bid 0",),
        Bid(7): ("Bid  7 ", "bid 07"),
        Bid(20): ("bid 20",),
        NameTrump(0): ("trump  clubs ",),
        NameTrump(1): ("trump d",),
        NameTrump(2): ("trump H", "trump h", "TRUMP hearts", "trump Heart"),
        NameTrump(3): ("trump spade",),
    }
    assert {text: WIZARD.parse_move(text) for texts in texts_of.values() for text in texts} == {
        text: move for move, texts in texts_of.items() for text in texts
    }


NO_MOVES = {
    "is not a move of Wizard": ("", "fold", "10H", "play10H"),
    "is not a card": ("play", "play 1H", "play 10", "play H10", "play 10X", "play 10H 9H", "play dragon"),
    "“11H” is not a card": ("play 11H",),
    "A bid is a whole number": ("bid", "bid -1", "bid 1.5", "bid two", "bid ٣", "bid ²", "bid 1 2", "bid 99999999999"),
    "is not a suit": ("trump", "trump heartss", "trump hea", "trump nothing"),
    "“x” is not a suit": ("trump x",),
}


@pytest.mark.parametrize(("words", "text"), [(words, text) for words, texts in NO_MOVES.items() for text in texts])
def test_a_text_that_is_no_move_is_explained_in_a_sentence(words: str, text: str) -> None:
    error = expect_refusal(parse_position(BIDDING), text)
    assert isinstance(error, BadNotation)
    assert (error.rule, words in error.reason) == (None, True)


def test_the_notation_tells_all_moves_apart() -> None:
    vocabulary: list[Move] = [*map(Play, range(deck.CARD_KINDS)), *map(Bid, range(21)), *map(NameTrump, range(4))]
    vocabulary += [*map(PassCard, range(deck.CARD_KINDS)), NameTrump(None), RaiseBid(), LowerBid()]
    written = [WIZARD.format_move(move) for move in vocabulary]
    assert len(set(written)) == len(vocabulary)
    assert [WIZARD.parse_move(text) for text in written] == vocabulary
    assert [written[place] for place in (0, 1, 9, 52, 53, 60)] == [
        *("play AC", "play 2C", "play 10C", "play jester", "play wizard", "bid 0")
    ]


NONSENSE = ["hand: 2H 2H", "trick: 2H | hand: 2H", "hands: 2H / 2H / 3H", "hands: 2H 3H / 4H / 5H"]
NONSENSE += ["turned: 2H | hand: 2H", "hnad: 2H", "hand 2H", "hand: 2H | hand: 3H", ""]


@pytest.mark.parametrize("line", NONSENSE)
def test_a_position_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_position(line)
