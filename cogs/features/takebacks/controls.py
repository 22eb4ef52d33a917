"""Handles requests to take a move back, and the answers of those who have to agree."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from cogs.features.takebacks.pages import confirm_practice_page
from cogs.table.actions.hand_actions import is_private
from cogs.table.actions.table_actions import TableActions
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import markdown_name
from engines.features.takebacks.feature import limits_of
from engines.features.takebacks.stamps import request_stamp
from engines.features.takebacks.taking_back import PracticeFirst, TakeBackResult, TakingBack

OLD_BUTTON = "That button is from an older version of me, so nothing has changed. Here is what you can do now."
StampedAction = Callable[[InteractionReply, str, str], Awaitable[None]]
STAMP = r"[0-9a-f]{8}"
NO_MOVE = -1  # the number of no move, for an answer to a request that is no longer open


class TakeBackActions:
    """Take-back requests. Each gets one reply, and everybody's pages show what has come of it."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._context = actions.context
        self._matches = actions.context.matches
        self._reconciler = actions.context.keeper
        self.taking_back = TakingBack(actions.matches.editor, limits_of(actions.context.operator.settings))

    async def take_back(
        self, reply: InteractionReply, match: str, seen: str, *, accepts_practice: bool = False
    ) -> None:
        """Take the user's newest move back, or ask the others. Ask first if the match would become practice.

        `seen` is the stamp of what the user saw when that was offered.
        """
        user = reply.interaction.user.id
        seat = await self._context.require_seat(match, user)
        async with self._context.showing.hold_surface(match, "hand", seat):
            try:
                result = await self.taking_back.take_back(
                    match,
                    user,
                    seen,
                    accepts_practice=accepts_practice,
                    unwilling=await self._unwilling_people(match),
                    click=reply.click_id,
                )
            except PracticeFirst:
                snapshot, seat = await self._context.require_seated(match, user)
                page = confirm_practice_page(snapshot, seat)
                await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))
                return
            reply.is_saved = True
            if result.outcome == "taken back":
                await self._actions.hands.again(reply, match)
            else:
                await self._actions.say_in_menu(reply, match, _asked_text(result, user))

    async def answer(self, reply: InteractionReply, match: str, request: str, *, agrees: bool) -> None:
        """Answer the request with that stamp."""
        user = reply.interaction.user.id
        seat = await self._context.require_seat(match, user)
        async with self._context.showing.hold_surface(match, "hand", seat):
            info = (await self._matches.cache.get_snapshot(match)).info
            asked = info.take_backs.open_request
            move = asked.move if asked is not None and request_stamp(info) == request else NO_MOVE
            result = await self.taking_back.answer_take_back(match, user, move, agrees=agrees, click=reply.click_id)
            reply.is_saved = True
            if is_private(reply.interaction):
                await self._actions.hands.again(reply, match)
                return
            await self._context.showing.leave_unanswered(match, "hand", seat)
            await reply.send_text(_answer_text(result))

    async def act_or_show_menu(
        self, act: StampedAction, reply: InteractionReply, match: str, stamp: str, values: Sequence[str]
    ) -> None:
        """Handle a control. A button of version 1.0.0, which named a number of moves, is answered with the menu."""
        if re.fullmatch(STAMP, stamp):
            await act(reply, match, stamp)
        else:
            await self._actions.show_menu(reply, match, OLD_BUTTON)

    async def _unwilling_people(self, match: str) -> set[int]:
        """Return the people at the table who turned requests off."""
        info = (await self._matches.cache.get_snapshot(match)).info
        people = [seat.user for seat in info.seats if seat.owner_plays]
        return {user for user in people if not (await self._reconciler.preferences(user)).take_backs}


def _asked_text(result: TakeBackResult, user: int) -> str:
    others = [markdown_name(each.name) for each in result.info.seats if each.owner_plays and each.user != user]
    return f"**You asked to take your move back.** {' and '.join(others) if len(others) < 3 else 'All'} must agree."


def _answer_text(result: TakeBackResult) -> str:
    match result.outcome:
        case "taken back":
            return "You agreed, and the move is taken back."
        case "refused":
            return "You said no, so the move stands."
        case _:
            return "You agreed. Others still have to answer."
