"""Interactions: from a person's click to the bot's answer, with Discord's two timeouts."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from playground.simulation.gateway import Gateway
from playground.world import ids, payloads
from playground.world.clock import Clock, Timer
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.permissions import permissions_in
from playground.world.world import Channel, Json, Message, World

RESPONSE_SECONDS: Final = 3.0
TOKEN_SECONDS: Final = 15 * 60.0
_SUBCOMMANDS: Final = (1, 2)
_ATTACHMENT_LIMIT: Final = 10 * 1024 * 1024


class InteractionKind(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class CallbackKind(IntEnum):
    """How the bot can answer."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(slots=True, eq=False)
class Interaction:
    """One interaction and its state."""

    id: int
    token: str
    kind: InteractionKind
    person_id: int
    channel_id: int
    created_at: float
    source: Message | None
    custom_id: str | None
    metadata: Json
    command: str = ""  # its name with its subcommands
    status: str = "pending"
    callback: CallbackKind | None = None
    original: Message | None = None
    is_thinking: bool = False
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None
    settled_event: asyncio.Event = field(default_factory=asyncio.Event)
    timer: Timer | None = None

    @property
    def original_id(self) -> int | None:
        """Return the id of the message that @original refers to."""
        return None if self.original is None else self.original.id


class Interactions:
    """All current interactions. `on_change` is called for every change of one."""

    def __init__(self, world: World, gateway: Gateway, clock: Clock) -> None:
        self._world = world
        self._gateway = gateway
        self._clock = clock
        self._by_id: dict[int, Interaction] = {}
        self._tokens: dict[str, Interaction] = {}
        self.on_change: Callable[[Interaction], None] = lambda interaction: None
        self.new_token: Callable[[int], str] = lambda interaction_id: secrets.token_urlsafe(48)

    def start_interaction(
        self,
        kind: InteractionKind,
        person_id: int,
        channel: Channel,
        data: Json,
        *,
        source: Message | None = None,
        opener: Interaction | None = None,
    ) -> Interaction:
        """Start an interaction: send it to the bot, which has three seconds to answer."""
        interaction, payload = self.open_interaction(kind, person_id, channel, data, source=source, opener=opener)
        self._gateway.dispatch("INTERACTION_CREATE", payload, guild=channel.guild_id)
        return interaction

    def open_interaction(
        self,
        kind: InteractionKind,
        person_id: int,
        channel: Channel,
        data: Json,
        *,
        source: Message | None = None,
        opener: Interaction | None = None,
    ) -> tuple[Interaction, Json]:
        """Start an interaction without the gateway; return it and what the bot is to be told."""
        self._forget_expired()
        interaction_id = self._world.snowflakes.next_id("interaction", person_id)
        interaction = Interaction(
            id=interaction_id,
            token=self.new_token(interaction_id),
            kind=kind,
            person_id=person_id,
            channel_id=channel.id,
            created_at=self._clock.now(),
            source=source,
            custom_id=data.get("custom_id"),
            metadata={},
        )
        interaction.metadata = self._make_metadata(interaction, data, source, opener)
        self._by_id[interaction.id] = self._tokens[interaction.token] = interaction
        interaction.timer = self._clock.call_later(RESPONSE_SECONDS, lambda: self._expire(interaction))
        self.on_change(interaction)
        return interaction, self._make_payload(interaction, channel, data)

    def find_interaction(self, interaction_id: int) -> Interaction | None:
        """Return an interaction of the last quarter of an hour."""
        return self._by_id.get(interaction_id)

    def pending_interaction(self, interaction_id: int, token: str) -> Interaction:
        """Return the interaction for a first response; refuse if it is gone, expired or already answered."""
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token or interaction.status == "failed":
            raise ApiRefusal(DiscordError.UNKNOWN_INTERACTION)
        refuse_unless(interaction.status == "pending", DiscordError.ALREADY_ACKNOWLEDGED)
        return interaction

    def interaction_by_token(self, token: str) -> Interaction:
        """Return the interaction of a webhook token; refuse if it was never answered or has expired."""
        interaction = self._tokens.get(token)
        if interaction is None or interaction.status != "answered":
            raise ApiRefusal(DiscordError.UNKNOWN_WEBHOOK)
        expired = self._clock.now() - interaction.created_at > TOKEN_SECONDS
        refuse_unless(not expired, DiscordError.INVALID_WEBHOOK_TOKEN)
        return interaction

    def mark_answered(self, interaction: Interaction, callback: CallbackKind) -> None:
        """Record the bot's first response."""
        interaction.callback = callback
        self._settle(interaction, "answered")

    def _expire(self, interaction: Interaction) -> None:
        if interaction.status == "pending":
            self._settle(interaction, "failed")

    def _settle(self, interaction: Interaction, status: str) -> None:
        interaction.status = status
        if interaction.timer is not None:
            interaction.timer.cancel()
        interaction.settled_event.set()
        self.on_change(interaction)

    def _forget_expired(self) -> None:
        oldest = self._clock.now() - 2 * TOKEN_SECONDS
        for interaction in list(self._by_id.values()):
            if interaction.created_at > oldest:
                break
            del self._by_id[interaction.id], self._tokens[interaction.token]

    def _make_metadata(
        self, interaction: Interaction, data: Json, source: Message | None, opener: Interaction | None
    ) -> Json:
        guild_id = self._world.channels[interaction.channel_id].guild_id
        metadata: Json = {
            "id": str(interaction.id),
            "type": int(interaction.kind),
            "user": payloads.user_object(self._world.users[interaction.person_id]),
            "authorizing_integration_owners": {"0": str(guild_id)},
        }
        if interaction.kind is InteractionKind.COMMAND:
            interaction.command = " ".join(_command_path(data))
        if source is not None and interaction.kind is InteractionKind.COMPONENT:
            metadata["interacted_message_id"] = str(source.id)
        if opener is not None:
            metadata["triggering_interaction_metadata"] = opener.metadata
        return metadata

    def _make_payload(self, interaction: Interaction, channel: Channel, data: Json) -> Json:
        person = self._world.users[interaction.person_id]
        body: Json = {
            "id": str(interaction.id),
            "application_id": str(ids.APPLICATION),
            "type": int(interaction.kind),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel": payloads.partial_channel(self._world, channel, person.id),
            "channel_id": str(channel.id),
            "locale": "en-US",
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": interaction.metadata["authorizing_integration_owners"],
            "attachment_size_limit": _ATTACHMENT_LIMIT,
            "app_permissions": str(permissions_in(self._world, ids.BOT, channel)),
            "context": 1 if channel.is_dm else 0,
        }
        if interaction.source is not None:
            body["message"] = interaction.source.data
        guild = self._world.guild_of(channel)
        if guild is None:
            return body | {"user": payloads.user_object(person)}
        member = payloads.member_object(self._world, guild.member(person.id))
        member["permissions"] = str(permissions_in(self._world, person.id, channel))
        guild_body = {"id": str(guild.id), "locale": "en-US", "features": []}
        return body | {"guild_id": str(guild.id), "guild": guild_body, "guild_locale": "en-US", "member": member}


def _command_path(command: Json) -> list[str]:
    """Return a command's name with its subcommands, as people see it."""
    deeper = next((option for option in command.get("options") or () if option.get("type") in _SUBCOMMANDS), None)
    return [str(command.get("name")), *(_command_path(deeper) if deeper else ())]
