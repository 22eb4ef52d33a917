"""What moves do in Jester's Court, and how turns and the match begin and end (T1–T14)."""

from __future__ import annotations

from functools import cache

from engines.court import board, deck
from engines.court.board import OFF_BOARD, Obstacle
from engines.court.deck import MENHIR, NUMBER_CARDS
from engines.court.model import (
    FULL_HEALTH,
    HAND_SIZE,
    Attack,
    AttackResult,
    BannerClaimed,
    BannerGiven,
    CardDiscarded,
    CardsDrawn,
    Cause,
    Defence,
    Discard,
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
    MatchEnded,
    MenhirSet,
    Move,
    Options,
    OwedDecision,
    PhaseSkipped,
    PileReshuffled,
    Place,
    Push,
    SetMenhir,
    Skip,
    State,
    Step,
    Strike,
)
from engines.kit.chance import Chance
from engines.kit.contract import Event, Outcome, rank_places


def start_match(seats: int, options: Options, chance: Chance) -> State:
    """Deal and roll off (T1, T2). The lowest roll places its Mage first."""
    pack = deck.full_pack(seats)
    pile = chance.shuffle(pack)
    hands = [sorted(pile[-HAND_SIZE * (seat + 1) :][:HAND_SIZE]) for seat in range(seats)]
    del pile[-HAND_SIZE * seats :]
    rolls = _roll_off(seats, chance)
    order = sorted(range(seats), key=rolls.__getitem__, reverse=True)  # T2: from the highest roll down
    return State(
        chance,
        options.banners,
        options.turns,
        rolls,
        order,
        turn=order[0],
        owed=[OwedDecision(seat, "place", "start") for seat in reversed(order)],  # T2: from the lowest roll up
        mages=[OFF_BOARD] * seats,
        menhirs=[OFF_BOARD] * seats,
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
    """Make the move, and then everything that leaves no choice, such as drawing and the next turn."""
    state.numbers[seat] += 1
    events: list[Event] = []
    match move:
        case Step():
            _step(state, seat, move.card, events)
        case Place():
            _place_mage(state, move.square, events)
        case Give():
            _give_banner(state, move.suit, events)
        case Skip():
            _skip(state, seat, events)
        case _:
            _hinder(state, seat, move, events)
    if state.owed:
        _resolve_forced_decisions(state, events)
    if state.phase == "end" and not state.owed:
        _end_turn(state, events)
    return events


def outcome(state: State) -> Outcome:
    """T13: rank by banners, then by health (C4). The points are the banners."""
    banners = tuple(map(len, state.banners))
    return Outcome(rank_places([*zip(banners, state.health, strict=True)]), banners)


def _step(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T4: play Phase One with a card."""
    state.phase = "hinder"
    _move_mage(state, seat, card, seat, events)
    if card not in NUMBER_CARDS:
        state.bare[seat] = len(state.hands[seat])  # T4: only a seat without number cards may do this


def _skip(state: State, seat: int, events: list[Event]) -> None:
    """T4: play Phase One without a card."""
    state.phase = "hinder"
    state.moved = ()
    state.bare[seat] = len(state.hands[seat])  # T4: only a seat without number cards may do this
    events.append(PhaseSkipped(seat=seat))


def _hinder(state: State, seat: int, move: Hinder, events: list[Event]) -> None:
    """T8: play Phase Two, with the most common moves first."""
    state.phase = "end"
    match move:
        case Push():
            _move_mage(state, seat, move.card, move.target, events)
        case Attack():
            _attack(state, seat, move.card, move.targets, events)
        case Discard():
            _discard_from_hand(state, seat, move.card)
            events.append(CardDiscarded(seat=seat, card=move.card))
        case SetMenhir():
            _set_menhir(state, seat, move.square, events)
        case Strike():
            _strike(state, seat, move.card, events)
        case Heal():
            _heal(state, seat, move.card, events)


def _place_mage(state: State, square: int, events: list[Event], forced: bool = False) -> None:
    """T2, T6, T10, T11: place the Mage that is owed."""
    owed = state.owed.pop(0)
    state.mages[owed.seat] = square
    events.append(MagePlaced(seat=owed.seat, square=square, cause=owed.cause, alone=forced))


def _give_banner(state: State, suit: int, events: list[Event], forced: bool = False) -> None:
    """T10: give back the banner that is owed."""
    seat = state.owed.pop(0).seat
    state.banners[seat] = tuple([other for other in state.banners[seat] if other != suit])
    events.append(BannerGiven(seat=seat, suit=suit, alone=forced))


def _resolve_forced_decisions(state: State, events: list[Event]) -> None:
    """T14: make decisions that have only one choice."""
    while state.owed:
        owed = state.owed[0]
        if owed.what == "place":
            free = board.free_starts(state)
            if len(free) > 1:
                return
            _place_mage(state, free[0], events, forced=True)
        else:
            suits = state.banners[owed.seat]
            if len(suits) > 1:
                return
            _give_banner(state, suits[0], events, forced=True)


def _end_turn(state: State, events: list[Event]) -> None:
    """T12: draw. T13: end the match at the turn limit. T2: otherwise the next seat is in turn."""
    _draw_cards(state, state.turn, events)
    if state.turns == state.cap:
        _end_match(state, "turns", events)
        return
    state.turns += 1
    state.turn = _seats_after(state, state.turn)[0]
    state.phase = "move"


def _discard_from_hand(state: State, seat: int, card: int) -> None:
    """Move a card from the hand to the discard pile."""
    state.hands[seat].remove(card)
    state.discard.append(card)
    if card not in NUMBER_CARDS and state.bare[seat]:
        state.bare[seat] -= 1


def _move_mage(state: State, seat: int, card: int, mage: int, events: list[Event]) -> None:
    """T4–T8: move a Mage with a card."""
    _discard_from_hand(state, seat, card)
    start = state.mages[mage]
    end, at = board.trace_move(state, start, card)
    stopped: Obstacle | None = None
    if at != OFF_BOARD:
        stopped = "mage" if at in state.mages else "menhir"
    state.mages[mage] = end
    moved = MageMoved(seat=seat, card=card, mage=mage, start=start, end=end, stopped=stopped, at=at)
    state.moved = (moved,) if mage == seat else (*state.moved, moved)
    events.append(moved)
    if end == OFF_BOARD:
        _cross_edge(state, mage, card // 13, events)


def _cross_edge(state: State, mage: int, suit: int, events: list[Event]) -> None:
    """T6, T7: the Mage's owner claims the banner and places the Mage, no matter who moved it. T13: or has won."""
    if suit not in state.banners[mage]:
        state.banners[mage] = tuple(sorted((*state.banners[mage], suit)))
        events.append(BannerClaimed(seat=mage, suit=suit))
        if len(state.banners[mage]) >= state.goal:
            _end_match(state, "banners", events)
            return
    _lift_mage(state, mage, "crossed")


def _lift_mage(state: State, mage: int, cause: Cause) -> None:
    """Lift a Mage off the board; its owner will place it again."""
    state.mages[mage] = OFF_BOARD
    if cause == "knocked out" and state.banners[mage]:
        state.owed.append(OwedDecision(mage, "give", cause))
    state.owed.append(OwedDecision(mage, "place", cause))


def _set_menhir(state: State, seat: int, square: int, events: list[Event]) -> None:
    """T8: place or move the Menhir. T11: a Mage between four of them comes off."""
    _discard_from_hand(state, seat, MENHIR)
    events.append(MenhirSet(seat=seat, start=state.menhirs[seat], square=square))
    state.menhirs[seat] = square
    for mage in board.enclosed_mages(state):
        events.append(MageEnclosed(seat=mage, square=state.mages[mage]))
        _lift_mage(state, mage, "enclosed")


def _seats_after(state: State, seat: int) -> list[int]:
    """Return the other seats in turn order after this one."""
    at = state.order.index(seat)
    return state.order[at + 1 :] + state.order[:at]


def _attack(state: State, seat: int, card: int, targets: tuple[int, ...], events: list[Event]) -> None:
    """T9: roll one die for the attacker and one for each defender; defenders roll ties again."""
    _discard_from_hand(state, seat, card)
    defenders = [other for other in _seats_after(state, seat) if not targets or other in targets]
    roll = state.chance.roll_die()
    defences = tuple([_roll_defence(defender, roll, state.chance) for defender in defenders])
    state.attacked = AttackResult(state.turns, seat, card, roll, defences)
    events.append(MagesAttacked(attacked=state.attacked))
    _damage_mages(state, [defence.seat for defence in defences if defence.hit], events)


def _roll_defence(seat: int, roll: int, chance: Chance) -> Defence:
    """T9: roll a defender's die against the attacker's. Only the defender rolls ties again."""
    own = chance.roll_die()
    rolls = [own]
    while own == roll:
        own = chance.roll_die()
        rolls.append(own)
    return Defence(seat, tuple(rolls), roll > own)


def _strike(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T8: deal one damage to every other Mage."""
    _discard_from_hand(state, seat, card)
    events.append(MagesStruck(seat=seat, card=card))
    _damage_mages(state, _seats_after(state, seat), events)


def _damage_mages(state: State, hit: list[int], events: list[Event]) -> None:
    """T10: deal one damage each, in turn order. All Mages that are knocked out are lifted before anybody decides."""
    for mage in hit:
        state.health[mage] -= 1
        if state.health[mage]:
            events.append(MageDamaged(seat=mage, health=state.health[mage]))
        else:
            state.health[mage] = FULL_HEALTH
            state.knocked[mage] += 1
            events.append(MageKnockedOut(seat=mage))
            _lift_mage(state, mage, "knocked out")


def _heal(state: State, seat: int, card: int, events: list[Event]) -> None:
    """T8: restore one health of one's own Mage."""
    _discard_from_hand(state, seat, card)
    state.health[seat] += 1
    events.append(MageHealed(seat=seat, card=card, health=state.health[seat]))


def _draw_cards(state: State, seat: int, events: list[Event]) -> None:
    """T12: draw up to six cards, starting with the rest of the draw pile if it has too few."""
    hand = state.hands[seat]
    number = HAND_SIZE - len(hand)
    drawn = state.draw[-number:]
    del state.draw[-number:]
    if len(drawn) < number:
        _reshuffle(state, events)
        more = number - len(drawn)
        drawn += state.draw[-more:]
        del state.draw[-more:]
    hand += drawn
    hand.sort()
    events.append(_cards_drawn_event(seat, number))
    events.append(HandDrawn(seat=seat, cards=tuple(drawn), to=(seat,)))


def _reshuffle(state: State, events: list[Event]) -> None:
    """T12: turn the discard pile into the draw pile. It is large enough: all hands together are less than half of the
    pack."""
    state.draw, state.pool = state.chance.shuffle(state.discard), tuple(sorted(state.discard))
    state.discard = []
    events.append(PileReshuffled(cards=len(state.draw)))


def _end_match(state: State, ending: Ending, events: list[Event]) -> None:
    state.phase, state.ending = "over", ending
    events.append(MatchEnded(ending=ending, winners=outcome(state).winners))


# Events with few variants are created once.


@cache
def _cards_drawn_event(seat: int, number: int) -> CardsDrawn:
    return CardsDrawn(seat=seat, number=number)


def _roll_off(seats: int, chance: Chance) -> list[tuple[int, ...]]:
    """T2: roll a die for everybody. Ties roll again among themselves until all rolls differ."""
    rolls: list[tuple[int, ...]] = [()] * seats
    while len(set(rolls)) < seats:
        tied = [rolls.count(own) > 1 for own in rolls]
        rolls = [(*own, chance.roll_die()) if is_tied else own for own, is_tied in zip(rolls, tied, strict=True)]
    return rolls
