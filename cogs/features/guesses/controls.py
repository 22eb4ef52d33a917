"""Handles the guesses of people who watch. A guess changes nothing in the match, and no message to others."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.features.guesses import question_page
from cogs.table.access.visit import Visit
from cogs.table.actions.context import ActionContext
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import clean_name
from engines.features.guesses.guessing import Guesses, require_watcher


class GuessActions:
    """Requests to see the open question of a match, and to guess its answer."""

    def __init__(self, context: ActionContext) -> None:
        self._screens = context.screens
        self._guesses = Guesses(context.matches.editor)

    async def show_question(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Show the open question with its choices, and what the user guessed before."""
        snapshot, user = visit.snapshot, visit.user
        question = require_watcher(snapshot, user, await self._guesses.closed(visit.match))
        own = await self._guesses.own(visit.match, user, question.number)
        screen = self._screens[snapshot.info.game]
        await reply.send_page(question_page.question_page(snapshot, screen, question, own))

    async def save_guess(self, reply: InteractionReply, visit: Visit, number: str, values: Sequence[str]) -> None:
        """Store the user's guess, and say so in the message with the choices."""
        user = reply.interaction.user
        choices = question_page.parse_choices(values)
        snapshot, question = await self._guesses.save(
            visit.match, user.id, clean_name(user.display_name), int(number), choices
        )
        reply.is_saved = True
        screen = self._screens[snapshot.info.game]
        page = question_page.question_page(snapshot, screen, question, sorted(choices))
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))
