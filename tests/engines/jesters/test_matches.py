"""Whole matches of Jesters: what always holds, what can be told from the events, and records that must replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from engines import GAMES
from engines.hosting.records import record
from engines.jesters import JESTERS
from engines.jesters import events as event_types
from engines.jesters.components import catalogue
from engines.jesters.model import FAVORITE_TARGET, Die, FinalScoring, Options, State
from engines.jesters.view import View
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.engines.jesters.helper import HELPER
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


@pytest.mark.parametrize(("seats", "seed"), MATCHES)
def test_in_every_match_nothing_is_lost_three_failures_are_out_and_three_rounds_the_end(seats: int, seed: int) -> None:
    out: set[int] = set()
    for state, _ in match_states(seats, seed):
        assert HELPER.state_pieces(state) == HELPER.box_pieces(seats)
        assert len(state.board) == seats + 1 or not state.pile
        owned = state.dice[state.turn]
        assert all(0 <= number <= owned[colour] for colour, number in Counter(state.own).items())
        assert min(min(dice) for dice in (*state.dice, state.middle)) >= 0
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
    """S16, S17 and S18 again, the plain way."""
    seats, worth = range(len(state.hands)), [(6, 3), (5, 2), (4, 1)]
    for place, favorite, (most, second) in zip(final.majorities, state.placed, worth, strict=True):
        assert (place.favorite, place.most, place.second) == (favorite, most, second)
        counts = []
        for seat in seats:
            symbols = [symbol for number in state.completed[seat] for symbol in catalogue.performance(number).symbols]
            symbols += [catalogue.gift(number).symbol for number in state.gifts[seat]]
            counts.append(sum(symbols.count(symbol) for symbol in catalogue.favorite(favorite).symbols))
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
        scored = final.track[seat], final.first[seat], final.performances[seat], final.gifts[seat]
        performance_fame = sum(catalogue.performance(number).fame for number in state.completed[seat])
        track, first = (5, 2, -2, -5)[state.failures[seat]], 3 * (seat == state.first)
        assert scored == (track, first, performance_fame, state.fame[seat])
        assert final.totals[seat] == sum(place.fame[seat] for place in final.majorities) + sum(scored)  # S18


# --- What can be told from the events


READ_FIELDS = (
    *("first", "round", "dice", "middle", "hand", "hand_packs", "draw", "discard", "packs", "refills", "favorite"),
    *("placed", "pile", "board", "completed", "gifts", "used", "drawn", "failures", "fame", "passed", "done"),
)


def thaw(value: Any) -> Any:
    return list(map(thaw, value)) if isinstance(value, tuple) else value


class EventReader:
    """Somebody who sees the first view and then hears the events only, and works out the rest from the rules."""

    def __init__(self, view: View) -> None:
        self.seat = view.seat
        self.now = SimpleNamespace(**{name: thaw(getattr(view, name)) for name in READ_FIELDS})
        self.gift_pile: list[int | None] = [None] * view.gift_pile  # the Gifts that it knows, the top last
        self.target: int | None = None
        self.rolled: list[Die] = []
        self.marked: list[int] = []

    def hear_events(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.is_visible_to(self.seat):
                self._hear_event(event)

    def _hear_event(self, event: Event) -> None:
        match event:
            case event_types.TechniquesLearned(seat=seat, card=card, dice=dice):
                self._discard(seat, card)
                self._move(dice, self.now.middle, self.now.dice[seat])
            case event_types.AttemptStarted(target=target, dice=rolled):
                self.target, self.rolled = target, list(rolled)
            case event_types.CardSpent(seat=seat, card=card, die=die, face=face):
                self._discard(seat, card)
                self._set_face(die, face)
            case event_types.RerollBought(seat=seat, card=card):
                self._discard(seat, card)
            case event_types.GiftUsed(gift=gift):
                self._use(gift)
            case event_types.DieTurned(gift=gift, die=die, face=face):
                self._use(gift)
                self._set_face(die, face)
            case event_types.TechniqueAdded(seat=seat, gift=gift, die=die, colour=colour, face=face):
                self._use(gift)
                self._move([colour], self.now.middle, self.now.dice[seat])
                self.rolled.append(Die(colour, colour, face))
                assert die == len(self.rolled)
            case event_types.DieMarked(die=die, marked=marked):
                self.marked = sorted([*self.marked, die]) if marked else [each for each in self.marked if each != die]
            case event_types.DiceRerolled(dice=dice, faces=faces):
                for die, face in zip(dice, faces, strict=True):
                    self._set_face(die, face)
                self.marked = []
            case event_types.DicePainted(dice=dice, colour=colour):
                for die in dice:
                    self.rolled[die - 1] = self.rolled[die - 1]._replace(colour=colour)
                self.marked = []
            case _:
                self._hear_ending(event, self.now)

    def _hear_ending(self, event: Event, now: SimpleNamespace) -> None:
        match event:
            case event_types.TaskCompleted(seat=seat, target=target, dice=rolled):
                assert rolled == tuple(self.rolled)
                self._move([die.own for die in rolled], now.dice[seat], now.middle)
                self.target, self.rolled = None, []
                if target == FAVORITE_TARGET:
                    now.done.append(seat)
                else:
                    now.completed[seat].append(target)
                    self.spot = now.board.index(target)
                    now.board.remove(target)
            case event_types.PerformanceRevealed(performance=number):
                now.board.insert(self.spot, number)
                now.pile -= 1
            case event_types.FameGained(seat=seat, gift=gift, fame=fame):
                self._use(gift)
                now.fame[seat] += fame
            case event_types.GiftsDrawn():
                now.drawn = [self.gift_pile.pop(), self.gift_pile.pop()]
            case event_types.GiftsSeen(gifts=gifts):
                now.drawn = list(gifts)
            case event_types.GiftKept(seat=seat, gift=gift, returned=returned):
                now.gifts[seat].append(gift)
                if returned:
                    now.drawn.remove(gift if gift in now.drawn else None)
                    self.gift_pile.insert(0, now.drawn.pop())
                else:
                    self.gift_pile.pop()
            case event_types.AttemptFailed(seat=seat, failures=failures, cards=cards):
                now.failures[seat] = failures
                self.target, self.rolled = None, []
                self._draw(cards, [seat])
            case event_types.CardsDrawn(cards=cards):
                now.hand = sorted([*now.hand, *cards])
            case event_types.WentOut(seat=seat, dice=counts) | event_types.SeatPassed(seat=seat, dice=counts):
                self._move(Counter(dict(enumerate(counts))).elements(), now.dice[seat], now.middle)
                if isinstance(event, event_types.SeatPassed):
                    now.passed.append(seat)
                    now.first = seat if event.first else now.first
            case event_types.FavoritePlaced(favorite=favorite):
                now.placed.append(favorite)
                now.used, now.passed, now.done, now.favorite = [], [], [], 0
            case event_types.RoundBegan(round=number, favorite=favorite, cards=numbers):
                now.round, now.favorite = number, favorite
                order = [(now.first + step) % len(numbers) for step in range(len(numbers))]
                self._draw(sum(numbers), [seat for seat in order if now.failures[seat] < 3])
            case _:
                assert isinstance(event, event_types.PileRefilled | event_types.MatchScored)  # it knew that

    def _draw(self, number: int, seats: list[int]) -> None:
        """S15: when the pile is empty, the discards become the pile."""
        now = self.now
        for each in range(number):
            if not now.draw:
                now.draw, now.refills = len(now.discard), now.refills + 1
                for card in now.discard:
                    now.packs[card - 1] = now.refills
                now.discard = []
            now.draw -= 1
            now.hand_packs[seats[each % len(seats)]].append(now.refills)  # the newest one, so they stay sorted

    def _discard(self, seat: int, card: int) -> None:
        self.now.hand_packs[seat].remove(self.now.packs[card - 1])
        self.now.discard.append(card)
        if seat == self.seat:
            self.now.hand.remove(card)

    def _use(self, gift: int) -> None:
        self.now.used = sorted({*self.now.used, gift})

    def _set_face(self, die: int, face: int) -> None:
        self.rolled[die - 1] = self.rolled[die - 1]._replace(face=face)

    def _move(self, dice: Iterable[int], source: list[int], target: list[int]) -> None:
        for colour in list(dice):
            source[colour] -= 1
            target[colour] += 1

    def check_view(self, view: View) -> None:
        assert vars(self.now) == {name: thaw(getattr(view, name)) for name in READ_FIELDS}
        assert tuple(map(len, self.now.hand_packs)) == view.hand_sizes
        known = len(view.under)
        assert (tuple(self.gift_pile[:known]), set(self.gift_pile[known:]) <= {None}) == (view.under, True)
        assert len(self.gift_pile) == view.gift_pile
        attempt = view.attempt and (view.attempt.target, view.attempt.dice, view.attempt.marked)
        assert attempt == (None if self.target is None else (self.target, tuple(self.rolled), tuple(self.marked)))


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
    rng = Random(seed)
    for state, _ in match_states(seats, seed):
        if rng.random() < 0.2:
            for seat in (*range(seats), None):
                view = JESTERS.view(state, seat)
                assert JESTERS.view(HELPER.scramble_hidden(state, seat, rng), seat) == view
                sampled = JESTERS.sample(view, Chance(f"{rng.getrandbits(128):032x}"))
                assert JESTERS.view(sampled, seat) == view
                assert [len(hand) for hand in sampled.hands] == list(view.hand_sizes)


def test_these_matches_and_golden_records_come_to_everything() -> None:
    kinds = set(get_args(get_args(event_types.AnyEvent)[0]))
    found = Counter(type(event) for match in MATCHES for _, events in match_states(*match) for event in events)
    assert set(found) == kinds
    assert found[event_types.TaskCompleted] > 50
    records = [record.parse_record(path.read_text(encoding="utf-8")) for path in records_in(GOLDEN)]
    replayed = [events for each in records for events in record.replay(each, GAMES).events]
    assert {type(event) for events in replayed for event in events} == kinds
