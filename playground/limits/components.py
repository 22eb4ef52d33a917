"""Limits of components: nesting, counts, buttons, selects, and the texts and media of Components V2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Fault, Json, Limit, Part, Subject, Where
from playground.limits.checks import choice, count, is_int, length, number, number_or, of_type, text_of, unique
from playground.limits.emoji import is_emoji
from playground.limits.messages import is_v2
from playground.limits.parts import components_of, objects

ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
SELECTS: Final = (3, 5, 6, 7, 8)
SECTION: Final = 9
TEXT: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17
LABEL: Final = 18
UPLOAD: Final = 19
RADIO_GROUP: Final = 21
CHECKBOX_GROUP: Final = 22
GROUPS: Final = (RADIO_GROUP, CHECKBOX_GROUP)
CHECKBOX: Final = 23

_LINK: Final = 5
_PREMIUM: Final = 6
_IN_ROW: Final = {BUTTON, *SELECTS}
_IN_CONTAINER: Final = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR}
_AT_TOP: Final = _IN_CONTAINER | {CONTAINER}
_IN_LABEL: Final = {TEXT_INPUT, *SELECTS, UPLOAD, *GROUPS, CHECKBOX}
_IN_MODAL: Final = {ROW, LABEL, TEXT}
_WEB: Final = re.compile(r"(https?|discord)://[^\s/]+\S*")
_MEDIA: Final = re.compile(r"(https?://[^\s/]+\S*|attachment://\S+)")
_ATTACHED: Final = "attachment://"


def _allowed_here(part: Part) -> set[int]:
    """The component types that may stand where this one stands."""
    parent = part.parent
    if parent is None:
        return _IN_MODAL if part.in_modal else _AT_TOP
    step = part.where[-1]
    match parent.get("type"):
        case 1:
            return {TEXT_INPUT} if part.in_modal else _IN_ROW
        case 9:
            return {BUTTON, THUMBNAIL} if step == "accessory" else {TEXT}
        case 17:
            return _IN_CONTAINER
        case 18:
            return _IN_LABEL
    return set()


def _nesting(part: Part) -> Iterator[Fault]:
    allowed = _allowed_here(part)
    if part.body.get("type") not in tuple(allowed):
        listed = ", ".join(str(one) for one in sorted(allowed))
        yield Fault(("type",), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({listed}).')


def _row(part: Part) -> Iterator[Fault]:
    if part.body.get("type") != ROW or part.in_modal:
        return
    kinds = [child.get("type") for child in objects(part.body.get("components"))]
    menus = sum(kind in SELECTS for kind in kinds)
    if not 1 <= len(kinds) <= 5 or (menus and len(kinds) > 1):
        text = "An action row has 1 to 5 buttons or exactly 1 select menu."
        yield Fault(("components",), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", text)


def _rows(part: Part) -> Iterator[Fault]:
    if not is_v2(part) and len(objects(part.body.get("components"))) > 5:
        yield Fault(("components",), "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 5 in length.")


def _total(part: Part) -> Iterator[Fault]:
    total = sum(1 for _ in components_of(part))
    if is_v2(part) and total > 40:
        text = f"The total number of components is {total}, at most 40."
        yield Fault(("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", text)


def _total_text(part: Part) -> Iterator[Fault]:
    total = sum(len(text_of(inner.body, "content")) for inner in components_of(part) if of_type(TEXT)(inner))
    if total > 4000:
        text = f"The components have {total} characters of text, at most 4000."
        yield Fault(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text)


def field_of_all(field: str) -> Any:
    def values(part: Part) -> Iterator[tuple[Where, Any]]:
        for inner in components_of(part):
            value = inner.body.get(field)
            if value:
                yield (*inner.where[len(part.where) :], field), value

    return values


def _custom_id(part: Part) -> Iterator[Fault]:
    kind = part.body.get("type")
    interactive = kind in (*SELECTS, TEXT_INPUT, UPLOAD, *GROUPS, CHECKBOX)
    if interactive or (kind == BUTTON and part.body.get("style") not in (_LINK, _PREMIUM)):
        value = part.body.get("custom_id")
        if not isinstance(value, str) or not value:
            yield Fault(("custom_id",), "COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
        elif len(value) > 100:
            yield Fault(("custom_id",), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _blank_button(part: Part) -> Iterator[Fault]:
    blank = not text_of(part.body, "label").strip() and not part.body.get("emoji")
    if of_type(BUTTON)(part) and part.body.get("style") != _PREMIUM and blank:
        yield Fault((), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")


def _link(part: Part) -> Iterator[Fault]:
    if not of_type(BUTTON)(part):
        return
    url, linked = part.body.get("url"), part.body.get("style") == _LINK
    if linked and not (isinstance(url, str) and len(url) <= 512 and _WEB.fullmatch(url)):
        yield Fault(("url",), "URL_TYPE_INVALID_URL", f"Not a well formed URL: {url!r}")
    if linked and part.body.get("custom_id") is not None:
        text = "A custom id and url cannot both be specified"
        yield Fault(("custom_id",), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", text)
    if not linked and url is not None:
        yield Fault(("url",), "BUTTON_COMPONENT_INVALID_STYLE", "Only link buttons have a url")


def _emoji(part: Part) -> Iterator[Fault]:
    emoji = part.body.get("emoji")
    if emoji is not None and not is_emoji(emoji):
        yield Fault(("emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
    for index, option in enumerate(_options(part)):
        if option.get("emoji") is not None and not is_emoji(option["emoji"]):
            where = ("options", index, "emoji", "name")
            yield Fault(where, "SELECT_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def _options(part: Part) -> list[Json]:
    return objects(part.body.get("options"))


def _option_texts(part: Part) -> Iterator[Fault]:
    for index, option in enumerate(_options(part)):
        for field, low in (("label", 1), ("value", 1), ("description", 0)):
            text = option.get(field)
            if text is None and field != "description":
                yield Fault(("options", index, field), "BASE_TYPE_REQUIRED", "This field is required")
            elif text is not None and not (isinstance(text, str) and low <= len(text) <= 100):
                where = ("options", index, field)
                yield Fault(where, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and 100 in length.")


def _option_values(part: Part) -> Iterator[tuple[Where, Any]]:
    for index, option in enumerate(_options(part)):
        yield ("options", index, "value"), option.get("value")


def _select_range(part: Part) -> Iterator[Fault]:
    if part.body.get("type") not in (*SELECTS, UPLOAD, CHECKBOX_GROUP):
        return
    low, high = number_or(part.body, "min_values", 1), number_or(part.body, "max_values", 1)
    if "max_values" not in part.body and part.body.get("type") == CHECKBOX_GROUP:
        high = len(_options(part))
    if low > high:
        yield Fault(("min_values",), "SELECT_COMPONENT_MIN_VALUES_TOO_LARGE", "min_values is above max_values")
    if part.body.get("type") == STRING_SELECT and max(low, high) > len(_options(part)):
        text = f"There are only {len(_options(part))} options to choose from"
        yield Fault(("max_values",), "SELECT_COMPONENT_VALUES_ABOVE_OPTIONS", text)


def _select_defaults(part: Part) -> Iterator[Fault]:
    chosen = sum(bool(option.get("default")) for option in _options(part))
    chosen += len(objects(part.body.get("default_values")))
    high = len(_options(part)) if of_type(CHECKBOX_GROUP)(part) else 1
    if chosen > number_or(part.body, "max_values", high):
        text = f"{chosen} options are chosen by default, more than max_values"
        yield Fault(("options",), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", text)


def _accessory(part: Part) -> Iterator[Fault]:
    if of_type(SECTION)(part) and not isinstance(part.body.get("accessory"), dict):
        yield Fault(("accessory",), "BASE_TYPE_REQUIRED", "This field is required")


def _media(part: Part) -> Iterator[tuple[Where, Json]]:
    """Every media item of a component, with the object that describes it."""
    match part.body.get("type"):
        case 11:
            yield ("media",), part.body
        case 12:
            for index, item in enumerate(objects(part.body.get("items"))):
                yield ("items", index, "media"), item
        case 13:
            yield ("file",), part.body


def _url_of(where: Where, holder: Json) -> str:
    media = holder.get(str(where[-1]))
    return text_of(media, "url") if isinstance(media, dict) else ""


def _media_urls(part: Part) -> Iterator[Fault]:
    for where, holder in _media(part):
        url = _url_of(where, holder)
        good = _MEDIA.fullmatch(url) and (part.body["type"] != FILE or part.editing or url.startswith(_ATTACHED))
        if not good:
            yield Fault((*where, "url"), "URL_TYPE_INVALID_URL", f"Not a well formed URL: {url!r}")


def _media_alt(part: Part) -> Iterator[Fault]:
    for where, holder in _media(part):
        if len(text_of(holder, "description")) > 1024:
            spot = (*where[:-1], "description")
            yield Fault(spot, "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.")


def _media_attached(part: Part) -> Iterator[Fault]:
    known = _attached_names(part)
    if known is None:
        return
    for where, holder in _media(part):
        url = _url_of(where, holder)
        if url.startswith(_ATTACHED) and url.removeprefix(_ATTACHED) not in known:
            reason = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            yield Fault((*where, "url"), reason, "The referenced attachment was not found in attachments")


def _media_listed(part: Part) -> Iterator[Fault]:
    request = part.request
    listed = objects(_message_body(part).get("attachments"))
    numbers = {str(entry.get("id")) for entry in listed}
    left_out = {file.name for file in request.files if re.sub(r"\D", "", file.field) not in numbers}
    for where, holder in _media(part):
        if _url_of(where, holder).removeprefix(_ATTACHED) in left_out:
            reason = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            yield Fault((*where, "url"), reason, "The referenced attachment was not listed in attachments")


def _attached_names(part: Part) -> set[str] | None:
    """The files the message will have, by name; None when that cannot be told from the request."""
    request = part.request
    listed = _message_body(part).get("attachments")
    names = {file.name for file in request.files}
    if isinstance(listed, list):
        names |= {text_of(entry, "filename") for entry in objects(listed)}
    if not part.editing:
        return names
    if request.before is None:
        return names if isinstance(listed, list) and all("filename" in entry for entry in objects(listed)) else None
    kept = None if listed is None else {str(entry.get("id")) for entry in objects(listed)}
    return names | {a["filename"] for a in request.before["attachments"] if kept is None or a["id"] in kept}


def _message_body(part: Part) -> Json:
    payload = part.request.payload
    if not isinstance(payload, dict):
        return {}
    inner = payload.get("data") if part.where[:1] == ("data",) else payload
    return inner if isinstance(inner, dict) else {}


def _accent(part: Part) -> Iterator[Fault]:
    color = part.body.get("accent_color")
    if of_type(CONTAINER)(part) and color is not None and not (is_int(color) and 0 <= color <= 0xFFFFFF):
        yield Fault(("accent_color",), "NUMBER_TYPE_MAX", "int value should be between 0 and 16777215.")


_C: Final = Subject.COMPONENT
_M: Final = Subject.MESSAGE
_SAME_ID: Final = unique(
    field_of_all("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
)
_SAME_NUMBER: Final = unique(field_of_all("id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
_SAME_VALUE: Final = unique(
    _option_values, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
)

ROWS: Final = (
    Limit("component.nesting", "Only some component types may stand in each place", _C, _nesting),
    Limit("components.rows", "A message without V2 has at most 5 rows", _M, _rows),
    Limit("components.total", "A V2 message has at most 40 components, nested ones included", _M, _total),
    Limit("components.text", "A V2 message has at most 4000 characters of text", _M, _total_text),
    Limit("components.custom_id.unique", "No custom_id twice in a message", _M, _SAME_ID),
    Limit("components.id.unique", "No component id twice in a message", _M, _SAME_NUMBER),
    Limit("row.width", "An action row has 1 to 5 buttons or 1 select", _C, _row),
    Limit("component.custom_id", "A custom_id has 1 to 100 characters", _C, _custom_id),
    Limit(
        "button.style",
        "A button's style is 1 to 6",
        _C,
        choice("style", range(1, 7), when=of_type(BUTTON), required=True),
    ),
    Limit(
        "button.label", "A button's label has at most 80 characters", _C, length("label", 0, 80, when=of_type(BUTTON))
    ),
    Limit("button.blank", "A button has a label or an emoji", _C, _blank_button),
    Limit("button.url", "A link button, and no other, has a well formed address and no custom_id", _C, _link),
    Limit("component.emoji", "An emoji is a Unicode emoji or a custom one", _C, _emoji),
    Limit(
        "select.options",
        "A select has 1 to 25 options",
        _C,
        count("options", 1, 25, when=of_type(STRING_SELECT), required=True),
    ),
    Limit("select.option", "Label and value 1 to 100, description at most 100 characters", _C, _option_texts),
    Limit("select.option.unique", "No option value twice in a select", _C, _SAME_VALUE),
    Limit(
        "select.placeholder",
        "A placeholder has at most 150 characters",
        _C,
        length("placeholder", 0, 150, when=of_type(*SELECTS)),
    ),
    Limit("select.min", "min_values is 0 to 25", _C, number("min_values", 0, 25, when=of_type(*SELECTS))),
    Limit("select.max", "max_values is 1 to 25", _C, number("max_values", 1, 25, when=of_type(*SELECTS))),
    Limit("select.range", "min_values ≤ max_values ≤ number of options", _C, _select_range),
    Limit("select.defaults", "Not more defaults than max_values", _C, _select_defaults),
    Limit(
        "radio.options",
        "A radio group has 2 to 10 options",
        _C,
        count("options", 2, 10, when=of_type(RADIO_GROUP), required=True),
    ),
    Limit(
        "checkbox.options",
        "A checkbox group has 1 to 10 options",
        _C,
        count("options", 1, 10, when=of_type(CHECKBOX_GROUP), required=True),
    ),
    Limit(
        "text.content",
        "A text display has 1 to 4000 characters",
        _C,
        length("content", 1, 4000, when=of_type(TEXT), required=True),
    ),
    Limit(
        "section.texts",
        "A section has 1 to 3 texts",
        _C,
        count("components", 1, 3, when=of_type(SECTION), required=True),
    ),
    Limit("section.accessory", "A section has an accessory", _C, _accessory),
    Limit(
        "gallery.items",
        "A media gallery has 1 to 10 items",
        _C,
        count("items", 1, 10, when=of_type(GALLERY), required=True),
    ),
    Limit("media.url", "Media have a well formed address; a file's is attachment://", _C, _media_urls),
    Limit("media.description", "A medium's alt text has at most 1024 characters", _C, _media_alt),
    Limit("media.attached", "attachment:// names a file the message has", _C, _media_attached),
    Limit("media.listed", "A new file that a component shows is listed in attachments", _C, _media_listed),
    Limit(
        "separator.spacing", "A separator's spacing is 1 or 2", _C, choice("spacing", (1, 2), when=of_type(SEPARATOR))
    ),
    Limit(
        "container.components",
        "A container is not empty",
        _C,
        count("components", 1, 40, when=of_type(CONTAINER), required=True),
    ),
    Limit("container.accent", "An accent color is 0 to 0xFFFFFF", _C, _accent),
)
