"""Laws of news: every event is told, and to nobody whom it does not concern."""

from __future__ import annotations

import itertools
import re
import typing
from collections.abc import Collection, Sequence
from typing import Any

from cogs.screens.control_widths import fits_narration
from cogs.screens.screen import Context, GameScreen
from cogs.table.pages.page import Page, Text
from cogs.table.wording import narration
from cogs.table.wording.player_names import MAX_NAME_LENGTH
from cogs.table.wording.sentences import join_clauses, join_newest
from engines.kit.contract import AnyGame, Event
from engines.kit.seats import letter
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import LONG_NAMES, all_match_pages, match_snapshots, screen_context
from tests.contract.walk import all_readers

MAX_LENGTH = 500  # more is told of no news, see cogs.screens.words.newest
PUNCTUATION = ",.;:·)!?"
TELEGRAM_PATTERN = re.compile(r"[;:·]|  ")  # what stands between words in place of a verb
BROAD_NAMES = tuple(letter(seat) + "W" * (MAX_NAME_LENGTH - 1) for seat in range(6))
NO_WORDS_PATTERN = re.compile(
    r"\bNone\b|\bTrue\b|\bFalse\b|-1|\w\(\w+=|[\[{’]|\n"
)  # apostrophes are straight everywhere


def every_event_is_told(helper: GameHelper, start: MatchStart) -> None:
    """A screen has a sentence for every event, but for the kinds that its helper says need none.

    All kinds of the game's events happen in the matches; of rare ones the helper has samples.
    """
    happened = {type(event) for each in helper.starts() for event in _match_events(helper, each)}
    rare = {type(event) for event in helper.rare_events()}
    assert not happened & rare, f"not rare at all: {happened & rare}"
    assert happened | rare == event_kinds(helper.game), f"never met: {event_kinds(helper.game) - happened - rare}"
    names = screen_context(helper, match_snapshots(helper, start, LONG_NAMES)[0])
    for event in (*_match_events(helper, start), *helper.rare_events()):
        sentence = helper.screen.narrate(event, names)
        assert (sentence is None) == (type(event) in helper.untold_events), f"{event} is told as {sentence}"
        if sentence is not None:
            assert sentence.endswith((".", "!", ".”")), f"no sentence: {sentence}"
            assert len(sentence) < MAX_LENGTH, f"too long: {sentence}"
            assert not NO_WORDS_PATTERN.search(sentence), f"no words: {sentence}"


def event_kinds(game: AnyGame) -> set[type[Event]]:
    return set(_union_members(game.event))


def _union_members(union: Any) -> list[type[Event]]:
    if isinstance(union, type):
        return [union] if issubclass(union, Event) else []
    return [kind for part in typing.get_args(union) for kind in _union_members(part)]


def _match_events(helper: GameHelper, start: MatchStart) -> list[Event]:
    return list(
        dict.fromkeys(
            match_event.event for snapshot in match_snapshots(helper, start) for match_event in snapshot.events
        )
    )


def news_are_sentences(helper: GameHelper, start: MatchStart) -> None:
    """News are at most two lines of whole sentences that say who did what, also if names are as broad as can be."""
    for names in (LONG_NAMES, BROAD_NAMES):
        for snapshot in match_snapshots(helper, start, names):
            short_names = narration.screen_context(snapshot).short_names
            for reader in all_readers(start):
                clauses = narration.narrate_briefly(snapshot, helper.screen, reader)
                for sentence in join_clauses(clauses, short_names):
                    _check_sentence(sentence, short_names)
                text = join_newest(clauses, short_names)
                assert bool(text) == bool(clauses), f"nothing fits of {clauses}"
                assert fits_narration(text), f"too long: {text}"
                assert text.endswith(".") or not text, f"cut off: {text}"
                wrong = [word for word in text.split(" ") if word[:1] in PUNCTUATION and text]
                assert not wrong, f"a line can begin with {wrong}: {text}"
    _check_neighbours(helper, start)


