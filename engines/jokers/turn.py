"""What moves do in Jokers, and how turns, rounds and the match end (K1–K17)."""

from __future__ import annotations

from typing import cast

from engines.jokers import deck
from engines.jokers.deck import DECK, ONE
from engines.jokers.melds import best
from engines.jokers.model import (
    CardsDrawn,
    CardTaken,
    Declare,
    Declared,
    Discard,
    Discarded,
    Done,
    Ending,
    HandDealt,
    Keep,
    Move,
    Options,
    Result,
    RoundDealt,
    RoundScored,
    SafetyKept,
    SafetyTurned,
    Score,
    State,
    Take,
    Trade,
    Traded,
    TurnEnded,
    TurnUp,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event

TRADES = 2
STALL = 4


def begin(options: Options, chance: Chance) -> State:
    """Draw for the first turn, and deal the first round."""
    first = chance.below(2)  # K1: random, and from then on they alternate
    state = State(chance, options.rounds, starter=1 - first, scores=[0, 0], numbers=[0, 0])
    _deal(state)
    return state


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move; the end of a round and the next deal follow by themselves."""
    state.numbers[seat] += 1
    match move:
        case Trade(cards):
            return _trade(state, seat, cards)
        case TurnUp(number):
            return _turn_up(state, seat, number)
        case Take(depth):
            return _take(state, seat, depth)
        case Keep():
            return _keep(state, seat)
        case Discard(card):
            _lay(state, seat, card)
            state.phase = "turn"
            return [Discarded(seat=seat, card=card)]
        case Declare():
            return _declare(state, seat)
        case Done():
            return _done(state, seat)


def score(hand: int, declared: bool) -> Score:
    """K12–K15: what the best split of the hand scores."""
    split = best(hand, declared)
    parts = {"win": 0, "extras": 0, "colour": 0, "jokers": 0}
    melds = 0
    for line in split.lines:
        if line.kind in parts:
            parts[line.kind] = line.points
        else:
            melds += line.points
    return Score(split.points, melds=melds, **parts)


def _deal(state: State) -> list[Event]:
    """K2: eight cards each, two safety cards each, and the rest to draw from; K1: who starts alternates."""
    pile = state.chance.shuffled(DECK)
    state.round += 1
    state.starter = state.turn = 1 - state.starter
    state.hands = [deck.hand(pile[:8]), deck.hand(pile[8:16])]
    state.safety = [pile[16:18], pile[18:20]]
    state.down = [[True, True], [True, True]]
    state.draw = pile[20:]
    state.discard = []
    state.known = [0, 0]
    state.declared = None
    state.phase = "turn"
    state.trades, state.idle, state.still = TRADES, True, 0
    return [
        RoundDealt(round=state.round, starter=state.starter),
        *[HandDealt(seat=seat, cards=deck.held(state.hands[seat]), to=(seat,)) for seat in range(2)],
    ]


def _lay(state: State, seat: int, card: int) -> None:
    """Put a card of the hand on the discard pile."""
    state.hands[seat] -= ONE[card]
    state.known[seat] = deck.without(state.known[seat], card)
    state.discard.append(card)


def _trade(state: State, seat: int, cards: tuple[int, ...]) -> list[Event]:
    """K3: first the hand's cards to the discard pile, then as many from the draw pile."""
    state.discard += cards
    if state.known[seat]:
        for card in cards:
            state.known[seat] = deck.without(state.known[seat], card)
    drawn = deck.hand(state.draw[-len(cards) :])
    del state.draw[-len(cards) :]
    state.hands[seat] += drawn - deck.hand(cards)
    state.trades -= 1
    state.idle = False
    return [Traded(seat=seat, cards=cards), CardsDrawn(seat=seat, cards=deck.held(drawn), to=(seat,))]


def _turn_up(state: State, seat: int, number: int) -> list[Event]:
    state.turned = card = state.safety[seat][number - 1]
    state.down[seat][number - 1] = False
    state.idle = False
    state.phase = "safety"
    return [SafetyTurned(seat=seat, number=number, card=card)]


def _gain(state: State, seat: int, card: int) -> None:
    """Put a card into the hand that everybody has seen."""
    state.hands[seat] += ONE[card]
    state.known[seat] += ONE[card]
    state.turned = None
    state.phase = "discard"


def _take(state: State, seat: int, depth: int) -> list[Event]:
    """K4: the card to the hand, the safety card to the discard pile."""
    card, safety = state.discard.pop(-depth), cast("int", state.turned)
    state.discard.append(safety)
    _gain(state, seat, card)
    return [CardTaken(seat=seat, depth=depth, card=card, safety=safety)]


def _keep(state: State, seat: int) -> list[Event]:
    card = cast("int", state.turned)
    _gain(state, seat, card)
    return [SafetyKept(seat=seat, card=card)]


def _declare(state: State, seat: int) -> list[Event]:
    """K9: it ends the turn; K16: the hand is shown."""
    state.declared = seat
    state.known[seat] = state.hands[seat]
    _pass(state)
    return [Declared(seat=seat, cards=deck.held(state.hands[seat]))]


def _pass(state: State) -> None:
    """The other player's turn."""
    state.turn = 1 - state.turn
    state.trades, state.idle = TRADES, True


def _done(state: State, seat: int) -> list[Event]:
    """K3: the turn is over; K9–K11: so may be the round."""
    ended = TurnEnded(seat=seat, idle=state.idle)
    state.still = state.still + 1 if state.idle else 0
    if state.declared is not None:
        return [ended, *_end_round(state, "declared")]
    if not state.draw:
        return [ended, *_end_round(state, "empty")]
    if state.still == STALL:
        return [ended, *_end_round(state, "stall")]
    _pass(state)
    return [ended]


def _end_round(state: State, ending: Ending) -> list[Event]:
    """K12–K16: show and score both hands, and deal the next round, or (K17) the game is over."""
    row = [score(hand, seat == state.declared) for seat, hand in enumerate(state.hands)]
    hands = tuple(map(deck.held, state.hands))
    state.sheet.append(row)
    state.scores = [total + own.points for total, own in zip(state.scores, row, strict=True)]
    state.last = Result(state.round, ending, state.declared, hands, tuple(row))
    scored = RoundScored(result=state.last, totals=tuple(state.scores))
    if state.round < state.rounds:
        return [scored, *_deal(state)]
    state.known = state.hands.copy()
    state.phase = "over"
    return [scored]
