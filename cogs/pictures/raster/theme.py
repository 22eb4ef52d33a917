"""The theme of all pictures: colours, sizes, spacing, and the seats' tokens."""

from __future__ import annotations

Colour = tuple[int, int, int]

# Grounds
ROOM: Colour = (16, 42, 36)  # the darkest ground
FELT: Colour = (27, 86, 67)
FELT_DARK: Colour = (20, 66, 52)
WORN: Colour = (112, 78, 52)  # the edge of used-up things
PLATE: Colour = (14, 50, 41)
SHADE: Colour = (10, 30, 25)  # outlines of things on the felt

# Inks
IVORY: Colour = (252, 248, 238)
CREAM: Colour = (231, 223, 203)
MIST: Colour = (176, 208, 195)  # quiet words on dark grounds
INK: Colour = (29, 34, 46)
RED: Colour = (194, 32, 45)
GREEN: Colour = (24, 104, 66)
ORANGE: Colour = (194, 78, 10)
GOLD: Colour = (240, 190, 66)
GOLD_DARK: Colour = (176, 124, 28)
ROSE: Colour = (247, 176, 167)  # points lost, on dark grounds
LIME: Colour = (164, 230, 172)  # points won, on dark grounds

# Special cards
INDIGO: Colour = (41, 40, 102)
VIOLET: Colour = (100, 88, 186)
PLUM: Colour = (112, 30, 82)
TEAL: Colour = (38, 150, 148)
SKIN: Colour = (244, 211, 180)

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
SHADE_STEPS = 2  # shades between two colours that meet in a drawing
TEXT_SHADE_STEPS = 3  # shades between words and their ground

BLENDED_PAIRS: tuple[tuple[Colour, Colour], ...] = (  # pairs that get shades in between, for smooth edges
    *((IVORY, ink) for ink in (INK, RED, GREEN, ORANGE, GOLD, GOLD_DARK, CREAM, SHADE)),
    *((INDIGO, ink) for ink in (IVORY, GOLD, VIOLET, SKIN, SHADE)),
    *((PLUM, ink) for ink in (IVORY, GOLD, TEAL, RED, SKIN, SHADE)),
    *((PLATE, ink) for ink in (IVORY, MIST, GOLD, ROSE, LIME, SHADE)),
    *((FELT, ink) for ink in (IVORY, GOLD, MIST, LIME, ROSE, SHADE, FELT_DARK)),
    *((colour, letter) for _, colour, letter in SEAT_SIGNS),
    (ROOM, IVORY),
    (ROOM, MIST),
    (PLATE, WORN),
    (SHADE, WORN),
    (GOLD, INK),
    (GOLD, SHADE),
    (GOLD, GOLD_DARK),
    (SKIN, INK),
    (VIOLET, GOLD),
    (IVORY, BLUE),
    (IVORY, PURPLE),
    (MIST, INK),
    *((FELT, colour) for _, colour, _ in SEAT_SIGNS),
    *((PLATE, colour) for _, colour, _ in SEAT_SIGNS),
)
TEXT_COLOURS = ((PLATE, IVORY), (PLATE, MIST), (PLATE, GOLD), (FELT, IVORY))  # ground and ink of most words
DOUBLED_COLOURS = (FELT, FELT_DARK)  # colours that are in the palette twice