def _check_sentence(sentence: str, names: Sequence[str]) -> None:
    begins = sentence[:1].isupper() or any(sentence.startswith(name) for name in names)
    assert begins, f"no beginning of a sentence: {sentence}"
    assert re.search(r"[^.…]\.$", sentence), f"no end of a sentence: {sentence}"
    assert len(sentence.split()) > 2 or sentence.split()[-1].endswith("s."), f"no sentence: {sentence}"
    assert not TELEGRAM_PATTERN.search(sentence), f"a telegram: {sentence}"


def _check_neighbours(helper: GameHelper, start: MatchStart) -> None:
    """Check any two clauses one after the other, also if matches seldom bring them together.

    A verb can be shared by several people only if the clauses are a verb and an object, and a clause with a comma ends
    with one.
    """
    context = screen_context(helper, match_snapshots(helper, start, LONG_NAMES)[0])
    one, other = context.short_names[:2]
    predicates = {}
    for event in (*_match_events(helper, start), *helper.rare_events()):
        clause = helper.screen.narrate_briefly(event, context) or ""
        name = next((name for name in context.short_names if clause.startswith(f"{name} ")), "")
        if name and not clause.endswith("."):
            kind = tuple(word for word in clause.split()[1:] if word.isalpha() and word.islower())
            predicates[kind] = clause.removeprefix(f"{name} ")
    for first, second in itertools.product(predicates.values(), repeat=2):
        text = " ".join(join_clauses((f"{one} {first}", f"{other} {second}"), context.short_names))
        if re.search(r",| without ", first + second):
            assert second in text, f"a part lacks its verb: {text}"
        text = " ".join(join_clauses((f"{one} {first}", f"{one} {second}"), context.short_names))
        assert "," not in first or re.search(rf"{re.escape(first)}[.,]", text), f"a comma is missing: {text}"


def news_are_not_corrected(helper: GameHelper, start: MatchStart) -> None:
    """No sentence says what a later event of the same news undoes."""
    for snapshot in match_snapshots(helper, start, LONG_NAMES):
        for reader in all_readers(start):
            after = narration.last_known_move(snapshot, reader)
            events = [match_event.event for match_event in snapshot.visible_events(reader, after)]
            for pattern in helper.corrected_claims(events):
                for tell in (narration.narrate, narration.narrate_briefly):
                    text = " ".join(tell(snapshot, helper.screen, reader))
                    assert not re.search(pattern, text), f"corrected at once: {text}"


def private_news_stay_private(helper: GameHelper, start: MatchStart) -> None:
    """What is told of a private event stands in no page of anybody else; and all news are of what their reader may see.

    What somebody else learns of a move may well be said in the same words as what one learns oneself.
    """
    screen = helper.screen
    for snapshot in match_snapshots(helper, start):
        names = screen_context(helper, snapshot, sentences=())
        newest = [match_event.event for match_event in snapshot.events if match_event.move == snapshot.info.moves]
        sentences = {
            reader: _narrations(screen, [e for e in newest if e.is_visible_to(reader)], names)
            for reader in all_readers(start)
        }
        if any(event.to is not None for event in newest):
            every = _narrations(screen, newest, names)
            for reader, page in all_match_pages(helper, snapshot):
                _check_silent(page, every - sentences[reader])
        for reader in all_readers(start):
            may = {
                screen.narrate(match_event.event, names)
                for match_event in snapshot.events
                if match_event.event.is_visible_to(reader)
            }
            assert set(narration.narrate(snapshot, screen, reader)) <= may, "news of what one may not see"


def _narrations(screen: GameScreen, events: Collection[Event], names: Context) -> set[str]:
    """What is said of them, in sentences and briefly."""
    return {
        line
        for event in events
        for line in (screen.narrate(event, names), screen.narrate_briefly(event, names))
        if line
    }


def _check_silent(page: Page, lines: Collection[str]) -> None:
    words = "\n".join(block.text for block in page.blocks if isinstance(block, Text))
    words += "\n".join([page.picture.alt] if page.picture else [])
    for line in lines:
        assert line not in words, f"“{line}” is private, and yet stands in “{words}”"
