"""Handles privacy requests: what is stored about a person, their data as a file, and forgetting them."""

from __future__ import annotations

from cogs.table.actions import personal_data_file
from cogs.table.actions.context import ActionContext
from cogs.table.pages import custom_ids
from cogs.table.pages.page import GREY, RED, Page, Paper, Press, Text, press_rows, text_blocks
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import long_turn
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import LIVE, Status

CONFIRM_SECONDS = 15 * 60  # seconds for which a confirmation is valid
ALL_STATUSES = frozenset(Status)

PRIVACY_TEXTS = (
    "## What I store about you",
    "**For each of your matches:** your Discord ID, your name on the server, your seat, your cut of the deal, your "
    "moves and when you made them, and whether you opened, joined, left or voted. Without this, nobody could play on "
    "after a restart, and nobody could check a result.",
    "**Also:** your `/motley settings`, when your break ends, the games you have already played, the notes "
    "you write for yourself about a match, a move that you planned ahead, the problems that you report (for "
    "one day), and "
    "the ID of our direct message channel, so that I can send you your hands. Nothing else: none of your messages, no "
    "member lists, nothing for advertising.",
    "**Who can see it:** only you see your hand, your planned moves and your notes. Everyone in the channel sees what "
    "happens at the table. The people who run me can see the database and its backups.",
)
CONSEQUENCES_TEXT = (
    "- In finished matches, “Somebody” replaces your name. The moves stay, for the other players.\n"
    "- You leave your running matches. The computer plays on in your seat, and anyone can take it.\n"
    "- I delete your settings, your break, your notes, your planned moves and the ID of our direct message channel.\n"
    "- Messages that I have already sent stay in Discord and may contain your name. I cannot change them. "
    "Backups contain your data until they are replaced.\n"
    "- If you play again, I will start storing your data again."
)


class PrivacyActions:
    """Requests about the user's own stored data."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context

    async def show_privacy(self, reply: InteractionReply) -> None:
        """Show briefly what is stored and why."""
        presses = (
            Press("My data", custom_ids.privacy_id("data", 0)),
            Press("Forget me…", custom_ids.privacy_id("ask")),
        )
        texts = (*PRIVACY_TEXTS, self._context.operator.privacy_line)
        await reply.send_page(Page((*text_blocks(texts), *press_rows(presses))))

    async def handle_press(self, reply: InteractionReply, what: str, number: int) -> None:
        """Handle a press of a button on these pages."""
        match what:
            case "data":
                await self.send_data(reply, number)
            case "ask":
                await self.ask_to_forget(reply)
            case "again":
                await self._ask_again(reply)
            case "sure":
                await self._forget_person(reply, number)
            case "keep":
                await reply.show_page(Page((Text("Nothing was deleted. Everything stays as it is."),), GREY))
            case _:
                raise RequestRefused("This button is out of date. Use `/motley privacy` to continue.")

    async def send_data(self, reply: InteractionReply, part: int = 0) -> None:
        """Send the user's stored data as a file. Very many matches are split into parts."""
        user = reply.interaction.user.id
        async with long_turn():
            data = await personal_data_file.load_personal_data(
                user, self._context.matches.editor.store, self._context.surfaces.store, self._visible_hand, part
            )
            content = await draw_in_thread(personal_data_file.personal_data_json, data, self._context.clock.now())
        found = data.traces
        further = len(found) == personal_data_file.MATCHES_PER_FILE
        counted = f"{len(found)} {_match_word(len(found))}"
        which = f", part {part + 1}" if part or further else ""
        text = f"Everything I store about you, including {counted}{which}. Only you can see this."
        presses = (Press(f"Part {part + 2}", custom_ids.privacy_id("data", part + 1)),) if further else ()
        name = f"my-motley-data{f'-{part + 1}' if which else ''}.json"
        await reply.send_page(Page((Text(text), Paper(name, content), *press_rows(presses))))

    async def ask_to_forget(self, reply: InteractionReply) -> None:
        """Explain the consequences and ask for confirmation."""
        text = (
            "## Shall I forget you?",
            CONSEQUENCES_TEXT,
            f"-# You are in {await self._match_counts(reply.interaction.user.id)}. "
            "To get a copy of your data first, use `/motley my-data`.",
        )
        presses = (
            Press("Continue", custom_ids.privacy_id("again")),
            Press("Keep my data", custom_ids.privacy_id("keep")),
        )
        await reply.show_page(Page((*text_blocks(text), *press_rows(presses)), RED))

    async def _ask_again(self, reply: InteractionReply) -> None:
        """Ask for confirmation a second time, because forgetting cannot be undone."""
        counted = await self._match_counts(reply.interaction.user.id)
        text = f"**Are you sure?** This cannot be undone. You are in {counted}."
        sure = Press("Forget me", custom_ids.privacy_id("sure", self._context.clock.now()), "danger")
        await reply.show_page(
            Page((Text(text), *press_rows((sure, Press("Keep my data", custom_ids.privacy_id("keep"))))), RED)
        )

    async def _forget_person(self, reply: InteractionReply, asked_at: int) -> None:
        """Request that the user be forgotten. Raises RequestRefused if the confirmation is too old."""
        if not 0 <= self._context.clock.now() - asked_at <= CONFIRM_SECONDS:
            raise RequestRefused(
                "You took too long to confirm, so nothing was deleted. To try again, use `/motley forget-me`."
            )
        await self._context.matches.forgetting.request_forgetting(reply.interaction.user.id)
        reply.is_saved = True
        text = (
            "I am forgetting you. This takes a moment, or a few minutes if you have played a great many "
            "matches. Farewell!"
        )
        await reply.show_page(Page((Text(text),), GREY))

    async def _match_counts(self, user: int) -> str:
        """Return a user's numbers of live and finished matches, in words."""
        async with long_turn():
            found = await self._context.matches.lookup.find(statuses=ALL_STATUSES, user=user)
        live = sum(info.status in LIVE for info in found)
        finished = len(found) - live
        return f"{live} running {_match_word(live)} and {finished} finished {_match_word(finished)}"

    async def _visible_hand(self, trace: PersonalTrace, user: int) -> list[str]:
        """Return what a user can see of a running match, as lines: their own hand and everything public."""
        if trace.status not in (Status.RUNNING, Status.PAUSED):
            return []
        try:
            snapshot = await self._context.matches.cache.get_fresh_snapshot(trace.match)
        except RequestRefused:  # a newer version of the bot wrote it
            return []
        seat = snapshot.info.seat_of(user)
        return (
            []
            if seat is None or snapshot.state is None
            else await draw_in_thread(personal_data_file.visible_hand, snapshot, seat)
        )


def _match_word(number: int) -> str:
    return "match" if number == 1 else "matches"
