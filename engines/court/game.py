"""The rules of Jester's Court (docs/rules/court.md), T1–T14."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engines.chance import Chance
from engines.court import check, deck, moves, turn
from engines.court.board import OFF
from engines.court.model import FULL_HEALTH, HAND, AnyEvent, Give, Move, Options, Owed, Place, Skip, State, Step, View
from engines.court.sample import sample
from engines.game import Decision, Event, Game, Outcome
from engines.turns import in_turn, waits_for


class CourtGame(Game[State, Move, View, Options]):
    """Move your Mage past the edges of all four suits, and keep the others from it."""

    key: ClassVar[str] = "court"
    title: ClassVar[str] = "Jester's Court, Suit Thyself!"
    seats: ClassVar[range] = range(2, 5)
    version: ClassVar[int] = 1
    options = Options
    state = State
    event = AnyEvent
    notation = moves.NOTATION

    def start(self, seats: int, options: Options, chance: Chance) -> State:
        """Deal and roll off (T1, T2); the lowest roll is to place its Mage first."""
        options = self.fitting(seats, options)
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

    def decisions(self, state: State) -> Mapping[int, Decision]:
        """One seat at a time: who owes something, else who is in turn (T14)."""
        if state.owed:
            owed = state.owed[0]
            return waits_for(owed.seat, owed.what, state.numbers[owed.seat])
        return in_turn(state)

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        """What the seat owes, or what its hand allows in this phase; each kind of card once, in the hand's order."""
        if state.owed:
            owed = state.owed[0]
            if seat != owed.seat:
                return ()
            if owed.what == "place":
                return moves.places(state.mages)
            return [Give(suit) for suit in state.banners[seat]]
        if seat != state.turn or state.phase == "over":
            return ()
        hand = state.hands[seat]
        if state.phase == "move":
            return moves.steps(hand)
        return moves.hinders(state, seat)

    def check(self, state: State, seat: int, move: Move) -> None:
        """Refuse what is out of turn, out of phase or against T2, T4, T8–T10 and T14."""
        if state.owed:
            check.owed(state, seat, move)
        elif seat != state.turn or state.phase != check.PHASES.get(type(move)):
            raise check.not_now(state, seat, move)
        else:
            check.card(state, seat, move)

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        """Make the move; what leaves no choice, drawing and the next turn follow by themselves."""
        state.numbers[seat] += 1
        events: list[Event] = []
        match move:
            case Step():
                turn.step(state, seat, move.card, events)
            case Place():
                turn.place(state, move.square, events)
            case Give():
                turn.give(state, move.suit, events)
            case Skip():
                turn.skip(state, seat, events)
            case _:
                turn.hinder(state, seat, move, events)
        if state.owed:
            turn.settle(state, events)
        if state.phase == "end" and not state.owed:
            turn.end_turn(state, events)
        return events

    def outcome(self, state: State) -> Outcome | None:
        """T13: the most banners win, then the most health."""
        return turn.outcome(state) if state.phase == "over" else None

    def view(self, state: State, seat: int | None) -> View:
        """Everything but the others' hands and the order of the draw pile."""
        return View(
            seat=seat,
            goal=state.goal,
            cap=state.cap,
            rolls=tuple(state.rolls),
            order=tuple(state.order),
            phase=state.phase,
            turn=state.turn,
            turns=state.turns,
            owed=tuple(state.owed),
            mages=tuple(state.mages),
            menhirs=tuple(state.menhirs),
            health=tuple(state.health),
            banners=tuple(state.banners),
            hand=() if seat is None else tuple(state.hands[seat]),
            hand_sizes=tuple(map(len, state.hands)),
            bare=tuple(state.bare),
            draw=len(state.draw),
            pool=state.pool,
            discard=tuple(state.discard),
            attacked=state.attacked,
            moved=state.moved,
            knocked=tuple(state.knocked),
            ending=state.ending,
            numbers=tuple(state.numbers),
        )

    def sample(self, view: View, chance: Chance) -> State:
        """Deal the unseen cards out again, with respect to what everybody knows of them."""
        return sample(view, chance)


def _roll_off(seats: int, chance: Chance) -> list[tuple[int, ...]]:
    """T2: everybody rolls; ties roll among themselves, until all rolls differ."""
    rolls: list[tuple[int, ...]] = [()] * seats
    while len(set(rolls)) < seats:
        tied = [rolls.count(own) > 1 for own in rolls]
        rolls = [(*own, chance.die()) if again else own for own, again in zip(rolls, tied, strict=True)]
    return rolls


COURT_GAME = CourtGame()
"""The rules, which keep nothing of a match."""
