"""Handles hints and reviews of past decisions. The worker pool computes them; only the user sees them."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

from cogs.table.actions.context import ActionContext
from cogs.table.pages import hint_pages, menu_pages
from cogs.table.pages.hint_pages import Lesson, Review
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from players import Advice, advise_on_view, policy_advice
from players.levels import player_model_of
from players.review import PastDecision, past_decisions, review_decision
from worker_pool.pool import JobFailed

log = logging.getLogger(__name__)
T = TypeVar("T")
DECISION_SECONDS = 20.0  # the limit of CPU seconds for one decision, many times what any needs
MOST_HINTS, MOST_REVIEWS = 64, 8  # how many results are cached
THINKING_NOTICE_AFTER = 0.4  # seconds until a notice says that the hint is being computed
REVIEW_SECONDS = 30.0  # the budget of CPU seconds for the quick review of a match
SECONDS_PER_DECISION = 0.5  # typical CPU seconds of one decision with a hint's full budget
CLOSER_LOOKS = 9  # how many of the costliest decisions are reviewed again with the full budget
LESSONS_SHOWN = 3
TRY_LATER_TEXT = "I could not review this match. Please try again later."
PROGRESS_SECONDS = 10.0  # seconds between two progress reports


class JobRunner(Protocol):
    """The part of the worker pool that hints need."""

    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """Return the function's result for these arguments. Raises JobFailed."""


