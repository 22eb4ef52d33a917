"""For every limit, a request that breaks it and no other."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Final

from playground.simulation.interactions import InteractionKind
from playground.world.world import COMPONENTS_V2, Json
from tests.playground.discord_rest import COMMANDS_PATH, EMOJI_PATH, GAMES_PATH, MESSAGES_PATH
from tests.playground.jester_bot import PIXEL_PNG

MIB: Final = 1024 * 1024


@dataclass(frozen=True)
class LimitExample:
    """A request; a callback if `answers` names the kind of interaction; an edit if `first` is sent before."""

    method: str
    path: str
    payload: Any = None
    query: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, int], ...] = ()
    interaction_kind: InteractionKind | None = None
    sent_first: Json | None = None


def message_example(files: tuple[tuple[str, int], ...] = (), **body: Any) -> LimitExample:
    return LimitExample("POST", MESSAGES_PATH, body, files=files)


def emoji_example(**body: Any) -> LimitExample:
    image = f"data:image/png;base64,{base64.b64encode(PIXEL_PNG).decode()}"
    return LimitExample("POST", EMOJI_PATH, {"name": "club", "image": image} | body)


def embed_example(*embeds: Json) -> LimitExample:
    return message_example(embeds=list(embeds))


def v2_example(*components: Json, files: tuple[tuple[str, int], ...] = (), **body: Any) -> LimitExample:
    return message_example(files, flags=COMPONENTS_V2, components=list(components), **body)


def action_row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def row_example(*components: Json) -> LimitExample:
    return message_example(content="x", components=[action_row(*components)])


def button(custom_id: str = "b", **more: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": custom_id, **more}


def link_button(**more: Any) -> Json:
    return {"type": 2, "style": 5, "label": "Go", **more}


def select_option(number: int, **more: Any) -> Json:
    return {"label": f"Option {number}", "value": str(number), **more}


def string_select(options: int | list[Json] = 2, **more: Any) -> Json:
    listed = [select_option(n) for n in range(options)] if isinstance(options, int) else options
    return {"type": 3, "custom_id": "s", "options": listed, **more}


def channel_select(*chosen: int, kind: str = "channel", **more: Any) -> Json:
    values = [{"id": str(one), "type": kind} for one in chosen]
    return {"type": 8, "custom_id": "s", "default_values": values, "max_values": 25, **more}


def text_display(content: str = "Words") -> Json:
    return {"type": 10, "content": content}


def media_gallery(*items: Json) -> Json:
    return {"type": 12, "items": list(items)}


def gallery_item(url: str = "https://example.com/a.png", **more: Any) -> Json:
    return {"media": {"url": url}, **more}


def modal_example(*components: Json, **more: Any) -> LimitExample:
    data = {"title": "Form", "custom_id": "f", "components": list(components), **more}
    return LimitExample("POST", "", {"type": 9, "data": data}, interaction_kind=InteractionKind.COMMAND)


def label_component(component: Json | None = None, **more: Any) -> Json:
    return {"type": 18, "label": "Say", "component": component or text_input(), **more}


def text_input(**more: Any) -> Json:
    return {"type": 4, "style": 1, "custom_id": "t", **more}


def choices_example(*offered: Json) -> LimitExample:
    data = {"type": 8, "data": {"choices": list(offered)}}
    return LimitExample("POST", "", data, interaction_kind=InteractionKind.AUTOCOMPLETE)


def chat_command(name: str = "play", **more: Any) -> Json:
    return {"type": 1, "name": name, "description": "Plays", **more}


def commands_example(*registered: Json) -> LimitExample:
    return LimitExample("PUT", COMMANDS_PATH, list(registered))


def command_option(name: str = "card", kind: int = 3, **more: Any) -> Json:
    return {"type": kind, "name": name, "description": "Which", **more}


def options_example(*options: Json) -> LimitExample:
    return commands_example(chat_command(options=list(options)))


def subcommand(*options: Json, kind: int = 1, name: str = "sub") -> Json:
    return command_option(name, kind, options=list(options))


def thread_example(**body: Any) -> LimitExample:
    return LimitExample("POST", f"{GAMES_PATH}/threads", {"type": 11, **body})


def many_options(count: int, **more: Any) -> list[Json]:
    return [command_option(f"o{n}", **more) for n in range(count)]


BREAKING_EXAMPLES: Final[dict[str, LimitExample]] = {
    "request.size": message_example((("a", 9 * MIB), ("b", 9 * MIB), ("c", 9 * MIB)), content="x"),
    "file.size": message_example((("a", 10 * MIB + 1),), content="x"),
    "list.limit": LimitExample("GET", MESSAGES_PATH, query=(("limit", "101"),)),
    "message.empty": message_example(content=""),
    "message.content": message_example(content="x" * 2001),
    "message.nonce": message_example(content="x", nonce="n" * 26),
    "message.flags": message_example(content="x", flags=1 << 3),
    "message.mentions": message_example(content="x", allowed_mentions={"parse": ["users"], "users": ["1"]}),
    "message.v2.alone": v2_example(text_display(), content="x"),
    "message.v2.announced": message_example(content="x", components=[text_display()]),
    "message.v2.kept": LimitExample(
        "PATCH", "", {"flags": 0}, sent_first={"flags": COMPONENTS_V2, "components": [text_display()]}
    ),
    "embed.count": embed_example(*[{"title": "x"}] * 11),
    "embed.total": embed_example({"description": "x" * 4000}, {"description": "x" * 2001}),
    "embed.empty": embed_example({"color": 1}),
    "embed.lengths": embed_example({"title": "x" * 257}),
    "embed.fields": embed_example({"fields": [{"name": "n", "value": "v"}] * 26}),
    "embed.field": embed_example({"fields": [{"name": "n", "value": ""}]}),
    "embed.url": embed_example({"title": "x", "url": "nowhere"}),
    "files.count": message_example(tuple((f"f{n}", 1) for n in range(11)), content="x"),
    "attachment.description": message_example(
        (("a.png", 1),), attachments=[{"id": 0, "filename": "a.png", "description": "x" * 1025}]
    ),
    "attachment.known": message_example(content="x", attachments=[{"id": 0, "filename": "a.png"}]),
    "component.nesting": v2_example({"type": 17, "components": [{"type": 17, "components": [text_display()]}]}),
    "components.rows": message_example(content="x", components=[action_row(button(f"b{n}")) for n in range(6)]),
    "components.total": v2_example(*[text_display() for _ in range(41)]),
    "components.text": v2_example(text_display("x" * 2001), text_display("x" * 2000)),
    "components.custom_id.unique": row_example(button("b"), button("b")),
    "components.id.unique": v2_example({**text_display(), "id": 7}, {**text_display(), "id": 7}),
    "row.width": row_example(*[button(f"b{n}") for n in range(6)]),
    "component.custom_id": row_example(button("b" * 101)),
    "button.style": row_example(button(style=9)),
    "button.label": row_example(button(label="x" * 81)),
    "button.blank": row_example(button(label=" ")),
    "button.url": row_example(link_button(url="nowhere")),
    "component.emoji": row_example(button(emoji={"name": "club"})),
    "select.options": row_example(string_select(26)),
    "select.option": row_example(string_select([select_option(1, description="x" * 101)])),
    "select.option.unique": row_example(string_select([select_option(1), select_option(1)])),
    "select.placeholder": row_example(string_select(placeholder="x" * 151)),
    "select.min": row_example(string_select(min_values=-1)),
    "select.max": row_example(string_select(min_values=0, max_values=0)),
    "select.range": row_example(string_select(2, min_values=3, max_values=3)),
    "select.defaults": row_example(string_select([select_option(1, default=True), select_option(2, default=True)])),
    "radio.options": modal_example(label_component({"type": 21, "custom_id": "g", "options": [select_option(1)]})),
    "checkbox.options": modal_example(label_component({"type": 22, "custom_id": "g", "options": [], "min_values": 0})),
    "text.content": v2_example(text_display("")),
    "section.texts": v2_example({"type": 9, "components": [text_display() for _ in range(4)], "accessory": button()}),
    "section.accessory": v2_example({"type": 9, "components": [text_display()]}),
    "gallery.items": v2_example(media_gallery(*[gallery_item() for _ in range(11)])),
    "media.url": v2_example(media_gallery(gallery_item("nowhere"))),
    "media.description": v2_example(media_gallery(gallery_item(description="x" * 1025))),
    "media.attached": v2_example(media_gallery(gallery_item("attachment://b.png")), files=(("a.png", 1),)),
    "media.listed": v2_example(media_gallery(gallery_item("attachment://a.png")), files=(("a.png", 1),)),
    "separator.spacing": v2_example(text_display(), {"type": 14, "spacing": 3}),
    "container.components": v2_example({"type": 17, "components": []}),
    "container.accent": v2_example({"type": 17, "components": [text_display()], "accent_color": 1 << 24}),
    "select.default_values": row_example(channel_select(7, kind="user")),
    "select.default_values.unique": row_example(channel_select(7, 7)),
    "select.default_values.least": row_example(channel_select(7, min_values=2)),
    "select.channel_types": row_example(channel_select(channel_types=[0, 6])),
    "modal.title": modal_example(label_component(), title="x" * 46),
    "modal.custom_id": modal_example(label_component(), custom_id=""),
    "modal.components": modal_example(*[label_component(text_input(custom_id=f"t{n}")) for n in range(6)]),
    "modal.custom_id.unique": modal_example(label_component(), label_component()),
    "label.label": modal_example(label_component(label="x" * 46)),
    "label.description": modal_example(label_component(description="x" * 101)),
    "label.component": modal_example({"type": 18, "label": "Say"}),
    "input.style": modal_example(label_component(text_input(style=3))),
    "input.min": modal_example(label_component(text_input(min_length=-1))),
    "input.max": modal_example(label_component(text_input(max_length=4001))),
    "input.range": modal_example(label_component(text_input(min_length=5, max_length=4))),
    "input.default": modal_example(label_component(text_input(max_length=4, value="12345"))),
    "input.placeholder": modal_example(label_component(text_input(placeholder="x" * 101))),
    "autocomplete.count": choices_example(*[{"name": str(n), "value": str(n)} for n in range(26)]),
    "autocomplete.name": choices_example({"name": "x" * 101, "value": "1"}),
    "autocomplete.value": choices_example({"name": "x", "value": "1" * 101}),
    "commands.count": commands_example(*[chat_command(f"c{n}") for n in range(101)]),
    "commands.unique": commands_example(chat_command(), chat_command()),
    "command.name": commands_example(chat_command("Play!")),
    "command.description": commands_example(chat_command(description="x" * 101)),
    "command.options": options_example(*many_options(26)),
    "command.options.unique": options_example(command_option("a"), command_option("a")),
    "command.options.order": options_example(command_option("a"), command_option("b", required=True)),
    "command.options.mixed": options_example(subcommand(), command_option("a")),
    "command.total": options_example(*many_options(25, choices=[{"name": "n" * 100, "value": "v" * 100}] * 2)),
    "command.contexts": commands_example(chat_command(contexts=[0, 3])),
    "command.installs": commands_example(chat_command(integration_types=[])),
    "option.declared": options_example({**subcommand(), "contexts": [0]}),
    "option.name": options_example(command_option("The card")),
    "option.description": options_example(command_option(description="")),
    "option.type": options_example(command_option(kind=12)),
    "option.nesting": options_example(subcommand(subcommand())),
    "option.options": options_example(subcommand(*many_options(26))),
    "option.options.unique": options_example(subcommand(command_option("a"), command_option("a"))),
    "option.options.order": options_example(subcommand(command_option("a"), command_option("b", required=True))),
    "option.choices": options_example(command_option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])),
    "option.choice": options_example(command_option(choices=[{"name": "x" * 101, "value": "1"}])),
    "option.autocomplete": options_example(command_option(autocomplete=True, choices=[{"name": "a", "value": "a"}])),
    "option.range": options_example(command_option(kind=4, min_value=3, max_value=2)),
    "thread.name": thread_example(name="x" * 101),
    "thread.archive": thread_example(name="x", auto_archive_duration=7),
    "thread.slowmode": thread_example(name="x", rate_limit_per_user=21601),
    "emoji.name.length": emoji_example(name="x" * 33),
    "emoji.name": emoji_example(name="king-of-clubs"),
    "emoji.image": emoji_example(image="data:image/png;base64,AAAA"),
}
