"""The layout of a trick: its cards in playing order with their seats, and the seat that takes it."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text
from cogs.wizard.drawing.cards import wizard_card
from cogs.wizard.drawing.spec import Trick

_TRICK_SCALE, _LAST_SCALE = 1.26, 0.72
_COLUMN_WIDTH, _SMALL_COLUMN_WIDTH = 162, 104  # six of them fill the width
_GLOW, _LIFT, _LINE, _TOKEN, _SMALL_TOKEN = 8, 8, 37, 50, 40
_CAPTION_WIDTH = 180


def trick_height(trick: Trick) -> int:
    """Return the height of a trick: cards, names, and captions on the first and the best card."""
    return round(theme.CARD_SIZE[1] * _TRICK_SCALE) + _LIFT + 2 * _GLOW + 2 * _LINE if trick.cards else 0


def last_trick_height(trick: Trick) -> int:
    """Return the height of the small last trick."""
    return round(theme.CARD_SIZE[1] * _LAST_SCALE) + 24 if trick.cards else 0


def lay_trick(surface: DrawingSurface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """Lay cards side by side, each with its seat's crest and name. The best card is lifted.

    If the trick is being gathered, the other cards lie on their way below the taker's, without names.
    """
    if not trick.gathered:
        for i in range(len(trick.cards)):
            _lay_card(surface, y, trick, i, _card_middle(trick, i))
            _lay_card_words(surface, y, trick, i, names)
        return
    taker = next(i for i, laid in enumerate(trick.cards) if laid.seat == trick.taker)
    goal = _card_middle(trick, taker)
    for i in range(len(trick.cards)):
        if i != taker:
            middle = _card_middle(trick, i)
            _lay_card(surface, y, trick, i, middle + (goal - middle) * trick.gathered / 100)
    _lay_card(surface, y, trick, taker, goal)
    _lay_card_words(surface, y, trick, taker, names)


def _card_middle(trick: Trick, number: int) -> float:
    """Return the middle of a card's column."""
    return (theme.WIDTH - _COLUMN_WIDTH * len(trick.cards)) / 2 + _COLUMN_WIDTH * (number + 0.5)


def _is_winning(trick: Trick, number: int) -> bool:
    return trick.cards[number].seat == trick.taker and not trick.vanishes


def _lay_card(surface: DrawingSurface, y: float, trick: Trick, number: int, middle: float) -> None:
    """Lay a card of the trick with its crest."""
    width, high = (side * _TRICK_SCALE for side in theme.CARD_SIZE)
    laid, wins = trick.cards[number], _is_winning(trick, number)
    x, top = middle - width / 2, y + _GLOW + (0 if wins else _LIFT)
    if wins:
        surface.paste(x - 6 * _TRICK_SCALE, top - 6 * _TRICK_SCALE, table_pieces.card_glow, _TRICK_SCALE)
    surface.paste(x, top, wizard_card, laid.card, _TRICK_SCALE, dimmed=trick.over and not wins)
    surface.paste(x + 4, top + high - _TOKEN - 6, table_pieces.seat_token, laid.seat, _TOKEN, False)


def _lay_card_words(surface: DrawingSurface, y: float, trick: Trick, number: int, names: Sequence[str]) -> None:
    """Lay the name below a card, and its caption."""
    laid, wins = trick.cards[number], _is_winning(trick, number)
    middle = _card_middle(trick, number)
    ink = theme.GOLD if wins else theme.IVORY
    below = y + _LIFT + theme.CARD_SIZE[1] * _TRICK_SCALE + 2 * _GLOW + _LINE / 2
    name, room = names[laid.seat], _COLUMN_WIDTH - 8
    lay_name(surface, middle, below, name, room, ink, theme.FELT, size=theme.MIN_TYPE_SIZE + 2)
    said = _card_caption(trick, is_led=number == 0, is_best=laid.seat == trick.taker)
    surface.text(middle, below + _LINE - 4, said, theme.MIN_TYPE_SIZE, ink if wins else theme.MIST, theme.FELT)


def _card_caption(trick: Trick, is_led: bool, is_best: bool) -> str:
    """The captions of a card: whether it was led, and whether it is the best."""
    if trick.vanishes:
        best = "leads next" if trick.over else "would lead"
    else:
        best = "took it" if trick.over else "best" if is_led else "best so far"
    return ", ".join(["led"] * is_led + [best] * is_best)


def lay_last_trick(surface: DrawingSurface, y: float, trick: Trick, names: Sequence[str]) -> None:
    """Lay the small last trick with its taker. The winning card stands out."""
    assert trick.taker is not None
    width, high = (side * _LAST_SCALE for side in theme.CARD_SIZE)
    middle = y + 12 + high / 2
    for i, said in enumerate(("last trick", "nobody" if trick.vanishes else names[trick.taker], "took it")):
        shown, size = fit_text(said, _CAPTION_WIDTH, theme.MIN_TYPE_SIZE)
        ink = theme.IVORY if i == 1 else theme.MIST
        surface.text(22, middle + 38 * (i - 1), shown, size, ink, theme.FELT, "l")
    for i, laid in enumerate(trick.cards):
        x, wins = 18 + _CAPTION_WIDTH + 20 + (_SMALL_COLUMN_WIDTH + 20) * i, laid.seat == trick.taker
        wins = wins and not trick.vanishes
        if wins:
            surface.paste(x - 6 * _LAST_SCALE, y + 12 - 6 * _LAST_SCALE, table_pieces.card_glow, _LAST_SCALE)
        surface.paste(x, y + 12, wizard_card, laid.card, _LAST_SCALE, dimmed=not wins)
        surface.paste(x + width - 12, y + 4, table_pieces.seat_token, laid.seat, _SMALL_TOKEN, False)
