"""Games that break one law each, to see that the laws would notice. All are Wizard or Jest, but for one thing."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from engines.chance import Chance
from engines.game import BadNotation, Decision, Event, IllegalMove, Outcome
from engines.jest import model as jest
from engines.jest.game import JestGame
from engines.seats import letter
from engines.wizard.game import WizardGame
from engines.wizard.model import Bid, CardPlayed, HandDealt, Move, Play, State, View

STATES = TypeAdapter(State)


class LeakyView(WizardGame):
    """The view tells how many cards of the first seat are Wizards."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), leader=state.hands[0].count(53))


class LeakyStock(WizardGame):
    """A spectator sees a card that was not dealt."""

    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return replace(view, turned=state.stock[-1]) if seat is None and state.stock else view


class LeakySeed(WizardGame):
    """Everybody sees how far the source of randomness has come."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), leader=state.chance.count)


class LeakyEvent(WizardGame):
    """Everybody is told the lowest card that is left in the hand."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        left = state.hands[seat][:1]
        return [*super().play(state, seat, move), *(CardPlayed(seat=seat, card=card) for card in left)]


class LeakyOrder(WizardGame):
    """Bids are listed in an order that depends on another seat's hand."""

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        moves = super().moves(state, seat)
        other = state.hands[(seat + 1) % len(state.hands)]
        return moves[::-1] if sum(other) % 2 else moves


class EventForSpectators(WizardGame):
    """The hands that are dealt are addressed to spectators too."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        return [replace(e, to=(e.seat, None)) if isinstance(e, HandDealt) else e for e in events]  # type: ignore[arg-type]


class UnknownEvent(WizardGame):
    """An event that is none of the game's own."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        return [*super().play(state, seat, move), Event()]


class SharedCopy(WizardGame):
    """A copy has the hands in common with the original."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.hands = list(state.hands)
        return other


class SharedChance(WizardGame):
    """A copy draws from the original's source."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.chance = state.chance
        return other


class ForgetfulCopy(WizardGame):
    """A copy has lost the last trick of the round before."""

    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.last = None
        return other


class PermissiveCheck(WizardGame):
    """Nobody need follow suit."""

    def check(self, state: State, seat: int, move: Move) -> None:
        holds = isinstance(move, Play) and move.card in state.hands[seat]
        if not (holds and seat == state.turn and state.phase == "play"):
            super().check(state, seat, move)


class StrictCheck(WizardGame):
    """Nobody may bid 0, though it is listed."""

    def check(self, state: State, seat: int, move: Move) -> None:
        super().check(state, seat, move)
        if move == Bid(0):
            raise IllegalMove("W4", "Be brave.")


class OutOfTurn(WizardGame):
    """Whoever's turn it is, the first seat may do it."""

    def check(self, state: State, seat: int, move: Move) -> None:
        super().check(state, state.turn if seat == 0 else seat, move)


class CheckThatChanges(WizardGame):
    """Checking a move counts it."""

    def check(self, state: State, seat: int, move: Move) -> None:
        state.numbers[seat] += 1
        super().check(state, seat, move)


class CurtCheck(WizardGame):
    """Refusals are no sentences."""

    def check(self, state: State, seat: int, move: Move) -> None:
        try:
            super().check(state, seat, move)
        except IllegalMove as refused:
            raise IllegalMove(refused.rule, "no") from None


class _Cites(WizardGame):
    """Cites a rule of its own choice where a refusal says something."""

    words: str
    rule: str | None

    def check(self, state: State, seat: int, move: Move) -> None:
        try:
            super().check(state, seat, move)
        except IllegalMove as refused:
            raise IllegalMove(self.rule if self.words in refused.reason else refused.rule, refused.reason) from None


class CitedHolding(_Cites):
    """It is W7 that a card is not held."""

    words, rule = "You do not hold", "W7"


class CitedTurn(_Cites):
    """It is W5 that it is not the seat's turn."""

    words, rule = "not your turn", "W5"


class UncitedRule(_Cites):
    """No rule is named by which a suit is to be followed."""

    words, rule = "You must follow", None


class UncitedMoment(_Cites):
    """No rule is named by which the bids come first."""

    words, rule = "No card is played yet", None


class UnknownRule(_Cites):
    """The rule cited stands on no page."""

    words, rule = "You must follow", "W12"


class CountedFromTheEnd(JestGame):
    """An offer of a seat that is not there is that of a seat counted from the end, as Python counts."""

    def check(self, state: jest.State, seat: int, move: jest.Move) -> None:
        if isinstance(move, jest.Take) and move.source < 0:
            move = replace(move, source=move.source % len(state.jests))
        super().check(state, seat, move)


class CrashingCheck(WizardGame):
    """A card that there is not is looked up all the same."""

    def check(self, state: State, seat: int, move: Move) -> None:
        if isinstance(move, Play):
            assert range(60)[move.card] >= 0
        super().check(state, seat, move)


class TwiceListed(WizardGame):
    """Jesters and Wizards are listed as often as they are held."""

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        moves = super().moves(state, seat)
        return [*moves, moves[-1]] if state.phase == "play" and moves else moves


