"""Jest's part in the laws, written from its rules (J1–J14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from types import MappingProxyType

from engines.jest import JEST, deck
from engines.jest.model import FaceDownChosen, Move, Offer, Options, Round, State, Take
from engines.jest.view import View
from engines.kit.chance import Chance
from tests.contract.helper import GameHelper, MatchStart, card_pattern

CARDS = range(17)
JOKER = 16


class JestHelper(GameHelper):
    """Seventeen cards; secret offers, Jests, and cards that come back from round to round."""

    minute_rules = ("J4", "J6", "J8", "J10", "J11", "J12", "J13", "J14")
    untold_events = (FaceDownChosen,)  # one's own hand has it marked
    constant_answers = MappingProxyType({"is_forced": "There are always two cards to choose from."})

    game = JEST

    def starts(self) -> Sequence[MatchStart]:
        """Several matches with every number of seats: they are short."""
        return [MatchStart(seats, Options(), f"{seats}{number:031x}") for seats in (3, 4) for number in (1, 2)]

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        offers = [Offer(card) for card in range(-2, 19)]
        return [*offers, *(Take(source, up) for source in range(-2, 6) for up in (True, False))]

    def named_seats(self, move: Move) -> Sequence[int]:
        """Whose offer a card is taken from (J6)."""
        return (move.source,) if isinstance(move, Take) else ()

    def hand_names(self, view: View) -> Sequence[str]:
        return list(map(deck.card_name, view.hand))

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        match move:
            case Offer(card):
                return card not in state.dealt[seat]
            case Take(source):
                return source not in range(len(state.jests))

    def box_pieces(self, seats: int) -> Counter[int]:
        """Four cards of each suit and the Joker (J1)."""
        return Counter(CARDS)

    def state_pieces(self, state: State) -> Counter[int]:
        found = Counter([*state.trophies, *state.deck])
        found.update(card for jest in state.jests for card in CARDS if jest >> card & 1)
        taken = {(take.source, take.up) for take in state.takes}
        if state.phase == "offer":
            found.update(chain(*state.dealt))
        for up, row in ((True, state.up), (False, state.down)) if state.phase == "take" else ():
            found.update(card for source, card in enumerate(row) if (source, up) not in taken)
        return found

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """The same match with hidden cards in other places.

        What the seat never saw may be any such card, and two cards of one round's deal that it does not see from then
        on may have been dealt the other way round: J3 shuffles what was left in with what is new.
        """
        new = JEST.copy(state)
        know = {seat, other}
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        new.numbers = [
            number + (rng.randrange(5) if other not in know else 0) for other, number in enumerate(state.numbers)
        ]
        if state.phase == "over":  # J9: everything is shown
            return new
        rows = [[*old_round.up, *old_round.down] for old_round in state.past] + [list(self._cards_in_play(state))]
        cards_in_sight = [{row[place] for place in self._seen_places(state, i, know)} for i, row in enumerate(rows)]
        for i, row in enumerate(rows):
            later = set().union(*cards_in_sight[i:])
            _swap_cards(rows[i:], [], [card for card in row if card not in later], rng)
        never = [card for card in CARDS if card not in set().union(*cards_in_sight) and card not in state.trophies]
        new.deck = _swap_cards(rows, new.deck, never, rng)
        rng.shuffle(new.deck)
        _rebuild_round(new, rows, know, rng)
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Move) -> bool:
        """The last choice turns the offers up (J4), a face-down card is seen by its taker (J8), and the last card
        taken in a round brings every seat a new hand (J3), or the end (J9)."""
        if state.waiting == [actor]:
            return isinstance(move, Offer) or seat is not None or not state.deck
        return isinstance(move, Take) and not move.up and seat == actor

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The cards that the seat has never seen in this match. The Joker's name stands on trophies, too."""
        view = self.game.view(state, seat)
        rounds = [*((old_round.up, old_round.down) for old_round in view.past), (view.up, view.down)]
        visible = {card for row in rounds for cards in row for card in cards if card is not None}
        for card in set(CARDS) - visible - {*view.trophies, *view.hand, *view.jest}:
            if card == JOKER:
                yield r"(?<!\w)(?:Joker face|offer joker|'joker'|Joker and|and Joker|the Joker from)(?!\w)|Joker \("
            else:
                yield card_pattern(deck.card_name(card))

    def _cards_in_play(self, state: State) -> Iterable[int]:
        """The round's cards: face up then face down, by seat; while offers are made, in the order of the hands."""
        if state.phase == "take":
            return *state.up, *state.down
        return *(hand[0] for hand in state.dealt), *(hand[1] for hand in state.dealt)

    def _seen_places(self, state: State, i: int, know: Collection[int | None]) -> set[int]:
        """The places of a round whose cards any of those seats has seen (J8)."""
        seats = len(state.jests)
        own = {number + half for number in know if number is not None for half in (0, seats)}
        if i == len(state.past) and state.phase == "offer":
            return own
        takes = state.past[i].takes if i < len(state.past) else state.takes
        return {*range(seats), *own, *(take.source + seats for take in takes if take.seat in know and not take.up)}


def _swap_cards(rows: Sequence[list[int]], deck: Sequence[int], cards: Sequence[int], rng: Random) -> list[int]:
    """Exchange these cards for each other in all rounds, and in the deck, which comes back."""
    new = dict(zip(cards, rng.sample(cards, len(cards)), strict=True))
    for row in rows:
        row[:] = [new.get(card, card) for card in row]
    return [new.get(card, card) for card in deck]


def _rebuild_round(state: State, rows: Sequence[Sequence[int]], know: Collection[int | None], rng: Random) -> None:
    """Put the rounds' cards back into the state, with other secret choices and the Jests that come of it."""
    seats = len(state.jests)
    state.past = [
        Round(tuple(row[:seats]), tuple(row[seats:]), old_round.takes)
        for row, old_round in zip(rows[:-1], state.past, strict=True)
    ]
    up, down = list(rows[-1][:seats]), list(rows[-1][seats:])
    state.dealt = [(min(hand), max(hand)) for hand in zip(up, down, strict=True)]
    if state.phase == "offer":
        for seat_number in range(seats):
            chosen = seat_number not in state.waiting
            if chosen and seat_number not in know:
                state.up[seat_number], state.down[seat_number] = rng.sample(state.dealt[seat_number], 2)
    else:
        state.up, state.down = up, down
    state.jests = [0] * seats
    for row, takes in zip(rows, [*(old_round.takes for old_round in state.past), state.takes], strict=True):
        for take in takes:
            state.jests[take.seat] |= 1 << row[take.source + (0 if take.up else seats)]


HELPER = JestHelper()
