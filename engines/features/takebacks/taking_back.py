"""Take-backs: a player takes their newest move back, at once or with the consent of the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from hashlib import blake2b
from typing import Literal, NamedTuple

from engines.features.takebacks.rules import (
    FREE_ONLY,
    TAKEBACKS,
    TakeBackLimits,
    TakeBackPlan,
    is_surely_refused,
    plan_take_back,
)
from engines.hosting.match import Match, MatchEdit, MatchSnapshot, RequestRefused, StaleDecision, status_sentence
from engines.hosting.match_changes import NOT_WRITTEN, TRIES, MatchEditor
from engines.hosting.matches.records import Compute
from engines.hosting.matches.requests import NO_LONGER_OPEN
from engines.hosting.requests import lapse_seconds
from engines.hosting.undoing import undo_moves
from engines.store.match_store import MatchInfo, SavedMatch, Status, WriteConflict
from engines.store.undoing import TableRequest

PRACTICE = "After that, this is a practice match and no longer counts."
ASKED_ALREADY = "You have already asked to take that move back. Wait for the answers."
OTHER_REQUEST = "Somebody else has asked to take a move back. Please wait until the others have answered."
DEFAULT_LIMITS = TakeBackLimits()


def require_current(snapshot: MatchSnapshot, user: int, stamp: str | None) -> None:
    """Refuse a request that was offered when its player saw something else; None is about the present."""
    seat = snapshot.info.seat_of(user)
    if stamp is not None and seat is not None and stamp != view_stamp(snapshot, seat):
        raise StaleDecision


def view_stamp(snapshot: MatchSnapshot, seat: int) -> str:
    """Return a short stamp of what a seat's player sees, and so of what they can take back. It never comes up again
    after a take-back.

    It must not depend on anything else, such as the number of all moves: that counts choices which only others know.
    """
    return _stamp(snapshot.info, seat, snapshot.view(seat) if snapshot.state is not None else None)


def request_stamp(info: MatchInfo) -> str:
    """Return a short stamp of the request to take a move back, from what everybody knows of it."""
    request = info.undoing.request
    return "" if request is None else _stamp(info, request.seat, request.until, sum(map(len, info.undoing.asked)))


def _stamp(info: MatchInfo, *parts: object) -> str:
    return blake2b(repr((info.id, info.decision_offset, *parts)).encode(), digest_size=4).hexdigest()


class PracticeFirst(RequestRefused):
    """The match would become practice, so the player has to confirm that."""


class TakeBackResult(NamedTuple):
    """The match after a request, and whether the move is taken back or the others were asked."""

    info: MatchInfo
    outcome: Literal["taken back", "asked", "waiting", "refused"]


class _OtherRevision(Exception):
    """The stored match that was read is another revision than the cached one."""


class TakingBack:
    """Takes moves back, through the editor of `Matches`."""

    def __init__(self, editor: MatchEditor, limits: TakeBackLimits = DEFAULT_LIMITS) -> None:
        self._editor = editor
        self.limits = limits

    async def take_back(
        self,
        match: str,
        user: int,
        stamp: str | None = None,
        *,
        accepts_practice: bool = False,
        unwilling: Collection[int] = (),
        click: int = 0,
    ) -> TakeBackResult:
        """Take back a person's newest move if nobody has to agree; otherwise ask the others.

        `stamp` is the `view_stamp` when it was offered; None means now. `unwilling` are people who turned requests off.
        Raises PracticeFirst unless the person accepts that the match no longer counts.
        """

        def edit(current: Match, saved: SavedMatch) -> MatchEdit:
            require_current(current.take_snapshot(), user, stamp)
            plan = plan_take_back(current.game, current.info, saved, user)
            if plan.is_practice and not current.info.practice and not accepts_practice:
                raise PracticeFirst(PRACTICE)
            if plan.is_free:
                return undo_moves(self._editor, current, plan, "take back", user)
            return self._ask(current, plan, user, unwilling)

        info = await self._change_with_moves(match, edit, click)
        return TakeBackResult(info, "taken back" if info.undoing.open_request is None else "asked")

    async def is_surely_refused(
        self, snapshot: MatchSnapshot, user: int, unwilling: Collection[int], compute: Compute = asyncio.to_thread
    ) -> bool:
        """Whether a person can tell that `take_back` would refuse now. It replays the match, once for each snapshot."""
        unwilling = frozenset(unwilling)
        key = ("surely refused", user, unwilling)
        if snapshot.has_computed(key):
            return snapshot.compute_once(key, bool)
        saved = await self._editor.store.load(snapshot.info.id)
        if saved is None or saved.info.revision != snapshot.info.revision:
            return False
        is_refused: bool = await compute(
            is_surely_refused, snapshot.game, snapshot.info, saved, user, unwilling, self.limits
        )
        return snapshot.compute_once(key, lambda: is_refused)

    async def answer_take_back(
        self, match: str, user: int, move: int, stamp: str | None = None, *, agrees: bool, click: int = 0
    ) -> TakeBackResult:
        """Answer the request to take back that move. The last one who agrees takes it back.

        `stamp` is the `request_stamp` when the question was shown; None means now.
        """

        def edit(current: Match, saved: SavedMatch) -> MatchEdit:
            info, request = current.info, current.info.undoing.open_request
            seat = info.seat_of(user)
            if request is None or request.move != move or stamp not in (None, request_stamp(info)):
                raise RequestRefused(NO_LONGER_OPEN)
            if seat is None or seat not in request.seats:
                raise RequestRefused("Only the other players at the table can answer that.")
            if seat in request.agreed:
                raise RequestRefused("You have already agreed.")
            if not agrees:
                refused = replace(request, ended="refused", ended_by=seat)
                undoing = replace(info.undoing, request=refused)
                return self._editor.edit_info(current, "refuse take back", user, undoing=undoing)
            agreed = replace(request, agreed=(*request.agreed, seat))
            if agreed.waiting:
                undoing = replace(info.undoing, request=agreed)
                return self._editor.edit_info(current, "agree take back", user, undoing=undoing)
            plan = plan_take_back(current.game, info, saved, info.seats[request.seat].user)
            if plan.undone[0].number != move:
                raise RequestRefused(NO_LONGER_OPEN)
            return undo_moves(self._editor, current, plan, "agree take back", user)

        info = await self._change_with_moves(match, edit, click)
        request = info.undoing.request
        if request is None:
            return TakeBackResult(info, "taken back")
        return TakeBackResult(info, "refused" if request.ended else "waiting")

    # Internal

    async def _change_with_moves(
        self, match: str, edit: Callable[[Match, SavedMatch], MatchEdit], click: int
    ) -> MatchInfo:
        """Edit a match with all its stored moves, which are read before."""
        for _ in range(TRIES):
            info = (await self._editor.cache.get_snapshot(match)).info
            saved = await self._editor.store.load(match)
            if saved is None or info.status is not Status.RUNNING:
                raise RequestRefused(status_sentence(info), has_names=True)

            def edit_revision(current: Match, saved: SavedMatch = saved) -> MatchEdit:
                if current.info.revision != saved.info.revision:
                    raise _OtherRevision
                return edit(current, saved)

            try:
                return await self._editor.change_match(match, edit_revision, click)
            except _OtherRevision:
                self._editor.cache.drop_if_older(match, saved.info.revision)
        raise WriteConflict(NOT_WRITTEN)

    def _ask(self, current: Match, plan: TakeBackPlan, user: int, unwilling: Collection[int]) -> MatchEdit:
        info, seat, move = current.info, plan.row.seat, plan.undone[0].number
        if info.table_options.of(TAKEBACKS) == "free only":
            raise RequestRefused(FREE_ONLY)
        if (open_now := info.undoing.open_request) is not None:
            raise RequestRefused(ASKED_ALREADY if open_now.seat == seat else OTHER_REQUEST)
        asked_moves, limits = info.undoing.asked_by(seat), self.limits
        if asked_moves.count(move) >= limits.per_decision:
            raise RequestRefused("You have already asked about that move, so it stands.")
        if len(asked_moves) >= limits.per_match:
            raise RequestRefused(
                f"You can ask only {_times(limits.per_match)} per match, and you have already done so."
            )
        for each in (info.seats[number] for number in plan.seats):
            if each.user in unwilling:
                raise RequestRefused(f"{each.name} does not want to be asked about taking moves back.", has_names=True)
        now = self._editor.clock()
        request = TableRequest(seat, move, now + lapse_seconds(info), plan.seats, since=now)
        undoing = info.undoing.with_request(request, len(info.seats))
        return self._editor.edit_info(current, "ask take back", user, undoing=undoing)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
