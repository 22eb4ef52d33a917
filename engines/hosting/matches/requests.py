"""Ends the requests that players did not settle."""

from __future__ import annotations

from dataclasses import replace

from engines.hosting.match import Match, MatchEdit, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.hosting.requests import lapse_time
from engines.store.match_store import LAPSE_REQUEST, MatchInfo

NO_LONGER_OPEN = "That request is no longer open. Here is how things stand now."


class Requests:
    """Lets requests lapse. For the errors see `Matches`."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def lapse_request(self, match: str, move: int) -> MatchInfo:
        """End the request about that move, because its time is over."""

        def edit(current: Match) -> MatchEdit:
            self._editor.require_running_time(current)
            request = current.info.undoing.open_request
            if request is None or request.move != move or self._editor.clock() < lapse_time(request, current.info):
                raise RequestRefused(NO_LONGER_OPEN)
            undoing = replace(current.info.undoing, request=replace(request, ended="lapsed"))
            return self._editor.edit_info(current, LAPSE_REQUEST, 0, undoing=undoing)

        return await self._editor.change_match(match, edit)
