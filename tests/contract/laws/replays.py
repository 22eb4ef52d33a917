"""Laws of finished matches that are watched again: every moment can be shown, and its rounds or turns have titles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cogs.table.pages.page import Page, Text
from cogs.table.transport import discord_views
from tests.contract import shown
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.pages import label_problems, page_problems
from tests.contract.shown import LONG_NAMES, SHORT_NAMES, match_snapshots
from tests.features.replay_clicks import read_click
from tests.glyphs import strings, unlisted

MAX_TITLE = 40  # characters of a line in a list


def sections_of_a_match_follow_each_other(helper: GameHelper, start: MatchStart) -> None:
    """Every moment belongs to a round or turn with a short title of its own, to which a match never returns."""
    titles: list[str] = []
    for snapshot in match_snapshots(helper, start):
        title = helper.screen.section_title(snapshot.view(None))
        assert 0 < len(title) <= MAX_TITLE, f"no title, or too long: {title}"
        if title not in titles[-1:]:
            assert title not in titles, f"the match returns to {title}"
            titles.append(title)


def open_hands_are_told_apart(helper: GameHelper, start: MatchStart) -> None:
    """The line about a hand, which is shown with all hands open, is another one for every other hand."""
    hands_by_text: dict[str, Sequence[str]] = {}
    for snapshot in match_snapshots(helper, start):
        for seat in range(start.seats):
            view = snapshot.view(seat)
            text, hand = helper.screen.hand_text(view), sorted(helper.hand_names(view))
            assert "\n" not in text, f"more than a line: {text}"
            assert text or not hand or snapshot.outcome(), "a hand is not told"
            assert not text or hands_by_text.setdefault(text, hand) == hand, (
                f"“{text}” is said of {hand} and of {hands_by_text[text]}"
            )


def finished_matches_can_be_watched(helper: GameHelper, start: MatchStart) -> None:
    """Every moment of a finished match can be shown in every view, with controls that lead to moments of it.

    Discord takes the messages, a telephone shows their controls, and each character has a glyph.
    """
    for names, share in ((SHORT_NAMES, 0.1), (LONG_NAMES, 0.02)):
        match = shown.replayed_match(helper, start, names)
        for place in shown.replay_places(match, share):
            for page in shown.replay_pages_of(helper, match, place):
                problems = [*page_problems(page), *_line_problems(page)]
                assert not problems, f"{problems} at {place}"
                assert not _dead_ends(page, match.last), f"controls lead nowhere at {place}"
                missing = unlisted("".join(strings(discord_views.page_view(page).to_components())))
                assert not missing or names is LONG_NAMES, f"no glyph: {missing}"
                if place.hides_length and place.moment < match.last - 1 and place.what_if is None:
                    assert not _tells_length(page, match.last), f"the length is told at {place}"


def _line_problems(page: Page) -> Iterator[str]:
    """What a telephone cuts, and lines that are alike together with the smaller text below them."""
    yield from (problem for problem in label_problems(page, whole=False) if not problem.startswith("alike"))
    for menu in shown.page_menus(page):
        if len({(line.label, line.description, str(line.emoji)) for line in menu.lines}) < len(menu.lines):
            yield f"lines alike: {menu.lines}"


def _dead_ends(page: Page, last: int) -> list[str]:
    """The controls whose custom ids are not understood, or that lead to a moment that the match does not have."""
    ids = [press.to for press in shown.page_buttons(page)] + [menu.to for menu in shown.page_menus(page)]
    return [each for each in ids if (click := read_click(each)) is None or not 0 <= click.place.moment <= last]


def _tells_length(page: Page, last: int) -> bool:
    """Whether anything on a page says how many moves the match has; its rounds say nothing yet."""
    text = "\n".join(block.text for block in page.blocks if isinstance(block, Text))
    controls = [press.to for press in shown.page_buttons(page)]
    controls += [line.value for menu in shown.page_menus(page) for line in menu.lines]
    return f"of {last}" in text or any(custom_id.endswith(f"h{last}") for custom_id in controls if last > 9)
