"""The end of practice matches, which do not count."""

from __future__ import annotations

from collections.abc import Callable

from engines.hosting.match import Match, MatchEdit, RequestRefused
from engines.hosting.match_changes import MatchEditor, require_started
from engines.hosting.timing.due_times import PRACTICE_SECONDS
from engines.store.match_store import ActionKind, MatchInfo, Status

IDLE_PRACTICE = "A practice match ends when nobody has played for a day."


class Practice:
    """Ends practice matches."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def end_idle_practice(self, match: str) -> MatchInfo:
        """End a practice match in which nobody has played for a day."""

        def require_idle(info: MatchInfo) -> None:
            if (
                self._editor.rest_began(info.place.guild) is not None
                or self._editor.clock() < info.changed + PRACTICE_SECONDS
            ):
                raise RequestRefused("Somebody has played in this practice match within a day.")

        return await end_practice(self._editor, match, "idle", 0, IDLE_PRACTICE, require_idle)


async def end_practice(
    editor: MatchEditor,
    match: str,
    action: ActionKind,
    by: int,
    reason: str,
    check: Callable[[MatchInfo], None] = lambda info: None,
) -> MatchInfo:
    """End a practice match without a result, unless `check` raises RequestRefused."""

    def edit(current: Match) -> MatchEdit:
        info = require_started(current.info)
        if not info.practice:
            raise RequestRefused("This is not a practice match.")
        check(info)
        return editor.edit_info(current, action, by, status=Status.ENDED, reason=reason, votes=())

    return await editor.change_match(match, edit)
