"""Jest's rules (docs/rules/jest.md), J1–J14."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import ClassVar

from engines.chance import Chance
from engines.game import BadNotation, Decision, Event, Game, IllegalMove, Outcome
from engines.jest import deck, value
from engines.jest.deck import DECK, ONE, RANKING
from engines.jest.look import view
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
from engines.jest.sample import sample

SEATS = range(4)
_Offers = tuple[Take, ...]


def _takes(complete: int, seat: int) -> _Offers:
    """J6: the cards that a seat may take where these offers (a bit a seat) are complete."""
    others = complete & ~(1 << seat) or complete  # its own only where there is no other
    return tuple(Take(source, up) for source in SEATS if others >> source & 1 for up in (True, False))


# Moves and events are frozen, and making one costs more than playing it: most of those there can be are made once.
OFFERS = tuple(Offer(card) for card in DECK)
PAIRS = tuple(tuple((OFFERS[low], OFFERS[high]) for high in DECK) for low in DECK)
TAKES = tuple(tuple(_takes(complete, seat) for seat in SEATS) for complete in range(16))
CHOSEN = tuple(OfferChosen(seat=seat) for seat in SEATS)
CHOICES = tuple(tuple(FaceDownChosen(seat=seat, card=card, to=(seat,)) for card in DECK) for seat in SEATS)
TAKEN = tuple(tuple(tuple(Taken(seat, source, up) for up in (False, True)) for source in SEATS) for seat in SEATS)
TAKEN_DOWN = tuple(tuple(CardTaken(seat=seat, source=source, card=None) for source in SEATS) for seat in SEATS)


class JestGame(Game[State, Move, View, Options]):
    """Offer one card face up and one face down, take one of another's, and end with the Jest worth most."""

    key: ClassVar[str] = "jest"
    title: ClassVar[str] = "Jest"
    seats: ClassVar[range] = range(3, 5)
    version: ClassVar[int] = 1
    options = Options
    state = State
    event = AnyEvent

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """J1: shuffle, lay out the trophies, and deal the first round."""
        if seats not in self.seats:
            raise ValueError("Jest is for 3 or 4 players.")
        cards = chance.shuffled(DECK)
        trophies = 2 if seats == 3 else 1
        state = State(chance, tuple(cards[:trophies]), cards[trophies:], jests=[0] * seats, numbers=[0] * seats)
        _deal(state, [state.deck.pop() for _ in range(2 * seats)])  # J3: the first round's cards are all new
        return state

    def copy(self, state: State) -> State:
        """An equal state that shares nothing mutable with this one."""
        return State(
            state.chance.copy(),
            state.trophies,
            state.deck.copy(),
            state.round,
            state.phase,
            state.turn,
            state.dealt.copy(),
            state.up.copy(),
            state.down.copy(),
            state.order.copy(),
            state.complete,
            state.takes.copy(),
            state.past.copy(),
            state.jests.copy(),
            state.numbers.copy(),
        )

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """Everybody while offers are made, those who have not chosen first; then one seat at a time."""
        if state.phase == "take":
            return _taking(state.turn, state.numbers[state.turn])
        if state.phase == "offer":
            return _offering(tuple(state.numbers), tuple(state.down))
        return {}

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """The two cards dealt, or the cards that may be taken, by seat, the face-up one first."""
        if state.phase == "offer":
            low, high = state.dealt[seat]
            return PAIRS[low][high]
        return TAKES[state.complete][seat] if seat == state.turn else ()

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against J4 and J6."""
        if isinstance(move, Offer):
            _check_offer(state, seat, move.card)
        else:
            _check_take(state, seat, move.source)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; the reveal, the end of a round and the next deal follow by themselves."""
        state.numbers[seat] += 1
        if isinstance(move, Offer):
            return _offer(state, seat, move.card)
        return _take(state, seat, move.source, move.up)

    def outcome(self, state: State) -> Outcome | None:
        """J14: the most valuable Jest wins; ties share (C4)."""
        if state.phase != "over":
            return None
        return Outcome.by_points(value.settle(state.trophies, state.jests).points)

    def view(self, state: State, seat: int | None) -> View:
        """Everything but the deck, the others' hands and Jests, and what lies face down (J8)."""
        return view(state, seat)

    def sample(self, view: View, chance: Chance) -> State:
        """Deal the unseen cards out again, with respect to every card the seat has ever seen."""
        return sample(view, chance)

    def write(self, move: Move) -> str:
        """`offer 3S` (face down), `offer joker`, `take 2 up`, `take 2 down`; seats count from 1."""
        match move:
            case Offer(card):
                return f"offer {deck.name(card)}"
            case Take(source, up):
                return f"take {source + 1} {'up' if up else 'down'}"

    def read(self, text: str) -> Move:
        """The move behind a notation. Raises BadNotation."""
        verb, _, rest = text.strip().partition(" ")
        try:
            return _READERS[verb.lower()](rest)
        except KeyError:
            raise BadNotation(f"“{text.strip()[:40]}” is no move of Jest.") from None
        except ValueError as error:
            raise BadNotation(str(error)) from None


