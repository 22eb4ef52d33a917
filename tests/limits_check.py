"""Holds every request an in-process bot has made against Discord's limits."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol

from cogs.screens.control_widths import MAX_DESCRIPTION, MAX_LABEL, MAX_OPTION, MAX_PLACEHOLDER
from playground.limits import Request, SentFile, Violation, find_violations
from playground.world import ids
from tests.glyphs import strings, unlisted


class SimcordRecord(Protocol):
    """A request as simcord keeps it in `env.http_requests`."""

    @property
    def method(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def json(self) -> Any: ...


class SimcordEnv(Protocol):
    @property
    def http_requests(self) -> Iterable[SimcordRecord]: ...


class OutsideLimits(AssertionError):
    """Discord would have refused some of the bot's requests."""


def to_limits_request(record: SimcordRecord, sizes: Mapping[str, int] | None = None) -> Request:
    """A kept request as the limits want it; files get their sizes by name, 0 if they are not known."""
    query = {name: str(value) for name, value in record.params.items()}
    new = [(entry["id"], entry["filename"]) for entry in _payload_attachments(record.json) if _is_new_file(entry)]
    files = tuple(SentFile(f"files[{number}]", name, (sizes or {}).get(name, 0)) for number, name in new)
    return Request(record.method, record.path, query, record.json, files)


def assert_within_limits(env: SimcordEnv, since: int = 0) -> None:
    sizes = _file_sizes(env)
    broken = [
        f"  {number}. {record.method} {record.path}: {violation}"
        for number, record in enumerate(list(env.http_requests)[since:], since + 1)
        for violation in _find_violations(to_limits_request(record, sizes))
    ]
    if broken:
        raise OutsideLimits("Discord would refuse:\n" + "\n".join(broken))


MESSAGE_PATHS = re.compile(
    r"/channels/\d+/messages(/\d+)?$|/webhooks/\d+/[^/]+(/messages/[^/]+)?$|/interactions/\d+/[^/]+/callback$"
)
FORM = 9  # the kind of an answer that opens a form
TEXT_FIELDS = {"content", "components", "embeds"}
PEOPLES = "♂👧👩🂡"  # symbols that people in tests have in their names, or type; their letters are of any script


def assert_nobody_is_called(env: SimcordEnv) -> None:
    """Raise AssertionError if a message was posted or edited without saying whom it may notify.

    An edit and an answer may notify nobody, a new message those who are named.
    """
    for record in env.http_requests:
        message = _sent_message(record)
        if not TEXT_FIELDS & set(message):
            continue
        allowed = message.get("allowed_mentions")
        assert allowed is not None, f"{record.method} {record.path} does not say whom it may notify"
        nobody = allowed["parse"] == [] and not allowed.get("roles") and not allowed.get("replied_user")
        assert nobody, f"{record.method} {record.path} may notify {allowed}"
        assert record.method == "POST" or not allowed.get("users"), f"{record.path}: an edit notifies nobody"


def assert_fits_telephone(env: SimcordEnv) -> None:
    """Raise AssertionError if a control that was sent is longer than a telephone shows."""
    sent = [_sent_message(record).get("components") or [] for record in env.http_requests]
    cut = [text for components in sent for text in _too_long_labels(components)]
    assert not cut, f"longer than a telephone shows: {cut}"


def assert_it_has_glyphs(env: SimcordEnv) -> None:
    every_text = "".join(text for record in env.http_requests for text in strings(_sent_message(record)))
    missing = {one for one in unlisted(every_text) if one not in PEOPLES and unicodedata.category(one)[0] not in "LM"}
    assert not missing, f"not known to have a glyph (see tests/glyphs.py): {missing}"


def _too_long_labels(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in components:
        yield from _too_long_labels(one.get("components") or [])
        texts = {2: [(one.get("label"), MAX_LABEL)], 3: [(one.get("placeholder"), MAX_PLACEHOLDER)]}.get(
            one["type"], []
        )
        for line in one.get("options") or []:
            texts += [(line["label"], MAX_OPTION), (line.get("description"), MAX_DESCRIPTION)]
        yield from (text for text, most in texts if text and len(text) > most)


def _sent_message(record: SimcordRecord) -> Mapping[str, Any]:
    """The message that a request posts or edits; nothing if it does something else, such as opening a form."""
    sends = record.method in ("POST", "PATCH") and MESSAGE_PATHS.search(record.path)
    if not sends or not isinstance(record.json, dict):
        return {}
    body: dict[str, Any] = record.json
    if record.path.endswith("/callback") and body.get("type") == FORM:
        return {}
    return (body.get("data") or {}) if record.path.endswith("/callback") else body


def _payload_attachments(payload: Any) -> list[dict[str, Any]]:
    if not isinstance(payload, dict):
        return []
    data = payload.get("data")
    inner: dict[str, Any] = data if isinstance(data, dict) else payload
    return [entry for entry in inner.get("attachments") or [] if isinstance(entry, dict)]


def _is_new_file(entry: dict[str, Any]) -> bool:
    """A file that came with the request is numbered from 0; one the message had has a snowflake."""
    number = ids.parse_snowflake(str(entry.get("id")))
    return number is not None and number < 100 and "filename" in entry


def _find_violations(request: Request) -> tuple[Violation, ...]:
    """What the request breaks. Many tests send the same ones, first of all the whole list of commands."""
    body = json.dumps([dict(request.query), request.payload])
    return _cached_violations(request.method, request.path, body, request.files)


@lru_cache(maxsize=10_000)
def _cached_violations(method: str, path: str, body: str, files: tuple[SentFile, ...]) -> tuple[Violation, ...]:
    query, payload = json.loads(body)
    return tuple(find_violations(Request(method, path, query, payload, files)))


def _file_sizes(env: SimcordEnv) -> dict[str, int]:
    stored: Mapping[str, bytes] = getattr(getattr(getattr(env, "backend", None), "cdn", None), "_blobs", {})
    sizes: dict[str, int] = {}
    for address, data in stored.items():
        name = address.rsplit("/", 1)[-1]
        sizes[name] = max(len(data), sizes.get(name, 0))
    return sizes
