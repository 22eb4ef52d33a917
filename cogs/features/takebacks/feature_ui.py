"""What taking moves back adds to pages and pings, and the controls for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.takebacks import words
from cogs.features.takebacks.controls import TakeBackActions
from cogs.features.takebacks.pages import answer_presses, setting_blocks, take_back_presses
from cogs.table.access.rights import READERS, Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import ApartControl, FeatureControl, FeatureUI, OldControl, OwnControl
from cogs.table.pages.feature_pages import Facts, Offer, PersonFacts, Question
from cogs.table.pages.page import Block, Press
from engines.hosting.match import MatchSnapshot

STAMP = r"[0-9a-f]{8}"
OLD_WORDS = {"take-back": "take", "practice": "practice", "agree": "agree", "refuse": "refuse"}
"""The words of older versions. In 1.0.0 a number of moves, or nothing, stood where the stamp is now."""
PLAYER, ASKED = Access(Who.SEATED, Phase.RUNNING), Access(Who.ASKED, Phase.RUNNING)


class TakeBacksUI(FeatureUI):
    """Taking moves back: the request at the table, on hands and in pings, and the button in the menu."""

    name = "takebacks"
    action_texts = words.ACTION_TEXTS
    old_controls = (
        *(OldControl(rf"t:(?P<match>[a-z0-9]{{8}}):{old}=(?P<rest>{STAMP})", word) for old, word in OLD_WORDS.items()),
        *(OldControl(rf"t:(?P<match>[a-z0-9]{{8}}):{old}(?:=\d{{1,6}})?", "old") for old in OLD_WORDS),
        OldControl(r"y:take_backs=(?P<rest>on|off)", "allow"),
    )

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether the match can still go back."""
        return snapshot.state is not None

    def table_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request, or how it has ended."""
        if facts.snapshot.info.undoing.request is None:
            return
        if said := words.table_note(facts.snapshot, words.teller(facts)):
            yield Offer(Question(said, answer_presses(facts.snapshot.info)))

    def hand_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request to those whom it concerns, with buttons for those who still have to answer."""
        info = facts.snapshot.info
        seat, request = info.seat_of(facts.reader), info.undoing.request
        if seat is None or request is None:
            return
        if said := words.hand_note(facts.snapshot, seat, words.teller(facts)):
            yield Offer(Question(said, answer_presses(info) if seat in request.waiting else ()))

    def ping_question(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return the open request."""
        if facts.snapshot.info.undoing.open_request is not None:
            yield Offer(words.ping_text(facts.snapshot))

    def setting_blocks(self, facts: PersonFacts) -> Iterable[Block]:
        """Return whether others may ask, with the button that changes that."""
        return setting_blocks(is_asked=facts.preferences.requests)

    def menu_help_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to take a move back."""
        return take_back_presses(facts.snapshot, facts.reader)

    def controls(self, actions: TableActions) -> Sequence[OwnControl]:
        """Return the button in the menu, the one of its question, the answers, old buttons, and the setting."""
        own = actions.service(TakeBackActions)
        stamped = partial(FeatureControl, rest=STAMP, edits=True, changes_match=True)
        return (
            stamped("take", own.take_back, PLAYER, is_in_menu=True),
            stamped("practice", partial(own.take_back, accepts_practice=True), PLAYER, is_in_menu=True),
            stamped("agree", partial(own.answer, agrees=True), ASKED),
            stamped("refuse", partial(own.answer, agrees=False), ASKED),
            FeatureControl("old", own.answer_old_button, READERS, edits=True),
            ApartControl("allow", own.allow_requests, rest="on|off", edits=True),
        )
