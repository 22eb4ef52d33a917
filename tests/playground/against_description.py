"""Runs tests of the playground and compares every exchange in them with Discord's public description:

    python -m tests.playground.against_description FILE [tests]

FILE is `specs/openapi.json`, as `tests/playground/description.py` says. The tests must have the playground in their own
process. The status is 1 if a test fails, if anything disagrees, or if the description does not have a route. Otherwise
it writes `compared_fields.json`: the fields of the responses in `test_every_route.py`, which holds them from then on.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from playground.rest.routes import ROUTES, find_route
from playground.simulation.request_log import TO_SERVER, RequestLog
from tests.playground.description import Description, Exchange

HERE = Path(__file__).parent
TESTS = ("tests/playground",)
EVERY_ROUTE_TEST = "test_every_route.py"
COMPARED_FIELDS = HERE / "compared_fields.json"


@contextmanager
def watch_exchanges(see: Callable[[Exchange], None]) -> Iterator[None]:
    """Call `see` with every exchange that is logged.

    It leaves out those that were cut before they were applied, and the answers of a proxy before Discord.
    """
    add_entry = RequestLog.add_entry

    def add_and_see(log: RequestLog, direction: str, method: str, path: str, **more: Any) -> None:
        exchange = Exchange(method, path, more.get("status", 0), more.get("body"), more.get("response"))
        of_proxy = exchange.status == 429 and "retry_after" not in (exchange.response or ())
        if direction == TO_SERVER and more.get("cut") != "before" and not of_proxy:
            see(exchange)
        add_entry(log, direction, method, path, **more)

    with patch.object(RequestLog, "add_entry", add_and_see):
        yield


def response_fields(exchanges: Iterable[Exchange]) -> dict[str, list[str]]:
    """Return for each route the fields of its responses, with the types of their values."""
    found: dict[str, set[str]] = defaultdict(set)
    for exchange in exchanges:
        route = find_route(exchange.method, exchange.path)
        assert route is not None
        found[f"{exchange.method} {route[0].path}"].update(_fields(exchange.response, str(exchange.status)))
    return {route: sorted(fields) for route, fields in sorted(found.items())}


def _fields(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _fields(inner, f"{path}.{name}")
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _fields(inner, f"{path}[]")
    else:
        yield f"{path}: {type(value).__name__}"


class Witness:
    """A plugin of pytest that compares every exchange, and counts what disagrees with the description."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._faults: Counter[str] = Counter()
        self._first: dict[str, str] = {}
        self.count = 0
        self.route_exchanges: list[Exchange] = []

    @pytest.fixture(autouse=True)
    def seen_exchanges(self, request: pytest.FixtureRequest) -> Iterator[None]:
        """Compare the exchanges of each test."""
        test = request.node.nodeid
        with watch_exchanges(lambda exchange: self.compare(exchange, test)):
            yield

    def compare(self, exchange: Exchange, test: str) -> None:
        """Compare an exchange."""
        self.count += 1
        if EVERY_ROUTE_TEST in test:
            self.route_exchanges.append(exchange)
        found = find_route(exchange.method, exchange.path)
        name = f"{exchange.method} {found[0].path}" if found else f"{exchange.method} (no route)"
        for fault in self._description.find_faults(exchange):
            self._faults[f"{name}: {fault}"] += 1
            self._first.setdefault(f"{name}: {fault}", test)

    def sentences(self) -> list[str]:
        """Return all that is wrong."""
        found = [
            f"{sentence} ({number} times, first in {self._first[sentence]})"
            for sentence, number in self._faults.items()
        ]
        missing = [each for each in ROUTES if self._description.find_operation(each.method, each.path) is None]
        return found + [f"{route.method} {route.path}: the description has no such route" for route in missing]


def main(arguments: Sequence[str]) -> int:
    """Run the tests, and print what disagrees; return the status."""
    if not arguments:
        sys.exit(__doc__)
    witness = Witness(Description.read(Path(arguments[0])))
    tests = arguments[1:] or TESTS
    written_later = f"tests/playground/{EVERY_ROUTE_TEST}::test_its_fields_were_compared"
    failed = pytest.main(["-q", *tests, "--deselect", written_later], plugins=[witness])
    sentences = witness.sentences()
    print("\n".join(sentences))
    print(f"{witness.count} exchanges were compared, and {len(sentences)} things disagree.")
    if failed or sentences:
        return 1
    if witness.route_exchanges:
        COMPARED_FIELDS.write_text(
            json.dumps(response_fields(witness.route_exchanges), indent=1) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
