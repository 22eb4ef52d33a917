"""Laws of news: every event is told, and to nobody whom it does not concern."""

from __future__ import annotations

import re
import typing
from collections.abc import Collection
from typing import Any

from cogs.screens.screen import Context, GameScreen
from cogs.table.pages.page import Page, Text
from cogs.table.wording import narration
from engines.kit.contract import AnyGame, Event
from tests.contract.helper import Helper, Start
from tests.contract.shown import LONG, context, everything, looks
from tests.contract.walk import readers

LONGEST = 500  # more is told of no news, see cogs.screens.words.newest
NO_WORDS = re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|-1|\w\(\w+=|[\[{’]|\n")  # apostrophes are straight everywhere


def every_event_is_told(helper: Helper, start: Start) -> None:
    """A screen has a sentence for every event, but for the kinds that its helper says need none.

    All kinds of the game's events happen in the matches; of rare ones the helper has samples.
    """
    happened = {type(event) for each in helper.starts() for event in _events(helper, each)}
    rare = {type(event) for event in helper.rare()}
    assert not happened & rare, f"not rare at all: {happened & rare}"
    assert happened | rare == kinds(helper.game), f"never met: {kinds(helper.game) - happened - rare}"
    names = context(helper, looks(helper, start, LONG)[0])
    for event in (*_events(helper, start), *helper.rare()):
        said = helper.screen.tell(event, names)
        assert (said is None) == (type(event) in helper.untold), f"{event} is told as {said}"
        if said is not None:
            assert said.endswith((".", "!", ".”")), f"no sentence: {said}"
            assert len(said) < LONGEST, f"too long: {said}"
            assert not NO_WORDS.search(said), f"no words: {said}"


def kinds(game: AnyGame) -> set[type[Event]]:
    """All kinds of a game's events."""
    return set(_members(game.event))


def _members(union: Any) -> list[type[Event]]:
    if isinstance(union, type):
        return [union] if issubclass(union, Event) else []
    return [kind for part in typing.get_args(union) for kind in _members(part)]


def _events(helper: Helper, start: Start) -> list[Event]:
    """The events of a match, each once."""
    return list(dict.fromkeys(told.event for look in looks(helper, start) for told in look.told))


def private_news_stay_private(helper: Helper, start: Start) -> None:
    """What is told of a private event stands in no page of anybody else; and all news are of what their reader may see.

    What somebody else learns of a move may well be said in the same words as what one learns oneself.
    """
    screen = helper.screen
    for look in looks(helper, start):
        names = context(helper, look, news=())
        newest = [told.event for told in look.told if told.move == look.info.moves]
        said = {reader: _told(screen, [e for e in newest if e.seen_by(reader)], names) for reader in readers(start)}
        if any(event.to is not None for event in newest):
            every = _told(screen, newest, names)
            for reader, page in everything(helper, look):
                _silent(page, every - said[reader])
        for reader in readers(start):
            may = {screen.tell(told.event, names) for told in look.told if told.event.seen_by(reader)}
            assert set(narration.news(look, screen, reader)) <= may, "news of what one may not see"


def _told(screen: GameScreen, events: Collection[Event], names: Context) -> set[str]:
    """What is said of them, in sentences and briefly."""
    return {line for event in events for line in (screen.tell(event, names), screen.brief(event, names)) if line}


def _silent(page: Page, lines: Collection[str]) -> None:
    """A page says none of these."""
    words = "\n".join(block.text for block in page.blocks if isinstance(block, Text))
    words += "\n".join([page.picture.alt] if page.picture else [])
    for line in lines:
        assert line not in words, f"“{line}” is private, and yet stands in “{words}”"
