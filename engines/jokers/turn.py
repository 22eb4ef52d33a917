"""What moves do in Jokers, and how turns, rounds and the match end (K1–K17)."""

from __future__ import annotations

from typing import cast

from engines.jokers import deck
from engines.jokers.deck import CARD_BIT, DECK
from engines.jokers.melds import best_split
from engines.jokers.model import (
    CardDiscarded,
    CardsDrawn,
    CardsTraded,
    CardTaken,
    Declare,
    Discard,
    Done,
    Ending,
    HandDealt,
    HandDeclared,
    Keep,
    Move,
    Options,
    RoundDealt,
    RoundResult,
    RoundScored,
    SafetyKept,
    SafetyTurned,
    Score,
    State,
    Take,
    Trade,
    TurnEnded,
    TurnUp,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event

TRADES_PER_TURN = 2
STALL_TURNS = 4


def start_match(options: Options, chance: Chance) -> State:
    """Draw for the first turn, and deal the first round."""
    first = chance.randbelow(2)  # K1: random at first, then alternating
    state = State(chance, options.rounds, starter=1 - first, scores=[0, 0], numbers=[0, 0])
    _deal_round(state)
    return state


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move, and then the end of a round and the next deal if they follow."""
    state.numbers[seat] += 1
    match move:
        case Trade(cards):
            return _trade_cards(state, seat, cards)
        case TurnUp(number):
            return _turn_up(state, seat, number)
        case Take(depth):
            return _take_card(state, seat, depth)
        case Keep():
            return _keep_safety(state, seat)
        case Discard(card):
            _discard_card(state, seat, card)
            state.phase = "turn"
            return [CardDiscarded(seat=seat, card=card)]
        case Declare():
            return _declare_hand(state, seat)
        case Done():
            return _end_turn(state, seat)


def score_hand(hand: int, declared: bool) -> Score:
    """K12–K15: return the score of the hand's best split."""
    split = best_split(hand, declared)
    parts = {"win": 0, "extras": 0, "colour": 0, "jokers": 0}
    melds = 0
    for line in split.lines:
        if line.kind in parts:
            parts[line.kind] = line.points
        else:
            melds += line.points
    return Score(split.points, melds=melds, **parts)


def _deal_round(state: State) -> list[Event]:
    """K2: deal eight cards and two safety cards each; the rest is the draw pile. K1: the first turn alternates."""
    pile = state.chance.shuffle(DECK)
    state.round += 1
    state.starter = state.turn = 1 - state.starter
    state.hands = [deck.make_hand(pile[:8]), deck.make_hand(pile[8:16])]
    state.safety = [pile[16:18], pile[18:20]]
    state.down = [[True, True], [True, True]]
    state.draw = pile[20:]
    state.discard = []
    state.known = [0, 0]
    state.declared = None
    state.phase = "turn"
    state.trades, state.idle, state.still = TRADES_PER_TURN, True, 0
    return [
        RoundDealt(round=state.round, starter=state.starter),
        *[HandDealt(seat=seat, cards=deck.hand_cards(state.hands[seat]), to=(seat,)) for seat in range(2)],
    ]


def _discard_card(state: State, seat: int, card: int) -> None:
    """Move a card from the hand to the discard pile."""
    state.hands[seat] -= CARD_BIT[card]
    state.known[seat] = deck.remove_card(state.known[seat], card)
    state.discard.append(card)


def _trade_cards(state: State, seat: int, cards: tuple[int, ...]) -> list[Event]:
    """K3: move the cards from the hand to the discard pile, then draw as many."""
    state.discard += cards
    if state.known[seat]:
        for card in cards:
            state.known[seat] = deck.remove_card(state.known[seat], card)
    drawn = deck.make_hand(state.draw[-len(cards) :])
    del state.draw[-len(cards) :]
    state.hands[seat] += drawn - deck.make_hand(cards)
    state.trades -= 1
    state.idle = False
    return [CardsTraded(seat=seat, cards=cards), CardsDrawn(seat=seat, cards=deck.hand_cards(drawn), to=(seat,))]


def _turn_up(state: State, seat: int, number: int) -> list[Event]:
    state.turned = card = state.safety[seat][number - 1]
    state.down[seat][number - 1] = False
    state.idle = False
    state.phase = "safety"
    return [SafetyTurned(seat=seat, number=number, card=card)]


def _gain_card(state: State, seat: int, card: int) -> None:
    """Put a card that everybody has seen into the hand."""
    state.hands[seat] += CARD_BIT[card]
    state.known[seat] += CARD_BIT[card]
    state.turned = None
    state.phase = "discard"


def _take_card(state: State, seat: int, depth: int) -> list[Event]:
    """K4: take the card into the hand, and put the safety card on the discard pile."""
    card, safety = state.discard.pop(-depth), cast("int", state.turned)
    state.discard.append(safety)
    _gain_card(state, seat, card)
    return [CardTaken(seat=seat, depth=depth, card=card, safety=safety)]


def _keep_safety(state: State, seat: int) -> list[Event]:
    card = cast("int", state.turned)
    _gain_card(state, seat, card)
    return [SafetyKept(seat=seat, card=card)]


def _declare_hand(state: State, seat: int) -> list[Event]:
    """K9: declaring ends the turn. K16: the hand is shown."""
    state.declared = seat
    state.known[seat] = state.hands[seat]
    _pass_turn(state)
    return [HandDeclared(seat=seat, cards=deck.hand_cards(state.hands[seat]))]


def _pass_turn(state: State) -> None:
    """Pass the turn to the other player."""
    state.turn = 1 - state.turn
    state.trades, state.idle = TRADES_PER_TURN, True


def _end_turn(state: State, seat: int) -> list[Event]:
    """K3: end the turn. K9–K11: this may end the round."""
    ended = TurnEnded(seat=seat, idle=state.idle)
    state.still = state.still + 1 if state.idle else 0
    if state.declared is not None:
        return [ended, *_end_round(state, "declared")]
    if not state.draw:
        return [ended, *_end_round(state, "empty")]
    if state.still == STALL_TURNS:
        return [ended, *_end_round(state, "stall")]
    _pass_turn(state)
    return [ended]


def _end_round(state: State, ending: Ending) -> list[Event]:
    """K12–K16: show and score both hands, and deal the next round, or (K17) end the game."""
    row = [score_hand(hand, seat == state.declared) for seat, hand in enumerate(state.hands)]
    hands = tuple(map(deck.hand_cards, state.hands))
    state.sheet.append(row)
    state.scores = [total + own.points for total, own in zip(state.scores, row, strict=True)]
    state.last = RoundResult(state.round, ending, state.declared, hands, tuple(row))
    scored = RoundScored(result=state.last, totals=tuple(state.scores))
    if state.round < state.rounds:
        return [scored, *_deal_round(state)]
    state.known = state.hands.copy()
    state.phase = "over"
    return [scored]
