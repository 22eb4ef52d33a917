"""The private parts of discord.py that the bot uses, each behind a function, and a check that they are as expected.

No other module uses private parts: names with an underscore, undocumented modules such as `discord.http`, or
undocumented attributes such as `Client.http`.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import aiohttp
import discord
from discord import app_commands, ui
from discord.ext import commands
from yarl import URL

EXPECTED_VERSION: Final = "2.7.1"
UNEXPECTED: Final = (
    f"Motley needs discord.py {EXPECTED_VERSION}. This is discord.py {{version}}, which has other internals: {{what}}. "
    "Install the versions that requirements/ lists.\n"
)

try:
    import discord.client
    import discord.http
    import discord.shard
    from discord.backoff import ExponentialBackoff
    from discord.gateway import DiscordWebSocket, ReconnectWebSocket
    from discord.http import Ratelimit, Route, handle_message_parameters
    from discord.webhook.async_ import async_context, interaction_message_response_params
except ImportError as error:  # then this module cannot be defined, so `unexpected_parts` cannot tell
    sys.stderr.write(UNEXPECTED.format(version=discord.__version__, what=error))
    raise SystemExit(2) from error

SHORT_DELAY_TRIES = 64  # about three minutes
MAX_DELAY, MAX_LATER_DELAY = 5.0, 300.0  # seconds; Discord allows a thousand new sessions a day
THREAD_MINUTES: Final = 1440  # minutes without a message after which a thread is archived
HANDLER_TASKS = ("discord.py: on_interaction", "CommandTree-invoker")  # the names of discord.py's tasks

Json = dict[str, Any]

GatewayLost = ReconnectWebSocket
"""A shard raises this out of `Client.start` if it loses its connection while it starts a new session. The class has no
public name and no public base."""


# The check at the start


@dataclass(frozen=True, slots=True)
class PrivatePart:
    """A private part of discord.py: `path` is a module and a dotted name in it.

    `parameters` are the names of those that the bot passes, the positional ones first, then `*` and the keywords.
    `uses` are the names and texts that its code has to contain.
    """

    path: str
    parameters: str | None = None
    uses: tuple[str, ...] = ()


PRIVATE_PARTS: Final = (
    PrivatePart("discord.client:Client.__init__", uses=("http", "ws", "_connection")),
    PrivatePart("discord.client:Client.connect", uses=("ExponentialBackoff",)),
    PrivatePart("discord.client:Client.dispatch", "self event"),
    PrivatePart("discord.client:Client._schedule_event", uses=("discord.py: ",)),
    PrivatePart("discord.app_commands:CommandTree._from_interaction", uses=("CommandTree-invoker",)),
    PrivatePart("discord.app_commands:Command.to_dict", "self tree"),
    PrivatePart("discord.app_commands:ContextMenu.to_dict", "self tree"),
    PrivatePart("discord.app_commands:Group.to_dict", "self tree"),
    PrivatePart("discord.ext.commands:GroupCog.__cog_group_name__"),
    PrivatePart("discord.ext.commands:GroupCog.__cog_group_description__"),
    PrivatePart("discord.ext.commands:Cog.__new__", uses=("__cog_group_name__", "__cog_group_description__")),
    PrivatePart("discord.state:ConnectionState.__init__", uses=("parsers", "shard_count")),
    PrivatePart("discord.state:ConnectionState.parse_interaction_create", "self data"),
    PrivatePart("discord.state:ConnectionState.parse_guild_delete", "self data"),
    PrivatePart("discord.state:ConnectionState._remove_guild", "self guild"),
    PrivatePart("discord.state:AutoShardedConnectionState.__init__", uses=("shard_ids",)),
    PrivatePart("discord.shard:AutoShardedClient.connect", uses=("launch_shards",)),
    PrivatePart("discord.shard:AutoShardedClient.launch_shards", "self"),
    PrivatePart("discord.shard:AutoShardedClient.launch_shard", "self gateway shard_id"),
    PrivatePart("discord.shard:Shard.__init__", uses=("ExponentialBackoff",)),
    PrivatePart("discord.backoff:ExponentialBackoff.__init__", "self base * integral", ("_exp",)),
    PrivatePart("discord.backoff:ExponentialBackoff.delay", "self"),
    PrivatePart("discord.gateway:DiscordWebSocket.DEFAULT_GATEWAY"),
    PrivatePart("discord.gateway:DiscordWebSocket.from_client", uses=("DEFAULT_GATEWAY",)),
    PrivatePart("discord.gateway:ReconnectWebSocket"),
    PrivatePart("discord.http:Ratelimit.__init__", "self max_ratelimit_timeout"),
    PrivatePart("discord.http:Ratelimit.__aexit__", "self type value traceback"),
    PrivatePart("discord.http:Ratelimit._refresh", "self"),
    PrivatePart("discord.http:Ratelimit.reset_after"),
    PrivatePart("discord.http:Ratelimit.expires"),
    PrivatePart("discord.http:Route.BASE"),
    PrivatePart("discord.http:Route.__init__", "self method path", ("BASE",)),
    PrivatePart("discord.http:HTTPClient.__init__", uses=("proxy", "proxy_auth")),
    PrivatePart("discord.http:HTTPClient.static_login", uses=("_HTTPClient__session",)),
    PrivatePart("discord.http:HTTPClient.get_ratelimit", uses=("Ratelimit",)),
    PrivatePart("discord.http:HTTPClient.request", "self route * files form params"),
    PrivatePart("discord.http:HTTPClient.edit_message", "self channel_id message_id * params"),
    PrivatePart("discord.http:HTTPClient.get_channel", "self channel_id"),
    PrivatePart(
        "discord.http:HTTPClient.start_thread_with_message", "self channel_id message_id * name auto_archive_duration"
    ),
    PrivatePart("discord.http:HTTPClient.bulk_upsert_global_commands", "self application_id payload"),
    PrivatePart("discord.http:HTTPClient.get_bot_gateway", "self"),
    PrivatePart("discord.http:handle_message_parameters", "* view attachments allowed_mentions"),
    PrivatePart("discord.http:MultipartParameters.payload"),
    PrivatePart("discord.http:MultipartParameters.multipart"),
    PrivatePart("discord.http:MultipartParameters.files"),
    PrivatePart("discord.webhook.async_:async_context"),
    PrivatePart(
        "discord.webhook.async_:AsyncWebhookAdapter.request",
        "self route session * payload multipart files proxy proxy_auth",
    ),
    PrivatePart(
        "discord.webhook.async_:interaction_message_response_params", "* type view attachments allowed_mentions"
    ),
    PrivatePart("discord:Interaction._session"),
    PrivatePart("discord:InteractionResponse._response_type"),
    PrivatePart("discord.ui:LayoutView.to_components", "self"),
    PrivatePart("discord.ui:LayoutView.has_components_v2", "self"),
    PrivatePart("discord:VoiceClient.warn_nacl"),
    PrivatePart("discord:VoiceClient.warn_dave"),
)
"""What this module uses of discord.py."""


def unexpected_parts() -> str:
    """Return a line that says which private parts are not as expected and which version is; empty if all are."""
    wrong = [f"{part.path.replace(':', '.')} {what}" for part in PRIVATE_PARTS if (what := _difference(part))]
    return UNEXPECTED.format(version=discord.__version__, what=", ".join(wrong)) if wrong else ""


def _difference(part: PrivatePart) -> str:
    """Return what is different about a part; empty if it is as expected."""
    module, _, names = part.path.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = _original(getattr(found, name))
    except (ImportError, AttributeError):
        return "is missing"
    if part.parameters is not None and not _accepts(found, part.parameters):
        return "takes other parameters"
    code = getattr(inspect.unwrap(found), "__code__", None)
    known = {*code.co_names, *code.co_consts} if code else set()
    unknown = [use for use in part.uses if use not in known]
    return f"does not use {', '.join(unknown)}" if unknown else ""


def _original(found: Any) -> Any:
    """Return the class that one of this module stands in for, if a bot has been started in this process before."""
    return found.__base__ if isinstance(found, type) and found.__module__ == __name__ else found


def _accepts(function: Callable[..., Any], wanted: str) -> bool:
    """Whether a function has these parameters in this order, these keywords, and no other that must be given."""
    if not callable(function):
        return False
    positional, _, keywords = (part.split() for part in wanted.partition("*"))
    parameters = inspect.signature(function).parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    required = {
        each.name for each in parameters.values() if each.default is each.empty and each.kind not in _COLLECTING
    }
    return (
        [*parameters][: len(positional)] == positional
        and (takes_any or parameters.keys() >= {*keywords})
        and required <= {*positional, *keywords}
    )


_COLLECTING = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


# Addresses and settings


def use_api(api: str) -> None:
    """Connect to another server than Discord; `api` is the root of its REST API. discord.py has no setting for it."""
    root = URL(api)
    Route.BASE = api.rstrip("/")
    socket = root.with_scheme("wss" if root.scheme == "https" else "ws").with_path("/gateway")
    DiscordWebSocket.DEFAULT_GATEWAY = socket


def api_root() -> URL:
    """Return the root of the REST API, which `use_api` may have changed. Only the class of routes has it."""
    return URL(Route.BASE)


def silence_voice_warnings() -> None:
    """Keep discord.py from warning that libraries for voice are missing. Each client does, and no setting stops it."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class CappedBackoff(ExponentialBackoff[Any]):
    """Waits up to `MAX_DELAY` for some minutes, then up to `MAX_LATER_DELAY`; discord.py may wait 17 minutes."""

    def __init__(self, base: int = 1, *, integral: Any = False) -> None:
        super().__init__(base, integral=integral)
        self._tries = 0

    def delay(self) -> Any:
        """The next pause in seconds."""
        pause = super().delay()
        self._tries = 1 if self._exp == 1 else self._tries + 1
        return min(pause, MAX_DELAY if self._tries <= SHORT_DELAY_TRIES else MAX_LATER_DELAY)


