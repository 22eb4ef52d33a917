"""For every limit a request that breaks it and no other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from playground.simulation.interactions import Kind
from playground.world.world import COMPONENTS_V2, Json
from tests.playground.discord_rest import COMMANDS, GAMES

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class Example:
    """A request; as a callback when `answers` names the kind of interaction; as an edit when `first` is sent before."""

    method: str
    path: str
    payload: Any = None
    query: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, int], ...] = ()
    answers: Kind | None = None
    first: Json | None = None


def message(files: tuple[tuple[str, int], ...] = (), **body: Any) -> Example:
    """A message being sent."""
    return Example("POST", f"{GAMES}/messages", body, files=files)


def embed(*embeds: Json) -> Example:
    """A message with embeds."""
    return message(embeds=list(embeds))


def v2(*components: Json, files: tuple[tuple[str, int], ...] = (), **body: Any) -> Example:
    """A Components V2 message."""
    return message(files, flags=COMPONENTS_V2, components=list(components), **body)


def row(*components: Json) -> Json:
    """An action row."""
    return {"type": 1, "components": list(components)}


def rows(*components: Json) -> Example:
    """A plain message with one row."""
    return message(content="x", components=[row(*components)])


def button(custom_id: str = "b", **more: Any) -> Json:
    """A button."""
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def link(**more: Any) -> Json:
    """A link button."""
    return {"type": 2, "style": 5, "label": "Go", **more}


def option(number: int, **more: Any) -> Json:
    """An option of a select."""
    return {"label": f"Option {number}", "value": str(number), **more}


def select(options: int | list[Json] = 2, **more: Any) -> Json:
    """A string select."""
    listed = [option(n) for n in range(options)] if isinstance(options, int) else options
    return {"type": 3, "custom_id": "s", "options": listed, **more}


def channels(*chosen: int, kind: str = "channel", **more: Any) -> Json:
    """A select of channels, some of them chosen at first."""
    values = [{"id": str(one), "type": kind} for one in chosen]
    return {"type": 8, "custom_id": "s", "default_values": values, "max_values": 25, **more}


def text(content: str = "Words") -> Json:
    """A text display."""
    return {"type": 10, "content": content}


def gallery(*items: Json) -> Json:
    """A media gallery."""
    return {"type": 12, "items": list(items)}


def picture(url: str = "https://example.com/a.png", **more: Any) -> Json:
    """A gallery's item."""
    return {"media": {"url": url}, **more}


def modal(*components: Json, **more: Any) -> Example:
    """A form shown in answer to a command."""
    data = {"title": "Form", "custom_id": "f", "components": list(components), **more}
    return Example("POST", "", {"type": 9, "data": data}, answers=Kind.COMMAND)


def label(component: Json | None = None, **more: Any) -> Json:
    """A label around a component."""
    return {"type": 18, "label": "Say", "component": component or text_input(), **more}


def text_input(**more: Any) -> Json:
    """A text input."""
    return {"type": 4, "style": 1, "custom_id": "t", **more}


def choices(*offered: Json) -> Example:
    """An answer to autocomplete."""
    return Example("POST", "", {"type": 8, "data": {"choices": list(offered)}}, answers=Kind.AUTOCOMPLETE)


def command(name: str = "play", **more: Any) -> Json:
    """A chat command."""
    return {"type": 1, "name": name, "description": "Plays", **more}


def commands(*registered: Json) -> Example:
    """Commands registered together."""
    return Example("PUT", COMMANDS, list(registered))


def arg(name: str = "card", kind: int = 3, **more: Any) -> Json:
    """An option of a command."""
    return {"type": kind, "name": name, "description": "Which", **more}


def with_options(*options: Json) -> Example:
    """A command with options."""
    return commands(command(options=list(options)))


def sub(*options: Json, kind: int = 1, name: str = "sub") -> Json:
    """A subcommand or group."""
    return arg(name, kind, options=list(options))


def thread(**body: Any) -> Example:
    """A thread being started."""
    return Example("POST", f"{GAMES}/threads", {"type": 11, **body})


def many(count: int, **more: Any) -> list[Json]:
    """Options of a command with different names."""
    return [arg(f"o{n}", **more) for n in range(count)]


FIELD: Final[Json] = {"name": "n", "value": "v"}

