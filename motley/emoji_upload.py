"""`python -m motley emoji`: brings the application's emoji on Discord in step with the drawings of this version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from cogs.games import GAME_UIS
from cogs.pictures.emoji import EmojiDrawings, emoji_png
from cogs.pictures.emoji_names import EmojiId, SyncPlan, all_emoji, emoji_name, plan_sync
from cogs.screens.words import join_with_and, pluralize
from cogs.table.transport.application_access import raise_refusals
from cogs.table.transport.network_errors import NETWORK_ERRORS, ApplicationBlocked, describe_error

MAX_WAIT = 300  # seconds to wait if Discord asks for patience
LIMIT_REACHED = 30008  # Discord's code: the application has as many emoji as it may have
AGAIN = "Run the command again: it goes on where it stopped."
LOGIN_TEXT = "Discord does not accept this token. Copy the right one into DISCORD_TOKEN."
LIMIT_TEXT = (
    "The application has 2,000 emoji, which is the most that Discord allows. Delete some of the others on its page in "
    "the developer portal, and run the command again."
)


def game_emoji() -> EmojiDrawings:
    """Return the emoji of all games, and the shared ones."""
    return all_emoji(ui.emoji for ui in GAME_UIS.values())


async def sync_emoji(
    token: str, say: Callable[[str], Any], *, is_dry_run: bool = False, drawings: EmojiDrawings | None = None
) -> bool:
    """Upload what is missing or changed, delete what is outdated, and say what was done. Returns whether all worked."""
    drawings = game_emoji() if drawings is None else drawings
    done = 0
    async with discord.Client(
        intents=discord.Intents(guilds=True), max_ratelimit_timeout=MAX_WAIT, http_trace=raise_refusals()
    ) as client:
        try:
            await client.login(token)
            emoji_by_id = {each.id: each for each in await client.fetch_application_emojis()}
            plan = plan_sync(drawings, [EmojiId(each.name, each.id) for each in emoji_by_id.values()])
            if is_dry_run:
                say(_plan_text(plan))
                return True
            if plan.new or plan.changed:
                say("Uploading. This takes some minutes if Discord asks for pauses.")
            for key in (*plan.new, *plan.changed):
                await client.create_application_emoji(name=emoji_name(key, drawings), image=emoji_png(drawings[key]))
                done += 1
            for old in (*plan.outdated, *plan.unknown):  # last, so that a running bot always finds one of each
                await emoji_by_id[old.id].delete()
                done += 1
        except discord.LoginFailure:
            say(LOGIN_TEXT)
        except NETWORK_ERRORS as error:
            say(_failure_text(error, done))
        else:
            say(_done_text(plan))
            return True
    return False


def _failure_text(error: BaseException, done: int) -> str:
    """Return what went wrong and what to do."""
    if isinstance(error, discord.HTTPException) and error.code == LIMIT_REACHED:
        return LIMIT_TEXT
    so_far = f"Done so far: {pluralize(done, 'change')}. {AGAIN}" if done else AGAIN
    if isinstance(error, ApplicationBlocked):
        return f"Discord blocks all requests of this application for now. Wait an hour. {so_far}"
    if isinstance(error, discord.RateLimited):
        return f"Discord allows more uploads in {error.retry_after / 60:.0f} minutes. {so_far}"
    return f"Discord cannot be reached, or refuses ({describe_error(error)}). {so_far}"


def _plan_text(plan: SyncPlan) -> str:
    """Return what would be done, one emoji per line."""
    lines = [
        *(f"upload {key}" for key in plan.new),
        *(f"replace {key}, whose drawing changed" for key in plan.changed),
        *(f"delete {each.name}, which is not used any more" for each in plan.unknown),
    ]
    return "\n".join(["This would be done:", *lines]) if lines else _done_text(plan)


def _done_text(plan: SyncPlan) -> str:
    """Return what was done."""
    counts = (
        (len(plan.new), "uploaded {} new emoji"),
        (len(plan.changed), "replaced {} whose drawing changed"),
        (len(plan.unknown), "deleted {} that are not used any more"),
    )
    parts = [words.format(count) for count, words in counts if count]
    if not parts:
        return f"All {len(plan.current)} emoji are up to date."
    return f"{join_with_and(parts).capitalize()}. The bot shows them after its next start."
