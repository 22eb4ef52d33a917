"""The address of Discord's API, which the playground and tests replace."""

from __future__ import annotations


def use_api(api: str) -> None:
    """Connect discord.py to another server than Discord; `api` is the root of its REST API."""
    from discord.gateway import DiscordWebSocket
    from discord.http import Route
    from yarl import URL

    root = URL(api)
    Route.BASE = api.rstrip("/")
    socket = root.with_scheme("wss" if root.scheme == "https" else "ws").with_path("/gateway")
    DiscordWebSocket.DEFAULT_GATEWAY = socket
