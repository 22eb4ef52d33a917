"""REST: the bot's answers to interactions, and the messages it handles by an interaction's token."""

from __future__ import annotations

from typing import Any, Final

from playground.limits.components import GALLERY
from playground.rest.request import EMPTY, Answer, Call
from playground.simulation.interactions import Callback, Interaction, Kind
from playground.world import ids
from playground.world.errors import DiscordError, Refusal, refuse_unless
from playground.world.messages import walk
from playground.world.world import EPHEMERAL, LOADING, Json, Message

_ALLOWED: Final = {
    Kind.COMMAND: {Callback.MESSAGE, Callback.DEFERRED_MESSAGE, Callback.MODAL},
    Kind.COMPONENT: set(Callback) - {Callback.CHOICES},
    Kind.AUTOCOMPLETE: {Callback.CHOICES},
    Kind.MODAL_SUBMIT: {
        Callback.MESSAGE,
        Callback.DEFERRED_MESSAGE,
        Callback.DEFERRED_UPDATE,
        Callback.UPDATE,
    },
}


async def respond(call: Call) -> Answer:
    """POST /interactions/{interaction}/{token}/callback."""
    interaction = call.house.interactions.answerable(call.id("interaction"), call.args["token"])
    refuse_unless(isinstance(call.payload, dict), DiscordError.INVALID_JSON)
    callback = _callback(interaction, call.payload.get("type"))
    before = interaction.source.whole if callback is Callback.UPDATE and interaction.source else None
    body: Json = call.body(before).get("data") or {}
    _carry_out(call, interaction, callback, body)
    call.house.interactions.answered(interaction, callback)
    if call.query.get("with_response") not in ("1", "true"):
        return EMPTY
    return Answer(_with_response(interaction, callback))


async def get_original(call: Call) -> Answer:
    """GET /webhooks/{application}/{token}/messages/@original."""
    return Answer(_original(call, _by_token(call)).data)


async def edit_original(call: Call) -> Answer:
    """PATCH /webhooks/{application}/{token}/messages/@original."""
    interaction = _by_token(call)
    message = _edit(call, _original(call, interaction))
    interaction.thinking = False
    return Answer(message.data)


async def delete_original(call: Call) -> Answer:
    """DELETE /webhooks/{application}/{token}/messages/@original."""
    call.world.remove_message(_original(call, _by_token(call)))
    return EMPTY


async def follow_up(call: Call) -> Answer:
    """POST /webhooks/{application}/{token}: after a deferral the first one fills the waiting message."""
    interaction = _by_token(call)
    original = interaction.original
    if interaction.thinking and original is not None and _is_there(call, original):
        body = call.body()
        _refuse_new_pictures(body)
        interaction.thinking = False
        return Answer(_rewrite(call, original, body).data)
    return Answer(_post(call, interaction, call.body()).data)


async def get_follow_up(call: Call) -> Answer:
    """GET /webhooks/{application}/{token}/messages/{message}."""
    return Answer(_follow_up(call, _by_token(call)).data)


async def edit_follow_up(call: Call) -> Answer:
    """PATCH /webhooks/{application}/{token}/messages/{message}."""
    return Answer(_edit(call, _follow_up(call, _by_token(call))).data)


async def delete_follow_up(call: Call) -> Answer:
    """DELETE /webhooks/{application}/{token}/messages/{message}."""
    call.world.remove_message(_follow_up(call, _by_token(call)))
    return EMPTY


def _refuse_new_pictures(body: Json) -> None:
    """A follow-up that fills the waiting message cannot bring a gallery's files; Discord finds them nowhere."""
    galleries = (component for component in walk(body.get("components") or []) if component["type"] == GALLERY)
    if any(item["media"]["url"].startswith("attachment://") for gallery in galleries for item in gallery["items"]):
        text = "The referenced attachment was not found in attachments"
        found = [{"code": "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", "message": text}]
        raise Refusal(DiscordError.INVALID_FORM, tree={"components": {"_errors": found}})


