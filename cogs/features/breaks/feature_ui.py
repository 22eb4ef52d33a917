"""What breaks add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.breaks import words
from cogs.features.breaks.break_pages import setting_blocks
from cogs.features.breaks.commands import BreakCommands
from cogs.features.breaks.controls import BreakActions
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import ApartControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, PersonFacts
from cogs.table.pages.page import Block
from engines.store.match_store import LIVE

VALUE = r"[a-z0-9]{1,20}"


class BreaksUI(FeatureUI):
    """Breaks: who is on one, and a control in the settings."""

    name = "breaks"
    old_controls = (OldControl(rf"y:break(?:=(?P<rest>{VALUE}))?", "choose"),)
    motley_commands = BreakCommands

    def table_lines(self, facts: Facts) -> Iterable[str]:
        """Return who is on a break."""
        return filter(None, (words.table_note(facts.snapshot.info),))

    def hand_notes(self, facts: Facts) -> Iterable[str]:
        """Return until when the reader is on a break."""
        info = facts.snapshot.info
        seat = info.seat_of(facts.reader) if info.status in LIVE else None
        return () if seat is None else filter(None, (words.hand_note(info, info.seats[seat]),))

    def lobby_seat_notes(self, facts: Facts) -> Iterable[tuple[int, str]]:
        """Return who is on a break."""
        return ((number, words.lobby_note(seat)) for number, seat in enumerate(facts.snapshot.info.seats))

    def setting_blocks(self, facts: PersonFacts) -> Iterable[Block]:
        """Return the control that begins or ends a break."""
        return setting_blocks(facts.rest_until)

    def controls(self, actions: TableActions) -> Sequence[ApartControl]:
        """Return the list of lengths, which is also the button that ends a break."""
        return (ApartControl("choose", BreakActions(actions).change_break, rest=rf"(?:{VALUE})?", edits=True),)
