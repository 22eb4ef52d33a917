"""Jokers' part in the laws, written from its rules (K1–K17)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Any

from engines.jokers import JOKERS, deck
from engines.jokers.model import Declare, Discard, Done, HandDeclared, Keep, Move, Options, State, Take, Trade, TurnUp
from engines.jokers.view import View
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.contract.helper import GameHelper, MatchPlan, MatchStart, card_pattern

JOKER = 52
LATE = f"{324:032x}"  # begins with full hands, when the draw pile is nearly empty; one is declared
FULL_HANDS = ((0, 1, 2, 3, 4, 20, 33, JOKER), (8, 9, 10, 14, 15, 16, 17, JOKER))


class JokersHelper(GameHelper):
    """Fifty-four cards, two seats by turns, hidden hands and safety cards that nobody has seen."""

    minute_rules = ("K3", "K4", "K6", "K7", "K8", "K9", "K12", "K13", "K17")
    constant_answers = MappingProxyType(
        {
            "due": "The match waits for everybody who may act.",
            "is_forced": "It takes a declared hand, which random matches do not come to; see test_ends.py (K9).",
        }
    )
    brief_options = MappingProxyType({"rounds": 1})

    game = JOKERS

    def starts(self) -> Sequence[MatchStart]:
        """A match from its beginning, and one whose first round is about to end."""
        return [MatchStart(2, Options(rounds=1), f"{21:032x}"), MatchStart(2, Options(rounds=2), LATE)]

    def start_state(self, start: MatchStart) -> State:
        """The state at the first decision; of the late start, one that could have come about."""
        state = JOKERS.start(start.seats, start.options, Chance(start.seed))
        if start.seed == LATE:
            dealt = [card for hand in FULL_HANDS for card in hand]
            rest = [card for card in [*range(52), JOKER, JOKER] if card not in dealt]
            state.hands = [sum(1 << card for card in hand) for hand in FULL_HANDS]
            state.safety = [[rest.pop(), rest.pop(7)], [rest.pop(3), rest.pop()]]
            state.draw = [rest.pop(), rest.pop(), rest.pop()]
            state.discard = rest
        return state

    def rare_events(self) -> Sequence[Event]:
        """A full hand is declared (K9)."""
        return [HandDeclared(seat=1, cards=hand_cards(sum(1 << card for card in FULL_HANDS[1])))]

    def golden_plans(self) -> Mapping[str, MatchPlan]:
        return {"six-rounds": MatchPlan(2), "one-round": MatchPlan(2, {"rounds": 1})}

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        """All moves but trades; of those there are too many: the ones of the hands that the laws' matches meet."""
        numbers = range(-1, 15)
        moves: list[Move] = [Declare(), Done(), Keep(), *map(TurnUp, numbers), *map(Take, numbers)]
        moves += [Discard(card) for card in range(-1, 55)]
        moves += [Trade(()), Trade((-1,)), Trade((53,)), Trade((JOKER,)), Trade((JOKER,) * 3), Trade(tuple(range(9)))]
        hands = {hand for start in self.starts() for hand in self._match_hands(start)}
        return list(dict.fromkeys([*moves, *(trade for hand in sorted(hands) for trade in possible_trades(hand))]))

    def canonical_move(self, move: Any) -> Any:
        return Trade(tuple(sorted(move.cards))) if isinstance(move, Trade) else move

    def max_taps(self, view: View, move: Move) -> int:
        """A trade takes a tap a card, and one more."""
        return len(move.cards) + 1 if isinstance(move, Trade) else 2

    def hand_names(self, view: View) -> Sequence[str]:
        return list(map(deck.card_name, view.hand))

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        hand = Counter(hand_cards(state.hands[seat]))
        match move:
            case Trade(named):
                return state.trades > 0 and len(named) in range(1, 9) and bool(Counter(named) - hand)
            case Discard(card):
                return card not in hand
            case TurnUp(number):
                return number not in (1, 2)
        return False

    def box_pieces(self, seats: int) -> Counter[int]:
        """Fifty-two cards and two jokers (K1)."""
        return Counter([*range(52), JOKER, JOKER])

    def state_pieces(self, state: State) -> Counter[int]:
        found = Counter([*state.draw, *state.discard, *(() if state.turned is None else (state.turned,))])
        for own, safety, down in zip(state.hands, state.safety, state.down, strict=True):
            found.update([*hand_cards(own), *(card for card, lies in zip(safety, down, strict=True) if lies)])
        return found

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """The same match with all hidden cards dealt again: the other hand but for what was taken openly (K4) and what

        was shown (K16), the draw pile, and every safety card that is face down, the seat's own as well.
        """
        new = JOKERS.copy(state)
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        hidden: list[tuple[int, ...]] = [
            hand_cards(hand - known) for hand, known in zip(state.hands, state.known, strict=True)
        ]
        for owner in (0, 1):
            if owner in (seat, other):
                hidden[owner] = ()
        down = [(owner, which) for owner in (0, 1) for which in (0, 1) if state.down[owner][which]]
        pool = [*hidden[0], *hidden[1], *state.draw, *(state.safety[owner][which] for owner, which in down)]
        rng.shuffle(pool)
        for owner in (0, 1):
            for card in hidden[owner]:
                new.hands[owner] += (1 << pool.pop()) - (1 << card)
        for owner, which in down:
            new.safety[owner][which] = pool.pop()
        new.draw = pool
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Any) -> bool:
        """A safety card is turned up, the seat draws, a hand is declared; or a round ends and both hands are shown."""
        has_unknown = any(state.hands[owner] != state.known[owner] for owner in (0, 1) if owner != seat)
        match move:
            case TurnUp():
                return True
            case Trade():
                return seat == actor
            case Declare():
                return seat != actor and has_unknown
            case Done():
                ends = state.declared is not None or not state.draw or (state.idle and state.still == 3)
                return ends and has_unknown
        return False

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The cards that are not open, in the seat's own hand or known to be in the other one; jokers are alike."""
        view = self.game.view(state, seat)
        visible = {*view.discard, *view.hand, *(card for known in view.known for card in known)}
        visible |= {card for row in view.safety for card in row if card is not None}
        visible |= {card for hand in view.last.hands for card in hand} if view.last else set()  # K16
        for card in set(range(JOKER)) - visible:
            yield card_pattern(deck.card_name(card))

    def shown_secrets(self, event: Any) -> Iterator[str]:
        """Cards that were laid down in a round that has ended since."""
        for card in {*getattr(event, "cards", ()), getattr(event, "card", JOKER)} - {JOKER}:
            yield card_pattern(deck.card_name(card))

    def strip_harmless(self, text: str) -> str:
        """Without the cards that jokers stand for: such a card need not be in anybody's hand."""
        return re.sub(r"joker as \S+|stands='\w+'", "", text)

    def _match_hands(self, start: MatchStart) -> Iterator[tuple[int, ...]]:
        """Every hand that a player has in the match that the laws look at."""
        from tests.contract.walk import random_positions  # it needs the helpers

        for state in random_positions(self, start):
            yield from map(hand_cards, state.hands)


def possible_trades(hand: tuple[int, ...]) -> Iterator[Trade]:
    """Every set of cards of a hand, now and then in another order, and one with a card twice."""
    for size in range(1, len(hand) + 1):
        for number, chosen in enumerate(combinations(hand, size)):
            yield Trade(chosen[::-1] if number % 3 else chosen)
    yield Trade((hand[0], hand[0]))


def hand_cards(hand: int) -> tuple[int, ...]:
    return (*(card for card in range(52) if hand >> card & 1), *[JOKER] * (hand >> JOKER))


HELPER = JokersHelper()
