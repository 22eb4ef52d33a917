"""Wakes what follows a change of a match: its messages, and moves that are made without a click."""

from __future__ import annotations

from cogs.table.channels.table_services import TableServices
from cogs.table.scheduling.computer_turns import ComputerPlayers
from cogs.table.surfaces.reconciler import Reconciler


class MatchWaker:
    """Follows all changes of matches that this process makes or hears of."""

    def __init__(self, services: TableServices, reconciler: Reconciler, computers: ComputerPlayers) -> None:
        self._services = services
        self._reconciler = reconciler
        self._computers = computers
        services.matches.editor.on_changed.append(self.wake)
        reconciler.on_hand_row.append(self._continue)

    def wake(self, match: str) -> None:
        """Wake a match that may have changed. If another process looks after it, the store notifies that one."""
        if self._services.matches.cache.server_of(match) is not None and not self._services.lease.holds_match(match):
            self._reconciler.start_ephemeral_refresh(match)
            return
        if not self._computers.is_moving(match):
            self._reconciler.wake(match)
        self._computers.wake(match)

    def _continue(self, match: str) -> None:
        """Continue a match if a row made a move due. The store notifies the process that looks after it."""
        if self._services.lease.holds_match(match):
            self._computers.wake(match)
