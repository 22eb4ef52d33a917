"""Names in pictures: whole if possible, smaller or condensed if necessary."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text, text_width
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, NAME_TYPE_SIZE, Colour
from cogs.pictures.raster.typeface import ELLIPSIS, MAX_PLATE_NAME, begun

MIN_WHOLE_STRETCH = 0.75  # share of its width to which a long name is condensed before it is cut
MIN_STRETCH = 0.58  # the same for the beginning that distinguishes it from the others, which eight wide capitals need


class FittedName(NamedTuple):
    """What is written of a name: its type size, and the share of their width that its letters keep."""

    text: str
    size: int
    stretch: float


def lay_name(
    surface: DrawingSurface,
    x: float,
    y: float,
    name: str,
    room: float,
    ink: Colour,
    ground: Colour,
    anchor: str = "m",
    size: int = NAME_TYPE_SIZE,
) -> None:
    """Write a name in this much room, in type of that size or smaller."""
    fitted = fit_name(name, room, size)
    surface.text(x, y, fitted.text, fitted.size, ink, ground, anchor, fitted.stretch)


def fit_name(name: str, room: float, size: int = NAME_TYPE_SIZE) -> FittedName:
    """Return what is written of a name. The beginning by which names differ is there, if it fits at all."""
    text, size = fit_text(name, room, size)
    if text == name:
        return FittedName(text, size, 1)
    if (stretch := _stretch_for(name, room)) >= MIN_WHOLE_STRETCH:
        return FittedName(name, size, stretch)
    if len(text.removesuffix(ELLIPSIS)) >= len(begun(name)):
        return FittedName(text, size, 1)
    text = begun(name) if len(name) <= MAX_PLATE_NAME else f"{begun(name)}{ELLIPSIS}"
    if (stretch := _stretch_for(text, room)) >= MIN_STRETCH:
        return FittedName(text, size, stretch)
    return FittedName(*fit_text(name, room / MIN_STRETCH, MIN_TYPE_SIZE), MIN_STRETCH)


def _stretch_for(text: str, room: float) -> float:
    """Return the share of its width at which a text fits, in whole percent."""
    return floor(100 * room / text_width(text, MIN_TYPE_SIZE)) / 100
