"""Laws of finished matches that are watched again: their rounds or turns have titles, and open hands are told apart."""

from __future__ import annotations

from collections.abc import Sequence

from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import match_snapshots

MAX_TITLE = 40  # characters of a line in a list


def sections_of_a_match_follow_each_other(helper: GameHelper, start: MatchStart) -> None:
    """Every moment belongs to a round or turn with a short title of its own, to which a match never returns."""
    titles: list[str] = []
    for look in match_snapshots(helper, start):
        title = helper.screen.section_title(look.view(None))
        assert 0 < len(title) <= MAX_TITLE, f"no title, or too long: {title}"
        if title not in titles[-1:]:
            assert title not in titles, f"the match returns to {title}"
            titles.append(title)


def open_hands_are_told_apart(helper: GameHelper, start: MatchStart) -> None:
    """The line about a hand, which is shown with all hands open, is another one for every other hand."""
    told: dict[str, Sequence[str]] = {}
    for look in match_snapshots(helper, start):
        for seat in range(start.seats):
            view = look.view(seat)
            said, held = helper.screen.hand_text(view), sorted(helper.held_names(view))
            assert "\n" not in said, f"more than a line: {said}"
            assert said or not held or look.outcome(), "a hand is not told"
            assert not said or told.setdefault(said, held) == held, f"“{said}” is said of {held} and of {told[said]}"
