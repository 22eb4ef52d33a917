"""Surfaces, mentions, inboxes and notes are read back unchanged."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from engines.store.match_store import Place, Status, StoreFailure
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.surface_storage import ContactChange, Inbox, Mention, MentionState, Preferences, Surface, SurfaceKind
from tests.storage.contract.kinds import MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, lobby_info

FULL = Surface("m1", "hand", 2, 2**62, 2**62 + 1, "digest", 3, 1_800_000_000, "The DM is closed.", True, "n", 9)
MENTION = Mention("m1", 1, 7, "nonce", 2**62, 2**62 + 1, "sent")


@pytest.fixture(autouse=True)
async def _a_match(matches: MatchStore) -> None:
    await matches.insert(lobby_info("m1"), by=5)
    await matches.insert(lobby_info("m2"), by=5)


async def test_every_field_of_a_surface_comes_back(surfaces: SurfaceStore) -> None:
    kinds: tuple[SurfaceKind, ...] = ("hand", "lobby", "table")
    for kind in kinds:
        await surfaces.put(Surface("m1", kind))
    expected = [Surface("m1", kind, -1, 0, 0, "", 0, 0, "", False) for kind in kinds]
    assert sorted(await surfaces.surfaces_of("m1"), key=lambda surface: surface.kind) == expected
    for full in (replace(FULL, match="m2"), Surface("m2", "hand", 2, 1, 2, "new", 4, 5, "", False)):
        await surfaces.put(full)
        assert await surfaces.surfaces_of("m2") == [full]


async def test_a_match_has_one_surface_a_kind_and_seat(surfaces: SurfaceStore) -> None:
    expected = [Surface("m1", "hand", 0), Surface("m1", "hand", 1), Surface("m1", "table")]
    await asyncio.gather(*map(surfaces.put, [*expected, Surface("m2", "table")]))
    assert await surfaces.surfaces_of("m1") == expected
    await surfaces.drop("m1", "hand", 1)
    await surfaces.drop("m1", "lobby")
    assert await surfaces.surfaces_of("m1") == [expected[0], expected[2]]
    assert await surfaces.surfaces_of("m2") == [Surface("m2", "table")]
    for lost in (surfaces.put(Surface("nowhere", "table")), surfaces.put_mention(replace(MENTION, match="nowhere"))):
        with pytest.raises(StoreFailure):
            await lost


async def test_every_field_of_a_ping_comes_back(surfaces: SurfaceStore) -> None:
    for mention in (MENTION, replace(MENTION, nonce="other", channel=1, message=0, state="removing")):
        await surfaces.put_mention(mention)
        assert await surfaces.mentions("m1") == [mention]


@pytest.mark.parametrize("state", ["sending", "sent", "removing"])
async def test_mentions_are_told_apart_by_seat_and_decision(surfaces: SurfaceStore, state: MentionState) -> None:
    expected = [replace(MENTION, seat=seat, decision=decision, state=state) for seat in (0, 1) for decision in (6, 7)]
    for mention in [*expected, replace(MENTION, match="m2")]:
        await surfaces.put_mention(mention)
    assert await surfaces.mentions("m1") == expected
    assert await surfaces.mentions("m2") == [replace(MENTION, match="m2")]
    await surfaces.drop_mention("m1", 0, 7)
    await surfaces.drop_mention("m1", 5, 5)
    assert await surfaces.mentions("m1") == [expected[0], *expected[2:]]


async def test_inboxes_and_notes_come_back(surfaces: SurfaceStore) -> None:
    assert await surfaces.inbox(5) is None
    await surfaces.put_inbox(6, Inbox(77, closed=True, reached=True))
    for inbox in (Inbox(2**62, closed=False, reached=False), Inbox(78, closed=True, reached=True)):
        await surfaces.put_inbox(5, inbox)
        assert await surfaces.inbox(5) == inbox
    assert await surfaces.inbox(6) == Inbox(77, closed=True, reached=True)
    assert await surfaces.read_note("commands") is None
    for note in ("one", "two"):
        await surfaces.put_note("commands", note)
        assert await surfaces.read_note("commands") == note


async def test_an_inbox_of_an_older_version_was_reached(surfaces: SurfaceStore, sql: SqlAccess) -> None:
    await sql.execute("INSERT INTO inboxes (user, channel, closed) VALUES (?, ?, FALSE)", 5, 77)
    assert await surfaces.inbox(5) == Inbox(77, closed=False, reached=True)


async def test_changes_of_a_note_at_once_all_count(surfaces: SurfaceStore) -> None:
    def count(old: str | None) -> tuple[str, int]:
        number = int(old or 0) + 1
        return str(number), number

    assert sorted(await asyncio.gather(*(surfaces.change_note("count", count) for _ in range(20)))) == [*range(1, 21)]
    assert await surfaces.read_note("count") == "20"
    await surfaces.put_note("count", "7")
    assert await surfaces.change_note("count", count) == 8


async def test_a_first_contact_is_changed_together_with_a_note(surfaces: SurfaceStore) -> None:
    """Of many at once for the same person, one alone finds that none is known."""

    def count(old: str | None, contact: int) -> ContactChange[bool]:
        return ContactChange(str(int(old or 0) + (not contact)), contact or 1000, not contact)

    assert await surfaces.first_contact(5) == 0
    found = await asyncio.gather(*(surfaces.change_first_contact(user, "count", count) for user in [5, 6] * 10))
    assert sum(found) == 2
    assert await surfaces.read_note("count") == "2"
    assert await surfaces.first_contact(5) == 1000
    await surfaces.change_first_contact(6, "count", lambda old, contact: ContactChange("0", contact + 1, None))
    assert [await surfaces.first_contact(user) for user in (5, 6)] == [1000, 1001]
    await surfaces.erase_first_contacts(1001)
    assert [await surfaces.first_contact(user) for user in (5, 6)] == [0, 1001]


@pytest.mark.parametrize("text", NASTY_TEXTS)
async def test_texts_come_back_as_they_are(surfaces: SurfaceStore, text: str) -> None:
    await surfaces.put_note(text, text * 2)
    await surfaces.put(replace(FULL, digest=text, lost=text))
    await surfaces.put_mention(replace(MENTION, nonce=text))
    assert await surfaces.read_note(text) == text * 2
    assert await surfaces.surfaces_of("m1") == [replace(FULL, digest=text, lost=text)]
    assert await surfaces.mentions("m1") == [replace(MENTION, nonce=text)]
    assert await surfaces.surfaces_of(text) == []


async def test_preferences_come_back_and_simultaneous_changes_all_count(surfaces: SurfaceStore) -> None:
    assert await surfaces.preferences(5) == Preferences()
    never = Preferences(None, True, False, frozenset({"wizard", "court"}), False)
    await surfaces.change_preferences(5, lambda _: never)
    await surfaces.change_preferences(2**62, lambda old: replace(old, call=0))
    assert await surfaces.preferences(5) == never
    assert await surfaces.preferences(2**62) == Preferences(0)
    await asyncio.gather(
        surfaces.change_preferences(6, lambda old: replace(old, call=300)),
        surfaces.change_preferences(6, lambda old: replace(old, words=True)),
        surfaces.change_preferences(6, lambda old: replace(old, met=old.met | {"jest"})),
    )
    assert await surfaces.preferences(6) == Preferences(300, words=True, met=frozenset({"jest"}))


async def test_given_up_surfaces_of_live_and_recent_matches_are_found(
    surfaces: SurfaceStore, matches: MatchStore
) -> None:
    for number, (status, created) in enumerate([(Status.OVER, 999), (Status.OVER, 1000), (Status.CANCELLED, 1000)]):
        await matches.insert(replace(lobby_info(f"old{number}", status=status), created=created), by=5)
    for match in ("m1", "old0", "old1", "old2"):
        await surfaces.put(Surface(match, "table", lost="locked"))
    await surfaces.put(Surface("m2", "table"))
    assert await surfaces.given_up_matches(1000) == ["m1", "old1"]


async def test_a_message_is_doubted_and_nothing_else_of_it_is_changed(surfaces: SurfaceStore) -> None:
    known = Surface("m1", "hand", 2, 7, 8, "there", shown=5, lost="closed", nonce="begun")
    await surfaces.put(known)
    await surfaces.doubt("m1", "hand", 2)
    await surfaces.doubt("m1", "hand", 3)
    assert await surfaces.surfaces_of("m1") == [replace(known, lost="", digest="")]


async def test_an_answer_is_noted_unless_the_message_is_another_or_newer(surfaces: SurfaceStore) -> None:
    known = Surface("m1", "hand", 2, 7, 8, "old", shown=5)
    changes: tuple[dict[str, Any], ...] = ({}, {"shown": 9}, {"message": 9}, {"channel": 9}, {"nonce": "begun"})
    for now in changes:
        after = replace(known, **now)
        await surfaces.put(after)
        await surfaces.put_reply(replace(known, digest="new", shown=6))
        expected = replace(after, digest="" if now else "new", shown=max(6, after.shown))
        assert await surfaces.surfaces_of("m1") == [expected], now
    await surfaces.put_reply(replace(known, seat=3))
    assert len(await surfaces.surfaces_of("m1")) == 1, "what is not there is not made by an answer"


async def test_stale_and_abandoned_surfaces_are_found_by_partition(surfaces: SurfaceStore, matches: MatchStore) -> None:
    for number in range(2):
        await matches.insert(replace(lobby_info(f"p{number}"), place=Place((5 + number) << GUILD_SHIFT, 2)), by=5)
    await surfaces.mark_current({"m1": 0, "m2": 0, "p0": 0, "p1": 0})
    await surfaces.mark_stale(["p0", "p1", "nowhere"])
    halves = Partition.all_of(2)
    assert [await surfaces.stale_matches(halves.only_number(number)) for number in range(2)] == [["p1"], ["p0"]]
    await surfaces.put(Surface("p0", "table", lost="locked"))
    assert [await surfaces.given_up_matches(0, halves.only_number(number)) for number in range(2)] == [[], ["p0"]]


async def test_an_edit_is_kept_of_the_same_message_that_shows_nothing_newer(surfaces: SurfaceStore) -> None:
    before = [replace(FULL, seat=seat, shown=3, done=False) for seat in range(4)]
    for surface in before:
        await surfaces.put(surface)
    edited = [replace(surface, digest="edited", shown=3, done=True, lost="", nonce="", old=0) for surface in before]
    edited[1] = replace(edited[1], message=7)
    edited[2] = replace(edited[2], channel=7)
    edited[3] = replace(edited[3], shown=2)
    await surfaces.put_edits([*edited, replace(edited[0], seat=5), replace(edited[0], match="m2")])
    await surfaces.put_edits([])
    assert await surfaces.surfaces_of("m1") == [replace(before[0], digest="edited", done=True), *before[1:]]
    assert await surfaces.surfaces_of("m2") == []
