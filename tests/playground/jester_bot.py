"""A small bot in plain discord.py, for testing the playground. It shares nothing with Motley."""

from __future__ import annotations

import asyncio
import io
import os
import re
from typing import Any, Self

import discord
import yarl
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from discord.http import Route

GAMES_CHANNEL = 1200000000000000201  # a channel of the playground; a program of its own cannot import it
PIXEL_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)


def use_api(api: str, gateway: str) -> None:
    Route.BASE = api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


class JesterBot(discord.Client):
    """Registers its commands at login and stores the events it received."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.01)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.resumed = asyncio.Event()
        _add_commands(self)
        self.add_dynamic_items(CountButton)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_resumed(self) -> None:
        self.resumed.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.modal_submit:
            assert interaction.data is not None
            self.heard.append(str(interaction.data["components"]))  # type: ignore[typeddict-item]
            await interaction.response.send_message("Noted.", ephemeral=True)


class CountButton(ui.DynamicItem[ui.Button[Any]], template=r"count:(?P<n>\d+)"):
    def __init__(self, n: int) -> None:
        super().__init__(ui.Button(label=f"Count {n}", custom_id=f"count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=count_view(self.n + 1))


class ActionButton(ui.Button[Any]):
    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match self.custom_id:
            case "secret":
                await interaction.response.send_message("Only you see this.", ephemeral=True)
                await interaction.followup.send("This too.", ephemeral=True)
            case "form":
                await interaction.response.send_modal(make_form())
            case "thinking":
                await interaction.response.defer(thinking=True, ephemeral=True)
                await interaction.edit_original_response(content="Thought.")


class PickSelect(ui.Select[Any]):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=label, value=label.lower()) for label in ("Red", "Blue")]
        super().__init__(custom_id="pick", options=options)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        await interaction.followup.send(f"You took {self.values[0]}.", ephemeral=True)


class ChannelPicker(ui.ChannelSelect[Any]):
    """A select of text channels, the first one selected by default."""

    def __init__(self) -> None:
        chosen = [discord.SelectDefaultValue(id=GAMES_CHANNEL, type=discord.SelectDefaultValueType.channel)]
        kinds = [discord.ChannelType.text]
        super().__init__(custom_id="rooms", channel_types=kinds, min_values=0, max_values=25, default_values=chosen)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        choices = ", ".join(f"{each.name} {each.type}" for each in self.values)
        await interaction.response.send_message(f"You took {choices}.", ephemeral=True)


def count_view(count: int) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    container: ui.Container[Any] = ui.Container()
    container.add_item(ui.TextDisplay(f"# The table\nCounted {count}."))
    row: ui.ActionRow[Any] = ui.ActionRow()
    row.add_item(CountButton(count))
    for label, custom_id in (("Secret", "secret"), ("Form", "form"), ("Think", "thinking"), ("Silence", "silence")):
        row.add_item(ActionButton(label=label, custom_id=custom_id))
    container.add_item(row)
    container.add_item(ui.ActionRow(PickSelect()))
    container.add_item(ui.ActionRow(ChannelPicker()))
    view.add_item(container)
    return view


def make_form() -> ui.Modal:
    modal = ui.Modal(title="A form", custom_id="the-form")
    modal.add_item(ui.Label(text="Word", component=ui.TextInput(custom_id="word", max_length=20)))
    options = [discord.SelectOption(label="One"), discord.SelectOption(label="Two")]
    modal.add_item(ui.Label(text="Which", component=ui.Select(custom_id="which", options=options)))
    return modal


def _add_commands(bot: JesterBot) -> None:
    group = app_commands.Group(name="plain", description="Everything the test bot does")

    @group.command(description="Open a table")
    @app_commands.describe(rounds="How many rounds", mood="How it feels")
    async def new(interaction: discord.Interaction[Any], rounds: int, mood: str = "merry") -> None:
        bot.heard.append(f"new {rounds} {mood}")
        await interaction.response.send_message(view=count_view(0))

    @new.autocomplete("mood")
    async def moods(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=m, value=m) for m in ("merry", "grim") if m.startswith(current)]

    @group.command(description="Get a message of your own")
    async def letter(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        picture = discord.File(io.BytesIO(PIXEL_PNG), "pixel.png", description="One dark pixel")
        try:
            sent = await interaction.user.send("A letter", file=picture)
        except discord.Forbidden as refused:
            await interaction.followup.send(f"closed {refused.code}", ephemeral=True)
            return
        await interaction.followup.send(f"sent {sent.attachments[0].description}", ephemeral=True)

    @group.command(description="Start a thread")
    async def thread(interaction: discord.Interaction[Any], name: str) -> None:
        await interaction.response.defer(ephemeral=True)
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        try:
            thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
            await thread.send("Welcome.")
            await thread.edit(archived=True)
        except discord.Forbidden as refused:
            await interaction.edit_original_response(content=f"no thread {refused.code}")
            return
        await interaction.edit_original_response(content=f"thread {thread.id}")

    bot.tree.add_command(group)


async def main() -> None:
    use_api(os.environ["DISCORD_API"], os.environ["DISCORD_GATEWAY"])
    async with JesterBot() as bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main())
