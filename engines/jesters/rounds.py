"""How attempts, turns, rounds and the match of Jesters begin and end (S9–S15)."""

from __future__ import annotations

from engines.jesters import attempt, effects, scoring
from engines.jesters.components.catalogue import FameForColour, FameForSymbol, Recolour
from engines.jesters.events import (
    AttemptFailed,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    MatchScored,
    PerformanceRevealed,
    RoundBegan,
    SeatPassed,
    TaskCompleted,
    WentOut,
)
from engines.jesters.model import (
    FAVORITE_TARGET,
    FAVORITES,
    GIFTS,
    JEST_CARDS,
    OUT_FAILURES,
    PERFORMANCES,
    ROUNDS,
    State,
)
from engines.jesters.piles import deal_cards, draw_gifts, put_gift_under
from engines.jesters.requirements.evaluation import is_met
from engines.jesters.view import rolled_dice
from engines.kit.chance import Chance
from engines.kit.contract import Event

HAND_SIZE = 5  # S3, S14
TECHNIQUES_PER_COLOUR = (3, 4, 5)  # S1: Techniques, for two, three and four players
GIFT_FAME, PAINT_FAME = 2, 1  # S22: for a symbol or a colour; for a painted die
CONSOLATION = (0, 1, 3, 0)  # S11: Jest cards for the first, the second and the third failure


def start_match(seats: int, chance: Chance) -> State:
    """S1–S4: shuffle all piles, and deal."""
    state = State(chance, first=chance.randbelow(seats), turn=0)  # S4
    state.turn = state.first
    state.middle = [TECHNIQUES_PER_COLOUR[seats - 2]] * 4
    state.dice = [[0] * 4 for _ in range(seats)]
    state.favorites = chance.shuffle(FAVORITES)
    state.favorite = state.favorites.pop()
    state.pile = chance.shuffle(PERFORMANCES)
    state.board = [state.pile.pop() for _ in range(seats + 1)]
    state.packs = [0] * len(JEST_CARDS)
    state.draw = chance.shuffle(JEST_CARDS)
    dealt = [state.draw.pop() for _ in range(HAND_SIZE * seats)]
    state.hands = [sorted(dealt[seat::seats]) for seat in range(seats)]
    state.gift_pile = chance.shuffle(GIFTS)
    state.gifts = [[state.gift_pile.pop()] for _ in range(seats)]
    state.completed = [[] for _ in range(seats)]
    state.failures, state.fame, state.numbers = [0] * seats, [0] * seats, [0] * seats
    return state


def finish_attempt(state: State, seat: int) -> list[Event]:
    """S7: a success if the dice meet the requirement, otherwise a failure."""
    requirement = effects.task(state.target or FAVORITE_TARGET, state.favorite).requirement
    if is_met(requirement, zip(state.colours, state.faces, strict=True)):
        return _succeed(state, seat)
    return _fail(state, seat)


def _succeed(state: State, seat: int) -> list[Event]:
    """S9, S10: take the Performance or draw two Gifts. Every used Technique goes back in its true colour."""
    target = state.target or FAVORITE_TARGET
    events: list[Event] = [TaskCompleted(seat=seat, target=target, dice=rolled_dice(state))]
    events += _grant_gift_fame(state, seat, target)
    for colour in state.own:
        state.dice[seat][colour] -= 1
        state.middle[colour] += 1
    attempt.clear_attempt(state)
    state.phase = "turn"
    if target == FAVORITE_TARGET:
        state.done.append(seat)
        return events + _draw_reward(state, seat)
    state.completed[seat].append(target)
    events += _refill_board(state, target)
    return events + pass_turn(state)


def _grant_gift_fame(state: State, seat: int, target: int) -> list[Event]:
    """S22: add the automatic Fame of Gifts: for a symbol or a colour once per round, and more for a painted die."""
    task = effects.task(target, state.favorite)
    events: list[Event] = []
    for number in state.gifts[seat]:
        match effects.gift_effect(number):
            case FameForColour(colour):
                fame = GIFT_FAME if task.requirement.colours[colour] and number not in state.used else 0
            case FameForSymbol(symbol):
                fame = GIFT_FAME if symbol in task.symbols and number not in state.used else 0
            case Recolour(colour):
                fame = PAINT_FAME if (colour, True) in _paint_flags(state) else 0
            case _:
                fame = 0
        if fame:
            state.used = sorted({*state.used, number})
            state.fame[seat] += fame
            events.append(FameGained(seat=seat, gift=number, fame=fame))
    return events


def _paint_flags(state: State) -> list[tuple[int, bool]]:
    """Return the colours of the dice, and whether a Gift gave each of them its colour."""
    return [(colour, colour != own) for own, colour in zip(state.own, state.colours, strict=True)]


