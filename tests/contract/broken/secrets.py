"""Games, and helpers, that break a law of what a seat may know each. All are Wizard, Jest or Glimpse otherwise."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engines.jest import model as jest_model
from engines.jest.game import JestGame
from engines.kit.chance import Chance
from engines.kit.contract import Decision, Event
from engines.wizard.game import WizardGame
from engines.wizard.model import CardPlayed, Move, State
from engines.wizard.view import View
from tests.engines.jest.helper import JestHelper
from tests.engines.wizard.helper import WizardHelper
from tests.example.engines.glimpse import model as glimpse_model
from tests.example.engines.glimpse.game import GlimpseGame


class LeakyView(WizardGame):  # the view tells how many cards of the first seat are Wizards
    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), leader=state.hands[0].count(53))


class LeakyStock(WizardGame):  # a spectator sees a card that was not dealt
    def view(self, state: State, seat: int | None) -> View:
        view = super().view(state, seat)
        return replace(view, turned=state.stock[-1]) if seat is None and state.stock else view


class LeakySeed(WizardGame):  # everybody sees how far the source of randomness has come
    def view(self, state: State, seat: int | None) -> View:
        return replace(super().view(state, seat), leader=state.chance.count)


class LeakyEvent(WizardGame):  # everybody is told the lowest card that is left in the hand
    def play(self, state: State, seat: int, move: Move) -> list[Event]:
        left = state.hands[seat][:1]
        return [*super().play(state, seat, move), *(CardPlayed(seat=seat, card=card) for card in left)]


class OpenChoice(JestGame):  # everybody is told the card that a seat chose to lie face down
    def play(self, state: jest_model.State, seat: int, move: jest_model.Move) -> list[Event]:
        events = super().play(state, seat, move)
        return [replace(event, to=None) if isinstance(event, jest_model.FaceDownChosen) else event for event in events]


class OpenLastCard(GlimpseGame):  # the last card of a hand, which is laid without a choice, is called out
    def play(self, state: glimpse_model.State, seat: int, move: glimpse_model.Move) -> list[Event]:
        events = super().play(state, seat, move)
        if isinstance(move, glimpse_model.Lay) and not state.hands[seat]:
            events.append(glimpse_model.CardGlimpsed(seat=seat, card=move.card))
        return events


class LeakyOrder(WizardGame):  # bids are listed in an order that depends on another seat's hand
    def moves(self, state: State, seat: int) -> Sequence[Move]:
        moves = super().moves(state, seat)
        other = state.hands[(seat + 1) % len(state.hands)]
        return moves[::-1] if sum(other) % 2 else moves


class CarelessSample(WizardGame):  # a sample that deals anew without a look at the seat's own hand
    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        state.hands.append(state.hands.pop(0))
        return state


class RandomSample(WizardGame):  # a sample that differs from time to time
    def sample(self, view: View, chance: Chance) -> State:
        return super().sample(view, Chance(f"{random.getrandbits(128):032x}"))


class Recalling(WizardGame):  # behind what spectators see it supposes just what is there
    def view(self, state: State, seat: int | None) -> View:
        if seat is None:
            self.recalled = self.copy(state)
        return super().view(state, seat)

    def sampler(self, view: View) -> Callable[[Chance], State]:
        return super().sampler(view) if view.seat is not None else lambda _: self.recalled


class StuckSample(WizardGame):  # a sample whose turn is another seat's
    def decisions(self, state: State) -> Mapping[int, Decision]:
        decisions = super().decisions(state)
        return {} if state.last and state.last.leader == -1 else decisions

    def sample(self, view: View, chance: Chance) -> State:
        state = super().sample(view, chance)
        if state.last and state.takers:
            state.last = state.last._replace(leader=-1)
        return state


class ForcedCard(WizardGame):  # a card is said to be forced from the third trick on
    def is_forced(self, view: View, seat: int) -> bool:
        return bool(view.trick) and view.turn == seat and len(view.tricks) > 1


class ForcedOutOfTurn(WizardGame):  # everybody's last card is forced, whosever turn it is
    def is_forced(self, view: View, seat: int) -> bool:
        return view.phase == "play" and view.hand_sizes[seat] == 1


class ForcedBid(WizardGame):  # a bid for a single card is said to be forced
    def is_forced(self, view: View, seat: int) -> bool:
        return view.phase == "bid" and view.turn == seat and view.trick_count == 1


class ExcusesAll(WizardHelper):  # whatever is played is said to show everybody something
    def is_revealing(self, state: State, seat: int | None, actor: int, move: Move) -> bool:
        return True


class ExcusesTakes(JestHelper):
    """A card that is taken is said to be seen by all, while only a face-down one is, and by its taker alone."""

    def is_revealing(self, state: jest_model.State, seat: int | None, actor: int, move: jest_model.Move) -> bool:
        return isinstance(move, jest_model.Take) or super().is_revealing(state, seat, actor, move)
