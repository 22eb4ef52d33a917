"""Handles lessons: opening one, the learner's moves, skipping it, and the first match after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cogs.table.actions.table_actions import TableActions
from cogs.table.learning.hand_clicks import parse_hand_click
from cogs.table.lessons import lesson_pages
from cogs.table.lessons.lesson import GameLesson
from cogs.table.pages import match_pages
from cogs.table.pages.custom_ids import Control
from cogs.table.pages.page import Page
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.pages.screen_layout import Reader
from cogs.table.surfaces import move_steps
from cogs.table.surfaces.move_steps import MoveStep
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.lobbies import NO_COMPUTERS
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from players import available_levels

OTHER_VERSION_TEXT = "This button belongs to another version of this lesson. Use `/motley learn` to start it again."


class LessonActions:
    """Lesson requests. Each gets one reply, which only the learner sees. Nothing is stored but that it was offered."""

    def __init__(self, actions: TableActions, lessons: Mapping[str, GameLesson]) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._readers = actions.surface_sync.readers
        self._lessons = lessons
        self.on_progress: Callable[[str, str], None] = lambda game, step: None  # a lesson was `begun` or `finished`

    @property
    def games(self) -> Sequence[AnyGame]:
        """The games that have a lesson."""
        return [lesson.game for lesson in self._lessons.values()]

    async def open_lesson(self, reply: InteractionReply, game: AnyGame) -> None:
        """Show the first step of a game's lesson in a new message."""
        lesson = self._require_lesson(game.key)
        await self._readers.note_lesson_offered(reply.interaction.user.id, game.key)
        reader = await self._readers.lesson_reader(reply.interaction.user.id)
        await reply.send_page(await draw_in_thread(lesson_pages.step_page, lesson, 1, reader))
        self.on_progress(game.key, "begun")

    async def open_rules(self, reply: InteractionReply, game: AnyGame) -> None:
        """Show a game's rules; the first time, to somebody who has never finished the game, its lesson instead."""
        user = reply.interaction.user.id
        if game.key in self._lessons and not await self._readers.knows_lesson(user, game.key):
            await self.open_lesson(reply, game)
        else:
            await self._actions.rulebook.open_rules(reply, game)

    async def handle_control(self, reply: InteractionReply, control: Control, values: Sequence[str]) -> None:
        """Answer a click on a lesson's page. The control says at which step."""
        assert control.lesson is not None
        key, number = control.lesson
        lesson = self._require_lesson(key)
        if not 1 <= number <= lesson.step_count:
            raise RequestRefused(OTHER_VERSION_TEXT)
        reader = await self._readers.lesson_reader(reply.interaction.user.id)
        match control.kind, control.rest:
            case "t", "play":
                await self._play_against_computer(reply, lesson.game)
                return
            case "t", "skip":
                await self._actions.rulebook.turn_page(reply, lesson.game, 0)
                return
        click = parse_hand_click(control, values)
        match click.kind:
            case "show":
                page = await draw_in_thread(lesson_pages.step_page, lesson, number, reader)
            case "move":
                page = await draw_in_thread(page_after_move, lesson, number, reader, click.notation)
            case "question":
                page = await draw_in_thread(question_page, lesson, number, click.notation)
            case "step":
                page = await draw_in_thread(page_in_move, lesson, number, reader, click.step)
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))
        if number >= lesson.step_count - 1 and page == lesson_pages.step_page(lesson, lesson.step_count, reader):
            self.on_progress(key, "finished")

    async def _play_against_computer(self, reply: InteractionReply, game: AnyGame) -> None:
        """Open a table here, fill it with the weakest computers, and start."""
        guild, user = reply.interaction.guild_id or 0, reply.interaction.user.id
        if guild and not (await self._matches.server_settings(guild)).computers:
            raise RequestRefused(NO_COMPUTERS)
        info = await self._actions.open_lobby(reply, game, {}, {})
        reply.is_saved = True
        info = (await self._matches.get_snapshot(info.id)).info
        if info.status is Status.LOBBY and len(info.seats) == 1:
            await self._matches.add_computers(info.id, user, available_levels(game)[0])
            await self._matches.start_match(info.id, user)

    def _require_lesson(self, key: str) -> GameLesson:
        lesson = self._lessons.get(key)
        if lesson is None:
            raise RequestRefused("There is no lesson for that game.")
        return lesson


def page_after_move(lesson: GameLesson, number: int, reader: Reader, notation: str) -> Page:
    """Return the page that answers a move: the next step, or this one again with what is wrong."""
    if not lesson.step(number).asked:
        return lesson_pages.step_page(lesson, number, reader)
    try:
        answer = lesson.answer_move(number, notation)
    except IllegalMove as refusal:
        return lesson_pages.refused_page(lesson, number, reader, refusal)
    match answer.kind:
        case "asked":
            return lesson_pages.step_page(lesson, number + 1, reader)
        case "fine":
            return lesson_pages.also_fine_page(lesson, number, answer.text)
        case "wrong":
            return lesson_pages.step_page(lesson, number, reader, answer.text)


def page_in_move(lesson: GameLesson, number: int, reader: Reader, step: MoveStep) -> Page:
    """Return the hand with the choices that remain of a move, or the whole step if it has no such choice."""
    snapshot, context = lesson.snapshot(number), lesson_pages.page_context(lesson, number)
    try:
        page = move_steps.page_at_step(snapshot, lesson.seat, context, reader, step)
    except IllegalMove as refusal:
        return lesson_pages.refused_page(lesson, number, reader, refusal)
    return page or lesson_pages.step_page(lesson, number, reader)


def question_page(lesson: GameLesson, number: int, notation: str) -> Page:
    """Return the question that the hand asks before a move."""
    return match_pages.confirm_page(
        lesson.snapshot(number), lesson.seat, lesson_pages.page_context(lesson, number), notation
    )
