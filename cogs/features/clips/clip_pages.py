"""The messages with a clip: the private one in which it is chosen, and the posted one. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cogs.features.clips.clip_frames import WHOLE_MATCH, Clip
from cogs.pictures.spec import FinishedImage
from cogs.screens.screen import Picture
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.page import GOLD, Block, Line, Menu, Page, Press, Row, Text, press_rows
from cogs.table.wording.player_names import markdown_name
from engines.hosting.match import RequestRefused
from engines.store.match_store import MatchInfo

FILE_NAME = "clip.gif"
WHOLE_LABEL = "The moments that mattered"
SECTION = r"\d{1,2}"


def clip_page(info: MatchInfo, title: str, clip: Clip, chosen: int, *, can_post: bool, note: str = "") -> Page:
    """Return the private message with a clip, to choose another one or to post this one."""
    hint = note or (
        "Only you can see this. **Post** shows it to everybody in the channel of the match." if can_post else ""
    )
    blocks: list[Block] = [Text(f"**{title}** · {section_label(clip, chosen)}"), _picture(clip)]
    blocks += [Text(f"-# {hint}")] if hint else []
    labels = [WHOLE_LABEL, *clip.sections] if len(clip.sections) > 1 else []
    lines = tuple(Line(label, str(number), chosen=number == chosen) for number, label in enumerate(labels))
    blocks += [Row(Menu(feature_id("clips", info.id, "pick"), "Another clip", lines))] if lines else []
    post = Press("Post", feature_id("clips", info.id, "post", chosen), "primary")
    return Page((*blocks, *press_rows((post,) if can_post else ())))


def posted_page(title: str, match: str, clip: Clip, chosen: int, name: str) -> Page:
    """Return the message for everybody, with the name of the person who posted it."""
    text = f"**{title}** · {section_label(clip, chosen)}\n-# match `{match}` · posted by {markdown_name(name)}"
    return Page((Text(text), _picture(clip)), GOLD)


def section_label(clip: Clip, chosen: int) -> str:
    """Return what a clip shows: `Round 3`."""
    return WHOLE_LABEL if chosen == WHOLE_MATCH else clip.sections[chosen - 1]


def parse_section(values: Sequence[str]) -> int:
    """Return the section that was picked in the list; 0 stands for the whole match. Raises RequestRefused."""
    if len(values) != 1 or not re.fullmatch(SECTION, values[0], re.ASCII):
        raise RequestRefused("Please choose from what the list offers.")
    return int(values[0])


def _picture(clip: Clip) -> Picture:
    return Picture(FinishedImage(clip.digest, clip.content), FILE_NAME, clip.alt)
