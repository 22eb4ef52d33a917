"""What the components of Jesters come to in a given moment, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from engines.jesters import components
from engines.jesters.components import ANY, Adjust, Bottom, Effect, Favorite, Performance, Recolour, Turn
from engines.jesters.model import FAVORITE, JEST_CARDS

NO_CHOICE: tuple[tuple[int, ...], ...] = ((),)
Middle = tuple[int, ...]  # how many Techniques of each colour lie there
Faces = tuple[tuple[int, ...], ...]  # by face shown, those that it can be changed to


def learnable(card: int, middle: Middle) -> tuple[tuple[int, ...], ...]:
    """S6: the colours that may be chosen for the card's "any", sorted; nothing where it would take no Technique."""
    top = tops()[card]
    if top[-1] != ANY:
        for colour in top:
            if middle[colour]:
                return NO_CHOICE
        return ()
    return _learnable(top, middle)


@cache
def _learnable(top: tuple[int, ...], middle: Middle) -> tuple[tuple[int, ...], ...]:
    """For a card that says "any"."""
    named = _named(top, middle)
    left = [there - named.count(colour) for colour, there in enumerate(middle)]
    free = min(top.count(ANY), sum(left))
    picks = combinations_with_replacement(range(len(middle)), free)
    ways = tuple(pick for pick in picks if all(pick.count(colour) <= left[colour] for colour in pick))
    return ways if named or free else ()


@cache
def tops() -> tuple[tuple[int, ...], ...]:
    """By card, the Techniques of its top half, ANY last. There is no card 0."""
    return ((), *[components.jest_card(card).top for card in JEST_CARDS])


def taken(card: int, colours: Sequence[int], middle: Middle) -> tuple[int, ...]:
    """S6: the Techniques that a card takes, those chosen among them."""
    return tuple(sorted((*_named(tops()[card], middle), *colours)))


def _named(top: tuple[int, ...], middle: Middle) -> list[int]:
    """S6: those of a card's own colours that are there: of two asked for and one there, one."""
    return [colour for colour, there in enumerate(middle) for _ in range(min(top.count(colour), there))]


@cache
def changes() -> tuple[tuple[int, ...], tuple[Faces, ...]]:
    """S8, S21: by card, the colour of dice that its bottom half changes, or ANY, and what it can make of each face.

    There is no card 0.
    """
    bottoms = [components.jest_card(card).bottom for card in JEST_CARDS]
    return (ANY, *[bottom.colour for bottom in bottoms]), ((), *map(_faces, bottoms))


def _faces(bottom: Bottom) -> Faces:
    match bottom:
        case Adjust(amount):
            to = [[face for face in range(1, 7) if 0 < abs(face - shows) <= amount] for shows in range(7)]
        case Turn():
            to = [[7 - shows] for shows in range(7)]
    return tuple(map(tuple, to))


@cache
def effect(gift: int) -> Effect:
    """What a Gift does."""
    return components.gift(gift).effect


def paint(marking: int | None) -> int | None:
    """The colour that marked dice are to get; None where they are to be rerolled, or none are being marked."""
    does = effect(marking) if marking else None
    return does.colour if isinstance(does, Recolour) else None


@cache
def task(target: int, favorite: int) -> Performance | Favorite:
    """What is performed: a Performance, or the round's Favorite."""
    return components.favorite(favorite) if target == FAVORITE else components.performance(target)
