"""Jest's rules (docs/rules/jest.md), J1–J14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import ClassVar

from engines.chance import Chance
from engines.game import Decision, Event, Game, IllegalMove, Outcome
from engines.jest import deck, scoring
from engines.jest.deck import DECK, ONE, RANKING
from engines.jest.model import (
    AnyEvent,
    CardTaken,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    JestsRevealed,
    JestsScored,
    Move,
    Offer,
    OfferChosen,
    OffersRevealed,
    Options,
    Round,
    RoundDealt,
    State,
    Take,
    Taken,
    TrophyAwarded,
    View,
)
from engines.jest.moves import NOTATION, offers, takes
from engines.jest.sample import sample
from engines.jest.views import view
from engines.seats import span
from engines.turns import NOBODY, out_of_turn, waits_for


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
        return State(
            chance,
            tuple(cards[:trophies]),
            cards[first:],
            round=1,
            dealt=_hands(cards[trophies:first]),
            up=[-1] * seats,
            down=[-1] * seats,
            waiting=[*range(seats)],
            jests=[0] * seats,
            numbers=[0] * seats,
        )

    def copy(self, state: State) -> State:
        """An equal state that shares nothing mutable with this one."""
        # By hand, since found from the types it takes 0.5 µs more, a quarter of a move of this quick game.
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
            state.complete.copy(),
            state.takes.copy(),
            state.past.copy(),
            state.jests.copy(),
            state.numbers.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Everybody while offers are made, those who have not chosen first; then one seat at a time."""
        if state.phase == "take":
            turn = state.waiting[0]
            return waits_for(turn, "take", state.numbers[turn])
        if state.phase == "offer":
            return _offering(tuple(state.numbers), tuple(state.waiting))
        return NOBODY

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """The two cards dealt, or the cards that may be taken, by seat, the face-up one first."""
        if state.phase == "offer":
            return offers(state.dealt[seat])
        return takes(tuple(state.complete), seat) if state.phase == "take" and seat == state.waiting[0] else ()

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against J4 and J6."""
        if isinstance(move, Offer):
            if state.phase != "offer" or move.card not in state.dealt[seat]:
                raise _no_choice(state, seat)
        elif state.phase != "take" or state.waiting[0] != seat:
            raise _not_your_turn(state)
        elif move.source not in state.complete or (move.source == seat and len(state.complete) > 1):
            raise _no_offer(state, seat, move.source)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; the reveal, the end of a round and the next deal follow by themselves."""
        state.numbers[seat] += 1
        return _take(state, seat, move) if isinstance(move, Take) else _offer(state, seat, move.card)

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


@lru_cache(maxsize=4096)
def _offering(numbers: tuple[int, ...], waiting: tuple[int, ...]) -> Mapping[int, Decision]:
    """J4: who has chosen may change that, but is not waited for."""
    chosen = [seat for seat in range(len(numbers)) if seat not in waiting]
    made = {seat: Decision("offer", numbers[seat], seat in waiting) for seat in (*waiting, *chosen)}
    return MappingProxyType(made)


def _no_choice(state: State, seat: int) -> IllegalMove:
    """Why a seat may not offer that (J4)."""
    if state.phase == "over" or (state.phase == "take" and seat != state.waiting[0]):
        return out_of_turn(state)
    if state.phase == "take":
        return IllegalMove("J4", "The offers of this round are made. Now cards are taken.")
    return IllegalMove(None, "Choose one of the two cards that you were dealt.")


def _not_your_turn(state: State) -> IllegalMove:
    if state.phase == "offer":
        return IllegalMove("J4", "First everybody chooses which card to offer face down.")
    return out_of_turn(state)


def _no_offer(state: State, seat: int, source: int) -> IllegalMove:
    """Why nothing may be taken there (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove(None, f"There are offers {span(len(state.jests))}.")
    if source == seat and seat in state.complete:
        return IllegalMove("J6", "You may take from your own offer only when no other one is complete.")
    return IllegalMove("J6", "A card of that offer is gone. Take from one that still has both.")


def _hands(cards: Sequence[int]) -> list[tuple[int, int]]:
    """Two cards each, sorted."""
    pairs = zip(cards[::2], cards[1::2], strict=True)
    return [(a, b) if a < b else (b, a) for a, b in pairs]


def _offer(state: State, seat: int, card: int) -> list[Event]:
    """J4: one card face down, the other face up; both stay secret until all have chosen."""
    low, high = state.dealt[seat]
    state.down[seat] = card
    state.up[seat] = high if card == low else low
    chosen = _face_down_chosen(seat, card)
    if seat not in state.waiting:  # a change of mind, which nobody else notices
        return [chosen]
    state.waiting.remove(seat)
    events = [_offer_chosen(seat), chosen]
    return events if state.waiting else [*events, _reveal(state)]


def _take(state: State, seat: int, move: Take) -> list[Event]:
    """J6: a card of a complete offer; J7: whose offer that was goes next."""
    source, up = move.source, move.up
    card = state.up[source] if up else state.down[source]
    if up:
        events = [_card_taken(seat, source, card)]
    else:  # J8: only taker and owner learn what lay face down
        events = [_card_taken(seat, source, None), _face_down_taken(seat, source, card)]
    state.takes.append(Taken(seat, source, up))
    state.jests[seat] |= ONE[card]
    state.complete.remove(source)
    del state.waiting[0]
    if source in state.waiting:
        state.waiting.remove(source)
        state.waiting.insert(0, source)
    return events if state.waiting else events + _end_round(state)


def _reveal(state: State) -> Event:
    """J4: the other cards are turned up; J5: the highest takes first."""
    up = tuple(state.up)
    ranks = [RANKING[card] for card in up]
    state.waiting = waiting = [*range(len(up))]
    waiting.sort(key=ranks.__getitem__, reverse=True)
    state.complete = [*range(len(up))]
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
    state.dealt = _hands(state.chance.shuffled(cards))
    state.round += 1
    state.phase = "offer"
    state.up = [-1] * seats
    state.down = [-1] * seats
    state.waiting = [*range(seats)]
    state.takes = []
    hands = [_hand_dealt(seat, hand) for seat, hand in enumerate(state.dealt)]
    return [_round_dealt(state.round, len(stock)), *hands]


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
        *[_trophy_awarded(trophy, seat) for trophy, seat in zip(state.trophies, winners, strict=True)],
        JestsScored(points=tuple([scoring.value(jest) for jest in final])),
    ]


# Events that come in few kinds are made once: making one takes longer than all the rest of a move.


@cache
def _round_dealt(number: int, left: int) -> Event:
    return RoundDealt(round=number, deck=left)


@cache
def _trophy_awarded(trophy: int, seat: int | None) -> Event:
    return TrophyAwarded(trophy=trophy, seat=seat)


@cache
def _card_taken(seat: int, source: int, card: int | None) -> Event:
    return CardTaken(seat=seat, source=source, card=card)


@cache
def _face_down_taken(seat: int, source: int, card: int) -> Event:
    return FaceDownTaken(seat=seat, source=source, card=card, to=tuple(sorted({seat, source})))


@cache
def _hand_dealt(seat: int, cards: tuple[int, int]) -> Event:
    return HandDealt(seat=seat, cards=cards, to=(seat,))


@cache
def _offer_chosen(seat: int) -> Event:
    return OfferChosen(seat=seat)


@cache
def _face_down_chosen(seat: int, card: int) -> Event:
    return FaceDownChosen(seat=seat, card=card, to=(seat,))


JEST_GAME = JestGame()
