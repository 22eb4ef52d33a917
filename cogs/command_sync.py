"""Registers the slash commands with Discord in the background, so that matches run even if Discord refuses them."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any

from discord import app_commands

from cogs.table.transport.background_tasks import exponential_backoff
from cogs.table.transport.discord_internals import command_payloads, registered_commands, replace_commands
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, retry_after
from engines.store.clock import Clock
from engines.store.match_store import StoreFailure
from engines.store.surface_storage import SurfaceStorage

log = logging.getLogger(__name__)
OURS = frozenset({1, 2, 3})
"""The command types that discord.py registers: chat input, user, and message. Discord itself adds others."""
NOTE = "commands"
FIRST_PAUSE, LONGEST_PAUSE = 5, 3600  # seconds


async def register_at_last(clock: Clock, sync: Callable[[], Awaitable[None]]) -> None:
    """Register the commands, with retries until it works."""
    for pause in exponential_backoff(FIRST_PAUSE, LONGEST_PAUSE):
        try:
            await sync()
            return
        except (*NETWORK_ERRORS, StoreFailure) as error:
            wait = max(pause, retry_after(error) or 0)
            log.warning(
                "Could not register the commands (%s). The registered ones still work. Retrying in %d s.",
                describe_error(error),
                wait,
            )
        await clock.sleep(wait)


async def register(tree: app_commands.CommandTree[Any], notes: SurfaceStorage) -> None:
    """Register the commands of a tree unless Discord already has them. Raises NETWORK_ERRORS and StoreFailure.

    Commands of other types are sent back unchanged, for example the Entry Point command of an application with
    Activities: Discord refuses an update that omits it.
    """
    wanted = command_payloads(tree)
    digest = blake2b(json.dumps(wanted, sort_keys=True).encode(), digest_size=16).hexdigest()
    registered = await registered_commands(tree.client)
    rest = [command for command in registered if command["type"] not in OURS]
    same_names = {command["name"] for command in registered if command not in rest} == {each["name"] for each in wanted}
    if same_names and await notes.read_note(NOTE) == digest:
        return
    await replace_commands(tree.client, [*wanted, *rest])
    await notes.put_note(NOTE, digest)
    others = f". Kept those that Discord added: {', '.join(command['name'] for command in rest)}" if rest else ""
    log.info("Commands synced: %d%s", len(wanted), others)