def _refill_board(state: State, target: int) -> list[Event]:
    """S9: put a new Performance in the empty spot. S15: only if one is left."""
    place = state.board.index(target)
    if not state.pile:
        del state.board[place]
        return []
    state.board[place] = state.pile.pop()
    return [PerformanceRevealed(performance=state.board[place])]


def _draw_reward(state: State, seat: int) -> list[Event]:
    """S10: draw two Gifts, of which one is kept. A single last Gift is taken automatically."""
    draw_gifts(state, 2)
    if len(state.drawn) == 2:
        state.phase = "keep"
        return [GiftsDrawn(seat=seat), GiftsSeen(seat=seat, gifts=tuple(state.drawn), to=(seat,))]
    return keep_gift(state, seat, state.drawn[0]) if state.drawn else pass_turn(state)


def keep_gift(state: State, seat: int, gift: int) -> list[Event]:
    """S10: keep one Gift openly; the other goes under the pile."""
    returned = [(other, known) for other, known in zip(state.drawn, state.drawn_known, strict=True) if other != gift]
    for other, known in returned:
        put_gift_under(state, seat, other, known)
    state.gifts[seat].append(gift)
    state.drawn, state.drawn_known = [], []
    state.phase = "turn"
    return [GiftKept(seat=seat, gift=gift, returned=bool(returned)), *pass_turn(state)]


def _fail(state: State, seat: int) -> list[Event]:
    """S11: Jest cards for the first and the second failure; the third puts the seat out of play."""
    target, dice = state.target or FAVORITE_TARGET, rolled_dice(state)
    attempt.clear_attempt(state)
    state.phase = "turn"
    state.failures[seat] += 1
    failures = state.failures[seat]
    drawn: list[Event] = []
    cards = deal_cards(state, [seat], CONSOLATION[failures], drawn)[seat]
    events = [AttemptFailed(seat=seat, target=target, dice=dice, failures=failures, cards=cards), *drawn]
    if failures == OUT_FAILURES:
        events.append(WentOut(seat=seat, dice=_return_dice(state, seat)))
    return events + pass_turn(state)


def _return_dice(state: State, seat: int) -> tuple[int, ...]:
    """S11, S12: return all Techniques of a seat to the middle."""
    dice = tuple(state.dice[seat])
    state.middle = [present + more for present, more in zip(state.middle, dice, strict=True)]
    state.dice[seat] = [0] * 4
    return dice


def leave_round(state: State, seat: int) -> list[Event]:
    """S12: pass. The first seat to pass in a round takes the first player card."""
    first = not state.passed
    if first:
        state.first = seat
    state.passed.append(seat)
    return [SeatPassed(seat=seat, dice=_return_dice(state, seat), first=first), *pass_turn(state)]


def pass_turn(state: State) -> list[Event]:
    """S5: go to the next seat that has neither passed nor gone out. If there is none, the round ends."""
    seats = len(state.hands)
    for step in range(1, seats + 1):
        seat = (state.turn + step) % seats
        if state.failures[seat] < OUT_FAILURES and seat not in state.passed:
            state.turn = seat
            return []
    return _end_round(state)


def _end_round(state: State) -> list[Event]:
    """S13, S14: refresh the Gifts, and move the Favorite to its majority place. Then begin another round, or end."""
    events = [_place_favorite(state, state.favorite, played=True)]
    state.favorite = 0
    state.used, state.passed, state.done = [], [], []
    if state.round == ROUNDS:
        return events + _end_match(state)
    # S15: rounds that are not played still reveal their Favorites
    if all(failures == OUT_FAILURES for failures in state.failures):
        events += [_place_favorite(state, state.favorites.pop(), played=False) for _ in range(ROUNDS - state.round)]
        return events + _end_match(state)
    return events + _begin_round(state)


def _place_favorite(state: State, favorite: int, played: bool) -> Event:
    state.placed.append(favorite)
    return FavoritePlaced(favorite=favorite, place=len(state.placed) - 1, played=played)


def _begin_round(state: State) -> list[Event]:
    """S14: reveal a new Favorite, and deal five Jest cards to everybody still in play. S12: set the first player."""
    seats = len(state.hands)
    playing = [seat for step in range(seats) if state.failures[seat := (state.first + step) % seats] < OUT_FAILURES]
    state.round += 1
    state.favorite = state.favorites.pop()
    state.turn = playing[0]
    dealt: list[Event] = []
    cards = deal_cards(state, playing, HAND_SIZE, dealt)
    return [RoundBegan(round=state.round, favorite=state.favorite, starter=state.turn, cards=cards), *dealt]


def _end_match(state: State) -> list[Event]:
    """S16–S19: compute the final scoring."""
    state.final = scoring.final_scoring(state)
    state.phase = "over"
    return [MatchScored(final=state.final)]