class HintActions:
    """Hints during a match and reviews after it. Recent results are cached."""

    def __init__(self, context: ActionContext, worker_pool: JobRunner) -> None:
        self._context = context
        self._worker_pool = worker_pool
        self._hints: TaskCache[tuple[Advice[Any], bool]] = TaskCache("hint", MOST_HINTS)
        self._reviews: TaskCache[Review] = TaskCache("review", MOST_REVIEWS)
        # By match and seat: the reply that shows a hint, and the id of its message.
        self._open_hints: OrderedDict[tuple[str, int], tuple[InteractionReply, int]] = OrderedDict()
        self._review_progress: dict[Hashable, int] = {}  # reviewed decisions of each running review
        self._review_lock = asyncio.Lock()  # one review at a time, so that hints and computers come first

    # Hints

    async def show_hint(self, reply: InteractionReply, match: str) -> None:
        """Show a suggested move, computed from the user's own view, in place of the clicked menu."""
        snapshot, seat = await self._require_decision(reply, match)
        said = await self._announce_thinking(reply, snapshot, seat)
        try:
            page = await self._hint_page(reply, snapshot, seat)
        except RequestRefused as why:
            if said is None or reply.clicked_ephemeral:  # a menu shows the refusal itself
                raise
            await reply.update_message(menu_pages.closed_page(refusal_text(why)))
            return
        stands = said if said is not None else await self._show_page(reply, page)
        if said is not None:
            await reply.update_message(page)
        if (
            reply.clicked_ephemeral or reply.interaction.message is None
        ):  # in other cases the first response is not the hint
            self._open_hints[match, seat] = reply, stands
            self._open_hints.move_to_end((match, seat))
            if len(self._open_hints) > MOST_HINTS:
                self._open_hints.popitem(last=False)

    async def withdraw_hint(self, reply: InteractionReply, match: str, seat: int) -> None:
        """Delete the open hint of a seat that has moved, unless the move was clicked on the hint itself."""
        hint, stands = self._open_hints.pop((match, seat), (None, 0))
        clicked = reply.interaction.message
        if hint is None or not stands or hint.interaction.is_expired() or (clicked and clicked.id == stands):
            return
        try:
            await hint.delete_clicked()
        except NETWORK_ERRORS as error:  # most likely the user dismissed it
            log.info("Could not delete an outdated hint: %s", describe_error(error))

    def forget_replaced(self, reply: InteractionReply, match: str, seat: int) -> None:
        """Forget the open hint if its message now shows the hand."""
        clicked = reply.interaction.message
        if clicked is not None and clicked.id == self._open_hints.get((match, seat), (None, 0))[1]:
            del self._open_hints[match, seat]

    async def _hint_page(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int) -> Page:
        """Return the hint's page. Raises RequestRefused if the decision is past by then."""
        match, number = snapshot.info.id, snapshot.decisions()[seat].number
        advice, was_searched = await self._find_advice(snapshot, seat)
        snapshot, seat = await self._require_decision(reply, match)
        if snapshot.decisions()[seat].number != number:
            raise RequestRefused("That decision is already made. Ask for another hint whenever you like.")
        screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
        return await draw_in_thread(
            hint_pages.hint_page, snapshot, seat, screen, advice, unit, was_searched=was_searched
        )

    async def _announce_thinking(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int) -> int | None:
        """Show a notice if the hint takes a moment. Return its message id (0: unknown), or None if none was shown."""
        task = self._hints.task(_decision_key(snapshot, seat), lambda: self._search_advice(snapshot, seat))
        if (await asyncio.wait((task,), timeout=THINKING_NOTICE_AFTER))[0]:
            return None
        return await self._show_page(reply, hint_pages.thinking_page())

    async def _show_page(self, reply: InteractionReply, page: Page) -> int:
        """Show a page in the clicked menu, else in a new message. Return the message id (0: unknown)."""
        message = reply.interaction.message
        if not reply.clicked_ephemeral or message is None:
            return await reply.send_page(page)
        await reply.update_message(page)
        return message.id

    async def _require_decision(self, reply: InteractionReply, match: str) -> tuple[MatchSnapshot, int]:
        """Return the match and the user's seat. Raises RequestRefused if there is no decision or no hints."""
        snapshot = await self._context.matches.get_fresh_snapshot(match)
        seat = snapshot.info.seat_of(reply.interaction.user.id)
        if seat is None:
            raise RequestRefused("You are not sitting at this table, so there is nothing to advise you on.")
        if not snapshot.info.house.hints:
            raise RequestRefused("There are no hints at this table: the host turned them off in the lobby.")
        if seat not in snapshot.decisions():
            raise RequestRefused("There is nothing for you to decide right now. Ask for a hint when it is your turn.")
        return snapshot, seat

    async def _find_advice(self, snapshot: MatchSnapshot, seat: int) -> tuple[Advice[Any], bool]:
        """Return the advice and whether it was searched. Each decision is searched only once."""
        key = _decision_key(snapshot, seat)
        found = await self._hints.result_of(key, lambda: self._search_advice(snapshot, seat))
        try:
            snapshot.game.check(snapshot.state, seat, found[0].move)
        except IllegalMove:  # another player's move has changed the options
            self._hints.forget(key)
            found = await self._hints.result_of(key, lambda: self._search_advice(snapshot, seat))
        return found

    async def _search_advice(self, snapshot: MatchSnapshot, seat: int) -> tuple[Advice[Any], bool]:
        view, seed = snapshot.view(seat), f"hint {snapshot.info.id} {seat} {snapshot.decisions()[seat].number}"
        try:
            return await self._worker_pool.run(
                advise_on_view, snapshot.game, view, seed, seconds=DECISION_SECONDS
            ), True
        except JobFailed:
            return policy_advice(player_model_of(snapshot.game), view, snapshot.moves(seat), seed), False

    # Reviews

    async def show_review(self, reply: InteractionReply, match: str) -> None:
        """Show the user's costliest decisions in a finished match, with the progress until they are found."""
        snapshot, user = await self._context.matches.get_snapshot(match), reply.interaction.user.id
        if snapshot.info.status is not Status.OVER:
            raise RequestRefused("You can review your decisions after the match.")
        found = await self._faced_decisions(snapshot, user)
        share = min(1.0, REVIEW_SECONDS / SECONDS_PER_DECISION / max(1, len(found)))
        key = match, user
        task = self._reviews.task(key, lambda: self._find_lessons(snapshot, found, share, key))
        if found and not task.done():
            await reply.send_page(
                hint_pages.review_started_page(
                    len(found), round(SECONDS_PER_DECISION * (share * len(found) + CLOSER_LOOKS))
                )
            )
        while not (await asyncio.wait((task,), timeout=PROGRESS_SECONDS))[0]:
            if self._context.client.is_closed():  # replies are no longer possible
                return
            await reply.update_message(hint_pages.review_progress_page(self._review_progress.get(key), len(found)))
        if self._context.client.is_closed():
            return
        review = await self._reviews.result_of(key, lambda: self._find_lessons(snapshot, found, share, key))
        screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
        page = await draw_in_thread(hint_pages.review_page, snapshot, screen, review, unit)
        await (reply.update_message(page) if reply.has_responded else reply.send_page(page))

    async def _faced_decisions(self, snapshot: MatchSnapshot, user: int) -> list[PastDecision]:
        """Return the decisions that the user made, without those that a computer made for them."""
        saved = await self._context.matches.load_moves(snapshot.info.id)
        rows = [
            (move.number, move.seat, move.notation, move.user == user and not move.level) for move in saved.in_force()
        ]
        if not any(own for *_, own in rows):
            raise RequestRefused("You made no moves in this match, so there is nothing to review.")
        try:
            return await self._worker_pool.run(
                past_decisions, snapshot.game, saved.base, rows, seconds=DECISION_SECONDS
            )
        except JobFailed:
            raise RequestRefused(TRY_LATER_TEXT) from None

    async def _find_lessons(
        self, snapshot: MatchSnapshot, found: list[PastDecision], share: float, key: Hashable
    ) -> Review:
        """Return the costliest decisions, worst first. A quick pass selects candidates; a closer pass ranks them."""
        quick: list[Lesson] = []
        try:
            async with self._review_lock:
                self._review_progress[key] = 0
                for number, each in enumerate(found, 1):
                    quick += await self._evaluate_decision(snapshot, each, "quick", share)
                    self._review_progress[key] = number
                some = sorted((each for each in quick if each[1].gain), key=_gain, reverse=True)[:CLOSER_LOOKS]
                closer = [
                    lesson
                    for each, _ in some
                    for lesson in await self._evaluate_decision(snapshot, each, "closer", 1.0)
                ]
        finally:
            self._review_progress.pop(key, None)
        if found and not quick:
            raise RequestRefused(TRY_LATER_TEXT)
        worst = sorted((each for each in closer if each[1].gain), key=_gain, reverse=True)[:LESSONS_SHOWN]
        return Review(tuple(worst), len(quick), len(found))

    async def _evaluate_decision(
        self, snapshot: MatchSnapshot, each: PastDecision, which: str, share: float
    ) -> list[Lesson]:
        """Return the lesson of one decision, or an empty list if the job failed."""
        seed = f"{which} {snapshot.info.id} {each.number}"
        try:
            return [
                (
                    each,
                    await self._worker_pool.run(
                        review_decision, snapshot.game, each, seed, share, seconds=DECISION_SECONDS
                    ),
                )
            ]
        except JobFailed:
            return []


def _decision_key(snapshot: MatchSnapshot, seat: int) -> Hashable:
    """Return the cache key of a hint."""
    return snapshot.info.id, seat, snapshot.decisions()[seat].number


def _gain(lesson: Lesson) -> float:
    return lesson[1].gain or 0.0


def _consume_result(done: asyncio.Task[Any]) -> None:
    """Mark a task's exception as retrieved: callers that still wait have received it."""
    if not done.cancelled():
        done.exception()


class TaskCache(Generic[T]):
    """A cache of recent results. Concurrent callers with the same key share one task."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    def task(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """Return the task that computes or has computed the result."""
        if key not in self._tasks:
            self._tasks[key] = task = asyncio.create_task(work_out(), name=self._name)
            task.add_done_callback(_consume_result)
            if len(self._tasks) > self._size:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return self._tasks[key]

    async def result_of(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the cached result, or compute it."""
        task = self.task(key, work_out)
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():  # it failed: let the next caller retry
                self.forget(key)
            raise

    def forget(self, key: Hashable) -> None:
        """Drop a result, so that it is computed again."""
        self._tasks.pop(key, None)
