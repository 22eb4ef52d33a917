"""What moves do in Wizard, and how tricks, rounds and the match end (W1–W25)."""

from __future__ import annotations

from bisect import insort
from functools import cache
from typing import cast

from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.wizard.deck import (
    CARD_KINDS,
    CAROUSEL,
    CHAMELEON,
    DECK,
    JESTER,
    STRENGTH,
    SUIT,
    TRAPDOOR,
    WEATHERVANE,
    WIZARD,
    highest_index,
    pack,
    suit_to_follow,
)
from engines.wizard.house_rules import (
    ALL_CARDS_TRUMPS,
    are_bids_hidden,
    hand_size,
    is_blind_round,
    place_count,
    round_count,
    specials_in_pack,
)
from engines.wizard.model import (
    Bid,
    BidAdjusted,
    BidAdjustedSecretly,
    BidChange,
    BidMade,
    BidPlaced,
    BidsRevealed,
    CardPassed,
    CardPlayed,
    HandDealt,
    LowerBid,
    Move,
    NameTrump,
    Options,
    PassCard,
    PassChosen,
    Play,
    RaiseBid,
    RoundDealt,
    RoundScored,
    Score,
    State,
    Swap,
    Trick,
    TrickTaken,
    TrickVanished,
    TrumpNamed,
    TurnedCardSwapped,
)
from engines.wizard.moves import adjusted_bid

# Common events are created once. They are immutable, and creating one costs more than the rest of a move.
CARD_PLAYED_EVENTS = tuple(tuple(CardPlayed(seat=seat, card=card) for card in range(CARD_KINDS)) for seat in range(6))
BID_MADE_EVENTS = tuple(tuple(BidMade(seat=seat, tricks=tricks) for tricks in range(21)) for seat in range(6))
TRICK_TAKEN_EVENTS = tuple(TrickTaken(seat=seat) for seat in range(6))