class CancellableRatelimit(Ratelimit):
    """A rate limit that lets the next request in if the last one was cancelled; else that waits for half a minute."""

    def __init__(self, max_ratelimit_timeout: float | None) -> None:
        super().__init__(max_ratelimit_timeout)
        self._refresh_tasks: set[asyncio.Task[None]] = set()

    async def __aexit__(self, *raised: Any) -> None:
        """Release the limit after a request, even if it was cancelled."""
        try:
            await super().__aexit__(*raised)
        except asyncio.CancelledError:  # cancelled while waiting for the limit to reset
            self.reset_after = max(0.0, (self.expires or 0.0) - asyncio.get_running_loop().time())
            task = asyncio.create_task(self._refresh(), name="let the next request in")
            self._refresh_tasks.add(task)
            task.add_done_callback(self._refresh_tasks.discard)
            raise


def install_backoff() -> None:
    """Make discord.py's clients use this backoff; they have no setting for it."""
    for module in (discord.client, discord.shard):
        vars(module)["ExponentialBackoff"] = CappedBackoff
    vars(discord.http)["Ratelimit"] = CancellableRatelimit


# The client


def http_session(client: discord.Client) -> aiohttp.ClientSession | None:
    """Return the session of a client's requests; None before the login. The client does not show it."""
    session = vars(client.http)["_HTTPClient__session"]
    return session if isinstance(session, aiohttp.ClientSession) else None


