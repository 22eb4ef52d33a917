"""Blocks, announcements of the owner, and reports to the owner."""

from __future__ import annotations

import pytest

from engines.store.match_store import StoreFailure
from engines.store.owner_storage import Announcement, AnnouncementPost, Block, Report
from tests.storage.contract.kinds import NOW, MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, start_running

BIG = 2**62


async def test_blocks_are_of_a_server_a_person_or_a_person_in_a_server(surfaces: SurfaceStore) -> None:
    assert await surfaces.blocks() == frozenset()
    blocks = [Block(0, BIG), Block(BIG, 0), Block(BIG, 5), Block(7, 5)]
    assert [await surfaces.put_block(block) for block in (*blocks, blocks[0])] == [True] * 4 + [False]
    assert await surfaces.blocks() == frozenset(blocks)
    assert await surfaces.drop_block(Block(BIG, 5))
    assert not await surfaces.drop_block(Block(BIG, 5))
    assert await surfaces.blocks() == {Block(0, BIG), Block(BIG, 0), Block(7, 5)}


async def test_a_server_that_is_forgotten_takes_its_own_blocks_with_it_and_not_those_of_the_owner(
    surfaces: SurfaceStore, matches: MatchStore
) -> None:
    for block in (Block(7, 5), Block(7, 0), Block(8, 5), Block(0, 5)):
        await surfaces.put_block(block)
    await matches.record_servers([8], NOW)
    assert await matches.deserted_matches(NOW + 1, 9) == []
    assert await surfaces.blocks() == {Block(7, 0), Block(8, 5), Block(0, 5)}


async def test_a_block_of_somebody_outlasts_their_request_to_be_forgotten(surfaces: SurfaceStore) -> None:
    await surfaces.put_block(Block(0, 5))
    await surfaces.forget_person(5)
    assert await surfaces.blocks() == {Block(0, 5)}


@pytest.mark.parametrize("text", [text for text in NASTY_TEXTS if text])
async def test_an_announcement_comes_back_as_it_is(surfaces: SurfaceStore, text: str) -> None:
    number = await surfaces.announce(text)
    assert await surfaces.announcements() == [Announcement(number, text, NOW)]


async def test_a_message_is_begun_sent_once_and_deleted(surfaces: SurfaceStore) -> None:
    first, second = await surfaces.announce("one"), await surfaces.announce("two")
    assert first < second
    begun, sent = AnnouncementPost(first, BIG, 7), AnnouncementPost(first, BIG, 7, BIG + 1)
    assert await surfaces.begin_announcement_post(begun)
    assert await surfaces.begin_announcement_post(begun), "after a crash it is sent again, under its nonce"
    assert await surfaces.announcement_posts(first) == [begun]
    await surfaces.note_announcement_message(sent)
    assert not await surfaces.begin_announcement_post(begun), "it was sent"
    assert await surfaces.begin_announcement_post(AnnouncementPost(first, 6, 7))
    assert await surfaces.announcement_posts(first) == [AnnouncementPost(first, 6, 7), sent]
    assert await surfaces.announcement_posts(second) == []
    assert await surfaces.withdraw_announcements() == 2
    assert [each.number for each in await surfaces.announcements()] == [first], "of the second there was no message"
    assert not await surfaces.begin_announcement_post(AnnouncementPost(first, 5, 7)), "it was withdrawn"
    assert not await surfaces.begin_announcement_post(AnnouncementPost(first, 6, 7)), "it was withdrawn"
    assert not await surfaces.begin_announcement_post(AnnouncementPost(99, 5, 7))
    await surfaces.drop_announcement_posts(first, [6])
    assert [each.is_withdrawn for each in await surfaces.announcements()] == [True]
    await surfaces.drop_announcement_posts(first, [BIG, 4])
    assert await surfaces.announcements() == []
    assert await surfaces.withdraw_announcements() == 0
    await surfaces.note_announcement_message(sent)
    assert await surfaces.announcement_posts(first) == []


async def test_a_report_is_a_draft_until_it_is_sent(surfaces: SurfaceStore, matches: MatchStore) -> None:
    await start_running(matches, "m1")
    drafts = [Report(BIG + number, "m1", user, f"text {number}", NOW) for number, user in enumerate((5, 6, 5))]
    for draft in drafts:
        await surfaces.put_report_draft(draft)
    assert await surfaces.reports(5) == [drafts[2]], "a new draft takes the place of the old one"
    await surfaces.put_report_draft(drafts[2])
    await surfaces.mark_report_sent(BIG + 2, NOW + 3)
    sent = Report(BIG + 2, "m1", 5, "", NOW, NOW + 3)
    assert await surfaces.reports(5) == [sent]
    await surfaces.put_report_draft(Report(9, "m1", 5, "another", NOW + 4))
    assert await surfaces.reports(5) == [sent, Report(9, "m1", 5, "another", NOW + 4)]
    await surfaces.drop_report_drafts(5)
    assert await surfaces.reports(5) == [sent]
    assert await surfaces.reports(6) == [drafts[1]]
    with pytest.raises(StoreFailure):
        await surfaces.put_report_draft(Report(10, "nowhere", 5, "lost", NOW))


@pytest.mark.parametrize("text", [text for text in NASTY_TEXTS if text])
async def test_a_draft_comes_back_as_it_is(surfaces: SurfaceStore, matches: MatchStore, text: str) -> None:
    await start_running(matches, "m1")
    await surfaces.put_report_draft(Report(1, "m1", 5, text, NOW))
    assert [report.text for report in await surfaces.reports(5)] == [text]


async def test_reports_go_with_their_match_with_their_writer_and_with_time(
    surfaces: SurfaceStore, matches: MatchStore, sql: SqlAccess
) -> None:
    for number, (match, user) in enumerate((("m1", 5), ("m2", 6), ("m3", 7), ("m4", 8))):
        await start_running(matches, match)
        await surfaces.put_report_draft(Report(number, match, user, "text", NOW + number))
    await surfaces.mark_report_sent(3, NOW + 9)
    old = await surfaces.announce("text")
    await surfaces.begin_announcement_post(AnnouncementPost(old, 5, 7))
    await matches.erase_match("m1")
    assert await sql.query("SELECT id FROM reports ORDER BY id") == [(1,), (2,), (3,)]
    await surfaces.forget_person(6)
    assert await sql.query("SELECT id FROM reports ORDER BY id") == [(2,), (3,)]
    await surfaces.erase_owner_data(NOW + 3, NOW)
    assert await sql.query("SELECT id FROM reports ORDER BY id") == [(3,)]
    assert len(await surfaces.announcements()) == 1
    await surfaces.erase_owner_data(NOW, NOW + 1)
    assert await surfaces.announcements() == []
    assert await sql.query("SELECT * FROM announcement_posts") == []