@cache
def _taking(seat: int, number: int) -> Mapping[int, Decision]:
    return MappingProxyType({seat: Decision("take", number)})


@lru_cache(maxsize=4096)
def _offering(numbers: tuple[int, ...], down: tuple[int, ...]) -> Mapping[int, Decision]:
    """J4: who has chosen may change that, but is not waited for."""
    waited = [seat for seat, card in enumerate(down) if card < 0]
    chosen = [seat for seat, card in enumerate(down) if card >= 0]
    made = {seat: Decision("offer", numbers[seat], seat in waited) for seat in waited + chosen}
    return MappingProxyType(made)


def _deal(state: State, cards: Sequence[int]) -> list[Event]:
    """J3: the next round's hands, from these cards in random order."""
    seats = len(state.jests)
    state.round += 1
    state.phase = "offer"
    state.turn = -1
    state.dealt = [(a, b) if a < b else (b, a) for a, b in zip(cards[:seats], cards[seats:], strict=True)]
    state.up = []
    state.down = [-1] * seats
    state.takes = []
    return [_round_dealt(state.round, len(state.deck)), *map(_hand_dealt, range(seats), state.dealt)]


@cache
def _round_dealt(number: int, left: int) -> Event:
    return RoundDealt(round=number, deck=left)


@cache
def _hand_dealt(seat: int, cards: tuple[int, int]) -> Event:
    return HandDealt(seat=seat, cards=cards, to=(seat,))


def _check_offer(state: State, seat: int, card: int) -> None:
    if state.phase == "over":
        raise IllegalMove("J9", "The game is over.")
    if state.phase != "offer":
        raise IllegalMove("J4", "The offers of this round are made. Now cards are taken.")
    if card not in state.dealt[seat]:
        raise IllegalMove("J4", "Choose one of the two cards that you were dealt.")


def _check_take(state: State, seat: int, source: int) -> None:
    if seat != state.turn:
        raise _not_your_turn(state)
    others = state.complete & ~(1 << seat)
    if source < 0 or not (others or state.complete) >> source & 1:
        raise _no_offer(state, seat, source)


def _not_your_turn(state: State) -> IllegalMove:
    if state.phase == "over":
        return IllegalMove("J9", "The game is over.")
    if state.phase == "offer":
        return IllegalMove("J4", "First everybody chooses which card to offer face down.")
    return IllegalMove("J7", "It is not your turn.")


