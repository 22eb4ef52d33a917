"""Whole matches of Jesters: what always holds, what can be told from the events, and records that must replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from engines import GAMES
from engines.hosting import record
from engines.jesters import JESTERS
from engines.jesters.components import catalogue as parts
from engines.jesters.events import (
    AnyEvent,
    AttemptFailed,
    AttemptStarted,
    CardsDrawn,
    CardSpent,
    DicePainted,
    DiceRerolled,
    DieMarked,
    DieTurned,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    GiftUsed,
    MatchScored,
    PerformanceRevealed,
    PileRefilled,
    RerollBought,
    RoundBegan,
    SeatPassed,
    TaskCompleted,
    TechniqueAdded,
    TechniquesLearned,
    WentOut,
)
from engines.jesters.model import FAVORITE_TARGET, Die, FinalScoring, Options, State
from engines.jesters.view import View
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.jesters.helper import JestersHelper
from tests.engines.jesters.positions import choose_purposeful
from tests.golden.records import records_in

GOLDEN = Path(__file__).with_name("golden") / "meant"  # beside the random ones: these work towards successes
PURPOSE = (0, 0.5, 0.9, 1)
MATCHES = [(seats, seed) for seats in (2, 3, 4) for seed in range(8)]


def match_states(seats: int, seed: int) -> Iterator[tuple[State, list[Event]]]:
    """A match, state by state, with the events that led there; it is one state that changes."""
    rng = Random(seed)
    state = JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))
    yield state, []
    while JESTERS.decisions(state):
        seat, move = state.turn, choose_purposeful(state, rng, PURPOSE[seed % 4])
        JESTERS.check(state, seat, move)
        yield state, JESTERS.play(state, seat, move)


def flatten(groups: Iterable[Iterable[int]]) -> list[int]:
    return list(chain.from_iterable(groups))


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_in_every_match_nothing_is_lost(seats: int, seed: int) -> None:
    for state, _ in match_states(seats, seed):
        dice = Counter(dict(enumerate(state.middle)))
        for owned in state.dice:
            assert min(owned) >= 0
            dice.update(dict(enumerate(owned)))
        assert dict(dice) == dict.fromkeys(range(4), seats + 1)  # S1: 12, 16 or 20
        cards = [*flatten(state.hands), *state.draw, *state.discard]
        assert sorted(cards) == list(range(1, 51))
        assert sorted([*state.pile, *state.board, *flatten(state.completed)]) == list(range(1, 39))
        assert len(state.board) == seats + 1 or not state.pile
        assert sorted([*state.gift_pile, *state.drawn, *flatten(state.gifts)]) == list(range(1, 26))
        favorites = [*state.favorites, *state.placed, *([state.favorite] if state.favorite else [])]
        assert sorted(favorites) == [1, 2, 3, 4, 5]
        own = Counter(state.own)
        assert all(own[colour] <= state.dice[state.turn][colour] for colour in range(4))


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_in_every_match_three_failures_are_out_and_three_rounds_the_end(seats: int, seed: int) -> None:
    out: set[int] = set()
    for state, _ in match_states(seats, seed):
        assert not out & set(JESTERS.decisions(state))
        assert max(state.failures) <= 3
        out = {seat for seat in range(seats) if state.failures[seat] == 3}
        assert not any(any(state.dice[seat]) for seat in out | set(state.passed))
        assert not out & set(state.passed)
        assert 1 <= state.round <= 3
    assert len(state.placed) == 3
    assert state.round == 3 or len(out) == seats
    assert state.middle == [seats + 1] * 4
    assert state.final is not None
    check_scoring(state, state.final)


def check_scoring(state: State, final: FinalScoring) -> None:
    """S16–S18 once more, the plain way."""
    seats = range(len(state.hands))
    for place, favorite, (most, second) in zip(final.majorities, state.placed, [(6, 3), (5, 2), (4, 1)], strict=True):
        counts = []
        for seat in seats:
            symbols = [symbol for number in state.completed[seat] for symbol in parts.performance(number).symbols]
            symbols += [parts.gift(number).symbol for number in state.gifts[seat]]
            counts.append(sum(symbols.count(symbol) for symbol in parts.favorite(favorite).symbols))
        assert place.counts == tuple(counts)
        order = sorted((count for count in counts if count), reverse=True)
        for seat in seats:
            fame = 0
            if counts[seat] and counts[seat] == order[0]:
                fame = most if order.count(order[0]) == 1 else (most + second) // order.count(order[0])
            elif counts[seat] and order.count(order[0]) == 1 and counts[seat] == order[1]:
                fame = second // order.count(order[1])
            assert place.fame[seat] == fame
    for seat in seats:
        total = sum(place.fame[seat] for place in final.majorities) + state.fame[seat]
        total += {0: 5, 1: 2, 2: -2, 3: -5}[state.failures[seat]] + 3 * (seat == state.first)
        total += sum(parts.performance(number).fame for number in state.completed[seat])
        assert final.totals[seat] == total


# --- What can be told from the events


class EventReader:
    """Somebody who sees the first view and then hears the events only, and works out the rest from the rules."""

    def __init__(self, view: View) -> None:
        self.seat = view.seat
        self.view = view
        self.dice = [Counter[int](dict(enumerate(owned))) for owned in view.dice]
        self.middle = Counter[int](dict(enumerate(view.middle)))
        self.hand = list(view.hand)
        self.packs = [[0] * number for number in view.hand_sizes]  # by seat, from which refill its cards are
        self.refills, self.draw = 0, view.draw
        self.pack_of = [0] * 50
        self.discard: list[int] = []
        self.board, self.completed = list(view.board), [list(own) for own in view.completed]
        self.gifts = [list(own) for own in view.gifts]
        self.pile: list[int | None] = [None] * view.gift_pile  # the Gifts that it knows, the top last
        self.drawn: list[int | None] = []
        self.used: set[int] = set()
        self.failures, self.fame = list(view.failures), list(view.fame)
        self.passed: list[int] = []
        self.done: list[int] = []
        self.first, self.round, self.favorite, self.placed = view.first, view.round, view.favorite, list(view.placed)
        self.rolled: list[Die] = []
        self.target: int | None = None
        self.marked: list[int] = []

    def hear_events(self, events: Iterable[Event]) -> None:
        """Take in what it may learn of."""
        for event in events:
            if event.is_visible_to(self.seat):
                self._hear_event(event)

    def _hear_event(self, event: Event) -> None:
        match event:
            case TechniquesLearned(seat=seat, card=card, dice=dice):
                self._discard(seat, card)
                self._move(dice, self.middle, self.dice[seat])
            case AttemptStarted(target=target, dice=rolled):
                self.target, self.rolled = target, list(rolled)
            case CardSpent(seat=seat, card=card, die=die, face=face):
                self._discard(seat, card)
                self._set_face(die, face)
            case RerollBought(seat=seat, card=card):
                self._discard(seat, card)
            case GiftUsed(gift=gift):
                self.used.add(gift)
            case DieTurned(gift=gift, die=die, face=face):
                self.used.add(gift)
                self._set_face(die, face)
            case TechniqueAdded(seat=seat, gift=gift, die=die, colour=colour, face=face):
                self.used.add(gift)
                self._move([colour], self.middle, self.dice[seat])
                self.rolled.append(Die(colour, colour, face))
                assert die == len(self.rolled)
            case DieMarked(die=die, marked=marked):
                self.marked = sorted([*self.marked, die]) if marked else [each for each in self.marked if each != die]
            case DiceRerolled(dice=dice, faces=faces):
                for die, face in zip(dice, faces, strict=True):
                    self._set_face(die, face)
                self.marked = []
            case DicePainted(dice=dice, colour=colour):
                for die in dice:
                    self.rolled[die - 1] = self.rolled[die - 1]._replace(colour=colour)
                self.marked = []
            case _:
                self._hear_ending(event)

    def _hear_ending(self, event: Event) -> None:
        match event:
            case TaskCompleted(seat=seat, target=target, dice=rolled):
                assert rolled == tuple(self.rolled)
                self._move([die.own for die in rolled], self.dice[seat], self.middle)
                self.target, self.rolled = None, []
                if target == FAVORITE_TARGET:
                    self.done.append(seat)
                else:
                    self.completed[seat].append(target)
                    self.spot = self.board.index(target)
                    self.board.remove(target)
            case PerformanceRevealed(performance=number):
                self.board.insert(self.spot, number)
            case FameGained(seat=seat, gift=gift, fame=fame):
                self.used.add(gift)
                self.fame[seat] += fame
            case GiftsDrawn():
                self.drawn = [self.pile.pop(), self.pile.pop()]
            case GiftsSeen(gifts=gifts):
                self.drawn = list(gifts)
            case GiftKept(seat=seat, gift=gift, returned=returned):
                self.gifts[seat].append(gift)
                if returned:
                    self.drawn.remove(gift if gift in self.drawn else None)
                    self.pile.insert(0, self.drawn[0])
                    self.drawn = []
                else:
                    self.pile.pop()
            case AttemptFailed(seat=seat, failures=failures, cards=cards):
                self.failures[seat] = failures
                self.target, self.rolled = None, []
                self._draw(cards, [seat])
            case CardsDrawn(cards=cards):
                self.hand += cards
            case WentOut(seat=seat, dice=counts) | SeatPassed(seat=seat, dice=counts):
                self._move(Counter(dict(enumerate(counts))).elements(), self.dice[seat], self.middle)
                if isinstance(event, SeatPassed):
                    self.passed.append(seat)
                    self.first = seat if event.first else self.first
            case FavoritePlaced(favorite=favorite):
                self.placed.append(favorite)
                self.used, self.passed, self.done, self.favorite = set(), [], [], 0
            case RoundBegan(round=number, favorite=favorite, cards=numbers):
                self.round, self.favorite = number, favorite
                order = [(self.first + step) % len(numbers) for step in range(len(numbers))]
                self._draw(sum(numbers), [seat for seat in order if self.failures[seat] < 3])
            case _:
                assert isinstance(event, PileRefilled | MatchScored)  # it knew that

    def _draw(self, number: int, seats: list[int]) -> None:
        """S15: when the pile is empty, the discards become the pile."""
        for each in range(number):
            if not self.draw:
                self.draw, self.refills = len(self.discard), self.refills + 1
                for card in self.discard:
                    self.pack_of[card - 1] = self.refills
                self.discard = []
            self.draw -= 1
            self.packs[seats[each % len(seats)]].append(self.refills)

    def _discard(self, seat: int, card: int) -> None:
        self.packs[seat].remove(self.pack_of[card - 1])
        self.discard.append(card)
        if seat == self.seat:
            self.hand.remove(card)

    def _set_face(self, die: int, face: int) -> None:
        self.rolled[die - 1] = self.rolled[die - 1]._replace(face=face)

    def _move(self, dice: Iterable[int], here: Counter[int], there: Counter[int]) -> None:
        for colour in list(dice):
            here[colour] -= 1
            there[colour] += 1

    def check_view(self, view: View) -> None:
        """The view says just that."""
        assert [[owned[colour] for colour in range(4)] for owned in self.dice] == list(map(list, view.dice))
        assert [self.middle[colour] for colour in range(4)] == list(view.middle)
        assert sorted(self.hand) == list(view.hand)
        assert [tuple(sorted(packs)) for packs in self.packs] == list(view.hand_packs)
        assert [len(packs) for packs in self.packs] == list(view.hand_sizes)
        assert (self.draw, self.refills, tuple(self.pack_of)) == (view.draw, view.refills, view.packs)
        assert tuple(self.discard) == view.discard
        assert tuple(self.board) == view.board
        assert tuple(map(tuple, self.completed)) == view.completed
        assert tuple(map(tuple, self.gifts)) == view.gifts
        assert len(self.pile) == view.gift_pile
        known = len(view.under)
        assert (tuple(self.pile[:known]), set(self.pile[known:]) <= {None}) == (view.under, True)
        assert tuple(self.drawn) == view.drawn
        assert tuple(sorted(self.used)) == view.used
        assert (tuple(self.failures), tuple(self.fame)) == (view.failures, view.fame)
        assert (tuple(self.passed), tuple(self.done)) == (view.passed, view.done)
        assert (self.first, self.round) == (view.first, view.round)
        assert (self.favorite, tuple(self.placed)) == (view.favorite, view.placed)
        attempt = view.attempt
        assert (self.target is None) == (attempt is None)
        if attempt is not None:
            assert (self.target, tuple(self.rolled), tuple(self.marked)) == (
                attempt.target,
                attempt.dice,
                attempt.marked,
            )


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_the_events_tell_everybody_all_that_their_views_show(seats: int, seed: int) -> None:
    readers: list[EventReader] = []
    for state, events in match_states(seats, seed):
        views = [JESTERS.view(state, seat) for seat in (*range(seats), None)]
        readers = readers or [EventReader(view) for view in views]
        for reader, view in zip(readers, views, strict=True):
            reader.hear_events(events)
            reader.check_view(view)


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_nothing_hidden_shows_and_what_is_known_is_kept(seats: int, seed: int) -> None:
    rng, helper = Random(seed), JestersHelper()
    for state, _ in match_states(seats, seed):
        if rng.random() < 0.2:
            for seat in (*range(seats), None):
                view = JESTERS.view(state, seat)
                assert JESTERS.view(helper.scramble_hidden(state, seat, rng), seat) == view
                sampled = JESTERS.sample(view, Chance(f"{rng.getrandbits(128):032x}"))
                assert JESTERS.view(sampled, seat) == view
                assert [len(hand) for hand in sampled.hands] == list(view.hand_sizes)


def event_kinds() -> tuple[type[Event], ...]:
    """All events of the game."""
    return get_args(get_args(AnyEvent)[0])


def test_the_meant_matches_come_to_everything() -> None:
    kinds = Counter[str]()
    for seats, seed in MATCHES:
        for _, events in match_states(seats, seed):
            kinds.update(type(event).__name__ for event in events)
    assert set(kinds) == {cls.__name__ for cls in event_kinds()}
    assert kinds["TaskCompleted"] > 50


def test_a_hand_is_told_to_its_owner_alone() -> None:
    private = [
        (event.seat, event.to)
        for seed in range(4)
        for _, events in match_states(4, seed)
        for event in events
        if isinstance(event, CardsDrawn | GiftsSeen)
    ]
    assert private
    assert all(to == (seat,) for seat, to in private)


# --- Records


def test_there_are_golden_records_of_everything_that_happens() -> None:
    told = {
        type(event)
        for path in records_in(GOLDEN)
        for events in record.replay(record.parse_record(path.read_text(encoding="utf-8")), GAMES).events
        for event in events
    }
    assert told == set(event_kinds())
