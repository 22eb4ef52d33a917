"""Hints, and reviews of past decisions. The worker pool computes them; only the user sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from discord import app_commands

from cogs.features.hints.hint_pages import (
    Lesson,
    Review,
    hint_page,
    review_page,
    review_progress_page,
    review_started_page,
    thinking_page,
)
from cogs.table.actions.rights import Access, Phase, Who, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import MATCH_DESCRIPTION, with_reply
from cogs.table.pages import menu_pages
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Page, Press
from cogs.table.pages.refusal_messages import refusal_text
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import RequestsAtOnce, long_turn
from cogs.table.state.task_cache import TaskCache
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.hints import CAN_ASK, offers_hint
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from players import Advice, advise_on_view, policy_advice
from players.levels import player_model_of
from players.review import PastDecision, past_decisions, review_decision
from worker_pool.fair_queue import Person
from worker_pool.pool import CHOICE_SECONDS, JobDropped, JobFailed

MOST_HINTS, MOST_REVIEWS = 64, 8  # how many results are cached
THINKING_NOTICE_AFTER = 0.4  # seconds until a notice says that the hint is being computed
REVIEW_SECONDS = 30.0  # the budget of CPU seconds for the quick review of a match
SECONDS_PER_DECISION = 0.5  # typical CPU seconds of one decision with a hint's full budget
CLOSER_LOOKS = 9  # how many of the costliest decisions are reviewed again with the full budget
LESSONS_SHOWN = 3
HINTS_AT_ONCE = 8  # hints that a person may wait for
STILL_THINKING_TEXT = f"I am still thinking about {HINTS_AT_ONCE} other hints for you. Please wait for one of them."
STILL_REVIEWING_TEXT = "I am still reviewing another match for you. Please wait for that review."
PAST_DECISION_TEXT = "That decision is no longer open. Ask for another hint whenever you like."
TRY_LATER_TEXT = "I could not review this match. Please try again later."
PROGRESS_SECONDS = 10.0  # seconds between two progress reports
REVIEWER = Access(
    Who.SEATED,
    Phase.OVER,
    not_you="You made no moves in this match, so there is nothing to review.",
    not_now="You can review your decisions after the match.",
)


def _no_hint(visit: Visit) -> RequestRefused:
    if visit.seat is None:
        return RequestRefused("You are not sitting at this table, so there is nothing to advise you on.")
    return RequestRefused("There is nothing for you to decide right now. Ask for a hint when it is your turn.")


HINT_ASKER = Access(Who.DUE, Phase.RUNNING, not_you=_no_hint, not_now=_no_hint)


class HintActions:
    """Hints during a match and reviews after it. Recent results are cached."""

    def __init__(self, actions: TableActions) -> None:
        self._context = actions.context
        self._worker_pool = actions.worker_pool
        self._answers = actions.hands.answers
        self._hints: TaskCache[tuple[Advice[Any], bool]] = TaskCache("hint", MOST_HINTS)
        self._reviews: TaskCache[Review] = TaskCache("review", MOST_REVIEWS)
        self._review_progress: dict[Hashable, int] = {}  # reviewed decisions of each running review
        self._hints_at_once = RequestsAtOnce(HINTS_AT_ONCE, STILL_THINKING_TEXT)
        self._reviews_at_once = RequestsAtOnce(1, STILL_REVIEWING_TEXT)

    # Hints

    async def show_hint(
        self, reply: InteractionReply, visit: Visit, rest: str = "", values: Sequence[str] = ()
    ) -> None:
        """Show a suggested move, computed from the user's own view, in place of the clicked menu."""
        if not visit.info.table_options.of(CAN_ASK):
            raise RequestRefused("There are no hints at this table: the host turned them off in the lobby.")
        with self._hints_at_once.count(visit.user, _decision_key(visit.snapshot, visit.own_seat)):
            await self._think(reply, visit)

    async def _think(self, reply: InteractionReply, visit: Visit) -> None:
        """Find the hint and show it, with a notice in the meantime if that takes a moment."""
        match, seat = visit.match, visit.own_seat
        thinking_text = await self._announce_thinking(reply, visit.snapshot, seat)
        try:
            page = await self._hint_page(reply, visit)
        except RequestRefused as why:
            if thinking_text is None or reply.clicked_ephemeral:  # a menu shows the refusal itself
                raise
            await reply.update_message(menu_pages.closed_page(refusal_text(why)))
            return
        message = thinking_text if thinking_text is not None else await reply.show_page(page)
        if thinking_text is not None:
            await reply.update_message(page)
        if (
            reply.clicked_ephemeral or reply.interaction.message is None
        ):  # in other cases the first response is not the hint
            self._answers.track(reply, match, seat, message)

    async def _hint_page(self, reply: InteractionReply, visit: Visit) -> Page:
        """Return the hint's page. Raises RequestRefused if the decision is past by then."""
        found = None
        with suppress(JobDropped):
            found = await self._find_advice(visit.snapshot, visit.own_seat)
        now = await self._context.door.renew_from_store(visit)
        HINT_ASKER.require(now)
        snapshot, seat = now.snapshot, now.own_seat
        # The user may have another seat now.
        if found is None or _decision_key(snapshot, seat) != _decision_key(visit.snapshot, visit.own_seat):
            raise RequestRefused(PAST_DECISION_TEXT)
        advice, was_searched = found
        screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
        page = await draw_in_thread(hint_page, snapshot, seat, screen, advice, unit, was_searched=was_searched)
        return self._context.keep_clicked_place(reply, snapshot, seat, page)

    async def _announce_thinking(self, reply: InteractionReply, snapshot: MatchSnapshot, seat: int) -> int | None:
        """Show a notice if the hint takes a moment. Return its message id (0: unknown), or None if none was shown."""
        task = self._hints.task(_decision_key(snapshot, seat), lambda: self._search_advice(snapshot, seat))
        if (await asyncio.wait((task,), timeout=THINKING_NOTICE_AFTER))[0]:
            return None
        return await reply.show_page(thinking_page())

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
        """Search a move for the seat's owner. Raises JobDropped if the decision is past before the search begins."""
        view, number = snapshot.view(seat), snapshot.decisions()[seat].number
        seed, owner = f"hint {snapshot.info.id} {seat} {number}", Person(snapshot.info.seats[seat].user)

        async def is_wanted() -> bool:
            now = await self._context.matches.cache.get_snapshot(snapshot.info.id)
            decision = now.decisions().get(seat)
            return now.info.seats[seat].has_owner and decision is not None and decision.number == number

        try:
            return await self._worker_pool.run(
                owner, advise_on_view, snapshot.game, view, seed, seconds=CHOICE_SECONDS, is_wanted=is_wanted
            ), True
        except JobFailed:
            return policy_advice(player_model_of(snapshot.game), view, snapshot.moves(seat), seed), False

    # Reviews

    async def show_review(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show the user's costliest decisions in a finished match, with the progress until they are found."""
        snapshot, user = visit.snapshot, visit.user
        with self._reviews_at_once.count(visit.user, visit.match):
            found = await self._faced_decisions(snapshot, user)
            share = min(1.0, REVIEW_SECONDS / SECONDS_PER_DECISION / max(1, len(found)))
            key = snapshot.info.id, user
            task = self._reviews.task(key, lambda: self._find_lessons(snapshot, found, share, user))
            if found and not task.done():
                await reply.send_page(
                    review_started_page(len(found), round(SECONDS_PER_DECISION * (share * len(found) + CLOSER_LOOKS)))
                )
            while not (await asyncio.wait((task,), timeout=PROGRESS_SECONDS))[0]:
                if self._context.client.is_closed():  # replies are no longer possible
                    return
                await reply.update_message(review_progress_page(self._review_progress.get(key, 0), len(found)))
            if self._context.client.is_closed():
                return
            review = await self._reviews.result_of(key, lambda: self._find_lessons(snapshot, found, share, user))
            screen, unit = self._context.screens[snapshot.info.game], player_model_of(snapshot.game).unit
            page = await draw_in_thread(review_page, snapshot, screen, review, unit)
            await (reply.update_message(page) if reply.has_responded else reply.send_page(page))

    async def _faced_decisions(self, snapshot: MatchSnapshot, user: int) -> list[PastDecision]:
        """Return the decisions that the user made, without those that a computer made for them."""
        async with long_turn():
            saved = await self._context.matches.records.load_moves(snapshot.info.id)
        rows = [
            (move.number, move.seat, move.notation, move.user == user and not move.level) for move in saved.in_force()
        ]
        if not any(own for *_, own in rows):
            raise RequestRefused("You made no moves in this match, so there is nothing to review.")
        try:
            return await self._worker_pool.run(
                Person(user), past_decisions, snapshot.game, saved.base, rows, seconds=CHOICE_SECONDS
            )
        except JobFailed:
            raise RequestRefused(TRY_LATER_TEXT) from None

    async def _find_lessons(
        self, snapshot: MatchSnapshot, found: list[PastDecision], share: float, user: int
    ) -> Review:
        """Return the costliest decisions, worst first. A quick pass selects candidates; a closer pass ranks them."""
        quick: list[Lesson] = []
        key, owner = (snapshot.info.id, user), Person(user)
        try:
            for number, each in enumerate(found, 1):
                quick += await self._evaluate_decision(snapshot, each, owner, "quick", share)
                self._review_progress[key] = number
            some = sorted((each for each in quick if each[1].gain), key=_gain, reverse=True)[:CLOSER_LOOKS]
            closer = [
                lesson
                for each, _ in some
                for lesson in await self._evaluate_decision(snapshot, each, owner, "closer", 1.0)
            ]
        finally:
            self._review_progress.pop(key, None)
        if found and not quick:
            raise RequestRefused(TRY_LATER_TEXT)
        worst = sorted((each for each in closer if each[1].gain), key=_gain, reverse=True)[:LESSONS_SHOWN]
        return Review(tuple(worst), len(quick), len(found))

    async def _evaluate_decision(
        self, snapshot: MatchSnapshot, each: PastDecision, owner: Person, which: str, share: float
    ) -> list[Lesson]:
        """Return the lesson of one decision, or an empty list if the job failed."""
        seed = f"{which} {snapshot.info.id} {each.number}"
        try:
            advice = await self._worker_pool.run_in_background(
                owner, review_decision, snapshot.game, each, seed, share, seconds=CHOICE_SECONDS
            )
        except JobFailed:
            return []
        return [(each, advice)]


def _decision_key(snapshot: MatchSnapshot, seat: int) -> Hashable:
    return snapshot.info.id, seat, snapshot.decisions()[seat].number


def _gain(lesson: Lesson) -> float:
    return lesson[1].gain or 0.0


class HintCommands(FeatureCog):
    """The part of `/motley` about hints."""

    @app_commands.command(
        description="Get a suggested move and the reason, based only on what you can see", extras=extras_of(HINT_ASKER)
    )
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @app_commands.autocomplete(match=FeatureCog.complete_match)
    @with_reply
    async def hint(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hint`: show a hint privately."""
        visit = await self.finder.find_match(reply.interaction, match)
        await self.actions.service(HintActions).show_hint(reply, visit)


class HintsUI(FeatureUI):
    """Hints and reviews: buttons in the menu, and below the result on a hand."""

    name = "hints"
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):hint", "ask"),
        OldControl(r"t:(?P<match>[a-z0-9]{8}):review", "review"),
    )
    motley_commands = HintCommands

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the hint, if the reader has to decide something, and after the match the review, for players."""
        info = facts.snapshot.info
        if offers_hint(facts.snapshot, facts.reader):
            yield MenuEntry(MenuGroup.NOW, 10, Press("Hint", feature_id("hints", info.id, "ask")))
        if info.status is Status.OVER and info.seat_of(facts.reader) is not None:
            yield from (MenuEntry(MenuGroup.LOOK, 50, press) for press in self.hand_result_presses(facts))

    def hand_result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button for the review."""
        return (Press("My costliest moves", feature_id("hints", facts.snapshot.info.id, "review")),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the two buttons."""
        own = actions.service(HintActions)
        return (
            FeatureControl("ask", own.show_hint, HINT_ASKER, edits=True, is_in_menu=True),
            FeatureControl("review", own.show_review, REVIEWER),
        )
