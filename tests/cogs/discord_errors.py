"""Errors as discord.py raises them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord


def http_error(status: int, code: int = 0) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="Refused")
    return discord.HTTPException(response, {"code": code, "message": "Refused"})
