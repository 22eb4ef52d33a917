"""Limits of components: nesting, counts, buttons, selects, and the texts and media of Components V2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Json, Limit, LimitProblem, PayloadPath, RequestPart, Subject
from playground.limits.checks import (
    choice_check,
    count_check,
    int_or_default,
    is_int,
    length_check,
    range_check,
    text_or_empty,
    unique_check,
)
from playground.limits.emoji import is_emoji
from playground.limits.messages import is_v2
from playground.limits.parts import object_items

ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
SELECTS: Final = (3, 5, 6, 7, 8)
SECTION: Final = 9
TEXT_DISPLAY: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17
LABEL: Final = 18
FILE_UPLOAD: Final = 19
RADIO_GROUP: Final = 21
CHECKBOX_GROUP: Final = 22
GROUPS: Final = (RADIO_GROUP, CHECKBOX_GROUP)
CHECKBOX: Final = 23

_LINK: Final = 5
_PREMIUM: Final = 6
_INVALID_EMOJI: Final = "BUTTON_COMPONENT_INVALID_EMOJI"  # in lists, too (discord-api-docs#8071)
_IN_ROW: Final = {BUTTON, *SELECTS}
_IN_CONTAINER: Final = {ROW, SECTION, TEXT_DISPLAY, GALLERY, FILE, SEPARATOR}
_AT_TOP: Final = _IN_CONTAINER | {CONTAINER}
_IN_LABEL: Final = {TEXT_INPUT, *SELECTS, FILE_UPLOAD, *GROUPS, CHECKBOX}
_IN_MODAL: Final = {ROW, LABEL, TEXT_DISPLAY}
_WEB_URL: Final = re.compile(r"(https?|discord)://[^\s/]+\S*")
_MEDIA_URL: Final = re.compile(r"(https?://[^\s/]+\S*|attachment://\S+)")
_ATTACHMENT_SCHEME: Final = "attachment://"


def _allowed_types(part: RequestPart) -> set[int]:
    """Return the component types that are allowed in this place."""
    parent = part.parent
    if parent is None:
        return _IN_MODAL if part.is_in_modal else _AT_TOP
    step = part.path[-1]
    match parent.get("type"):
        case 1:
            return {TEXT_INPUT} if part.is_in_modal else _IN_ROW
        case 9:
            return {BUTTON, THUMBNAIL} if step == "accessory" else {TEXT_DISPLAY}
        case 17:
            return _IN_CONTAINER
        case 18:
            return _IN_LABEL
    return set()


def _check_nesting(part: RequestPart) -> Iterator[LimitProblem]:
    allowed = _allowed_types(part)
    if part.body.get("type") not in tuple(allowed):
        listed = ", ".join(str(one) for one in sorted(allowed))
        yield LimitProblem(("type",), "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({listed}).')


def _check_row(part: RequestPart) -> Iterator[LimitProblem]:
    if part.is_in_modal:
        return
    kinds = [child.get("type") for child in object_items(part.body.get("components"))]
    menus = sum(kind in SELECTS for kind in kinds)
    if not 1 <= len(kinds) <= 5 or (menus and len(kinds) > 1):
        text = "An action row has 1 to 5 buttons or exactly 1 select menu."
        yield LimitProblem(("components",), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", text)


def _check_row_count(part: RequestPart) -> Iterator[LimitProblem]:
    if not is_v2(part) and len(object_items(part.body.get("components"))) > 5:
        yield LimitProblem(("components",), "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 5 in length.")


def _check_total_count(part: RequestPart) -> Iterator[LimitProblem]:
    total = len(part.components)
    if is_v2(part) and total > 40:
        text = f"The total number of components is {total}, at most 40."
        yield LimitProblem(("components",), "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", text)


def _check_total_text(part: RequestPart) -> Iterator[LimitProblem]:
    total = sum(
        len(text_or_empty(inner.body, "content")) for inner in part.components if inner.body.get("type") == TEXT_DISPLAY
    )
    if total > 4000:
        text = f"The components have {total} characters of text, at most 4000."
        yield LimitProblem(("components",), "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text)


def all_component_fields(field: str) -> Any:
    def values(part: RequestPart) -> Iterator[tuple[PayloadPath, Any]]:
        for inner in part.components:
            value = inner.body.get(field)
            if value:
                yield (*inner.path[len(part.path) :], field), value

    return values


def _check_custom_id(part: RequestPart) -> Iterator[LimitProblem]:
    kind = part.body.get("type")
    interactive = kind in (*SELECTS, TEXT_INPUT, FILE_UPLOAD, *GROUPS, CHECKBOX)
    if interactive or (kind == BUTTON and part.body.get("style") not in (_LINK, _PREMIUM)):
        value = part.body.get("custom_id")
        if not isinstance(value, str) or not value:
            yield LimitProblem(("custom_id",), "COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
        elif len(value) > 100:
            yield LimitProblem(("custom_id",), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")


def _check_button_content(part: RequestPart) -> Iterator[LimitProblem]:
    blank = not text_or_empty(part.body, "label").strip() and not part.body.get("emoji")
    if part.body.get("style") != _PREMIUM and blank:
        yield LimitProblem((), "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button needs a label or an emoji")


def _check_link(part: RequestPart) -> Iterator[LimitProblem]:
    url, linked = part.body.get("url"), part.body.get("style") == _LINK
    if linked and not (isinstance(url, str) and len(url) <= 512 and _WEB_URL.fullmatch(url)):
        yield LimitProblem(("url",), "URL_TYPE_INVALID_URL", f"Not a well formed URL: {url!r}")
    if linked and part.body.get("custom_id") is not None:
        text = "A custom id and url cannot both be specified"
        yield LimitProblem(("custom_id",), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", text)
    if not linked and url is not None:
        yield LimitProblem(("url",), "BUTTON_COMPONENT_INVALID_STYLE", "Only link buttons have a url")


def _check_emoji(part: RequestPart) -> Iterator[LimitProblem]:
    bodies = [((), part.body), *((("options", index), each) for index, each in enumerate(_select_options(part)))]
    for path, body in bodies:
        emoji = body.get("emoji")
        if emoji is not None and not is_emoji(emoji):
            yield LimitProblem((*path, "emoji", "name"), _INVALID_EMOJI, "Invalid emoji")
        elif emoji and not _is_known(part, emoji):
            yield LimitProblem((*path, "emoji", "id"), _INVALID_EMOJI, "Invalid emoji")


def _is_known(part: RequestPart, emoji: Json) -> bool:
    known = part.request.known_emoji
    return emoji.get("id") is None or known is None or str(emoji["id"]) in known


def _select_options(part: RequestPart) -> list[Json]:
    return object_items(part.body.get("options"))


def _check_option_texts(part: RequestPart) -> Iterator[LimitProblem]:
    for index, option in enumerate(_select_options(part)):
        for field, low in (("label", 1), ("value", 1), ("description", 0)):
            text = option.get(field)
            if text is None and field != "description":
                yield LimitProblem(("options", index, field), "BASE_TYPE_REQUIRED", "This field is required")
            elif text is not None and not (isinstance(text, str) and low <= len(text) <= 100):
                path = ("options", index, field)
                yield LimitProblem(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and 100 in length.")


def _option_values(part: RequestPart) -> Iterator[tuple[PayloadPath, Any]]:
    for index, option in enumerate(_select_options(part)):
        yield ("options", index, "value"), option.get("value")


def _check_select_range(part: RequestPart) -> Iterator[LimitProblem]:
    low, high = int_or_default(part.body, "min_values", 1), int_or_default(part.body, "max_values", 1)
    if "max_values" not in part.body and part.body.get("type") == CHECKBOX_GROUP:
        high = len(_select_options(part))
    if low > high:
        yield LimitProblem(("min_values",), "SELECT_COMPONENT_MIN_VALUES_TOO_LARGE", "min_values is above max_values")
    if part.body.get("type") == STRING_SELECT and max(low, high) > len(_select_options(part)):
        text = f"There are only {len(_select_options(part))} options to choose from"
        yield LimitProblem(("max_values",), "SELECT_COMPONENT_VALUES_ABOVE_OPTIONS", text)


def _check_select_defaults(part: RequestPart) -> Iterator[LimitProblem]:
    chosen = sum(bool(option.get("default")) for option in _select_options(part))
    chosen += len(object_items(part.body.get("default_values")))
    high = len(_select_options(part)) if part.body.get("type") == CHECKBOX_GROUP else 1
    if chosen > int_or_default(part.body, "max_values", high):
        text = f"{chosen} options are chosen by default, more than max_values"
        yield LimitProblem(("options",), "SELECT_COMPONENT_TOO_MANY_DEFAULTS", text)


def _check_accessory(part: RequestPart) -> Iterator[LimitProblem]:
    if not isinstance(part.body.get("accessory"), dict):
        yield LimitProblem(("accessory",), "BASE_TYPE_REQUIRED", "This field is required")


def _media_items(part: RequestPart) -> Iterator[tuple[PayloadPath, Json]]:
    """Yield every media item of a component, with the object that describes it."""
    match part.body.get("type"):
        case 11:
            yield ("media",), part.body
        case 12:
            for index, item in enumerate(object_items(part.body.get("items"))):
                yield ("items", index, "media"), item
        case 13:
            yield ("file",), part.body


def _url_of(path: PayloadPath, holder: Json) -> str:
    media = holder.get(str(path[-1]))
    return text_or_empty(media, "url") if isinstance(media, dict) else ""


def _check_media_urls(part: RequestPart) -> Iterator[LimitProblem]:
    for path, holder in _media_items(part):
        url = _url_of(path, holder)
        good = _MEDIA_URL.fullmatch(url) and (
            part.body["type"] != FILE or part.is_edit or url.startswith(_ATTACHMENT_SCHEME)
        )
        if not good:
            yield LimitProblem((*path, "url"), "URL_TYPE_INVALID_URL", f"Not a well formed URL: {url!r}")


def _check_media_descriptions(part: RequestPart) -> Iterator[LimitProblem]:
    for path, holder in _media_items(part):
        if len(text_or_empty(holder, "description")) > 1024:
            spot = (*path[:-1], "description")
            yield LimitProblem(spot, "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.")


def _check_media_attached(part: RequestPart) -> Iterator[LimitProblem]:
    known = _attached_names(part)
    if known is None:
        return
    for path, holder in _media_items(part):
        url = _url_of(path, holder)
        if url.startswith(_ATTACHMENT_SCHEME) and url.removeprefix(_ATTACHMENT_SCHEME) not in known:
            reason = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            yield LimitProblem((*path, "url"), reason, "The referenced attachment was not found in attachments")


def _check_media_listed(part: RequestPart) -> Iterator[LimitProblem]:
    request = part.request
    listed = object_items(_message_body(part).get("attachments"))
    numbers = {str(entry.get("id")) for entry in listed}
    left_out = {file.name for file in request.files if re.sub(r"\D", "", file.field) not in numbers}
    for path, holder in _media_items(part):
        if _url_of(path, holder).removeprefix(_ATTACHMENT_SCHEME) in left_out:
            reason = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            yield LimitProblem((*path, "url"), reason, "The referenced attachment was not listed in attachments")


def _attached_names(part: RequestPart) -> set[str] | None:
    """Return the names of the message's files after this request; None if the request does not tell."""
    request = part.request
    listed = _message_body(part).get("attachments")
    names = {file.name for file in request.files}
    if isinstance(listed, list):
        names |= {text_or_empty(entry, "filename") for entry in object_items(listed)}
    if not part.is_edit:
        return names
    if request.edited_message is None:
        return (
            names if isinstance(listed, list) and all("filename" in entry for entry in object_items(listed)) else None
        )
    kept_ids = None if listed is None else {str(entry.get("id")) for entry in object_items(listed)}
    return names | {
        a["filename"] for a in request.edited_message["attachments"] if kept_ids is None or a["id"] in kept_ids
    }


