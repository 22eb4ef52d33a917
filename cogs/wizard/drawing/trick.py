"""The layout of a trick: who played what, in the order it fell, and who takes it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Surface
from cogs.pictures.raster.letters import fitted
from cogs.wizard.drawing.cards import card
from cogs.wizard.spec import Trick

_UNIT, _SMALL = 1.26, 0.72
_COLUMN, _SMALL_COLUMN = 162, 104  # six of them fill the width
_GLOW, _LINE, _TOKEN, _SMALL_TOKEN = 8, 37, 50, 40
_CAPTION = 180


def height(trick: Trick) -> int:
    """How high a trick is: cards, names, and a word on the first and the best."""
    return round(theme.CARD[1] * _UNIT) + 2 * _GLOW + 2 * _LINE if trick.cards else 0


def last_height(trick: Trick) -> int:
    """How high the last trick is, which is small."""
    return round(theme.CARD[1] * _SMALL) + 24 if trick.cards else 0


def lay_trick(surface: Surface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """Cards side by side, each with its seat's shape and name."""
    width, high = (side * _UNIT for side in theme.CARD)
    left = (theme.WIDTH - _COLUMN * len(trick.cards)) / 2
    for i, laid in enumerate(trick.cards):
        middle, wins = left + _COLUMN * (i + 0.5), laid.seat == trick.taker
        x, top = middle - width / 2, y + _GLOW
        if wins:
            surface.paste(x - 6 * _UNIT, top - 6 * _UNIT, table_pieces.glow, _UNIT)
        surface.paste(x, top, card, laid.card, _UNIT, dimmed=trick.over and not wins)
        surface.paste(x + 4, top + high - _TOKEN - 6, table_pieces.token, laid.seat, _TOKEN, False)
        ink = theme.GOLD if wins else theme.IVORY
        name, size = fitted(names[laid.seat], _COLUMN - 8, theme.LEAST_TYPE + 2)
        below = top + high + _GLOW + _LINE / 2
        surface.text(middle, below, name, size, ink, theme.FELT)
        said = _said(trick, led=i == 0, wins=wins)
        surface.text(middle, below + _LINE - 4, said, theme.LEAST_TYPE, ink if wins else theme.MIST, theme.FELT)


def _said(trick: Trick, led: bool, wins: bool) -> str:
    """What there is to say of a card: that it was led, and that it is the best."""
    best = "took it" if trick.over else "best" if led else "best so far"
    return ", ".join(["led"] * led + [best] * wins)


def lay_last(surface: Surface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """The last trick small, with who took it; the card that did stands out."""
    assert trick.taker is not None
    width, high = (side * _SMALL for side in theme.CARD)
    middle = y + 12 + high / 2
    for i, said in enumerate(("last trick", names[trick.taker], "took it")):
        shown, size = fitted(said, _CAPTION, theme.LEAST_TYPE)
        ink = theme.IVORY if i == 1 else theme.MIST
        surface.text(18, middle + 38 * (i - 1), shown, size, ink, theme.FELT, "l")
    for i, laid in enumerate(trick.cards):
        x, wins = 18 + _CAPTION + 20 + (_SMALL_COLUMN + 20) * i, laid.seat == trick.taker
        if wins:
            surface.paste(x - 6 * _SMALL, y + 12 - 6 * _SMALL, table_pieces.glow, _SMALL)
        surface.paste(x, y + 12, card, laid.card, _SMALL, dimmed=not wins)
        surface.paste(x + width - 12, y + 4, table_pieces.token, laid.seat, _SMALL_TOKEN, False)
