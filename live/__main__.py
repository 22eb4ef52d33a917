"""`python -m live CHANNEL`: try our claims about Discord in a channel of a test server.

A person can help with clicks; without help, fewer claims are tried. The result is written to a file, and everything
that was posted is deleted.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import discord

from cogs.table.transport.discord_internals import silence_voice_warnings, unexpected_parts, use_api
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error
from live import alone, helped
from live.report import Observation, format_report
from live.stage import NotTried, TestChannel, describe_refusal
from motley.settings import Settings, SettingsError, load_settings
from motley.version import version

USAGE_TEXT = (
    "This needs the token of a bot of yours in DISCORD_TOKEN or .env, and the id of a text channel in a test "
    "server where the bot is: make live CHANNEL=123456789012345678. Let no other bot use that token during the "
    "trial."
)
NO_CHANNEL_TEXT = "This bot cannot see a text channel {channel}."
READY_SECONDS = 60.0  # seconds
EXTRA_SECONDS = 30.0  # seconds added to `patience`, after which a hanging trial is cancelled


class TrialClient(discord.Client):
    """A client that receives only interactions."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_ratelimit_timeout=60)
        self.stage: TestChannel | None = None

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Pass a click to the code that waits for one."""
        kind = discord.InteractionType.component
        if self.stage is not None and interaction.type is kind and interaction.channel_id == self.stage.channel.id:
            self.stage.receive_click(interaction)


async def run_claims(token: str, channel_id: int, patience: float) -> str:
    """Try every claim and return the report. Raises NotTried if nothing can be tried."""
    async with TrialClient() as client:
        connecting = asyncio.create_task(client.start(token), name="connecting")
        ready = asyncio.create_task(client.wait_until_ready(), name="ready")
        try:
            await asyncio.wait({connecting, ready}, return_when=asyncio.FIRST_COMPLETED, timeout=READY_SECONDS)
            if connecting.done():
                connecting.result()
            channel = client.get_channel(channel_id)
            if not isinstance(channel, discord.TextChannel):
                raise NotTried(NO_CHANNEL_TEXT.format(channel=channel_id))
            client.stage = stage = TestChannel(client, channel, patience)
            observations, left = list[Observation](), list[str]()
            try:
                for claim in (
                    *alone.CLAIMS[:-1],
                    *helped.CLAIMS,
                    alone.CLAIMS[-1],
                ):  # locking a thread cannot be undone, so it comes last
                    observations.append(await _try_claim(stage, claim))
            finally:
                left = await stage.clean_up()
            return format_report(observations, _environment_lines(channel), left)
        finally:
            for task in (ready, connecting):
                task.cancel()
            await asyncio.gather(ready, connecting, return_exceptions=True)


async def _try_claim(stage: TestChannel, claim: alone.Claim) -> Observation:
    words = " ".join((claim.__doc__ or "").split())
    try:
        async with asyncio.timeout(2 * stage.patience + EXTRA_SECONDS):
            so, what = await claim(stage)
    except NotTried as why:
        return Observation(words, None, str(why))
    except discord.HTTPException as error:
        return Observation(words, False, f"refused: {describe_refusal(error)}")
    except TimeoutError:
        return Observation(words, False, "it did not finish")
    return Observation(words, so, what)


def _environment_lines(channel: discord.TextChannel) -> list[str]:
    allowed = channel.permissions_for(channel.guild.me)
    return [
        f"Motley {version()}, discord.py {discord.__version__}, Python {platform.python_version()}",
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"the bot {'can' if allowed.manage_threads else 'cannot'} manage threads there",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trial and write the report; return the exit code."""
    options = _make_parser().parse_args(arguments)
    try:
        settings = load_settings(Settings)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n{USAGE_TEXT}\n")
        return 2
    if unexpected := unexpected_parts():
        sys.stderr.write(unexpected)
        return 2
    if not options.channel:
        sys.stderr.write(f"{USAGE_TEXT}\n")
        return 2
    silence_voice_warnings()
    if settings.api:
        use_api(settings.api)
    try:
        text = asyncio.run(run_claims(settings.token.get_secret_value(), options.channel, options.patience))
    except (discord.LoginFailure, discord.ConnectionClosed, *NETWORK_ERRORS) as error:
        sys.stderr.write(f"Discord refuses the connection or is unreachable ({describe_error(error)}).\n")
        return 1
    except NotTried as why:
        sys.stderr.write(f"{why}\n")
        return 1
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(text, encoding="utf-8")
    with contextlib.suppress(UnicodeEncodeError):
        sys.stdout.write(f"{text}\n{options.report}\n")
    return 0


def _make_parser() -> ArgumentParser:
    parser = ArgumentParser("python -m live", description="Try our claims about Discord on Discord itself.")
    parser.add_argument("channel", type=int, nargs="?", default=0, help="the id of a text channel in a test server")
    parser.add_argument("--patience", type=float, default=120.0, help="seconds to wait for the helper (120)")
    parser.add_argument(
        "--report", type=Path, default=Path("data/live.md"), help="where to write the report (data/live.md)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
