"""Whole matches of Jokers: what always holds, counts of positions, and records that must replay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.hosting import record
from engines.jokers import JOKERS, deck
from engines.jokers.deck import DECK
from engines.jokers.model import (
    CardDiscarded,
    CardsTraded,
    CardTaken,
    HandDealt,
    HandDeclared,
    Options,
    RoundDealt,
    RoundResult,
    RoundScored,
    SafetyKept,
    State,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.jokers import by_the_book as book
from tests.engines.jokers.positions import FULL, PLAIN, PLAIN2, all_cards, choose_purposeful, parse_position
from tests.golden.records import records_in

GOLDEN = Path(__file__).with_name("golden") / "meant"  # beside the random ones: these work towards full hands
GAMES = {"jokers": JOKERS}


@pytest.mark.parametrize("seed", range(12))
def test_in_every_match_no_card_is_lost_and_every_total_is_that_of_the_rules(seed: int) -> None:
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds=4), Chance(f"{seed:032x}"))
    watched = EventSpectator()
    while JOKERS.decisions(state):
        seat, move = state.turn, choose_purposeful(state, rng, purpose=[0, 0.5, 0.9][seed % 3])
        JOKERS.check(state, seat, move)
        events = JOKERS.play(state, seat, move)
        assert all_cards(state) == Counter(DECK)
        sizes = [8, 8]
        sizes[state.turn] += state.phase == "discard"
        assert [deck.hand_size(held) for held in state.hands] == sizes  # K5
        watched.see_events(events)
        assert JOKERS.view(state, None).known == watched.known_hands()
    assert len(state.sheet) == 4
    assert state.scores == [sum(row[seat].points for row in state.sheet) for seat in (0, 1)]
    for score in (score for row in state.sheet for score in row):
        assert score.points == sum(score[1:])


class EventSpectator:
    """A spectator who only hears the public events, and works out what they tell."""

    def __init__(self) -> None:
        self.hands = [Counter[int](), Counter[int]()]

    def known_hands(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(sorted(hand.elements())) for hand in self.hands)

    def see_events(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case RoundDealt():
                    self.hands = [Counter(), Counter()]
                case CardsTraded(seat=seat, cards=cards):
                    self.hands[seat] -= Counter(cards)
                case CardTaken(seat=seat, card=card) | SafetyKept(seat=seat, card=card):
                    self.hands[seat][card] += 1
                case CardDiscarded(seat=seat, card=card):
                    self.hands[seat] -= Counter([card])
                case HandDeclared(seat=seat, cards=cards):
                    self.hands[seat] = Counter(cards)
                case RoundScored(result=result):
                    self.hands = [Counter(hand) for hand in result.hands]
                    check_scoring(result)


def check_scoring(result: RoundResult) -> None:
    """K12–K15 once more, by the plain scorer."""
    for seat, (hand, score) in enumerate(zip(result.hands, result.scores, strict=True)):
        if hand.count(deck.JOKER) < 2:  # else it takes long; test_jokers_melds has those
            lost, declared = book.score_hand(hand)
            expected = declared if seat == result.declared else lost
            assert expected is not None
            assert score.points == expected.points


def test_a_hand_is_told_to_its_owner_alone() -> None:
    state = JOKERS.start(2, Options(rounds=2), Chance("ab" * 16))
    for _ in range(3):
        JOKERS.play(state, state.turn, JOKERS.parse_move("done"))
    dealt = [e for e in JOKERS.play(state, state.turn, JOKERS.parse_move("done")) if isinstance(e, HandDealt)]
    assert [event.to for event in dealt] == [(0,), (1,)]


# --- The list of moves, which is not built


def test_the_moves_of_a_turn_are_a_sequence_like_any_other() -> None:
    state = parse_position(f"hand: {PLAIN} | pile: 4C")
    moves = JOKERS.moves(state, 0)
    built = tuple(moves)
    assert len(moves) == len(built) == 255 + 3
    assert moves == built
    assert moves[-1] == built[-1] == moves[257]
    assert moves[-258] == built[0]
    assert moves[250:] == built[250:]
    assert hash(moves) == hash(built)
    assert moves.index(built[17]) == 17
    assert built[256] in moves
    for outside in (258, -259):
        with pytest.raises(IndexError):
            moves[outside]


# --- Counts of positions: how many ways there are to make so many moves


def count_positions(state: State, depth: int) -> int:
    if not depth:
        return 1
    count = 0
    for seat in JOKERS.decisions(state):
        for move in JOKERS.moves(state, seat):
            after = JOKERS.copy(state)
            JOKERS.play(after, seat, move)
            count += count_positions(after, depth - 1)
    return count


BARE = f"hand: {PLAIN} | other: {PLAIN2} | safety: AD 2C / 3C 4H"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (BARE, [256]),
        (f"{BARE} | draw: 2 | pile: 4C 4D", [39, 216, 6101]),
        (f"{BARE} | draw: 0 | pile: 4C 4D", [3, 197]),
        (f"hand: {FULL} | other: {PLAIN2} | safety: AD 2C / 3C 4H | draw: 1", [12, 52, 1894]),
    ],
)
def test_counts_of_positions(text: str, counts: list[int]) -> None:
    assert [count_positions(parse_position(text), depth) for depth in range(1, len(counts) + 1)] == counts


# --- Records


def test_there_are_golden_records_of_every_ending() -> None:
    endings = set()
    for path in records_in(GOLDEN):
        for events in record.replay(record.parse_record(path.read_text(encoding="utf-8")), GAMES).events:
            endings |= {event.result.ending for event in events if isinstance(event, RoundScored)}
    assert endings == {"declared", "empty", "stall"}
