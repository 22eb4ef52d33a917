"""Jest's rules (docs/rules/jest.md), J1–J14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import getitem
from types import MappingProxyType
from typing import ClassVar

from engines.chance import Chance
from engines.game import Decision, Event, Game, IllegalMove, Outcome
from engines.jest import deck, ready, scoring
from engines.jest.deck import DECK, ONE, RANKING
from engines.jest.model import (
    AnyEvent,
    JestsRevealed,
    JestsScored,
    Move,
    Offer,
    OffersRevealed,
    Options,
    Round,
    State,
    Take,
    View,
)
from engines.jest.moves import NOTATION
from engines.jest.ready import (
    CHOICE,
    CHOSEN,
    DOWN_TOLD,
    FACE_DOWN_TOLD,
    HANDS,
    OFFERS,
    SOURCES,
    TAKEN_DOWN,
    TAKEN_UP,
    TAKES,
    UP_TOLD,
)
from engines.jest.sample import sample
from engines.jest.views import view
from engines.seats import span


class JestGame(Game[State, Move, View, Options]):
    """Offer one card face up and one face down, take one of another's, and end with the Jest worth most."""

    key: ClassVar[str] = "jest"
    title: ClassVar[str] = "Jest"
    seats: ClassVar[range] = range(3, 5)
    version: ClassVar[int] = 1
    options = Options
    state = State
    event = AnyEvent
    notation = NOTATION

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """J1: shuffle, lay out the trophies, and deal the first round."""
        self.fitting(seats, options)
        cards = chance.shuffled(DECK)
        trophies = 2 if seats == 3 else 1
        first = trophies + 2 * seats  # J3: the first round's cards are all new
        hands = zip(cards[trophies:first:2], cards[trophies + 1 : first : 2])  # noqa: B905
        return State(
            chance,
            tuple(cards[:trophies]),
            cards[first:],
            round=1,
            dealt=[(a, b) if a < b else (b, a) for a, b in hands],
            up=[-1] * seats,
            down=[-1] * seats,
            waiting=[*range(seats)],
            jests=[0] * seats,
            numbers=[0] * seats,
        )

    def copy(self, state: State) -> State:
        """An equal state that shares nothing mutable with this one."""
        return State(
            state.chance.copy(),
            state.trophies,
            state.deck.copy(),
            state.round,
            state.phase,
            state.dealt.copy(),
            state.up.copy(),
            state.down.copy(),
            state.waiting.copy(),
            state.complete,
            state.takes.copy(),
            state.past.copy(),
            state.jests.copy(),
            state.numbers.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Everybody while offers are made, those who have not chosen first; then one seat at a time."""
        if state.phase == "take":
            turn = state.waiting[0]
            return _taking(turn, state.numbers[turn])
        if state.phase == "offer":
            return _offering(tuple(state.numbers), tuple(state.waiting))
        return {}

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """The two cards dealt, or the cards that may be taken, by seat, the face-up one first."""
        if state.phase == "offer":
            low, high = state.dealt[seat]
            return OFFERS[low][high]
        return TAKES[state.complete][seat] if state.phase == "take" and seat == state.waiting[0] else ()

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against J4 and J6."""
        if isinstance(move, Offer):
            if state.phase != "offer" or move.card not in state.dealt[seat]:
                raise _no_choice(state, seat)
        elif state.phase != "take" or state.waiting[0] != seat:
            raise _not_your_turn(state)
        elif move.source not in SOURCES[state.complete][seat]:
            raise _no_offer(state, seat, move.source)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; the reveal, the end of a round and the next deal follow by themselves."""
        state.numbers[seat] += 1
        waiting = state.waiting
        if isinstance(move, Take):
            source = move.source
            if move.up:
                card = state.up[source]
                state.takes.append(TAKEN_UP[seat][source])
                events: list[Event] = [UP_TOLD[seat][source][card]]
            else:
                card = state.down[source]
                state.takes.append(TAKEN_DOWN[seat][source])
                events = [DOWN_TOLD[seat][source], FACE_DOWN_TOLD[seat][source][card]]
            state.jests[seat] |= ONE[card]
            state.complete ^= 1 << source
            if source in waiting and source != seat:  # J7
                waiting.remove(source)
                waiting[0] = source
            else:
                del waiting[0]  # J7: the highest of those still to play
            return events if waiting else events + _end_round(state)
        low, high = state.dealt[seat]
        state.down[seat] = card = move.card
        state.up[seat] = low + high - card
        if seat not in waiting:  # J4: a change of mind, which nobody else notices
            return [CHOICE[seat][card]]
        waiting.remove(seat)
        return [CHOSEN[seat], CHOICE[seat][card]] if waiting else [CHOSEN[seat], CHOICE[seat][card], _reveal(state)]

    def outcome(self, state: State) -> Outcome | None:
        """J14: the most valuable Jest wins; ties share (C4)."""
        if state.phase != "over":
            return None
        return Outcome.by_points(scoring.settle(state.trophies, state.jests).points)

    def view(self, state: State, seat: int | None) -> View:
        """Everything but the deck, the others' hands and Jests, and what lies face down (J8)."""
        return view(state, seat)

    def sample(self, view: View, chance: Chance) -> State:
        """Deal the unseen cards out again, with respect to every card the seat has ever seen."""
        return sample(view, chance)


@cache
def _taking(seat: int, number: int) -> Mapping[int, Decision]:
    return MappingProxyType({seat: Decision("take", number)})


@lru_cache(maxsize=4096)
def _offering(numbers: tuple[int, ...], waiting: tuple[int, ...]) -> Mapping[int, Decision]:
    """J4: who has chosen may change that, but is not waited for."""
    chosen = [seat for seat in range(len(numbers)) if seat not in waiting]
    made = {seat: Decision("offer", numbers[seat], seat in waiting) for seat in (*waiting, *chosen)}
    return MappingProxyType(made)


def _no_choice(state: State, seat: int) -> IllegalMove:
    """Why a seat may not offer that (J4)."""
    if state.phase == "over":
        return IllegalMove(None, "The game is over.")
    if state.phase == "take" and seat != state.waiting[0]:
        return IllegalMove(None, "It is not your turn.")
    if state.phase == "take":
        return IllegalMove("J4", "The offers of this round are made. Now cards are taken.")
    return IllegalMove(None, "Choose one of the two cards that you were dealt.")


def _not_your_turn(state: State) -> IllegalMove:
    if state.phase == "over":
        return IllegalMove(None, "The game is over.")
    if state.phase == "offer":
        return IllegalMove("J4", "First everybody chooses which card to offer face down.")
    return IllegalMove(None, "It is not your turn.")


def _no_offer(state: State, seat: int, source: int) -> IllegalMove:
    """Why nothing may be taken there (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove(None, f"There are offers {span(len(state.jests))}.")
    if source == seat and state.complete >> seat & 1:
        return IllegalMove("J6", "You may take from your own offer only when no other one is complete.")
    return IllegalMove("J6", "A card of that offer is gone. Take from one that still has both.")


def _reveal(state: State) -> Event:
    """J4: the other cards are turned up; J5: the highest takes first."""
    up = tuple(state.up)
    ranks = [RANKING[card] for card in up]
    state.waiting = waiting = [*range(len(up))]
    waiting.sort(key=ranks.__getitem__, reverse=True)
    state.complete = (1 << len(up)) - 1
    state.phase = "take"
    return OffersRevealed(up=up)


def _end_round(state: State) -> list[Event]:
    """J3: another round; J9: without a deck the game is over."""
    left, down = state.up, state.down
    state.past.append(Round(tuple(left), tuple(down), tuple(state.takes)))
    for _, source, up in state.takes:
        if up:
            left[source] = down[source]
    return _deal(state, left) if state.deck else _end(state, left)


def _deal(state: State, cards: list[int]) -> list[Event]:
    """J3: two cards each, from those left and as many from the deck."""
    seats, stock = len(cards), state.deck
    cards += stock[-seats:]
    del stock[-seats:]
    cards.sort()
    ways = ready.deals(seats)
    state.dealt = dealt = [(cards[a], cards[b]) for a, b in ways[state.chance.below(len(ways))]]
    state.round += 1
    state.phase = "offer"
    state.up = [-1] * seats
    state.down = [-1] * seats
    state.waiting = [*range(seats)]
    state.takes = []
    return [ready.round_dealt(state.round, len(stock)), *map(getitem, HANDS, dealt)]


def _end(state: State, left: Sequence[int]) -> list[Event]:
    """J9, J10: the cards left complete the Jests, and the trophies are given."""
    state.phase = "over"
    state.dealt, state.up, state.down, state.takes = [], [], [], []
    jests = state.jests
    for seat, card in enumerate(left):
        jests[seat] |= ONE[card]
    winners, final = scoring.given(state.trophies, jests)
    return [
        JestsRevealed(jests=tuple([deck.held(jest) for jest in jests])),
        *map(ready.trophy_awarded, state.trophies, winners),
        JestsScored(points=tuple([scoring.value(jest) for jest in final])),
    ]


JEST_GAME = JestGame()
