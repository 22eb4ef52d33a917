"""The world in memory: guilds, people, channels, messages, files, and its change listeners."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from playground.world import ids
from playground.world.clock import Clock
from playground.world.errors import ApiRefusal, DiscordError

TEXT_CHANNEL: Final = 0
DM_CHANNEL: Final = 1
VOICE_CHANNEL: Final = 2
NEWS_CHANNEL: Final = 5
NEWS_THREAD: Final = 10
PUBLIC_THREAD: Final = 11
PRIVATE_THREAD: Final = 12

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
COMPONENTS_V2: Final = 1 << 15

_MAX_UNUSED_FILES: Final = 300
NONCE_SECONDS: Final = 300.0

Json = dict[str, Any]


@dataclass(slots=True)
class User:
    """A person or the bot."""

    id: int
    username: str
    name: str
    bot: bool = False
    dms_closed: bool = False


@dataclass(slots=True)
class Role:
    """A role of a guild."""

    id: int
    name: str
    permissions: int
    position: int
    bot_id: int | None = None


@dataclass(slots=True)
class Member:
    """A user's membership of a guild."""

    user_id: int
    joined_at: float
    role_ids: list[int] = field(default_factory=list)
    nick: str | None = None


@dataclass(slots=True)
class Guild:
    """A guild: its owner, its members, and whether the bot is in it."""

    id: int
    name: str
    owner_id: int
    bot_role_id: int
    admin_role_id: int
    has_bot: bool = True
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)

    def member(self, user_id: int) -> Member:
        """Return a member, or raise Discord's refusal."""
        if user_id not in self.members:
            raise ApiRefusal(DiscordError.UNKNOWN_MEMBER)
        return self.members[user_id]


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a channel allows or denies to a role (type 0) or a member (type 1)."""

    target_id: int
    type: int
    allow: int
    deny: int


@dataclass(slots=True)
class ThreadState:
    """The additional data of a thread."""

    owner_id: int
    created_at: float
    archived_at: float
    auto_archive_minutes: int = 1440
    archived: bool = False
    locked: bool = False
    members: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class Channel:
    """A text, announcement or voice channel, a thread, or a DM channel with the bot."""

    id: int
    type: int
    name: str
    position: int = 0
    topic: str | None = None
    parent_id: int | None = None
    overwrites: tuple[Overwrite, ...] = ()
    recipient_id: int | None = None
    thread: ThreadState | None = None
    last_message_id: int | None = None
    guild_id: int = ids.GUILD  # 0: a DM channel

    @property
    def is_dm(self) -> bool:
        """Return whether it is a DM channel with the bot."""
        return self.type == DM_CHANNEL


@dataclass(slots=True)
class Message:
    """A message: Discord's object, the person who sees it if it is ephemeral, and all its files.

    Discord's object lists under "attachments" only the files that no component and no embed shows.
    """

    id: int
    channel_id: int
    author_id: int
    data: Json
    visible_to: int | None = None
    files: list[Json] = field(default_factory=list)

    @property
    def full_data(self) -> Json:
        """Return the object with every file, for checking an edit."""
        return self.data | {"attachments": self.files}

    def page_object(self) -> Json:
        """Return the object as the page shows it."""
        return self.data if self.visible_to is None else {**self.data, "visible_to": str(self.visible_to)}


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The bytes behind an attachment's address."""

    filename: str
    content_type: str
    data: bytes


class ChangeListener(Protocol):
    """Is called for every change in the world with its kind from the page's protocol, and its subject."""

    def __call__(self, kind: str, subject: Message | Channel | None) -> None: ...


