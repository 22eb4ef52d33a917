"""The emoji that all games share: cards, suits, crests and the menu's dots; and how emoji become PNG files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from hashlib import blake2b
from io import BytesIO
from itertools import product
from typing import NamedTuple

from PIL import Image

from cogs.pictures import emblems, table_pieces
from cogs.pictures.raster import sprite_cache, theme
from cogs.pictures.raster.pen import DrawFunction, Drawing, Pen

PIXELS = 128  # width and height of an emoji
UNITS = PIXELS / theme.PIXELS_PER_UNIT  # the same in layout units
DIGEST_BYTES = 3
_CARD = (100, 120)  # width and height of a card: broader than on the table, so that its rank is larger
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANK_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_CREST_NAMES = ("star", "tower", "flame", "leaf", "moon", "ring")


class EmojiDrawing(NamedTuple):
    """A module-level function and its arguments, which draw an emoji of at most `PIXELS` in width and height."""

    draw: DrawFunction
    arguments: tuple[Hashable, ...] = ()


EmojiDrawings = Mapping[str, EmojiDrawing]
"""Emoji by key: plain words with underscores, such as `king_of_hearts`."""


def emoji_png(drawing: EmojiDrawing) -> bytes:
    """Return the emoji as a PNG file: the drawing in the middle of a transparent square."""
    file = BytesIO()
    _square_image(drawing).save(file, "PNG")
    return file.getvalue()


@cache  # each start asks for all of them
def emoji_digest(drawing: EmojiDrawing) -> str:
    """Return a short digest of the emoji's pixels, from the sprite cache if possible."""
    cached = sprite_cache.load_cached(pack_emoji_digest, drawing.draw, *drawing.arguments)
    return (cached or pack_emoji_digest(drawing.draw, *drawing.arguments)).hex()


def pack_emoji_digest(draw: DrawFunction, *arguments: Hashable) -> bytes:
    """Compute the digest of an emoji's pixels."""
    pixels = _square_image(EmojiDrawing(draw, arguments)).tobytes()
    return blake2b(pixels, digest_size=DIGEST_BYTES).digest()


def _square_image(drawing: EmojiDrawing) -> Image.Image:
    art = drawing.draw(*drawing.arguments)
    image = art.image.convert("RGBA")
    if art.mask is not None:
        image.putalpha(art.mask)
    square = Image.new("RGBA", (PIXELS, PIXELS))
    square.paste(image, ((PIXELS - image.width) // 2, (PIXELS - image.height) // 2))
    return square


def playing_card(rank: str, suit: str) -> Drawing:
    """Draw a card: a large rank over a large suit. J and Q move up a little, because they have descenders."""
    pen, ink = _blank_card(theme.IVORY), theme.SUIT_COLOURS[suit]
    if rank == "10":  # set closely, to be hardly wider than the others
        pen.text(32, 34, "1", 45, ink)
        pen.text(62, 34, "0", 45, ink)
    elif rank in "JQ":
        pen.text(50, 29, rank, 38, ink)
    else:
        pen.text(50, 34, rank, 46, ink)
    emblems.draw_pip(pen, suit, 50, 87, 48)
    return pen.finish()


def figure_card(ground: theme.Colour, draw_figure: Callable[[Pen, float, float, float], None]) -> Drawing:
    """Draw a card with a head or a figure alone."""
    pen = _blank_card(ground)
    draw_figure(pen, 50, 60, 74)
    return pen.finish()


def _blank_card(ground: theme.Colour) -> Pen:
    pen = Pen(*_CARD, UNITS / _CARD[1])
    pen.box(0, 0, 100, 120, 16, theme.SHADE, in_mask=True)
    pen.box(3, 3, 97, 117, 13, theme.IVORY)
    pen.box(6, 6, 94, 114, 10, ground)
    return pen


def suit_tile(suit: str) -> Drawing:
    """Draw a suit on an ivory tile, so that it can be seen on dark and on light ground."""
    pen = Pen(100, 100, UNITS / 100)
    pen.box(0, 0, 100, 100, 24, theme.SHADE, in_mask=True)
    pen.box(3, 3, 97, 97, 21, theme.IVORY)
    emblems.draw_pip(pen, suit, 50, 50, 76)
    return pen.finish()


def crest(seat: int) -> Drawing:
    """Draw a seat's crest: its shape, its colour and its emblem."""
    return table_pieces.seat_token(seat, int(UNITS), False)


def three_dots() -> Drawing:
    """Draw the sign of a menu. Each dot has a rim, so that it can be seen on dark and on light ground."""
    pen = Pen(100, 100, UNITS / 100)
    for x in (17, 50, 83):
        pen.oval(x, 50, 16, 16, theme.SHADE, in_mask=True)
        pen.oval(x, 50, 12, 12, theme.IVORY)
    return pen.finish()


@cache
def shared_emoji() -> EmojiDrawings:
    """Return the emoji that any game may use."""
    ranks = ("A", *map(str, range(2, 11)), "J", "Q", "K")
    cards = {
        f"{_RANK_NAMES.get(rank, rank)}_of_{name}": EmojiDrawing(playing_card, (rank, suit))
        for (suit, name), rank in product(_SUIT_NAMES.items(), ranks)
    }
    suits = {name: EmojiDrawing(suit_tile, (suit,)) for suit, name in _SUIT_NAMES.items()}
    crests = {f"{name}_crest": EmojiDrawing(crest, (seat,)) for seat, name in enumerate(_CREST_NAMES)}
    joker = EmojiDrawing(figure_card, (theme.IVORY, emblems.draw_joker))
    return {**cards, "joker": joker, **suits, **crests, "more": EmojiDrawing(three_dots)}