BREAKING: Final[dict[str, Example]] = {
    "request.size": message((("a", 9 * MIB), ("b", 9 * MIB), ("c", 9 * MIB)), content="x"),
    "file.size": message((("a", 10 * MIB + 1),), content="x"),
    "list.limit": Example("GET", f"{GAMES}/messages", query=(("limit", "101"),)),
    "message.empty": message(content=""),
    "message.content": message(content="x" * 2001),
    "message.nonce": message(content="x", nonce="n" * 26),
    "message.flags": message(content="x", flags=1 << 3),
    "message.mentions": message(content="x", allowed_mentions={"parse": ["users"], "users": ["1"]}),
    "message.v2.alone": v2(text(), content="x"),
    "message.v2.announced": message(content="x", components=[text()]),
    "message.v2.kept": Example("PATCH", "", {"flags": 0}, first={"flags": COMPONENTS_V2, "components": [text()]}),
    "embed.count": embed(*[{"title": "x"}] * 11),
    "embed.total": embed({"description": "x" * 4000}, {"description": "x" * 2001}),
    "embed.empty": embed({"color": 1}),
    "embed.lengths": embed({"title": "x" * 257}),
    "embed.fields": embed({"fields": [FIELD] * 26}),
    "embed.field": embed({"fields": [{"name": "n", "value": ""}]}),
    "embed.url": embed({"title": "x", "url": "nowhere"}),
    "files.count": message(tuple((f"f{n}", 1) for n in range(11)), content="x"),
    "attachment.description": message(
        (("a.png", 1),), attachments=[{"id": 0, "filename": "a.png", "description": "x" * 1025}]
    ),
    "attachment.known": message(content="x", attachments=[{"id": 0, "filename": "a.png"}]),
    "component.nesting": v2({"type": 17, "components": [{"type": 17, "components": [text()]}]}),
    "components.rows": message(content="x", components=[row(button(f"b{n}")) for n in range(6)]),
    "components.total": v2(*[text() for _ in range(41)]),
    "components.text": v2(text("x" * 2001), text("x" * 2000)),
    "components.custom_id.unique": rows(button("b"), button("b")),
    "components.id.unique": v2({**text(), "id": 7}, {**text(), "id": 7}),
    "row.width": rows(*[button(f"b{n}") for n in range(6)]),
    "component.custom_id": rows(button("b" * 101)),
    "button.style": rows(button(style=9)),
    "button.label": rows(button(label="x" * 81)),
    "button.blank": rows(button(label=" ")),
    "button.url": rows(link(url="nowhere")),
    "component.emoji": rows(button(emoji={"name": "club"})),
    "select.options": rows(select(26)),
    "select.option": rows(select([option(1, description="x" * 101)])),
    "select.option.unique": rows(select([option(1), option(1)])),
    "select.placeholder": rows(select(placeholder="x" * 151)),
    "select.min": rows(select(min_values=-1)),
    "select.max": rows(select(min_values=0, max_values=0)),
    "select.range": rows(select(2, min_values=3, max_values=3)),
    "select.defaults": rows(select([option(1, default=True), option(2, default=True)])),
    "radio.options": modal(label({"type": 21, "custom_id": "g", "options": [option(1)]})),
    "checkbox.options": modal(label({"type": 22, "custom_id": "g", "options": [], "min_values": 0})),
    "text.content": v2(text("")),
    "section.texts": v2({"type": 9, "components": [text() for _ in range(4)], "accessory": button()}),
    "section.accessory": v2({"type": 9, "components": [text()]}),
    "gallery.items": v2(gallery(*[picture() for _ in range(11)])),
    "media.url": v2(gallery(picture("nowhere"))),
    "media.description": v2(gallery(picture(description="x" * 1025))),
    "media.attached": v2(gallery(picture("attachment://b.png")), files=(("a.png", 1),)),
    "media.listed": v2(gallery(picture("attachment://a.png")), files=(("a.png", 1),)),
    "separator.spacing": v2(text(), {"type": 14, "spacing": 3}),
    "container.components": v2({"type": 17, "components": []}),
    "container.accent": v2({"type": 17, "components": [text()], "accent_color": 1 << 24}),
    "select.default_values": rows(channels(7, kind="user")),
    "select.default_values.unique": rows(channels(7, 7)),
    "select.default_values.least": rows(channels(7, min_values=2)),
    "select.channel_types": rows(channels(channel_types=[0, 6])),
    "modal.title": modal(label(), title="x" * 46),
    "modal.custom_id": modal(label(), custom_id=""),
    "modal.components": modal(*[label(text_input(custom_id=f"t{n}")) for n in range(6)]),
    "modal.custom_id.unique": modal(label(), label()),
    "label.label": modal(label(label="x" * 46)),
    "label.description": modal(label(description="x" * 101)),
    "label.component": modal({"type": 18, "label": "Say"}),
    "input.style": modal(label(text_input(style=3))),
    "input.min": modal(label(text_input(min_length=-1))),
    "input.max": modal(label(text_input(max_length=4001))),
    "input.range": modal(label(text_input(min_length=5, max_length=4))),
    "input.default": modal(label(text_input(max_length=4, value="12345"))),
    "input.placeholder": modal(label(text_input(placeholder="x" * 101))),
    "autocomplete.count": choices(*[{"name": str(n), "value": str(n)} for n in range(26)]),
    "autocomplete.name": choices({"name": "x" * 101, "value": "1"}),
    "autocomplete.value": choices({"name": "x", "value": "1" * 101}),
    "commands.count": commands(*[command(f"c{n}") for n in range(101)]),
    "commands.unique": commands(command(), command()),
    "command.name": commands(command("Play!")),
    "command.description": commands(command(description="x" * 101)),
    "command.options": with_options(*many(26)),
    "command.options.unique": with_options(arg("a"), arg("a")),
    "command.options.order": with_options(arg("a"), arg("b", required=True)),
    "command.options.mixed": with_options(sub(), arg("a")),
    "command.total": with_options(*many(25, choices=[{"name": "n" * 100, "value": "v" * 100}] * 2)),
    "command.contexts": commands(command(contexts=[0, 3])),
    "command.installs": commands(command(integration_types=[])),
    "option.declared": with_options({**sub(), "contexts": [0]}),
    "option.name": with_options(arg("The card")),
    "option.description": with_options(arg(description="")),
    "option.type": with_options(arg(kind=12)),
    "option.nesting": with_options(sub(sub())),
    "option.options": with_options(sub(*many(26))),
    "option.options.unique": with_options(sub(arg("a"), arg("a"))),
    "option.options.order": with_options(sub(arg("a"), arg("b", required=True))),
    "option.choices": with_options(arg(choices=[{"name": str(n), "value": str(n)} for n in range(26)])),
    "option.choice": with_options(arg(choices=[{"name": "x" * 101, "value": "1"}])),
    "option.autocomplete": with_options(arg(autocomplete=True, choices=[{"name": "a", "value": "a"}])),
    "option.range": with_options(arg(kind=4, min_value=3, max_value=2)),
    "thread.name": thread(name="x" * 101),
    "thread.archive": thread(name="x", auto_archive_duration=7),
    "thread.slowmode": thread(name="x", rate_limit_per_user=21601),
}
