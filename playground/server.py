"""The playground's server: Discord for the bot, the page for people, on loopback only."""

from __future__ import annotations

import socket
from html import escape
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from aiohttp import web

from playground.page.http_api import PageApi
from playground.page.local_only import only_local
from playground.rest.api_server import DiscordApi
from playground.simulation.simulation import House
from playground.world import ids
from playground.world.clock import Clock

HOST: Final = "127.0.0.1"
PORT: Final = 8750
_STATIC: Final = Path(__file__).parent / "static"
_MAX_REQUEST: Final = 64 * 1024 * 1024
_PORTS_TRIED: Final = 20
_HUES: Final = (210, 0, 140, 35, 280, 180, 320)


class Playground:
    """A running playground: `async with Playground() as playground: playground.api`."""

    def __init__(
        self,
        port: int = 0,
        *,
        clock: Clock | None = None,
        token: str | None = None,
        paced: bool = True,
        guilds: int = 1,
        shards: int = 1,
        concurrency: int = 1,
    ) -> None:
        """Binds at once. Port 0 takes any free one; `paced` keeps Discord's rate limits; `clock` is for tests.

        `token` is the bot's; None: one drawn now. There are so many `guilds`; `/gateway/bot` recommends so many
        `shards`, of which `concurrency` may begin at a time.
        """
        self._socket = _bind(port)
        base = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self.house = House(
            base, clock=clock, token=token, paced=paced, guilds=guilds, shards=shards, concurrency=concurrency
        )
        self._doors: list[socket.socket] = []
        self.page = PageApi(self.house)
        self._discord = DiscordApi(self.house)
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=1.0)

    @property
    def base(self) -> str:
        """The page's address, without a slash."""
        return self.house.base

    @property
    def api(self) -> str:
        """The REST root that the bot is pointed at."""
        return f"{self.base}/api/v10"

    async def door(self, process: str) -> str:
        """Another REST root, for one of several processes: all that comes in by it is logged under that name."""
        door = _bind(0)
        self._doors.append(door)
        port = door.getsockname()[1]
        self.house.doors[port] = process
        await web.SockSite(self._runner, door).start()
        return f"http://{HOST}:{port}/api/v10"

    async def start(self) -> None:
        """Serve."""
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()

    async def stop(self) -> None:
        """Hang up on everybody and free the port."""
        self._discord.close()
        self.page.close()
        await self._runner.cleanup()
        for each in (self._socket, *self._doors):
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

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=_MAX_REQUEST, middlewares=[only_local])
        app.add_routes(self._discord.routes())
        app.add_routes(self.page.routes())
        app.add_routes([web.get("/", _index), web.get("/avatars/{user}.svg", self._avatar)])
        if _STATIC.is_dir():
            app.router.add_static("/static/", _STATIC)
            app.on_response_prepare.append(_always_ask)
        return app

    async def _avatar(self, request: web.Request) -> web.Response:
        number = ids.number(request.match_info["user"])
        user = None if number is None else self.house.world.users.get(number)
        if user is None:
            raise web.HTTPNotFound
        return web.Response(text=_portrait(user.name, user.id), content_type="image/svg+xml")


async def _always_ask(request: web.Request, response: web.StreamResponse) -> None:
    """Have browsers ask whether the page has changed, so that none keeps an old one after an upgrade."""
    if request.path.startswith("/static/"):
        response.headers["Cache-Control"] = "no-cache"


async def _index(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(_STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _portrait(name: str, user_id: int) -> str:
    hue = _HUES[user_id % len(_HUES)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">'
        f'<rect width="64" height="64" fill="hsl({hue} 45% 42%)"/>'
        '<text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="600" fill="#fff"'
        f' text-anchor="middle">{escape(name[0])}</text></svg>'
    )


def _bind(port: int) -> socket.socket:
    """A listening socket on that port, or on the next free one."""
    for candidate in range(port, port + _PORTS_TRIED if port else 1):
        try:
            return socket.create_server((HOST, candidate), backlog=256)
        except OSError:
            continue
    raise OSError(f"No free port from {port} to {port + _PORTS_TRIED - 1}")
