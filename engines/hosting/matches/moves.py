"""Makes the moves of people and computers."""

from __future__ import annotations

from dataclasses import replace

from engines.hosting.match import Match, MatchEdit
from engines.hosting.match_changes import MatchEditor
from engines.store.match_store import DueTime, MatchInfo


class Moves:
    """Makes moves. For the errors see `Matches`."""

    def __init__(self, editor: MatchEditor) -> None:
        self._editor = editor

    async def play_move(
        self,
        match: str,
        user: int,
        decision: int | None,
        notation: str,
        *,
        click: int = 0,
        reply_surface: tuple[str, int] | None = None,
        is_automatic: bool = False,
    ) -> MatchInfo:
        """Make a move for the user's seat. `decision` is the number it answers; None means the open one.

        `reply_surface` is the message that shows the answer, if the reconciler should leave it alone. An automatic
        move, which no click makes, is refused while time rests.
        """

        def edit(current: Match) -> MatchEdit:
            move_edit = current.draft_move(user, decision, notation, self._editor.clock(), is_automatic=is_automatic)
            return replace(move_edit, change=replace(move_edit.change, reply_surface=reply_surface))

        return await self._editor.change_match(match, edit, click)

    async def play_computer_move(self, match: str, seat: int, decision: int, notation: str) -> MatchInfo:
        """Make the computer's move at its seat. Raises StaleDecision if the decision is no longer open."""

        def edit(current: Match) -> MatchEdit:
            return current.draft_computer_move(seat, decision, notation, self._editor.clock())

        return await self._editor.change_match(match, edit)

    async def play_forced_move(self, match: str, seat: int, decision: int) -> MatchInfo:
        """Make the forced move of a person's seat. Raises StaleDecision if the decision is no longer open or forced.

        It is no activity of the player: it neither ends an absence nor counts as a missed deadline.
        """

        def edit(current: Match) -> MatchEdit:
            return current.draft_forced_move(seat, decision, self._editor.clock())

        return await self._editor.change_match(match, edit)

    async def play_for_expired_seat(self, due: DueTime, level: str, notation: str) -> MatchInfo:
        """Let a computer of that level make a decision after its deadline. Raises StaleDecision if it was made.

        After several of these in a row, the player is away and the computer plays on. If everybody is away, a match
        with a live clock ends without a result.
        """

        def edit(current: Match) -> MatchEdit:
            self._editor.require_running_time(current)
            return current.draft_timeout_move(due, level, notation, self._editor.clock())

        return await self._editor.change_match(due.match, edit)
