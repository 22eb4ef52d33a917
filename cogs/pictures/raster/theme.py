"""The theme of all pictures: colours, sizes, spacing, and the seats' tokens."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

Colour = tuple[int, int, int]

# Grounds
ROOM: Colour = (16, 42, 36)  # the darkest ground
FELT: Colour = (27, 86, 67)
FELT_DARK: Colour = (20, 66, 52)
WORN: Colour = (112, 78, 52)  # the edge of used-up things
WOOD: Colour = (116, 72, 38)  # the frame of a table
WOOD_LIGHT: Colour = (166, 112, 62)
WOOD_DARK: Colour = (66, 38, 20)
PLATE: Colour = (14, 50, 41)
SHADE: Colour = (10, 30, 25)  # outlines of things on the felt
MIST: Colour = (176, 208, 195)  # quiet words on dark grounds

CLOTHS: Mapping[str, Mapping[Colour, Colour]] = MappingProxyType(
    {
        "green": {},
        "midnight": {
            ROOM: (15, 25, 52),
            FELT: (36, 62, 112),
            FELT_DARK: (27, 47, 88),
            PLATE: (16, 30, 64),
            SHADE: (8, 16, 36),
            MIST: (184, 202, 232),
        },
        "burgundy": {
            ROOM: (48, 16, 26),
            FELT: (112, 38, 54),
            FELT_DARK: (86, 28, 42),
            PLATE: (60, 18, 30),
            SHADE: (34, 8, 16),
            MIST: (232, 202, 204),
        },
        "violet": {
            ROOM: (34, 22, 52),
            FELT: (80, 54, 114),
            FELT_DARK: (62, 41, 90),
            PLATE: (42, 27, 64),
            SHADE: (22, 12, 36),
            MIST: (214, 202, 232),
        },
        "walnut": {
            ROOM: (40, 27, 17),
            FELT: (98, 68, 44),
            FELT_DARK: (78, 53, 33),
            PLATE: (50, 33, 20),
            SHADE: (28, 17, 9),
            MIST: (226, 210, 188),
        },
    }
)
"""The cloths of the tables: what replaces each ground colour. A picture keeps its palette indices on every cloth."""

# Inks
IVORY: Colour = (252, 248, 238)
CREAM: Colour = (231, 223, 203)
INK: Colour = (29, 34, 46)
RED: Colour = (194, 32, 45)
GREEN: Colour = (24, 104, 66)
ORANGE: Colour = (194, 78, 10)
GOLD: Colour = (240, 190, 66)
GOLD_DARK: Colour = (176, 124, 28)
ROSE: Colour = (247, 176, 167)  # points lost, on dark grounds
LIME: Colour = (164, 230, 172)  # points won, on dark grounds

PAPER: Colour = (250, 244, 228)  # score sheets
PAPER_BAND: Colour = (240, 228, 202)  # every other line
PAPER_EDGE: Colour = (206, 186, 148)
BROWN: Colour = (104, 70, 42)  # quiet words on paper
CRIMSON: Colour = (166, 24, 38)  # points lost, on paper

# Special cards
INDIGO: Colour = (41, 40, 102)
VIOLET: Colour = (100, 88, 186)
PLUM: Colour = (112, 30, 82)
TEAL: Colour = (38, 150, 148)
SKIN: Colour = (244, 211, 180)
RUST: Colour = (134, 62, 26)
STONE: Colour = (118, 128, 146)
STONE_LIGHT: Colour = (166, 174, 188)
LEAF: Colour = (156, 208, 92)
PLANK: Colour = (196, 142, 84)
PLANK_DARK: Colour = (92, 56, 30)

# Dice
BLUE: Colour = (36, 92, 186)
PURPLE: Colour = (122, 58, 160)

SUIT_COLOURS = {"C": GREEN, "D": ORANGE, "H": RED, "S": INK}
DICE_COLOURS: tuple[tuple[str, Colour], ...] = (("red", RED), ("blue", BLUE), ("green", GREEN), ("purple", PURPLE))

SEAT_SIGNS: tuple[tuple[str, Colour, Colour], ...] = (  # shape, colour, the letter's colour
    ("circle", (240, 104, 92), INK),
    ("square", (98, 156, 238), INK),
    ("triangle", (244, 196, 72), INK),
    ("diamond", (138, 208, 104), INK),
    ("hexagon", (192, 144, 232), INK),
    ("cross", (240, 240, 232), INK),
)
SEAT_LETTERS = "ABCDEF"
TONE_COLOURS: dict[str, Colour] = {"plain": IVORY, "quiet": MIST, "gold": GOLD, "good": LIME, "bad": ROSE}

WIDTH = 1000  # width of every picture; all sizes here are in layout units
PIXELS_PER_UNIT = 0.9  # pixels per layout unit; a phone shows the whole width on 390 pixels
CARD_SIZE = (100, 140)  # width and height of a card in card units
LARGE = 1.5  # layout units per card unit, for cards in a hand
SMALL_SCALE = 0.72  # layout units per card unit, for cards at the side
MARGIN = 24
OVERSAMPLING = 4

MIN_TYPE_SIZE = 32  # eleven pixels if the whole width is 350; no information is in smaller type
NAME_TYPE_SIZE = 36
PLATE_GAP = 12

FADE_SHARE = 0.5  # share of the felt's colour in dimmed cards
SHADES = (0, 0.5, 1)  # from one colour to another that it meets; more are not seen, and take room in files
SHADED_COVERAGE = range(102, 154)  # of 255: how far ink covers a pixel that gets the shade in between

PAPER_TONES = {"plain": INK, "quiet": BROWN, "good": GREEN, "bad": CRIMSON}

# Pairs of colours that get shades in between, for smooth edges. Those of sheets are first in the palette, because a
# file has the palette only up to the last colour that it needs.
SHEET_PAIRS: tuple[tuple[Colour, Colour], ...] = (
    *product((PAPER, PAPER_BAND), PAPER_TONES.values()),
    (PAPER, PAPER_EDGE),
    *((colour, letter) for _, colour, letter in SEAT_SIGNS),
    *((colour, SHADE) for _, colour, _ in SEAT_SIGNS),
    *((FELT, ink) for ink in (IVORY, MIST, GOLD, FELT_DARK, RED, TEAL)),
    *((GOLD, ink) for ink in (INK, SHADE, GOLD_DARK)),
    (WOOD_DARK, SHADE),
    (INK, SHADE),
)
CARD_PAIRS: tuple[tuple[Colour, Colour], ...] = (  # these get dimmed shades, too
    *((IVORY, ink) for ink in (INK, RED, GREEN, ORANGE, GOLD, GOLD_DARK, CREAM, SHADE)),
    *((INDIGO, ink) for ink in (IVORY, GOLD, VIOLET, SKIN, SHADE)),
    *((PLUM, ink) for ink in (IVORY, GOLD, TEAL, RED, SKIN, SHADE)),
)
OTHER_PAIRS: tuple[tuple[Colour, Colour], ...] = (
    *((PLATE, ink) for ink in (IVORY, MIST, GOLD, ROSE, LIME, SHADE)),
    *((FELT, ink) for ink in (LIME, ROSE, SHADE)),
    *((RUST, ink) for ink in (IVORY, GOLD, RED, STONE, STONE_LIGHT, LEAF, PLANK, ROSE, SHADE)),
    *((STONE_LIGHT, ink) for ink in (STONE, INK, ROSE)),
    *((PLANK, ink) for ink in (PLANK_DARK, INK)),
    (LEAF, GOLD),
    (LEAF, INK),
    (ROOM, IVORY),
    (ROOM, MIST),
    (PLATE, WORN),
    (SHADE, WORN),
    (SKIN, INK),
    (VIOLET, GOLD),
    (IVORY, BLUE),
    (IVORY, PURPLE),
    (MIST, INK),
    (WOOD, WOOD_LIGHT),
    (WOOD, WOOD_DARK),
)
BRIGHT_PAIRS = (*SHEET_PAIRS, *CARD_PAIRS, *OTHER_PAIRS)
DOUBLED_COLOURS = (FELT, FELT_DARK)  # colours that are in the palette twice


def mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b