def _callback(interaction: Interaction, kind: Any) -> Callback:
    allowed = _ALLOWED[interaction.kind]
    if interaction.source is None:
        allowed = allowed - {Callback.UPDATE, Callback.DEFERRED_UPDATE}
    if kind not in allowed:
        text = f"Value must be one of {{{', '.join(str(int(one)) for one in sorted(allowed))}}}."
        tree = {"type": {"_errors": [{"code": "BASE_TYPE_CHOICES", "message": text}]}}
        raise Refusal(DiscordError.INVALID_FORM, tree=tree)
    return Callback(kind)


def _carry_out(call: Call, interaction: Interaction, callback: Callback, body: Json) -> None:
    match callback:
        case Callback.MESSAGE:
            interaction.original = _post(call, interaction, body)
        case Callback.DEFERRED_MESSAGE:
            flags = body.get("flags") or 0
            refuse_unless(isinstance(flags, int), DiscordError.INVALID_FORM)
            waiting = {"flags": flags & EPHEMERAL | LOADING}  # any other flag is dropped
            interaction.original = _post(call, interaction, waiting)
            interaction.thinking = True
        case Callback.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case Callback.UPDATE:
            assert interaction.source is not None
            refuse_unless(_is_there(call, interaction.source), DiscordError.UNKNOWN_MESSAGE)
            interaction.original = _rewrite(call, interaction.source, body)
        case Callback.CHOICES:
            interaction.choices = list(body.get("choices") or [])
        case Callback.MODAL:
            interaction.modal = body


def _with_response(interaction: Interaction, callback: Callback) -> Json:
    made: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    resource: Json = {"type": int(callback)}
    if interaction.original is not None:
        flags = interaction.original.data["flags"]
        made |= {
            "response_message_id": str(interaction.original.id),
            "response_message_loading": bool(flags & LOADING),
            "response_message_ephemeral": bool(flags & EPHEMERAL),
        }
        if callback in (Callback.MESSAGE, Callback.UPDATE, Callback.DEFERRED_MESSAGE):
            resource["message"] = interaction.original.data
    return {"interaction": made, "resource": resource}


def _post(call: Call, interaction: Interaction, body: Json) -> Message:
    extra: Json = {
        "webhook_id": str(ids.APPLICATION),
        "application_id": str(ids.APPLICATION),
        "interaction_metadata": interaction.metadata,
    }
    if interaction.original is not None:
        extra |= _reply_to(interaction.original)
    elif interaction.kind is Kind.COMMAND:
        extra["type"] = 20
    elif interaction.source is not None:
        extra |= _reply_to(interaction.source)
    channel = call.world.channel(interaction.channel_id)
    hidden = int(body.get("flags") or 0) & EPHEMERAL
    if not hidden:
        call.refuse_locked(channel)
    return call.house.scribe.post(
        channel,
        ids.BOT,
        body,
        call.uploads,
        visible_to=interaction.person_id if hidden else None,
        extra=extra,
    )


def _reply_to(message: Message) -> Json:
    reference = {"type": 0, "channel_id": str(message.channel_id), "message_id": str(message.id)}
    return {"type": 19, "message_reference": reference}


def _edit(call: Call, message: Message) -> Message:
    return _rewrite(call, message, call.body(message.whole))


def _rewrite(call: Call, message: Message, body: Json) -> Message:
    """Change a message; what everybody sees in a locked thread stays as it is."""
    if message.visible_to is None:
        call.refuse_locked(call.world.channel(message.channel_id))
    return call.house.scribe.edit(message, body, call.uploads)


def _by_token(call: Call) -> Interaction:
    refuse_unless(call.id("application") == ids.APPLICATION, DiscordError.UNKNOWN_WEBHOOK)
    return call.house.interactions.by_token(call.args["token"])


def _original(call: Call, interaction: Interaction) -> Message:
    message = interaction.original
    if message is None or not _is_there(call, message):
        raise Refusal(DiscordError.UNKNOWN_MESSAGE)
    return message


def _follow_up(call: Call, interaction: Interaction) -> Message:
    """A message of this token: its answers, or the message it came from."""
    message = call.world.message(interaction.channel_id, call.id("message"))
    own = message.data.get("interaction_metadata", {}).get("id") == str(interaction.id)
    refuse_unless(own or message.id == interaction.original_id, DiscordError.UNKNOWN_MESSAGE)
    return message


def _is_there(call: Call, message: Message) -> bool:
    return call.world.messages.get(message.channel_id, {}).get(message.id) is message