def _message_body(part: RequestPart) -> Json:
    payload = part.request.payload
    if not isinstance(payload, dict):
        return {}
    inner = payload.get("data") if part.path[:1] == ("data",) else payload
    return inner if isinstance(inner, dict) else {}


def _check_accent_color(part: RequestPart) -> Iterator[LimitProblem]:
    color = part.body.get("accent_color")
    if color is not None and not (is_int(color) and 0 <= color <= 0xFFFFFF):
        yield LimitProblem(("accent_color",), "NUMBER_TYPE_MAX", "int value should be between 0 and 16777215.")


_C: Final = Subject.COMPONENT
_MEDIA: Final = (THUMBNAIL, GALLERY, FILE)
_M: Final = Subject.MESSAGE
_SAME_ID: Final = unique_check(
    all_component_fields("custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
)
_SAME_NUMBER: Final = unique_check(
    all_component_fields("id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
)
_SAME_VALUE: Final = unique_check(
    _option_values, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
)

ROWS: Final = (
    Limit("component.nesting", "Each place allows certain component types", _C, _check_nesting),
    Limit("components.rows", "A message without V2 has at most 5 rows", _M, _check_row_count),
    Limit("components.total", "A V2 message has at most 40 components, nested ones included", _M, _check_total_count),
    Limit("components.text", "A V2 message has at most 4000 characters of text", _M, _check_total_text),
    Limit("components.custom_id.unique", "Each custom_id in a message is unique", _M, _SAME_ID),
    Limit("components.id.unique", "Each component id in a message is unique", _M, _SAME_NUMBER),
    Limit("row.width", "An action row has 1 to 5 buttons or 1 select", _C, _check_row, types=(ROW,)),
    Limit("component.custom_id", "A custom_id has 1 to 100 characters", _C, _check_custom_id),
    Limit(
        "button.style",
        "A button's style is 1 to 6",
        _C,
        choice_check("style", range(1, 7), required=True),
        types=(BUTTON,),
    ),
    Limit(
        "button.label",
        "A button's label has at most 80 characters",
        _C,
        length_check("label", 0, 80),
        types=(BUTTON,),
    ),
    Limit("button.blank", "A button has a label or an emoji", _C, _check_button_content, types=(BUTTON,)),
    Limit(
        "button.url",
        "Link buttons, and only they, have a well formed address and no custom_id",
        _C,
        _check_link,
        types=(BUTTON,),
    ),
    Limit("component.emoji", "An emoji is a Unicode emoji or a custom one", _C, _check_emoji),
    Limit(
        "select.options",
        "A select has 1 to 25 options",
        _C,
        count_check("options", 1, 25, required=True),
        types=(STRING_SELECT,),
    ),
    Limit("select.option", "Label and value 1 to 100, description at most 100 characters", _C, _check_option_texts),
    Limit("select.option.unique", "Option values in a select are unique", _C, _SAME_VALUE),
    Limit(
        "select.placeholder",
        "A placeholder has at most 150 characters",
        _C,
        length_check("placeholder", 0, 150),
        types=SELECTS,
    ),
    Limit("select.min", "min_values is 0 to 25", _C, range_check("min_values", 0, 25), types=SELECTS),
    Limit("select.max", "max_values is 1 to 25", _C, range_check("max_values", 1, 25), types=SELECTS),
    Limit(
        "select.range",
        "min_values ≤ max_values ≤ number of options",
        _C,
        _check_select_range,
        types=(*SELECTS, FILE_UPLOAD, CHECKBOX_GROUP),
    ),
    Limit("select.defaults", "At most max_values options are selected by default", _C, _check_select_defaults),
    Limit(
        "radio.options",
        "A radio group has 2 to 10 options",
        _C,
        count_check("options", 2, 10, required=True),
        types=(RADIO_GROUP,),
    ),
    Limit(
        "checkbox.options",
        "A checkbox group has 1 to 10 options",
        _C,
        count_check("options", 1, 10, required=True),
        types=(CHECKBOX_GROUP,),
    ),
    Limit(
        "text.content",
        "A text display has 1 to 4000 characters",
        _C,
        length_check("content", 1, 4000, required=True),
        types=(TEXT_DISPLAY,),
    ),
    Limit(
        "section.texts",
        "A section has 1 to 3 texts",
        _C,
        count_check("components", 1, 3, required=True),
        types=(SECTION,),
    ),
    Limit("section.accessory", "A section has an accessory", _C, _check_accessory, types=(SECTION,)),
    Limit(
        "gallery.items",
        "A media gallery has 1 to 10 items",
        _C,
        count_check("items", 1, 10, required=True),
        types=(GALLERY,),
    ),
    Limit(
        "media.url", "Media have a well formed address; a file's is attachment://", _C, _check_media_urls, types=_MEDIA
    ),
    Limit(
        "media.description",
        "A medium's alt text has at most 1024 characters",
        _C,
        _check_media_descriptions,
        types=_MEDIA,
    ),
    Limit("media.attached", "attachment:// names a file of the message", _C, _check_media_attached, types=_MEDIA),
    Limit(
        "media.listed",
        "A new file that a component shows is listed in attachments",
        _C,
        _check_media_listed,
        types=_MEDIA,
    ),
    Limit(
        "separator.spacing",
        "A separator's spacing is 1 or 2",
        _C,
        choice_check("spacing", (1, 2)),
        types=(SEPARATOR,),
    ),
    Limit(
        "container.components",
        "A container is not empty",
        _C,
        count_check("components", 1, 40, required=True),
        types=(CONTAINER,),
    ),
    Limit("container.accent", "An accent color is 0 to 0xFFFFFF", _C, _check_accent_color, types=(CONTAINER,)),
)
