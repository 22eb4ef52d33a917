"""Whoever does not act is called, once a decision, and once more when its time runs out: by their hand sent anew, or by
a mention at the table.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

import discord
from discord import ui

from cogs.screens.screen import GameScreen
from cogs.screens.words import listed
from cogs.table.pages import custom_ids
from cogs.table.state.server_lease import still
from cogs.table.state.surface_store import Displays
from cogs.table.transport.interrupted_edits import Overtaken
from cogs.table.transport.network_errors import passing
from cogs.table.wording import time_left
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.match_store import Due, DueKind
from engines.store.surface_storage import NOBODY, Mention

GONE = {10003, 10004, 10008}


class Calls:
    """The calls that are due. The hands among them are posted by the keeper, and all others here.

    What is due stays so, over a restart, too, until it is kept that the call was made. That one is being made is kept
    before it is sent, under a nonce. So none is lost, and none is made twice.
    """

    def __init__(
        self,
        client: discord.Client,
        matches: Matches,
        shown: Displays,
        overtaken: Overtaken,
        wake: Callable[[str], None],
    ) -> None:
        self._client = client
        self._matches = matches
        self._shown = shown
        self._overtaken = overtaken
        self._wake = wake
        self._doubted: set[str] = set()  # matches whose mentions may say what they said before
        self._due: dict[str, dict[tuple[int, DueKind], Due]] = {}

    def add(self, due: Due) -> None:
        """Somebody is to be called, or reminded."""
        self._due.setdefault(due.match, {})[due.seat, due.kind] = due

    def drop(self, match: str, seat: int, kind: DueKind = "call") -> None:
        """That seat is to be called no longer, or later."""
        self._due.get(match, {}).pop((seat, kind), None)

    def forget(self, match: str) -> None:
        """Nobody is called in a closed match."""
        self._due.pop(match, None)
        self._doubted.discard(match)

    async def to(self, look: Look, seat: int) -> int:
        """The mark of the decision to which that seat is to be called now; −1: of none."""
        marks = [mark(due) for due in await self._pending(look) if due.seat == seat]
        hand = await self._shown.one(look.info.id, "hand", seat)
        return NOBODY if not marks or (hand and hand.called == reminding(marks[0])) else min(marks)

    async def refresh(self, look: Look, screen: GameScreen, *, lost: bool, anew: bool) -> None:
        """Take away what is past, and call who is not called by their hand.

        `lost`: nothing can be said at the table now; `anew`: whoever is not called by now is to be called there.
        """
        await self._clear(look, screen, lost=lost)
        pending = await self._pending(look)
        by_hand = [due for due in pending if await self._has_hand(due)]
        missing = [due for due in pending if due not in by_hand and not await self._reached(look, due)]
        if anew and not lost:
            await self._mention(look, screen, missing)
            if any(due.kind == "reminder" for due in missing):
                await self._clear(look, screen, lost=lost)  # it takes the place of the call
        for due in pending:
            if due in by_hand or await self._mentioned(due):
                await self._matches.done(due, still())
                self.drop(due.match, due.seat, due.kind)

    # Inside

    async def _pending(self, look: Look) -> list[Due]:
        """The calls that are due and not made. Others may be past, or of a moment that this look does not know yet.

        In a server in which nobody is called they are done with that, so that none comes when calls are on again.
        """
        now = waiting(look)
        found = [due for due in self._due.get(look.info.id, {}).values() if now.get(due.seat) == due.decision]
        if not found or not await self._quiet(look):
            return found
        for due in found:
            await self._matches.done(due, still())
            self.drop(due.match, due.seat, due.kind)
        return []

    async def _quiet(self, look: Look) -> bool:
        """Whether nobody is called in the match's server."""
        return not (await self._matches.server(look.info.place.guild)).calls

    async def _has_hand(self, due: Due) -> bool:
        """Whether their hand was sent to call them."""
        hand = await self._shown.one(due.match, "hand", due.seat)
        return hand is not None and serves(hand.called, due) and not hand.nonce and not hand.lost

    async def _reached(self, look: Look, due: Due) -> bool:
        """Whether they are called by their hand, or will be when it can be sent."""
        inbox = await self._shown.inbox(look.info.seats[due.seat].user)
        hand = await self._shown.one(due.match, "hand", due.seat)
        return inbox is not None and inbox.channel > 0 and not inbox.closed and not (hand and hand.lost)

    async def _mentioned(self, due: Due) -> bool:
        there = await self._shown.mentions(due.match)
        sent = (each for each in there if each.seat == due.seat and each.state == "sent")
        return any(serves(each.decision, due) for each in sent)

    async def _mention(self, look: Look, screen: GameScreen, missing: Sequence[Due]) -> None:
        """Call them all by one message."""
        there = await self._shown.mentions(look.info.id)
        place, nonce = look.info.place, secrets.token_hex(12)
        marks = {
            due.seat: min(mark(each) for each in missing if each.seat == due.seat)
            for due in missing
            if not any(each.seat == due.seat and serves(each.decision, due) for each in there)
        }
        new = [Mention(look.info.id, seat, of, nonce, place.thread or place.channel) for seat, of in marks.items()]
        for mention in new:
            await self._shown.put_mention(mention)
        if new:
            await self._send(look, screen, new)

    async def _clear(self, look: Look, screen: GameScreen, *, lost: bool) -> None:
        """Take away the mentions whose decision is past, and send those that may not have been sent."""
        now = waiting(look)
        there = sorted(await self._shown.mentions(look.info.id), key=lambda mention: mention.nonce)
        if there and await self._quiet(look):
            now = {}
        for _, alike in groupby(there, key=lambda mention: mention.nonce):
            group = list(alike)
            left = [mention for mention in group if now.get(mention.seat) == decision(mention.decision)]
            newer = {(mention.seat, mention.decision) for mention in there}
            left = [
                each for each in left if each.decision < NOBODY or (each.seat, reminding(each.decision)) not in newer
            ]
            past = [mention for mention in group if mention not in left]
            if left:
                await self._keep(look, screen, left, past)
            elif not lost or group[0].state != "removing":
                await self._remove(group)
        self._doubted.discard(look.info.id)

    async def _keep(self, look: Look, screen: GameScreen, left: Sequence[Mention], past: Sequence[Mention]) -> None:
        """Have a message call those alone whom the match still waits for."""
        message = left[0].message
        if left[0].state == "sending":  # a crash or a cut came in between; the nonce keeps it from doubling
            message = await self._send(look, screen, left)
        if message and (past or look.info.id in self._doubted):
            with self._overtaken.noted((look.info.id, "mention", message), partial(self._anew, look.info.id)):
                await self._edit(left[0].channel, message, text(look, screen, [mention.seat for mention in left]))
        for mention in past:
            await self._shown.drop_mention(mention.match, mention.seat, mention.decision)

    async def _edit(self, channel: int, message: int, said: str) -> None:
        """Have a message say that, if Discord lets that be done; nobody is called by an edit."""
        there = self._client.get_partial_messageable(channel).get_partial_message(message)
        try:
            await there.edit(content=said, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as error:
            if passing(error):
                raise

    async def _anew(self, match: str) -> None:
        """Have its mentions be edited, whatever they are said to show."""
        self._doubted.add(match)
        self._wake(match)

    async def _send(self, look: Look, screen: GameScreen, mentions: Sequence[Mention]) -> int:
        """Send one message for all of them; its id, 0 where it cannot be said there: the hand says it."""
        first, seats = mentions[0], [mention.seat for mention in mentions]
        view = ui.View(timeout=None)
        view.add_item(ui.Button(label="Show my hand", custom_id=custom_ids.table(first.match, "hand")))
        view.stop()
        try:
            message = await self._client.get_partial_messageable(first.channel).send(
                text(look, screen, seats),
                view=view,
                nonce=first.nonce,
                allowed_mentions=discord.AllowedMentions(users=[discord.Object(_user(look, seat)) for seat in seats]),
            )
            sent = message.id
        except discord.HTTPException as error:
            if passing(error):
                raise
            sent = 0
        for mention in mentions:
            await self._shown.put_mention(replace(mention, message=sent, state="sent"))
        return sent

    async def _remove(self, group: Sequence[Mention]) -> None:
        """Delete a message; one that Discord does not let us delete now, as in a locked thread, is kept for later."""
        first = group[0]
        channel = self._client.get_partial_messageable(first.channel)
        message = first.message
        try:
            if first.state == "sending":  # whether it was sent is not known: its nonce finds it, and calls nobody
                message = (await channel.send("…", nonce=first.nonce, silent=True)).id
            if message:
                await channel.get_partial_message(message).delete()
        except discord.HTTPException as error:
            if passing(error):
                raise
            if message and error.code not in GONE:
                for mention in group:
                    await self._shown.put_mention(replace(mention, message=message, state="removing"))
                return
        for mention in group:
            await self._shown.drop_mention(mention.match, mention.seat, mention.decision)


def waiting(look: Look) -> dict[int, int]:
    """The seats of people that the match waits for, with the number of their decision."""
    decisions = look.decisions()
    return {seat: decisions[seat].number for seat in look.due() if look.info.seats[seat].present}


def mark(due: Due) -> int:
    """By which a message tells what it calls to: the number of the decision, or, as a reminder of it, one below −1."""
    return reminding(due.decision) if due.kind == "reminder" else due.decision


def reminding(of: int) -> int:
    """The mark of a reminder of the decision that a mark is of."""
    return min(of, NOBODY - 1 - of)


def decision(of: int) -> int:
    """The number of the decision that a mark is of."""
    return max(of, NOBODY - 1 - of)


def serves(of: int, due: Due) -> bool:
    """Whether a message with that mark does what is due; a reminder calls as well."""
    return of in (mark(due), reminding(due.decision))


def text(look: Look, screen: GameScreen, seats: Sequence[int]) -> str:
    """`@Ada and @Bela, your turn: choose what to offer.` A line for each thing that is asked of some, with its time."""
    asked: dict[tuple[str, str], list[str]] = {}
    for seat in seats:
        said = screen.turn(look.view(None), look.decisions()[seat])
        asked.setdefault((said, time_left.left(look, seat)), []).append(f"<@{_user(look, seat)}>")
    lines = ((f"{listed(users)}, your turn: {said}.", time) for (said, time), users in asked.items())
    return "\n".join(" ".join(filter(None, line)) for line in lines)


def _user(look: Look, seat: int) -> int:
    return look.info.seats[seat].user
