"""REST handlers for the application's own emoji."""

from __future__ import annotations

from playground.limits.application_emoji import parse_image
from playground.rest.request import NO_CONTENT, ApiCall, ApiResponse
from playground.world import ids
from playground.world.application_emoji import ApplicationEmoji
from playground.world.errors import DiscordError, refuse_unless


async def list_emoji(call: ApiCall) -> ApiResponse:
    """GET /applications/{application}/emojis."""
    return ApiResponse({"items": [emoji.data() for emoji in _emoji(call).by_id.values()]})


async def get_emoji(call: ApiCall) -> ApiResponse:
    """GET /applications/{application}/emojis/{emoji}."""
    return ApiResponse(_emoji(call).get(call.snowflake("emoji")).data())


async def create_emoji(call: ApiCall) -> ApiResponse:
    """POST /applications/{application}/emojis."""
    emoji, body = _emoji(call), call.checked_body()
    image = parse_image(body["image"])
    assert image is not None, "the limits were checked"
    return ApiResponse(emoji.add(body["name"], image[1], image[0]).data(), 201)


async def rename_emoji(call: ApiCall) -> ApiResponse:
    """PATCH /applications/{application}/emojis/{emoji}."""
    emoji, body = _emoji(call), call.checked_body()
    known = emoji.get(call.snowflake("emoji"))
    return ApiResponse(emoji.rename(known.id, body.get("name", known.name)).data())


async def delete_emoji(call: ApiCall) -> ApiResponse:
    """DELETE /applications/{application}/emojis/{emoji}."""
    _emoji(call).remove(call.snowflake("emoji"))
    return NO_CONTENT


def _emoji(call: ApiCall) -> ApplicationEmoji:
    refuse_unless(call.snowflake("application") == ids.APPLICATION, DiscordError.MISSING_ACCESS)
    return call.simulation.emoji
