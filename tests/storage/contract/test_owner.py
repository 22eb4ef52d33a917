"""Blocks, and announcements of the owner."""

from __future__ import annotations

import pytest

from engines.store.owner_storage import Announcement, AnnouncementPost, Block
from tests.storage.contract.kinds import NOW, MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import NASTY_TEXTS

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
    draft, sent = AnnouncementPost(first, BIG, 7), AnnouncementPost(first, BIG, 7, BIG + 1)
    assert await surfaces.begin_announcement_post(draft)
    assert await surfaces.begin_announcement_post(draft), "after a crash it is sent again, under its nonce"
    assert await surfaces.announcement_posts(first) == [draft]
    await surfaces.note_announcement_message(sent)
    assert not await surfaces.begin_announcement_post(draft), "it was sent"
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


async def test_announcements_are_erased_with_time(surfaces: SurfaceStore, sql: SqlAccess) -> None:
    old = await surfaces.announce("text")
    await surfaces.begin_announcement_post(AnnouncementPost(old, 5, 7))
    await surfaces.erase_announcements(NOW)
    assert len(await surfaces.announcements()) == 1
    await surfaces.erase_announcements(NOW + 1)
    assert await surfaces.announcements() == []
    assert await sql.query("SELECT * FROM announcement_posts") == []
