"""Jesters' own emoji: dice with their patterns, what Jest cards teach, and Performances with what they bring."""

from __future__ import annotations

from itertools import combinations_with_replacement

from cogs.jesters.drawing.dice import ANY_COLOUR, technique_dice
from cogs.jesters.drawing.emoji_keys import dice_key, performance_key
from cogs.jesters.drawing.icons import performance_card
from cogs.pictures.emoji import UNITS, EmojiDrawing
from engines.jesters.components.catalogue import ANY, COLOURS, all_components

_TAUGHT = {tuple(sorted(card.top)) for card in all_components().jest_cards}
_CHOSEN = {*((colour,) for colour in range(len(COLOURS))), *combinations_with_replacement(range(len(COLOURS)), 2)}
_FAMES = {0, *(performance.fame for performance in all_components().performances)}


def _draw_dice(colours: tuple[int, ...]) -> EmojiDrawing:
    return EmojiDrawing(
        technique_dice, (tuple(ANY_COLOUR if colour == ANY else colour for colour in colours), int(UNITS))
    )


EMOJI = {
    **{dice_key(colours): _draw_dice(colours) for colours in sorted(_TAUGHT | _CHOSEN)},
    **{performance_key(fame): EmojiDrawing(performance_card, (str(fame or ""), int(UNITS))) for fame in sorted(_FAMES)},
}
