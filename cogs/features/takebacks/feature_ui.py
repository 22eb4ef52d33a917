"""What taking moves back adds to pages and pings, and the controls for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.takebacks.take_back_pages import (
    ACTION_TEXTS,
    answer_presses,
    confirm_practice_page,
    hand_note,
    setting_blocks,
    table_note,
    take_back_press,
)
from cogs.table.actions.hand_actions import is_private
from cogs.table.actions.rights import READERS, Access, Phase, Who
from cogs.table.actions.table_actions import MenuCheck, TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import ApartControl, FeatureControl, FeatureUI, OldControl, OwnControl
from cogs.table.pages.feature_pages import Facts, Offer, PersonFacts, Question
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Block
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import markdown_name
from engines.features.takebacks.rules import limits_of
from engines.features.takebacks.taking_back import PracticeFirst, TakeBackResult, TakingBack
from engines.hosting.match import MatchSnapshot

OLD_BUTTON = "This button is out of date, so nothing has changed. Here is what you can do now."
ANSWERS = {
    "taken back": "You agreed, and the move is taken back.",
    "refused": "You said no, so the move stands.",
    "waiting": "You agreed. Others still have to answer.",
}
NO_MOVE = -1  # the number of no move, for an answer to a request that is no longer open
STAMP = r"[0-9a-f]{8}"
OLD_WORDS = {"take-back": "take", "practice": "practice", "agree": "agree", "refuse": "refuse"}
"""The words of older versions. In 1.0.0 a number of moves, or nothing, stood where the stamp is now."""
PLAYER, ASKED = Access(Who.SEATED, Phase.RUNNING), Access(Who.ASKED, Phase.RUNNING)


class TakeBackActions:
    """Take-back requests. Each gets one reply, and everybody's pages show what has come of it."""

    def __init__(self, actions: TableActions) -> None:
        self._actions = actions
        self._context = actions.context
        self.taking_back = TakingBack(actions.matches.editor, limits_of(actions.context.operator.settings))
        actions.menu_checks.append(MenuCheck(_menu_entry, self._is_refused))

    async def take_back(
        self,
        reply: InteractionReply,
        visit: Visit,
        stamp: str,
        values: Sequence[str],
        *,
        accepts_practice: bool = False,
    ) -> None:
        """Take the user's newest move back, or ask the others. Ask first if the match would become practice.

        `stamp` is the stamp of what the user saw when that was offered.
        """
        match, user = visit.match, visit.user
        async with self._context.surface_sync.hold_surface(match, "hand", visit.own_seat):
            try:
                result = await self.taking_back.take_back(
                    match,
                    user,
                    stamp,
                    accepts_practice=accepts_practice,
                    unwilling=await self._unwilling_people(visit),
                    click=reply.click_id,
                )
            except PracticeFirst:
                now = await self._context.door.renew(visit)
                page = confirm_practice_page(now.snapshot, now.own_seat)
                await reply.show_page(page)
                return
            reply.is_saved = True
            if result.outcome == "taken back":
                await self._actions.hands.redraw_hand(reply, visit)
            else:
                await self._actions.say_in_menu(reply, visit, _asked_text(result, user))

    async def answer(
        self, reply: InteractionReply, visit: Visit, request: str, values: Sequence[str], *, agrees: bool
    ) -> None:
        """Answer the request with that stamp."""
        match, user, seat = visit.match, visit.user, visit.own_seat
        async with self._context.surface_sync.hold_surface(match, "hand", seat):
            open_request = visit.info.undoing.open_request
            move = open_request.move if open_request is not None else NO_MOVE
            result = await self.taking_back.answer_take_back(
                match, user, move, request, agrees=agrees, click=reply.click_id
            )
            reply.is_saved = True
            if is_private(reply.interaction):
                await self._actions.hands.redraw_hand(reply, visit)
                return
            await self._context.surface_sync.leave_unanswered(match, "hand", seat)
            await reply.send_text(ANSWERS[result.outcome])

    async def answer_old_button(self, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]) -> None:
        """Answer a button of version 1.0.0, which named a number of moves, with the current menu."""
        await self._actions.show_menu(reply, visit, OLD_BUTTON)

    async def allow_requests(self, reply: InteractionReply, switch: str, values: Sequence[str]) -> None:
        """Let others ask the user from now on, or not."""
        await self._actions.settings.change_preferences(reply, requests=switch == "on")

    async def _is_refused(self, visit: Visit) -> bool:
        """Whether the entry of the menu would be refused."""
        unwilling = await self._unwilling_people(visit)
        return await self.taking_back.is_surely_refused(visit.snapshot, visit.user, unwilling, draw_in_thread)

    async def _unwilling_people(self, visit: Visit) -> set[int]:
        """Return the people at the table who turned requests off."""
        people = [seat.user for seat in visit.info.seats if seat.owner_plays]
        return {user for user in people if not (await self._context.surfaces.preferences(user)).requests}


