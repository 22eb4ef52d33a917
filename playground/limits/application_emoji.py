"""The limits of an application's own emoji: its name and its image."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, Final

from playground.limits.base import Limit, LimitProblem, RequestPart, Subject
from playground.limits.checks import REQUIRED, length_check, text_or_empty

MAX_IMAGE: Final = 256 * 1024
_NAME: Final = re.compile(r"\w+", re.ASCII)
_DATA_URI: Final = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,([A-Za-z0-9+/]+={0,2})")
_SIGNATURES: Final = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
    "image/avif": b"\0\0\0",
}


def parse_image(value: Any) -> tuple[str, bytes] | None:
    """Return the type and bytes of an image in a data URI; None if it is not one, or its bytes are of another type."""
    found = _DATA_URI.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        data = base64.b64decode(found[2], validate=True)
    except binascii.Error:
        return None
    return (found[1], data) if data.startswith(_SIGNATURES[found[1]]) else None


def _check_name(part: RequestPart) -> Iterator[LimitProblem]:
    name = text_or_empty(part.body, "name")
    if name and not _NAME.fullmatch(name):
        text = "String value did not match validation regex."
        yield LimitProblem(("name",), "STRING_TYPE_REGEX", text)


def _check_image(part: RequestPart) -> Iterator[LimitProblem]:
    if part.is_edit:
        return
    value = part.body.get("image")
    if value is None:
        yield LimitProblem(("image",), REQUIRED, "This field is required")
        return
    image = parse_image(value)
    if image is None:
        yield LimitProblem(("image",), "IMAGE_INVALID", "Invalid image data")
    elif len(image[1]) > MAX_IMAGE:
        yield LimitProblem(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")


ROWS: Final = (
    Limit(
        "emoji.name.length",
        "An emoji's name has 2 to 32 characters",
        Subject.EMOJI,
        length_check("name", 2, 32, required=True),
    ),
    Limit("emoji.name", "An emoji's name has letters, digits and underscores", Subject.EMOJI, _check_name),
    Limit("emoji.image", "An emoji is an image of at most 256 KiB in a data URI", Subject.EMOJI, _check_image),
)
