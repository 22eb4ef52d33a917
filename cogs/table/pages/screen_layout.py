"""How a game's screen becomes a message: one look at it for most people, all of it in words for who wants words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cogs.screens.control_widths import NEWS, SURELY, breadth
from cogs.screens.control_widths import lines as lines_of
from cogs.screens.screen import WORDS, Screen
from cogs.screens.truncation import cut
from cogs.screens.words import opening
from cogs.table.pages.hand_controls import Laid
from cogs.table.pages.page import Block, Menu, Press, Row, Text, rows, texts


@dataclass(frozen=True, slots=True)
class Reader:
    """How somebody wants hands to be shown, and whether the match has to be told from others of theirs."""

    words: bool = False  # all of it in words
    worth: bool = True  # what things are worth, in a line
    new: bool = False  # the game: they have not opened its rules yet, nor made a few moves
    several: bool = False  # plays at more than one table


ANYBODY = Reader()
NOTHING = Laid(())
NEWS_LINES = 2
PARTS = 39  # of a message, beside the frame around them: Discord takes 40


def hand(
    small: str,
    drawn: Screen,
    news: Sequence[str],
    reader: Reader,
    laid: Laid,
    presses: Sequence[Press],
    names: Sequence[str] = (),
) -> tuple[Block, ...]:
    """A hand from top to bottom. `presses` stand in the last row, after the way back from a step.

    `names` are those with which news may begin: what one did on and on is told of them once.
    """
    if reader.words:
        worth = drawn.worth and reader.worth and f"-# {drawn.worth}"
        whole = replace(drawn, above=(*drawn.above, worth)) if worth else drawn
        return fewer((*texts((small,)), *in_words(whole, told(laid)), *rows(presses)))
    if laid.chosen:
        said = lines(small, laid.asks or laid.chosen, laid.said)
    else:
        said = lines(small, drawn.headline, briefly(news, names), drawn.worth if reader.worth else "")
    picture = (drawn.picture,) if drawn.picture else ()
    return (*texts((said,)), *picture, *laid.way, *_ended(laid.left, (*laid.back, *presses)))


def public(
    small: str, drawn: Screen, news: Sequence[str], presses: Sequence[Press] = (), names: Sequence[str] = ()
) -> tuple[Block, ...]:
    """A table or a result from top to bottom."""
    return hand(small, drawn, news, ANYBODY, NOTHING, presses, names)


def in_words(drawn: Screen, controls: Sequence[Block] = ()) -> tuple[Block, ...]:
    """All that a screen has to say, the controls next to the picture, cut where Discord would refuse it."""
    picture = (drawn.picture,) if drawn.picture else ()
    return (*texts(drawn.above), *picture, *controls, *texts(_fitting(drawn.below, sum(map(len, drawn.above)))))


def told(laid: Laid) -> tuple[Block, ...]:
    """The controls, with what was chosen so far between them."""
    chosen = f"**{laid.chosen}**" if laid.chosen else ""
    said = "\n".join(filter(None, (chosen, laid.asks, laid.said)))
    return (*laid.way, *texts((said,)), *_ended(laid.left, laid.back))


def fewer(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The same; where Discord would not take so many parts, paragraphs that follow each other are one."""
    if sum(map(_parts, blocks)) <= PARTS:
        return tuple(blocks)
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Text) and found and isinstance(before := found[-1], Text):
            found[-1] = Text(f"{before.text}\n\n{block.text}")
        else:
            found.append(block)
    return tuple(found)


def _parts(block: Block) -> int:
    """How many parts of a message it is."""
    if not isinstance(block, Row):
        return 1
    return 2 if isinstance(block.items, Menu) else 1 + len(block.items)


def _ended(controls: Sequence[Row], presses: Sequence[Press]) -> tuple[Row, ...]:
    """Rows of controls with these buttons at their end: in the last row, where they surely find room there."""
    if controls and isinstance(controls[-1].items, tuple):
        last = rows((*controls[-1].items, *presses), SURELY)
        if len(last) == 1:
            return (*controls[:-1], *last)
    return (*controls, *rows(presses))


def lines(small: str, headline: str, news: str = "", worth: str = "") -> str:
    """What stands above a picture, in one paragraph."""
    said = (small, f"**{headline}**", news, worth and f"-# {worth}")
    return "\n".join(line for line in said if line)


def briefly(news: Sequence[str], names: Sequence[str] = ()) -> str:
    """The newest news side by side, in the two lines that there are for them; no line begins with a dot."""
    said = ""
    for item in reversed(news):
        longer = _before(item, said, names) if said else cut(item, NEWS, lambda text: math.ceil(breadth(text)))
        if said and lines_of(longer) > NEWS_LINES:
            break
        said = longer
    return opening(said)


def _before(item: str, said: str, names: Sequence[str]) -> str:
    """News and what came after them: by the same one, who is then named once, or by others."""
    who = _who(item, names)
    if who and who == _who(said, names):
        return f"{item}; {said.removeprefix(f'{who} ')}"
    return f"{item}\N{NO-BREAK SPACE}· {said}"


def _who(said: str, names: Sequence[str]) -> str:
    """The name with which it begins, if any."""
    return max((name for name in names if said.startswith(f"{name} ")), key=len, default="")


def _fitting(paragraphs: Sequence[str], used: int) -> list[str]:
    """The paragraphs that fit in a message, the last one shortened by its oldest lines where it must be."""
    room = WORDS - used
    kept: list[str] = []
    for paragraph in paragraphs:
        rest = paragraph.split("\n")
        while sum(map(len, rest)) + len(rest) > room and len(rest) > 1:
            rest.pop(1)
        kept.append("\n".join(rest))
        room -= len(kept[-1])
    return kept
