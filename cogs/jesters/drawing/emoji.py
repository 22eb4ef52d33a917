"""Jesters' own emoji: dice with their patterns, what Jest cards teach, and Performances with what they bring."""

from __future__ import annotations

from itertools import combinations_with_replacement

from cogs.jesters.drawing.dice import ANY_COLOUR, technique_dice
from cogs.jesters.drawing.emoji_keys import dice_key, performance_key
from cogs.jesters.drawing.icons import performance_card
from cogs.pictures.emoji import UNITS, EmojiDrawing

_COLOURS, _ANY = range(4), 4
_DICE = [
    (_ANY,),
    (_ANY, _ANY),
    *((colour, _ANY) for colour in _COLOURS),
    *((colour,) for colour in _COLOURS),
    *combinations_with_replacement(_COLOURS, 2),
    *(three for three in combinations_with_replacement(_COLOURS, 3) if len(set(three)) > 1),
]
_FAMES = (0, *range(2, 10))


def _draw_dice(colours: tuple[int, ...]) -> EmojiDrawing:
    drawn = tuple(ANY_COLOUR if colour == _ANY else colour for colour in colours)
    return EmojiDrawing(technique_dice, (drawn, int(UNITS)))


EMOJI = {
    **{dice_key(colours): _draw_dice(colours) for colours in _DICE},
    **{performance_key(fame): EmojiDrawing(performance_card, (str(fame or ""), int(UNITS))) for fame in _FAMES},
}
