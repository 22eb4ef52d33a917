"""The people, channels, servers and answers that tests hold in their hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playground.page.client import fill_component, nest_options
from playground.simulation.interactions import CallbackKind, Interaction
from playground.world.messages import walk_components
from playground.world.registered_commands import is_usable
from playground.world.world import TEXT_CHANNEL, VOICE_CHANNEL, Channel, Guild, Json, Member, Message, User

if TYPE_CHECKING:
    from tests.end_to_end.simulated_discord import SimulatedDiscord

BUTTON, SUBCOMMANDS = 2, (1, 2)


@dataclass(frozen=True)
class ChannelHandle:
    """A channel, thread or inbox."""

    discord: SimulatedDiscord = field(repr=False)
    id: int

    @property
    def name(self) -> str:
        return self.discord.world.channel(self.id).name

    @property
    def guild(self) -> int:
        """The server's id; 0: direct messages."""
        return self.discord.world.channel(self.id).guild_id

    @property
    def threads(self) -> list[ChannelHandle]:
        """Its threads, oldest first."""
        return [
            ChannelHandle(self.discord, c.id) for c in self.discord.world.channels.values() if c.parent_id == self.id
        ]


@dataclass(frozen=True)
class GuildHandle:
    """A server."""

    discord: SimulatedDiscord = field(repr=False)
    guild: Guild

    @property
    def id(self) -> int:
        return self.guild.id

    def create_text_channel(self, name: str) -> ChannelHandle:
        return self._create_channel(name, TEXT_CHANNEL)

    def create_voice_channel(self, name: str) -> ChannelHandle:
        return self._create_channel(name, VOICE_CHANNEL)

    def add_member(self, user: User | DirectActor) -> MemberActor:
        self.guild.members[user.id] = Member(user.id, self.discord.world.clock.now())
        return MemberActor(self.discord, user.id, self.id)

    def _create_channel(self, name: str, kind: int) -> ChannelHandle:
        world = self.discord.world
        position = len(world.channels_in(self.guild))
        channel = Channel(world.snowflakes.next_id(), kind, name, position, guild_id=self.id)
        world.add_channel(channel)
        return ChannelHandle(self.discord, channel.id)


@dataclass(frozen=True)
class Actor:
    """Somebody who clicks."""

    discord: SimulatedDiscord = field(repr=False)
    id: int

    @property
    def name(self) -> str:
        return self.discord.world.users[self.id].name

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    @property
    def dm_channel(self) -> ChannelHandle:
        return ChannelHandle(self.discord, self.discord.world.open_dm(self.id).id)

    async def click(
        self, message: Shown, *, label: str | None = None, custom_id: str | None = None
    ) -> InteractionResult:
        """Click the one button that has that label or custom_id."""
        result = self.begin_click(message, label=label, custom_id=custom_id)
        await self.discord.settle()
        return result

    def begin_click(
        self, message: Shown, *, label: str | None = None, custom_id: str | None = None
    ) -> InteractionResult:
        place = _place(message)
        stands = self.discord.world.message(int(place["channel_id"]), int(place["message_id"]))
        buttons = [each for each in walk_components(stands.data["components"]) if each["type"] == BUTTON]
        found = [
            c["custom_id"]
            for c in buttons
            if label in (None, c.get("label")) and custom_id in (None, c.get("custom_id"))
        ]
        assert len(found) == 1, f"{len(found)} buttons are {label or custom_id!r}"
        return self.discord.begin_act(self.id, "click", **place, custom_id=found[0])

    async def select(self, message: Shown, values: Sequence[Any], *, custom_id: str) -> InteractionResult:
        """Choose values: texts, or people and places."""
        chosen = [_value(each) for each in values]
        return await self.discord.act(self.id, "select", **_place(message), custom_id=custom_id, values=chosen)

    async def submit_modal(self, form: InteractionResult, answers: dict[str, Any]) -> InteractionResult:
        assert form.modal is not None, "there is no form"
        components = [fill_component(component, answers) for component in form.modal["components"]]
        how = {"interaction_id": str(form.interaction.id), "custom_id": form.modal["custom_id"]}
        return await self.discord.act(self.id, "modal", **how, components=components)

    async def run_command(
        self, channel: ChannelHandle, path: str, options: dict[str, Any], focused: str | None = None
    ) -> InteractionResult:
        """Give a command, or with a focused option have it completed."""
        name, *deeper = path.split()
        command = self.discord.simulation.commands.find_command(name, channel.guild)
        assert command is not None, f"there is no command /{name}"
        nested = nest_options(command, deeper, {key: _option(value) for key, value in options.items()}, focused)
        do = "autocomplete" if focused else "command"
        return await self.discord.act(self.id, do, channel_id=str(channel.id), name=name, options=nested)


