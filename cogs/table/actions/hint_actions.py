"""The desk's part for hints, and for looking back at one's decisions: worked out by the pool, for the asker alone."""

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
DECISION_SECONDS = 20.0  # seconds of the processor that one decision may take: many times what any needs
MOST_HINTS, MOST_REVIEWS = 64, 8  # that are remembered, those asked for last
THINKING_NOTICE_AFTER = 0.4  # seconds after which it is said that a hint is being worked out
REVIEW_SECONDS = 30.0  # seconds of the processor that a whole match may take
SECONDS_PER_DECISION = 0.5  # such seconds that a decision takes, about, with all that a hint may spend
CLOSER_LOOKS = 9  # of the costliest decisions are looked at once more, with all that
LESSONS_SHOWN = 3
TRY_LATER_TEXT = "I could not look at this match again. Please try later."
PROGRESS_SECONDS = 10.0  # seconds after which it is said how far one is


class JobRunner(Protocol):
    """The pool, as far as it is needed here."""

    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """What that function says to these arguments. Raises GaveUp."""


class HintActions:
    """Hints while a match runs, and the costliest decisions of one that is over. What was found is remembered."""

    def __init__(self, context: ActionContext, worker_pool: JobRunner) -> None:
        self._context = context
        self._worker_pool = worker_pool
        self._hints: _TaskCache[tuple[Advice[Any], bool]] = _TaskCache("hint", MOST_HINTS)
        self._reviews: _TaskCache[Review] = _TaskCache("review", MOST_REVIEWS)
        self._open_hints: OrderedDict[tuple[str, int], tuple[InteractionReply, int]] = (
            OrderedDict()
        )  # and in which messages
        self._review_progress: dict[Hashable, int] = {}  # how far those are that are under way
        self._review_lock = (
            asyncio.Lock()
        )  # one match at a time is looked back at, so that hints and players come first

    # Hints

    async def show_hint(self, reply: InteractionReply, match: str) -> None:
        """What to do now, from what the asker's hand knows; in place of the menu that was clicked."""
        snapshot, seat = await self._require_decision(reply, match)
        said = await self._announce_thinking(reply, snapshot, seat)
        try:
            page = await self._hint_page(reply, snapshot, seat)
        except RequestRefused as why:
            if said is None or reply.clicked_ephemeral:  # a menu says so by itself
                raise
            await reply.update_message(menu_pages.closed_page(refusal_text(why)))
            return
        stands = said if said is not None else await self._show_page(reply, page)
        if said is not None:
            await reply.update_message(page)
        if reply.clicked_ephemeral or reply.interaction.message is None:  # of all others the first response is no hint
            self._open_hints[match, seat] = reply, stands
            self._open_hints.move_to_end((match, seat))
            if len(self._open_hints) > MOST_HINTS:
                self._open_hints.popitem(last=False)

    async def withdraw_hint(self, reply: InteractionReply, match: str, seat: int) -> None:
        """That seat has moved, as is answered there: a hint for it goes, unless it was clicked itself."""
        hint, stands = self._open_hints.pop((match, seat), (None, 0))
        clicked = reply.interaction.message
        if hint is None or not stands or hint.interaction.is_expired() or (clicked and clicked.id == stands):
            return
        try:
            await hint.delete_clicked()
        except NETWORK_ERRORS as error:  # it was dismissed, most likely
            log.info("A hint that is past could not be taken away: %s", describe_error(error))

    def forget_replaced(self, reply: InteractionReply, match: str, seat: int) -> None:
        """What was clicked shows the hand now; if it was a hint, it is none any more."""
        clicked = reply.interaction.message
        if clicked is not None and clicked.id == self._open_hints.get((match, seat), (None, 0))[1]:
            del self._open_hints[match, seat]

    async def _hint_page(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int) -> Page:
        """The hint, once it is worked out, if it is still of use."""
        match, number = snapshot.info.id, snapshot.decisions()[seat].number
        advice, was_searched = await self._find_advice(snapshot, seat)
        snapshot, seat = await self._require_decision(reply, match)
        if snapshot.decisions()[seat].number != number:
            raise RequestRefused("That decision is past. Ask for another hint when you like.")
        screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
        return await draw_in_thread(
            hint_pages.hint_page, snapshot, seat, screen, advice, unit, was_searched=was_searched
        )

    async def _announce_thinking(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int) -> int | None:
        """Say so where it takes longer than a moment: in which message (0: not known); None where it was not said."""
        task = self._hints.task(_decision_key(snapshot, seat), lambda: self._search_advice(snapshot, seat))
        if (await asyncio.wait((task,), timeout=THINKING_NOTICE_AFTER))[0]:
            return None
        return await self._show_page(reply, hint_pages.thinking_page())

    async def _show_page(self, reply: InteractionReply, page: Page) -> int:
        """Show it in the menu that was clicked, else in a message of its own; which (0: not known)."""
        message = reply.interaction.message
        if not reply.clicked_ephemeral or message is None:
            return await reply.send_page(page)
        await reply.update_message(page)
        return message.id

    async def _require_decision(self, reply: InteractionReply, match: str) -> tuple[MatchSnapshot, int]:
        """The match, and the seat of the asker, who has something to decide and may be helped."""
        snapshot = await self._context.matches.get_fresh_snapshot(match)
        seat = snapshot.info.seat_of(reply.interaction.user.id)
        if seat is None:
            raise RequestRefused("You are not sitting at this table, so there is nothing to advise you on.")
        if not snapshot.info.house.hints:
            raise RequestRefused("There are no hints at this table: its host has turned them off in the lobby.")
        if seat not in snapshot.decisions():
            raise RequestRefused("There is nothing for you to decide just now. Ask for a hint when it is your turn.")
        return snapshot, seat

    async def _find_advice(self, snapshot: MatchSnapshot, seat: int) -> tuple[Advice[Any], bool]:
        """What to do, and whether it was thought through; one search a decision, however often it is asked for."""
        key = _decision_key(snapshot, seat)
        found = await self._hints.result_of(key, lambda: self._search_advice(snapshot, seat))
        try:
            snapshot.game.check(snapshot.state, seat, found[0].move)
        except IllegalMove:  # the others have changed what there is to decide
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

    # Looking back

    async def show_review(self, reply: InteractionReply, match: str) -> None:
        """The asker's costliest decisions in a match that is over: how long that takes, and then what they were."""
        snapshot, user = await self._context.matches.get_snapshot(match), reply.interaction.user.id
        if snapshot.info.status is not Status.OVER:
            raise RequestRefused("Your decisions can be looked at once the match is over.")
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
            if self._context.client.is_closed():  # nobody can be told any more
                return
            await reply.update_message(hint_pages.review_progress_page(self._review_progress.get(key), len(found)))
        if self._context.client.is_closed():
            return
        review = await self._reviews.result_of(key, lambda: self._find_lessons(snapshot, found, share, key))
        screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
        page = await draw_in_thread(hint_pages.review_page, snapshot, screen, review, unit)
        await (reply.update_message(page) if reply.has_responded else reply.send_page(page))

    async def _faced_decisions(self, snapshot: MatchSnapshot, user: int) -> list[PastDecision]:
        """What that person decided, and not a computer for them."""
        saved = await self._context.matches.load_moves(snapshot.info.id)
        rows = [(move.seat, move.notation, move.user == user and not move.level) for move in saved.moves]
        if not any(own for *_, own in rows):
            raise RequestRefused("You have made no move in this match, so there is nothing to look back at.")
        try:
            return await self._worker_pool.run(
                past_decisions, snapshot.game, saved.base, saved.base_moves + 1, rows, seconds=DECISION_SECONDS
            )
        except JobFailed:
            raise RequestRefused(TRY_LATER_TEXT) from None

    async def _find_lessons(
        self, snapshot: MatchSnapshot, found: list[PastDecision], share: float, key: Hashable
    ) -> Review:
        """What has cost most, the worst first; the first look is quick, and a closer one decides."""
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
        """What would have been better; nothing where that could not be worked out."""
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
    """What a hint is remembered by."""
    return snapshot.info.id, seat, snapshot.decisions()[seat].number


def _gain(lesson: Lesson) -> float:
    return lesson[1].gain or 0.0


def _consume_result(done: asyncio.Task[Any]) -> None:
    """Whatever it came to, whoever asked for it was told, or is there no more."""
    if not done.cancelled():
        done.exception()


class _TaskCache(Generic[T]):
    """What was worked out lately, each once, however many ask for it at the same time."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    def task(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """What works it out, or has."""
        if key not in self._tasks:
            self._tasks[key] = task = asyncio.create_task(work_out(), name=self._name)
            task.add_done_callback(_consume_result)
            if len(self._tasks) > self._size:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return self._tasks[key]

    async def result_of(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What is remembered by that key, else worked out now."""
        task = self.task(key, work_out)
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():  # it failed, and is to be tried anew
                self.forget(key)
            raise

    def forget(self, key: Hashable) -> None:
        """Have it be worked out anew."""
        self._tasks.pop(key, None)
