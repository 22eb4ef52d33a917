"""Turn pings and deadline reminders: sends a player's hand again, or mentions the player at the table."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

import discord
from discord import ui

from cogs.screens.words import join_with_and
from cogs.table.channels.table_services import TableServices
from cogs.table.pages import custom_ids
from cogs.table.pages.feature_pages import FeaturePages
from cogs.table.pages.match_pages import PageContext
from cogs.table.state.server_lease import check_lease
from cogs.table.transport.interrupted_edits import InterruptedEdits
from cogs.table.transport.network_errors import UNKNOWN_CODES, ignore_refusal, is_transient
from cogs.table.wording.match_words import countdown
from engines.hosting.match import MatchSnapshot
from engines.hosting.timing.due_times import ASK_NUMBERS, ask_number, is_late_call
from engines.hosting.timing.running_time import time_runs
from engines.store.match_store import DECISION_KINDS, DueKind, DueTime
from engines.store.surface_storage import NO_DECISION, Mention


class Reminders:
    """The pings that are due. The reconciler sends pings that are hands; this class posts mentions at the table.

    A due time stays in the store until its ping is stored as sent, even over a restart. Each mention is stored with a
    nonce before it is sent. So no ping is lost, and none is sent twice.
    """

    def __init__(
        self, services: TableServices, interrupted_edits: InterruptedEdits, wake: Callable[[str], None]
    ) -> None:
        self._services = services
        self._interrupted_edits = interrupted_edits
        self._wake = wake
        self._doubtful_matches: set[str] = set()  # matches whose mentions may show an old text
        self._due_reminders: dict[str, dict[tuple[int, DueKind], DueTime]] = {}

    def add(self, due: DueTime) -> None:
        """Add a due ping or reminder."""
        self._due_reminders.setdefault(due.match, {})[due.seat, due.kind] = due

    def drop(self, match: str, seat: int, kind: DueKind = "call") -> None:
        """Drop a seat's due ping or reminder."""
        self._due_reminders.get(match, {}).pop((seat, kind), None)

    def forget(self, match: str) -> None:
        """Drop everything about a closed match."""
        self._due_reminders.pop(match, None)
        self._doubtful_matches.discard(match)

    async def pending_mark(self, snapshot: MatchSnapshot, seat: int) -> int:
        """The mark of the decision that the seat's hand has to ping about now; −1 if there is none."""
        marks = [decision_mark(due) for due in await self._pending_reminders(snapshot) if due.seat == seat]
        hand = await self._services.surfaces.find_surface(snapshot.info.id, "hand", seat)
        return NO_DECISION if not marks or (hand and hand.called == reminder_mark(marks[0])) else min(marks)

    async def refresh(
        self, snapshot: MatchSnapshot, page_context: PageContext, *, table_lost: bool, may_mention: bool
    ) -> None:
        """Remove past mentions, and mention the players whose ping is not their hand.

        If `table_lost`, nothing can be posted at the table. If not `may_mention`, no new mentions are sent.
        """
        await self._clear_past_mentions(snapshot, page_context, table_lost=table_lost)
        pending = await self._pending_reminders(snapshot)
        by_hand = [due for due in pending if await self._has_sent_hand(due)]
        missing = [due for due in pending if due not in by_hand and not await self._is_reached_by_hand(snapshot, due)]
        if may_mention and not table_lost:
            await self._post_mentions(snapshot, page_context, missing)
            if any(due.kind == "reminder" for due in missing):
                # a reminder replaces the turn ping
                await self._clear_past_mentions(snapshot, page_context, table_lost=table_lost)
        for due in pending:
            if due in by_hand or await self._was_mentioned(due):
                await self._services.matches.due_times.mark_done(due, check_lease())
                self.drop(due.match, due.seat, due.kind)

    # Inside

    async def _pending_reminders(self, snapshot: MatchSnapshot) -> list[DueTime]:
        """The due pings for decisions that are open in this snapshot. Others are past, or newer than the snapshot.

        Players who rest get theirs afterwards: the store has moved them, and they come due again. So do those that
        come while time rests, because players have something to settle or people cannot reach the bot. In a server
        with pings turned off they are marked done, so that none arrives when pings are on again. So is a turn ping that
        comes right before the deadline.
        """
        waiting = [*self._due_reminders.get(snapshot.info.id, {}).values()]
        if not waiting:
            return []
        now = awaited_answers(snapshot)
        is_reachable = self._services.matches.editor.rest_began(snapshot.info.place.guild) is None
        found = []
        for due in waiting:
            if (due.seat, due.decision) not in now or due.at < snapshot.rests_until(due.seat):
                continue
            if may_happen(snapshot, due, is_reachable=is_reachable):
                found.append(due)
            else:
                self.drop(due.match, due.seat, due.kind)
        is_silenced = bool(found) and await self._is_silenced(snapshot)
        unwanted = [due for due in found if is_silenced or is_late_call(due, snapshot.deadlines.get(due.seat))]
        for due in unwanted:
            await self._services.matches.due_times.mark_done(due, check_lease())
            self.drop(due.match, due.seat, due.kind)
        return [due for due in found if due not in unwanted]

    async def _is_silenced(self, snapshot: MatchSnapshot) -> bool:
        return not (await self._services.matches.lobbies.server_settings(snapshot.info.place.guild)).calls

    async def _has_sent_hand(self, due: DueTime) -> bool:
        """Whether the hand was sent as this ping."""
        hand = await self._services.surfaces.find_surface(due.match, "hand", due.seat)
        return hand is not None and mark_serves(hand.called, due) and not hand.nonce and not hand.lost

    async def _is_reached_by_hand(self, snapshot: MatchSnapshot, due: DueTime) -> bool:
        """Whether the player's hand is the ping, now or as soon as it can be sent."""
        inbox = await self._services.surfaces.inbox(snapshot.info.seats[due.seat].user)
        hand = await self._services.surfaces.find_surface(due.match, "hand", due.seat)
        return (
            inbox is not None and inbox.channel > 0 and inbox.reached and not inbox.closed and not (hand and hand.lost)
        )

    async def _was_mentioned(self, due: DueTime) -> bool:
        mentions = await self._services.surfaces.mentions(due.match)
        sent = (each for each in mentions if each.seat == due.seat and each.state == "sent")
        return any(mark_serves(each.decision, due) for each in sent)

    async def _post_mentions(
        self, snapshot: MatchSnapshot, page_context: PageContext, missing: Sequence[DueTime]
    ) -> None:
        mentions = await self._services.surfaces.mentions(snapshot.info.id)
        place, nonce = snapshot.info.place, secrets.token_hex(12)
        marks = {
            due.seat: min(decision_mark(each) for each in missing if each.seat == due.seat)
            for due in missing
            if not any(each.seat == due.seat and mark_serves(each.decision, due) for each in mentions)
        }
        new = [Mention(snapshot.info.id, seat, of, nonce, place.thread or place.channel) for seat, of in marks.items()]
        for mention in new:
            await self._services.surfaces.put_mention(mention)
        if new:
            await self._send_message(snapshot, page_context, new)

    async def _clear_past_mentions(
        self, snapshot: MatchSnapshot, page_context: PageContext, *, table_lost: bool
    ) -> None:
        """Remove the mentions of past decisions, and send those that may not have been sent."""
        now = awaited_answers(snapshot)
        mentions = sorted(await self._services.surfaces.mentions(snapshot.info.id), key=lambda mention: mention.nonce)
        if mentions and await self._is_silenced(snapshot):
            now = frozenset()
        for _, alike in groupby(mentions, key=lambda mention: mention.nonce):
            group = list(alike)
            remaining = [mention for mention in group if (mention.seat, decision_of_mark(mention.decision)) in now]
            newer = {(mention.seat, mention.decision) for mention in mentions}
            remaining = [
                each
                for each in remaining
                if each.decision < NO_DECISION or (each.seat, reminder_mark(each.decision)) not in newer
            ]
            past = [mention for mention in group if mention not in remaining]
            if remaining:
                await self._reduce_mention(snapshot, page_context, remaining, past)
            elif not table_lost or group[0].state != "removing":
                await self._delete_message(group)
        self._doubtful_matches.discard(snapshot.info.id)

    async def _reduce_mention(
        self, snapshot: MatchSnapshot, page_context: PageContext, remaining: Sequence[Mention], past: Sequence[Mention]
    ) -> None:
        """Edit a message so that it mentions only players whom the match still waits for."""
        message = remaining[0].message
        if remaining[0].state == "sending":  # the post was interrupted; the nonce prevents a second one
            message = await self._send_message(snapshot, page_context, remaining)
        if message and (past or snapshot.info.id in self._doubtful_matches):
            with self._interrupted_edits.watch_edit(
                (snapshot.info.id, "mention", message), partial(self._redraw_mentions, snapshot.info.id)
            ):
                await self._edit_message(
                    remaining[0].channel,
                    message,
                    reminder_text(snapshot, page_context, [_answer_of(mention) for mention in remaining]),
                )
        for mention in past:
            await self._services.surfaces.drop_mention(mention.match, mention.seat, mention.decision)

    async def _edit_message(self, channel: int, message: int, content: str) -> None:
        """Edit a message, if Discord allows it; an edit pings nobody."""
        partial_message = self._services.client.get_partial_messageable(channel).get_partial_message(message)
        with ignore_refusal("A mention could not be edited"):
            await partial_message.edit(content=content, allowed_mentions=discord.AllowedMentions.none())

    async def _redraw_mentions(self, match: str) -> None:
        """Edit the match's mentions even if they seem current."""
        self._doubtful_matches.add(match)
        self._wake(match)

    async def _send_message(
        self, snapshot: MatchSnapshot, page_context: PageContext, mentions: Sequence[Mention]
    ) -> int:
        """Send one message for all mentions. Returns its id; 0 if Discord refuses it: the hand still shows the turn."""
        first, seats = mentions[0], [mention.seat for mention in mentions]
        view = ui.View(timeout=None)
        view.add_item(ui.Button(label="Show my hand", custom_id=custom_ids.table_action_id(first.match, "hand")))
        view.stop()
        sent = 0
        with ignore_refusal(f"Match {first.match}: players could not be mentioned"):
            message = await self._services.client.get_partial_messageable(first.channel).send(
                reminder_text(snapshot, page_context, [_answer_of(mention) for mention in mentions]),
                view=view,
                nonce=first.nonce,
                allowed_mentions=discord.AllowedMentions(
                    users=[discord.Object(_user_at(snapshot, seat)) for seat in seats]
                ),
            )
            sent = message.id
        for mention in mentions:
            await self._services.surfaces.put_mention(replace(mention, message=sent, state="sent"))
        return sent

    async def _delete_message(self, group: Sequence[Mention]) -> None:
        """Delete a message. If Discord refuses, as in a locked thread, its mentions are stored for a later attempt."""
        first = group[0]
        channel = self._services.client.get_partial_messageable(first.channel)
        message = first.message
        try:
            if first.state == "sending":  # it may have been sent; sending under its nonce finds it and pings nobody
                message = (await channel.send("…", nonce=first.nonce, silent=True)).id
            if message:
                await channel.get_partial_message(message).delete()
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            if message and error.code not in UNKNOWN_CODES:
                for mention in group:
                    await self._services.surfaces.put_mention(replace(mention, message=message, state="removing"))
                return
        for mention in group:
            await self._services.surfaces.drop_mention(mention.match, mention.seat, mention.decision)


