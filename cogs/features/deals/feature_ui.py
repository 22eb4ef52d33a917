"""What players can do about the deal, in the lobby, in the menu and below a result, and the controls for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cogs.features.deals.commands import DealCommands
from cogs.features.deals.deal_actions import CUTTER, DealActions
from cogs.features.deals.deal_pages import check_press, cut_press, free_press, last_press
from cogs.features.deals.words import cut_note, joined_text
from cogs.table.access.rights import READERS
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press
from engines.store.match_store import ActionKind, Status


class DealsUI(FeatureUI):
    """Deals: cutting before the start, and the check afterwards."""

    name = "deals"
    old_controls = (
        OldControl(r"k:(?P<match>[a-z0-9]{8})", "write"),
        *(OldControl(rf"k:(?P<match>[a-z0-9]{{8}}):{word}", word) for word in ("cut", "last", "free", "check")),
    )
    motley_commands = DealCommands
    action_texts: Mapping[ActionKind, str] = {"cut": "cut the deal", "cut last": "changed who cuts last"}

    def lobby_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to cut."""
        info = facts.snapshot.info
        return (cut_press(info.id),) if info.seal else ()

    def lobby_seat_notes(self, facts: Facts) -> Iterable[tuple[int, str]]:
        """Return who has cut, and who cuts last."""
        return ((number, cut_note(seat)) for number, seat in enumerate(facts.snapshot.info.seats))

    def joined_texts(self, facts: Facts) -> Iterable[str]:
        """Return the seal, and the reader's cut."""
        return filter(None, (joined_text(facts.snapshot.info, facts.reader),))

    def table_result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the check."""
        return (check_press(facts.snapshot.info.id),)

    def menu_help_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the buttons about the deal: before the start who cuts last, afterwards the check."""
        info = facts.snapshot.info
        if not info.seal:
            return ()
        if info.status is not Status.LOBBY:
            return (check_press(info.id),)
        last = next((seat.user for seat in info.seats if seat.last_cut), None)
        if last is None and info.seat_of(facts.reader) is not None:
            return (last_press(info.id),)
        return (free_press(info.id),) if last is not None and facts.reader in (last, info.host) else ()

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the buttons, and the form in which a player cuts."""
        own = actions.service(DealActions)
        return (
            FeatureControl("cut", own.open_form, CUTTER),
            FeatureControl("write", own.save_cut, CUTTER, is_form=True, changes_match=True),
            FeatureControl("last", own.take_last_cut, CUTTER, edits=True, changes_match=True),
            FeatureControl("free", own.free_last_cut, CUTTER, edits=True, changes_match=True),
            FeatureControl("check", own.show_check, READERS),
        )
