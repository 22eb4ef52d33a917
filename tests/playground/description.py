"""Discord's public description of its API: does an exchange with the playground agree with it?

The description is not part of this project. Discord publishes it as `specs/openapi.json` in the repository
`discord/discord-api-spec`, and `COMMIT` is the version that the playground follows.
"""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped]
from jsonschema.validators import extend  # type: ignore[import-untyped]
from referencing import Registry
from referencing.jsonschema import DRAFT202012

COMMIT = "74fda0fad044407ea280043a03ffc9bc64c4e49e"  # of 18 July 2026
SHA256 = "8c1d0707ccdf8e380a86dfba04058820a66435c1b69d5ed82e04dd8c0520dd73"

_RequestValidator: Any = extend(
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, str | int) and str(value).lstrip("-").isdecimal()
    ),
)
"""Discord accepts text for a number, as the description's README says."""
# Where the description disagrees with Discord's documentation, the documentation counts, as its README says.
_REQUEST_DEVIATIONS: dict[str, Any] = {
    "SnowflakeType": {"type": ["string", "integer"]},  # "the API will accept snowflakes as numbers"
}
_RESPONSE_DEVIATIONS: dict[str, Any] = {
    "InnerErrors": {"type": "object", "properties": {"_errors": {"type": "array"}}, "required": ["_errors"]},
}
"""The codes in the tree of 50035 are words (BASE_TYPE_BAD_LENGTH), not numbers."""


@dataclass(frozen=True)
class Exchange:
    """A request of the bot, without its files, and the playground's response."""

    method: str
    path: str
    status: int
    body: Any
    response: Any


class Description:
    """An OpenAPI description, version 3.1."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._paths: dict[str, dict[str, Any]] = document["paths"]
        self._document = document
        _join_unions(document)
        responses, joined = copy.deepcopy(document), set(_joined_schemas(document))
        for name, schema in responses["components"]["schemas"].items():
            _forbid_unknown_fields(schema, name not in joined)
        _forbid_unknown_fields(responses["paths"], True)
        document["components"]["schemas"] |= _REQUEST_DEVIATIONS
        responses["components"]["schemas"] |= _RESPONSE_DEVIATIONS
        versions = (
            (each, DRAFT202012.create_resource(d)) for each, d in (("request", document), ("response", responses))
        )
        self._registry: Registry[Any] = Registry().with_resources(
            (f"urn:{each}", definition) for each, definition in versions
        )

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read Discord's description. Raises ValueError if the file is not the version that the playground follows."""
        text = path.read_bytes()
        if sha256(text).hexdigest() != SHA256:
            raise ValueError(f"{path} is not specs/openapi.json of discord/discord-api-spec at {COMMIT}")
        return cls(json.loads(text))

    def find_operation(self, method: str, path: str) -> tuple[str, str] | None:
        """Return the described path of a request, and its operation's id; None if the description has none."""
        for described in sorted(self._paths, key=lambda each: each.count("{")):  # literal paths come first
            if method.lower() in self._paths[described] and _path_pattern(described).fullmatch(path):
                return described, str(self._paths[described][method.lower()]["operationId"])
        return None

    def find_faults(self, exchange: Exchange) -> list[str]:
        """Return what of an exchange disagrees with the description, each as a sentence.

        A request counts only if the playground accepted it: it may refuse more than the description does, never less.
        """
        found = self.find_operation(exchange.method, exchange.path)
        if found is None:
            return [] if exchange.status == 404 else ["the description has no such route"]
        described, _ = found
        if exchange.status >= 500:  # a fault on demand
            return []
        faults = list(self._response_faults(described, exchange))
        return faults + list(self._request_faults(described, exchange)) if exchange.status < 300 else faults

    def _response_faults(self, path: str, exchange: Exchange) -> Iterator[str]:
        pointer = ["paths", path, exchange.method.lower(), "responses"]
        responses = self._look_up(pointer)
        status = next((each for each in (str(exchange.status), f"{exchange.status // 100}XX") if each in responses), "")
        if not status:
            yield f"the response has the status {exchange.status}"
            return
        response = responses[status]
        if "$ref" in response:
            pointer, status = ["components", "responses"], response["$ref"].rpartition("/")[2]
        yield from self._body_faults("response", [*pointer, status], exchange.response)

    def _request_faults(self, path: str, exchange: Exchange) -> Iterator[str]:
        pointer = ["paths", path, exchange.method.lower()]
        if "requestBody" in self._look_up(pointer):
            yield from self._body_faults("request", [*pointer, "requestBody"], exchange.body)
        elif exchange.body is not None:
            yield "the request has a body"

    def _body_faults(self, kind: str, pointer: list[str], body: Any) -> Iterator[str]:
        described = self._look_up(pointer)
        if "content" not in described:
            if body is not None:
                yield f"the {kind} has a body"
            return
        if body is None:
            if described.get("required", kind == "response"):
                yield f"the {kind} has no body"
            return
        content = "application/json" if "application/json" in described["content"] else "multipart/form-data"
        for error in self._validator(kind, *pointer, "content", content, "schema").iter_errors(body):
            for each in _innermost_errors(error):
                place = "".join("[]" if isinstance(step, int) else f".{step}" for step in each.absolute_path)
                yield f"{kind}{place}: {each.message[:200]}"

    def _look_up(self, pointer: list[str]) -> Any:
        found: Any = self._document
        for step in pointer:
            found = found[step]
        return found

    @cache  # noqa: B019  # one description lives as long as the program
    def _validator(self, kind: str, *pointer: str) -> Any:
        steps = "/".join(step.replace("~", "~0").replace("/", "~1") for step in pointer)
        validator = _RequestValidator if kind == "request" else Draft202012Validator
        return validator({"$ref": f"urn:{kind}#/{_quote(steps)}"}, registry=self._registry)


