"""Checks of all that an in-process bot has sent: it calls nobody, and fits on a phone that has the glyphs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION, MAX_PLACEHOLDER
from tests.glyphs import strings, unlisted


class SentRequest(Protocol):
    """A request that the bot has made."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def json(self) -> Any: ...


MESSAGE_PATHS = re.compile(
    r"/channels/\d+/messages(/\d+)?$|/webhooks/\d+/[^/]+(/messages/[^/]+)?$|/interactions/\d+/[^/]+/callback$"
)
FORM = 9  # the kind of an answer that opens a form
TEXT_FIELDS = {"content", "components", "embeds"}
PEOPLES = "♂👧👩🂡"  # symbols that people in tests have in their names, or type; their letters are of any script


def assert_nobody_is_called(requests: Iterable[SentRequest]) -> None:
    """Raise AssertionError if a message was posted or edited without saying whom it may notify.

    An edit and an answer may notify nobody, a new message those who are named.
    """
    for record in requests:
        message = _sent_message(record)
        if not TEXT_FIELDS & set(message):
            continue
        allowed = message.get("allowed_mentions")
        assert allowed is not None, f"{record.method} {record.path} does not say whom it may notify"
        nobody = allowed["parse"] == [] and not allowed.get("roles") and not allowed.get("replied_user")
        assert nobody, f"{record.method} {record.path} may notify {allowed}"
        assert record.method == "POST" or not allowed.get("users"), f"{record.path}: an edit notifies nobody"


def assert_fits_telephone(requests: Iterable[SentRequest]) -> None:
    """Raise AssertionError if a control that was sent is longer than a telephone shows."""
    sent = [_sent_message(record).get("components") or [] for record in requests]
    cut = [text for components in sent for text in _too_long_labels(components)]
    assert not cut, f"longer than a telephone shows: {cut}"


def assert_it_has_glyphs(requests: Iterable[SentRequest]) -> None:
    text = "".join(each for record in requests for each in strings(_sent_message(record)))
    missing = {one for one in unlisted(text) if one not in PEOPLES and unicodedata.category(one)[0] not in "LM"}
    assert not missing, f"not known to have a glyph (see tests/glyphs.py): {missing}"


def _too_long_labels(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in components:
        yield from _too_long_labels(one.get("components") or [])
        limited = {2: [(one.get("label"), MAX_LABEL)], 3: [(one.get("placeholder"), MAX_PLACEHOLDER)]}
        texts = limited.get(one["type"], [])
        for line in one.get("options") or []:
            texts += [(line["label"], MAX_OPTION), (line.get("description"), MAX_DESCRIPTION)]
        yield from (text for text, most in texts if text and len(text) > most)


def _sent_message(record: SentRequest) -> Mapping[str, Any]:
    """The message that a request posts or edits; nothing where it does something else, such as opening a form."""
    sends = record.method in ("POST", "PATCH") and MESSAGE_PATHS.search(record.path)
    if not sends or not isinstance(record.json, dict):
        return {}
    body: dict[str, Any] = record.json
    if record.path.endswith("/callback") and body.get("type") == FORM:
        return {}
    return (body.get("data") or {}) if record.path.endswith("/callback") else body