def awaited_answers(snapshot: MatchSnapshot) -> frozenset[tuple[int, int]]:
    """The seats of the people that the match waits for, each with the number of the decision.

    Those who have to answer a request have its number (`ask_number`).
    """
    decisions, request = snapshot.decisions(), snapshot.info.undoing.open_request
    requests = [(seat, ask_number(request.move)) for seat in request.waiting] if request else []
    due = [(seat, decisions[seat].number) for seat in snapshot.due_seats() if snapshot.info.seats[seat].owner_plays]
    return frozenset((*due, *requests))


def may_happen(snapshot: MatchSnapshot, due: DueTime, *, is_reachable: bool = True) -> bool:
    """Whether what is due may happen now: time runs, unless it is about no decision. Otherwise it comes due again.

    `is_reachable`: the people of the match's server can reach the bot. A rest needs no look, because its rows move.
    """
    if due.kind not in DECISION_KINDS:
        return is_reachable
    return time_runs(snapshot.info, is_reachable=is_reachable)


def decision_mark(due: DueTime) -> int:
    """The mark of a ping: the decision's number, or a number below −1 for a reminder of it."""
    return reminder_mark(due.decision) if due.kind == "reminder" else due.decision


def reminder_mark(mark: int) -> int:
    """The mark of a reminder of the mark's decision."""
    return min(mark, NO_DECISION - 1 - mark)


