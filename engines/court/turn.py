"""What moves do in Jester's Court, and how turns and the match begin and end (T1–T14)."""

from __future__ import annotations

from functools import cache

from engines.court import board, deck
from engines.court.board import OFF, Obstacle
from engines.court.deck import MENHIR, NUMBERS
from engines.court.model import (
    FULL_HEALTH,
    HAND,
    Attack,
    Attacked,
    BannerClaimed,
    BannerGiven,
    CardsDrawn,
    Cause,
    Defence,
    Discard,
    Discarded,
    Ended,
    Ending,
    Give,
    HandDrawn,
    Heal,
    Hinder,
    MageDamaged,
    MageEnclosed,
    MageHealed,
    MageKnockedOut,
    MageMoved,
    MagePlaced,
    MagesAttacked,
    MagesStruck,
    MenhirSet,
    Move,
    Options,
    Owed,
    Place,
    Push,
    Reshuffled,
    SetMenhir,
    Skip,
    Skipped,
    State,
    Step,
    Strike,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event, Outcome, places


def begin(seats: int, options: Options, chance: Chance) -> State:
    """Deal and roll off (T1, T2); the lowest roll is to place its Mage first."""
    pack = deck.pack(seats)
    pile = chance.shuffled(pack)
    hands = [sorted(pile[-HAND * (seat + 1) :][:HAND]) for seat in range(seats)]
    del pile[-HAND * seats :]
    rolls = _roll_off(seats, chance)
    order = sorted(range(seats), key=rolls.__getitem__, reverse=True)  # T2: from the highest roll down
    return State(
        chance,
        options.banners,
        options.turns,
        rolls,
        order,
        turn=order[0],
        owed=[Owed(seat, "place", "start") for seat in reversed(order)],  # T2: from the lowest roll up
        mages=[OFF] * seats,
        menhirs=[OFF] * seats,
        health=[FULL_HEALTH] * seats,
        banners=[()] * seats,
        hands=hands,
        bare=[0] * seats,
        draw=pile,
        pool=pack,
        knocked=[0] * seats,
        numbers=[0] * seats,
    )


def play(state: State, seat: int, move: Move) -> list[Event]:
    """Make the move; what leaves no choice, drawing and the next turn follow by themselves."""
    state.numbers[seat] += 1
    events: list[Event] = []
    match move:
        case Step():
            _step(state, seat, move.card, events)
        case Place():
            _place(state, move.square, events)
        case Give():
            _give(state, move.suit, events)
        case Skip():
            _skip(state, seat, events)
        case _:
            _hinder(state, seat, move, events)
    if state.owed:
        _settle(state, events)
    if state.phase == "end" and not state.owed:
        _end_turn(state, events)
    return events


def outcome(state: State) -> Outcome:
    """T13: the most banners are first, then the most health (C4); the points are the banners."""
    banners = tuple(map(len, state.banners))
    return Outcome(places([*zip(banners, state.health, strict=True)]), banners)


def _step(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T4: Phase One with a card."""
    state.phase = "hinder"
    _move_mage(state, seat, card, seat, events)
    if card not in NUMBERS:
        state.bare[seat] = len(state.hands[seat])  # T4: nobody with a number card may do this


def _skip(state: State, seat: int, events: list[Event]) -> None:
    """T4: Phase One without a card."""
    state.phase = "hinder"
    state.moved = ()
    state.bare[seat] = len(state.hands[seat])  # T4: nobody with a number card may do this
    events.append(Skipped(seat=seat))


def _hinder(state: State, seat: int, move: Hinder, events: list[Event]) -> None:
    """T8: Phase Two; the most usual first."""
    state.phase = "end"
    match move:
        case Push():
            _move_mage(state, seat, move.card, move.target, events)
        case Attack():
            _attack(state, seat, move.card, move.targets, events)
        case Discard():
            _lay(state, seat, move.card)
            events.append(Discarded(seat=seat, card=move.card))
        case SetMenhir():
            _set_menhir(state, seat, move.square, events)
        case Strike():
            _strike(state, seat, move.card, events)
        case Heal():
            _heal(state, seat, move.card, events)


def _place(state: State, square: int, events: list[Event], alone: bool = False) -> None:
    """T2, T6, T10, T11: whoever owes it places a Mage."""
    owed = state.owed.pop(0)
    state.mages[owed.seat] = square
    events.append(MagePlaced(seat=owed.seat, square=square, cause=owed.cause, alone=alone))


def _give(state: State, suit: int, events: list[Event], alone: bool = False) -> None:
    """T10: whoever owes it gives back a banner."""
    seat = state.owed.pop(0).seat
    state.banners[seat] = tuple([other for other in state.banners[seat] if other != suit])
    events.append(BannerGiven(seat=seat, suit=suit, alone=alone))


def _settle(state: State, events: list[Event]) -> None:
    """T14: where one choice is left, it is made by itself."""
    while state.owed:
        owed = state.owed[0]
        if owed.what == "place":
            free = board.free_starts(state)
            if len(free) > 1:
                return
            _place(state, free[0], events, alone=True)
        else:
            suits = state.banners[owed.seat]
            if len(suits) > 1:
                return
            _give(state, suits[0], events, alone=True)


def _end_turn(state: State, events: list[Event]) -> None:
    """T12: draw; T13: at the agreed number of turns the match is over; T2: else the next seat is in turn."""
    _draw(state, state.turn, events)
    if state.turns == state.cap:
        _end_match(state, "turns", events)
        return
    state.turns += 1
    state.turn = _after(state, state.turn)[0]
    state.phase = "move"


def _lay(state: State, seat: int, card: int) -> None:
    """Put a card of the hand on the discard pile."""
    state.hands[seat].remove(card)
    state.discard.append(card)
    if card not in NUMBERS and state.bare[seat]:
        state.bare[seat] -= 1


def _move_mage(state: State, seat: int, card: int, mage: int, events: list[Event]) -> None:
    """T4–T8: a card moves a Mage."""
    _lay(state, seat, card)
    start = state.mages[mage]
    end, at = board.reach(state, start, card)
    stopped: Obstacle | None = None
    if at != OFF:
        stopped = "mage" if at in state.mages else "menhir"
    state.mages[mage] = end
    moved = MageMoved(seat=seat, card=card, mage=mage, start=start, end=end, stopped=stopped, at=at)
    state.moved = (moved,) if mage == seat else (*state.moved, moved)
    events.append(moved)
    if end == OFF:
        _cross(state, mage, card // 13, events)


def _cross(state: State, mage: int, suit: int, events: list[Event]) -> None:
    """T6, T7: whoever moved it, the Mage's owner claims the banner and places the Mage; T13: or has won."""
    if suit not in state.banners[mage]:
        state.banners[mage] = tuple(sorted((*state.banners[mage], suit)))
        events.append(BannerClaimed(seat=mage, suit=suit))
        if len(state.banners[mage]) >= state.goal:
            _end_match(state, "banners", events)
            return
    _lift(state, mage, "crossed")


def _lift(state: State, mage: int, cause: Cause) -> None:
    """Take a Mage off the board, for its owner to place."""
    state.mages[mage] = OFF
    if cause == "knocked out" and state.banners[mage]:
        state.owed.append(Owed(mage, "give", cause))
    state.owed.append(Owed(mage, "place", cause))


def _set_menhir(state: State, seat: int, square: int, events: list[Event]) -> None:
    """T8: place the Menhir or move it; T11: a Mage between four of them comes off."""
    _lay(state, seat, MENHIR)
    events.append(MenhirSet(seat=seat, start=state.menhirs[seat], square=square))
    state.menhirs[seat] = square
    for mage in board.enclosed(state):
        events.append(MageEnclosed(seat=mage, square=state.mages[mage]))
        _lift(state, mage, "enclosed")


def _after(state: State, seat: int) -> list[int]:
    """The others in turn order from that seat on."""
    at = state.order.index(seat)
    return state.order[at + 1 :] + state.order[:at]


def _attack(state: State, seat: int, card: int, targets: tuple[int, ...], events: list[Event]) -> None:
    """T9: one die for the attacker, and one for each defender, who rolls ties again."""
    _lay(state, seat, card)
    defenders = [other for other in _after(state, seat) if not targets or other in targets]
    roll = state.chance.die()
    defences = tuple([_defence(defender, roll, state.chance) for defender in defenders])
    state.attacked = Attacked(state.turns, seat, card, roll, defences)
    events.append(MagesAttacked(attacked=state.attacked))
    _damage(state, [defence.seat for defence in defences if defence.hit], events)


def _defence(seat: int, roll: int, chance: Chance) -> Defence:
    """T9: a defender's die against the attacker's; a tie is rolled again, by the defender alone."""
    own = chance.die()
    rolls = [own]
    while own == roll:
        own = chance.die()
        rolls.append(own)
    return Defence(seat, tuple(rolls), roll > own)


def _strike(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T8: one damage to every other Mage."""
    _lay(state, seat, card)
    events.append(MagesStruck(seat=seat, card=card))
    _damage(state, _after(state, seat), events)


def _damage(state: State, hit: list[int], events: list[Event]) -> None:
    """T10: one damage each, in turn order; all that are knocked out are lifted before anybody decides."""
    for mage in hit:
        state.health[mage] -= 1
        if state.health[mage]:
            events.append(MageDamaged(seat=mage, health=state.health[mage]))
        else:
            state.health[mage] = FULL_HEALTH
            state.knocked[mage] += 1
            events.append(MageKnockedOut(seat=mage))
            _lift(state, mage, "knocked out")


def _heal(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T8: one health for one's own Mage."""
    _lay(state, seat, card)
    state.health[seat] += 1
    events.append(MageHealed(seat=seat, card=card, health=state.health[seat]))


def _draw(state: State, seat: int, events: list[Event]) -> None:
    """T12: up to six cards, the rest of the draw pile first where it has too few."""
    hand = state.hands[seat]
    number = HAND - len(hand)
    drawn = state.draw[-number:]
    del state.draw[-number:]
    if len(drawn) < number:
        _reshuffle(state, events)
        more = number - len(drawn)
        drawn += state.draw[-more:]
        del state.draw[-more:]
    hand += drawn
    hand.sort()
    events.append(_drew(seat, number))
    events.append(HandDrawn(seat=seat, cards=tuple(drawn), to=(seat,)))


def _reshuffle(state: State, events: list[Event]) -> None:
    """T12: the discard pile becomes the draw pile. It has enough: all hands together are less than half of the pack."""
    state.draw, state.pool = state.chance.shuffled(state.discard), tuple(sorted(state.discard))
    state.discard = []
    events.append(Reshuffled(cards=len(state.draw)))


def _end_match(state: State, ending: Ending, events: list[Event]) -> None:
    state.phase, state.ending = "over", ending
    events.append(Ended(ending=ending, winners=outcome(state).winners))


# Events that come in few kinds are made once.


@cache
def _drew(seat: int, number: int) -> CardsDrawn:
    return CardsDrawn(seat=seat, number=number)


def _roll_off(seats: int, chance: Chance) -> list[tuple[int, ...]]:
    """T2: everybody rolls; ties roll among themselves, until all rolls differ."""
    rolls: list[tuple[int, ...]] = [()] * seats
    while len(set(rolls)) < seats:
        tied = [rolls.count(own) > 1 for own in rolls]
        rolls = [(*own, chance.die()) if again else own for own, again in zip(rolls, tied, strict=True)]
    return rolls