def _innermost_errors(error: ValidationError) -> list[ValidationError]:
    """Return what is wrong with a value: in a union, according to the type that it most probably should have."""
    if error.validator != "anyOf":
        return [error]
    branches: dict[Any, list[ValidationError]] = defaultdict(list)
    for each in error.context or ():
        branches[each.schema_path[0]] += _innermost_errors(each)
    depth = len(error.absolute_path)

    def unlikelihood(found: list[ValidationError]) -> tuple[int, int]:
        shallow = [each for each in found if len(each.absolute_path) == depth and each.validator in ("type", "pattern")]
        kinds = [each for each in found if list(each.absolute_path)[depth:] == ["type"]]
        return 2 * len(shallow) + len(kinds), len(found)

    return min(branches.values(), key=unlikelihood)


@cache
def _path_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


def _quote(pointer: str) -> str:
    return pointer.replace("{", "%7B").replace("}", "%7D").replace("@", "%40")


def _joined_schemas(part: Any) -> Iterator[str]:
    """Yield the names of the schemas that are joined with others; each describes only a part of an object."""
    if isinstance(part, Mapping):
        if len(part.get("allOf", ())) > 1:
            yield from (each["$ref"].rpartition("/")[2] for each in part["allOf"] if "$ref" in each)
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from _joined_schemas(each)


def _join_unions(schema: Any) -> None:
    """Turn `oneOf` into `anyOf`: Discord says that it means the same, and a value may fit two types."""
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _join_unions(inner)
    if isinstance(schema, dict) and "oneOf" in schema:
        schema["anyOf"] = schema.pop("oneOf")


def _forbid_unknown_fields(schema: Any, whole: bool) -> None:
    """Forbid them in every object; `whole`: this is not joined with others. In requests Discord ignores them."""
    if isinstance(schema, list):
        for each in schema:
            _forbid_unknown_fields(each, whole)
    if not isinstance(schema, dict):
        return
    for key, inner in schema.items():
        _forbid_unknown_fields(inner, not (key == "allOf" and len(inner) > 1))
    if (
        whole
        and isinstance(schema.get("properties"), dict)
        and schema.get("type") == "object"
        and "allOf" not in schema
    ):
        schema.setdefault("additionalProperties", False)
