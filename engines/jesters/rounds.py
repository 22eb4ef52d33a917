"""How attempts, turns, rounds and the match of Jesters end (S9–S15)."""

from __future__ import annotations

from engines.jesters import attempt, scoring
from engines.jesters.components import effects
from engines.jesters.components.catalogue import FameForColour, FameForSymbol, Recolour
from engines.jesters.events import (
    Completed,
    Failed,
    FameGained,
    FavoritePlaced,
    GiftKept,
    GiftsDrawn,
    GiftsSeen,
    Passed,
    Revealed,
    RoundBegan,
    Scored,
    WentOut,
)
from engines.jesters.model import FAVORITE, FAVORITES, GIFTS, JEST_CARDS, OUT, PERFORMANCES, ROUNDS, State
from engines.jesters.piles import deal, draw_gifts, put_under
from engines.jesters.requirements.evaluation import met
from engines.jesters.views import rolled
from engines.kit.chance import Chance
from engines.kit.contract import Event

HAND = 5  # S3, S14
OF_A_COLOUR = (3, 4, 5)  # S1: Techniques, for two, three and four players
GIFT_FAME, PAINT_FAME = 2, 1  # S22: for a symbol or a colour; for a die whose colour was changed
CONSOLATION = (0, 1, 3, 0)  # S11: Jest cards for the first, the second and the third failure


def begin(seats: int, chance: Chance) -> State:
    """S1–S4: shuffle everything apart, and deal."""
    state = State(chance, first=chance.below(seats), turn=0)  # S4
    state.turn = state.first
    state.middle = [OF_A_COLOUR[seats - 2]] * 4
    state.dice = [[0] * 4 for _ in range(seats)]
    state.favorites = chance.shuffled(FAVORITES)
    state.favorite = state.favorites.pop()
    state.pile = chance.shuffled(PERFORMANCES)
    state.board = [state.pile.pop() for _ in range(seats + 1)]
    state.packs = [0] * len(JEST_CARDS)
    state.draw = chance.shuffled(JEST_CARDS)
    dealt = [state.draw.pop() for _ in range(HAND * seats)]
    state.hands = [sorted(dealt[seat::seats]) for seat in range(seats)]
    state.gift_pile = chance.shuffled(GIFTS)
    state.gifts = [[state.gift_pile.pop()] for _ in range(seats)]
    state.completed = [[] for _ in range(seats)]
    state.failures, state.fame, state.numbers = [0] * seats, [0] * seats, [0] * seats
    return state


def finish(state: State, seat: int) -> list[Event]:
    """S7: a success when the dice meet the requirement, else a failure."""
    requirement = effects.task(state.target or FAVORITE, state.favorite).requirement
    if met(requirement, zip(state.colours, state.faces, strict=True)):
        return _succeed(state, seat)
    return _fail(state, seat)


def _succeed(state: State, seat: int) -> list[Event]:
    """S9, S10: the Performance or two Gifts; every Technique used goes back in its true colour."""
    target = state.target or FAVORITE
    events: list[Event] = [Completed(seat=seat, target=target, dice=rolled(state))]
    events += _fame(state, seat, target)
    for colour in state.own:
        state.dice[seat][colour] -= 1
        state.middle[colour] += 1
    attempt.clear(state)
    state.phase = "turn"
    if target == FAVORITE:
        state.done.append(seat)
        return events + _reward(state, seat)
    state.completed[seat].append(target)
    events += _refill_board(state, target)
    return events + pass_on(state)


def _fame(state: State, seat: int, target: int) -> list[Event]:
    """S22: Gifts give their Fame by themselves: those for a symbol or a colour once a round; a changed colour more."""
    task = effects.task(target, state.favorite)
    events: list[Event] = []
    for number in state.gifts[seat]:
        match effects.effect(number):
            case FameForColour(colour):
                fame = GIFT_FAME if task.requirement.colours[colour] and number not in state.used else 0
            case FameForSymbol(symbol):
                fame = GIFT_FAME if symbol in task.symbols and number not in state.used else 0
            case Recolour(colour):
                fame = PAINT_FAME if (colour, True) in _painted(state) else 0
            case _:
                fame = 0
        if fame:
            state.used = sorted({*state.used, number})
            state.fame[seat] += fame
            events.append(FameGained(seat=seat, gift=number, fame=fame))
    return events


def _painted(state: State) -> list[tuple[int, bool]]:
    """The colours of the dice, and whether a Gift has given it to them."""
    return [(colour, colour != own) for own, colour in zip(state.own, state.colours, strict=True)]


