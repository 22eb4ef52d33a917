"""Where lessons are offered, the command, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from discord import app_commands

from cogs.features.lessons.controls import COUNTER, LessonActions
from cogs.features.lessons.game_lesson import MARK, lesson_match
from cogs.features.lessons.lesson_pages import PLAY
from cogs.table.access.rights import READERS
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import Exercises, FeatureCog, FeatureControl, FeatureUI, OldControl
from cogs.table.commands.game_commands import find_game, with_reply
from cogs.table.pages.custom_ids import feature_id
from cogs.table.pages.feature_pages import Facts
from cogs.table.pages.page import Press, table_press
from cogs.table.transport.interaction_response import InteractionReply
from engines.kit.contract import AnyGame


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
    """Lessons: the ways to one, from a lobby and from the rules."""

    name = "lessons"
    old_controls = (OldControl(r"t:(?P<match>[a-z0-9]{8}):learn", "open"),)
    motley_commands = LessonCommands
    help_text = "**Learn a game** by playing it: `/motley learn`."
    counters = ((COUNTER, "Lessons that were begun and finished."),)

    def lobby_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the lesson of the lobby's game."""
        return (Press("Learn it first", feature_id("lessons", facts.snapshot.info.id, "open")),)

    def rules_presses(self, game: str) -> Iterable[Press]:
        """Return the button to the first step of the game's lesson."""
        return (table_press(lesson_match(game, 1), "Learn by playing", "show"),)

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button of a lobby."""
        return (FeatureControl("open", actions.service(LessonActions).open_for_match, READERS),)

    def exercises(self, actions: TableActions) -> Exercises:
        """Return the steps of lessons."""
        return Exercises(MARK, actions.service(LessonActions).handle_click, opens=frozenset({PLAY}))

    async def answer_rules(self, actions: TableActions, reply: InteractionReply, game: AnyGame) -> bool:
        """Show the lesson to newcomers, once."""
        return await actions.service(LessonActions).answer_rules(reply, game)
