"""REST handlers for responses to interactions, and for messages under an interaction's token."""

from __future__ import annotations

from typing import Any, Final

from playground.limits.components import GALLERY
from playground.rest.request import NO_CONTENT, ApiCall, ApiResponse
from playground.simulation.interactions import CallbackKind, Interaction, InteractionKind
from playground.world import ids
from playground.world.errors import ApiRefusal, DiscordError, refuse_unless
from playground.world.messages import walk_components
from playground.world.world import EPHEMERAL, LOADING, Json, Message

_ALLOWED_CALLBACKS: Final = {
    InteractionKind.COMMAND: {CallbackKind.MESSAGE, CallbackKind.DEFERRED_MESSAGE, CallbackKind.MODAL},
    InteractionKind.COMPONENT: set(CallbackKind) - {CallbackKind.CHOICES},
    InteractionKind.AUTOCOMPLETE: {CallbackKind.CHOICES},
    InteractionKind.MODAL_SUBMIT: {
        CallbackKind.MESSAGE,
        CallbackKind.DEFERRED_MESSAGE,
        CallbackKind.DEFERRED_UPDATE,
        CallbackKind.UPDATE,
    },
}


async def create_response(call: ApiCall) -> ApiResponse:
    """POST /interactions/{interaction}/{token}/callback."""
    interaction = call.simulation.interactions.pending_interaction(
        call.snowflake("interaction"), call.path_arguments["token"]
    )
    refuse_unless(isinstance(call.payload, dict), DiscordError.INVALID_JSON)
    callback = _parse_callback(interaction, call.payload.get("type"))
    before = interaction.source.full_data if callback is CallbackKind.UPDATE and interaction.source else None
    body: Json = call.checked_body(before).get("data") or {}
    _apply_callback(call, interaction, callback, body)
    call.simulation.interactions.mark_answered(interaction, callback)
    if call.query.get("with_response") not in ("1", "true"):
        return NO_CONTENT
    return ApiResponse(_response_object(interaction, callback))


async def get_original(call: ApiCall) -> ApiResponse:
    """GET /webhooks/{application}/{token}/messages/@original."""
    return ApiResponse(_original_message(call, _interaction_by_token(call)).data)


async def edit_original(call: ApiCall) -> ApiResponse:
    """PATCH /webhooks/{application}/{token}/messages/@original."""
    interaction = _interaction_by_token(call)
    message = _edit_message(call, _original_message(call, interaction))
    interaction.is_thinking = False
    return ApiResponse(message.data)


async def delete_original(call: ApiCall) -> ApiResponse:
    """DELETE /webhooks/{application}/{token}/messages/@original."""
    call.world.remove_message(_original_message(call, _interaction_by_token(call)))
    return NO_CONTENT


async def create_follow_up(call: ApiCall) -> ApiResponse:
    """POST /webhooks/{application}/{token}: after a deferral the first one fills the waiting message."""
    interaction = _interaction_by_token(call)
    original = interaction.original
    if interaction.is_thinking and original is not None and _still_exists(call, original):
        body = call.checked_body()
        _refuse_new_pictures(body)
        interaction.is_thinking = False
        return ApiResponse(_rewrite_message(call, original, body).data)
    return ApiResponse(_post_message(call, interaction, call.checked_body()).data)


async def get_follow_up(call: ApiCall) -> ApiResponse:
    """GET /webhooks/{application}/{token}/messages/{message}."""
    return ApiResponse(_follow_up_message(call, _interaction_by_token(call)).data)


async def edit_follow_up(call: ApiCall) -> ApiResponse:
    """PATCH /webhooks/{application}/{token}/messages/{message}."""
    return ApiResponse(_edit_message(call, _follow_up_message(call, _interaction_by_token(call))).data)


async def delete_follow_up(call: ApiCall) -> ApiResponse:
    """DELETE /webhooks/{application}/{token}/messages/{message}."""
    call.world.remove_message(_follow_up_message(call, _interaction_by_token(call)))
    return NO_CONTENT


def has_new_pictures(body: Json) -> bool:
    """Return whether a gallery shows new files; a follow-up that fills the waiting message cannot bring them."""
    galleries = (
        component for component in walk_components(body.get("components") or []) if component["type"] == GALLERY
    )
    return any(item["media"]["url"].startswith("attachment://") for gallery in galleries for item in gallery["items"])