class DirectActor(Actor):
    """Somebody in their direct messages."""

    def offered_commands(self) -> list[str]:
        """The commands that Discord offers there, with their subcommands."""
        commands = self.discord.simulation.commands.visible_commands(0)
        return [path for each in commands if is_usable(each, in_dm=True) for path in _paths(each)]

    async def slash(self, command: str, **options: Any) -> InteractionResult:
        return await self.run_command(self.dm_channel, command, options)

    async def autocomplete(self, command: str, option: str, text: str, **others: Any) -> list[Json]:
        answer = await self.run_command(self.dm_channel, command, {**others, option: text}, option)
        return answer.choices


@dataclass(frozen=True)
class MemberActor(Actor):
    """Somebody in a server."""

    guild: int

    @property
    def user(self) -> DirectActor:
        return DirectActor(self.discord, self.id)

    async def slash(self, channel: ChannelHandle, command: str, /, **options: Any) -> InteractionResult:
        return await self.run_command(channel, command, options)

    async def autocomplete(
        self, channel: ChannelHandle, command: str, option: str, text: str, /, **others: Any
    ) -> list[Json]:
        answer = await self.run_command(channel, command, {**others, option: text}, option)
        return answer.choices

    async def send(self, channel: ChannelHandle, content: str) -> None:
        self.discord.perform(self.id, "say", channel_id=str(channel.id), content=content)
        await self.discord.settle()


@dataclass(frozen=True)
class ResponseMessage:
    """A message with which the bot has answered, as it is now."""

    message: Message

    @property
    def id(self) -> int:
        return self.message.id

    @property
    def channel_id(self) -> int:
        return self.message.channel_id

    @property
    def content(self) -> str:
        return str(self.message.data["content"])

    @property
    def components(self) -> list[Json]:
        return list(self.message.data["components"])

    @property
    def attachments(self) -> list[Json]:
        return self.message.files

    @property
    def ephemeral(self) -> bool:
        return self.message.visible_to is not None


@dataclass(frozen=True)
class InteractionResult:
    """What the bot has answered to a click or a command."""

    discord: SimulatedDiscord = field(repr=False)
    interaction: Interaction

    @property
    def acknowledged(self) -> bool:
        return self.interaction.status == "answered"

    @property
    def ephemeral(self) -> bool:
        """Whether a new message answered that its reader alone sees."""
        new = (CallbackKind.MESSAGE, CallbackKind.DEFERRED_MESSAGE)
        original = self.interaction.original
        return self.interaction.callback in new and original is not None and original.visible_to is not None

    @property
    def modal(self) -> Json | None:
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        return self.interaction.choices

    @property
    def response(self) -> ResponseMessage | None:
        """The message that answered, or that was changed; None if there is none, or it is gone."""
        original = self.interaction.original
        if original is None or original.id not in self.discord.world.messages.get(original.channel_id, {}):
            return None
        return ResponseMessage(original)

    @property
    def followups(self) -> list[ResponseMessage]:
        number, messages = str(self.interaction.id), self.discord.find_messages(self.interaction.channel_id)
        mine = [m for m in messages if m.data.get("interaction_metadata", {}).get("id") == number]
        return [ResponseMessage(each) for each in mine if each is not self.interaction.original]


Shown = Json | ResponseMessage


def _place(message: Shown) -> dict[str, str]:
    if isinstance(message, ResponseMessage):
        return {"channel_id": str(message.channel_id), "message_id": str(message.id)}
    return {"channel_id": str(message["channel_id"]), "message_id": str(message["id"])}


def _paths(command: Json) -> list[str]:
    """A command with each of its subcommands; its name alone if it has none."""
    inner = [option for option in command.get("options") or [] if option["type"] in SUBCOMMANDS]
    return [f"{command['name']} {path}" for option in inner for path in _paths(option)] or [command["name"]]


def _value(value: Any) -> str:
    return value if isinstance(value, str) else str(value.id)


def _option(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value.id)
