"""Laws of pages: Discord takes them, a telephone shows their controls, and nothing of them is cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION, MAX_PLACEHOLDER
from cogs.screens.screen import MAX_SCREEN_TEXT
from cogs.screens.truncation import ELLIPSIS
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Page, Text
from cogs.table.pages.screen_layout import DEFAULT_READER, Reader
from cogs.table.transport import discord_views
from engines.store.match_store import Status
from playground.limits import Request, SentFile, find_violations
from tests.contract import shown
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import LONG_NAMES, SHORT_NAMES, distinct_pages, match_snapshots, page_buttons, page_menus
from tests.game_uis import RULES
from tests.glyphs import strings, unlisted

COMPONENTS_V2_FLAG = 1 << 15
LONG_SENTENCES = ("x" * 200,) * 12


def pages_keep_discords_limits(helper: GameHelper, start: MatchStart) -> None:
    """Discord refuses nothing that is shown of a match, with the longest names, also to those who want words."""
    for page in (*distinct_pages(helper, start, LONG_NAMES), *shown.worded_hands(helper, start, LONG_NAMES, 0.2)):
        found = page_problems(page)
        assert not found, f"Discord would refuse: {'; '.join(found)}"


def page_problems(page: Page) -> list[str]:
    """What Discord would refuse of a page."""
    try:
        return [*map(str, find_violations(_page_request(page)))]
    except ValueError as error:
        raise AssertionError("discord.py does not even make it") from error


def _page_request(page: Page) -> Request:
    files = [file.name for file in (*page.pictures, page.paper) if file]
    payload = {
        "flags": COMPONENTS_V2_FLAG,
        "components": discord_views.page_view(page).to_components(),
        "attachments": [{"id": number, "filename": name} for number, name in enumerate(files)],
    }
    sent = tuple(SentFile(f"files[{number}]", name, 1) for number, name in enumerate(files))
    return Request("POST", "/channels/1/messages", payload=payload, files=sent)


def a_telephone_shows_whole_controls(helper: GameHelper, start: MatchStart) -> None:
    """Every control is short enough for the longest names; if these are short, nothing is cut at all."""
    for names, share in ((LONG_NAMES, 1.0), (SHORT_NAMES, 0.25)):
        for page in distinct_pages(helper, start, names, share):
            problems = [*label_problems(page, whole=names is SHORT_NAMES)]
            assert not problems, f"{problems} with the names {names}"


def label_problems(page: Page, *, whole: bool) -> Iterator[str]:
    """What is too long, or cut although all of it should fit; buttons and lines that cannot be told apart."""
    for kind, text, most in _control_texts(page):
        if len(text) > most:
            yield f"{kind} of {len(text)} characters: {text}"
        elif whole and text.endswith(ELLIPSIS):
            yield f"{kind} is cut: {text}"
        elif "’" in text:
            yield f"{kind} has an apostrophe that is not straight: {text}"
    lists = [
        [*{custom_ids.pick_token(line.value): line.label for line in menu.lines}.values()] for menu in page_menus(page)
    ]
    for labels in ([press.label for press in page_buttons(page)], *lists):
        if len(set(labels)) < len(labels):
            yield f"alike: {labels}"


def _control_texts(page: Page) -> Iterator[tuple[str, str, int]]:
    """What the controls say, and in how many characters it may be said."""
    for press in page_buttons(page):
        yield "button", press.label, MAX_LABEL
    for menu in page_menus(page):
        yield "placeholder", menu.placeholder, MAX_PLACEHOLDER
        for line in menu.lines:
            yield "option", line.label, MAX_OPTION
            yield "description", line.description or "", MAX_DESCRIPTION


def pages_show_no_empty_box(helper: GameHelper, start: MatchStart) -> None:
    """Every character of a page, its controls and alt texts has a glyph in the fonts of the screenshots."""
    for page in (
        *distinct_pages(helper, start, SHORT_NAMES, 0.25),
        *shown.worded_hands(helper, start, SHORT_NAMES, 0.05),
    ):
        missing = unlisted("".join(strings(discord_views.page_view(page).to_components())))
        assert not missing, f"not known to have a glyph (see tests/glyphs.py): {missing} in {page}"


def hands_lead_to_their_rule(helper: GameHelper, start: MatchStart) -> None:
    """A hand at a decision names a rule that the rules page says."""
    places = RULES[helper.game.key].pages_by_rule
    for snapshot in match_snapshots(helper, start):
        for seat, decision in snapshot.decisions().items():
            rule = shown.hand_screen(helper, snapshot, seat).rule
            assert rule in places, f"“{rule}” at {decision.kind} is no rule of the page"


def a_paused_match_says_so_first(helper: GameHelper, start: MatchStart) -> None:
    """While a seat is empty, no page waits for anybody who cannot move; that the match is paused comes first."""
    given = shown.page_setting(helper)
    for snapshot in match_snapshots(helper, start)[::7]:
        paused = replace(snapshot, info=replace(snapshot.info, status=Status.PAUSED, reason="Ana left."))
        for reader in (DEFAULT_READER, Reader(words=True)):
            hands = [match_pages.hand_page(paused, seat, given, reader) for seat in range(start.seats)]
            for page in (
                *hands,
                match_pages.table_page(paused, given),
                match_pages.status_page(paused, given),
                match_pages.lobby_page(paused, given),
            ):
                text = "\n".join(block.text for block in page.blocks if isinstance(block, Text))
                lines = [line for line in text.split("\n") if line and not line.startswith("-# ")]
                assert "paused" in " ".join(lines[:2]), f"that the match is paused comes late: {lines}"
                assert match_pages.WAITING_PREFIX not in text, f"somebody is waited for who cannot move: {text}"


def words_fit_a_message(helper: GameHelper, start: MatchStart) -> None:
    """All that a screen says fits on its page, with the longest names and news, so that no page cuts any of it."""
    for snapshot in match_snapshots(helper, start, LONG_NAMES):
        sheet = ("sheet", None, helper.screen.sheet(snapshot.view(None), shown.screen_context(helper, snapshot)))
        for kind, _, drawn in (*shown.drawn_screens(helper, snapshot, LONG_SENTENCES), sheet):
            text = "\n".join((*drawn.above, *drawn.below))
            assert len(text) <= MAX_SCREEN_TEXT, f"the {kind} says too much: {text}"


def score_sheets_show_more_than_the_table(helper: GameHelper, start: MatchStart) -> None:
    """The picture of a score sheet is not that of the table, which everybody sees already; its words are shown then."""
    for snapshot in match_snapshots(helper, start)[::7]:
        view, context = snapshot.view(None), shown.screen_context(helper, snapshot)
        sheet, table = helper.screen.sheet(view, context).picture, helper.screen.table(view, context).picture
        assert sheet is None or table is None or sheet.spec != table.spec, "the score sheet is the table again"