def _refuse_new_pictures(body: Json) -> None:
    if has_new_pictures(body):
        text = "The referenced attachment was not found in attachments"
        found = [{"code": "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "message": text}]
        raise ApiRefusal(DiscordError.INVALID_FORM, tree={"components": {"_errors": found}})


def _parse_callback(interaction: Interaction, kind: Any) -> CallbackKind:
    allowed = _ALLOWED_CALLBACKS[interaction.kind]
    if interaction.source is None:
        allowed = allowed - {CallbackKind.UPDATE, CallbackKind.DEFERRED_UPDATE}
    if kind not in allowed:
        text = f"Value must be one of {{{', '.join(str(int(one)) for one in sorted(allowed))}}}."
        tree = {"type": {"_errors": [{"code": "BASE_TYPE_CHOICES", "message": text}]}}
        raise ApiRefusal(DiscordError.INVALID_FORM, tree=tree)
    return CallbackKind(kind)


def _apply_callback(call: ApiCall, interaction: Interaction, callback: CallbackKind, body: Json) -> None:
    match callback:
        case CallbackKind.MESSAGE:
            interaction.original = _post_message(call, interaction, body)
        case CallbackKind.DEFERRED_MESSAGE:
            flags = body.get("flags") or 0
            refuse_unless(isinstance(flags, int), DiscordError.INVALID_FORM)
            waiting = {"flags": flags & EPHEMERAL | LOADING}  # all other flags are dropped
            interaction.original = _post_message(call, interaction, waiting)
            interaction.is_thinking = True
        case CallbackKind.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case CallbackKind.UPDATE:
            assert interaction.source is not None
            refuse_unless(_still_exists(call, interaction.source), DiscordError.UNKNOWN_MESSAGE)
            interaction.original = _rewrite_message(call, interaction.source, body)
        case CallbackKind.CHOICES:
            interaction.choices = list(body.get("choices") or [])
        case CallbackKind.MODAL:
            interaction.modal = body


def _response_object(interaction: Interaction, callback: CallbackKind) -> Json:
    body: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    if interaction.original is not None:
        flags = interaction.original.data["flags"]
        body |= {
            "response_message_id": str(interaction.original.id),
            "response_message_loading": bool(flags & LOADING),
            "response_message_ephemeral": bool(flags & EPHEMERAL),
        }
    if interaction.original is None or callback not in (CallbackKind.MESSAGE, CallbackKind.UPDATE):
        return {"interaction": body}
    return {"interaction": body, "resource": {"type": int(callback), "message": interaction.original.data}}


def _post_message(call: ApiCall, interaction: Interaction, body: Json) -> Message:
    extra: Json = {
        "webhook_id": str(ids.APPLICATION),
        "application_id": str(ids.APPLICATION),
        "interaction_metadata": interaction.metadata,
    }
    if interaction.original is not None:
        extra |= _reply_fields(interaction.original)
    elif interaction.kind is InteractionKind.COMMAND:
        user = interaction.metadata["user"]
        extra["interaction"] = {"id": str(interaction.id), "type": 2, "name": interaction.command, "user": user}
        extra["type"] = 20
    elif interaction.source is not None:
        extra |= _reply_fields(interaction.source)
    channel = call.world.channel(interaction.channel_id)
    hidden = int(body.get("flags") or 0) & EPHEMERAL
    if not hidden:
        call.refuse_locked(channel)
    return call.simulation.message_builder.post_message(
        channel,
        ids.BOT,
        body,
        call.uploads,
        visible_to=interaction.person_id if hidden else None,
        extra=extra,
    )


def _reply_fields(message: Message) -> Json:
    reference = {"type": 0, "channel_id": str(message.channel_id), "message_id": str(message.id)}
    return {"type": 19, "message_reference": reference}


def _edit_message(call: ApiCall, message: Message) -> Message:
    return _rewrite_message(call, message, call.checked_body(message.full_data))


def _rewrite_message(call: ApiCall, message: Message, body: Json) -> Message:
    """Change a message; a public message in a locked thread cannot be changed."""
    if message.visible_to is None:
        call.refuse_locked(call.world.channel(message.channel_id))
    return call.simulation.message_builder.edit_message(message, body, call.uploads)


def _interaction_by_token(call: ApiCall) -> Interaction:
    refuse_unless(call.snowflake("application") == ids.APPLICATION, DiscordError.UNKNOWN_WEBHOOK)
    return call.simulation.interactions.interaction_by_token(call.path_arguments["token"])


def _original_message(call: ApiCall, interaction: Interaction) -> Message:
    message = interaction.original
    if message is None or not _still_exists(call, message):
        raise ApiRefusal(DiscordError.UNKNOWN_MESSAGE)
    return message


def _follow_up_message(call: ApiCall, interaction: Interaction) -> Message:
    """Return a message under this token: one of its answers, or the message it came from."""
    message = call.world.message(interaction.channel_id, call.snowflake("message"))
    own = message.data.get("interaction_metadata", {}).get("id") == str(interaction.id)
    refuse_unless(own or message.id == interaction.original_id, DiscordError.UNKNOWN_MESSAGE)
    return message


def _still_exists(call: ApiCall, message: Message) -> bool:
    return call.world.messages.get(message.channel_id, {}).get(message.id) is message