def decision_of_mark(mark: int) -> int:
    """The number of the mark's decision."""
    return max(mark, NO_DECISION - 1 - mark)


def mark_serves(mark: int, due: DueTime) -> bool:
    """Whether a message with this mark serves as the due ping; a reminder serves as a turn ping, too."""
    return mark in (decision_mark(due), reminder_mark(due.decision))


def reminder_text(snapshot: MatchSnapshot, page_context: PageContext, awaited: Sequence[tuple[int, int]]) -> str:
    """`@Ada and @Bela, your turn: choose what to offer.` One line for each decision, with its time left.

    `awaited` are seats and the numbers of their decisions.
    """
    screen, features = page_context.screen, page_context.features
    groups: dict[tuple[str, str], list[str]] = {}
    turns = [seat for seat, number in awaited if number < ASK_NUMBERS]
    others = [f"<@{_user_at(snapshot, seat)}>" for seat, _ in awaited if seat not in turns]
    for seat in turns:
        prompt = screen.turn_prompt(snapshot.view(None), snapshot.decisions()[seat])
        groups.setdefault((prompt, countdown(snapshot, seat)), []).append(f"<@{_user_at(snapshot, seat)}>")
    lines = ((f"{join_with_and(users)}, your turn: {prompt}.", time) for (prompt, time), users in groups.items())
    texts = [" ".join(filter(None, line)) for line in lines]
    question, request = features.best_at(FeaturePages.ping_question, snapshot, screen), snapshot.info.undoing.request
    if others and question and request:
        texts.append(f"{join_with_and(others)}: {question} ⏳ <t:{snapshot.lapses_at(request)}:R>")
    return "\n".join(texts)


def _answer_of(mention: Mention) -> tuple[int, int]:
    """The seat of a mention, and the number of the decision it is about."""
    return mention.seat, decision_of_mark(mention.decision)


def _user_at(snapshot: MatchSnapshot, seat: int) -> int:
    return snapshot.info.seats[seat].user