def _refill_board(state: State, target: int) -> list[Event]:
    """S9: a new Performance in the empty spot; S15: while there is one."""
    place = state.board.index(target)
    if not state.pile:
        del state.board[place]
        return []
    state.board[place] = state.pile.pop()
    return [Revealed(performance=state.board[place])]


def _reward(state: State, seat: int) -> list[Event]:
    """S10: two Gifts, of which one is kept; a last one is taken by itself."""
    draw_gifts(state, 2)
    if len(state.drawn) == 2:
        state.phase = "keep"
        return [GiftsDrawn(seat=seat), GiftsSeen(seat=seat, gifts=tuple(state.drawn), to=(seat,))]
    return keep(state, seat, state.drawn[0]) if state.drawn else pass_on(state)


def keep(state: State, seat: int, gift: int) -> list[Event]:
    """S10: keep one, open; the other goes under the pile."""
    returned = [(other, known) for other, known in zip(state.drawn, state.drawn_known, strict=True) if other != gift]
    for other, known in returned:
        put_under(state, seat, other, known)
    state.gifts[seat].append(gift)
    state.drawn, state.drawn_known = [], []
    state.phase = "turn"
    return [GiftKept(seat=seat, gift=gift, returned=bool(returned)), *pass_on(state)]


def _fail(state: State, seat: int) -> list[Event]:
    """S11: Jest cards for the first and the second failure; the third one puts the seat out of play."""
    target, dice = state.target or FAVORITE, rolled(state)
    attempt.clear(state)
    state.phase = "turn"
    state.failures[seat] += 1
    failures = state.failures[seat]
    drawn: list[Event] = []
    cards = deal(state, [seat], CONSOLATION[failures], drawn)[seat]
    events = [Failed(seat=seat, target=target, dice=dice, failures=failures, cards=cards), *drawn]
    if failures == OUT:
        events.append(WentOut(seat=seat, dice=_return_dice(state, seat)))
    return events + pass_on(state)


def _return_dice(state: State, seat: int) -> tuple[int, ...]:
    """S11, S12: all Techniques of a seat to the middle."""
    dice = tuple(state.dice[seat])
    state.middle = [there + more for there, more in zip(state.middle, dice, strict=True)]
    state.dice[seat] = [0] * 4
    return dice


def leave_round(state: State, seat: int) -> list[Event]:
    """S12: pass; who is the first to do so in a round takes the first player card."""
    first = not state.passed
    if first:
        state.first = seat
    state.passed.append(seat)
    return [Passed(seat=seat, dice=_return_dice(state, seat), first=first), *pass_on(state)]


def pass_on(state: State) -> list[Event]:
    """S5: the next seat that has neither passed nor gone out; without one the round ends."""
    seats = len(state.hands)
    for step in range(1, seats + 1):
        seat = (state.turn + step) % seats
        if state.failures[seat] < OUT and seat not in state.passed:
            state.turn = seat
            return []
    return _end_round(state)


def _end_round(state: State) -> list[Event]:
    """S13, S14: Gifts are refreshed, and the Favorite goes to its majority place; then another round, or the end."""
    events = [_place(state, state.favorite, played=True)]
    state.favorite = 0
    state.used, state.passed, state.done = [], [], []
    if state.round == ROUNDS:
        return events + _end(state)
    if all(failures == OUT for failures in state.failures):  # S15: the rounds not played still reveal theirs
        events += [_place(state, state.favorites.pop(), played=False) for _ in range(ROUNDS - state.round)]
        return events + _end(state)
    return events + _begin_round(state)


def _place(state: State, favorite: int, played: bool) -> Event:
    state.placed.append(favorite)
    return FavoritePlaced(favorite=favorite, place=len(state.placed) - 1, played=played)


def _begin_round(state: State) -> list[Event]:
    """S14: a new Favorite, and five Jest cards for everybody still in the game; S12: who starts."""
    seats = len(state.hands)
    playing = [seat for step in range(seats) if state.failures[seat := (state.first + step) % seats] < OUT]
    state.round += 1
    state.favorite = state.favorites.pop()
    state.turn = playing[0]
    dealt: list[Event] = []
    cards = deal(state, playing, HAND, dealt)
    return [RoundBegan(round=state.round, favorite=state.favorite, starter=state.turn, cards=cards), *dealt]


def _end(state: State) -> list[Event]:
    """S16–S19: the final scoring."""
    state.final = scoring.final(state)
    state.phase = "over"
    return [Scored(final=state.final)]
