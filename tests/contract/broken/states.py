"""Games that break a law of states, of what comes out of them, or of pieces. All are Wizard or Jest, but for that."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from engines.jest import model
from engines.jest.game import JestGame
from engines.kit.chance import Chance
from engines.kit.contract import Event
from engines.kit.seats import letter, parse_seat
from engines.wizard.deck import card_name
from engines.wizard.game import WizardGame
from engines.wizard.model import HandDealt, Move, State
from engines.wizard.view import View

STATES = TypeAdapter(State)


class EventForSpectators(WizardGame):  # the hands that are dealt are addressed to spectators too
    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        return [replace(e, to=(e.seat, None)) if isinstance(e, HandDealt) else e for e in events]  # type: ignore[arg-type]


class UnknownEvent(WizardGame):  # an event that is none of the game's own
    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        return [*super().play(state, seat, move), Event()]


class SharedCopy(WizardGame):  # a copy has the hands in common with the original
    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.hands = list(state.hands)
        return other


class SharedChance(WizardGame):  # a copy draws from the original's source
    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.chance = state.chance
        return other


class ForgetfulCopy(WizardGame):  # a copy has lost the last trick of the round before
    def copy(self, state: State) -> State:
        other = super().copy(state)
        other.last = None
        return other


class ForeignRandomness(WizardGame):  # a deal is shuffled once more, by a source of its own
    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        events = super().play(state, seat, move)
        random.shuffle(state.stock)
        return events


class ForeignStart(WizardGame):  # the first dealer comes from a source of its own
    def start(self, seats: int, options: Any, chance: Chance) -> State:
        return super().start(seats, options, Chance(f"{random.getrandbits(128):032x}"))


class SetOfMoves(JestGame):  # moves are listed in the order of a set of their notations
    def moves(self, state: model.State, seat: int) -> Sequence[model.Move]:
        return [*map(self.parse_move, {*map(self.format_move, super().moves(state, seat))})]


class SetOfEvents(JestGame):  # seats are told of their hands in the order of a set of letters
    def play(self, state: model.State, seat: int, move: model.Move) -> list[Event]:
        events = super().play(state, seat, move)
        dealt = {event.seat: event for event in events if isinstance(event, model.HandDealt)}
        others = [event for event in events if not isinstance(event, model.HandDealt)]
        return others + [dealt[parse_seat(name)] for name in {*map(letter, dealt)}]


class SetInSample(WizardGame):  # the stock of a sample lies in the order of a set of its cards' names
    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        order = [*{*map(card_name, state.stock)}]
        state.stock.sort(key=lambda card: order.index(card_name(card)))
        return state


class _WithoutLast:  # stores a state without the last trick of the round before
    def dump_json(self, state: State) -> bytes:
        return STATES.dump_json(replace(state, last=None))

    def validate_json(self, stored: bytes) -> State:
        return STATES.validate_json(stored)


class ForgetfulCheckpoint(WizardGame):  # what was stored is not all that there was
    checkpoint_adapter = _WithoutLast()  # type: ignore[assignment]


class MutableView(WizardGame):  # a view that hands out the scores themselves
    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), scores=state.scores)  # type: ignore[arg-type]


class ShortDeck(WizardGame):  # a card stays in the box from the beginning
    def start(self, seats: int, options: Any, chance: Chance) -> State:
        state = super().start(seats, options, chance)
        state.stock.pop()
        return state


class LostCard(WizardGame):  # the last card of a trick falls under the table
    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        tricks = len(state.takers)
        events = super().play(state, seat, move)
        if len(state.takers) > tricks:
            state.fallen[-1] = state.fallen[0]
        return events


class CopiedCard(JestGame):  # a player who takes a card gets one of another Jest as well
    def play(self, state: model.State, seat: int, move: model.Move) -> list[Event]:
        events = super().play(state, seat, move)
        state.jests[seat] |= state.jests[seat - 1] & -state.jests[seat - 1]
        return events


class DoubleSample(WizardGame):  # a sample deals a card twice
    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        if state.stock:
            state.stock[0] = state.hands[0][0] if state.hands[0] else state.stock[-1]
        return state
