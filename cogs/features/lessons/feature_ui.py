"""Lessons: where they are offered, the learner's moves, skipping one, and the first match after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from discord import app_commands

from cogs.features.lessons.game_lesson import (
    BEGIN,
    HINT,
    MARK,
    PLAY,
    GameLesson,
    also_fine_page,
    lesson_match,
    page_context,
    refused_page,
    step_number,
    step_page,
)
from cogs.table.actions.rights import READERS
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import (
    Exercises,
    FeatureCog,
    FeatureControl,
    FeatureUI,
    HandClick,
    OldControl,
    page_in_move,
    parse_hand_click,
)
from cogs.table.commands.game_commands import find_game, with_reply
from cogs.table.pages.custom_ids import Control, feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Page, Press, table_press
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.interaction_response import InteractionReply
from engines.features.lessons import LESSONS_OFFERED, OfferedLesson
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from engines.store.match_store import Status
from engines.store.rows import PutRow, Rows
from players import available_levels

COUNTER = "lessons"
OTHER_VERSION_TEXT = "This button is out of date. Use `/motley learn` to start it again."
CHANGED_TEXT = "This lesson has changed since you began it, so it starts from the beginning."


class LessonActions:
    """Lesson requests. Each gets one reply, which only the learner sees. Nothing is stored but that it was offered."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._matches = actions.matches
        self._readers = actions.surface_sync.readers
        self._lessons = {
            key: GameLesson(self._matches.games[key], actions.screens[key], folder)
            for key, folder in actions.docs_folders.items()
        }

    async def open_lesson(self, reply: InteractionReply, game: AnyGame) -> None:
        """Show the first step of a game's lesson in a new message."""
        lesson = self._require_lesson(game.key)
        offered = OfferedLesson(reply.interaction.user.id, game.key)
        await self._matches.editor.write_own_rows(PutRow(LESSONS_OFFERED, offered))
        reader = await self._reader(reply)
        await reply.send_page(await draw_in_thread(step_page, lesson, 1, reader))
        self._actions.context.count_step(COUNTER, game.key, "begun")

    async def open_for_match(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show the lesson of a match's game."""
        await self.open_lesson(reply, visit.snapshot.game)

    async def handle_click(self, reply: InteractionReply, control: Control, values: Sequence[str]) -> None:
        """Answer a click on a lesson's page. The control says at which step."""
        assert control.exercise is not None
        key, number = control.exercise.game, step_number(control.exercise)
        lesson = self._require_lesson(key)
        if number > lesson.step_count:
            raise RequestRefused(OTHER_VERSION_TEXT)
        reader = await self._reader(reply)
        match control.kind, control.rest:
            case "t", word if word == PLAY:
                await self._play_against_computer(reply, lesson.game)
                return
            case "t", word if word == BEGIN:
                await self.open_lesson(reply, lesson.game)
                return
            case "t", "skip":
                await self._actions.rulebook.turn_page(reply, lesson.game, 0)
                return
        if number < 1:
            text = f"{CHANGED_TEXT}\n{lesson.step(1).text}"
            await reply.show_page(await draw_in_thread(step_page, lesson, 1, reader, text))
            return
        if (control.kind, control.rest) == ("t", HINT) and lesson.step(number).asked:
            await reply.show_page(await draw_in_thread(step_page, lesson, number, reader, lesson.hint(number)))
            return
        click = parse_hand_click(control, values)
        if click.kind == "move":
            page = await draw_in_thread(page_after_move, lesson, number, reader, click.notation)
        else:
            page = await draw_in_thread(page_before_move, lesson, number, reader, click)
        await reply.show_page(page)
        if number >= lesson.step_count - 1 and page == step_page(lesson, lesson.step_count, reader):
            self._actions.context.count_step(COUNTER, key, "finished")

    async def _reader(self, reply: InteractionReply) -> Reader:
        reader = await self._readers.plain_reader(reply.interaction.user.id)
        return replace(reader, is_in_server=reply.interaction.guild_id is not None)

    async def _play_against_computer(self, reply: InteractionReply, game: AnyGame) -> None:
        """Open a table here, fill it with the weakest computers, and start."""
        guild, user = reply.interaction.guild_id or 0, reply.interaction.user.id
        await self._matches.lobbies.require_computers(guild)
        info = await self._actions.open_lobby(reply, game, {}, {})
        reply.is_saved = True
        info = (await self._matches.cache.get_snapshot(info.id)).info
        if info.status is Status.LOBBY and len(info.seats) == 1:
            await self._matches.lobbies.add_computers(info.id, user, available_levels(game)[0])
            await self._actions.surface_sync.wait_for_seal(await self._matches.cache.get_snapshot(info.id))
            await self._matches.lobbies.start_match(info.id, user)

    def _require_lesson(self, key: str) -> GameLesson:
        lesson = self._lessons.get(key)
        if lesson is None:
            raise RequestRefused("There is no lesson for that game.")
        return lesson


def page_after_move(lesson: GameLesson, number: int, reader: Reader, notation: str) -> Page:
    """Return the page that answers a move: the next step, or this one again with what is wrong."""
    if not lesson.step(number).asked:
        return step_page(lesson, number, reader)
    try:
        answer = lesson.answer_move(number, notation)
    except IllegalMove as refusal:
        return refused_page(lesson, number, reader, refusal)
    match answer.kind:
        case "asked":
            return step_page(lesson, number + 1, reader)
        case "fine":
            return also_fine_page(lesson, number, answer.text)
        case "wrong":
            return step_page(lesson, number, reader, answer.text)


def page_before_move(lesson: GameLesson, number: int, reader: Reader, click: HandClick) -> Page:
    """Return the question before a move, the hand with the choices that remain of it, or the whole step."""
    snapshot, context = lesson.snapshot(number), page_context(lesson, number)
    try:
        page = page_in_move(click, snapshot, lesson.seat, context, reader)
    except IllegalMove as refusal:
        return refused_page(lesson, number, reader, refusal)
    return page or step_page(lesson, number, reader)


class LessonCommands(FeatureCog):
    """The part of `/motley` about lessons."""

    @app_commands.command(description="Learn a game in five minutes by playing it; only you can see it")
    @app_commands.describe(game="Which game")
    @app_commands.autocomplete(game=FeatureCog.complete_game)
    @with_reply
    async def learn(self, reply: InteractionReply, game: str) -> None:
        """`learn`: show the lesson of a game."""
        await self.actions.service(LessonActions).open_lesson(reply, find_game(game, self.games))


class LessonsUI(FeatureUI):
    """Lessons: the ways to one, from the list of the games, from a lobby and from the rules."""

    name = "lessons"
    tables = (LESSONS_OFFERED,)
    old_controls = (OldControl(r"t:(?P<match>[a-z0-9]{8}):learn", "open"),)
    motley_commands = LessonCommands
    help_text = "**Learn a game** by playing it: `/motley learn`."
    counters = ((COUNTER, "Lessons that were begun and finished."),)

    def lobby_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the lesson of the lobby's game."""
        return (Press("Learn it", feature_id("lessons", facts.snapshot.info.id, "open")),)

    def game_presses(self, game: str, rows: Rows) -> Iterable[Press]:
        """Return the button that begins the game's lesson, as the first choice of anyone to whom it is new."""
        is_new = game not in {row.game for row in rows.of(LESSONS_OFFERED)}
        return (table_press(lesson_match(game, 1), "Learn it", BEGIN, "primary" if is_new else "secondary"),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button of a lobby."""
        return (FeatureControl("open", actions.service(LessonActions).open_for_match, READERS),)

    def exercises(self, actions: TableActions) -> Exercises:
        """Return the steps of lessons."""
        return Exercises(MARK, actions.service(LessonActions).handle_click, opens=frozenset({PLAY, BEGIN}))
