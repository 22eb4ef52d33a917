"""The desk's part for hints, and for looking back at one's decisions: worked out by the pool, for the asker alone."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from cogs.table.pages import hint_pages, menu_pages
from cogs.table.pages.hint_pages import Lesson, Review
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import drawn
from cogs.table.pages.refusal_messages import sentence
from cogs.table.transport.interaction_response import Answer
from cogs.table.transport.network_errors import NETWORK, named
from engines.hosting.match import Look, Refused
from engines.kit.contract import IllegalMove
from engines.store.match_store import Status
from players import Advice, advised, offhand
from players.levels import mind_of
from players.review import Faced, costs, faced
from worker_pool.pool import GaveUp

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

log = logging.getLogger(__name__)
T = TypeVar("T")
LONGEST = 20.0  # seconds of the processor that one decision may take: many times what any needs
MOST_HINTS, MOST_REVIEWS = 64, 8  # that are remembered, those asked for last
A_MOMENT = 0.4  # seconds after which it is said that a hint is being worked out
SPENT = 30.0  # seconds of the processor that a whole match may take
ONE = 0.5  # such seconds that a decision takes, about, with all that a hint may spend
CLOSER = 9  # of the costliest decisions are looked at once more, with all that
TOLD = 3
LATER = "I could not look at this match again. Please try later."
SAID_AGAIN = 10.0  # seconds after which it is said how far one is


class Thinking(Protocol):
    """The pool, as far as it is needed here."""

    async def run(self, function: Callable[..., T], *args: Any, seconds: float) -> T:
        """What that function says to these arguments. Raises GaveUp."""


class Hints:
    """Hints while a match runs, and the costliest decisions of one that is over. What was found is remembered."""

    def __init__(self, desk: Desk, thinkers: Thinking) -> None:
        self._desk = desk
        self._thinkers = thinkers
        self._hints: _Remembered[tuple[Advice[Any], bool]] = _Remembered("hint", MOST_HINTS)
        self._reviews: _Remembered[Review] = _Remembered("review", MOST_REVIEWS)
        self._open: OrderedDict[tuple[str, int], tuple[Answer, int]] = OrderedDict()  # and in which messages
        self._looked: dict[Hashable, int] = {}  # how far those are that are under way
        self._turn = asyncio.Lock()  # one match at a time is looked back at, so that hints and players come first

    # Hints

    async def hint(self, answer: Answer, match: str) -> None:
        """What to do now, from what the asker's hand knows; in place of the menu that was clicked."""
        look, seat = await self._asked(answer, match)
        said = await self._said_to_think(answer, look, seat)
        try:
            page = await self._hint(answer, look, seat)
        except Refused as why:
            if said is None or answer.own:  # a menu says so by itself
                raise
            await answer.update(menu_pages.past(sentence(why)))
            return
        stands = said if said is not None else await self._show(answer, page)
        if said is not None:
            await answer.update(page)
        if answer.own or answer.interaction.message is None:  # of all others the first response is no hint
            self._open[match, seat] = answer, stands
            self._open.move_to_end((match, seat))
            if len(self._open) > MOST_HINTS:
                self._open.popitem(last=False)

    async def past(self, answer: Answer, match: str, seat: int) -> None:
        """That seat has moved, as is answered there: a hint for it goes, unless it was clicked itself."""
        hint, stands = self._open.pop((match, seat), (None, 0))
        clicked = answer.interaction.message
        if hint is None or not stands or hint.interaction.is_expired() or (clicked and clicked.id == stands):
            return
        try:
            await hint.close()
        except NETWORK as error:  # it was dismissed, most likely
            log.info("A hint that is past could not be taken away: %s", named(error))

    def replaced(self, answer: Answer, match: str, seat: int) -> None:
        """What was clicked shows the hand now; if it was a hint, it is none any more."""
        clicked = answer.interaction.message
        if clicked is not None and clicked.id == self._open.get((match, seat), (None, 0))[1]:
            del self._open[match, seat]

    async def _hint(self, answer: Answer, look: Look, seat: int) -> Page:
        """The hint, once it is worked out, if it is still of use."""
        match, number = look.info.id, look.decisions()[seat].number
        advice, thought = await self._advice(look, seat)
        look, seat = await self._asked(answer, match)
        if look.decisions()[seat].number != number:
            raise Refused("That decision is past. Ask for another hint when you like.")
        screen, unit = self._desk.screens[look.info.game], mind_of(look.game).unit
        return await drawn(hint_pages.hint, look, seat, screen, advice, unit, thought=thought)

    async def _said_to_think(self, answer: Answer, look: Look, seat: int) -> int | None:
        """Say so where it takes longer than a moment: in which message (0: not known); None where it was not said."""
        task = self._hints.task(_decision(look, seat), lambda: self._think(look, seat))
        if (await asyncio.wait((task,), timeout=A_MOMENT))[0]:
            return None
        return await self._show(answer, hint_pages.thinking())

    async def _show(self, answer: Answer, page: Page) -> int:
        """Show it in the menu that was clicked, else in a message of its own; which (0: not known)."""
        message = answer.interaction.message
        if not answer.own or message is None:
            return await answer.page(page)
        await answer.update(page)
        return message.id

    async def _asked(self, answer: Answer, match: str) -> tuple[Look, int]:
        """The match, and the seat of the asker, who has something to decide and may be helped."""
        look = await self._desk.matches.fresh(match)
        seat = look.info.seat_of(answer.interaction.user.id)
        if seat is None:
            raise Refused("You are not sitting at this table, so there is nothing to advise you on.")
        if not look.info.house.hints:
            raise Refused("There are no hints at this table: its host has turned them off in the lobby.")
        if seat not in look.decisions():
            raise Refused("There is nothing for you to decide just now. Ask for a hint when it is your turn.")
        return look, seat

    async def _advice(self, look: Look, seat: int) -> tuple[Advice[Any], bool]:
        """What to do, and whether it was thought through; one search a decision, however often it is asked for."""
        key = _decision(look, seat)
        found = await self._hints.of(key, lambda: self._think(look, seat))
        try:
            look.game.check(look.state, seat, found[0].move)
        except IllegalMove:  # the others have changed what there is to decide
            self._hints.forget(key)
            found = await self._hints.of(key, lambda: self._think(look, seat))
        return found

    async def _think(self, look: Look, seat: int) -> tuple[Advice[Any], bool]:
        view, seed = look.view(seat), f"hint {look.info.id} {seat} {look.decisions()[seat].number}"
        try:
            return await self._thinkers.run(advised, look.game, view, seed, seconds=LONGEST), True
        except GaveUp:
            return offhand(mind_of(look.game), view, look.moves(seat), seed), False

    # Looking back

    async def review(self, answer: Answer, match: str) -> None:
        """The asker's costliest decisions in a match that is over: how long that takes, and then what they were."""
        look, user = await self._desk.matches.look(match), answer.interaction.user.id
        if look.info.status is not Status.OVER:
            raise Refused("Your decisions can be looked at once the match is over.")
        found = await self._faced(look, user)
        share = min(1.0, SPENT / ONE / max(1, len(found)))
        key = match, user
        task = self._reviews.task(key, lambda: self._lessons(look, found, share, key))
        if found and not task.done():
            await answer.page(hint_pages.looking(len(found), round(ONE * (share * len(found) + CLOSER))))
        while not (await asyncio.wait((task,), timeout=SAID_AGAIN))[0]:
            if self._desk.client.is_closed():  # nobody can be told any more
                return
            await answer.update(hint_pages.going_on(self._looked.get(key), len(found)))
        if self._desk.client.is_closed():
            return
        review = await self._reviews.of(key, lambda: self._lessons(look, found, share, key))
        screen, unit = self._desk.screens[look.info.game], mind_of(look.game).unit
        page = await drawn(hint_pages.costliest, look, screen, review, unit)
        await (answer.update(page) if answer.given else answer.page(page))

    async def _faced(self, look: Look, user: int) -> list[Faced]:
        """What that person decided, and not a computer for them."""
        saved = await self._desk.matches.moves(look.info.id)
        rows = [(move.seat, move.notation, move.user == user and not move.level) for move in saved.moves]
        if not any(own for *_, own in rows):
            raise Refused("You have made no move in this match, so there is nothing to look back at.")
        try:
            return await self._thinkers.run(faced, look.game, saved.base, saved.base_moves + 1, rows, seconds=LONGEST)
        except GaveUp:
            raise Refused(LATER) from None

    async def _lessons(self, look: Look, found: list[Faced], share: float, key: Hashable) -> Review:
        """What has cost most, the worst first; the first look is quick, and a closer one decides."""
        quick: list[Lesson] = []
        try:
            async with self._turn:
                self._looked[key] = 0
                for number, each in enumerate(found, 1):
                    quick += await self._cost(look, each, "quick", share)
                    self._looked[key] = number
                some = sorted((each for each in quick if each[1].gain), key=_gain, reverse=True)[:CLOSER]
                closer = [lesson for each, _ in some for lesson in await self._cost(look, each, "closer", 1.0)]
        finally:
            self._looked.pop(key, None)
        if found and not quick:
            raise Refused(LATER)
        worst = sorted((each for each in closer if each[1].gain), key=_gain, reverse=True)[:TOLD]
        return Review(tuple(worst), len(quick), len(found))

    async def _cost(self, look: Look, each: Faced, which: str, share: float) -> list[Lesson]:
        """What would have been better; nothing where that could not be worked out."""
        seed = f"{which} {look.info.id} {each.number}"
        try:
            return [(each, await self._thinkers.run(costs, look.game, each, seed, share, seconds=LONGEST))]
        except GaveUp:
            return []


def _decision(look: Look, seat: int) -> Hashable:
    """What a hint is remembered by."""
    return look.info.id, seat, look.decisions()[seat].number


def _gain(lesson: Lesson) -> float:
    return lesson[1].gain or 0.0


def _asked(done: asyncio.Task[Any]) -> None:
    """Whatever it came to, whoever asked for it was told, or is there no more."""
    if not done.cancelled():
        done.exception()


class _Remembered(Generic[T]):
    """What was worked out lately, each once, however many ask for it at the same time."""

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most
        self._tasks: OrderedDict[Hashable, asyncio.Task[T]] = OrderedDict()

    def task(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """What works it out, or has."""
        if key not in self._tasks:
            self._tasks[key] = task = asyncio.create_task(work_out(), name=self._name)
            task.add_done_callback(_asked)
            if len(self._tasks) > self._most:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(key)
        return self._tasks[key]

    async def of(self, key: Hashable, work_out: Callable[[], Coroutine[Any, Any, T]]) -> T:
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
