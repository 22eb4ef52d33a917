"""What taking moves back adds to pages and pings, and the controls for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.takebacks import words
from cogs.features.takebacks.controls import STAMP, StampedAction, TakeBackActions
from cogs.features.takebacks.pages import answer_presses, take_back_presses
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, FeaturePages, Offer, Question
from cogs.table.pages.page import Press
from engines.hosting.match import MatchSnapshot

OLD_STAMP = rf"(?:=(?P<rest>{STAMP}|\d{{1,6}}))?"
"""Version 1.0.0 had a number of moves, or nothing, where the stamp is now."""


class TakeBackPages(FeaturePages):
    """The request at the table, on hands and in pings, and the button in the menu."""

    name = "takebacks"

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether the match can still go back."""
        return snapshot.state is not None

    def table_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request, or how it has ended."""
        if facts.snapshot.info.take_backs.request is None:
            return
        if said := words.table_note(facts.snapshot, words.teller(facts)):
            yield Offer(Question(said, answer_presses(facts.snapshot.info)))

    def hand_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request to those whom it concerns, with buttons for those who still have to answer."""
        info = facts.snapshot.info
        seat, request = info.seat_of(facts.reader), info.take_backs.request
        if seat is None or request is None:
            return
        if said := words.hand_note(facts.snapshot, seat, words.teller(facts)):
            yield Offer(Question(said, answer_presses(info) if seat in request.waiting else ()))

    def ping_question(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return the open request."""
        if facts.snapshot.info.take_backs.open_request is not None:
            yield Offer(words.ping_text(facts.snapshot))

    def menu_help_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to take a move back."""
        return take_back_presses(facts.snapshot, facts.reader)


class TakeBacksUI(FeatureUI):
    """Taking moves back."""

    pages = TakeBackPages()
    old_controls = tuple(
        OldControl(rf"t:(?P<match>[a-z0-9]{{8}}):{old}{OLD_STAMP}", word)
        for old, word in (("take-back", "take"), ("practice", "practice"), ("agree", "agree"), ("refuse", "refuse"))
    )

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button in the menu with the one of its question, and the two answers."""
        own = actions.service(TakeBackActions)
        in_menu = partial(_control, own, is_in_menu=True)
        return (
            in_menu("take", own.take_back),
            in_menu("practice", partial(own.take_back, accepts_practice=True)),
            _control(own, "agree", partial(own.answer, agrees=True)),
            _control(own, "refuse", partial(own.answer, agrees=False)),
        )


def _control(own: TakeBackActions, word: str, act: StampedAction, *, is_in_menu: bool = False) -> FeatureControl:
    return FeatureControl(
        word,
        partial(own.act_or_show_menu, act),
        rf"(?:{STAMP}|\d{{1,6}})?",
        edits=True,
        changes_match=True,
        is_in_menu=is_in_menu,
    )


TAKE_BACKS_UI = TakeBacksUI()