def _no_offer(state: State, seat: int, source: int) -> IllegalMove:
    """Why nothing may be taken there (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove("J6", f"There are offers 1 to {len(state.jests)}.")
    if source == seat and state.complete >> seat & 1:
        return IllegalMove("J6", "You may take from your own offer only when no other one is complete.")
    return IllegalMove("J6", "A card of that offer is gone. Take from one that still has both.")


def _offer(state: State, seat: int, card: int) -> list[Event]:
    down = state.down
    changed = down[seat] >= 0
    down[seat] = card
    if changed:  # J4: nobody else notices
        return [CHOICES[seat][card]]
    if -1 in down:
        return [CHOSEN[seat], CHOICES[seat][card]]
    return [CHOSEN[seat], CHOICES[seat][card], _reveal(state)]


def _reveal(state: State) -> Event:
    """J4: the other cards are turned up; J5: the highest takes first."""
    state.up = up = [low if card == high else high for (low, high), card in zip(state.dealt, state.down, strict=True)]
    ranked = [RANKING[card] for card in up]
    state.order = [ranked.index(rank) for rank in sorted(ranked, reverse=True)]
    state.complete = (1 << len(up)) - 1
    state.phase = "take"
    state.turn = state.order[0]
    return OffersRevealed(up=tuple(up))


def _take(state: State, seat: int, source: int, up: bool) -> list[Event]:
    card = state.up[source] if up else state.down[source]
    state.jests[seat] |= ONE[card]
    state.takes.append(TAKEN[seat][source][up])
    state.complete ^= 1 << source
    order = state.order
    order.remove(seat)
    events = _taken(seat, source, card, up)
    if not order:
        return events + _end_round(state)
    state.turn = source if source in order else order[0]  # J7
    return events


@cache
def _taken_up(seat: int, source: int, card: int) -> Event:
    return CardTaken(seat=seat, source=source, card=card)


@cache
def _taken_down(seat: int, source: int, card: int) -> Event:
    return FaceDownTaken(seat=seat, source=source, card=card, to=tuple(sorted({seat, source})))


def _taken(seat: int, source: int, card: int, up: bool) -> list[Event]:
    """J8: everybody sees which card was taken, though not what a face-down one was."""
    if up:
        return [_taken_up(seat, source, card)]
    return [TAKEN_DOWN[seat][source], _taken_down(seat, source, card)]


def _end_round(state: State) -> list[Event]:
    """J3: deal what is left of the offers and as many new cards; J9: without a deck the game is over."""
    up, down = state.up, state.down
    left = up.copy()
    for take in state.takes:
        if take.up:
            left[take.source] = down[take.source]
    state.past.append(Round(tuple(up), tuple(down), tuple(state.takes)))
    if not state.deck:
        return _end(state, left)
    new = len(left)
    cards = left + state.deck[-new:]
    del state.deck[-new:]
    return _deal(state, state.chance.shuffled(cards))


def _end(state: State, left: Sequence[int]) -> list[Event]:
    """J9, J10: the cards left complete the Jests, and the trophies are given."""
    state.phase = "over"
    state.turn = -1
    state.dealt, state.up, state.down, state.takes = [], [], [], []
    state.jests = jests = [jest | ONE[card] for jest, card in zip(state.jests, left, strict=True)]
    settlement = value.settle(state.trophies, jests)
    return [
        JestsRevealed(jests=tuple(map(deck.held, jests))),
        *map(_trophy_awarded, state.trophies, settlement.winners),
        JestsScored(points=settlement.points),
    ]


@cache
def _trophy_awarded(trophy: int, seat: int | None) -> Event:
    return TrophyAwarded(trophy=trophy, seat=seat)


def _read_take(text: str) -> Move:
    match text.lower().split():
        case [seat, "up" | "down" as which] if seat in _NUMBERS:
            return Take(_NUMBERS.index(seat), which == "up")
    raise ValueError("Write whose offer, by seat number, and up or down: take 2 down.")


_NUMBERS = ("1", "2", "3", "4")
_READERS: Mapping[str, Callable[[str], Move]] = {
    "offer": lambda text: Offer(deck.card(text)),
    "take": _read_take,
}

JEST_GAME = JestGame()
