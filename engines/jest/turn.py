"""What moves do in Jest, and how rounds and the match end (J1–J10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engines.jest import deck, scoring
from engines.jest.deck import CARD_BIT, DECK, RANKING
from engines.jest.model import (
    CardTaken,
    FaceDownChosen,
    FaceDownTaken,
    HandDealt,
    JestsRevealed,
    JestsScored,
    Move,
    OfferChosen,
    OffersRevealed,
    Round,
    RoundDealt,
    State,
    Take,
    TakenCard,
    TrophyAwarded,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event


def start_match(seats: int, chance: Chance) -> State:
    """J1: shuffle, lay out the trophies, and deal the first round."""
    cards = chance.shuffle(DECK)
    trophies = 2 if seats == 3 else 1
    first = trophies + 2 * seats  # J3: all cards of the first round are new
    return State(
        chance,
        tuple(cards[:trophies]),
        cards[first:],
        round=1,
        dealt=_pair_hands(cards[trophies:first]),
        up=[-1] * seats,
        down=[-1] * seats,
        waiting=[*range(seats)],
        jests=[0] * seats,
        numbers=[0] * seats,
    )


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move, and then the reveal, the end of a round and the next deal if they follow."""
    state.numbers[seat] += 1
    return _take_card(state, seat, move) if isinstance(move, Take) else _make_offer(state, seat, move.card)


def _pair_hands(cards: Sequence[int]) -> list[tuple[int, int]]:
    """Return hands of two cards, sorted."""
    pairs = zip(cards[::2], cards[1::2], strict=True)
    return [(a, b) if a < b else (b, a) for a, b in pairs]


def _make_offer(state: State, seat: int, card: int) -> list[Event]:
    """J4: put one card face down and the other face up. Both stay secret until all have chosen."""
    low, high = state.dealt[seat]
    state.down[seat] = card
    state.up[seat] = high if card == low else low
    if seat not in state.waiting:  # a change of mind, which nobody else sees
        return [FACE_DOWN_CHOSEN_EVENTS[seat][card]]
    state.waiting.remove(seat)
    events = [OFFER_CHOSEN_EVENTS[seat], FACE_DOWN_CHOSEN_EVENTS[seat][card]]
    if not state.waiting:
        events.append(_reveal_offers(state))
    return events


def _take_card(state: State, seat: int, move: Take) -> list[Event]:
    """J6: take a card of a complete offer. J7: the owner of that offer goes next."""
    source, up = move.source, move.up
    card = state.up[source] if up else state.down[source]
    events = [*(TAKE_UP_EVENTS if up else TAKE_DOWN_EVENTS)[seat][source][card]]
    state.takes.append(TakenCard(seat, source, up))
    state.jests[seat] |= CARD_BIT[card]
    state.complete.remove(source)
    del state.waiting[0]
    if source in state.waiting:
        state.waiting.remove(source)
        state.waiting.insert(0, source)
    return events if state.waiting else events + _end_round(state)


def _reveal_offers(state: State) -> Event:
    """J4: turn up the face-up cards. J5: the highest takes first."""
    up = tuple(state.up)
    ranks = [RANKING[card] for card in up]
    state.waiting = waiting = [*range(len(up))]
    waiting.sort(key=ranks.__getitem__, reverse=True)
    state.complete = [*range(len(up))]
    state.phase = "take"
    return OffersRevealed(up=up)


def _end_round(state: State) -> list[Event]:
    """J3: deal another round. J9: without a deck the game is over."""
    left, down = state.up, state.down
    state.past.append(Round(tuple(left), tuple(down), tuple(state.takes)))
    for _, source, up in state.takes:
        if up:
            left[source] = down[source]
    return _deal_round(state, left) if state.deck else _end_match(state, left)


def _deal_round(state: State, cards: list[int]) -> list[Event]:
    """J3: deal two cards each, from the leftover cards and as many from the deck."""
    seats, stock = len(cards), state.deck
    cards += stock[-seats:]
    del stock[-seats:]
    state.dealt = _pair_hands(state.chance.shuffle(cards))
    state.round += 1
    state.phase = "offer"
    state.up = [-1] * seats
    state.down = [-1] * seats
    state.waiting = [*range(seats)]
    state.takes = []
    hands = [_hand_dealt_event(seat, hand) for seat, hand in enumerate(state.dealt)]
    return [_round_dealt_event(state.round, len(stock)), *hands]


def _end_match(state: State, left: Sequence[int]) -> list[Event]:
    """J9, J10: add the leftover cards to the Jests, and award the trophies."""
    state.phase = "over"
    state.dealt, state.up, state.down, state.takes = [], [], [], []
    jests = state.jests
    for seat, card in enumerate(left):
        jests[seat] |= CARD_BIT[card]
    winners, final = scoring.award_trophies(state.trophies, jests)
    return [
        JestsRevealed(jests=tuple([deck.jest_cards(jest) for jest in jests])),
        *[_trophy_awarded_event(trophy, seat) for trophy, seat in zip(state.trophies, winners, strict=True)],
        JestsScored(points=tuple([scoring.jest_value(jest) for jest in final])),
    ]


# Events with few variants are created once. The most common ones are in tables, because creating them takes as long as
# the rest of a move, and even a cached function call takes a tenth of it.


@cache
def _round_dealt_event(number: int, left: int) -> Event:
    return RoundDealt(round=number, deck=left)


@cache
def _hand_dealt_event(seat: int, cards: tuple[int, int]) -> Event:
    return HandDealt(seat=seat, cards=cards, to=(seat,))


@cache
def _trophy_awarded_event(trophy: int, seat: int | None) -> Event:
    return TrophyAwarded(trophy=trophy, seat=seat)


def _take_events(seat: int, source: int, card: int, up: bool) -> tuple[Event, ...]:
    """J8: everybody sees face-up cards; only taker and owner see face-down ones."""
    if up:
        return (CardTaken(seat=seat, source=source, card=card),)
    to = tuple(sorted({seat, source}))
    taken = CardTaken(seat=seat, source=source, card=None)
    return taken, FaceDownTaken(seat=seat, source=source, card=card, to=to)


ALL_SEATS = range(4)
TAKE_UP_EVENTS = tuple(
    tuple(tuple(_take_events(seat, source, card, True) for card in DECK) for source in ALL_SEATS) for seat in ALL_SEATS
)
TAKE_DOWN_EVENTS = tuple(
    tuple(tuple(_take_events(seat, source, card, False) for card in DECK) for source in ALL_SEATS) for seat in ALL_SEATS
)
OFFER_CHOSEN_EVENTS = tuple(OfferChosen(seat=seat) for seat in ALL_SEATS)
FACE_DOWN_CHOSEN_EVENTS = tuple(
    tuple(FaceDownChosen(seat=seat, card=card, to=(seat,)) for card in DECK) for seat in ALL_SEATS
)