def has_gateway_socket(client: discord.Client) -> bool:
    """Whether the client has had a connection to the gateway. No public attribute tells."""
    return client.ws is not None


def change_interactions(client: discord.Client, change: Callable[[Json], Json]) -> None:
    """Change each interaction event before discord.py parses it. Its public events come after parsing."""
    parsers = client._connection.parsers
    parse = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = lambda event: parse(change(event))


def interaction_tasks() -> set[asyncio.Task[Any]]:
    """Return the tasks of interactions that are being handled. discord.py starts them and shows only their names."""
    return {task for task in asyncio.all_tasks() if task.get_name() in HANDLER_TASKS}


def dispatch(client: discord.Client, event: str, *values: object) -> None:
    """Call the listeners of an event of our own. Only an undocumented method calls them."""
    client.dispatch(event, *values)


# Commands


def set_group(cog: type[commands.GroupCog], name: str, description: str) -> None:
    """Name a cog's command group from `__init_subclass__`. The class keywords for that would stand in each subclass."""
    cog.__cog_group_name__, cog.__cog_group_description__ = name, description


def command_payloads(tree: app_commands.CommandTree[Any]) -> list[Json]:
    """Return a tree's commands as Discord's JSON. The public `sync` sends them without showing them."""
    return [command.to_dict(tree) for command in tree.get_commands()]


async def registered_commands(client: discord.Client) -> list[Json]:
    """Return all registered commands as Discord's JSON, also those of types that discord.py's parser does not know.

    With their localizations, because an update without them would delete them.
    """
    route = Route("GET", "/applications/{application_id}/commands", application_id=_application(client))
    found: list[Json] = await client.http.request(route, params={"with_localizations": "true"})
    return found


async def replace_commands(client: discord.Client, payloads: Sequence[Json]) -> None:
    """Register these commands in place of all others. The public `sync` would delete the types it does not know."""
    await client.http.bulk_upsert_global_commands(_application(client), [*payloads])


def _application(client: discord.Client) -> int:
    assert client.application_id is not None, "it is set after login"
    return client.application_id


# Messages and channels


