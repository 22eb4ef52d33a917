"""The bot's commands at Discord. They are registered in the background: the bot can play while Discord refuses them."""

from __future__ import annotations

import json
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any

import discord
from discord import app_commands
from discord.http import Route

from cogs.table.state.surface_store import SurfaceCache
from cogs.table.transport.background_tasks import exponential_backoff
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, retry_after
from engines.store.match_store import StoreFailure

log = logging.getLogger(__name__)
OURS = frozenset({1, 2, 3})
"""The types of command that discord.py registers: chat input, user, and message. Discord adds others by itself."""
NOTE = "commands"
FIRST_PAUSE, LONGEST_PAUSE = 5, 3600  # seconds


async def register_at_last(sync: Callable[[], Awaitable[None]]) -> None:
    """Register the commands, however often it takes."""
    for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
        try:
            await sync()
            return
        except (*NETWORK_ERRORS, StoreFailure) as error:
            wait = max(pause, retry_after(error) or 0)
            log.warning(
                "Commands could not be registered (%s); those that are registered work. Trying again in %d s.",
                describe_error(error),
                wait,
            )
        await sleep(wait)


async def register(tree: app_commands.CommandTree[Any], notes: SurfaceCache) -> None:
    """Register the commands of a tree, unless Discord has them just so. Raises NETWORK and StoreFailure.

    Commands of other types are sent back as they came, such as the Entry Point command of an application with
    Activities: Discord refuses an update that leaves it out.
    """
    wanted = [command.to_dict(tree) for command in tree.get_commands()]
    digest = blake2b(json.dumps(wanted, sort_keys=True).encode(), digest_size=16).hexdigest()
    there = await _registered(tree.client)
    kept = [command for command in there if command["type"] not in OURS]
    same_names = {command["name"] for command in there if command not in kept} == {each["name"] for each in wanted}
    if same_names and await notes.read_note(NOTE) == digest:
        return
    await tree.client.http.bulk_upsert_global_commands(_application(tree.client), [*wanted, *kept])
    await notes.put_note(NOTE, digest)
    others = f". Kept, as Discord added them: {', '.join(command['name'] for command in kept)}" if kept else ""
    log.info("Commands synced: %d%s", len(wanted), others)


async def _registered(client: discord.Client) -> list[dict[str, Any]]:
    """All that Discord has, with their names in other languages, which would be lost if they were not sent back."""
    route = Route("GET", "/applications/{application_id}/commands", application_id=_application(client))
    found: list[dict[str, Any]] = await client.http.request(route, params={"with_localizations": "true"})
    return found


def _application(client: discord.Client) -> int:
    assert client.application_id is not None, "a client that has logged in knows it"
    return client.application_id
