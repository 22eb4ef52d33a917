"""How a game's screen becomes a message: one look at it for most people, all of it in words for who wants words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.screens.control_widths import NEWS_WIDTH, SAFE_COLUMN_PIXELS, estimate_width
from cogs.screens.control_widths import count_lines as lines_of
from cogs.screens.screen import MAX_SCREEN_TEXT, Screen
from cogs.screens.truncation import truncate
from cogs.screens.words import capitalize
from cogs.table.pages.hand_controls import HandControls
from cogs.table.pages.page import Block, Menu, Press, Row, Text, press_rows, text_blocks


@dataclass(frozen=True, slots=True)
class Reader:
    """How somebody wants hands to be shown, and whether the match has to be told from others of theirs."""

    words: bool = False  # all of it in words
    worth: bool = True  # what things are worth, in a line
    is_new: bool = False  # the game: they have not opened its rules yet, nor made a few moves
    has_several_tables: bool = False  # plays at more than one table


DEFAULT_READER = Reader()
NO_CONTROLS = HandControls(())
NEWS_LINES = 2
MAX_PARTS = 39  # of a message, beside the frame around them: Discord takes 40


def hand_blocks(
    small: str,
    drawn: Screen,
    news: Sequence[str],
    reader: Reader,
    controls: HandControls,
    presses: Sequence[Press],
    names: Sequence[str] = (),
) -> tuple[Block, ...]:
    """A hand from top to bottom. `presses` stand in the last row, after the way back from a step.

    `names` are those with which news may begin: what one did on and on is told of them once.
    """
    if reader.words:
        worth = drawn.worth_text and reader.worth and f"-# {drawn.worth_text}"
        whole = replace(drawn, above=(*drawn.above, worth)) if worth else drawn
        return merge_paragraphs(
            (*text_blocks((small,)), *word_blocks(whole, control_blocks(controls)), *press_rows(presses))
        )
    if controls.chosen:
        said = heading_text(small, controls.question or controls.chosen, controls.description)
    else:
        said = heading_text(small, drawn.headline, join_newest(news, names), drawn.worth_text if reader.worth else "")
    picture = (drawn.picture,) if drawn.picture else ()
    return (
        *text_blocks((said,)),
        *picture,
        *controls.step_rows,
        *_append_presses(controls.remaining, (*controls.back, *presses)),
    )


def public_blocks(
    small: str, drawn: Screen, news: Sequence[str], presses: Sequence[Press] = (), names: Sequence[str] = ()
) -> tuple[Block, ...]:
    """A table or a result from top to bottom."""
    return hand_blocks(small, drawn, news, DEFAULT_READER, NO_CONTROLS, presses, names)


def word_blocks(drawn: Screen, controls: Sequence[Block] = ()) -> tuple[Block, ...]:
    """All that a screen has to say, the controls next to the picture, cut where Discord would refuse it."""
    picture = (drawn.picture,) if drawn.picture else ()
    return (
        *text_blocks(drawn.above),
        *picture,
        *controls,
        *text_blocks(_fit_paragraphs(drawn.below, sum(map(len, drawn.above)))),
    )


def control_blocks(controls: HandControls) -> tuple[Block, ...]:
    """The controls, with what was chosen so far between them."""
    chosen = f"**{controls.chosen}**" if controls.chosen else ""
    said = "\n".join(filter(None, (chosen, controls.question, controls.description)))
    return (*controls.step_rows, *text_blocks((said,)), *_append_presses(controls.remaining, controls.back))


def merge_paragraphs(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The same; where Discord would not take so many parts, paragraphs that follow each other are one."""
    if sum(map(_count_parts, blocks)) <= MAX_PARTS:
        return tuple(blocks)
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Text) and found and isinstance(before := found[-1], Text):
            found[-1] = Text(f"{before.text}\n\n{block.text}")
        else:
            found.append(block)
    return tuple(found)


def _count_parts(block: Block) -> int:
    """How many parts of a message it is."""
    if not isinstance(block, Row):
        return 1
    return 2 if isinstance(block.items, Menu) else 1 + len(block.items)


def _append_presses(controls: Sequence[Row], presses: Sequence[Press]) -> tuple[Row, ...]:
    """Rows of controls with these buttons at their end: in the last row, where they surely find room there."""
    if controls and isinstance(controls[-1].items, tuple):
        last = press_rows((*controls[-1].items, *presses), SAFE_COLUMN_PIXELS)
        if len(last) == 1:
            return (*controls[:-1], *last)
    return (*controls, *press_rows(presses))


def heading_text(small: str, headline: str, news: str = "", worth: str = "") -> str:
    """What stands above a picture, in one paragraph."""
    said = (small, f"**{headline}**", news, worth and f"-# {worth}")
    return "\n".join(line for line in said if line)


def join_newest(news: Sequence[str], names: Sequence[str] = ()) -> str:
    """The newest news side by side, in the two lines that there are for them; no line begins with a dot."""
    said = ""
    for item in reversed(news):
        longer = (
            _join_news(item, said, names)
            if said
            else truncate(item, NEWS_WIDTH, lambda text: math.ceil(estimate_width(text)))
        )
        if said and lines_of(longer) > NEWS_LINES:
            break
        said = longer
    return capitalize(said)


def _join_news(item: str, said: str, names: Sequence[str]) -> str:
    """News and what came after them: by the same one, who is then named once, or by others."""
    who = _leading_name(item, names)
    if who and who == _leading_name(said, names):
        return f"{item}; {said.removeprefix(f'{who} ')}"
    return f"{item}\N{NO-BREAK SPACE}· {said}"


def _leading_name(said: str, names: Sequence[str]) -> str:
    """The name with which it begins, if any."""
    return max((name for name in names if said.startswith(f"{name} ")), key=len, default="")


def _fit_paragraphs(paragraphs: Sequence[str], used: int) -> list[str]:
    """The paragraphs that fit in a message, the last one shortened by its oldest lines where it must be."""
    room = MAX_SCREEN_TEXT - used
    kept: list[str] = []
    for paragraph in paragraphs:
        rest = paragraph.split("\n")
        while sum(map(len, rest)) + len(rest) > room and len(rest) > 1:
            rest.pop(1)
        kept.append("\n".join(rest))
        room -= len(kept[-1])
    return kept