def start_match(seats: int, options: Options, chance: Chance) -> State:
    """Draw for the deal, and deal the first round."""
    draws, dealer = _draw_for_deal(seats, chance)
    state = State(
        chance,
        round_count(seats, options),
        draws,
        dealer - 1,
        scores=[0] * seats,
        numbers=[0] * seats,
        hand_plan=options.hands,
        hook=options.hook,
        bidding=options.bids,
        blind=options.blind,
        specials=specials_in_pack(options),
    )
    _deal_round(state, [])
    return state


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move, and then the end of a trick or round and the next deal if they follow."""
    state.numbers[seat] += 1
    if not isinstance(move, Play):
        return _make_bid(state, seat, move.tricks) if isinstance(move, Bid) else _play_other_move(state, seat, move)
    card = move.card
    events: list[Event] = [CARD_PLAYED_EVENTS[seat][card]]
    state.hands[seat].remove(card)
    _lay_card(state, seat, card, events)
    if state.turn == len(state.scores):
        _play_dummy(state, events)
    return events


def _play_other_move(state: State, seat: int, move: Move) -> list[Event]:
    if isinstance(move, NameTrump):
        return _name_trump(state, seat, move.suit)
    if isinstance(move, PassCard):
        return _choose_pass(state, seat, move.card)
    assert isinstance(move, RaiseBid | LowerBid)
    return _adjust_bid(state, seat, adjusted_bid(state, move))


def completed_trick(state: State, number: int) -> Trick:
    """Return a completed trick of this round, from 0."""
    places = len(state.hands)
    leader = state.takers[number - 1] if number else (state.dealer + 1) % places  # W9, W5
    fallen = state.fallen[number * places : number * places + places]
    return Trick(leader, tuple(fallen), state.takers[number])


def _draw_for_deal(seats: int, chance: Chance) -> tuple[list[tuple[int, ...]], int]:
    """W1: draw a card each; the highest deals, ties draw again from a full deck. Return all draws and the dealer."""
    draws: list[tuple[int, ...]] = []
    tied = list(range(seats))
    while len(tied) > 1:
        drawn, _ = chance.draw(DECK, len(tied))
        row = [-1] * seats
        for seat, card in zip(tied, drawn, strict=True):
            row[seat] = card
        best = max([STRENGTH[card] for card in drawn])
        tied = [seat for seat in tied if STRENGTH[row[seat]] == best]
        draws.append(tuple(row))
    return draws, tied[0]


def _deal_round(state: State, events: list[Event]) -> None:
    """W2, W3, W13–W15, W18, W19: deal the next round from the whole pack, and set its trump."""
    seats, cards = len(state.scores), pack(state.specials)
    places = place_count(seats)
    state.round = number = state.round + 1
    state.dealer = dealer = (state.dealer + 1) % seats
    state.trick_count = size = hand_size(seats, state.rounds, state.hand_plan, number)
    used = places * size
    pile, state.stock = state.chance.draw(cards, min(used + 1, len(cards)))
    state.hands = hands = [sorted(pile[seat:used:places]) for seat in range(seats)]
    if places > seats:
        hands.append(pile[seats:used:places])  # W19: in random order
    state.turned = turned_card = pile[used] if used < len(cards) else None  # W3: no card is left if every card is dealt
    state.trump = trump = None if turned_card is None else SUIT[turned_card]
    if state.hand_plan == "all cards":
        state.trump = trump = ALL_CARDS_TRUMPS[number - 1]  # W15: no card is turned up
        if turned_card is not None:
            state.stock.append(turned_card)
            state.turned = turned_card = None
    state.bids = [None] * seats
    state.taken = [0] * places
    state.fallen = []
    state.takers = []
    state.swap = state.bid_change = None
    state.passes = []
    if turned_card == WIZARD:  # W3: the dealer looks at the hand and chooses it
        state.phase, state.turn = "trump", dealer
    else:
        state.phase, state.turn = "bid", (dealer + 1) % seats
    events.append(RoundDealt(round=number, dealer=dealer, turned=turned_card, trump=trump))
    if not is_blind_round(state.blind, number):
        _show_hands(state, events)
    if turned_card is not None and CHAMELEON in state.specials:
        _swap_turned_card(state, turned_card, events)


def _swap_turned_card(state: State, turned_card: int, events: list[Event]) -> None:
    """W23: put the Chameleon in the place of the turned card, if a player holds it. They name trumps."""
    for seat in range(len(state.scores)):
        hand = state.hands[seat]
        if CHAMELEON in hand:
            hand.remove(CHAMELEON)
            insort(hand, turned_card)
            state.turned, state.trump, state.swap = CHAMELEON, None, Swap(seat, turned_card)
            state.phase, state.turn = "trump", seat
            events.append(TurnedCardSwapped(seat=seat, card=turned_card))
            return


def _show_hands(state: State, events: list[Event]) -> None:
    events += [HandDealt(seat=seat, cards=tuple(state.hands[seat]), to=(seat,)) for seat in range(len(state.scores))]


def _make_bid(state: State, seat: int, tricks: int) -> list[Event]:
    state.bids[seat] = tricks
    if state.bidding != "open":
        return _seal_bid(state, seat, tricks)
    events: list[Event] = [BID_MADE_EVENTS[seat][tricks]]
    if seat == state.dealer:  # W4: the dealer bids last
        _begin_play(state, events)
    else:
        state.turn = _next_seat(state, seat)
    return events


def _seal_bid(state: State, seat: int, tricks: int) -> list[Event]:
    """W16, W17: keep the bid secret, until all are in or until the score."""
    events: list[Event] = [BidPlaced(seat=seat), BidMade(seat=seat, tricks=tricks, to=(seat,))]
    if None not in state.bids:
        if state.bidding == "hidden":
            events.append(_reveal_bids(state))
        _begin_play(state, events)
    return events


def _reveal_bids(state: State) -> Event:
    return BidsRevealed(bids=tuple(cast("list[int]", state.bids)))


def _begin_play(state: State, events: list[Event]) -> None:
    """W5: the place to the dealer's left leads. W18: players now see hands that they have bid on blindly."""
    state.phase = "play"
    state.leader = state.turn = (state.dealer + 1) % len(state.hands)
    if is_blind_round(state.blind, state.round):
        _show_hands(state, events)
    _play_dummy(state, events)


def _play_dummy(state: State, events: list[Event]) -> None:
    """W19: turn up the dummy's next card if it is next, and another one if it takes the trick."""
    while state.turn == len(state.scores) and state.phase == "play":
        card = state.hands[-1].pop()
        events.append(CARD_PLAYED_EVENTS[state.turn][card])
        _lay_card(state, state.turn, card, events)


