"""Glimpse's helper for the laws, written from its rules (G1–G8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from types import MappingProxyType

from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.contract.helper import GameHelper, MatchPlan, MatchStart
from tests.example.engines.glimpse import GLIMPSE
from tests.example.engines.glimpse.model import CardTurned, Guess, Lay, Move, Options, State

CARDS = range(1, 13)
TRIES = 200


class GlimpseHelper(GameHelper):
    """Describes Glimpse to the laws: twelve cards, hidden hands, secret guesses, and a glimpsed card."""

    game = GLIMPSE
    minute_rules = ("G1", "G3", "G4", "G5", "G6", "G8")
    constant_answers = MappingProxyType(
        {
            "due": "The match waits for everybody who may act.",
            "is_forced": "Glimpse lets its players lay their last card themselves.",
        }
    )

    def starts(self) -> Sequence[MatchStart]:
        plans = ((3, 1, 31), (3, 3, 33), (4, 1, 41), (4, 2, 42))  # seats, deals, seed
        return [MatchStart(seats, Options(deals=deals), f"{seed:032x}") for seats, deals, seed in plans]

    def golden_plans(self) -> Mapping[str, MatchPlan]:
        return {"three": MatchPlan(3), "four": MatchPlan(4), "three-deals": MatchPlan(3, {"deals": 3})}

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        return [*(Lay(card) for card in range(-1, 15)), Guess(False), Guess(True)]

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        return isinstance(move, Lay) and move.card not in state.hands[seat]

    def box_pieces(self, seats: int) -> Counter[int]:
        """Return one card of each number (G1)."""
        return Counter(CARDS)

    def state_pieces(self, state: State) -> Counter[int]:
        down = () if state.laid is None else (state.laid,)
        return Counter(chain(*state.hands, down, state.rest, (turned_card.card for turned_card in state.turned)))

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """Return the same match with other hidden cards, other glimpses and other guesses.

        The neighbour's card that a seat has seen stays with the neighbour, in the hand or face down (G3).
        """
        new = GLIMPSE.copy(state)
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        know = {number for number in (seat, other) if number is not None}
        for _ in range(TRIES):
            _redeal(new, know, rng)
            if all(state.glimpses[number] in _dealt(new, (number + 1) % len(state.hands)) for number in know):
                break
        else:  # rare: keep the cards, so that the seat's own glimpse stays
            new.hands, new.rest, new.laid = [hand.copy() for hand in state.hands], [*state.rest], state.laid
        for number in {*range(len(state.hands))} - know:
            new.glimpses[number] = rng.choice(_dealt(new, (number + 1) % len(state.hands)))
            if state.guesses[number] is not None:
                new.guesses[number] = rng.random() < 0.5
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Move) -> bool:
        """Return whether the move reveals something to the seat: the last guess shows all guesses and the card (G6)."""
        learners = self.game.reveals(state, actor, move)
        return bool(learners) if seat is None else seat in learners

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """Yield patterns for the cards that the seat has never seen."""
        visible = {turned_card.card for turned_card in state.turned}
        if seat is not None:
            visible |= {*state.hands[seat], state.glimpses[seat], *({state.laid} if seat == state.turn else ())}
        for card in sorted({*CARDS} - visible):
            yield from _calls(card)

    def shown_secrets(self, event: Event) -> Iterable[str]:
        """Return patterns for a card that was turned up. It may be dealt again at once (G7)."""
        return _calls(event.card) if isinstance(event, CardTurned) else ()


def _calls(card: int) -> Iterator[str]:
    """Yield patterns for all names of a card: `wizard 9`, `lay 9`, and those in pictures."""
    yield rf"(?<!\w)(?:[Ff]ool|[Ww]izard|[Ll]ay|the) {card}(?!\d)"
    yield rf"card={card}(?!\d)"


def _redeal(state: State, know: Collection[int], rng: Random) -> None:
    down = state.laid is not None and state.turn not in know
    places = [hand for number, hand in enumerate(state.hands) if number not in know] + [state.rest]
    cards = [*chain(*places), *([state.laid] if down and state.laid is not None else ())]
    rng.shuffle(cards)
    for place in places:
        place[:] = [cards.pop() for _ in place]
    for hand in state.hands:
        hand.sort()
    if down:
        state.laid = cards.pop()


def _dealt(state: State, seat: int) -> list[int]:
    """Return the three cards that a seat was dealt, no matter where they are now."""
    down = [state.laid] if state.laid is not None and state.turn == seat else []
    return [*state.hands[seat], *down, *(turned_card.card for turned_card in state.turned if turned_card.seat == seat)]


HELPER = GlimpseHelper()
