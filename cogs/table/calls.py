"""One short message when it becomes somebody's turn, and none left of the turn before."""

from __future__ import annotations

import secrets
from dataclasses import replace

import discord
from discord import ui

from cogs.screens.screen import GameScreen
from cogs.table import ids
from cogs.table.network import passing
from engines.match import Look
from engines.shown import Mention, Shown

GONE = {10003, 10004, 10008}


async def refresh(client: discord.Client, shown: Shown, look: Look, screen: GameScreen, *, lost: bool = False) -> None:
    """Remove the mentions whose decision is past, and send those that are due; `lost`: nothing can be said there now."""
    wanted = dict(_wanted(look))
    there = {(mention.seat, mention.decision): mention for mention in await shown.mentions(look.info.id)}
    for mention in there.values():
        if wanted.get(mention.seat) != mention.decision:
            if not lost or mention.state != "removing":
                await _remove(client, shown, mention)
        elif mention.state == "sending":
            await _send(
                client, shown, look, screen, mention
            )  # a crash or a cut came in between; the nonce keeps it from doubling
    for seat, decision in wanted.items():
        if not lost and (seat, decision) not in there and not _follows_own_move(look, seat):
            place = look.info.place
            mention = Mention(look.info.id, seat, decision, secrets.token_hex(12), place.thread or place.channel)
            await shown.put_mention(mention)
            await _send(client, shown, look, screen, mention)


def _wanted(look: Look) -> list[tuple[int, int]]:
    """The seats that the match waits for, with the number of their decision."""
    decisions = look.decisions()
    return [(seat, decisions[seat].number) for seat in look.due()]


def _follows_own_move(look: Look, seat: int) -> bool:
    """Whether the seat has just moved itself: it knows."""
    return bool(look.movers) and look.movers[-1] == seat


def text(look: Look, screen: GameScreen, seat: int) -> str:
    """`@Ada, your turn: bid in round 3.`"""
    decision = look.decisions()[seat]
    asked = screen.turn(look.view(None), decision)
    return f"<@{look.info.seats[seat].user}>, your turn: {asked}."


async def _send(client: discord.Client, shown: Shown, look: Look, screen: GameScreen, mention: Mention) -> None:
    user = discord.Object(look.info.seats[mention.seat].user)
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="Show my hand", custom_id=ids.table(mention.match, "hand")))
    view.stop()
    try:
        message = await client.get_partial_messageable(mention.channel).send(
            text(look, screen, mention.seat),
            view=view,
            nonce=mention.nonce,
            allowed_mentions=discord.AllowedMentions(users=[user]),
        )
    except discord.HTTPException as error:
        if passing(error):
            raise
        await shown.put_mention(replace(mention, state="sent"))  # it cannot be said there; the hand says it
        return
    await shown.put_mention(replace(mention, message=message.id, state="sent"))


async def _remove(client: discord.Client, shown: Shown, mention: Mention) -> None:
    """Delete a mention; one that Discord does not let us delete now, as in a locked thread, is kept for later."""
    channel = client.get_partial_messageable(mention.channel)
    message = mention.message
    try:
        if mention.state == "sending":  # whether it was sent is not known: its nonce finds it, and calls nobody
            message = (await channel.send("…", nonce=mention.nonce, silent=True)).id
        if message:
            await channel.get_partial_message(message).delete()
    except discord.HTTPException as error:
        if passing(error):
            raise
        if message and error.code not in GONE:
            await shown.put_mention(replace(mention, message=message, state="removing"))
            return
    await shown.drop_mention(mention.match, mention.seat, mention.decision)