class ComponentsView(ui.LayoutView):
    """A view of ready-made component JSON; discord.py would build an object per component only to serialize it."""

    def __init__(self, components: list[Json]) -> None:
        super().__init__(timeout=None)
        self._components = components
        self.stop()  # discord.py does not store stopped views, so they do not pile up

    def to_components(self) -> list[Json]:
        """The components to send."""
        return self._components

    def has_components_v2(self) -> bool:
        """Whether the view needs Discord's second version of components."""
        return True


def components_json(view: ui.LayoutView) -> list[Json]:
    """Return the components of a view as Discord's JSON, which only sending it would show."""
    found: list[Json] = view.to_components()  # type: ignore[no-untyped-call]
    return found


async def respond_with_edit(
    interaction: discord.Interaction,
    view: ui.LayoutView,
    images: Sequence[discord.File],
    mentions: discord.AllowedMentions,
) -> None:
    """Respond to a click by showing a view in the clicked message, without reading the message back.

    The public `InteractionResponse.edit_message` would request the whole message and parse it.
    """
    http, respond = interaction.client.http, async_context.get().request
    route = Route(
        "POST",
        "/interactions/{webhook_id}/{webhook_token}/callback",
        webhook_id=interaction.id,
        webhook_token=interaction.token,
    )
    kind = discord.InteractionResponseType.message_update
    with interaction_message_response_params(
        type=kind.value, view=view, attachments=images, allowed_mentions=mentions
    ) as params:
        await respond(
            route,
            interaction._session,
            payload=params.payload,
            multipart=params.multipart,
            files=params.files,
            proxy=http.proxy,
            proxy_auth=http.proxy_auth,
        )
    interaction.response._response_type = kind


async def edit_message(
    client: discord.Client,
    channel: int,
    message: int,
    view: ui.LayoutView,
    images: Sequence[discord.File],
    mentions: discord.AllowedMentions,
) -> None:
    """Edit a message, without parsing Discord's answer, as the public method of messages does."""
    with handle_message_parameters(view=view, attachments=images, allowed_mentions=mentions) as params:
        await client.http.edit_message(channel, message, params=params)


async def edit_message_with_form(
    client: discord.Client, channel: int, message: int, form: list[Json], files: Sequence[discord.File]
) -> None:
    """Edit a message with a form as it is, also one that the public methods never send."""
    route = Route("PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)
    await client.http.request(route, form=form, files=files)


async def start_thread(client: discord.Client, channel: int, message: int, name: str) -> None:
    """Start a thread from a message. The public method needs the server in its cache."""
    await client.http.start_thread_with_message(channel, message, name=name, auto_archive_duration=THREAD_MINUTES)


async def require_channel(client: discord.Client, channel: int) -> None:
    """Ask Discord for a channel. Raises NotFound. The public method refuses types of channels that it does not know."""
    await client.http.get_channel(channel)


# Shards


async def recommended_shards(client: discord.Client) -> tuple[int, Mapping[str, int]]:
    """Return Discord's recommended number of shards and its session limits. Only the undocumented request has both.

    Raises GatewayNotFound and RateLimited.
    """
    recommended, _, limit = await client.http.get_bot_gateway()
    return recommended, cast("Mapping[str, int]", limit)


class ClosableBot(commands.Bot):
    """A bot that announces nothing once it is closed.

    discord.py waits for servers before it announces that it is ready. If it is closed meanwhile, it has no event loop
    for the listeners.
    """

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Call the listeners of an event, unless the bot is closed."""
        if not self.is_closed():
            super().dispatch(event_name, *args, **kwargs)


class ManualShards(commands.AutoShardedBot):
    """A bot whose shards start one by one; the public class starts all of them at once and cannot drop a server."""

    async def launch_shards(self) -> None:
        """Do nothing: `launch_session` starts each shard."""

    async def launch_session(self, number: int) -> None:
        """Start the first session of a shard."""
        await self.launch_shard(DiscordWebSocket.DEFAULT_GATEWAY, number)

    def expect_shards(self, count: int, numbers: list[int]) -> None:
        """Set the number of all shards, and those for which discord.py waits before it reports that it is ready."""
        self._connection.shard_count, self._connection.shard_ids = count, numbers

    def report_removal(self, guild: discord.Guild) -> None:
        """Report a server as removed, as if Discord's event had arrived."""
        self._connection.parse_guild_delete({"id": guild.id})

    def drop_guild(self, guild: discord.Guild) -> None:
        """Drop a server from the cache, without reporting it as removed."""
        self._connection._remove_guild(guild)
