"""Jesters' part in the laws, written from its rules (S1–S24)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations_with_replacement, product
from random import Random
from types import MappingProxyType
from typing import Any

from engines.jesters import JESTERS, model
from engines.jesters.components import catalogue
from engines.jesters.model import Move, Options, State
from engines.jesters.view import View
from engines.kit.chance import Chance
from tests.contract.helper import GameHelper, MatchStart

LATE = "1a7e" * 8  # begins late in the second round, when the piles are nearly empty


class JestersHelper(GameHelper):
    """Dice and attempts in the open; hidden hands, piles, and Gifts under their pile that some seats have seen."""

    game = JESTERS
    minute_rules = ("S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13", "S16", "S19")
    constant_answers = MappingProxyType({"due": "The match waits for everybody who may act."})

    def starts(self) -> Sequence[MatchStart]:
        """Every number of seats from the beginning and from late in a match."""
        seeds = [(2, 0x62), (3, 0x5E), (4, 0x63)], [(2, 0x0D), (3, 0x32), (4, 0x54)]  # in each of them Gifts are drawn
        early, late = ([MatchStart(seats, Options(), f"{seed:032x}") for seats, seed in row] for row in seeds)
        return [*early, *[replace(start, seed=LATE[:-2] + start.seed[-2:]) for start in late]]

    def start_state(self, start: MatchStart) -> State:
        """The state at the first decision; of the late starts, one that could have come about."""
        state = JESTERS.start(start.seats, start.options, Chance(start.seed))
        if start.seed.startswith(LATE[:-2]):
            _make_late(state)
        return state

    def move_vocabulary(self, seats: int) -> Sequence[Move]:
        """All moves, but of the choices of dice and of faces those of what the laws' matches come to."""
        moves: dict[Move, None] = dict.fromkeys(
            [model.Pass(), model.Roll(), model.Paint(), model.Finish(), model.Perform(0, (9, 0, 0, 0))]
        )
        colours = [(), (0, 0, 0), (2, 0), *combinations_with_replacement(range(4), 2), (0,), (1,), (2,), (3,)]
        dice, cards, gifts, targets = 0, {-1, 0, 51}, {-1, 0, 26}, {-1, 0, 39}
        for state in self._law_states(seats):
            seat, dice = state.turn, max(dice, len(state.faces))
            cards.update(state.hands[seat])
            gifts.update(state.gifts[seat], state.drawn)
            targets.update(state.board)
            picks = list(product(*[range(number + 1) for number in state.dice[seat]]))
            moves |= dict.fromkeys(model.Perform(target, pick) for target in [0, *state.board] for pick in picks)
            which = range(1, len(state.faces) + 1)
            moves |= dict.fromkeys(model.Spend(*way) for way in product(state.hands[seat], which, range(8)))
        which = range(-1, dice + 2)
        moves |= dict.fromkeys(make(die) for make in (model.Mark, model.Unmark) for die in which)
        moves |= dict.fromkeys(make(card) for make in (model.Reroll, model.Keep) for card in sorted(cards | gifts))
        moves |= dict.fromkeys(model.Learn(*way) for way in product(sorted(cards), colours))
        moves |= dict.fromkeys(model.Spend(*way) for way in product((-1, 0, max(cards)), which, (-1, 1, 6, 7)))
        moves |= dict.fromkeys(model.Perform(*way) for way in product(sorted(targets), [(1, 0, 0, 0), (0, -1, 1, 0)]))
        choices = [*((die, None) for die in (None, *which)), *((None, colour) for colour in range(4)), (1, 0)]
        moves |= dict.fromkeys(model.UseGift(gift, die, colour) for gift in sorted(gifts) for die, colour in choices)
        return list(moves)

    def canonical_move(self, move: Any) -> Any:
        return model.Learn(move.card, tuple(sorted(move.colours))) if isinstance(move, model.Learn) else move

    def max_taps(self, view: View, move: Move) -> int:
        """One by a button, two by a list, one more behind a button; more for colours, dice, or very many changes."""
        assert view.seat is not None
        match move:
            case model.Learn(_, colours):
                return 3 + 2 * bool(colours)
            case model.Perform(_, dice):
                return 3 if dice == view.dice[view.seat] else sum(dice) + 6
            case model.Spend():
                return 6
            case model.Mark() | model.Unmark():
                return 1 if view.attempt is not None and len(view.attempt.dice) <= 10 else 2
            case model.Roll() | model.Paint() | model.Keep():
                return 1
        return 3

    def names_lacking(self, state: State, seat: int, move: Move) -> bool:
        dice, hand = range(1, len(state.faces) + 1), state.hands[seat]
        match move:
            case model.Learn(card) | model.Reroll(card):
                return card not in hand
            case model.Spend(card, die):
                return card not in hand or die not in dice
            case model.Perform(target, picked):
                if target not in range(39):
                    return True
                may = target in state.board if target else seat not in state.done
                return (
                    may
                    and any(picked)
                    and any(n not in range(own + 1) for n, own in zip(picked, state.dice[seat], strict=True))
                )
            case model.UseGift(gift):
                return gift not in state.gifts[seat] or self._is_misused(state, move)
            case model.Mark(die):
                return die not in dice or die in state.marked
            case model.Unmark(die):
                return die not in state.marked
            case model.Keep(gift):
                return gift not in state.drawn
        return False

    def _is_misused(self, state: State, move: model.UseGift) -> bool:
        """Whether a usable Gift is told a die or a colour although it wants none, or none although it wants one."""
        effect = catalogue.gift(move.gift).effect
        if isinstance(effect, catalogue.FameForColour | catalogue.FameForSymbol) or move.gift in state.used:
            return False
        shape = (isinstance(effect, catalogue.Opposite), isinstance(effect, catalogue.Extra))
        wrong = shape != (move.die is not None, move.colour is not None)
        return wrong or (move.die is not None and move.die not in range(1, len(state.faces) + 1))

    def box_pieces(self, seats: int) -> Counter[tuple[str, int]]:
        """The cards, and five dice of each colour, of which fewer players leave some out (S1)."""
        dice = {("die", colour): seats + 1 for colour in range(4)}
        kinds = {"Jest card": 50, "Performance": 38, "Favorite": 5, "Gift": 25}
        return Counter(dice | {(kind, number): 1 for kind, most in kinds.items() for number in range(1, most + 1)})

    def state_pieces(self, state: State) -> Counter[tuple[str, int]]:
        """In any place. There is no Favorite when the last one has been placed."""
        now = (state.favorite,) if state.favorite else ()
        found: Counter[tuple[str, int]] = Counter()
        for kind, cards in {
            "Jest card": chain(*state.hands, state.draw, state.discard),
            "Performance": chain(*state.completed, state.pile, state.board),
            "Favorite": chain(state.favorites, now, state.placed),
            "Gift": chain(*state.gifts, state.gift_pile, state.drawn),
        }.items():
            found.update((kind, card) for card in cards)
        for colour, number in enumerate(state.middle):
            found["die", colour] = number + sum(own[colour] for own in state.dice)
        return found

    def scramble_hidden(self, state: State, seat: int | None, rng: Random, other: int | None = None) -> State:
        """The same match with all that is hidden changed: the piles, the others' hands, and Gifts seen by others only.

        The draw pile is refilled when it is empty (S15), so everybody can tell from which refill each card in a hand
        comes: cards change places with those of the same refill only, and those in the pile are of the newest one.
        """
        new = JESTERS.copy(state)
        new.chance = Chance(f"{rng.getrandbits(128):032x}", rng.randrange(1000))
        for pile in (new.pile, new.favorites):
            rng.shuffle(pile)
        _scramble_cards(new, {seat, other}, rng)
        _scramble_gifts(new, {seat, other}, rng)
        return new

    def is_revealing(self, state: State, seat: int | None, actor: int, move: Any) -> bool:
        """A new round with its Favorite; the Performance, unless it is the last, that a success turns up; own draws."""
        if not isinstance(move, model.Pass | model.Finish):
            return False
        after = JESTERS.copy(state)
        JESTERS.play(after, actor, move)
        if len(after.placed) > len(state.placed) or 1 < len(state.pile) > len(after.pile):
            return True
        return seat == actor and (bool(after.drawn) or _has_unknown_draws(state, after, actor))

    def secret_patterns(self, state: State, seat: int | None) -> Iterator[str]:
        """The Jest cards of others, and Gifts that nobody has been shown or that the seat has not seen (S10)."""
        view = self.game.view(state, seat)
        in_hands = {card for hand in state.hands for card in hand}
        for card in in_hands - {*view.hand, *view.discard}:
            learnt = rf"(?<!\d){card}(?:\*\*|:)? (?:red|blue|green|purple|any)[a-z, ]* /"
            yield rf"{learnt}|(?<![a-z])(?:learn|spend|reroll|card) {card}(?!\d)"
        yield from sorted(
            {_card_face(card) for card in in_hands} - {_card_face(card) for card in (*view.hand, *view.discard)}
        )
        for gift in set(range(1, 26)) - {gift for row in view.gifts for gift in row} - {*view.under, *view.drawn}:
            yield rf"(?:[Gg]ift|keep) {gift}(?!\d)|(?<!\d){gift}: (?:turns|makes|2 Fame|one more|rolls all)"

    def strip_harmless(self, text: str) -> str:
        """Without cards that were discarded: such a card may be in a hand again."""
        return re.sub(r"discards Jest card \d+", "", text)

    def _law_states(self, seats: int) -> Iterator[State]:
        from tests.contract.walk import random_positions  # it needs the helpers

        for start in self.starts():
            if start.seats == seats:
                yield from random_positions(self, start)


