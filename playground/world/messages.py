"""Creates and edits messages from request bodies."""

from __future__ import annotations

import json
import mimetypes
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playground.world import payloads
from playground.world.clock import format_timestamp
from playground.world.world import COMPONENTS_V2, EPHEMERAL, LOADING, Channel, Json, Message, StoredFile, World

_MENTION_PATTERN: Final = re.compile(r"<@!?(\d+)>")
_PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ATTACHMENT_SCHEME: Final = "attachment://"
_SELECTS: Final = (3, 5, 6, 7, 8)
_THUMBNAIL: Final = 11
_GALLERY: Final = 12
_FILE_COMPONENT: Final = 13
_SEPARATOR: Final = 14
_CONTAINER: Final = 17
_WITH_SPOILER: Final = (_FILE_COMPONENT, _CONTAINER)
_PERSISTENT_FLAGS: Final = EPHEMERAL | LOADING | COMPONENTS_V2 | 1 << 5


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request, with its form field ("files[0]")."""

    field: str
    filename: str
    data: bytes


class MessageBuilder:
    """Writes messages into the world; files get addresses under `base`."""

    def __init__(self, world: World, base: str) -> None:
        self._world = world
        self.base = base

    def post_message(
        self,
        channel: Channel,
        author_id: int,
        body: Json,
        uploads: Sequence[Upload] = (),
        *,
        visible_to: int | None = None,
        extra: Json | None = None,
    ) -> Message:
        """Create a message from the body; `extra` is merged into Discord's object."""
        message_id = self._world.snowflakes.next_id("message", channel.id, visible_to)
        data = self._blank_message(channel, author_id, message_id)
        data["flags"] = int(body.get("flags") or 0) | data["flags"]
        if visible_to is not None:
            data["flags"] |= EPHEMERAL
        files = self._apply_body(channel, data, [], body, uploads)
        data |= extra or {}
        if body.get("nonce") is not None:
            data["nonce"] = body["nonce"]
        if body.get("message_reference"):
            self._set_reference(data, body["message_reference"], channel)
        message = Message(message_id, channel.id, author_id, data, visible_to, files)
        self._world.add_message(message)
        return message

    def edit_message(self, message: Message, body: Json, uploads: Sequence[Upload] = ()) -> Message:
        """Change what the body names and leave the rest."""
        replaced: Json = (
            {"components": []} if "components" in body else {}
        )  # edits of components are frequent, so do not copy the old ones
        data = _copy_json(message.data | replaced)
        loading = data["flags"] & LOADING
        data["flags"] = data["flags"] & ~LOADING
        if body.get("flags") is not None:
            data["flags"] = data["flags"] & _PERSISTENT_FLAGS | int(body["flags"]) & ~EPHEMERAL
        channel = self._world.channels[message.channel_id]
        files = self._apply_body(channel, data, _copy_json(message.files), body, uploads)
        if not loading:
            data["edited_timestamp"] = format_timestamp(self._world.clock.now())
        self._world.change_message(message, data, files)
        return message

    def _blank_message(self, channel: Channel, author_id: int, message_id: int) -> Json:
        return {
            "id": str(message_id),
            "channel_id": str(channel.id),
            "author": payloads.user_object(self._world.users[author_id]),
            "content": "",
            "timestamp": format_timestamp(self._world.clock.now()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "sticker_items": [],
            "pinned": False,
            "type": 0,
            "flags": 0,
        }

    def _apply_body(
        self, channel: Channel, data: Json, files: list[Json], body: Json, uploads: Sequence[Upload]
    ) -> list[Json]:
        """Write the body into the message's object.

        Return all its files; Discord lists only those that no component or embed shows.
        """
        files = self._apply_attachments(channel, files, body, uploads)
        if "content" in body:
            data["content"] = body["content"] or ""
        if "embeds" in body:
            data["embeds"] = [{"type": "rich", **embed} for embed in body["embeds"] or []]
        if "components" in body:
            data["components"] = _copy_json(body["components"] or [])
        by_name = {file["filename"]: file for file in files}
        _resolve_media(data["embeds"], by_name, of_component=False)
        _resolve_media(data["components"], by_name, of_component=True)
        _describe_files(data["components"], files)
        _stringify_default_ids(data["components"])
        _stringify_emoji_ids(data["components"])
        _number_components(data["components"])
        _add_defaults(data["components"])
        urls = {*shown_urls(data["embeds"]), *shown_urls(data["components"])}
        data["attachments"] = [file for file in files if file["url"] not in urls]
        if "content" in body or "components" in body:
            data["mentions"] = self._mentioned_users(data, body)
        return files

    def _apply_attachments(
        self, channel: Channel, files: list[Json], body: Json, uploads: Sequence[Upload]
    ) -> list[Json]:
        listed: list[Json] | None = body.get("attachments") if "attachments" in body else None
        described = {str(entry.get("id")): entry for entry in listed or []}
        if listed is not None:
            files = [_with_description(file, described[file["id"]]) for file in files if file["id"] in described]
        for upload in uploads:
            entry = described.get(upload.field.removeprefix("files[").removesuffix("]"), {})
            files = [*files, self._store_upload(channel, upload, entry)]
        return files

    def _store_upload(self, channel: Channel, upload: Upload, entry: Json) -> Json:
        name = str(entry.get("filename") or upload.filename)
        content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        attachment_id = self._world.store_file(channel.id, StoredFile(name, content_type, upload.data))
        url = f"{self.base}/attachments/{channel.id}/{attachment_id}/{name}"
        attachment: Json = {
            "id": str(attachment_id),
            "filename": name,
            "size": len(upload.data),
            "url": url,
            "proxy_url": url,
            "content_type": content_type,
        }
        if entry.get("description"):
            attachment["description"] = entry["description"]
        return attachment | png_size(upload.data)

    def _mentioned_users(self, data: Json, body: Json) -> list[Json]:
        texts = [data["content"], *(c["content"] for c in walk_components(data["components"]) if c.get("type") == 10)]
        named = dict.fromkeys(int(found) for text in texts for found in _MENTION_PATTERN.findall(text))
        allowed = body.get("allowed_mentions")
        return [
            payloads.user_object(self._world.users[user_id])
            for user_id in named
            if user_id in self._world.users and _may_mention(user_id, allowed)
        ]

    def _set_reference(self, data: Json, reference: Json, channel: Channel) -> None:
        fields = {name: value for name, value in reference.items() if name != "fail_if_not_exists"}
        data["message_reference"] = {"channel_id": str(channel.id), "type": 0, **fields}
        data["type"] = 19
        referred = self._world.messages[channel.id].get(int(reference.get("message_id", 0)))
        is_seen = referred is not None and referred.visible_to is None
        data["referenced_message"] = referred.data if referred and is_seen else None


def walk_components(components: Any) -> Iterator[Json]:
    """Yield every component of a message or modal, outer ones before inner ones."""
    for component in components:
        yield component
        yield from walk_components(component.get("components") or [])
        for inner in (component.get("accessory"), component.get("component")):
            if inner is not None:
                yield from walk_components([inner])


def _copy_json(value: Any) -> Any:
    """Copy what is JSON, several times as fast as deepcopy."""
    return json.loads(json.dumps(value))


def png_size(data: bytes) -> dict[str, int]:
    """Return width and height of a PNG; {} for other files."""
    if not data.startswith(_PNG_SIGNATURE) or len(data) < 24:
        return {}
    width, height = struct.unpack(">II", data[16:24])
    return {"width": width, "height": height}


def _may_mention(user_id: int, allowed: Json | None) -> bool:
    if allowed is None:
        return True
    return "users" in (allowed.get("parse") or []) or str(user_id) in map(str, allowed.get("users") or [])


def _with_description(attachment: Json, entry: Json) -> Json:
    return attachment | {"description": entry["description"]} if entry.get("description") else attachment


def _resolve_media(node: Any, by_name: dict[str, Json], *, of_component: bool) -> None:
    """Turn attachment:// references into addresses at any depth."""
    if isinstance(node, list):
        for inner in node:
            _resolve_media(inner, by_name, of_component=of_component)
    elif isinstance(node, dict):
        url = node.get("url")
        if isinstance(url, str) and url.startswith(_ATTACHMENT_SCHEME):
            _set_media(node, by_name.get(url.removeprefix(_ATTACHMENT_SCHEME)), of_component=of_component)
        for inner in node.values():
            _resolve_media(inner, by_name, of_component=of_component)


def _set_media(media: Json, attachment: Json | None, *, of_component: bool) -> None:
    if attachment is None:
        return
    if of_component:
        media["id"] = media["attachment_id"] = attachment["id"]
    for key in ("url", "proxy_url", "width", "height", "content_type"):
        if key in attachment:
            media[key] = attachment[key]


def shown_urls(node: Any) -> Iterator[str]:
    """Yield the addresses of what embeds or components show."""
    if isinstance(node, list | dict):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from shown_urls(inner)
    if isinstance(node, dict) and "url" in node:
        yield str(node["url"])


def _describe_files(components: list[Json], files: list[Json]) -> None:
    """Add name and size to every file component."""
    by_id = {file["id"]: file for file in files}
    for component in walk_components(components):
        if component["type"] == _FILE_COMPONENT and (file := by_id.get(component["file"].get("attachment_id"))):
            component |= {"name": file["filename"], "size": file["size"]}


def _stringify_emoji_ids(components: list[Json]) -> None:
    """Write the ids of emoji as strings, as Discord does, whatever the bot sent."""
    for component in walk_components(components):
        for each in (component, *(component.get("options") or [])):
            if (each.get("emoji") or {}).get("id") is not None:
                each["emoji"]["id"] = str(each["emoji"]["id"])


def _stringify_default_ids(components: list[Json]) -> None:
    """Turn default values of selects into text, as Discord returns all ids."""
    for component in walk_components(components):
        for value in component.get("default_values") or ():
            value["id"] = str(value["id"])


def _add_defaults(components: list[Json]) -> None:
    """Add the fields that Discord returns even if the bot did not send them, and leave out those that are null."""
    for component in walk_components(components):
        kind = component["type"]
        for part in (component, component.get("emoji") or {}):
            for name in [name for name, value in part.items() if value is None]:
                del part[name]
        if kind in _SELECTS:
            component.pop("required", None)  # it counts in forms alone
            component |= {"min_values": component.get("min_values", 1), "max_values": component.get("max_values", 1)}
        for media in component["items"] if kind == _GALLERY else [component] if kind == _THUMBNAIL else ():
            media |= {"description": media.get("description"), "spoiler": bool(media.get("spoiler"))}
        if kind == _SEPARATOR:
            component |= {"divider": component.get("divider", True), "spacing": component.get("spacing", 1)}
        if kind == _CONTAINER:
            component["accent_color"] = component.get("accent_color")
        if kind in _WITH_SPOILER:
            component["spoiler"] = bool(component.get("spoiler"))


def _number_components(components: list[Json]) -> None:
    taken = {component.get("id") for component in walk_components(components)}
    number = 0
    for component in walk_components(components):
        if not component.get("id"):
            number += 1
            while number in taken:
                number += 1
            component["id"] = number