def _menu_entry(visit: Visit) -> str:
    press = take_back_press(visit.snapshot, visit.user)
    return "" if press is None else press.to


def _asked_text(result: TakeBackResult, user: int) -> str:
    others = [markdown_name(each.name) for each in result.info.seats if each.owner_plays and each.user != user]
    return (
        f"**You asked to take your move back.** {' and '.join(others) if len(others) < 3 else 'Everyone'} must agree."
    )


class TakeBacksUI(FeatureUI):
    """Taking moves back: the request at the table, on hands and in pings, and the button in the menu."""

    name = "takebacks"
    action_texts = ACTION_TEXTS
    old_controls = (
        *(OldControl(rf"t:(?P<match>[a-z0-9]{{8}}):{old}=(?P<rest>{STAMP})", word) for old, word in OLD_WORDS.items()),
        *(OldControl(rf"t:(?P<match>[a-z0-9]{{8}}):{old}(?:=\d{{1,6}})?", "old") for old in OLD_WORDS),
        OldControl(r"y:take_backs=(?P<rest>on|off)", "allow"),
    )

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether the match can still go back."""
        return snapshot.state is not None

    def table_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request, or how it has ended."""
        if question := table_note(facts):
            yield Offer(Question(question, answer_presses(facts.snapshot.info)))

    def hand_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return the request to those whom it concerns, with buttons for those who still have to answer."""
        info = facts.snapshot.info
        seat, request = info.seat_of(facts.reader), info.undoing.request
        if seat is None or request is None:
            return
        if question := hand_note(facts, seat):
            yield Offer(Question(question, answer_presses(info) if seat in request.waiting else ()))

    def ping_question(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return the open request."""
        if (request := facts.snapshot.info.undoing.open_request) is not None:
            name = markdown_name(facts.snapshot.info.seats[request.seat].name)
            yield Offer(f"{name} is asking to take a move back. Do you agree?")

    def setting_blocks(self, facts: PersonFacts) -> Iterable[Block]:
        """Return whether others may ask, with the button that changes that."""
        return setting_blocks(is_asked=facts.preferences.requests)

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button to take a move back."""
        press = take_back_press(facts.snapshot, facts.reader)
        return () if press is None else (MenuEntry(MenuGroup.NOW, 30, press),)

    def controls(self, actions: TableActions) -> Sequence[OwnControl]:
        """Return the button in the menu, the one of its question, the answers, old buttons, and the setting."""
        own = actions.service(TakeBackActions)
        stamped = partial(FeatureControl, rest=STAMP, edits=True, changes_match=True)
        return (
            stamped("take", own.take_back, PLAYER, is_in_menu=True),
            stamped("practice", partial(own.take_back, accepts_practice=True), PLAYER, is_in_menu=True),
            stamped("agree", partial(own.answer, agrees=True), ASKED),
            stamped("refuse", partial(own.answer, agrees=False), ASKED),
            FeatureControl("old", own.answer_old_button, READERS, edits=True),
            ApartControl("allow", own.allow_requests, rest="on|off", edits=True),
        )
