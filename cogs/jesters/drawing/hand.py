"""The layouts of a hand of Jesters and of the final scoring."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.jesters.drawing import cards, dice, icons
from cogs.jesters.drawing.attempt import HEIGHT, lay_attempt
from cogs.jesters.drawing.cards import GIFT, JEST
from cogs.jesters.drawing.parts import ink_of, lay_dice, lay_gift
from cogs.jesters.spec import GiftFace, JestersHand, JestersLine, JestersSheet, JestFace
from cogs.pictures import theme, things
from cogs.pictures.canvas import S, Start, Surface

_LEFT = theme.MARGIN
_GAP = 10
_PLANS = ((5, 5, 1.2), (12, 6, 1.0))  # up to how many cards, how many in a row, how large
_CROWD = (7, 0.86)
_BELOW = 48  # the height of the words below the cards
_SPLIT, _GIFT, _GIFTS = 424, 0.84, 4  # where the Gifts begin, how large they are, how many in a row
_TECHNIQUE = (66, 56, 42)  # how large each is, of one, two and three on a Jest card
_CHOICE = 250  # the height of two Gifts to choose from
_NAMES, _TOP, _STEP = 336, 150, 66


def lay_jesters_hand(spec: JestersHand, start: Start[S]) -> S:
    """An attempt or a choice of Gifts; Jest cards, their upper halves to learn and their lower ones to change dice;
    dice and Gifts."""
    across, unit = next(((across, unit) for most, across, unit in _PLANS if len(spec.cards) <= most), _CROWD)
    height = JEST[1] * unit + _GAP if spec.cards or not spec.attempt else 60
    rows = max(1, -(-len(spec.cards) // across))
    top = theme.MARGIN + (HEIGHT + 40 if spec.attempt else _CHOICE + 10 if spec.choice else 0)
    below = top + rows * height + 8
    gifts = max(1, -(-len(spec.gifts) // _GIFTS)) * (GIFT[1] * _GIFT + _GAP)
    surface = start(things.tray, round(below + _BELOW + gifts))
    if spec.attempt:
        surface.paste(_GAP, _GAP, things.panel, theme.WIDTH - 2 * _GAP, HEIGHT + 40, False)
        lay_attempt(surface, spec.attempt, _GAP + 20)
    elif spec.choice:
        _lay_choice(surface, spec.choice)
    for i in range(0, len(spec.cards), across):
        _lay_row(surface, spec.cards[i : i + across], top + i // across * height, unit)
    if not spec.cards:
        surface.text(theme.WIDTH / 2, top + height / 2, "no Jest cards", 36, theme.IVORY, theme.FELT)
    _lay_below(surface, spec.dice, spec.gifts, below)
    return surface


def _lay_choice(surface: Surface, gifts: Sequence[GiftFace]) -> None:
    """Two Gifts of which one is to be kept."""
    surface.paste(_GAP, _GAP, things.panel, theme.WIDTH - 2 * _GAP, _CHOICE, True)
    surface.text(_LEFT + 20, _GAP + _CHOICE / 2, "keep one", 40, theme.GOLD, theme.PLATE, "l")
    for i, gift in enumerate(gifts):
        lay_gift(surface, gift, 330 + (GIFT[0] * 1.7 + 50) * i, _GAP + 16, 1.7)


def _lay_row(surface: Surface, cards: Sequence[JestFace], y: float, unit: float) -> None:
    step = JEST[0] * unit + _GAP
    left = (theme.WIDTH - step * len(cards) + _GAP) / 2
    for i, card in enumerate(cards):
        _lay_card(surface, card, left + step * i, y, unit)


def _lay_card(surface: Surface, card: JestFace, x: float, y: float, unit: float) -> None:
    surface.paste(x, y, cards.jest_half_card, unit, dimmed=card.dimmed)
    width, height = (side * unit for side in JEST)
    size = round(_TECHNIQUE[len(card.learn) - 1] * unit)
    step = size + 6 * unit
    first = x + width / 2 - (step * len(card.learn) - 6 * unit) / 2
    for i, colour in enumerate(card.learn):
        surface.paste(first + step * i, y + height * 0.29 - size / 2, dice.tech, colour, size, dimmed=card.dimmed)
    number = round(17 * unit)
    surface.text(x + 12 * unit, y + 15 * unit, str(card.number), number, theme.INK, theme.IVORY, "l")
    _lay_change(surface, card, x + width / 2, y + height * 0.76, unit)


def _lay_change(surface: Surface, card: JestFace, middle: float, y: float, unit: float) -> None:
    size = round(52 * unit)
    surface.paste(middle - 58 * unit, y - size / 2, dice.tech, card.colour, size, dimmed=card.dimmed)
    if card.change == "opposite":
        surface.paste(middle + 8 * unit, y - size / 2, icons.flip, size, dimmed=card.dimmed)
    else:
        surface.text(middle + 30 * unit, y, card.change, round(44 * unit), theme.IVORY, theme.PLATE)


def _lay_below(surface: Surface, dice: Sequence[int], gifts: Sequence[GiftFace], y: float) -> None:
    """The dice at the left, the Gifts at the right."""
    said = "your dice" if any(dice) else "no dice yet"
    surface.text(_LEFT + 6, y + 14, said, 26, theme.IVORY, theme.FELT, "l")
    lay_dice(surface, dice, _LEFT + 4, y + 46, 52, 97, theme.FELT, all_of=False)
    surface.text(_SPLIT + 6, y + 14, "your Gifts" if gifts else "no Gifts", 26, theme.IVORY, theme.FELT, "l")
    width, height = (side * _GIFT + _GAP for side in GIFT)
    for i, gift in enumerate(gifts):
        lay_gift(surface, gift, _SPLIT + width * (i % _GIFTS), y + 36 + height * (i // _GIFTS), _GIFT)


def lay_jesters_sheet(spec: JestersSheet, start: Start[S]) -> S:
    """A column a seat under its token and place, a line for each thing that scores, the totals below."""
    height = _TOP + _STEP * len(spec.lines) + 100
    surface = start(things.room, height)
    width = (theme.WIDTH - _NAMES - 16) / len(spec.totals)
    columns = [_NAMES + width * (seat + 0.5) for seat in range(len(spec.totals))]
    for seat, x in enumerate(columns):
        surface.paste(x - 42, 14, things.token, seat, 84)
        surface.paste(x - 32, 104, things.tag, things.PLACES[spec.places[seat] - 1])
    for i, line in enumerate(spec.lines):
        _lay_line(surface, line, i, columns)
    surface.text(_LEFT, height - 52, "total", 32, theme.MIST, theme.PLATE, "l")
    for x, total in zip(columns, spec.totals, strict=True):
        surface.text(x, height - 52, total, 54, theme.GOLD, theme.PLATE)
    return surface


def _lay_line(surface: Surface, line: JestersLine, i: int, columns: Sequence[float]) -> None:
    y = _TOP + _STEP * (i + 0.5)
    ground = theme.PLATE
    if i % 2 == 0:
        surface.paste(0, y - _STEP / 2, things.band, _STEP)
        ground = theme.ROOM
    surface.text(_LEFT, y, line.name, 28, theme.IVORY, ground, "l")
    for j, symbol in enumerate(reversed(line.symbols)):
        surface.paste(_NAMES - 62 - 58 * j, y - 26, icons.symbol, symbol, 52)
    for x, (count, points) in zip(columns, line.cells, strict=True):
        surface.text(x - 14, y, count, 24, theme.MIST, ground, "r")
        surface.text(x + (2 if count else -16), y, points, 36, ink_of(points), ground, "l")