def _card_face(card: int) -> str:
    """How a Jest card is told without its number, in words and in pictures, as another one may be as well."""
    face = catalogue.jest_card(card)
    change = f"±{face.bottom.amount}" if isinstance(face.bottom, catalogue.Adjust) else "turn"
    learn = tuple(-1 if colour == catalogue.ANY else colour for colour in face.top)
    colour = -1 if face.bottom.colour == catalogue.ANY else face.bottom.colour
    names = ("red", "blue", "green", "purple", "any")
    top, bottom = ", ".join(names[one] for one in face.top), re.escape(f"{change} {names[face.bottom.colour]}")
    spec = re.escape(f"JestFace(learn={learn}, change='{change}', colour={colour})")
    return rf"[:;] {top} / {bottom}(?![a-z])|{spec}"


def _make_late(state: State) -> None:
    """Late in the second round: Gifts lie under their pile, the draw pile has been refilled, and seats have dice."""
    seats = len(state.hands)
    rng = Random(seats)
    state.round = 2
    state.placed = [state.favorites.pop()]
    cards = rng.sample(range(1, 51), 50)
    state.refills = 1
    fresh, old = cards[: 14 + seats], cards[14 + seats :]
    state.packs = [int(card in fresh) for card in range(1, 51)]
    state.draw, state.discard = fresh[:2], old[4 * seats :]
    state.hands = [sorted(old[4 * seat : 4 * seat + 4] + fresh[2 + 2 * seat : 4 + 2 * seat]) for seat in range(seats)]
    state.discard += fresh[2 + 2 * seats :]
    gifts = [*state.gift_pile, *(gift for own in state.gifts for gift in own)]
    state.gift_pile, rest = gifts[:4], gifts[4:]
    state.under = [(0,), (1,), (0, 1)]
    state.gifts = [rest[seat::seats] for seat in range(seats)]
    completed = [state.pile.pop() for _ in range(len(state.pile) - 2)]
    state.completed = [completed[seat::seats] for seat in range(seats)]
    for seat in range(seats):
        for colour in range(4):
            state.dice[seat][colour] = number = 1 if seats == 2 or (seat + colour) % 2 else 0
            state.middle[colour] -= number


