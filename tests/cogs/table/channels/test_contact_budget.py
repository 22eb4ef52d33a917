"""The budget of first contacts: windows, ranks and stops, whatever the clock does; and nothing goes around it."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cogs.table.channels.contact_budget import (
    BOOK,
    DAY,
    HEAD_START,
    LONGEST_WAIT,
    NEXT_SECONDS,
    QUARANTINE_SECONDS,
    TEN_MINUTES,
    ContactBook,
    ContactLimits,
    ContactRank,
)
from cogs.table.transport.network_errors import TOO_FAST_WAIT
from tests.games import ROOT

NOW = 1_800_000_000
DUE, DEALT, GREETING = ContactRank
OPENING_NAMES = {"create_dm", "start_private_message", "dm_channel"}
"""The names by which discord.py opens direct messages, or has them."""
PEOPLE_NAMES = {"user", "member", "author", "recipient", "owner", "host"}


def fill(book: ContactBook, times: range, limits: ContactLimits) -> ContactBook:
    for at in times:
        book, wait = book.take(at, GREETING, limits)
        assert wait == 0
    return book


def test_ten_minutes_and_a_day_have_their_limits() -> None:
    limits = ContactLimits(2, 3)
    book = fill(ContactBook(), range(NOW, NOW + 2), limits)
    assert book.take(NOW + 5, GREETING, limits)[1] == NOW + TEN_MINUTES
    book = fill(book, range(NOW + TEN_MINUTES, NOW + TEN_MINUTES + 1), limits)
    later = NOW + TEN_MINUTES + 1
    assert book.take(later, GREETING, limits)[1] == later + LONGEST_WAIT, "the budget is asked again now and then"
    assert book.take(NOW + DAY - 1, GREETING, limits)[1] == NOW + DAY
    assert book.take(NOW + DAY, GREETING, limits)[1] == 0


def test_no_window_ever_has_more_than_its_limit() -> None:
    chance, limits, book, times, now = random.Random(7), ContactLimits(5, 40), ContactBook(), list[int](), NOW
    for _ in range(5_000):
        now += chance.choice((0, 1, 7, 90))
        book, wait = book.take(now, chance.choice([*ContactRank]), limits)
        assert wait == 0 or wait > now
        times += [now] * (wait == 0)
    assert len(times) == 2 * limits.per_day, "of each day"
    for at in times:
        assert sum(at - TEN_MINUTES < other <= at for other in times) <= limits.per_ten_minutes
        assert sum(at - DAY < other <= at for other in times) <= limits.per_day


def test_a_better_rank_that_waits_is_served_first() -> None:
    limits = ContactLimits(1, 100)
    book = fill(ContactBook(), range(NOW, NOW + 1), limits)
    book, wait = book.take(NOW + 1, DUE, limits)
    assert wait == NOW + TEN_MINUTES
    for rank in (DEALT, GREETING):
        assert book.take(wait, rank, limits)[1] == wait + HEAD_START, "it waits although there is room"
    after, still = book.take(wait, DUE, limits)
    assert still == 0
    assert after.take(wait + 1, GREETING, ContactLimits(9, 100))[1] == wait + NEXT_SECONDS
    assert book.take(wait + HEAD_START, GREETING, limits)[1] == 0, "somebody who stays away holds up nobody"


def test_a_quarantine_stops_everybody_for_an_hour_and_a_passing_refusal_for_a_minute() -> None:
    limits = ContactLimits()
    stopped, _ = ContactBook().stop(NOW, quarantined=True)
    hurried, _ = ContactBook().stop(NOW, quarantined=False)
    for rank in ContactRank:
        assert stopped.take(NOW + 1, rank, limits)[1] == NOW + QUARANTINE_SECONDS
        assert hurried.take(NOW + 1, rank, limits)[1] == NOW + TOO_FAST_WAIT
    assert stopped.stop(NOW + 1, quarantined=False)[0].stopped_until == NOW + QUARANTINE_SECONDS
    assert (hurried.quarantined_until, stopped.quarantined_until) == (0, NOW + QUARANTINE_SECONDS)


@pytest.mark.parametrize("ahead", [61, 400 * DAY])
def test_rows_that_a_wrong_clock_wrote_end_at_last(ahead: int) -> None:
    limits = ContactLimits(1, 2)
    book, _ = fill(ContactBook(), range(NOW + ahead, NOW + ahead + 1), limits).take(NOW + ahead, DUE, limits)
    book, _ = book.stop(NOW + ahead, quarantined=True)
    assert book.take(NOW, DUE, limits)[1] <= NOW + QUARANTINE_SECONDS
    book, _ = book.take(NOW, DUE, limits)
    book, wait = book.take(NOW + QUARANTINE_SECONDS, GREETING, limits)
    assert wait == 0
    assert len(book.contacts) == 2, "the one of the wrong clock counts"


def test_the_stored_book_comes_back_and_names_nobody() -> None:
    book, _ = ContactBook((NOW - 5, NOW), {DUE: NOW + 5}).stop(NOW, quarantined=True)
    assert BOOK.validate_json(BOOK.dump_json(book)).at(NOW) == book.at(NOW)
    numbers = {int(number) for number in re.findall(r"\d+", BOOK.dump_json(book).decode())}
    assert numbers == {DUE, NOW - 5, NOW, NOW + 5, NOW + QUARANTINE_SECONDS}


def direct_message_openings(source: str) -> Iterator[str]:
    """Each place in a module that may open direct messages."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in OPENING_NAMES:
            yield ast.unparse(node)
        elif isinstance(node, ast.Constant) and "@me/channels" in str(node.value):
            yield str(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "send":
            whom = ast.unparse(node.func.value).partition("(")[0].rpartition(".")[2]
            if whom in PEOPLE_NAMES or whom in ("get_user", "fetch_user", "get_member", "fetch_member"):
                yield ast.unparse(node)


def test_direct_messages_are_opened_in_one_place() -> None:
    found = {
        str(path.relative_to(ROOT)): list(direct_message_openings(path.read_text(encoding="utf-8")))
        for folder in ("cogs", "motley")
        for path in sorted(Path(ROOT, folder).rglob("*.py"))
    }
    assert {path: places for path, places in found.items() if places} == {
        "cogs/table/channels/direct_messages.py": ["self._services.client.create_dm"]
    }


@pytest.mark.parametrize(
    "broken",
    [
        "await user.create_dm()",
        "await interaction.user.send('Your hand')",
        "await client.get_user(7).send('Your hand')",
        "await (await guild.fetch_member(7)).send('Your hand')",
        "await client.http.start_private_message(7)",
        "await client.http.request(Route('POST', '/users/@me/channels'))",
        "channel = member.dm_channel",
    ],
)
def test_an_opening_elsewhere_would_be_found(broken: str) -> None:
    assert list(direct_message_openings(f"async def break_it():\n    {broken}"))


def test_other_messages_are_no_openings() -> None:
    assert not list(
        direct_message_openings("async def send():\n    await channel.send('Hello')\n    await later.send('Hello')")
    )
