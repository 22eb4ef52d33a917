"""What the components of Jesters do in a given situation, computed in one place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, Adjust, Effect, Favorite, Performance, Recolour, TurnOver
from engines.jesters.model import FAVORITE_TARGET

Middle = tuple[int, ...]  # how many Techniques of each colour are in the middle


@cache
def learnable_colours(card: int, middle: Middle) -> tuple[tuple[int, ...], ...]:
    """S6: return the colours that may be chosen for the card's "any", sorted. Empty if none can be taken."""
    top = catalogue.jest_card(card).top
    named = _named_techniques(top, middle)
    left = [count - named.count(colour) for colour, count in enumerate(middle)]
    free = min(top.count(ANY), sum(left))
    picks = combinations_with_replacement(range(len(middle)), free)
    options = tuple(pick for pick in picks if all(pick.count(colour) <= left[colour] for colour in pick))
    return options if named or free else ()


def taken_techniques(card: int, colours: Sequence[int], middle: Middle) -> tuple[int, ...]:
    """S6: return the Techniques that a card takes, including the chosen ones."""
    return tuple(sorted((*_named_techniques(catalogue.jest_card(card).top, middle), *colours)))


def _named_techniques(top: tuple[int, ...], middle: Middle) -> list[int]:
    """S6: return those of the card's named colours that are available: if it names two and one is there, one."""
    return [colour for colour, count in enumerate(middle) for _ in range(min(top.count(colour), count))]


@cache
def reachable_faces(card: int, colour: int, shows: int) -> tuple[int, ...]:
    """S8, S21: return the faces that the card's bottom half can give to a die of that colour and face."""
    bottom = catalogue.jest_card(card).bottom
    if bottom.colour not in (colour, ANY):
        return ()
    match bottom:
        case Adjust(amount):
            return tuple(face for face in range(1, 7) if 0 < abs(face - shows) <= amount)
        case TurnOver():
            return (7 - shows,)


@cache
def gift_effect(gift: int) -> Effect:
    """Return the effect of a Gift."""
    return catalogue.gift(gift).effect


def paint_colour(marking: int | None) -> int | None:
    """Return the colour that marked dice will get. None if they are to be rerolled, or if nothing is being marked."""
    does = gift_effect(marking) if marking else None
    return does.colour if isinstance(does, Recolour) else None


@cache
def task(target: int, favorite: int) -> Performance | Favorite:
    """Return the task of the attempt: a Performance, or the round's Favorite."""
    return catalogue.favorite(favorite) if target == FAVORITE_TARGET else catalogue.performance(target)