class World:
    """All data. Its methods make changes and call the listeners."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.snowflakes = ids.SnowflakeGenerator(clock)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self._files: dict[tuple[int, int], StoredFile] = {}
        self._unused_files: OrderedDict[tuple[int, int], None] = OrderedDict()
        self._nonces: dict[tuple[int, str], tuple[int, int, float]] = {}
        self._listeners: list[ChangeListener] = []

    def add_listener(self, listener: ChangeListener) -> None:
        """Call `listener` for every change from now on."""
        self._listeners.append(listener)

    @property
    def home_guild(self) -> Guild:
        """The first guild."""
        return self.guilds[ids.GUILD]

    def guild(self, guild_id: int) -> Guild:
        """Return a guild, or raise Discord's refusal."""
        if guild_id not in self.guilds:
            raise ApiRefusal(DiscordError.UNKNOWN_GUILD)
        return self.guilds[guild_id]

    def guild_of(self, channel: Channel) -> Guild | None:
        """Return a channel's guild; None for a DM channel."""
        return self.guilds.get(channel.guild_id)

    def shared_guilds(self, user_id: int) -> list[Guild]:
        """Return the guilds that a person shares with the bot."""
        return [guild for guild in self.guilds.values() if guild.has_bot and user_id in guild.members]

    def people(self) -> list[User]:
        """Return the people, in order."""
        return [user for user in self.users.values() if not user.bot]

    def channel(self, channel_id: int) -> Channel:
        """Return a channel, or raise Discord's refusal."""
        if channel_id not in self.channels:
            raise ApiRefusal(DiscordError.UNKNOWN_CHANNEL)
        return self.channels[channel_id]

    def message(self, channel_id: int, message_id: int) -> Message:
        """Return a message, or raise Discord's refusal."""
        message = self.messages.get(channel_id, {}).get(message_id)
        if message is None:
            raise ApiRefusal(DiscordError.UNKNOWN_MESSAGE)
        return message

    def user(self, user_id: int) -> User:
        """Return a user, or raise Discord's refusal."""
        if user_id not in self.users:
            raise ApiRefusal(DiscordError.UNKNOWN_USER)
        return self.users[user_id]

    def channels_in(self, guild: Guild) -> list[Channel]:
        """Return the channels of a guild, without its threads."""
        return [c for c in self.channels.values() if c.guild_id == guild.id and c.thread is None]

    def threads_in(self, guild: Guild) -> list[Channel]:
        """Return the threads of a guild that are not archived."""
        channels = (c for c in self.channels.values() if c.guild_id == guild.id)
        return [c for c in channels if c.thread is not None and not c.thread.archived]

    def add_channel(self, channel: Channel) -> None:
        """Add a channel, thread or DM channel."""
        self.channels[channel.id] = channel
        self.messages[channel.id] = {}
        self._notify("channel_create", channel)

    def notify_channel_changed(self, channel: Channel) -> None:
        """Report that a channel has been changed in place."""
        self._notify("channel_update", channel)

    def remove_channel(self, channel: Channel) -> None:
        """Remove a channel with its threads and messages."""
        for child in [c for c in self.channels.values() if c.parent_id == channel.id]:
            self.remove_channel(child)
        self._notify("channel_delete", channel)
        for message in self.messages.pop(channel.id).values():
            self._release_files(channel.id, message.files)
        del self.channels[channel.id]

    def open_dm(self, user_id: int) -> Channel:
        """Return a person's DM channel with the bot; create it the first time."""
        channel_id = user_id + ids.DM_OFFSET
        if channel_id not in self.channels:
            name = self.users[user_id].name
            self.add_channel(Channel(channel_id, DM_CHANNEL, name, recipient_id=user_id, guild_id=0))
        return self.channels[channel_id]

    def is_contacted(self, user_id: int) -> bool:
        """Return whether there is a message in a person's DM channel."""
        return bool(self.messages.get(user_id + ids.DM_OFFSET))

    def add_message(self, message: Message) -> None:
        """Add a message."""
        self.messages[message.channel_id][message.id] = message
        channel = self.channels[message.channel_id]
        if message.visible_to is None:
            channel.last_message_id = message.id
        self._notify("message_create", message)

    def change_message(self, message: Message, data: Json, files: list[Json] | None = None) -> None:
        """Replace a message's object and its files; None: the files stay."""
        if files is not None:
            kept_ids = {file["id"] for file in files}
            self._release_files(message.channel_id, [file for file in message.files if file["id"] not in kept_ids])
            message.files = files
        message.data = data
        self._notify("message_update", message)

    def remove_message(self, message: Message) -> None:
        """Remove a message."""
        del self.messages[message.channel_id][message.id]
        self._release_files(message.channel_id, message.files)
        self._notify("message_delete", message)

    def notify_people_changed(self) -> None:
        """Report that somebody joined or left, or opened or closed their direct messages."""
        self._notify("people", None)

    def store_file(self, channel_id: int, file: StoredFile) -> int:
        """Store an attachment's bytes and return its id."""
        attachment_id = self.snowflakes.next_id("file", channel_id, file.filename)
        self._files[channel_id, attachment_id] = file
        return attachment_id

    def find_file(self, channel_id: int, attachment_id: int) -> StoredFile | None:
        """Return an attachment's bytes. Unused ones are stored for a while."""
        return self._files.get((channel_id, attachment_id))

    def remember_nonce(self, message: Message, nonce: str) -> None:
        """Remember the message sent under a nonce; a nonce belongs to its author, whatever the channel."""
        key, now = (message.author_id, nonce), self.clock.now()
        if now > self._nonces.get(key, (0, 0, 0.0))[2]:
            self._nonces[key] = (message.channel_id, message.id, now + NONCE_SECONDS)

    def message_with_nonce(self, author_id: int, nonce: str) -> Message | None:
        """Return the message that this author recently sent under this nonce; refuse if it was deleted."""
        channel_id, message_id, until = self._nonces.get((author_id, nonce), (0, 0, 0.0))
        return None if self.clock.now() > until else self.message(channel_id, message_id)

    def _release_files(self, channel_id: int, files: list[Json]) -> None:
        for file in files:
            self._unused_files[channel_id, int(file["id"])] = None
        while len(self._unused_files) > _MAX_UNUSED_FILES:
            key, _ = self._unused_files.popitem(last=False)
            self._files.pop(key, None)

    def _notify(self, kind: str, subject: Message | Channel | None) -> None:
        for watcher in self._listeners:
            watcher(kind, subject)
