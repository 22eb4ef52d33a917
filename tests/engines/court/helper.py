"""Jester's Court's part in the laws, written from its rules (T1–T14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from random import Random
from types import MappingProxyType
from typing import Any

from engines.court import COURT, board, deck, model
from engines.court.model import Attack, Give, Heal, Move, Options, Place, Push, SetMenhir, Skip, State, Step, Strike
from engines.court.view import View
from engines.kit.chance import Chance
from engines.kit.contract import Event
from tests.contract.helper import GameHelper, MatchPlan, MatchStart, card_pattern

MENHIR = 52
LATE = 1 << 100
"""Seeds above it begin late: wounded, with banners, near the edges, without number cards, with few cards to draw."""
SWAPS = 200


class CourtHelper(GameHelper):
    """Cards by the deck, one seat at a time and now and then another one, hidden hands."""

    untold_events = (model.CardsDrawn,)  # to as many as always
    minute_rules = ("T3", "T4", "T5", "T6", "T8", "T9", "T10", "T13")
    constant_answers = MappingProxyType(
        {
            "due": "The match waits for everybody who may act.",
            "is_forced": "What a hand allows is hidden, and nobody is asked if there is only one choice (T14).",
        }
    )
    brief_options = MappingProxyType({"banners": 2, "turns": 12})

    game = COURT

    @property
    def short_options(self) -> Mapping[str, Any]:
        """Long enough for somebody to be knocked out who has banners to choose from (T10)."""
        return {"banners": 3}

    def starts(self) -> Sequence[MatchStart]:
        """With every number of seats the first turns, and the last ones of a match."""
        early = [MatchStart(seats, Options(turns=5 * seats), f"{seats:032x}") for seats in (2, 3, 4)]
        late = [MatchStart(seats, Options(turns=16), f"{LATE + seats:032x}") for seats in (2, 3, 4)]
        return [*early, *late, MatchStart(3, Options(banners=2), f"{9:032x}")]

    def start_state(self, start: MatchStart) -> State:
        """The state at the first decision; of a late start, one that could have come about."""
        state = COURT.start(start.seats, start.options, Chance(start.seed))
        if int(start.seed, 16) > LATE and start.options.banners > 2:
            seats = start.seats
            state.owed.clear()
            state.mages = [46, 219, 460, 330][:seats]  # C3 and others a few squares from the edges
            state.menhirs = [45, 24, 47, -1][:seats]  # around C3, where C4 is left
            state.health = [1, 2, 1, 1][:seats]
            state.banners = [(0, 2), (1, 2), (), (1,)][:seats]
            _remove_numbers(state)
        return state

    def rare_events(self) -> Sequence[Event]:
        """Four Menhirs around a Mage (T11)."""
        return [model.MageEnclosed(seat=1, square=46)]

    def golden_plans(self) -> Mapping[str, MatchPlan]:
        return {
            **super().golden_plans(),
            "two-banners": MatchPlan(4, {"banners": 2}),
            "three-banners": MatchPlan(3, {"banners": 3, "turns": 300}),
            "thirty-turns": MatchPlan(4, {"turns": 30}),
        }

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        cards, squares, seat_numbers = range(-1, 55), range(-2, 486), range(-1, seats + 2)
        moves: list[Move] = [Skip(), *map(Place, squares), *map(SetMenhir, squares), *map(Give, range(-1, 6))]
        for kind in (Step, Strike, Heal, model.Discard):
            moves += map(kind, cards)
        moves += [Push(card, target) for card in cards for target in seat_numbers]
        targets = [pick for size in range(4) for pick in combinations(range(seats), size)]
        targets += [(-1,), (seats,), (1, 1), (1, 0), (3, 1), (2, 1, 0)]
        return [*moves, *(Attack(card, pick) for card in cards for pick in targets)]

    def canonical_move(self, move: Any) -> Any:
        return Attack(move.card, tuple(sorted(move.targets))) if isinstance(move, Attack) else move

    def max_taps(self, view: View, move: Move) -> int:
        """A card is chosen, then what it does; the Menhir goes by its row and its square."""
        match move:
            case SetMenhir():
                return 3
            case Push():
                path = board.mage_path(view, move.target, move.card)
                brings = path.crosses and move.card // 13 not in view.banners[move.target]
                return 3 if brings else 2  # that is asked for
            case Place() | Step() | Skip() | Give():
                return 1
        return 2

    def named_seats(self, move: Move) -> Sequence[int]:
        """Whose Mage is pushed (T8), and whose are attacked (T9)."""
        match move:
            case Push():
                return (move.target,)
            case Attack():
                return move.targets
        return ()

    def hand_names(self, view: View) -> Sequence[str]:
        return list(map(deck.card_name, view.hand))

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        hand, seats = state.hands[seat], range(len(state.hands))
        match move:
            case Give(suit):
                return suit not in range(4) or suit not in state.banners[seat]
            case Push(card, target):
                return card not in hand or target not in seats
            case Attack(card, targets):
                return card not in hand or any(target not in seats for target in targets)
            case SetMenhir(square):
                return MENHIR not in hand or square not in range(484)
            case Step(card) | Strike(card) | Heal(card) | model.Discard(card):
                return card not in hand
        return False

    def box_pieces(self, seats: int) -> Counter[int]:
        """One deck less than there are players, each of 52 cards and two Menhir cards (T1)."""
        return Counter([*range(52), MENHIR, MENHIR] * (seats - 1))

    def state_pieces(self, state: State) -> Counter[int]:
        return Counter(chain(*state.hands, state.draw, state.discard))

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """The same match with the cards of other hands and of the draw pile swapped, as far as nobody knows of them:

        a hand keeps as many cards that are no number cards as it has shown (T4), and no card gets into the draw pile
        more often than it was in the discard pile that became it (T12).
        """
        new = COURT.copy(state)
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        least = [*state.bare, 0]
        places = [*new.hands, new.draw]
        hidden = [place for place in range(len(places)) if place not in (seat, other) and places[place]]
        for _ in range(SWAPS):
            a, b = rng.sample(hidden, 2) if len(hidden) > 1 else (hidden[0], hidden[0])
            i, j = rng.randrange(len(places[a])), rng.randrange(len(places[b]))
            places[a][i], places[b][j] = places[b][j], places[a][i]
            has_non_numbers = all(_count_non_numbers(places[place]) >= least[place] for place in (a, b))
            if not (has_non_numbers and Counter(new.draw) <= Counter(state.pool)):
                places[a][i], places[b][j] = places[b][j], places[a][i]
        for hand in new.hands:
            hand.sort()
        rng.shuffle(new.draw)
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Any) -> bool:
        """The seat in turn draws when its turn ends (T12), perhaps after what somebody else had to decide.

        What comes from a pile that was shuffled only then was hidden nowhere.
        """
        if seat != state.turn or not state.draw:
            return False
        after = COURT.copy(state)
        COURT.play(after, actor, move)
        return after.turns > state.turns or after.ending == "turns"

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The cards of which none lies open, is in the seat's own hand or was the last to attack; Menhirs are alike."""
        own = () if seat is None else state.hands[seat]
        attacked = () if state.attacked is None else (state.attacked.card,)
        for card in set(range(MENHIR)) - {*state.discard, *own, *attacked}:
            yield card_pattern(deck.card_name(card))

    def shown_secrets(self, event: Any) -> Iterator[str]:
        """A card that was played: the discard pile may have been shuffled since (T12)."""
        if (card := getattr(event, "card", MENHIR)) != MENHIR:
            yield card_pattern(deck.card_name(card))


def _remove_numbers(state: State) -> None:
    """Exchange cards so that no hand has a number card, and the draw pile has seven cards."""
    rest = [*state.draw, *(card for hand in state.hands for card in hand)]
    rest.sort(key=lambda card: not _count_non_numbers([card]))
    others = state.chance.shuffle(rest[: _count_non_numbers(rest)])
    state.hands = [sorted(others.pop() for _ in hand) for hand in state.hands]
    rest = state.chance.shuffle([*others, *rest[_count_non_numbers(rest) :]])
    state.draw, state.discard = rest[:7], rest[7:]


def _count_non_numbers(cards: Sequence[int]) -> int:
    return sum(card == 52 or card % 13 in (0, 10, 11, 12) for card in cards)


HELPER = CourtHelper()
