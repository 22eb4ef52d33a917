"""The playground's server on loopback: Discord for the bot, and the page for people."""

from __future__ import annotations

import socket
from email.utils import formatdate
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from aiohttp import web

from playground.page.http_api import PageApi
from playground.page.local_only import reject_foreign_requests
from playground.rest.api_server import DiscordApi
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.clock import Clock

HOST: Final = "127.0.0.1"
PORT: Final = 8750
_STATIC: Final = Path(__file__).parent / "static"
_MAX_REQUEST: Final = 64 * 1024 * 1024
_MAX_PORTS_TRIED: Final = 20
_HUES: Final = (210, 0, 140, 35, 280, 180, 320)


class Playground:
    """A running playground: `async with Playground() as playground: playground.api`."""

    def __init__(
        self,
        port: int = 0,
        *,
        clock: Clock | None = None,
        token: str | None = None,
        rate_limited: bool = True,
        guilds: int = 1,
        shards: int = 1,
        concurrency: int = 1,
        bot_name: str = "Bot",
        signs: Path | None = None,
    ) -> None:
        """Bind the port; 0 takes any free one. `rate_limited` enforces Discord's rate limits.

        `clock` is for tests. `token` is the bot's; None: a random one. The world has `guilds` guilds; `/gateway/bot`
        recommends `shards` shards, of which `concurrency` may start at a time. `signs` is a folder of pictures for the
        first screen, each named after the command that it stands beside (`chess.png`).
        """
        self._signs = signs
        self._socket = _bind_port(port)
        base = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self.simulation = Simulation(
            base,
            clock=clock,
            token=token,
            rate_limited=rate_limited,
            guilds=guilds,
            shards=shards,
            concurrency=concurrency,
            bot_name=bot_name,
        )
        self._process_sockets: list[socket.socket] = []
        self.page = PageApi(self.simulation)
        self._discord = DiscordApi(self.simulation)
        self._runner = web.AppRunner(self._make_app(), access_log=None, shutdown_timeout=1.0)

    @property
    def base_url(self) -> str:
        """The page's address, without a slash at the end."""
        return self.simulation.base

    @property
    def api_url(self) -> str:
        """The REST root for the bot."""
        return f"{self.base_url}/api/v10"

    @property
    def gateway_url(self) -> str:
        """The gateway's address."""
        return f"{self.base_url.replace('http', 'ws', 1)}/gateway"

    async def open_process_api(self, process: str) -> str:
        """Open another REST root for one of several processes; its requests are logged under that name."""
        door = _bind_port(0)
        self._process_sockets.append(door)
        port = door.getsockname()[1]
        self.simulation.process_by_port[port] = process
        await web.SockSite(self._runner, door).start()
        return f"http://{HOST}:{port}/api/v10"

    async def start(self) -> None:
        """Start serving."""
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()

    async def stop(self) -> None:
        """Close all connections and free the port."""
        self._discord.close()
        self.page.close()
        await self._runner.cleanup()
        for each in (self._socket, *self._process_sockets):
            each.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    def _make_app(self) -> web.Application:
        app = web.Application(client_max_size=_MAX_REQUEST, middlewares=[reject_foreign_requests])
        app.add_routes(self._discord.routes())
        app.add_routes(self.page.routes())
        app.add_routes([web.get("/", _serve_index), web.get("/avatars/{user}.svg", self._serve_avatar)])
        app.add_routes([web.get("/signs/{command:[a-z-]+}", self._serve_sign)])
        app.add_routes([web.get("/emojis/{emoji}.png", self._serve_emoji)])
        app.on_response_prepare.append(self._add_date)
        if _STATIC.is_dir():
            app.router.add_static("/static/", _STATIC)
            app.on_response_prepare.append(_disable_caching)
        return app

    async def _add_date(self, request: web.Request, response: web.StreamResponse) -> None:
        """Tell the time in a response, as Discord does."""
        response.headers["Date"] = formatdate(self.simulation.tell_time(), usegmt=True)

    async def _serve_emoji(self, request: web.Request) -> web.Response:
        number = ids.parse_snowflake(request.match_info["emoji"])
        emoji = None if number is None else self.simulation.emoji.by_id.get(number)
        if emoji is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=86400, immutable", "X-Content-Type-Options": "nosniff"}
        return web.Response(body=emoji.image, content_type=emoji.content_type, headers=headers)

    async def _serve_sign(self, request: web.Request) -> web.StreamResponse:
        """Serve the picture of a command, or our own for a bot without pictures."""
        sign = self._signs and self._signs / f"{request.match_info['command']}.png"
        file = sign if sign and sign.is_file() else _STATIC / "icon.svg"
        return web.FileResponse(file, headers={"Cache-Control": "no-cache"})

    async def _serve_avatar(self, request: web.Request) -> web.Response:
        number = ids.parse_snowflake(request.match_info["user"])
        user = None if number is None else self.simulation.world.users.get(number)
        if user is None:
            raise web.HTTPNotFound
        return web.Response(text=_portrait_svg(user.name, user.id), content_type="image/svg+xml")


async def _disable_caching(request: web.Request, response: web.StreamResponse) -> None:
    """Make browsers revalidate the page, so that none uses an old one after an upgrade."""
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"


async def _serve_index(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(_STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _portrait_svg(name: str, user_id: int) -> str:
    hue = _HUES[user_id % len(_HUES)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">'
        f'<rect width="64" height="64" fill="hsl({hue} 45% 42%)"/>'
        '<text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="600" fill="#fff"'
        f' text-anchor="middle">{escape(name[0])}</text></svg>'
    )


def _bind_port(port: int) -> socket.socket:
    """Return a listening socket on that port, or on the next free one."""
    for candidate in range(port, port + _MAX_PORTS_TRIED if port else 1):
        try:
            return socket.create_server((HOST, candidate), backlog=256)
        except OSError:
            continue
    raise OSError(f"No free port from {port} to {port + _MAX_PORTS_TRIED - 1}")