def _lay_card(state: State, place: int, card: int, events: list[Event]) -> None:
    """Lay a card that has left its hand, and end the trick if it is the last one."""
    trick = state.trick
    trick.append(card)
    if state.follow is None and card < JESTER:
        state.follow = suit_to_follow(trick)
    if len(trick) == len(state.hands):
        _end_trick(state, events)
    else:
        state.turn = (place + 1) % len(state.hands)


def _name_trump(state: State, seat: int, suit: int | None) -> list[Event]:
    state.trump = suit
    state.phase = "bid"
    state.turn = _next_seat(state, state.dealer)
    return [TrumpNamed(seat=seat, suit=suit)]


def _end_trick(state: State, events: list[Event]) -> None:
    """W9: give the trick to its winner, who leads next. W22: with the Trapdoor nobody takes it."""
    trick = state.trick
    taker = (state.leader + highest_index(trick, state.trump, state.follow)) % len(state.hands)
    state.fallen += trick
    state.takers.append(taker)
    state.leader = state.turn = taker
    state.follow = None
    if state.specials and TRAPDOOR in trick:
        events.append(TrickVanished(seat=taker))
    else:
        state.taken[taker] += 1
        events.append(TRICK_TAKEN_EVENTS[taker])
        if state.specials and WEATHERVANE in trick and taker < len(state.scores):
            state.phase = "adjust"  # W25: not if the trick has vanished, or a dummy took it
    trick.clear()
    if state.phase != "adjust":
        _leave_trick(state, events)


def _leave_trick(state: State, events: list[Event]) -> None:
    """End the round after its last trick. W24: otherwise players pass cards if the Carousel lay in the trick."""
    if not state.hands[state.leader]:
        _end_round(state, events)
    elif state.specials and CAROUSEL in state.fallen[-len(state.hands) :]:
        seats = len(state.scores)
        state.phase, state.passes = "pass", [None] * seats
        state.turn %= seats  # W19: a dummy passes nothing


def _adjust_bid(state: State, seat: int, tricks: int) -> list[Event]:
    """W25: change the bid by one, in secret if bids are hidden (W17), and continue after the trick."""
    is_hidden = are_bids_hidden(state.bidding, state.phase)
    events: list[Event] = [BidAdjustedSecretly(seat=seat)] if is_hidden else []
    events.append(BidAdjusted(seat=seat, tricks=tricks, to=(seat,) if is_hidden else None))
    state.bid_change = BidChange(seat, tricks - (state.bids[seat] or 0))
    state.bids[seat] = tricks
    state.phase = "play"
    _leave_trick(state, events)
    return events


def _choose_pass(state: State, seat: int, card: int) -> list[Event]:
    """W24: choose a card in secret. When all have chosen, every card goes to the left."""
    passes = state.passes
    passes[seat] = card
    events: list[Event] = [PassChosen(seat=seat)]
    if None not in passes:
        for giver, passed in enumerate(cast("list[int]", passes)):
            receiver = _next_seat(state, giver)
            state.hands[giver].remove(passed)
            insort(state.hands[receiver], passed)
            events.append(CardPassed(seat=giver, receiver=receiver, card=passed, to=(giver, receiver)))
        state.phase, state.turn = "play", state.leader
        _play_dummy(state, events)
    return events


def _end_round(state: State, events: list[Event]) -> None:
    """W10: score the round. W1: pass the deal to the left, or (W11) end the game."""
    row = tuple(map(_score_bid, cast("list[int]", state.bids), state.taken))
    state.sheet.append(row)
    state.scores = totals = [total + row[seat].points for seat, total in enumerate(state.scores)]
    state.last = completed_trick(state, state.trick_count - 1)
    if state.bidding == "late":  # W17
        events.append(_reveal_bids(state))
    events.append(RoundScored(round=state.round, scores=row, totals=tuple(totals)))
    if state.round < state.rounds:
        _deal_round(state, events)
    else:
        state.phase = "over"
        state.turn %= len(state.scores)  # W19: it is never the dummy's turn


@cache
def _score_bid(bid: int, taken: int) -> Score:
    """W10: return 20 plus 10 per trick for an exact bid, otherwise −10 per trick over or under."""
    return Score(bid, taken, 20 + 10 * taken if bid == taken else -10 * abs(bid - taken))


def _next_seat(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % len(state.scores)
