"""Turn a game's screen into message blocks: headline and picture by default, or everything in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.screens.control_widths import SAFE_COLUMN_PIXELS
from cogs.screens.screen import MAX_SCREEN_TEXT, Screen
from cogs.table.pages.hand_controls import HandControls
from cogs.table.pages.page import Block, Menu, Press, Row, Text, press_rows, text_blocks
from cogs.table.wording.sentences import join_newest


@dataclass(frozen=True, slots=True)
class Reader:
    """How a person wants hands to look, and what they need to find their way."""

    words: bool = False  # show everything in words
    worth: bool = True  # show the line with values
    is_in_server: bool = True  # reads the page on a server; in direct messages no table is opened
    has_several_tables: bool = False  # plays at more than one table, so hands need the match id
    lines: tuple[str, ...] = ()  # what features add to the person's hand
    rows: tuple[Row, ...] = ()  # controls that features add to it


DEFAULT_READER = Reader()
NO_CONTROLS = HandControls(())
MAX_PARTS = 39  # components of a message; Discord allows 40 with the container around them


def hand_blocks(
    small: str,
    drawn: Screen,
    narration: Sequence[str],
    reader: Reader,
    controls: HandControls,
    presses: Sequence[Press],
    names: Sequence[str] = (),
) -> tuple[Block, ...]:
    """Return a hand from top to bottom. `presses` come last, after the button that leads back from a step.

    `names` are names that news can begin with. What a feature
    adds stands in the place of the values, because the tallest hands have no room for both on a phone. Steps show
    neither.
    """
    if reader.words:
        worth = drawn.worth_text and reader.worth and f"-# {drawn.worth_text}"
        whole = replace(drawn, above=(*drawn.above, worth)) if worth else drawn
        return merge_paragraphs(
            (
                *text_blocks((with_lines(small, reader),)),
                *word_blocks(whole, control_blocks(controls)),
                *press_rows(presses),
            )
        )
    if controls.chosen:
        heading = Text(heading_text(small, controls.question or controls.chosen, controls.description))
    else:
        worth, newest = drawn.worth_text and reader.worth and f"-# {drawn.worth_text}", join_newest(narration, names)
        text = heading_text(small, drawn.headline, newest, next(iter(reader.lines), worth or ""))
        heading = Text(text, newest)
    picture = (drawn.picture,) if drawn.picture else ()
    return (
        heading,
        *picture,
        *controls.step_rows,
        *_append_presses(controls.remaining, (*controls.back, *presses)),
    )


def with_lines(text: str, reader: Reader) -> str:
    """Return a text with what features add for its reader."""
    return "\n".join((text, *reader.lines))


def public_blocks(
    small: str, drawn: Screen, narration: Sequence[str], presses: Sequence[Press] = (), names: Sequence[str] = ()
) -> tuple[Block, ...]:
    """Return a table or a result from top to bottom."""
    return hand_blocks(small, drawn, narration, DEFAULT_READER, NO_CONTROLS, presses, names)


def word_blocks(drawn: Screen, controls: Sequence[Block] = ()) -> tuple[Block, ...]:
    """Return the whole screen in words, with the controls after the picture, cut to Discord's limit."""
    picture = (drawn.picture,) if drawn.picture else ()
    return (
        *text_blocks(drawn.above),
        *picture,
        *controls,
        *text_blocks(_fit_paragraphs(drawn.below, sum(map(len, drawn.above)))),
    )


def control_blocks(controls: HandControls) -> tuple[Block, ...]:
    """Return the controls, with the choices made so far between them."""
    chosen = f"**{controls.chosen}**" if controls.chosen else ""
    text = "\n".join(filter(None, (chosen, controls.question, controls.description)))
    return (*controls.step_rows, *text_blocks((text,)), *_append_presses(controls.remaining, controls.back))


def merge_paragraphs(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Merge adjacent paragraphs if the message has more components than Discord allows."""
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
    """Return the number of Discord components in a block."""
    if not isinstance(block, Row):
        return 1
    return 2 if isinstance(block.items, Menu) else 1 + len(block.items)


def _append_presses(controls: Sequence[Row], presses: Sequence[Press]) -> tuple[Row, ...]:
    """Append buttons to rows of controls: to the last row if they certainly fit there."""
    if controls and isinstance(controls[-1].items, tuple):
        last = press_rows((*controls[-1].items, *presses), SAFE_COLUMN_PIXELS)
        if len(last) == 1:
            return (*controls[:-1], *last)
    return (*controls, *press_rows(presses))


def heading_text(small: str, headline: str, narration: str = "", last: str = "") -> str:
    """Return the lines above a picture as one paragraph."""
    lines = (small, f"**{headline}**", narration, last)
    return "\n".join(line for line in lines if line)


def _fit_paragraphs(paragraphs: Sequence[str], used: int) -> list[str]:
    """Cut paragraphs to the room that is left: each keeps its first line and loses its oldest ones."""
    room = MAX_SCREEN_TEXT - used
    fitted: list[str] = []
    for paragraph in paragraphs:
        rest = paragraph.split("\n")
        while sum(map(len, rest)) + len(rest) > room and len(rest) > 1:
            rest.pop(1)
        fitted.append("\n".join(rest))
        room -= len(fitted[-1])
    return fitted
