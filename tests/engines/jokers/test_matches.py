"""Whole matches of Jokers: what always holds, counts of positions, and records that must replay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.hosting.records import record
from engines.jokers import JOKERS, deck, model
from engines.jokers.deck import DECK
from engines.jokers.model import Options, RoundResult
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.jokers import reference_scoring
from tests.engines.jokers.positions import all_cards, choose_purposeful
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
        assert [deck.hand_size(hand) for hand in state.hands] == sizes  # K5
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
                case model.RoundDealt():
                    self.hands = [Counter(), Counter()]
                case model.CardsTraded(seat=seat, cards=cards):
                    self.hands[seat] -= Counter(cards)
                case model.CardTaken(seat=seat, card=card) | model.SafetyKept(seat=seat, card=card):
                    self.hands[seat][card] += 1
                case model.CardDiscarded(seat=seat, card=card):
                    self.hands[seat] -= Counter([card])
                case model.HandDeclared(seat=seat, cards=cards):
                    self.hands[seat] = Counter(cards)
                case model.RoundScored(result=result):
                    self.hands = [Counter(hand) for hand in result.hands]
                    check_scoring(result)


def check_scoring(result: RoundResult) -> None:
    """K12–K15 again, by the plain scorer."""
    for seat, (hand, score) in enumerate(zip(result.hands, result.scores, strict=True)):
        if hand.count(deck.JOKER) < 2:  # else it takes long; test_jokers_melds has those
            lost, declared = reference_scoring.score_hand(hand)
            expected = declared if seat == result.declared else lost
            assert expected is not None
            assert score.points == expected.points


# --- Records


def test_there_are_golden_records_of_every_ending() -> None:
    endings = set()
    for path in records_in(GOLDEN):
        for events in record.replay(record.parse_record(path.read_text(encoding="utf-8")), GAMES).events:
            endings |= {event.result.ending for event in events if isinstance(event, model.RoundScored)}
    assert endings == {"declared", "empty", "stall"}