def _scramble_cards(state: State, know: Collection[int | None], rng: Random) -> None:
    for refill in range(state.refills + 1):
        places = [
            (hand, place)
            for holder, hand in enumerate(state.hands)
            for place, card in enumerate(hand)
            if holder not in know and state.packs[card - 1] == refill
        ]
        if refill == state.refills:
            places += [(state.draw, place) for place in range(len(state.draw))]
        _shuffle_places(places, rng)
    for hand in state.hands:
        hand.sort()


def _has_unknown_draws(state: State, after: State, seat: int) -> bool:
    """Whether the seat has drawn cards that might have been others: the last of a refill it knows, if nobody has more.

    What was discarded, and is drawn after one more refill, everybody knows.
    """
    drawn = min(len(after.hands[seat]) - len(state.hands[seat]), len(state.draw))
    others = [card for holder, hand in enumerate(state.hands) for card in hand if holder != seat]
    has_refill = any(state.packs[card - 1] == state.refills for card in others)
    return drawn > 0 and (has_refill or drawn < len(state.draw))


def _scramble_gifts(state: State, know: set[int | None], rng: Random) -> None:
    """Gifts in the pile and those drawn, but for the ones that those seats have seen (S10)."""
    places = [(state.gift_pile, place) for place in range(len(state.under), len(state.gift_pile))]
    places += [(state.gift_pile, place) for place, known in enumerate(state.under) if not know & {*known}]
    if state.turn not in know:
        places += [(state.drawn, place) for place, known in enumerate(state.drawn_known) if not know & {*known}]
    _shuffle_places(places, rng)


def _shuffle_places(places: Sequence[tuple[list[int], int]], rng: Random) -> None:
    found = [pile[place] for pile, place in places]
    rng.shuffle(found)
    for (pile, place), card in zip(places, found, strict=True):
        pile[place] = card


HELPER = JestersHelper()