class MovesForAll(WizardGame):
    """Seats that may not act have moves all the same."""

    def moves(self, state: State, seat: int) -> Sequence[Move]:
        return super().moves(state, seat) or (Bid(0),)


class ForeignRandomness(WizardGame):
    """A deal is shuffled once more, by a source of its own."""

    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        random.shuffle(state.stock)
        return events


class ForeignStart(WizardGame):
    """The first dealer comes from a source of its own."""

    def start(self, seats: int, options: Any, chance: Chance) -> State:
        return super().start(seats, options, Chance(f"{random.getrandbits(128):032x}"))


class EarlyOutcome(WizardGame):
    """There is a winner while the game still runs."""

    def outcome(self, state: State) -> Outcome | None:
        return Outcome.by_points(state.scores)


class NeverOver(WizardGame):
    """It ends without a result."""

    def outcome(self, state: State) -> Outcome | None:
        return None


class StrangePlaces(WizardGame):
    """Places that leave a gap: nobody is first."""

    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return outcome and Outcome(tuple(place + 1 for place in outcome.places), outcome.points)


class NobodyDue(WizardGame):
    """The match waits for nobody."""

    def decisions(self, state: State) -> Mapping[int, Decision]:
        return {seat: replace(decision, due=False) for seat, decision in super().decisions(state).items()}


class SameNumber(WizardGame):
    """All decisions of a seat have the same number, so that a stale click counts."""

    def decisions(self, state: State) -> Mapping[int, Decision]:
        return {seat: replace(decision, number=0) for seat, decision in super().decisions(state).items()}


class AmbiguousNotation(WizardGame):
    """The suits' letters are missing."""

    def write(self, move: Move) -> str:
        return super().write(move).rstrip("CDHS")


class OneWayNotation(WizardGame):
    """What is written cannot be read."""

    def write(self, move: Move) -> str:
        return super().write(move) + "!"


class LongNotation(WizardGame):
    """A notation that fits no button."""

    def write(self, move: Move) -> str:
        return super().write(move).replace(" ", " " * 90)


class PedanticNotation(WizardGame):
    """Reads its own capitals only."""

    def read(self, text: str) -> Move:
        return super().read(text if text.strip() == self.write(super().read(text)) else "?")


class CrashingNotation(WizardGame):
    """What is no move is an error of Python's."""

    def read(self, text: str) -> Move:
        if not text.strip():
            raise IndexError
        return super().read(text)


class NumberedNotation(JestGame):
    """Offers are named by number: `take 2 up`."""

    def write(self, move: jest.Move) -> str:
        return (
            f"take {move.source + 1} {'up' if move.up else 'down'}"
            if isinstance(move, jest.Take)
            else super().write(move)
        )

    def read(self, text: str) -> jest.Move:
        return super().read(re.sub(r"\b[1-6]\b", lambda number: letter(int(number[0]) - 1), text))


class LenientNotation(JestGame):
    """Writes letters, and reads numbers as well."""

    def read(self, text: str) -> jest.Move:
        return super().read(re.sub(r"\b[1-6]\b", lambda number: letter(int(number[0]) - 1), text))


class NumberedRefusal(JestGame):
    """A refusal counts the offers."""

    def check(self, state: jest.State, seat: int, move: jest.Move) -> None:
        if isinstance(move, jest.Take) and move.source >= len(state.jests):
            raise IllegalMove("J6", f"There are offers 1 to {len(state.jests)}.")
        super().check(state, seat, move)


class NumberedExample(JestGame):
    """What is no move is answered by what would not be one either."""

    def read(self, text: str) -> jest.Move:
        try:
            return super().read(text)
        except BadNotation:
            raise BadNotation("Write whose offer, by seat number, and up or down.") from None


class _WithoutLast:
    """Stores a state without the last trick of the round before."""

    def dump_json(self, state: State) -> bytes:
        return STATES.dump_json(replace(state, last=None))

    def validate_json(self, stored: bytes) -> State:
        return STATES.validate_json(stored)


class ForgetfulCheckpoint(WizardGame):
    """What was stored is not all that there was."""

    checkpoints = _WithoutLast()  # type: ignore[assignment]


class MutableView(WizardGame):
    """A view that hands out the scores themselves."""

    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), scores=state.scores)  # type: ignore[arg-type]


class CarelessSample(WizardGame):
    """A sample that deals anew without a look at the seat's own hand."""

    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        state.hands.append(state.hands.pop(0))
        return state


class RandomSample(WizardGame):
    """A sample that differs from time to time."""

    def sample(self, view: View, chance: Chance) -> State:
        return super().sample(view, Chance(f"{random.getrandbits(128):032x}"))


class StuckSample(WizardGame):
    """A sample whose turn is another seat's."""

    def decisions(self, state: State) -> Mapping[int, Decision]:
        decisions = super().decisions(state)
        return {} if state.last and state.last.leader == -1 else decisions

    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        if state.last and state.takers:
            state.last = state.last._replace(leader=-1)
        return state
